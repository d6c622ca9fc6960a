// A mock as the transport of a client: created resources can be read.

import Routable
import Testing

@Suite struct MockTransportTests {
    private enum Board: RootedAPI {
        static let name = "board"
        static let base = "https://api.example.com/v1"
        struct Resources: ResourceList { let user = Child<User>() }
    }

    private enum User: Readable, Creatable, Listable, HasChildren {
        static let name = "user"
        static let path = "users"
        struct Model: Codable, Sendable, Equatable { var name: String }
        struct Children: ResourceList { let notes = Child<Note>() }
    }

    private enum Note: Readable, Creatable {
        static let name = "note"
        static let path = "notes"
        struct Model: Codable, Sendable, Equatable { var text: String }
    }

    @Test func whatIsCreatedIsRead() async throws {
        let mock = try MockTransport.of(Board.self)
        let client = Client(transport: mock)
        _ = try await client.perform(Board.user.create(User.Model(name: "ann")))
        #expect(mock.count == 1)
        #expect(try await client.perform(Board.user.list()) == [User.Model(name: "ann")])
        mock.reset()
        #expect(mock.count == 0)
    }

    @Test func faults() async throws {
        let mock = try MockTransport.of(Board.self)
        try mock.addFault(status: 503, times: nil)
        await #expect(throws: Failure.self) { try await Client(transport: mock).perform(Board.user.list()) }
        #expect(throws: Failure.self) { try mock.addFault(rate: 2) }
    }

    @Test func changesAreReportedAndFillAnotherStore() async throws {
        let changes = Changes()
        let mock = try MockTransport.of(Board.self, basePath: "/v2", changed: { path, json in changes.add(path, json) })
        let client = Client(base: "https://api.example.com/v2", transport: mock)
        _ = try await client.perform(Board.user.create(User.Model(name: "ann")))
        #expect(changes.all.count == 1)
        let (path, json) = try #require(changes.all.first)
        let again = try MockTransport.of(Board.self)
        try again.put(path, json ?? "")
        #expect(again.count == 1)
        try again.put(path, "")
        #expect(again.count == 0)
        #expect(throws: Failure.self) { try again.put("", "{}") }
        #expect(try mock.problems() == "[]")
    }

    @Test func aFunctionThatThrowsPreventsTheChange() async throws {
        struct Refused: Error {}
        let mock = try MockTransport.of(Board.self, changed: { _, _ in throw Refused() })
        await #expect(throws: Failure.self) {
            try await Client(transport: mock).perform(Board.user.create(User.Model(name: "ann")))
        }
        #expect(mock.count == 0)
        #expect(throws: Failure.self) { try MockTransport.of(Board.self, idPointer: "id") }
        #expect(throws: Failure.self) { try MockTransport.of(Board.self, basePath: "https://h.example/") }
    }

    private final class Changes: @unchecked Sendable {
        private(set) var all: [(path: String, json: String?)] = []
        func add(_ path: String, _ json: String?) { all.append((path, json)) }
    }
}
