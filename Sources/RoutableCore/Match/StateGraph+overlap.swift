// Questions about two states at once: which paths go on in both, and what can never be reached.

/// The paths that go on over two edges of one state, found by `StateGraph.commonPaths`.
struct CommonPaths {
    /// The operations that a path leads to on either way; one with itself where both meet.
    struct Pair {
        let left: Int
        let right: Int
        fileprivate let visit: Int
    }

    fileprivate struct Visit {
        let states: StatePair
        /// The visit before it, and what the step from there captured.
        let previous: Int
        let leftIdentity: CaptureIdentity
        let rightIdentity: CaptureIdentity
    }

    fileprivate(set) var pairs: [Pair] = []
    fileprivate var visits: [Visit] = []

    /// Whose values a path has on either way, from the two edges on.
    func walks(_ pair: Pair, _ states: StateGraph) -> (left: [CaptureIdentity], right: [CaptureIdentity]) {
        var (left, right): ([CaptureIdentity], [CaptureIdentity]) = ([], [])
        var index = pair.visit
        while index >= 0 {
            left.append(visits[index].leftIdentity)
            right.append(visits[index].rightIdentity)
            index = visits[index].previous
        }
        let end = visits[pair.visit].states
        let rest = end.left.state == end.right.state ? states.firstOperation(from: end.left.state)?.walk ?? [] : []
        return (left.reversed() + rest, right.reversed() + rest)
    }
}

private struct StatePair: Hashable {
    var left: StateGraph.Position
    var right: StateGraph.Position
}

extension StateGraph {
    /// A state, and whether more segments of a value that led to it may follow.
    fileprivate struct Position: Hashable {
        var state: Int
        var isInside: Bool
    }

    /// What one segment does at a position; nil takes any segment that is not empty.
    private struct Move {
        let symbol: SymbolID?
        let to: Position
        let identity: CaptureIdentity
    }

    private func moves(_ position: Position) -> [Move] {
        var result: [Move] = []
        if position.isInside { result.append(Move(symbol: nil, to: position, identity: .none)) }
        for edge in edges[edgeRange(position.state)] { result.append(move(edge)) }
        return result
    }

    private func move(_ edge: Edge) -> Move {
        let isSpan = isCatchAll(edge)
        return Move(
            symbol: isSpan ? nil : edge.symbol, to: Position(state: Int(edge.target), isInside: isSpan), identity: edge.identity)
    }

    private func mayMeet(_ left: Move, _ right: Move) -> Bool {
        guard let leftSymbol = left.symbol, let rightSymbol = right.symbol else {
            return !isEmptySymbol(left.symbol) && !isEmptySymbol(right.symbol)
        }
        return graph.symbols.mayOverlap(leftSymbol, rightSymbol)
    }

    /// The operations that one path leads to over two edges of one state, in pairs; one with itself where both meet.
    ///
    /// Failures: `limit` when more than `limit` pairs of states would have to be looked at.
    func commonPaths(_ left: Edge, _ right: Edge, limit: Int) throws(Failure) -> CommonPaths {
        var seen = Set<StatePair>()
        var result = CommonPaths()
        func visit(_ left: Move, _ right: Move, from previous: Int) {
            let states = StatePair(left: left.to, right: right.to)
            if seen.insert(states).inserted {
                result.visits.append(
                    CommonPaths.Visit(
                        states: states, previous: previous, leftIdentity: left.identity, rightIdentity: right.identity))
            }
        }
        visit(move(left), move(right), from: -1)
        var index = 0
        while index < result.visits.count {
            let (left, right) = (result.visits[index].states.left, result.visits[index].states.right)
            // From one state on there is nothing left to choose between the two: an operation with itself.
            if left.state == right.state {
                if let operation = firstOperation(from: left.state)?.operation {
                    result.pairs.append(CommonPaths.Pair(left: operation, right: operation, visit: index))
                }
                index &+= 1
                continue
            }
            if result.visits.count > limit { throw Failure(.limit, "the routes overlap in too many ways to be told apart") }
            for leftOperation in operations[operationRange(left.state)] {
                for rightOperation in operations[operationRange(right.state)] {
                    result.pairs.append(CommonPaths.Pair(left: Int(leftOperation), right: Int(rightOperation), visit: index))
                }
            }
            let rightMoves = moves(right)
            for leftMove in moves(left) {
                for rightMove in rightMoves where mayMeet(leftMove, rightMove) { visit(leftMove, rightMove, from: index) }
            }
            index &+= 1
        }
        return result
    }

    /// Whose values a walk from the root to a state has; the shortest one.
    func walk(to state: Int) -> [CaptureIdentity] {
        search(from: 0) { $0 == state } ?? []
    }

    func isCatchAll(_ edge: Edge) -> Bool {
        !edge.symbol.isLiteral && graph.symbols.patterns[edge.symbol.index].isCatchAll
    }

    private func isEmptySymbol(_ symbol: SymbolID?) -> Bool {
        guard let symbol else { return false }
        return symbol.isLiteral ? graph.symbols.literalRange(symbol.index).isEmpty : graph.symbols.patterns[symbol.index].rank == .empty
    }

    /// Some operation at or behind a state, and the walk to it, for messages.
    func firstOperation(from state: Int) -> (operation: Int, walk: [CaptureIdentity])? {
        var found: Int?
        let walk = search(from: state) { state in
            found = operations[operationRange(state)].first.map { Int($0) }
            return found != nil
        }
        guard let walk, let found else { return nil }
        return (found, walk)
    }

    /// The shortest walk from a state to one that is wanted.
    private func search(from start: Int, _ isWanted: (Int) -> Bool) -> [CaptureIdentity]? {
        var seen: Set<Int> = [start]
        var found: [(state: Int, previous: Int, identity: CaptureIdentity)] = [(start, -1, .none)]
        var index = 0
        while index < found.count {
            if isWanted(found[index].state) {
                var walk: [CaptureIdentity] = []
                var step = index
                while step > 0 {
                    walk.append(found[step].identity)
                    step = found[step].previous
                }
                return walk.reversed()
            }
            for edge in edges[edgeRange(found[index].state)] where seen.insert(Int(edge.target)).inserted {
                found.append((Int(edge.target), index, edge.identity))
            }
            index &+= 1
        }
        return nil
    }

    /// Operations that no path reaches, each with one that answers in its place: behind a parameter whose
    /// texts are all taken by edges that are tried before.
    func coveredOperations() -> [(covered: Int, by: Int)] {
        var result: [(covered: Int, by: Int)] = []
        if !graph.symbols.patterns.contains(where: { $0.rank == .constrained }) { return result }
        var incoming = [Int](repeating: 0, count: count)
        for edge in edges { incoming[Int(edge.target)] &+= 1 }
        for state in 0..<count {
            let range = edgeRange(state)
            for (position, edge) in edges[range].enumerated() where !edge.symbol.isLiteral {
                let pattern = graph.symbols.patterns[edge.symbol.index]
                guard pattern.rank == .constrained, case .parameter(let index)? = pattern.onlyPiece else { continue }
                let earlier = edges[range].prefix(position)
                if let takers = takers(of: graph.symbols.scalars[index], among: earlier) {
                    collectCovered(Int(edge.target), takers, incoming, depth: 0, &result)
                }
            }
        }
        return result
    }

    /// The targets of those earlier edges that together take every text of a scalar.
    private func takers(of scalar: Scalar, among earlier: ArraySlice<Edge>) -> [Int]? {
        for edge in earlier where !edge.symbol.isLiteral {
            let pattern = graph.symbols.patterns[edge.symbol.index]
            if pattern.rank == .constrained, case .parameter(let index)? = pattern.onlyPiece,
                scalar.isPart(of: graph.symbols.scalars[index])
            {
                return [Int(edge.target)]
            }
        }
        guard let values = scalar.listedValues, !values.isEmpty, earlier.count >= values.count else { return nil }
        var result: [Int] = []
        for value in values {
            guard let edge = earlier.first(where: { $0.symbol.isLiteral && graph.symbols.literal($0.symbol.index) == value })
            else { return nil }
            result.append(Int(edge.target))
        }
        return result
    }

    private func collectCovered(
        _ state: Int, _ takers: [Int], _ incoming: [Int], depth: Int, _ result: inout [(covered: Int, by: Int)]
    ) {
        guard depth < 8, incoming[state] == 1, !takers.contains(state) else { return }
        if let by = takers.first.flatMap({ operations[operationRange($0)].first }),
            takers.allSatisfy({ hasOperations($0) })
        {
            for operation in operations[operationRange(state)] { result.append((Int(operation), Int(by))) }
        }
        for edge in edges[edgeRange(state)] {
            var next: [Int] = []
            for taker in takers {
                guard let same = edges[edgeRange(taker)].first(where: { $0.symbol == edge.symbol }) else { break }
                next.append(Int(same.target))
            }
            if next.count == takers.count { collectCovered(Int(edge.target), next, incoming, depth: depth &+ 1, &result) }
        }
    }
}

extension SegmentGraph {
    /// The nodes from which an operation can be reached.
    func liveNodes() -> [Bool] {
        var isLive = (0..<nodeCount).map { hasOperations($0) }
        var isChanged = true
        while isChanged {
            isChanged = false
            for node in 0..<nodeCount where !isLive[node] {
                var found = false
                forEachEdge(of: node) { if isLive[Int($0.target)] { found = true } }
                if found {
                    isLive[node] = true
                    isChanged = true
                }
            }
        }
        return isLive
    }

    /// Member nodes come first behind the root, one per resource.
    func memberResource(of node: Int, _ resourceCount: Int) -> Int? {
        node >= 1 && node <= resourceCount ? node &- 1 : nil
    }
}
