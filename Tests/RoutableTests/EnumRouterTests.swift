// docs/statements.md, E: the enum of article 001, and the enum of the first chapter of article 000.

import Foundation
import Routable
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private enum Router: EnumRouter {
    case generalPost(Parameters?)
    case getUserData(Int64)
    case deleteSomething(Int)
    case root

    static let base = "https://example.com/api"

    var method: HTTPMethod {
        switch self {
        case .generalPost: .post
        case .getUserData, .root: .get
        case .deleteSomething: .delete
        }
    }

    var path: RoutePath? {
        switch self {
        case .generalPost: "generalPostPath"
        case .getUserData(let number): "getUserDataPath/\(number)"
        case .deleteSomething(let number): "deleteSomethingPath/\(number)"
        case .root: nil
        }
    }

    var parameters: Parameters? { if case .generalPost(let parameters) = self { parameters } else { nil } }
    var encoding: ParameterEncoding { .query }
}

private enum Users: EnumRouter {
    case readUsers
    case createUser(Parameters)
    case readUser(String)
    case updateUser(String, Parameters)
    case destroyUser(String)

    static let base = "https://private-85a46-routable.apiary-mock.com"

    var method: HTTPMethod {
        switch self {
        case .readUsers, .readUser: .get
        case .createUser: .post
        case .updateUser: .put
        case .destroyUser: .delete
        }
    }

    var path: RoutePath? {
        switch self {
        case .readUsers, .createUser: "/users"
        case .readUser(let name), .updateUser(let name, _), .destroyUser(let name): "/users/\(name)"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .createUser(let parameters), .updateUser(_, let parameters): parameters
        default: nil
        }
    }
}

@Suite("Enum routers build what their cases say")
struct EnumRouterTests {
    @Test("E1: asURLRequest yields verb, URL and parameters, or throws")
    func E1_request() throws {
        let request = try Router.generalPost(["token": "x"]).asURLRequest()
        #expect(request.httpMethod == "POST")
        #expect(request.url?.absoluteString == "https://example.com/api/generalPostPath?token=x")
        #expect(throws: Failure.self) { try Users.readUser("..").asURLRequest() }
    }

    @Test("E2: the path is joined to the base; nil leaves the base unchanged")
    func E2_paths() {
        #expect(line(Router.getUserData(5)) == "GET https://example.com/api/getUserDataPath/5")
        #expect(line(Router.deleteSomething(7)) == "DELETE https://example.com/api/deleteSomethingPath/7")
        #expect(line(Router.generalPost(nil)) == "POST https://example.com/api/generalPostPath")
        #expect(line(Router.root) == "GET https://example.com/api")
    }

    @Test("E3: each case has its verb, parameters, URL and encoding")
    func E3_cases() {
        let host = "https://private-85a46-routable.apiary-mock.com"
        #expect(line(Users.readUsers) == "GET \(host)/users")
        #expect(line(Users.createUser(["a": 1])) == "POST \(host)/users \(form) a=1")
        #expect(line(Users.readUser("x")) == "GET \(host)/users/x")
        #expect(line(Users.updateUser("x", ["a": 1])) == "PUT \(host)/users/x \(form) a=1")
        #expect(line(Users.destroyUser("x")) == "DELETE \(host)/users/x")
        #expect(line(Users.readUser("a/b")) == "GET \(host)/users/a%2Fb")
    }

    @Test("E4: parameters are not the body: both are there when the caller sets one")
    func E4_body() throws {
        var request = try Router.generalPost(["token": "x"]).asURLRequest()
        #expect(request.httpBody == nil)
        request.httpBody = Data("bulk".utf8)
        #expect(request.url?.query == "token=x" && request.httpBody == Data("bulk".utf8))
    }

    @Test("E5: without parameters nothing is encoded")
    func E5_nothing() throws {
        let request = try Router.generalPost(nil).asURLRequest()
        #expect(request.url?.query == nil && request.httpBody == nil)
        #expect(request.allHTTPHeaderFields ?? [:] == [:])
    }

    @Test(
        "E6: integers in plain decimal",
        arguments: [(-1, "-1"), (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808")])
    func E6_integers(number: Int64, text: String) {
        #expect(line(Router.getUserData(number)) == "GET https://example.com/api/getUserDataPath/\(text)")
    }
}
