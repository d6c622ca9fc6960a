// Middleware and renewals in Swift: order, changes, replies, failures, pages, and the parameters of a challenge.

import Foundation
import Routable
import Testing

private enum Shop: API {
    static let name = "shop"
    static let base = "https://shop.example/v1"
    static var resources: [AnyResource] { [AnyResource(Tea.self)] }
    static var tea: ResourceCollection<Tea> { collection() }
}

private enum Tea: Readable, Listable, Creatable {
    static let name = "tea"
    static let path = "teas"
    struct Model: Codable, Sendable { var name: String }
}

/// The recorded calls, in order.
private actor Log {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}

private let canned = APIResponse(body: #"{"name":"canned"}"#)

@Suite("Middleware in Swift")
struct MiddlewareTests {
    @Test("runs in order, knows the operation, and changes the request")
    func order() async throws {
        let log = Log()
        let transport = TestTransport(body: #"{"name":"oolong"}"#)
        let client = Client(transport: transport)
            .with { (request, next) async throws(Failure) in
                await log.add("outer \(request.operation.bytes.string)")
                try request.setHeader("X-Outer", "1")
                let response = try await next(request)
                await log.add("outer ends")
                return response
            }
            .with { (request, next) async throws(Failure) in
                await log.add("inner \(request.headers.value(of: "X-Outer")?.string ?? "")")
                return try await next(request)
            }
        #expect(try await client.perform(Shop.tea("7").read()).name == "oolong")
        #expect(await log.lines == ["outer read", "inner 1", "outer ends"])
        #expect(transport.requests.first?.header("X-Outer") == "1")
    }

    @Test("answers, repeats, and fails")
    func answers() async throws {
        let transport = TestTransport(status: 503)
        let answering = Client(transport: transport).with { (_, _) async throws(Failure) in canned }
        #expect(try await answering.perform(Shop.tea("7").read()).name == "canned")
        #expect(transport.requests.isEmpty)
        let repeating = Client(transport: transport).with { (request, next) async throws(Failure) in
            do throws(Failure) { return try await next(request) } catch { return try await next(request) }
        }
        do throws(Failure) {
            _ = try await repeating.perform(Shop.tea("7").read())
            Issue.record("it was answered")
        } catch { #expect(error.status == .httpStatus) }
        #expect(transport.requests.count == 2)
        let failing = Client(transport: transport).with { (_, _) async throws(Failure) in throw Failure(.argument, "not today")
        }
        do throws(Failure) {
            _ = try await failing.perform(Shop.tea("7").read())
            Issue.record("it was answered")
        } catch { #expect(error.message.string == "not today") }
        #expect(transport.requests.count == 2)
    }

    @Test("runs for pages")
    func pages() async throws {
        let log = Log()
        let client = Client(transport: TestTransport(body: "[]")).with { (request, next) async throws(Failure) in
            await log.add(request.operation.bytes.string)
            return try await next(request)
        }
        for try await _ in client.pages(of: Shop.tea.list(), by: .link()) {}
        #expect(await log.lines == ["list"])
    }

    @Test("runs for streams: sees the response, repeats, replies, and fails")
    func streams() async throws {
        let log = Log()
        let transport = TestTransport(body: "one\ntwo\n")
        let client = Client(transport: transport).with { (request, next) async throws(Failure) in
            let response = try await next(request)
            await log.add("\(request.operation.bytes.string) \(response.status) \(response.body.count)")
            return response
        }
        func lines(_ client: Client) async throws -> [String] {
            var found: [String] = []
            for try await line in client.lines(of: Shop.tea.list()) { found.append(line.text) }
            return found
        }
        #expect(try await lines(client) == ["one", "two"])
        #expect(await log.lines == ["list 200 0"])
        let repeating = client.with { (request, next) async throws(Failure) in
            _ = try await next(request)
            return try await next(request)
        }
        #expect(try await lines(repeating) == ["one", "two"])
        #expect(transport.requests.count == 3)
        let replying = client.with { (_, _) async throws(Failure) in
            APIResponse(body: "mine\nyours")
        }
        #expect(try await lines(replying) == ["mine", "yours"])
        #expect(transport.requests.count == 3)
        let failing = client.with { (request, next) async throws(Failure) in
            _ = try await next(request)
            throw Failure(.argument, "not today")
        }
        var refusal: Failure?
        do { _ = try await lines(failing) } catch let error as Failure { refusal = error }
        #expect(refusal?.message.string == "not today")
        let unavailable = Client(transport: TestTransport(status: 503)).with { (request, next) async throws(Failure) in
            do throws(Failure) { return try await next(request) } catch {
                throw Failure(.argument, "seen \(error.fields.response?.status ?? 0)")
            }
        }
        do { _ = try await lines(unavailable) } catch let error as Failure { refusal = error }
        #expect(refusal?.message.string == "seen 503")
    }

    @Test("a reply to a stream needs no credential")
    func repliedStream() async throws {
        let client = Client(transport: TestTransport()).with { (_, _) async throws(Failure) in APIResponse(body: "mine\nyours")
        }
        var found: [String] = []
        for try await line in client.lines(of: Me()) { found.append(line.text) }
        #expect(found == ["mine", "yours"])
    }

    @Test("a renewal knows the request and the challenge")
    func renewal() async throws {
        let log = Log()
        let responses = CannedResponses()
        try responses.add(status: 401, headers: [HeaderField("WWW-Authenticate", "Bearer realm=\"r\", scope=\"a b\"")])
        try responses.add(body: "{}")
        let client = Client(base: "https://shop.example", transport: responses)
        try client.setCredential(
            "session",
            .token("old").renewing { renewal in
                await log.add(
                    "\(renewal.scheme) \(renewal.oldToken) \(renewal.operation) \(renewal.url) \(renewal.parameter("scope", of: "bearer") ?? "")"
                )
                return "new"
            })
        try await client.response(to: Me())
        #expect(await log.lines == ["session old me https://shop.example/me a b"])
    }
}

private enum Secured: API {
    static let name = "secured"
    static let base = "https://shop.example"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "secured", "version": "1"}, "servers": [{"url": "https://shop.example"}],
         "security": [{"session": []}], "paths": {"/me": {"get": {"operationId": "me", "responses": {}}}},
         "components": {"securitySchemes": {"session": {"type": "http", "scheme": "bearer"}}}}
        """#
}

private struct Me: RequestConvertible {
    func makeRequest(base: String?) throws(Failure) -> APIRequest { try Secured.endpoint("me").makeRequest() }
}
