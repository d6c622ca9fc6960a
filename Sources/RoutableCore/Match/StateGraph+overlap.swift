// Compares two states: the paths that continue in both, and routes that no path reaches.

/// The paths that continue over two edges of one state, found by `StateGraph.commonPaths`.
struct CommonPaths {
    /// The operations that a path leads to over either edge; the same operation twice if both lead to one state.
    struct Pair {
        let left: Int
        let right: Int
        fileprivate let visit: Int
    }

    fileprivate struct Visit {
        let states: StatePair
        /// The index of the visit before this one, and the captures of the step from there.
        let previous: Int
        let leftIdentity: CaptureIdentity
        let rightIdentity: CaptureIdentity
    }

    fileprivate(set) var pairs: [Pair] = []
    fileprivate var visits: [Visit] = []

    /// The identities of the captures of a path over either of the two edges.
    func walks(_ pair: Pair, _ walks: StateWalks) -> (left: [CaptureIdentity], right: [CaptureIdentity]) {
        var (left, right): ([CaptureIdentity], [CaptureIdentity]) = ([], [])
        var index = pair.visit
        while index >= 0 {
            left.append(visits[index].leftIdentity)
            right.append(visits[index].rightIdentity)
            index = visits[index].previous
        }
        let end = visits[pair.visit].states
        let rest = end.left.state == end.right.state ? walks.firstOperation(from: end.left.state)?.walk ?? [] : []
        return (left.reversed() + rest, right.reversed() + rest)
    }
}

private struct StatePair {
    var left: StateGraph.Position
    var right: StateGraph.Position

    var numbers: NumberPair { NumberPair(left.number, right.number) }
}

extension StateGraph {
    /// A state, and whether more segments of the value that led to it may follow.
    fileprivate struct Position: Equatable {
        var state: Int
        var isInside: Bool

        var number: Int { state << 1 | (isInside ? 1 : 0) }
    }

    /// An edge that one segment follows from a position; a nil symbol matches any segment that is not empty.
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
            symbol: isSpan ? nil : edge.symbol, to: Position(state: Int(edge.target), isInside: isSpan), identity: edge.identity
        )
    }

    private func mayMeet(_ left: Move, _ right: Move, _ proofs: RouteProofs) -> Bool {
        guard let leftSymbol = left.symbol, let rightSymbol = right.symbol else {
            return !isEmptySymbol(left.symbol) && !isEmptySymbol(right.symbol)
        }
        return proofs.mayOverlap(leftSymbol, rightSymbol)
    }

    /// Calls `body` with the moves of two positions that the same segment may follow: a literal is paired only with the same literal.
    private func forEachMeeting(
        _ left: Position, _ right: Position, _ proofs: RouteProofs, _ body: (Move, Move) -> Void
    ) {
        let (leftMoves, rightMoves) = (moves(left), moves(right))
        proofs.charge(leftMoves.count &+ rightMoves.count)
        if leftMoves.count < 8 || rightMoves.count < 8 {
            for left in leftMoves {
                for right in rightMoves where mayMeet(left, right, proofs) { body(left, right) }
                if proofs.isExhausted { return }
            }
            return
        }
        // The indices in `rightMoves` by literal.
        var literals: [Int: Int] = [:]
        var others: [Move] = []
        for (place, move) in rightMoves.enumerated() {
            if let symbol = move.symbol, symbol.isLiteral { literals[Int(symbol.raw)] = place } else { others.append(move) }
        }
        for left in leftMoves {
            let isLiteral = left.symbol?.isLiteral ?? false
            if isLiteral, let symbol = left.symbol, let same = literals[Int(symbol.raw)] { body(left, rightMoves[same]) }
            for right in isLiteral ? others : rightMoves where mayMeet(left, right, proofs) { body(left, right) }
            if proofs.isExhausted { return }
        }
    }

    /// The steps that count for a pair of states, in addition to its moves: its entries in the tables.
    private static var pairSteps: Int { 16 }

    /// The operations that one path leads to over two edges of one state, in pairs; the same operation twice if both lead to one state.
    ///
    /// - Returns: nil if there are too many steps.
    func commonPaths(_ left: Edge, _ right: Edge, _ proofs: RouteProofs, _ walks: StateWalks) -> CommonPaths? {
        var seen = Set<NumberPair>()
        var result = CommonPaths()
        func visit(_ left: Move, _ right: Move, from previous: Int) {
            let states = StatePair(left: left.to, right: right.to)
            if seen.insert(states.numbers).inserted {
                result.visits.append(
                    CommonPaths.Visit(
                        states: states, previous: previous, leftIdentity: left.identity, rightIdentity: right.identity))
            }
        }
        visit(move(left), move(right), from: -1)
        var index = 0
        while index < result.visits.count {
            proofs.charge(Self.pairSteps)
            if proofs.isExhausted { return nil }
            let (left, right) = (result.visits[index].states.left, result.visits[index].states.right)
            // From the same state on, both lead to the same operations: an operation is paired with itself.
            if left.state == right.state {
                if let operation = walks.firstOperation(from: left.state)?.operation {
                    result.pairs.append(CommonPaths.Pair(left: operation, right: operation, visit: index))
                }
                index &+= 1
                continue
            }
            for leftOperation in operations[operationRange(left.state)] {
                proofs.charge(operationRange(right.state).count)
                if proofs.isExhausted { return nil }
                for rightOperation in operations[operationRange(right.state)] {
                    result.pairs.append(CommonPaths.Pair(left: Int(leftOperation), right: Int(rightOperation), visit: index))
                }
            }
            forEachMeeting(left, right, proofs) { visit($0, $1, from: index) }
            index &+= 1
        }
        return result
    }

    func isCatchAll(_ edge: Edge) -> Bool {
        !edge.symbol.isLiteral && graph.symbols.patterns[edge.symbol.index].isCatchAll
    }

    private func isEmptySymbol(_ symbol: SymbolID?) -> Bool {
        guard let symbol else { return false }
        return symbol.isLiteral
            ? graph.symbols.literalRange(symbol.index).isEmpty : graph.symbols.patterns[symbol.index].rank == .empty
    }

    /// Operations that no path reaches, each with one that is found instead: they follow a parameter whose
    /// strings are all matched by edges that are tried before it.  The list is incomplete if `proofs` is exhausted.
    func coveredOperations(_ proofs: RouteProofs) -> [(covered: Int, by: Int)] {
        var result: [(covered: Int, by: Int)] = []
        if !graph.symbols.patterns.contains(where: { $0.rank == .constrained }) { return result }
        var incoming = [Int](repeating: 0, count: count)
        for edge in edges { incoming[Int(edge.target)] &+= 1 }
        for state in 0..<count {
            let range = edgeRange(state)
            // Literals precede all patterns.
            guard let first = range.first(where: { !edges[$0].symbol.isLiteral }) else { continue }
            let others = Array(edges[first..<range.upperBound])
            if !others.contains(where: { scalar(of: $0) != nil }) { continue }
            let found = others.map { graph.symbols.patterns[$0.symbol.index] }
            let candidates = OverlapCandidates.among(found, proofs)
            var literals: [Bytes: Int]?
            for (position, edge) in others.enumerated() {
                if proofs.isExhausted || result.count >= EdgeOrder.kept { return result }
                guard let scalar = scalar(of: edge) else { continue }
                let earlier = candidates?.earlier[position] ?? Array(0..<position)
                let taker = earlier.first { place in
                    guard !proofs.isExhausted, let other = self.scalar(of: others[place]) else { return false }
                    return proofs.isPart(scalar, of: other)
                }
                var takers = taker.map { [Int(others[$0].target)] }
                if takers == nil, let values = proofs.listing(scalar)?.values, !values.isEmpty, first > range.lowerBound {
                    let known = literals ?? literalTargets(range.lowerBound..<first)
                    literals = known
                    let targets = values.compactMap { known[$0] }
                    if targets.count == values.count { takers = targets }
                }
                if let takers { collectCovered(Int(edge.target), takers, incoming, depth: 0, proofs, &result) }
            }
        }
        return result
    }

    /// The scalar of an edge that is a whole segment with a condition.
    private func scalar(of edge: Edge) -> Int? {
        if edge.symbol.isLiteral { return nil }
        let pattern = graph.symbols.patterns[edge.symbol.index]
        guard pattern.rank == .constrained, case .parameter(let index)? = pattern.onlyPiece else { return nil }
        return index
    }

    private func literalTargets(_ range: Range<Int>) -> [Bytes: Int] {
        var result: [Bytes: Int] = [:]
        for edge in edges[range] { result[graph.symbols.literal(edge.symbol.index)] = Int(edge.target) }
        return result
    }

    private func collectCovered(
        _ state: Int, _ takers: [Int], _ incoming: [Int], depth: Int, _ proofs: RouteProofs,
        _ result: inout [(covered: Int, by: Int)]
    ) {
        guard depth < 8, incoming[state] == 1, !takers.contains(state), !proofs.isExhausted else { return }
        if let by = takers.first.flatMap({ operations[operationRange($0)].first }),
            takers.allSatisfy({ hasOperations($0) })
        {
            for operation in operations[operationRange(state)] { result.append((Int(operation), Int(by))) }
        }
        for edge in edges[edgeRange(state)] {
            var next: [Int] = []
            for taker in takers {
                proofs.charge(edgeRange(taker).count)
                guard let same = edges[edgeRange(taker)].first(where: { $0.symbol == edge.symbol }) else { break }
                next.append(Int(same.target))
            }
            if next.count == takers.count {
                collectCovered(Int(edge.target), next, incoming, depth: depth &+ 1, proofs, &result)
            }
        }
    }
}

extension SegmentGraph {
    /// The nodes from which an operation can be reached.
    func liveNodes() -> [Bool] {
        var isLive = (0..<nodeCount).map { hasOperations($0) }
        var start = [Int](repeating: 0, count: nodeCount &+ 1)
        for edge in edges { start[Int(edge.target) &+ 1] &+= 1 }
        for node in 0..<nodeCount { start[node &+ 1] &+= start[node] }
        var sources = [UInt32](repeating: 0, count: edges.count)
        var next = start
        for edge in edges {
            sources[next[Int(edge.target)]] = edge.owner
            next[Int(edge.target)] &+= 1
        }
        var pending = isLive.indices.filter { isLive[$0] }
        while let node = pending.popLast() {
            for source in sources[start[node]..<start[node &+ 1]] where !isLive[Int(source)] {
                isLive[Int(source)] = true
                pending.append(Int(source))
            }
        }
        return isLive
    }

    /// Operations that some nodes lead to: one for each node with an operation that was not found before; two at most.
    func firstOperations(from nodes: ArraySlice<UInt32>) -> [Int] {
        var result: [Int] = []
        for start in nodes where result.count < 2 {
            var seen = Set<NumberPair>()
            seen.insert(NumberPair(Int(start), 0))
            var pending = [start]
            var index = 0
            var found: Int?
            while index < pending.count, found == nil {
                found = operations(of: Int(pending[index])).first { !result.contains($0) }
                forEachEdge(of: Int(pending[index])) {
                    if seen.insert(NumberPair(Int($0.target), 0)).inserted { pending.append($0.target) }
                }
                index &+= 1
            }
            if let found { result.append(found) }
        }
        return result
    }

    /// The resource of a member node: these nodes follow the root, one for each resource.
    func memberResource(of node: Int, _ resourceCount: Int) -> Int? {
        node >= 1 && node <= resourceCount ? node &- 1 : nil
    }
}
