import Foundation
import Routable
import RoutablePresentation
import Testing

extension Social: MatchableAPI {
    enum Matched: Equatable {
        case users
        case user(User.ID)
        case statuses(User.ID)
        case status(User.ID, Status.ID)
        case comment(User.ID, Status.ID, String)
    }
    static let cases: [MatchCase<Matched>] = [
        .collection(User.self) { .users },
        .member(User.self) { .user($0) },
        .collection(Status.self, of: User.self, then: Matched.statuses),
        .member(User.self, Status.self) { .status($0, $1) },
        .member(User.self, Status.self, Comment.self) { .comment($0, $1, $2) },
    ]
}

private enum Shop: API, MatchableAPI {
    static let name = "shop"
    static let base = "https://shop.example/v1"
    static var resources: [AnyResource] { [AnyResource(Repository.self), AnyResource(Order.self)] }
    static let document = #"""
        {"routable": 1, "name": "shop", "base": "https://shop.example/v1",
         "resources": {"repository": {"path": "repos", "id": ["owner", "repo"], "can": ["read"]},
                       "order": {"path": "orders", "can": ["list", "read"], "member": {"cancel": {"post": "cancel"}}}},
         "operations": {"archive": {"get": "/archive/{year}/{kind}"}, "about": {"get": "/about"}}}
        """#

    enum Kind: String, PathValue { case orders, wishes }
    enum Matched: Equatable {
        case repository(String, String), order(UUID), cancelled(UUID), archive(Int, Kind), about
    }
    static let cases: [MatchCase<Matched>] = [
        .member(Repository.self) { .repository($0, $1) },
        .member(Order.self) { .order($0) },
        .operation("cancel", of: Order.self) { .cancelled($0) },
        .endpoint("archive", Int.self, Kind.self) { .archive($0, $1) },
        .endpoint("about") { .about },
    ]
}

private enum Repository: Scoped, Readable {
    typealias Scope = String
    static let name = "repository"
    static let path = "repos"
    static var scope: [ParameterDescription] { [id(named: "owner", of: String.self)] }
    static var id: ParameterDescription { id(named: "repo") }
}

private enum Order: Listable, Readable {
    typealias ID = UUID
    static let name = "order"
    static let path = "orders"
}

private enum Wrong: API, MatchableAPI {
    static let name = "wrong"
    static let base = "https://shop.example/v1"
    static var resources: [AnyResource] { [AnyResource(Order.self)] }
    static let cases: [MatchCase<Int>] = [.member(Order.self, Repository.self, Order.self) { _, _, _ in 1 }]
}

private func failure(_ run: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
        try run()
        return nil
    } catch { return error }
}

private let id = "0E984725-C51C-4BF4-9960-E1C80E27ABA0"

@Suite("Matching, typed")
struct MatchingTests {
    @Test("a URL becomes a case with the types of its ids")
    func cases() throws {
        let base = Social.base
        switch try Social.match("\(base)users/init%2FFabian/statuses/3?page=2") {
        case .status(let user, let status):
            // The types are those of the declaration: with the ids in the other order, this would not compile.
            #expect(
                try Social.user(user).statuses.get(status).makeRequest().url.bytes.string
                    == "\(base)users/init%2FFabian/statuses/3")
        case .users, .user, .statuses, .comment: Issue.record("another case")
        }
        #expect(try Social.match("/users") == .users)
        #expect(try Social.match("/users/a") == .user("a"))
        #expect(try Social.match("/users/a/statuses", method: .post) == .statuses("a"))
        #expect(
            try Social.match(URL(string: "\(base)users/a/statuses/3/comments/4") ?? URL(filePath: "/"))
                == .comment("a", "3", "4"))
    }

    @Test("scopes, UUIDs, raw values, further operations and standalone ones")
    func kinds() throws {
        #expect(try Shop.match("/repos/octocat/hello%20world") == .repository("octocat", "hello world"))
        #expect(try Shop.match("/orders/\(id)") == .order(UUID(uuidString: id) ?? UUID()))
        #expect(try Shop.match("/orders/\(id)/cancel") == .cancelled(UUID(uuidString: id) ?? UUID()))
        #expect(try Shop.match("/archive/2026/wishes") == .archive(2026, .wishes))
        #expect(try Shop.match("/about", method: .get) == .about)
    }

    @Test("links of an application, which have another base")
    func links() throws {
        #expect(try Social.match("social://app/users/a", below: "social://app") == .user("a"))
        #expect(try Social.match("social:users/a", below: "social:") == .user("a"))
        #expect(
            failure { () throws(Failure) in _ = try Social.match("social://appusers/a", below: "social://app") }?.status
                == .noMatch)
        #expect(
            failure { () throws(Failure) in _ = try Social.match("other://app/users/a", below: "social://app") }?.status
                == .noMatch)
    }

    @Test("what does not match says why")
    func refusals() {
        func refused(_ url: String, _ method: HTTPMethod? = nil) -> String {
            failure { () throws(Failure) in _ = try Shop.match(url, method: method) }.map { "\($0)" } ?? "matched"
        }
        #expect(refused("/nothing") == "no_match: no route of shop matches /nothing")
        #expect(refused("https://other.example/about") == "no_match: no route of shop matches https://other.example/about")
        #expect(refused("/orders") == "no_match: /orders is the collection of order, for which Shop has no case")
        #expect(refused("/about", .put) == "method_not_allowed: PUT is not a method of /about; there are: GET")
        #expect(refused("/orders/7") == "id: the value \"7\" in the path of a member of order is not of type UUID")
        #expect(refused("/archive/x/wishes") == "id: the value \"x\" in the path of the operation archive is not of type Int")
        let wrong = failure { () throws(Failure) in _ = try Wrong.match("/orders/\(id)") }
        #expect(
            wrong?.status == .unknown && wrong?.message.string.contains("a member of order.repository.order") == true,
            "\(wrong.map { "\($0)" } ?? "")")
    }

    @Test("a link selects screens: the paths of a presentation are the cases")
    func presentation() throws {
        nonisolated(unsafe) var shown: [String] = []
        func screen(_ name: Bytes) -> Presenter<String, Social.Matched> {
            Presenter(
                name, presentable: { (_) throws(Failure) in name.string }, setChild: nil,
                setChildren: { (screens, visit) throws(Failure) in
                    shown = screens
                    if case .status(let user, let status)? = visit.path { shown.append("\(user) \(status)") }
                })
        }
        let app = try Presentation(screen("navigation")).stack([
            Presentation(screen("user")).route(
                predicate: { (path) throws(Failure) in if case .user = path { true } else { false } },
                children: [Presentation(screen("status")).route(predicate: { if case .status = $0 { true } else { false } })])
        ])
        _ = try app.set(Social.match("social://app/users/ann/statuses/3", below: "social://app"))
        #expect(shown == ["user", "status", "ann 3"])
    }
}
