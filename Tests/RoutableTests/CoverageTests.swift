// What a coverage counts of a client and of a service.

import Routable
import RoutableCore
import Testing

@Suite struct CoverageTests {
    private enum Board: RootedAPI {
        static let name = "board"
        static let base = "https://api.example.com/v1"
        struct Resources: ResourceList { let user = Child<User>() }
    }

    private enum User: Readable, Creatable, Listable {
        static let name = "user"
        static let path = "users"
        struct Model: Codable, Sendable, Equatable { var name: String }
    }

    @Test func aClient() async throws {
        let coverage = try Coverage.of(Board.self)
        #expect(coverage.percent == 0)
        let client = Client(transport: try MockTransport.of(Board.self)).with(coverage.middleware)
        _ = try await client.perform(Board.user.create(User.Model(name: "ann")))
        _ = try? await client.perform(Board.user.get("bob"))
        let report = try coverage.report(missing: true)
        #expect(report.contains("all 2/3"))
        #expect(report.contains("never used: user.list\n"))
        #expect(try coverage.json().string.contains(#""operation":"user.create","method":"POST""#))
        #expect(coverage.percent > 0)
    }

    @Test func aService() async throws {
        let coverage = try Coverage.of(Board.self)
        let service = try Service(Board.self)
        let response = await service.respond(method: "GET", target: "/v1/users/ann")
        try coverage.add(method: "GET", target: "/v1/users/ann", response: response)
        try coverage.add(method: "GET", target: "/elsewhere?secret", response: nil)
        let report = try coverage.report()
        #expect(report.contains("all 1/3"))
        #expect(report.contains("no operation: GET /elsewhere (1)"))
    }
}
