// docs/statements.md, R with the protocols: the requests of the articles, byte for byte.

import Testing

@testable import RoutableCore

private let host = "https://private-85a46-routable.apiary-mock.com"

// Several ids in one path, without a literal, and an id of several segments.
private enum Repository: Scoped, Listable, Readable, HasFiles {
    static let name = "repository"
    static let path = "repos"
    typealias Scope = String
    static var scope: [ParameterDescription] { [id(named: "owner", of: String.self)] }
    static var id: ParameterDescription { id(named: "repo") }
    static var children: [AnyResource] { [AnyResource(File.self)] }
}
private enum File: Readable {
    static let name = "file"
    static let path = ""
    static var id: ParameterDescription { id(named: "path...") }
    static var isNested: Bool { true }
}
private protocol HasFiles: Resource {}
extension ResourceMember where Kind: HasFiles { fileprivate var files: ResourceCollection<File> { child() } }
private enum Code: API {
    static let name = "code"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Repository.self)] }
    static var repository: ResourceScoped<Repository> { collection() }
}

@Suite("A Swift declaration of a wide graph")
struct WideDeclarationTests {
    @Test("binds several ids one by one; its collection has all but the last; an id may have slashes")
    func wide() throws {
        let router = try Code.router()
        #expect(line(Code.repository("o", "r/x").read(), router) == "GET https://h/repos/o/r%2Fx")
        #expect(line(Code.repository("o").list(), router) == "GET https://h/repos/o")
        #expect(line(Code.repository("o", "r").files("a/b c").read(), router) == "GET https://h/repos/o/r/a/b%20c")
        #expect(line(Code.repository("o").get("r"), router) == "GET https://h/repos/o/r")
        let found = router.matched("/repos/o/r/a/b%20c", method: "GET")
        #expect(found.route == "repository.file" && found.captures.map(\.resource) == [0, 0, 1])
    }
}

@Suite("A Swift declaration builds the articles' requests")
struct DeclarationTests {
    let router: Router

    init() throws { router = try Social.router() }

    @Test("R1: verbs become GET, POST, PUT, DELETE; list and patch are additions")
    func R1_verbs() {
        #expect(Capability.allCases.map { $0.method.string } == ["GET", "GET", "POST", "PUT", "PATCH", "DELETE"])
    }

    @Test("R2: User.get(2)")
    func R2_read() { #expect(line(User.get("2"), router) == "GET \(host)/users/2") }

    @Test("R3: User.create keeps its parameters")
    func R3_create() { #expect(line(User.create(parameters: oneParameter), router) == "POST \(host)/users a=1") }

    @Test("R4: update is PUT with parameters; delete is by the graph")
    func R4_update_and_delete() {
        #expect(line(User.update("2", parameters: oneParameter), router) == "PUT \(host)/users/2 a=1")
        #expect(line(Post.delete("2"), router) == "DELETE \(host)/posts/2")
    }

    @Test("R7, R8: one level of nesting")
    func R7_R8_nested() {
        #expect(line(Social.user("2").statuses.get("2"), router) == "GET \(host)/users/2/statuses/2")
        #expect(line(Social.post("54").comments.get("43"), router) == "GET \(host)/posts/54/comments/43")
        #expect(
            line(Social.user("initFabian").statuses.get("2"), router) == "GET \(host)/users/initFabian/statuses/2")
    }

    @Test("R9, R10: deeper, through the cycle")
    func R9_R10_deeper() {
        #expect(
            line(Social.user("initFabian").pictures("2").comments.get("3"), router)
                == "GET \(host)/users/initFabian/pictures/2/comments/3")
        #expect(
            line(Social.user("initFabian").statuses("3").comments("32352").users.get("fakeUser"), router)
                == "GET \(host)/users/initFabian/statuses/3/comments/32352/users/fakeUser")
    }

    @Test("R11: the longest walk of the article")
    func R11_longest() {
        let call = Social.user("initFabian").pictures("3").comments("507f191e810c19729de860ea").users("43")
            .statuses("firstStatus").comments("27").users("63").posts("4d6e5acebcd1b3fac9000002").comments("82")
            .users("21").statuses.get("1")
        #expect(
            line(call, router)
                == "GET \(host)/users/initFabian/pictures/3/comments/507f191e810c19729de860ea/users/43/statuses/firstStatus/comments/27/users/63/posts/4d6e5acebcd1b3fac9000002/comments/82/users/21/statuses/1"
        )
    }

    @Test("R12: a nested request keeps the child's verb and parameters")
    func R12_nested_create() {
        let call = Social.user("initFabian").statuses.create(parameters: oneParameter)
        #expect(line(call, router) == "POST \(host)/users/initFabian/statuses a=1")
    }

    @Test("R13: intermediate steps are values")
    func R13_values() {
        let status = Social.user("a").statuses("1")
        let first = line(status.comments.get("2"), router)
        _ = status.comments("9").users("x")
        #expect(line(status.comments.get("2"), router) == first)
        #expect(line(status.read(), router) == "GET \(host)/users/a/statuses/1")
    }

    @Test("R14: the cyclic declaration ends, with the capabilities of the app")
    func R14_cycle() throws {
        #expect(
            try router.mapText.string == """
                user     list read create update    has status picture post
                status   read create delete         has comment
                picture  read create update delete  has comment
                post     read create update delete  has comment
                comment  read create update delete  has user

                """)
    }

    @Test("R15: what a declaration does not offer is refused at run time as well, by name")
    func R15_refused() {
        var call = Status.get("3").call
        call.operation = "update"
        #expect(line(call, router) == "notAllowed: status: update not allowed; allowed: create, delete, read")
    }

    @Test("R16: a child that is not declared is refused by name")
    func R16_child() {
        var call = Call(operation: "read")
        call.route = "user.comment"
        call.ids = .positional([.text("a"), .text("b")])
        #expect(
            line(call, router) == "unknown: user: no nested resource \"comment\"; allowed: picture, post, status")
    }

    @Test("R17: a parent without an id is an error, never a trap")
    func R17_parent_id() {
        var call = Call(operation: "read")
        call.route = "user.status"
        call.ids = .named([Value.Member(name: "id", value: .text("3"))])
        #expect(
            line(call, router) == "id: user.status read: parent id missing: user_id; expected: user_id, id")
    }

    @Test("R18: the route's own verb is sent")
    func R18_verb() { #expect(line(Status.delete("1"), router) == "DELETE \(host)/statuses/1") }

    @Test("R19: actions of a child come from the child: deletePost exists, deleteUser does not compile")
    func R19_child_actions() {
        #expect(line(Social.user("a").posts.delete("9"), router) == "DELETE \(host)/users/a/posts/9")
    }

    @Test("R20: a collection can be read")
    func R20_collection() { #expect(line(User.list(), router) == "GET \(host)/users") }

    @Test("The walk has a stated limit")
    func limit() {
        var comments = Social.user("a").statuses("1").comments
        for _ in 0..<20 { comments = comments("1").users("a").statuses("1").comments }
        #expect(line(comments.get("1"), router).hasPrefix("limit: "))
    }
}
