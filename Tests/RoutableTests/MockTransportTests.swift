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
}
