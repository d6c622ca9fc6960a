// The order in which the edges of a state are tried, and every conflict that stands in its way.

/// What is wrong, or only strange, about the routes of a router.
package struct RouteWarning: Sendable {
    package let message: Bytes
    /// JSON pointer of the declaration that it is about.
    package let pointer: Bytes
    /// The operations that it names, as messages call them.
    package let routes: [Bytes]
}

/// Makes the order of a state graph's edges total.
struct EdgeOrder {
    private let operations: [OperationEntry]
    private let resources: [ResourceEntry]
    private(set) var conflicts: [RouteWarning] = []
    private(set) var warnings: [RouteWarning] = []

    /// Conflicts and warnings that are kept; a router has few or it is broken.
    private static let kept = 100
    /// Pairs of states that are looked at for one pair of edges.
    private static let pairs = 1 << 18

    init(_ operations: [OperationEntry], _ resources: [ResourceEntry]) {
        self.operations = operations
        self.resources = resources
    }

    mutating func run(_ states: inout StateGraph) throws(Failure) {
        reportMeetings(states)
        for state in 0..<states.count {
            let range = states.operationRange(state)
            if range.count > 1 { reportSameMethods(states.operations[range].map { Int($0) }, states.walk(to: state)) }
            try order(state, &states)
        }
        reportUnreachable(states)
    }

    // MARK: - One node

    private mutating func reportSameMethods(_ found: [Int], _ walk: @autoclosure () -> [CaptureIdentity]) {
        for (index, right) in found.enumerated() {
            if conflicts.count >= Self.kept { return }
            for left in found[..<index] where operations[left].description.method == operations[right].description.method {
                reportConflict(left, right, left == right ? "is reached by two walks of the same path" : "have the same method and path", walk())
            }
        }
    }

    private mutating func reportMeetings(_ states: StateGraph) {
        guard !states.meetings.isEmpty else { return }
        let isLive = states.graph.liveNodes()
        for meeting in states.meetings where isLive[Int(meeting.node)] {
            let labels = [meeting.sources.0, meeting.sources.1].map { source in
                states.graph.memberResource(of: Int(source), resources.count).map { resources[$0].name.bytes } ?? "/"
            }
            guard conflicts.count < Self.kept else { return }
            let last = states.graph.memberResource(of: Int(meeting.sources.1), resources.count)
            conflicts.append(
                RouteWarning(
                    message: "\(labels[0]) and \(labels[1]) have the same path and have the same nested in them: which one a path means cannot be told",
                    pointer: last.map { resources[$0].description.pointer } ?? Bytes(), routes: labels))
        }
    }

    // MARK: - Edges

    private mutating func order(_ state: Int, _ states: inout StateGraph) throws(Failure) {
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
        others = try ordered(others, at: state, states)
        states.edges.replaceSubrange(range, with: literals + others)
    }

    private mutating func ordered(_ found: [StateGraph.Edge], at state: Int, _ states: StateGraph) throws(Failure) -> [StateGraph.Edge] {
        let patterns = states.graph.symbols.patterns
        let sorted = found.ordered {
            let (left, right) = (patterns[$0.symbol.index], patterns[$1.symbol.index])
            return left.precedes(right) ?? (left.key < right.key)
        }
        // before[i] are the edges that must be tried before i.
        var before = [[Int]](repeating: [], count: sorted.count)
        var isChanged = false
        for right in sorted.indices {
            for left in 0..<right {
                let (leftEdge, rightEdge) = (sorted[left], sorted[right])
                guard patterns[leftEdge.symbol.index].precedes(patterns[rightEdge.symbol.index]) == nil,
                    states.graph.symbols.mayOverlap(leftEdge.symbol, rightEdge.symbol)
                else { continue }
                switch try verdict(leftEdge, rightEdge, at: state, states) {
                case nil: break
                case true?: before[right].append(left)
                case false?:
                    before[left].append(right)
                    isChanged = true
                }
            }
        }
        if !isChanged { return sorted }
        var result: [StateGraph.Edge] = []
        var isPlaced = [Bool](repeating: false, count: sorted.count)
        while result.count < sorted.count {
            let next = sorted.indices.first { index in !isPlaced[index] && before[index].allSatisfy { isPlaced[$0] } }
            // Priorities that contradict each other in a circle: the order of the patterns, and a conflict.
            let index = next ?? sorted.indices.first { !isPlaced[$0] } ?? 0
            if next == nil, let other = before[index].first(where: { !isPlaced[$0] }),
                let left = states.firstOperation(from: Int(sorted[index].target)),
                let right = states.firstOperation(from: Int(sorted[other].target))
            {
                let walk = states.walk(to: state)
                reportConflict(
                    left.operation, right.operation, walk + [sorted[index].identity] + left.walk,
                    walk + [sorted[other].identity] + right.walk, "overlap, and the priorities of their parts contradict each other")
            }
            isPlaced[index] = true
            result.append(sorted[index])
        }
        return result
    }

    /// Which of two edges that take the same segment comes first by the priorities of what lies behind them:
    /// true for the left one, nil when no path goes on in both.
    private mutating func verdict(
        _ left: StateGraph.Edge, _ right: StateGraph.Edge, at state: Int, _ states: StateGraph
    ) throws(Failure) -> Bool? {
        var result: Bool?
        let paths = try states.commonPaths(left, right, limit: Self.pairs)
        func conflict(_ path: CommonPaths.Pair, _ what: Bytes) {
            let walk = states.walk(to: state)
            let walks = paths.walks(path, states)
            reportConflict(path.left, path.right, walk + walks.left, walk + walks.right, what)
        }
        for path in paths.pairs where path.left != path.right {
            let (first, second) = (operations[path.left].description.priority, operations[path.right].description.priority)
            if first == second {
                conflict(path, "overlap: some path fits both, and neither is more specific; give one of them a \"priority\"")
                return nil
            }
            if let result, result != (first > second) {
                conflict(path, "overlap, and the priorities of their parts contradict each other")
                return nil
            }
            result = first > second
        }
        // One operation below two resources that nothing else tells apart.
        if result == nil, let path = paths.pairs.first { conflict(path, "are one operation, by two walks that some path fits both of") }
        return result
    }

    // MARK: - Reports

    func label(_ operation: Int) -> Bytes {
        let entry = operations[operation]
        guard let resource = entry.resource else { return entry.name.bytes }
        return "\(resources[resource].name.bytes) \(entry.name.bytes)"
    }

    /// The same as a call says it, `user.status read`: the walk has the resources that it went through.
    private func label(_ operation: Int, _ walk: [CaptureIdentity]) -> Bytes {
        let entry = operations[operation]
        guard let resource = entry.resource else { return entry.name.bytes }
        var names: [Bytes] = []
        for identity in walk where resources.indices.contains(Int(identity.resource)) && identity.parameter == 0 {
            names.append(resources[Int(identity.resource)].name.bytes)
        }
        if entry.description.place == .collection && resources[resource].ids.count == 1 { names.append(resources[resource].name.bytes) }
        // Where walks share a state, the ids on the way may be named after another resource.
        guard names.last == resources[resource].name.bytes else { return label(operation) }
        return "\(names.joined(by: ".")) \(entry.name.bytes)"
    }

    private func path(_ operation: Int) -> Bytes { "/\(operations[operation].path.bytes.withoutLeadingSlash.printable)" }

    private mutating func reportConflict(_ left: Int, _ right: Int, _ what: Bytes, _ walk: [CaptureIdentity]) {
        reportConflict(left, right, walk, walk, what)
    }

    private mutating func reportConflict(
        _ left: Int, _ right: Int, _ leftWalk: [CaptureIdentity], _ rightWalk: [CaptureIdentity], _ what: Bytes
    ) {
        guard conflicts.count < Self.kept else { return }
        // The one that is declared later is where to look.
        var (first, second) = ((left, label(left, leftWalk)), (right, label(right, rightWalk)))
        if right < left { (first, second) = (second, first) }
        func route(_ operation: (index: Int, label: Bytes)) -> Bytes {
            "\(operation.label) (\(operations[operation.index].method.bytes) \(path(operation.index)))"
        }
        let routes: Bytes = first == second ? route(first) : "\(route(first)) and \(route(second))"
        conflicts.append(
            RouteWarning(
                message: "\(routes) \(what)", pointer: operations[second.0].description.pointer, routes: [first.1, second.1]))
    }

    private mutating func reportUnreachable(_ states: StateGraph) {
        for resource in resources where !resource.hasRootMembers && !resource.operations.isEmpty {
            guard !resources.contains(where: { $0.children.contains(resource.index) }) else { continue }
            warnings.append(
                RouteWarning(
                    message: "\(resource.name.bytes) is nested only, and no resource has it: no path leads to it",
                    pointer: resource.description.pointer, routes: [resource.name.bytes]))
        }
        for pair in states.coveredOperations() where warnings.count < Self.kept {
            warnings.append(
                RouteWarning(
                    message:
                        "\(label(pair.covered)) (\(path(pair.covered))) is never reached: each path that fits it is answered by another, such as \(label(pair.by)) (\(path(pair.by)))",
                    pointer: operations[pair.covered].description.pointer,
                    routes: [label(pair.covered), label(pair.by)]))
        }
    }
}
