// One client: its own coders, the calls that it performs, forms, concurrent calls, deadlines and cancellation.

import FaultService
import Foundation
import Routable
import Testing

private enum Log: API {
    static let name = "log"
    static let base = "https://log.example"
    static var resources: [AnyResource] { [AnyResource(Entry.self)] }
    static var entry: ResourceCollection<Entry> { collection() }
}

private enum Entry: Readable, Listable, Creatable, Updatable {
    static let name = "entry"
    static let path = "entries"
    struct Model: Codable, Sendable, Equatable {
        var firstLine: String
        var made: Date
    }
}

private struct AddEntry: Route {
    static let method = HTTPMethod.post
    static let path: RoutePath = "entries"
    typealias RequestBody = Entry.Model
    typealias Response = Entry.Model
    var requestBody: Entry.Model? { model }
    let model: Entry.Model
}

private let model = Entry.Model(firstLine: "tea", made: Date(timeIntervalSince1970: 60))
private let service = Result { try FaultService.shared.get() }

@Suite("Coders of a client")
struct CoderTests {
    private func client(_ body: String) -> (Client, TestTransport) {
        let transport = TestTransport(body: body)
        var client = Client(base: "https://h", transport: transport)
        let encoder = JSONEncoder(), decoder = JSONDecoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        client.encoder = encoder
        client.decoder = decoder
        return (client, transport)
    }

    @Test("write bodies of endpoints and routes, and read responses, items and lines")
    func both() async throws {
        let json = #"{"first_line":"tea","made":60}"#
        let (client, transport) = client(json)
        #expect(try await client.perform(Log.entry.create(model)) == model)
        #expect(try await client.perform(Log.entry.update("a", model).header("X-One", "1")) == model)
        #expect(try await client.perform(AddEntry(model: model)) == model)
        #expect(transport.requests.map { $0.body?.string } == [json, json, json])
        for try await entry in client.lines(of: Log.entry.list()).values(as: Entry.Model.self) { #expect(entry == model) }
        let (list, _) = self.client("[\(json)]")
        var items: [Entry.Model] = []
        for try await item in list.items(of: Log.entry.list(), by: .page(parameter: "page"), maximumPages: 1) {
            items.append(item)
        }
        #expect(items == [model])
    }

    @Test("leave other clients alone, and a body that is replaced is not written again")
    func others() async throws {
        let (client, transport) = client(#"{"first_line":"tea","made":60}"#)
        let endpoint = try Log.entry.create(model)
        #expect(try endpoint.makeRequest().body?.bytes == #"{"firstLine":"tea","made":"1970-01-01T00:01:00Z"}"#)
        _ = try await client.perform(endpoint.body(.object([])))
        #expect(transport.requests.map { $0.body?.string } == ["{}"])
        let standard = Client(
            base: "https://h", transport: TestTransport(body: #"{"firstLine":"tea","made":"1970-01-01T00:01:00Z"}"#))
        #expect(try await standard.perform(endpoint) == model)
    }
}

@Suite("What a client performs")
struct PerformedTests {
    @Test("a request that was made before, and a call on a router")
    func requests() async throws {
        let transport = TestTransport(body: #"{"firstLine":"tea","made":"1970-01-01T00:01:00Z"}"#)
        let client = Client(base: "https://other", transport: transport, credential: .bearer("secret"))
        let request = try Log.entry.get("a").makeRequest()
        #expect(try await client.perform(request, as: Entry.Model.self) == model)
        #expect(try await client.perform(request).status == 200)
        #expect(request.headers.value(of: "Authorization") == nil)
        let router = try Log.opened()
        #expect(try await client.perform(router.call("entry", "read", "b").header("X-Page", 2), as: Entry.Model.self) == model)
        #expect(try await client.perform(router.call("entry", "create").body(encoding: model)).status == 200)
        #expect(
            transport.requests.map { "\($0.method) \($0.url)" } == [
                "GET https://log.example/entries/a", "GET https://log.example/entries/a", "GET https://other/entries/b",
                "POST https://other/entries",
            ])
        #expect(transport.requests[2].header("X-Page") == "2")
        // The credential belongs to the base of the client: a request that was made for another origin does not receive it.
        let secret = "Bearer secret"
        #expect(transport.requests.map { $0.header("Authorization") } == [nil, nil, secret, secret])
        do throws(Failure) {
            try await client.perform(router.call("entry", "erase", "b"))
            Issue.record("there is no such operation")
        } catch {
            #expect(error.status == .notAllowed)
        }
    }

    @Test("forms with fields and files, over any transport")
    func forms() async throws {
        let transport = TestTransport(body: "{}")
        let client = Client(transport: transport)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("routable-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let parts: [Client.FormPart] = [
            .field("title", "Tea"), .file("file", path: file.path, filename: "a.txt"),
            .data("photo", [1, 2], filename: "p.png"),
            .stream("more", filename: "s.bin") {
                let left = Once()
                return BodySource(
                    length: nil,
                    read: { buffer in
                        guard left.take(), let start = buffer.baseAddress else { return .bytes(0) }
                        start.storeBytes(of: 0x62, as: UInt8.self)
                        return .bytes(1)
                    }, rewind: nil, release: nil)
            },
        ]
        for _ in 0..<2 { try await client.response(to: Log.entry.create().uploading(parts)) }
        for sent in transport.requests {
            let body = sent.body?.string ?? ""
            #expect(sent.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
            #expect(
                body.contains("name=\"title\"\r\n\r\nTea\r\n")
                    && body.contains("filename=\"a.txt\"\r\nContent-Type: text/plain"))
            #expect(
                body.contains("from a file") && body.contains("Content-Type: image/png") && body.contains("filename=\"s.bin\""))
        }
    }
}

@Suite("Many calls, deadlines and cancellation", .serialized)
struct TimeTests {
    private struct Never: Route {
        static let path: RoutePath = "faults/never"
    }

    private struct Lines: Route {
        static let path: RoutePath = "lines/1/{size}"
        let size: Int
        var pathParameters: PathParameters { [size] }
    }

    @Test("500 calls at the same time")
    func many() async throws {
        let client = try Client(base: service.get().base)
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<500 { group.addTask { try await client.response(to: Lines(size: 10 + number % 90)).status } }
            return try await group.reduce(into: [Int32]()) { $0.append($1) }
        }
        #expect(statuses == [Int32](repeating: 200, count: 500))
    }

    /// The transports, each with a service that never responds.
    private func clients() throws -> [(name: String, client: Client)] {
        let base = try service.get().base
        let silent = TestTransport { (_) async throws(Failure) in
            do { try await Task.sleep(for: .seconds(60)) } catch {}
            throw Failure(.cancelled, "the task was cancelled")
        }
        return [
            ("engine", try Client(base: base)), ("URLSession", Client(base: base, transport: URLSessionTransport())),
            ("test", Client(base: base, transport: silent)),
        ]
    }

    /// The time until a task that only sleeps ends after it is cancelled, which is the overhead of the machine and of Swift.
    private func cancelledSleep() async -> Duration {
        let begun = AsyncStream<Void>.makeStream()
        let task = Task { () -> ContinuousClock.Instant in
            begun.continuation.yield()
            do { try await Task.sleep(for: .seconds(60)) } catch {}
            return .now
        }
        for await _ in begun.stream { break }
        let start = ContinuousClock.now
        task.cancel()
        return await task.value - start
    }

    @Test("A task that is cancelled is over in less than 5 ms, over every transport")
    func cancelled() async throws {
        for (name, client) in try clients() {
            var times: [Duration] = []
            var sleeps: [Duration] = []
            let sent = AsyncStream<Void>.makeStream()
            try client.observe { event in if event.kind == .attempt { sent.continuation.yield() } }
            for _ in 1...50 {
                let task = Task { () -> ContinuousClock.Instant in
                    let error = await failure { () throws(Failure) in try await client.response(to: Never()) }
                    #expect(error?.status == .cancelled)
                    return .now
                }
                for await _ in sent.stream { break }
                let start = ContinuousClock.now
                task.cancel()
                times.append(await task.value - start)
                sleeps.append(await cancelledSleep())
            }
            times.sort()
            sleeps.sort()
            #expect(times[25] < .milliseconds(5) + sleeps[25] * 10, "\(name): median \(times[25]), of a sleep \(sleeps[25])")
            #expect(times[44] < .milliseconds(25) + sleeps[49] * 10, "\(name): 90 % \(times[44]), of a sleep \(sleeps[49])")
        }
    }

    @Test("A deadline is kept to the millisecond, over every transport")
    func deadline() async throws {
        for (name, client) in try clients() {
            var client = client
            var late: [Duration] = []
            var sleeps: [Duration] = []
            for milliseconds in [20, 33, 47, 50, 51, 20, 33, 47, 50] {
                let time = Duration.milliseconds(milliseconds)
                client.deadline = time
                var start = ContinuousClock.now
                let error = await failure { () throws(Failure) in try await client.response(to: Never()) }
                late.append(ContinuousClock.now - start - time)
                #expect(error?.status == .timeout, "\(name): \(String(describing: error))")
                start = .now
                try await Task.sleep(for: time, tolerance: .zero)
                sleeps.append(ContinuousClock.now - start - time)
            }
            late.sort()
            sleeps.sort()
            // The clock of the client counts milliseconds, so the last one can be incomplete.
            #expect(late[0] > .milliseconds(-1), "\(name)")
            #expect(late[4] < .milliseconds(10) + sleeps[4] * 10, "\(name): median \(late[4]), of a sleep \(sleeps[4])")
        }
    }
}

private final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}

private final class Once: Sendable {
    private let count = Count()
    /// True for the first call.
    func take() -> Bool {
        count.add()
        return count.value == 1
    }
}
