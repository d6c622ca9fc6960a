// Templates, relative routes, literal prefixes of patterns, limits.

import RoutableCore
import Testing

@testable import RoutablePresentation

@Suite("routes by text")
struct RouteTests {
    let told = Told()

    @Test(
        "templates take what a router's own matching takes",
        arguments: [
            ("users/{id}", "users/1", "id=1"), ("/users/{id}", "/users/1", "id=1"), ("users/{id}", "users/", nil),
            ("users/{id}", "users/1/", nil), ("users/{id}/", "users/1/", "id=1"), ("users/{id}/", "users/1", nil),
            ("{name}.json", "a.b.json", "name=a.b"), ("{name}.json", ".json", nil),
            ("{base}...{head}", "a...b", "base=a head=b"), ("v{a}-{b}", "v1-2-3", "a=1 b=2-3"),
            ("files/{path*}", "files/a/b", "path=a/b"), ("files/{path*}", "files/a//b", nil),
            ("files/{path*}", "files", nil),
            ("caf\u{e9}/{x}", "caf%C3%A9/%20", "x= "), ("a/{x}", "a/%FF", nil), ("", "", ""), ("", "x", nil),
            (":a/:b", "1/2", "a=1 b=2"),
        ] as [(String, String, String?)])
    func templates(template: String, path: String, expected: String?) throws {
        let route = try TextRoute(.template(Bytes(template), []), isOpen: false, Text("x"))
        let found = try route.captures(Bytes(path), Text("x"))
        #expect(found?.map { "\($0.name.bytes)=\($0.text.bytes)" }.joined(separator: " ") == expected)
        // The check of the literal prefix accepts every path that matches.
        #expect(try told.tree("x").route(template: Bytes(template)).handles(path) == (expected != nil))
    }

    @Test("ids are typed, and those that the template lacks are refused")
    func ids() throws {
        var even = Scalar(.integer)
        even.minimum = 10
        let tree = try told.tree("x").route(template: "n/{id}", ids: [TypedId("id", even)])
        #expect(try tree.handles("n/10") && !tree.handles("n/9") && !tree.handles("n/ten"))
        let refused = failure { _ = try told.tree("x").route(template: "n/{id}", ids: [TypedId("ip", Scalar())]) }
        #expect(refused?.fields.suggestion == "id" && refused?.fields.route == "x")
    }

    @Test("relative routes go on from the one around them, at any level")
    func relative() throws {
        let inner = try told.tree("calf").route("calf", isRelative: true)
        let middle = try told.tree("cow").route("cow|ox", isRelative: true, children: [inner])
        let tree = try told.tree("animal").route("animal", children: [middle, told.tree("zoo").route("zoo")])
        #expect(try tree.stack("animal/ox/calf") == ["animal", "cow", "calf"])
        #expect(try tree.handles("animal/cow") && tree.handles("zoo"))
        #expect(try !tree.handles("calf") && !tree.handles("animal/zoo") && !tree.handles("animal/cow|ox"))
        let texts = try told.tree("a").route("a\\.b", children: [told.tree("c").route("c+", isRelative: true)])
        #expect(try texts.handles("a.b/cc"))
        let template = try told.tree("users").route(
            template: "/users/", children: [told.tree("user").route(template: "{id}", isRelative: true)])
        #expect(try template.handles("users/3"))
        let mixed = failure {
            _ = try told.tree("a").route("a", children: [told.tree("b").route(template: "b", isRelative: true)])
        }
        #expect(mixed?.fields.route == "b")
    }

    @Test(
        "what a pattern begins with",
        arguments: [
            ("abc", "abc", true), ("^abc$", "abc", true), ("a\\.b", "a.b", true), ("ab?c", "a", false),
            ("ab*", "a", false),
            ("ab{2}", "a", false), ("ab+", "ab", false), ("a|b", "", false), ("a[bc]", "a", false),
            ("a\\d", "a", false),
            ("a(b)", "a", false), ("caf\u{e9}?", "caf", false), ("a\\", "a", false), ("", "", true),
            ("a}]", "a}]", true),
        ])
    func prefixes(pattern: String, prefix: String, isWhole: Bool) {
        let literal = LiteralText(Bytes(pattern))
        #expect(literal.prefix == Bytes(prefix) && literal.isWhole == isWhole)
    }

    @Test(
        "what a pattern ends with",
        arguments: [
            ("a\\w+/9", "/9"), ("a\\d{2}b\\.c$", "b.c"), ("(?<id>x)/y", "/y"), ("(?:x(y)z)", ""), ("(?i)x.y", ""),
            ("(?<=>)x.y", "y"), ("[a-z]b", "b"), ("[]a]b", ""), ("[^x]yz", "yz"), ("[[:alpha:]]b", ""), ("[\\]]b", ""),
            ("a?b*c+", ""), ("a.b?c", "c"), ("a.{b", ""), ("a.y{[}]z", ""), ("a.b{2,3}c", "c"), ("x$y", ""),
            ("a|.b", ""), ("\\Qa.b", ""), ("a.\\x41", ""), ("a.caf\u{e9}", "caf\u{e9}"), ("a.\\", ""),
        ])
    func suffixes(pattern: String, suffix: String) {
        #expect(LiteralText(Bytes(pattern)).suffix == Bytes(suffix))
    }

    @Test("a tree has at most 64 levels")
    func levels() throws {
        var tree = try told.tree("x").route("x")
        for _ in 1..<64 { tree = try told.tree("x").route("y", children: [tree]) }
        #expect(try tree.stack("x")?.count == 64)
        let refused = failure { _ = try told.tree("deep").route("y", children: [tree]) }
        #expect(refused?.status == .limit && refused?.fields.route == "deep")
    }

    @Test("set within set runs to its end; one without an end is refused")
    func reentry() throws {
        var again: Tree?
        var limited = 0
        let endless = Presenter<String, String>(
            "endless", presentable: { "" },
            setChildren: { (_: [String]) throws(Failure) in
                do throws(Failure) { try again?.set("x") } catch { if error.status == .limit { limited += 1 } }
            })
        again = try Tree(endless).stack([])
        #expect(try again?.set("x") == true)
        #expect(limited == 1)
        again = nil
    }

    @Test("a failure of the host ends the call, and what follows is not called")
    func failing() throws {
        let broken = Presenter<String, String>(
            "broken", presentable: { "broken" }, setChild: { _ in },
            setChildren: { (_: [String]) throws(Failure) in throw Failure(.value, "no room") })
        let tree = try told.tree("outer").junction([Tree(broken).junction([told.tree("leaf").route("leaf")])])
        let failed = failure { try tree.set("leaf") }
        #expect(failed?.status == .value && failed?.fields.route == "broken")
        #expect(told.take() == ["outer=[broken]"])
    }

    @Test("a builder makes the same tree from the top down")
    func builder() throws {
        let builder = PresentationBuilder<String, String>()
        try builder.add(told.presenter("tabs"), .junction, parent: nil)
        try builder.add(told.presenter("nav"), .stack, parent: "tabs")
        try builder.add(told.presenter("about"), .pattern("about", isRelative: false), parent: "tabs")
        try builder.add(told.presenter("welcome"), .pattern("welcome", isRelative: false), parent: "nav")
        try builder.add(told.presenter("login"), .pattern("login", isRelative: true), parent: "welcome")
        let tree = try builder.build()
        #expect(try tree.set("welcome/login"))
        #expect(told.take() == ["tabs=[nav,about]", "nav=[welcome,login]", "tabs<nav>"])
        #expect(failure { try builder.add(told.presenter("nav"), .bare, parent: "tabs") }?.status == .conflict)
        #expect(failure { try builder.add(told.presenter("x"), .bare, parent: "tbs") }?.fields.suggestion == "tabs")
    }
}
