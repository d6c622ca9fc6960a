// Opening a description and resolving routes: names are found, and unknown names are rejected with the allowed ones.

import RoutableCore
import TestSupport
import Testing

private func social() throws -> Router {
    var description = RouterDescription()
    description.base = "https://h"
    var user = ResourceDescription(name: "user", path: "users")
    user.capabilities = [.read, .list]
    user.children = ["status"]
    var status = ResourceDescription(name: "status", path: "statuses")
    status.capabilities = [.read, .create]
    status.children = ["user"]
    status.isNested = true
    description.resources = [user, status]
    return try Router.open(description)
}

@Suite("A router")
struct WalkTests {
    @Test("finds resources and their operations by name")
    func names() throws {
        let router = try social()
        #expect(router.resources.map { $0.name.bytes } == ["user", "status"])
        #expect(router.resource(named: "status")?.name.bytes == "status" && router.resource(named: "x") == nil)
        #expect(try Plan.make(router, route: "user.status.user", operation: "read").idCount == 3)
        #expect(try Plan.make(router, route: "user.status", operation: "create").idCount == 1)
    }

    @Test(
        "refuses a walk with what would have been allowed",
        arguments: [
            ("user.statsu", "read", RoutableCore.Status.unknown, "status"), ("usre", "read", .unknown, "user"),
            ("user", "delete", .notAllowed, ""), ("user.status", "raed", .notAllowed, "read"),
        ])
    func refusals(route: String, operation: String, status: RoutableCore.Status, suggestion: String) throws {
        let router = try social()
        let found = failure { _ = try Plan.make(router, route: Bytes(text: route), operation: Bytes(text: operation)) }
        #expect(
            found?.status == status && found?.fields.suggestion.string == suggestion && found?.fields.allowed.isEmpty == false)
    }

    @Test("refuses a description that names what it has not, and says where")
    func opening() {
        var description = RouterDescription()
        var user = ResourceDescription(name: "user", path: "users")
        user.capabilities = [.read]
        user.children = ["pots"]
        description.resources = [user, ResourceDescription(name: "post", path: "posts")]
        let found = failure { _ = try Router.open(description) }
        #expect(found?.status == .document && found?.fields.suggestion == "post" && found?.fields.pointer != nil)
    }
}
