// A wide graph by the generated Swift file: several ids in one step, no literal, ids of several segments.

import Foundation
import FoundationNetworking
import Routable

@main
struct Program {
    static func main() throws {
        let repository = Code.repository("o", "r/x")
        let inside = Code.Label.Scope(7, "k")
        try show(repository.read())
        try show(Code.repository("o").list())
        try show(repository.file("a/b c").read())
        try show(repository.label(inside, "n").read())
        try show(repository.label(inside).list())
        try show(Code.repository("o")("r").read())
        try show(Code.image("a/b").tags())
        try show(Code.account("me").read())
    }

    static func show<Output>(_ endpoint: Endpoint<Output>) throws {
        let request = try endpoint.asURLRequest()
        print("\(request.httpMethod ?? "-") \(request.url?.absoluteString ?? "-")")
    }
}
