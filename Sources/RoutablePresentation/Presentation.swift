// The tree of routes as a value: each of `junction`, `stack` and `route` returns a modified copy.

public import RoutableCore

/// A presenter with the routes below it.  Immutable: functions that change it return a copy.
///
///     let app = try Presentation(tabs).junction([
///         Presentation(navigation).stack([
///             Presentation(welcome).route("welcome", children: [Presentation(login).route("welcome/login")])
///         ]),
///         Presentation(about).route("about"),
///     ])
///     try app.set("welcome/login")
public struct Presentation<Presentable, Path> {
    enum Kind: UInt8 { case bare, junction, stack, route }

    enum Route {
        case none
        case text(TextRoute)
        case predicate((Path) throws(Failure) -> Bool)
    }

    /// One node of the tree.
    struct Node {
        var kind: Kind
        var presenter: Presenter<Presentable, Path>
        var route: Route
        /// The number of nodes of the subtree, which follow this node.
        var size = 1
    }

    /// The nodes in declaration order, each before its children.
    let nodes: [Node]
    /// The functions of their presenters, which the nodes retain: calling a thousand of them needs no retain.
    private let functions: [Unmanaged<Presenter<Presentable, Path>.Functions>]
    let index: PathIndex
    /// The number of levels of the tree.
    let height: Int
    /// Returns the text of a path; set if there is a route by text.
    let text: ((Path) -> Bytes)?
    let unmatched: ((Visit<Path>) throws(Failure) -> Void)?
    let activity = Activity()

    /// A presenter without a route, which accepts no path.
    public init(_ presenter: Presenter<Presentable, Path>) {
        self.init(
            nodes: [Node(kind: .bare, presenter: presenter, route: .none)], height: 1, text: nil, unmatched: nil)
    }

    init(
        nodes: [Node], height: Int, text: ((Path) -> Bytes)?, unmatched: ((Visit<Path>) throws(Failure) -> Void)?
    ) {
        self.nodes = nodes
        self.height = height
        self.text = text
        self.unmatched = unmatched
        var index = PathIndex()
        for node in nodes {
            switch node.route {
            case .none: index.appendNone(size: node.size)
            case .text(let route): index.append(route, size: node.size)
            case .predicate: index.appendPredicate(size: node.size)
            }
        }
        self.index = index
        functions = nodes.map { Unmanaged.passUnretained($0.presenter.functions) }
    }

    /// The presentable of a node.
    func presentable(at place: Int, _ visit: Visit<Path>) throws(Failure) -> Presentable {
        let result = functions[place]._withUnsafeGuaranteedRef { functions -> Result<Presentable, Failure> in
            do throws(Failure) { return .success(try functions.get(visit)) } catch {
                return .failure(error.about(presenter: functions.label))
            }
        }
        return try result.get()
    }

    /// The presenter of the root.
    public var presenter: Presenter<Presentable, Path> { nodes[0].presenter }  // proof: a tree has a root.

    // MARK: Declaring

    /// A copy that is a junction: it shows one of its children, like tabs.
    public func junction(_ children: [Presentation]) throws(Failure) -> Presentation {
        try with(.junction, .none, children, text)
    }

    /// A copy that is a stack: it shows the screens on the way to a route.
    ///
    /// - Throws: `document` for a junction or a stack among the children, which would never be shown.
    public func stack(_ children: [Presentation]) throws(Failure) -> Presentation {
        try with(.stack, .none, children, text)
    }

    /// A copy that accepts the paths for which `predicate` returns true.  Each call of `set`, `handles` or `stack` calls
    /// `predicate` at most once.
    public func route(
        predicate: @escaping (Path) throws(Failure) -> Bool, children: [Presentation] = []
    ) throws(Failure) -> Presentation {
        try with(.route, .predicate(predicate), children, text)
    }

    /// A copy that calls `handler` for each path that is set and that no route accepts, after the presenters.
    public func unmatched(_ handler: @escaping (Visit<Path>) throws(Failure) -> Void) -> Presentation {
        Presentation(nodes: nodes, height: height, text: text, unmatched: handler)
    }

    func with(
        _ kind: Kind, _ route: Route, _ children: [Presentation], _ text: ((Path) -> Bytes)?
    ) throws(Failure) -> Presentation {
        var nodes = [Node(kind: kind, presenter: presenter, route: route)]
        var height = 0
        var text = text
        for child in children {
            // proof: a tree has a root.
            try Self.check(child.nodes[0].kind, child.presenter.label, in: kind, presenter.label)
            height = max(height, child.height)
            if text == nil { text = child.text }
            for var node in child.nodes {
                if case .text(let parent) = route, case .text(let own) = node.route, own.isOpen {
                    node.route = .text(try own.under(parent, node.presenter.label))
                }
                nodes.append(node)
            }
        }
        try PresentationLimits.check(count: nodes.count, height: height &+ 1, presenter.label)
        nodes[0].size = nodes.count  // proof: it was made with one element.
        return Presentation(nodes: nodes, height: height &+ 1, text: text, unmatched: unmatched)
    }

    /// Refuses a tree that would handle paths and never show them: a junction or a stack below a route or in a stack.
    @inline(never) static func check(_ child: Kind, _ label: Text, in parent: Kind, _ outer: Text) throws(Failure) {
        guard child == .junction || child == .stack, parent == .stack || parent == .route else { return }
        let what: Bytes = child == .junction ? "junction" : "stack"
        let place: Bytes = parent == .stack ? "in the stack" : "below the route"
        throw Failure(
            .document, "a \(what) \(place) \"\(outer.bytes.printable)\" would never be shown; use a route"
        )
        .about(presenter: label)
    }
}

extension Presentation where Path: TextPath {
    /// A copy that accepts the paths that a pattern matches as a whole.
    ///
    /// - Parameters:
    ///   - pattern: a PCRE2 regular expression; its named groups are captured.
    ///   - isRelative: whether the pattern is appended to that of the parent route, after a slash.
    /// - Throws: `document`, with the name of the presenter, for an invalid pattern.
    public func route(
        _ pattern: Bytes, isRelative: Bool = false, children: [Presentation] = []
    ) throws(Failure) -> Presentation {
        let route = try TextRoute(.pattern(pattern), isOpen: isRelative, presenter.label)
        return try with(.route, .text(route), children, { $0.pathBytes })
    }

    /// A copy that accepts the paths of a template: `users/{id}`.
    ///
    /// - Parameters:
    ///   - ids: the types of its parameters; the others accept any string.
    ///   - isRelative: whether the template is appended to that of the parent route.
    /// - Throws: `document`, with the name of the presenter.
    public func route(
        template: Bytes, ids: [TypedId] = [], isRelative: Bool = false, children: [Presentation] = []
    ) throws(Failure) -> Presentation {
        let route = try TextRoute(.template(template, ids), isOpen: isRelative, presenter.label)
        return try with(.route, .text(route), children, { $0.pathBytes })
    }
}

/// The limits of one tree.
package enum PresentationLimits {
    /// The maximum number of levels of a tree.
    package static let depth = 64
    /// The maximum number of nodes of a tree.
    package static let places = 1 << 20
    /// The maximum number of calls of `set` of one tree at the same time, nested or in threads.
    package static let active = 64

    @inline(never) static func check(count: Int, height: Int, _ label: Text) throws(Failure) {
        if height > depth {
            throw Failure(.limit, "the tree has more than \(depth) levels").about(presenter: label)
        }
        if count > places {
            throw Failure(.limit, "the tree has more than \(places) presenters").about(presenter: label)
        }
    }
}
