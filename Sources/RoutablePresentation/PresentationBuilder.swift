// Builds a tree from the root by names, for hosts that cannot use the values and closures of Swift.

package import RoutableCore

/// Collects presenters by parent and makes presentations of them.
package final class PresentationBuilder<Presentable, Path: TextPath> {
    package typealias Tree = Presentation<Presentable, Path>

    /// The kind of a presenter in the tree.
    package enum Place {
        case bare, junction, stack
        case pattern(Bytes, isRelative: Bool)
        case template(Bytes, [TypedId], isRelative: Bool)
        case predicate((Path) throws(Failure) -> Bool)
    }

    fileprivate struct Entry {
        let node: Tree.Node
        let depth: Int
        var children: [Int] = []
    }

    /// The collected presenters; a saved copy can be restored to undo later changes.
    package struct Contents {
        fileprivate var entries: [Entry] = []
        fileprivate var places: [Bytes: Int] = [:]
    }

    package var contents = Contents()
    private var unmatched: ((Visit<Path>) throws(Failure) -> Void)?

    package init() {}

    /// Sets the handler for paths that no route accepts.
    package func setUnmatched(_ handler: @escaping (Visit<Path>) throws(Failure) -> Void) { unmatched = handler }

    /// Adds a presenter below the one named `parent`, or as the root.
    ///
    /// - Throws: `argument` for an empty name, `conflict` for a name that already exists or for a second root,
    ///   `unknown` for a parent that does not exist, `document` for a place or a route that is refused, `limit`.
    package func add(_ presenter: Presenter<Presentable, Path>, _ place: Place, parent name: Bytes?) throws(Failure) {
        let label = presenter.label
        if label.isEmpty { throw Failure(.argument, "a presenter has an empty name") }
        let taken = presenter.name
        if contents.places[taken] != nil {
            throw Failure(.conflict, "a presenter with this name already exists").about(presenter: label)
        }
        let parent = try find(parent: name, label)
        let depth = parent.map { contents.entries[$0].depth &+ 1 } ?? 1
        try PresentationLimits.check(count: contents.entries.count &+ 1, height: depth, label)
        let node = try make(presenter, place, parent.map { contents.entries[$0].node })
        contents.places[taken] = contents.entries.count
        if let parent { contents.entries[parent].children.append(contents.entries.count) }
        contents.entries.append(Entry(node: node, depth: depth))
    }

    private func find(parent name: Bytes?, _ label: Text) throws(Failure) -> Int? {
        guard let name else {
            if let root = contents.entries.first {
                throw Failure(
                    .conflict,
                    "no parent is named, but there is already a root: \"\(root.node.presenter.name.printable)\""
                ).about(presenter: label)
            }
            return nil
        }
        guard let parent = contents.places[name] else {
            throw Failure.unknownName(.unknown, "there is no parent", name, among: Array(contents.places.keys))
                .about(presenter: label)
        }
        return parent
    }

    private func make(
        _ presenter: Presenter<Presentable, Path>, _ place: Place, _ parent: Tree.Node?
    ) throws(Failure) -> Tree.Node {
        let label = presenter.label
        var kind = Tree.Kind.route
        var source: (TextRoute.Source, isRelative: Bool)?
        var route = Tree.Route.none
        switch place {
        case .bare: kind = .bare
        case .junction: kind = .junction
        case .stack: kind = .stack
        case .pattern(let pattern, let isRelative): source = (.pattern(pattern), isRelative)
        case .template(let template, let ids, let isRelative): source = (.template(template, ids), isRelative)
        case .predicate(let predicate): route = .predicate(predicate)
        }
        if let parent { try check(kind, label, parent) }
        if let (source, isRelative) = source {
            var text = try TextRoute(source, isOpen: isRelative, label)
            if isRelative, case .text(let outer)? = parent?.route { text = try text.under(outer, label) }
            route = .text(text)
        }
        return Tree.Node(kind: kind, presenter: presenter, route: route)
    }

    private func check(_ kind: Tree.Kind, _ label: Text, _ parent: Tree.Node) throws(Failure) {
        if parent.kind == .bare {
            throw Failure(
                .document,
                "\"\(parent.presenter.name.printable)\" cannot have children: it is not a junction, stack or route"
            ).about(presenter: label)
        }
        try Tree.check(kind, label, in: parent.kind, parent.presenter.label)
    }

    /// The tree of the added presenters.  The builder does not change.
    ///
    /// - Throws: `document` if no presenter was added.
    package func build() throws(Failure) -> Tree {
        let entries = contents.entries
        if entries.isEmpty { throw Failure(.document, "the presentation has no presenter") }
        var nodes: [Tree.Node] = []
        nodes.reserveCapacity(entries.count)
        var height = 0
        // The nodes whose size is not known yet: a stack instead of a recursion.
        var open: [(place: Int, entry: Int, next: Int)] = [(0, 0, 0)]
        nodes.append(entries[0].node)
        while let top = open.last {
            height = max(height, open.count)
            let children = entries[top.entry].children
            guard top.next < children.count else {
                nodes[top.place].size = nodes.count &- top.place
                open.removeLast()
                continue
            }
            open[open.count &- 1].next &+= 1
            open.append((nodes.count, children[top.next], 0))
            nodes.append(entries[children[top.next]].node)
        }
        return Tree(nodes: nodes, height: height, text: { $0.pathBytes }, unmatched: unmatched)
    }
}
