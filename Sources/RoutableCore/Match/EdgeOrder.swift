// Sorts the edges of each state by precedence, and reports every conflict.

/// A conflict or a warning about the routes of a router.
package struct RouteWarning: Sendable {
    package let message: Bytes
    /// The JSON pointer of the declaration that caused it.
    package let pointer: Bytes
    /// The operations in the message, as messages name them.
    package let routes: [Bytes]
}

/// Determines a total order of the edges of each state.
struct EdgeOrder {
    private let operations: [OperationEntry]
    private let resources: [ResourceEntry]
    private(set) var conflicts: [RouteWarning] = []
    private(set) var warnings: [RouteWarning] = []

    /// A warning about the comparisons that were omitted, if the routes overlap in too many ways.
    private(set) var unfinished: RouteWarning?
    private let proofs: RouteProofs
    private let constants: OperationConstants
    /// Computed when a message or a comparison first needs it.
    private var knownWalks: StateWalks?

    /// The maximum number of stored conflicts and warnings; a router with more is broken.
    static let kept = 100
    /// The maximum number of steps of the comparisons for each edge, and for the router as a whole.
    private static let (edgeSteps, routerSteps) = (64, Limits.overlapSteps &* 4)
    /// The steps for comparing the priorities after two edges, in addition to the steps of the search for common paths.
    private static let verdictSteps = 16

    init(
        _ operations: [OperationEntry], _ resources: [ResourceEntry], _ graph: SegmentGraph, _ constants: OperationConstants
    ) {
        self.constants = constants
        self.operations = operations
        self.resources = resources
        proofs = RouteProofs(graph.symbols, steps: graph.edges.count &* Self.edgeSteps &+ Self.routerSteps)
    }

    mutating func run(_ states: inout StateGraph) {
        reportMeetings(states)
        for state in 0..<states.count {
            let range = states.operationRange(state)
            if range.count > 1 { reportSameMethods(state, states) }
            order(state, &states)
        }
        reportUnreachable(states)
    }

    private mutating func walks(_ states: StateGraph) -> StateWalks {
        if let knownWalks { return knownWalks }
        let made = StateWalks(states)
        knownWalks = made
        return made
    }

    // MARK: - One node

    private mutating func reportSameMethods(_ state: Int, _ states: StateGraph) {
        var byMethod = KeyedValues<Bytes, [Int]>()
        for number in states.operations[states.operationRange(state)] {
            let right = Int(number)
            let method = operations[right].description.method
            byMethod.values[byMethod.place(of: method, adding: [])].append(right)
        }
        for same in byMethod.values where same.count > 1 {
            for group in constants.groups(same.map { operations[$0] }) { reportGroup(group.map { same[$0] }, state, states) }
        }
    }

    /// Reports the pairs of operations with one method and path that no declared constant distinguishes.
    private mutating func reportGroup(_ group: [Int], _ state: Int, _ states: StateGraph) {
        for (index, right) in group.enumerated() {
            for left in group.prefix(index) {
                if conflicts.count >= Self.kept { return }
                proofs.charge(Self.verdictSteps)
                if proofs.isExhausted { return reportUnfinished(left, right) }
                if left != right && constants.areDistinct(operations[left], operations[right]) { continue }
                reportConflict(
                    left, right,
                    left == right ? "is reached by two routes with the same path" : "have the same method and path",
                    walks(states).walk(to: state))
            }
        }
    }

    private mutating func reportMeetings(_ states: StateGraph) {
        for meeting in states.meetings {
            let labels = [meeting.0, meeting.1].map { source in
                states.graph.memberResource(of: Int(source), resources.count).map { resources[$0].name.bytes } ?? "/"
            }
            guard conflicts.count < Self.kept else { return }
            let last = states.graph.memberResource(of: Int(meeting.1), resources.count)
            conflicts.append(
                RouteWarning(
                    message: "\(labels[0]) and \(labels[1]) have the same path and nested resource: a path would be ambiguous",
                    pointer: last.map { resources[$0].description.pointer } ?? Bytes(), routes: labels))
        }
    }

    /// Reports that not all states were constructed, with two of the routes that share the path at the state where the construction stopped.
    mutating func reportOverflow(_ state: Int, _ states: StateGraph) {
        let found = states.graph.firstOperations(from: states.members[states.memberRange(state)])
        reportUnfinished(found.first ?? 0, found.last ?? 0)
    }

    private mutating func reportUnfinished(_ left: StateGraph.Edge, _ right: StateGraph.Edge, _ states: StateGraph) {
        if unfinished != nil { return }
        let walks = walks(states)
        let found = [left, right].compactMap { walks.firstOperation(from: Int($0.target))?.operation }
        reportUnfinished(found.first ?? 0, found.last ?? 0)
    }

    private mutating func reportUnfinished(_ left: Int, _ right: Int) {
        if unfinished != nil || operations.isEmpty { return }
        let (first, second) = (min(left, right), max(left, right))
        let what: Bytes = "overlap with other routes in too many ways to compare"
        let named = routes((first, label(first)), (second, label(second)))
        unfinished = RouteWarning(
            message: "\(named) \(what)",
            pointer: operations[second].description.pointer, routes: [label(first), label(second)])
    }

    // MARK: - Edges

    private mutating func order(_ state: Int, _ states: inout StateGraph) {
        let range = states.edgeRange(state)
        guard range.count > 1 else { return }
        let otherCount = range.reduce(0) { states.edges[$1].symbol.isLiteral ? $0 : $0 &+ 1 }
        if otherCount == 0 { return }
        if otherCount == 1 {
            let last = range.upperBound &- 1
            if let only = range.first(where: { !states.edges[$0].symbol.isLiteral }) { states.edges.swapAt(only, last) }
            return
        }
        var literals: [StateGraph.Edge] = []
        var others: [StateGraph.Edge] = []
        for edge in states.edges[range] {
            if edge.symbol.isLiteral { literals.append(edge) } else { others.append(edge) }
        }
        others = ordered(others, at: state, states)
        states.edges.replaceSubrange(range, with: literals + others)
    }

    private mutating func ordered(_ found: [StateGraph.Edge], at state: Int, _ states: StateGraph) -> [StateGraph.Edge] {
        let patterns = states.graph.symbols.patterns
        let sorted = found.ordered {
            let (left, right) = (patterns[$0.symbol.index], patterns[$1.symbol.index])
            return left.precedes(right) ?? (left.key < right.key)
        }
        let candidates = OverlapCandidates.among(sorted.map { patterns[$0.symbol.index] }, proofs)
        // before[i] contains the edges that must be tried before edge i.
        var before = [[Int]](repeating: [], count: sorted.count)
        var isChanged = false
        func compare(_ left: Int, _ right: Int) {
            let (leftEdge, rightEdge) = (sorted[left], sorted[right])
            proofs.charge(1)
            guard patterns[leftEdge.symbol.index].precedes(patterns[rightEdge.symbol.index]) == nil,
                proofs.mayOverlap(leftEdge.symbol, rightEdge.symbol)
            else { return }
            switch verdict(leftEdge, rightEdge, at: state, states) {
            case nil: break
            case true?: before[right].append(left)
            case false?:
                before[left].append(right)
                isChanged = true
            }
        }
        for right in sorted.indices {
            if proofs.isExhausted { break }
            if let candidates {
                for left in candidates.earlier[right] { compare(left, right) }
            } else {
                for left in 0..<right where !proofs.isExhausted { compare(left, right) }
            }
        }
        if proofs.isExhausted, let first = sorted.first, let last = sorted.last { reportUnfinished(first, last, states) }
        return isChanged ? placed(sorted, before, at: state, states) : sorted
    }

    /// The edges in an order in which each one follows the edges that must be tried before it.
    private mutating func placed(
        _ sorted: [StateGraph.Edge], _ before: [[Int]], at state: Int, _ states: StateGraph
    ) -> [StateGraph.Edge] {
        var result: [StateGraph.Edge] = []
        var (isBegun, isPlaced) = ([Bool](repeating: false, count: sorted.count), [Bool](repeating: false, count: sorted.count))
        for start in sorted.indices where !isPlaced[start] {
            // The stack of the edges that are being placed, each with the number of its predecessors that were visited.
            var waiting = [(index: start, next: 0)]
            isBegun[start] = true
            while let (index, next) = waiting.last {
                if next == before[index].count {
                    isPlaced[index] = true
                    result.append(sorted[index])
                    waiting.removeLast()
                    continue
                }
                waiting[waiting.count &- 1].next = next &+ 1
                let other = before[index][next]
                if isPlaced[other] { continue }
                if isBegun[other] {
                    // The priorities form a cycle: the patterns determine the order, and a conflict is reported.
                    reportCircle(sorted[index], sorted[other], at: state, states)
                    continue
                }
                isBegun[other] = true
                waiting.append((other, 0))
            }
        }
        return result
    }

    private mutating func reportCircle(_ one: StateGraph.Edge, _ other: StateGraph.Edge, at state: Int, _ states: StateGraph) {
        let walks = walks(states)
        guard conflicts.count < Self.kept, let left = walks.firstOperation(from: Int(one.target)),
            let right = walks.firstOperation(from: Int(other.target))
        else { return }
        let walk = walks.walk(to: state)
        reportConflict(
            left.operation, right.operation, walk + [one.identity] + left.walk, walk + [other.identity] + right.walk,
            "overlap, and the priorities of their parts contradict each other")
    }

    /// The order of two edges that match the same segment, by the priorities of the operations that they lead to:
    /// true if the left one is first, nil if no path continues over both.
    private mutating func verdict(
        _ left: StateGraph.Edge, _ right: StateGraph.Edge, at state: Int, _ states: StateGraph
    ) -> Bool? {
        var result: Bool?
        let stateWalks = walks(states)
        proofs.charge(Self.verdictSteps)
        guard let paths = states.commonPaths(left, right, proofs, stateWalks) else { return nil }
        func conflict(_ path: CommonPaths.Pair, _ what: Bytes) {
            guard conflicts.count < Self.kept else { return }
            let walk = stateWalks.walk(to: state)
            let walks = paths.walks(path, stateWalks)
            reportConflict(path.left, path.right, walk + walks.left, walk + walks.right, what)
        }
        for path in paths.pairs where path.left != path.right {
            let (first, second) = (operations[path.left].description.priority, operations[path.right].description.priority)
            if first == second {
                conflict(
                    path, "overlap: some path matches both, and neither is more specific; set the \"priority\" of one of them")
                return nil
            }
            if let result, result != (first > second) {
                conflict(path, "overlap, and the priorities of their parts contradict each other")
                return nil
            }
            result = first > second
        }
        // The same operation with two parents, and nothing else distinguishes the two routes.
        if result == nil, let path = paths.pairs.first {
            conflict(path, "are one operation with two routes that match the same path")
        }
        return result
    }

    // MARK: - Reports

    func label(_ operation: Int) -> Bytes {
        let entry = operations[operation]
        guard let resource = entry.resource else { return entry.name.bytes }
        return "\(resources[resource].name.bytes) \(entry.name.bytes)"
    }

    /// The operation as in a call, `user.status read`; the walk contains the resources of the route.
    private func label(_ operation: Int, _ walk: [CaptureIdentity]) -> Bytes {
        let entry = operations[operation]
        guard let resource = entry.resource else { return entry.name.bytes }
        var names: [Bytes] = []
        for identity in walk where resources.indices.contains(Int(identity.resource)) && identity.parameter == 0 {
            names.append(resources[Int(identity.resource)].name.bytes)
        }
        if entry.description.place == .collection && resources[resource].ids.count == 1 {
            names.append(resources[resource].name.bytes)
        }
        // If walks share a state, the captured ids may have the names of another resource.
        guard names.last == resources[resource].name.bytes else { return label(operation) }
        return "\(names.joined(by: ".")) \(entry.name.bytes)"
    }

    private func path(_ operation: Int) -> Bytes { "/\(operations[operation].path.bytes.withoutLeadingSlash.printable)" }

    private func routes(_ first: (index: Int, label: Bytes), _ second: (index: Int, label: Bytes)) -> Bytes {
        func route(_ operation: (index: Int, label: Bytes)) -> Bytes {
            "\(operation.label) (\(operations[operation.index].method.bytes) \(path(operation.index)))"
        }
        return first == second ? route(first) : "\(route(first)) and \(route(second))"
    }

    private mutating func reportConflict(_ left: Int, _ right: Int, _ what: Bytes, _ walk: [CaptureIdentity]) {
        reportConflict(left, right, walk, walk, what)
    }

    private mutating func reportConflict(
        _ left: Int, _ right: Int, _ leftWalk: [CaptureIdentity], _ rightWalk: [CaptureIdentity], _ what: Bytes
    ) {
        guard conflicts.count < Self.kept else { return }
        // The operation that is declared later is second, and its pointer is reported.
        var (first, second) = ((left, label(left, leftWalk)), (right, label(right, rightWalk)))
        if right < left { (first, second) = (second, first) }
        conflicts.append(
            RouteWarning(
                message: "\(routes(first, second)) \(what)", pointer: operations[second.0].description.pointer,
                routes: [first.1, second.1]))
    }

    private mutating func reportUnreachable(_ states: StateGraph) {
        var hasParent = [Bool](repeating: false, count: resources.count)
        for resource in resources { for child in resource.children { hasParent[child] = true } }
        for resource in resources where !resource.hasRootMembers && !resource.operations.isEmpty && !hasParent[resource.index] {
            warnings.append(
                RouteWarning(
                    message: "\(resource.name.bytes) is nested, but no resource nests it: no path leads to it",
                    pointer: resource.description.pointer, routes: [resource.name.bytes]))
        }
        for pair in states.coveredOperations(proofs) where warnings.count < Self.kept {
            warnings.append(
                RouteWarning(
                    message:
                        "\(label(pair.covered)) (\(path(pair.covered))) is never reached: each of its paths matches another route first, such as \(label(pair.by)) (\(path(pair.by)))",
                    pointer: operations[pair.covered].description.pointer,
                    routes: [label(pair.covered), label(pair.by)]))
        }
        if proofs.isExhausted, unfinished == nil {
            warnings.append(
                RouteWarning(
                    message: "the routes overlap in too many ways to search for unreachable ones",
                    pointer: Bytes(), routes: []))
        }
    }
}
