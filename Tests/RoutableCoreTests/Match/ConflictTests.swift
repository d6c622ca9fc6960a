// Conflicts and warnings while a router is opened, and rejections while a request is built.

import Testing

@testable import RoutableCore

@Suite("Routes that cannot be told apart")
struct ConflictTests {
    /// The failure, or nil.
    private func failure(_ lines: [String], edit: (inout [OperationDescription]) -> Void = { _ in }) -> Failure? {
        do {
            _ = try router(lines) { (operations: inout [OperationDescription]) in
                for index in operations.indices { operations[index].pointer = "/operations/\(index)" }
                edit(&operations)
            }
            return nil
        } catch { return error as? Failure }
    }

    @Test(
        "are refused with both names and the place, in any order",
        arguments: [
            ["GET /a/{x}", "GET /a/{y}"], ["GET /a", "GET a"], ["GET /{x}.json", "GET /{y}.json"],
            ["GET /f/{a*}", "GET /f/{b*}"],
            ["GET /{a}-{b}", "GET /{a}_{b}"], ["GET /a{x}", "POST /{x}b"], ["GET /a{x}/{r*}", "POST /{x}b/c"],
        ])
    func conflicts(lines: [String]) {
        for lines in [lines, lines.reversed()] {
            let found = failure(lines) { $0[1].name = "\($0[1].name)#2" }
            #expect(found?.status == .conflict, "\(lines)")
            #expect(
                found?.fields.allowed.count == 2 && found?.fields.pointer == "/operations/1", "\(lines) \(found?.message ?? "")"
            )
        }
    }

    @Test(
        "are not those that no path or method joins",
        arguments: [
            ["GET /a/{x}", "POST /a/{x}"], ["GET /{x}.json", "GET /{x}.html"], ["GET /{a}-{b}/x", "GET /{a}_{b}/y"],
            ["GET /a", "GET /a/"],
            ["GET /{x}", "GET /{r*}"], ["GET /ab{x}", "GET /a{x}"], ["GET /a{x}/c", "GET /{x}b/d"],
            ["GET /x/{a}", "GET /{b}/y"],
        ])
    func noConflicts(lines: [String]) { #expect(failure(lines) == nil, "\(lines)") }

    @Test("are told apart by types where those are proved disjoint, else by priority")
    func types() throws {
        func both(_ left: Scalar, _ right: Scalar, priority: Int = 0) -> Failure? {
            failure(["GET /a/{x}", "GET /a/{y}"]) {
                $0[0].ids = [typed("x", left)]
                $0[1].ids = [typed("y", right)]
                $0[1].priority = priority
            }
        }
        let integer = scalar(.integer)
        let small = scalar(.integer) { $0.maximum = 9 }
        let big = scalar(.integer) { $0.minimum = 10 }
        let uuid = scalar(.string) { $0.format = .uuid }
        let date = scalar(.string) { $0.format = .date }
        let listed = scalar(.string) { $0.values = ["a", "7"] }
        let letters = try Pattern.compile("[a-z]+")
        let pattern = scalar(.string) { $0.pattern = letters }
        let short = scalar(.string) { $0.maximumLength = 3 }
        for (left, right) in [
            (small, big), (integer, uuid), (uuid, date), (scalar(.boolean), integer), (short, uuid), (integer, pattern),
        ] {
            let isPattern = left.pattern != nil || right.pattern != nil
            #expect((both(left, right)?.status == .conflict) == isPattern)
        }
        for (left, right) in [
            (integer, scalar(.number)), (integer, listed), (pattern, listed), (integer, short), (pattern, uuid),
        ] {
            #expect(both(left, right)?.status == .conflict)
            #expect(both(left, right, priority: 1) == nil)
        }
        let chosen = try router(["GET /a/{x}", "GET /a/{y}"]) {
            $0[0].ids = [typed("x", integer)]
            $0[1].ids = [typed("y", listed)]
            $0[1].priority = 1
        }
        #expect(chosen.matched("/a/7").operation == "GET /a/{y}" && chosen.matched("/a/8").operation == "GET /a/{x}")
    }

    @Test("are all reported, each behind the one before")
    func all() {
        var failure = failure(["GET /a", "GET /b", "GET /c", "GET /a", "GET /b"]) { operations in
            for index in operations.indices { operations[index].name = "o\(index)" }
        }
        var names: [[Bytes]] = []
        while let next = failure {
            names.append(next.fields.allowed)
            failure = next.fields.next
        }
        #expect(names == [["o0", "o3"], ["o1", "o4"]])
    }

    /// A resource that contains itself and whose id can be empty: each later segment of the path can be the first of `count`
    /// ids, so that every set of positions is a state.  A random router of this kind needed 20 GB to open before this was limited.
    private func opened(emptyIds count: Int) throws(Failure) -> Router {
        var description = RouterDescription()
        var parent = ResourceDescription(name: "parent", path: "")
        parent.ids = [ParameterDescription(id: "id")]
        parent.ids[0].allowsEmpty = true
        parent.capabilities = .read
        parent.children = ["parent", "child"]
        var child = ResourceDescription(name: "child", path: "")
        child.isNested = true
        child.capabilities = .update
        child.ids = (0..<count).map { index in
            var id = ParameterDescription(id: "i\(index)")
            id.allowsEmpty = index > 0
            return id
        }
        description.resources = [parent, child]
        return try Router.open(description)
    }

    @Test("are a limit when their paths meet in more ways than are compared, with two of the routes", .timeLimit(.minutes(1)))
    func bounded() throws {
        _ = try opened(emptyIds: 3)
        do {
            _ = try opened(emptyIds: 31)
            Issue.record("it opens")
        } catch {
            #expect(error.status == .limit && error.fields.allowed == ["child update", "parent read"], "\(error.message)")
        }
    }

    @Test("of two resources with one path and one child: which walk was meant is lost")
    func walks() {
        var description = RouterDescription()
        for name in ["a", "b", "c"] {
            var resource = ResourceDescription(name: Bytes(name), path: name == "c" ? "c" : "x")
            resource.capabilities = name == "c" ? .read : []
            resource.children = name == "c" ? [] : ["c"]
            description.resources.append(resource)
        }
        #expect(throws: Failure.self) { try Router.open(description) }
        description.resources[1].children = []
        #expect(throws: Never.self) { try Router.open(description) }
    }

    @Test("Routes that no path reaches are warned of")
    func unreachable() throws {
        let covered = try router(["GET /a/{x}", "GET /a/on", "POST /a/off", "GET /a/{n}/z"]) {
            $0[0].ids = [typed("x", scalar(.string) { $0.values = ["on", "off"] })]
        }
        #expect(covered.warnings.map(\.routes) == [["GET /a/{x}", "GET /a/on"]])
        let partly = try router(["GET /a/{x}", "GET /a/on"]) {
            $0[0].ids = [typed("x", scalar(.string) { $0.values = ["on", "off"] })]
        }
        #expect(partly.warnings.isEmpty)
        let narrower = try router(["GET /a/{x}", "GET /a/{y}"]) {
            $0[0].ids = [typed("x", scalar(.integer))]
            $0[1].ids = [typed("y", scalar(.integer) { $0.minimum = 5 })]
            $0[0].priority = 1
        }
        #expect(narrower.warnings.map(\.routes) == [["GET /a/{y}", "GET /a/{x}"]])
        var description = RouterDescription()
        var lonely = ResourceDescription(name: "lonely", path: "lonely")
        lonely.isNested = true
        lonely.capabilities = .read
        description.resources = [lonely]
        #expect(try Router.open(description).warnings.map(\.routes) == [["lonely"]])
    }

    @Test("Building refuses values whose path another route answers, and names it")
    func shadows() throws {
        let router = try router([
            "GET /gists/{id}", "GET /gists/public", "DELETE /gists/{id}", "GET /users/{id}/posts", "GET /users/new",
            "GET /m/{a}.{b}",
            "GET /e/{x}/{y}", "GET /e/{x}/z", "GET /f/{rest*}", "GET /f/{one}", "GET /é/{x}", "GET /é/a b",
        ]) { $0[2].isShadowingAllowed = true }
        func build(_ name: String, _ values: Bytes...) -> String {
            do {
                let plan = try Plan.make(router, route: "", operation: Bytes(name.replacing(".", with: "·")))
                return try written(plan, values).string
            } catch {
                let failure: Failure? = error
                return "\(failure?.status ?? .internal) \(failure?.fields.allowed ?? []) \(failure?.fields.parameter ?? "")"
            }
        }
        #expect(build("GET /gists/{id}", "public") == "shadowed [GET /gists/public] id")
        #expect(build("GET /gists/{id}", "Public") == "http://h/gists/Public")
        #expect(build("DELETE /gists/{id}", "public") == "http://h/gists/public")
        #expect(build("GET /users/{id}/posts", "new") == "http://h/users/new/posts")
        #expect(build("GET /m/{a}.{b}", "x", "y.z") == "http://h/m/x.y.z" && build("GET /m/{a}.{b}", "x.y", "z") == "value [] ")
        #expect(build("GET /e/{x}/{y}", "a", "z") == "shadowed [GET /e/{x}/z] y")
        #expect(
            build("GET /f/{rest*}", "a/b") == "http://h/f/a/b" && build("GET /f/{rest*}", "a") == "shadowed [GET /f/{one}] rest"
        )
        #expect(build("GET /é/{x}", "a b") == "shadowed [GET /é/a b] x")
        func isChecked(_ name: Bytes) throws -> Bool { try Plan.make(router, route: "", operation: name).mayBeShadowed }
        #expect(try isChecked("GET /gists/{id}") && !isChecked("GET /users/{id}/posts") && !isChecked("DELETE /gists/{id}"))
    }
}
