// The values that functions of a program receive: a request that they sign, the events of a transfer, and its progress.

import Foundation
import Routable
import Testing

private enum Notes: API {
    static let name = "notes"
    static let base = "https://notes.test/v1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "name": "notes", "base": "https://notes.test/v1",
         "auth": {"signed": {"scheme": "custom"}, "session": {"scheme": "bearer"}},
         "operations": {"write": {"put": "/notes/{id}", "auth": "signed"},
                        "read": {"get": "/notes/{id}"},
                        "secret": {"get": "/secret", "auth": "session"}}}
        """#

    static func write(_ id: String, _ text: String) -> Endpoint<Untyped> {
        endpoint("write", id).body(["text": .text(Bytes(text))])
    }
    static func read(_ id: String) -> Endpoint<Untyped> { endpoint("read", id) }
}

/// A keyed checksum in the form of an HMAC, over the method, the URL and the body.
private func signature(_ key: String, _ method: String, _ url: String, _ body: Bytes?) -> String {
    func sum(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let inner = sum(Array("\(key)\n\(method)\n\(url)\n".utf8) + (body?.storage ?? []))
    return String(sum(Array("\(key)\n\(inner)".utf8)), radix: 16)
}

@Suite("Functions of a program")
struct CallbackTests {
    @Test("A signing function reads the method, the URL, the headers and the body, and its signature is the service's")
    func signing() async throws {
        let transport = TestTransport { (request) throws(Failure) in
            let wanted = signature("key", request.method, request.url, request.body)
            return Answer(status: request.header("X-Signature") == wanted ? 200 : 403)
        }
        let client = Client(transport: transport)
        try client.setCredential(
            "signed",
            Credential().signing { (signing) throws(Failure) in
                #expect(signing.header("content-type") == "application/json" && signing.header("X-None") == nil)
                #expect(signing.headerFields.contains { $0.name == "Content-Type" })
                try signing.setHeader("X-Signature", signature("key", signing.method, signing.url, signing.body))
            })
        #expect(try await client.response(to: Notes.write("a b", "tea")).status == 200)
        #expect(transport.requests.map { $0.method } == ["PUT"])
        #expect(transport.requests.map { $0.url } == ["https://notes.test/v1/notes/a%20b"])
        #expect(transport.requests.map { $0.body?.string } == [#"{"text":"tea"}"#])

        try client.setCredential(
            "signed",
            Credential().signing { (signing) throws(Failure) in
                try signing.setHeader("X-Signature", signature("another", signing.method, signing.url, signing.body))
            })
        await #expect(throws: Failure.self) { try await client.response(to: Notes.write("a b", "tea")) }
    }

    @Test("Without a body, a signing function receives nil; a header that HTTP does not allow fails the request")
    func signingWithoutBody() async throws {
        let client = Client(transport: TestTransport())
        try client.setCredential(
            "signed",
            Credential().signing { (signing) throws(Failure) in
                #expect(signing.body == nil)
                try signing.setHeader("X-Signature", "one\ntwo")
            })
        do {
            _ = try await client.response(to: Notes.endpoint("write", "a"))
            Issue.record("the header was sent")
        } catch { #expect(error.status == .header) }
    }

    @Test("An event tells the route, the operation, the method, the URL, the path template and the scheme")
    func events() async throws {
        let responses = CannedResponses()
        try responses.add("secret", status: 401)
        try responses.add("secret", body: "{}")
        try responses.add("read", body: "{}")
        let client = Client(transport: responses)
        try client.setCredential("session", .token("old").refreshing { _ in "new" })
        let log = Log()
        try client.observe { log.add($0) }
        _ = try await client.response(to: Notes.read("a b"))
        let events = log.take()
        #expect(events.map { $0.kind } == [.queued, .attempt, .end])
        #expect(events.allSatisfy { $0.operation == "read" && $0.route == nil && $0.scheme == nil })
        let attempt = try #require(events.first { $0.kind == .attempt })
        #expect(attempt.method == "GET" && attempt.url == "https://notes.test/v1/notes/a%20b")
        #expect(attempt.pathTemplate == "/notes/:id" && attempt.attempt == 1)
        let end = try #require(events.last)
        #expect(end.httpStatus == 200 && end.status == .ok && end.url == nil && end.method == nil)

        _ = try await client.response(to: Notes.endpoint("secret"))
        #expect(log.take().first { $0.kind == .refresh }?.scheme == "session")
    }

    @Test("Progress and events of a view model arrive on the MainActor, in order, and before the outcome")
    @MainActor func viewModel() async throws {
        let model = ViewModel(Client(transport: TestTransport(body: String(repeating: "a", count: 100_000))))
        try model.observe()
        for number in 1...20 {
            try await model.load()
            // No event is left over, and no event follows later.
            #expect(model.received == 100_000)
            #expect(model.kinds == [.queued, .attempt, .end], "request \(number)")
            model.kinds = []
        }
    }

    @Test("The actor of another context is respected as well")
    func store() async throws {
        let store = Store()
        let received = try await store.load(Client(transport: TestTransport(body: "tea")))
        #expect(received == 3)
    }

    @Test("The progress of a stream arrives before its end")
    @MainActor func streams() async throws {
        let model = ViewModel(Client(transport: TestTransport(body: "a\nb\n")))
        try model.observe()
        #expect(try await model.lines() == 2)
        #expect(model.kinds.last == .end && model.received == 4)
    }
}

/// A view model as in an application, with all members on the MainActor.
@MainActor private final class ViewModel {
    var received: Int64 = 0
    var kinds: [Event.Kind] = []
    private let client: Client

    init(_ client: Client) { self.client = client }

    func observe() throws {
        try client.observe { event in
            MainActor.assertIsolated()
            self.kinds.append(event.kind)
        }
    }

    private var request: some RequestConvertible {
        Notes.read("a").reportingProgress { progress in
            MainActor.assertIsolated()
            self.received = progress.received
        }
    }

    func load() async throws {
        received = 0
        _ = try await client.response(to: request)
    }

    func lines() async throws -> Int {
        var count = 0
        for try await _ in client.lines(of: request) { count += 1 }
        return count
    }
}

private actor Store {
    private var received: Int64 = 0

    func load(_ client: Client) async throws -> Int64 {
        _ = try await client.response(to: Notes.read("a").reportingProgress { self.received = $0.received })
        return received
    }
}

/// Events that a function without an actor receives.
private final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [Event] = []

    func add(_ event: Event) { lock.withLock { events.append(event) } }
    func take() -> [Event] {
        lock.withLock {
            defer { events = [] }
            return events
        }
    }
}
