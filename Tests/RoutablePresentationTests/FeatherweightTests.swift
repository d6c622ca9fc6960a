// docs/statements.md, F, statement by statement.

import RoutableCore
import Testing

@testable import RoutablePresentation

@Suite("a tree behaves as Featherweight Router's")
struct FeatherweightTests {
    let told = Told()

    @Test("F1: a bare presenter handles nothing")
    func F1() throws {
        let bare = told.tree("bare")
        #expect(try bare.presentable == "bare")
        #expect(bare.presenter.name == "bare")
        #expect(try !bare.handles("") && !bare.handles("bare"))
        #expect(try bare.stack("") == nil)
        #expect(try bare.set("") == false)
        #expect(told.take() == [])
    }

    @Test("F2: junction, stack and route give a modified copy")
    func F2() throws {
        let bare = told.tree("bare")
        let route = try bare.route("a")
        let stack = try bare.stack([route])
        let junction = try bare.junction([stack])
        #expect(try !bare.handles("a"))
        #expect(try route.stack("a") == ["bare"])
        #expect(try stack.stack("a") == nil && stack.set("b"))
        #expect(try junction.set("a") && !junction.set("b"))
        let heard = junction.unmatched { _ in self.told.note("lost") }
        _ = told.take()
        try junction.set("b")
        #expect(!told.take().contains("lost"))
        try heard.set("b")
        #expect(told.take().last == "lost")
    }

    private func junctions() throws -> Tree {
        try told.tree("router").junction([
            told.tree("j1").route("j1", children: [told.tree("n").route("n.*")]),
            told.tree("j2").route("j2"),
            told.tree("late").route("nested"),
        ])
    }

    @Test("F3: a junction handles what a child handles, and asking sets nothing")
    func F3() throws {
        let tree = try junctions()
        #expect(try tree.handles("j1") && tree.handles("n") && !tree.handles("router"))
        #expect(told.take() == [] && told.made.isEmpty)
    }

    @Test(
        "F4, F5, F6, F7: children, what is below, the child; the first match",
        arguments: [
            ("j2", true, ["router=[j1,j2,late]", "router<j2>"]),
            ("x", false, ["router=[j1,j2,late]"]),
            ("n", true, ["router=[j1,j2,late]", "router<j1>"]),
            ("nested", true, ["router=[j1,j2,late]", "router<j1>"]),
        ])
    func F4_F5_F6_F7(path: String, result: Bool, calls: [String]) throws {
        #expect(try junctions().set(path) == result)
        #expect(told.take() == calls)
    }

    @Test("F4: a junction in a junction is set between the two steps of the outer one")
    func nestedJunctions() throws {
        let tree = try told.tree("outer").junction([told.tree("inner").junction([told.tree("leaf").route("leaf")])])
        #expect(try tree.set("leaf"))
        #expect(told.take() == ["outer=[inner]", "inner=[leaf]", "inner<leaf>", "outer<inner>"])
    }

    @Test("F8: a stack sets the first stack among its children, or nothing, and says true")
    func F8() throws {
        let tree = try told.tree("pile").stack([told.tree("a").route("a"), told.tree("b").route("b")])
        #expect(try tree.set("b") && tree.set("pile"))
        #expect(told.take() == ["pile=[b]", "pile=[]"])
    }

    @Test("F9, F10: a route's stack has its ancestors; its own set does nothing")
    func F9_F10() throws {
        let tree = try told.tree("route").route(
            "route",
            children: [
                told.tree("child1").route("child1"),
                told.tree("child2").route("child2", children: [told.tree("nested").route("nested")]),
            ])
        #expect(try tree.stack("route") == ["route"])
        #expect(try tree.stack("nested") == ["route", "child2", "nested"])
        #expect(try tree.stack("invalid") == nil)
        #expect(try tree.handles("nested") && !tree.handles("invalid"))
        #expect(try !tree.set("nested"))
        #expect(told.take() == [])
    }

    @Test("F11: a junction or a stack in a stack is refused, and named")
    func F11() throws {
        for inner in [try told.tree("inner").junction([]), try told.tree("inner").stack([])] {
            let inStack = failure { _ = try told.tree("pile").stack([inner]) }
            #expect(inStack?.status == .document && inStack?.fields.route == "inner")
            let below = failure { _ = try told.tree("leaf").route("leaf", children: [inner]) }
            #expect(below?.message.string.contains("\"inner\"") == true)
        }
    }

    @Test(
        "F12, F13, F14: patterns match whole texts and are refused when they are not valid",
        arguments: [
            ("animal/\\w+", "animal/cow", true), ("animal/\\w+", "animal/cow/x", false), ("animal", "Animal", false),
            ("animal", "foo\nanimal", false), ("animal|zoo", "animalx", false), ("animal|zoo", "xzoo", false),
            ("MATCH", "yesMATCHyes", false), (".*MATCH.*", "yesMATCHyes", true), ("^MATCH$", "MATCHnope", false),
            ("^MATCH$", "MATCH", true), ("a$b", "a$b", false), ("a\\$b", "a$b", true), ("(?i)abc", "ABC", true),
        ])
    func F12_F13_F14(pattern: String, path: String, matches: Bool) throws {
        #expect(try told.tree("x").route(Bytes(pattern)).handles(path) == matches)
    }

    @Test("F13: an invalid pattern names its presenter")
    func F13() {
        let refused = failure { _ = try told.tree("broken").route("a(") }
        #expect(refused?.status == .document && refused?.fields.route == "broken")
    }

    private struct Place: Equatable {
        var floor: Int
    }

    @Test("F15: predicates take any type of path")
    func F15() throws {
        let presenter = Presenter<String, Place>("cellar", presentable: { "cellar" })
        let tree = try Presentation(presenter).route(predicate: { $0.floor < 0 })
        #expect(try tree.handles(Place(floor: -1)) && !tree.handles(Place(floor: 1)))
        let failing = try Presentation(presenter).route(predicate: { _ throws(Failure) in throw Failure(.value, "no") })
        #expect(failure { _ = try failing.handles(Place(floor: 0)) }?.fields.route == "cellar")
    }

    @Test("F16: captures and the path reach the presenter")
    func F16() throws {
        var seen: [String] = []
        let presenter = Presenter<String, String>(
            "user",
            presentable: { visit in
                if case .integer(let id)? = visit["id"] {
                    seen.append("\(visit.path ?? "") \(id) \(visit.route?.string ?? "")")
                }
                if case .text(let text)? = visit["name"] { seen.append(text.string) }
                return "user"
            })
        _ = try Tree(presenter).route(template: "users/{id}", ids: [TypedId("id", Scalar(.integer))]).stack("users/12")
        _ = try Tree(presenter).route("users/(?<name>\\w+)").stack("users/ann")
        #expect(seen == ["users/12 12 user", "ann"])
    }

    @Test("F17: a function that is needed and missing is a failure that names the presenter")
    func F17() throws {
        let mute = Tree(Presenter("mute", presentable: { "mute" }))
        let missing = failure { try mute.stack([]).set("x") }
        #expect(missing?.status == .callback && missing?.fields.route == "mute")
        #expect(failure { try mute.junction([told.tree("a").route("a")]).set("a") }?.status == .callback)
    }

    private final class Screen {}

    @Test("F18: presentables are asked for on use; a cached one is made once while it is held")
    func F18() throws {
        var made = 0
        let presenter = Presenter<Screen, String>.cached("screen") { _ in
            made += 1
            return Screen()
        }
        let tree = try Presentation(presenter).route("a")
        #expect(made == 0)
        var held: Screen? = try tree.presentable
        #expect(try tree.presentable === held && tree.stack("a")?.first === held)
        #expect(made == 1)
        held = nil
        _ = try tree.presentable
        #expect(made == 2 && held == nil)
    }

    @Test("F19: paths are taken as they are")
    func F19() throws {
        let tree = try article(told)
        for path in ["About", "/about", "about/", "app://about"] { #expect(try !tree.handles(path)) }
    }

    @Test("F20, F21: the article's app, twice the same")
    func F20_F21() throws {
        let tree = try article(told)
        for _ in 0..<2 {
            #expect(try tree.set("welcome/login"))
            #expect(told.take() == ["tabs=[nav,about]", "nav=[welcome,login]", "tabs<nav>"])
            #expect(try tree.set("about"))
            #expect(told.take() == ["tabs=[nav,about]", "tabs<about>"])
        }
    }
}
