// A Swift program navigates the paths of an OpenAPI document by routes.

import Routable
import RoutableCore
import Testing

private enum Desk: API {
    static let name = "desk"
    static let base = "https://h"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "desk", "version": "1"}, "servers": [{"url": "https://h"}],
         "paths": {"/repos/{owner}/{repo}/issues": {"get": {"operationId": "issues/list"}},
          "/repos/{owner}/{repo}/issues/{number}": {"get": {"operationId": "issues/get"}},
          "/repos/{owner}/{repo}/issues/{number}/close": {"post": {"operationId": "close"}}}}
        """#
}

@Suite("Routes through the paths of a document")
struct PathGraphTests {
    @Test(
        "A route and the operationId build equal URLs",
        arguments: [
            ("repos.issues", "list", "issues/list", ["o", "r"], "https://h/repos/o/r/issues"),
            ("repos.issues", "read", "issues/get", ["o", "r", "5"], "https://h/repos/o/r/issues/5"),
            ("repos.issues", "close", "close", ["o", "r", "5"], "https://h/repos/o/r/issues/5/close"),
        ])
    func walks(route: String, operation: String, name: String, ids: [String], url: String) throws {
        let router = try Desk.opened()
        for (route, operation) in [(route, operation), ("", name)] {
            var call = router.call(operation: operation)
            call.call.route = Bytes(route)
            call.call.ids = .positional(ids.map { .text(Bytes($0)) })
            #expect(try call.makeRequest(base: nil).url.bytes.string == url, "\(route) \(operation)")
        }
    }

    @Test("The map lists the routes, and a refusal the operations")
    func map() throws {
        let router = try Desk.opened()
        let text = try router.mapText.string
        #expect(text == "repos                          has issues\nrepos.issues  list read close\n")
        do throws(Failure) {
            _ = try Plan.make(router, route: "repos.issues", operation: "delete")
            Issue.record("delete is not refused")
        } catch {
            #expect(error.status == .notAllowed)
            #expect(error.message.string == "issues: delete not allowed; allowed: close, list, read")
        }
    }
}
