// A host that records the calls of its presenters.

import RoutableCore
import Testing

@testable import RoutablePresentation

typealias Tree = Presentation<String, String>

/// The calls since the last check.
final class Told {
    private var words: [String] = []
    var made: [String: Int] = [:]

    func note(_ word: String) { words.append(word) }

    func take() -> [String] {
        defer { words = [] }
        return words
    }

    /// A presenter that shows its own name.
    func presenter(_ name: String) -> Presenter<String, String> {
        Presenter(
            Bytes(name),
            presentable: {
                self.made[name, default: 0] += 1
                return name
            },
            setChild: { self.note("\(name)<\($0)>") },
            setChildren: { self.note("\(name)=[\($0.joined(separator: ","))]") })
    }

    func tree(_ name: String) -> Tree { Tree(presenter(name)) }
}

/// The app of the article: tabs of [nav: stack of welcome {register, login}, about].
func article(_ told: Told) throws -> Tree {
    try told.tree("tabs").junction([
        told.tree("nav").stack([
            told.tree("welcome").route(
                "welcome",
                children: [
                    told.tree("register").route("welcome/register"),
                    told.tree("login").route("welcome/login"),
                ])
        ]),
        told.tree("about").route("about"),
    ])
}

/// The failure of a call that must fail.
func failure(_ body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}
