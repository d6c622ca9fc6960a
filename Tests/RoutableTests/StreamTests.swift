// Responses read while they arrive: pieces, the head of the response, bodies for a function, and the type of the errors.

import FaultService
import Foundation
import Routable
import Testing

private let service = Result { try FaultService.shared.get() }

private struct Get: Route {
    static let path: RoutePath = "{first}"
    let place: String
    var pathParameters: PathParameters { PathParameters(place.split(separator: "/").map { String($0) }) }
}

private func transports() throws -> [any Transport] {
    [try EngineTransport.make(), URLSessionTransport()]
}

private struct Line: Codable, Sendable { var n: Int }

@Suite("Streams in Swift")
struct StreamTests {
    @Test("Pieces are the whole body, in order")
    func pieces() async throws {
        for transport in try transports() {
            let client = Client(base: try service.get().base, transport: transport)
            let whole = try await client.response(to: Get(place: "file/swift-pieces/300000/none/0")).data
            var data = Data()
            for try await piece in client.pieces(of: Get(place: "file/swift-pieces/300000/none/0")) {
                #expect(!piece.data.isEmpty)
                data.append(contentsOf: piece.data)
            }
            #expect(data.count == 300_000 && data == whole)
        }
    }

    @Test("A function receives the whole body, and ends the transfer with false")
    func receiving() async throws {
        let client = Client(base: try service.get().base, transport: try EngineTransport.make())
        let received = Received()
        let response = try await client.response(
            to: Get(place: "file/swift-receiving/300000/none/0").receiving { received.add(Data($0)) })
        #expect(response.status == 200 && response.body.isEmpty && received.data.count == 300_000)
        let refused = await failure { () throws(Failure) in
            try await client.response(to: Get(place: "endless").receiving { _ in false })
        }
        #expect(refused?.status == .callback)
    }

    @Test("An opened stream has the status and the headers before its items")
    func head() async throws {
        for transport in try transports() {
            let client = Client(base: try service.get().base, transport: transport)
            let stream = try await client.lines(of: Get(place: "lines/50/20")).open()
            #expect(stream.response.status == 200)
            #expect(stream.response.headers["Content-Type"] == "application/jsonl" && stream.response.body.isEmpty)
            var numbers: [Int] = []
            for try await line in stream.items.values(as: Line.self) {
                numbers.append(line.n)
                if numbers.count == 10 { break }
            }
            // The second iteration continues after the first.
            for try await line in stream.items.values(as: Line.self) { numbers.append(line.n) }
            #expect(numbers == Array(0..<50))
        }
    }

    @Test("The head arrives although the body never does, and releasing the stream ends the transfer")
    func headFirst() async throws {
        let client = try Client(base: service.get().base)
        let ended = AsyncStream<Failure.Status>.makeStream()
        try client.observe { if $0.kind == .end { ended.continuation.yield($0.status) } }
        do {
            let stream = try await client.pieces(of: Get(place: "faults/half")).open()
            #expect(stream.response.status == 200 && stream.response.headers["Content-Length"] == "24")
        }
        for await status in ended.stream {
            #expect(status == .cancelled)
            break
        }
        withExtendedLifetime(client) {}
    }

    @Test("A status that is not a success is the error of opening, with its body")
    func refused() async throws {
        for transport in try transports() {
            let client = Client(base: try service.get().base, transport: transport)
            let error = await failure { () throws(Failure) in try await client.lines(of: Get(place: "faults/not-found")).open()
            }
            #expect(error?.status == .httpStatus && error?.fields.response?.text == #"{"name":"gone"}"#)
        }
    }

    @Test("A middleware sees the head, and an opened stream has it")
    func middleware() async throws {
        let client = try Client(base: service.get().base).with { (request, next) async throws(Failure) in
            let response = try await next(request)
            #expect(response.headers["Content-Type"] == "application/jsonl")
            return response
        }
        let stream = try await client.lines(of: Get(place: "lines/3/20")).open()
        #expect(stream.response.status == 200)
        let replying = client.with { (_, _) async throws(Failure) in
            APIResponse(status: 201, headers: [HeaderField("Content-Type", "application/jsonl")], body: "{}")
        }
        let replied = try await replying.lines(of: Get(place: "lines/3/20")).open()
        #expect(replied.response.status == 201)
        for try await line in replied.items { #expect(line.text == "{}") }
    }

    @Test("Two tasks that read one stream share its items, and both end")
    func shared() async throws {
        let stream = try await Client(base: service.get().base).lines(of: Get(place: "lines/400/100")).open()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var count = 0
                    for try await _ in stream.items { count += 1 }
                    return count
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.reduce(0, +) == 400)
    }

    @Test("A task that waits for an item of a shared stream does not need another that reads it")
    func abandoned() async throws {
        // More data than the buffer holds, so that the transfer pauses if the items are not read.
        let stream = try await Client(base: service.get().base).lines(of: Get(place: "lines/4000/200")).open()
        let first = Task {
            for try await _ in stream.items { return 1 }
            return 0
        }
        var count = 0
        for try await _ in stream.items { count += 1 }
        #expect(try await first.value + count == 4000)
    }
}

@Suite("The errors of sequences have a type")
struct TypedErrorTests {
    private enum Shop: API {
        static let name = "shop"
        static let base = "https://shop.example"
        static var resources: [AnyResource] { [AnyResource(Tea.self)] }
        static var tea: ResourceCollection<Tea> { collection() }
    }

    private enum Tea: Listable {
        static let name = "tea"
        static let path = "teas"
        struct Model: Codable, Sendable { var name: String }
    }

    @Test("in the catch clause of each loop")
    func types() async throws {
        let client = Client(transport: TestTransport(status: 503))
        var statuses: [Failure.Status] = []
        do { for try await _ in client.events(of: Shop.tea.list()) {} } catch { statuses.append(error.status) }
        do { for try await _ in client.lines(of: Shop.tea.list()) {} } catch { statuses.append(error.status) }
        do { for try await _ in client.pieces(of: Shop.tea.list()) {} } catch { statuses.append(error.status) }
        do { for try await _ in client.lines(of: Shop.tea.list()).values(as: Tea.Model.self) {} } catch {
            statuses.append(error.status)
        }
        do { for try await _ in client.pages(of: Shop.tea.list(), by: .link()) {} } catch { statuses.append(error.status) }
        do { for try await _ in client.items(of: Shop.tea.list(), by: .link()) {} } catch { statuses.append(error.status) }
        #expect(statuses == [Failure.Status](repeating: .httpStatus, count: 6))
    }

    @Test("and a loop on an actor stays there")
    @MainActor func isolated() async throws {
        var lines: [String] = []
        for try await line in Client(transport: TestTransport(body: "a\nb\n")).lines(of: Shop.tea.list()) {
            MainActor.assertIsolated()
            lines.append(line.text)
        }
        #expect(lines == ["a", "b"])
    }

    @Test("and an iterator can be called on an actor, without a loop")
    @MainActor func iterators() async throws {
        let client = Client(transport: TestTransport(body: #"[{"name": "a"}]"#))
        var lines = client.lines(of: Shop.tea.list()).makeAsyncIterator()
        #expect(try await lines.next()?.text == #"[{"name": "a"}]"#)
        var pages = client.pages(of: Shop.tea.list(), by: .link()).makeAsyncIterator()
        #expect(try await pages.next()?.status == 200)
        var items = client.items(of: Shop.tea.list(), by: .link()).makeAsyncIterator()
        do throws(Failure) { #expect(try await items.next()?.name == "a") } catch { Issue.record("\(error.status)") }
        #expect(try await items.next()?.name == nil)
    }
}

private final class Received: @unchecked Sendable {
    private let lock = NSLock()
    private var bytes = Data()
    var data: Data { lock.withLock { bytes } }
    func add(_ piece: Data) -> Bool {
        lock.withLock { bytes += piece }
        return true
    }
}
