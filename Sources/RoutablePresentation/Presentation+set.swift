// Finds the route of a path, and calls the presenters.
//
// The route is searched first, so that a predicate that fails, or a missing function, changes no
// screen.  Functions of the host are called without a lock: they may call `set` again, and may release the tree.

public import RoutableCore
internal import Synchronization

/// The number of nested calls of `set`.
final class Activity: Sendable {
    let count = Atomic<Int>(0)
}

extension Presentation {
    /// The presentable of the root.
    public var presentable: Presentable {
        get throws(Failure) { try presenter.presentable(Visit(nil, label: nil, captures: [])) }
    }

    /// Whether a route accepts the path.  No screen is changed.
    public func handles(_ path: Path) throws(Failure) -> Bool { try match(path) != nil }

    /// The presentables from the root to the route of a path, in this order; nil if no route accepts the path, or if the root
    /// is not a route.
    public func stack(_ path: Path) throws(Failure) -> [Presentable]? {
        // proof: a tree has a root.
        guard nodes[0].kind == .route, let match = try match(path) else { return nil }
        return try presentables(from: 0, to: match.place, visit(path, match))
    }

    /// Shows a path.  A junction sets all its children, then the presenters below the first child that accepts the path, then
    /// that child.  A stack sets the screens on the way to the route.
    ///
    /// - Returns: for a junction whether a route accepts the path, for a stack true, otherwise false.
    /// - Throws: the failure of a presenter's function, which ends the call; `callback`, before any function is called, if a
    /// required function is missing; `limit`.
    @discardableResult
    public func set(_ path: Path) throws(Failure) -> Bool {
        let before = activity.count.wrappingAdd(1, ordering: .relaxed).oldValue
        defer { activity.count.wrappingSubtract(1, ordering: .relaxed) }
        if before >= PresentationLimits.active { throw tooActive() }
        let match = try match(path)
        let visit = visit(path, match)
        let walk = self.walk(to: match?.place)
        for step in walk {
            let presenter = nodes[step.place].presenter
            if presenter.functions.setChildren == nil { throw presenter.unset("set children") }
            if step.child != nil && presenter.functions.setChild == nil { throw presenter.unset("set child") }
        }
        for step in walk {
            let children: [Presentable]
            if nodes[step.place].kind == .junction {
                children = try directChildren(of: step.place, visit)
            } else if let match {
                children = try presentables(from: child(of: step.place, holding: match.place), to: match.place, visit)
            } else {
                children = []
            }
            try nodes[step.place].presenter.set(children: children, visit)
        }
        for step in walk.reversed() {
            guard let child = step.child else { continue }
            try nodes[step.place].presenter.set(child: try presentable(at: child, visit), visit)
        }
        if match == nil, let unmatched { try unmatched(visit) }
        switch nodes[0].kind {  // proof: a tree has a root.
        case .junction: return match != nil
        case .stack: return true
        case .route, .bare: return false
        }
    }

    // MARK: Searching

    /// A node of the tree whose own route accepts a path.
    private struct Match {
        let place: Int
        let captures: [NamedCapture]
    }

    /// The first route in declaration order that accepts the path.
    private func match(_ path: Path) throws(Failure) -> Match? {
        var bytes = text?(path)
        if let given = bytes, !UTF8Check.isValid(given) { bytes = nil }
        var first = 0
        while let place = index.next(from: first, bytes) {
            switch nodes[place].route {
            case .none: break
            case .predicate(let predicate):
                let label = nodes[place].presenter.label
                let isTaken: Bool
                do throws(Failure) { isTaken = try predicate(path) } catch { throw error.about(presenter: label) }
                if isTaken { return Match(place: place, captures: []) }
            case .text(let route):
                if let bytes, let captures = try route.captures(bytes, nodes[place].presenter.label) {
                    return Match(place: place, captures: captures)
                }
            }
            first = place &+ 1
        }
        return nil
    }

    private func visit(_ path: Path, _ match: Match?) -> Visit<Path> {
        Visit(path, label: match.map { nodes[$0.place].presenter.label }, captures: match?.captures ?? [])
    }

    // MARK: Walking

    /// A junction on the path to a route, with the child that contains the route, or the stack at its end.
    private struct Step {
        let place: Int
        let child: Int?
    }

    /// The junctions from the root to a route, and the stack after them.
    private func walk(to route: Int?) -> [Step] {
        var steps: [Step] = []
        var place = 0
        while nodes[place].kind == .junction {
            guard let route else { return [Step(place: place, child: nil)] }
            let child = child(of: place, holding: route)
            steps.append(Step(place: place, child: child))
            place = child
        }
        if nodes[place].kind == .stack { steps.append(Step(place: place, child: nil)) }
        return steps
    }

    /// The child of a node that is a deeper node or contains it.
    private func child(of place: Int, holding deeper: Int) -> Int {
        var child = place &+ 1
        while child &+ index.size(at: child) <= deeper { child &+= index.size(at: child) }
        return child
    }

    @_optimize(speed)
    private func directChildren(of place: Int, _ visit: Visit<Path>) throws(Failure) -> [Presentable] {
        var result: [Presentable] = []
        result.reserveCapacity(index.size(at: place) &- 1)
        let end = place &+ index.size(at: place)
        var child = place &+ 1
        while child < end {
            result.append(try presentable(at: child, visit))
            child &+= index.size(at: child)
        }
        return result
    }

    /// The presentables from a node down to a deeper one.
    private func presentables(from place: Int, to deeper: Int, _ visit: Visit<Path>) throws(Failure) -> [Presentable] {
        var result = [try presentable(at: place, visit)]
        var place = place
        while place < deeper {
            place = child(of: place, holding: deeper)
            result.append(try presentable(at: place, visit))
        }
        return result
    }

    @inline(never) private func tooActive() -> Failure {
        Failure(
            .limit,
            "\(PresentationLimits.active) calls of set are in progress; a callback may call it recursively"
        ).about(presenter: presenter.label)
    }
}
