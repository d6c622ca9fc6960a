// statements R22, R23: the rows of the route table.

import RoutableCore
import Testing

@Suite("The route table shows endpoints, models and verbs without running anything")
struct RouteTableTests {
    let rows: [RouteRow]
    let text: [String]

    init() throws {
        let router = try Social.router()
        rows = try router.routeRows
        text = try router.routesText.string.split(separator: "\n").map(String.init)
    }

    @Test("R22: rails' columns; the prefix stands on the first row of a path only")
    func R22_columns() throws {
        #expect(text.first?.split(separator: " ").joined(separator: " ") == "Prefix Verb URI Pattern Resource#Operation")
        let user = try #require(text.firstIndex { $0.hasSuffix("user#read") })
        #expect(text[user].split(separator: " ").map(String.init) == ["user", "GET", "/users/:username", "user#read"])
        #expect(text[user + 1].split(separator: " ").map(String.init) == ["PUT", "/users/:username", "user#update"])
    }

    @Test("R22: a parent's parameter is singular and ends in _id, the own one is id")
    func R22_parameters() {
        let row = rows.first { $0.route == "user.status" && $0.operation == "read" }
        #expect(row?.pattern == "/users/:user_id/statuses/:id")
        #expect(row?.prefix == "user_status")
    }

    @Test("R22: a cycle ends in one row")
    func R22_cycle() {
        let repeats = rows.filter { $0.isRepeat }
        #expect(repeats.map { "\($0.route.string) \($0.resource.string)" } == ["user.status.comment.user user"])
    }

    @Test("R23: every resource, endpoint and verb of the declaration is there")
    func R23_complete() {
        let roots = rows.filter { !$0.route.storage.contains(UInt8(ascii: ".")) }
        #expect(
            roots.map { "\($0.method.string) \($0.pattern.string) \($0.resource.string)" } == [
                "GET /users user", "POST /users user", "GET /users/:username user", "PUT /users/:username user",
                "POST /statuses status", "GET /statuses/:id status", "DELETE /statuses/:id status",
                "POST /pictures picture", "GET /pictures/:id picture", "PUT /pictures/:id picture",
                "DELETE /pictures/:id picture",
                "POST /posts post", "GET /posts/:id post", "PUT /posts/:id post", "DELETE /posts/:id post",
                "POST /comments comment", "GET /comments/:id comment", "PUT /comments/:id comment",
                "DELETE /comments/:id comment",
            ])
    }
}
