// A wide graph by the generated Swift file: several ids in one step, no literal, ids of several segments.

import Routable

@main
struct Program {
    static func main() throws {
        let router = try Code.router()
        let repository = Code.repository("o", "r/x")
        let inside = Code.Label.Scope(7, "k")
        try show(repository.read(), router)
        try show(Code.repository("o").list(), router)
        try show(repository.file("a/b c").read(), router)
        try show(repository.label(inside, "n").read(), router)
        try show(repository.label(inside).list(), router)
        try show(Code.repository("o")("r").read(), router)
        try show(Code.image("a/b").tags(), router)
        try show(Code.account("me").read(), router)
    }

    static func show<Output>(_ endpoint: Endpoint<Output>, _ router: Router) throws {
        let request = try router.request(for: endpoint)
        print("\(request.method.bytes.string) \(request.url.bytes.string)")
    }
}
