// The features of the engine for Swift programs: authentication of the description, streams, files, policy, events.

import FaultService
import Foundation
import Routable
import RoutableCore
import Testing

/// Operations of a description, for a service that a test selects.
private enum Described: API {
    static let name = "described"
    static let base = "http://127.0.0.1:1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "base": "http://127.0.0.1:1",
         "auth": {"session": {"scheme": "bearer"}, "signed": {"scheme": "custom"}},
         "operations": {
           "secret": {"get": "/secret/{realm}", "auth": "session"},
           "count": {"get": "/count/{realm}"},
           "signedEcho": {"get": "/echo", "auth": "signed"},
           "echo": {"post": "/echo", "idempotency": true},
           "hash": {"post": "/hash"},
           "file": {"get": "/file/{key}/{size}/{mode}/{breaks}"},
           "events": {"get": "/events/{name}"},
           "lines": {"get": "/lines/{count}/{size}"},
           "missing": {"get": "/faults/not-found"},
           "never": {"get": "/faults/never", "deadline": 0.2},
           "flaky": {"get": "/faults/flaky/{key}/2/503/0"}}}
        """#
}

private struct Operation: RequestConvertible {
    let name: Bytes
    let ids: [Value]

    init(_ name: Bytes, _ ids: Bytes...) {
        self.name = name
        self.ids = ids.map { .text($0) }
    }

    func makeRequest(base: String?) throws(Failure) -> Request {
        var call = Call(operation: name)
        call.ids = .positional(ids)
        call.base = base.map { Bytes($0) }
        return try Described.opened().request(for: call)
    }
}

private let faults = Result { try FaultService.shared.get() }
private let auth = Result { try FaultService(script: "auth_service.py") }

private func client(_ service: Result<FaultService, any Error>) throws -> Client {
    try Client(base: service.get().base)
}

@Suite("Auth of the description")
struct EngineAuthTests {
    @Test("A5: one refresh for all requests that the service refuses, which are sent again")
    func singleFlight() async throws {
        let client = try client(auth)
        let realm: Bytes = "swift-single"
        let calls = Counter()
        try client.setCredential(
            "session",
            .token("old").refreshing { old in
                calls.add()
                #expect(old == "old")
                try await Task.sleep(for: .milliseconds(50))
                return "swift-single-1"
            })
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<16 { group.addTask { try await client.response(to: Operation("secret", realm)).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(calls.count == 1)
        #expect(try client.storedCredential("session")?.token == "swift-single-1")
        try client.removeCredential("session")
        let missing = await failure { () throws(Failure) in try await client.response(to: Operation("secret", realm)) }
        #expect(missing?.status == .credential && missing?.fields.operation == "secret")
    }

    @Test("A refresh that fails is the failure of those that wait")
    func failedRefresh() async throws {
        struct Refused: Error {}
        let client = try client(auth)
        try client.setCredential("session", .token("old").refreshing { _ in throw Refused() })
        let error = await failure { () throws(Failure) in try await client.response(to: Operation("secret", "swift-failed")) }
        #expect(error?.status == .credential && error?.message.string.contains("Refused") == true)
    }

    @Test("A function signs each request")
    func signed() async throws {
        let client = try client(auth)
        try client.setCredential(
            "signed",
            Credential().signing { (signing) throws(Failure) in
                try signing.setHeader("X-Signature", "of \(signing.method)")
            })
        let echo = try await client.response(to: Operation("signedEcho"))
        #expect(echo.body.bytes.string.contains(#""x-signature": "of GET""#))
    }

    @Test("Over another transport as well: one refresh, and the request again")
    func otherTransport() async throws {
        let responses = CannedResponses()
        try responses.add("secret", status: 401)
        try responses.add("secret", body: "{}")
        let client = Client(base: "https://api.test", transport: responses)
        try client.setCredential("session", .token("old").refreshing { _ in "new" })
        #expect(try await client.response(to: Operation("secret", "x")).status == 200)
        #expect(responses.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
        try responses.check()
    }
}

@Suite("Responses read while they arrive")
struct EngineStreamTests {
    @Test("Events, over a connection that breaks off")
    func events() async throws {
        var seen: [String] = []
        for try await event in try client(faults).events(of: Operation("events", "again"), reconnects: 3) {
            seen.append("\(event.event) \(event.id) \(event.text)")
            if seen.count == 5 { break }
        }
        #expect(seen == ["from  ", "message a 1", "from a a", "message b 2", "from b b"])
    }

    @Test("Lines, to the end")
    func lines() async throws {
        var count = 0
        for try await line in try client(faults).lines(of: Operation("lines", "500", "200")) {
            #expect(line.text.hasPrefix("{"))
            count += 1
        }
        #expect(count == 500)
    }

    @Test("A status that is no success, and what is no event stream, is a failure")
    func failures() async throws {
        let client = try client(faults)
        await #expect(throws: Failure.self) { for try await _ in client.lines(of: Operation("missing")) {} }
        await #expect(throws: Failure.self) { for try await _ in client.events(of: Operation("lines", "3", "20")) {} }
    }

    @Test("Cancelling the task ends the wait")
    func cancelled() async throws {
        let client = try client(faults)
        let begun = AsyncStream<Void>.makeStream()
        try client.observe { event in if event.kind == .attempt { begun.continuation.yield() } }
        let task = Task {
            await failure { () throws(Failure) in for try await _ in client.lines(of: Operation("never")) {} }
        }
        for await _ in begun.stream { break }
        task.cancel()
        #expect(await task.value?.status == .cancelled)
    }

    @Test("Over another transport as well")
    func otherTransport() async throws {
        let client = Client(base: "https://api.test", transport: TestTransport(body: "a\nb\n"))
        var seen: [String] = []
        for try await line in client.lines(of: Operation("lines", "1", "1")) { seen.append(line.text) }
        #expect(seen == ["a", "b"])
    }
}

@Suite("Bodies that are not in memory, rules and events")
struct EngineBodyTests {
    private func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("routable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    @Test("A file up, and a function's body up, with progress")
    func uploads() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("body.txt")
        try Data(repeating: 0x61, count: 300_000).write(to: file)
        let client = try client(faults)
        let progress = Counter()
        let whole = try await client.response(
            to: Operation("hash").uploading(file: file.path).reportingProgress { _ in progress.add() })
        #expect(whole.body.bytes.string.contains(#""length": 300000"#) && progress.count > 0)
        let streamed = Operation("hash").uploading(contentType: "text/plain") {
            let left = Counter(3)
            return BodySource(
                length: nil,
                read: { buffer in
                    guard left.take(), let start = buffer.baseAddress else { return .bytes(0) }
                    start.storeBytes(of: 0x62, as: UInt8.self)
                    return .bytes(1)
                }, rewind: nil, release: nil)
        }
        #expect(try await client.response(to: streamed).body.bytes.string.contains(#""length": 3"#))
    }

    @Test("A file down, continued after it broke off")
    func downloads() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("download")
        let client = try client(faults)
        let request = Operation("file", "swift-resume", "200000", "strong", "1").downloading(to: file.path, resumes: true)
        let broken = await failure { () throws(Failure) in try await client.response(to: request) }
        #expect(broken?.status == .transfer && !FileManager.default.fileExists(atPath: file.path))
        #expect(try await client.response(to: request).status == 200)
        #expect(try Data(contentsOf: file).count == 200_000)
    }

    @Test("Files are named by file URLs as well, and by no other URLs")
    func fileURLs() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a b.txt")
        try Data("tea".utf8).write(to: file)
        let client = try client(faults)
        #expect(try await client.response(to: Operation("hash").uploading(file: file)).text.contains(#""length": 3"#))
        let form = Operation("echo").uploading([.file("file", at: file)])
        #expect(try await client.response(to: form).text.contains(#"filename=\"a b.txt\""#))
        let copy = folder.appendingPathComponent("c d")
        try await client.response(to: Operation("file", "swift-url", "5000", "none", "0").downloading(to: copy))
        #expect(try Data(contentsOf: copy).count == 5000)
        let web = try #require(URL(string: "https://h/a"))
        let requests: [any RequestConvertible] = [
            Operation("hash").uploading(file: web), Operation("hash").uploading([.file("file", at: web)]),
            Operation("echo").downloading(to: web),
        ]
        for request in requests {
            #expect(await failure { () throws(Failure) in try await client.response(to: request) }?.status == .argument)
        }
    }

    @Test("The operation's deadline and idempotency key, and overrides of one request")
    func rules() async throws {
        let client = try client(faults)
        let late = await failure { () throws(Failure) in try await client.response(to: Operation("never")) }
        #expect(late?.status == .timeout)
        #expect(try await client.response(to: Operation("echo")).body.bytes.string.lowercased().contains("idempotency-key"))
        let patient = client.overriding {
            $0.retries = 3
            $0.retryDelayMilliseconds = 1
        }
        #expect(try await patient.response(to: Operation("flaky", "swift-flaky")).status == 200)
    }

    @Test("Events of a request")
    func events() async throws {
        let client = try client(faults)
        let kinds = Locks<[Event.Kind]>([])
        try client.observe { event in kinds.change { $0.append(event.kind) } }
        let patient = client.overriding {
            $0.retries = 3
            $0.retryDelayMilliseconds = 1
        }
        _ = try await patient.response(to: Operation("flaky", "swift-observed"))
        #expect(kinds.value == [.queued, .attempt, .retry, .attempt, .retry, .attempt, .end])
    }
}

private final class Locks<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: Value
    init(_ value: Value) { kept = value }
    var value: Value { lock.withLock { kept } }
    func change(_ change: (inout Value) -> Void) { lock.withLock { change(&kept) } }
}

private final class Counter: Sendable {
    private let value: Locks<Int>
    init(_ start: Int = 0) { value = Locks(start) }
    var count: Int { value.value }
    func add() { value.change { $0 += 1 } }
    /// Takes one of the remaining uses.
    func take() -> Bool {
        var isLeft = false
        value.change {
            isLeft = $0 > 0
            $0 -= 1
        }
        return isLeft
    }
}
