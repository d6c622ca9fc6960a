// Data and byte arrays as bodies, which are sent unchanged.

import Foundation
import Routable
import Testing

private struct Upload: Route {
    static let method = HTTPMethod.post
    static let path: RoutePath = "assets"
}

private enum People: EnumRouter {
    case one(Int)
    static let base = "https://h"
    var method: HTTPMethod { .get }
    var path: RoutePath? {
        switch self {
        case .one(let number): "users/\(number)"
        }
    }
}

private struct Person: Codable, Sendable { var name: String }

@Suite struct RawBodyTests {
    @Test func dataAndArraysAreBodies() throws {
        let bytes: [UInt8] = [0, 1, 255]
        for convertible: any RequestConvertible in [
            Upload().uploading(bytes), Upload().uploading(Data(bytes)), Upload().uploading(bytes[...]),
        ] {
            let request = try convertible.makeRequest(base: "https://h")
            #expect(request.body?.bytes == Bytes(bytes))
            #expect(request.headers["Content-Type"] == "application/octet-stream")
        }
        let request = try Upload().uploading(Data(bytes), contentType: "image/png").makeRequest(base: "https://h")
        #expect(request.headers["Content-Type"] == "image/png")
        try request.setBody(Data("tea".utf8), contentType: "text/plain")
        #expect(request.body?.bytes == "tea" && request.headers["Content-Type"] == "text/plain")
        try request.setBody([UInt8]("milk".utf8), contentType: nil)
        #expect(request.body?.bytes == "milk" && request.headers["Content-Type"] == "text/plain")
    }

    @Test func aCaseOfARouterIsPerformedIntoAModel() async throws {
        let client = Client(transport: TestTransport(body: #"{"name": "ann"}"#))
        #expect(try await client.perform(People.one(1), as: Person.self).name == "ann")
    }
}
