// Questions about two states at once: which paths go on in both, and what can never be reached.

extension StateGraph {
    /// The operations that one path leads to from both states, in pairs; one with itself where both meet.
    ///
    /// Failures: `limit` when more than `limit` pairs of states would have to be looked at.
    func commonPaths(_ left: Int, _ right: Int, limit: Int) throws(Failure) -> [(Int, Int)] {
        var seen = Set<UInt64>()
        var pending: [(Int, Int)] = []
        var result: [(Int, Int)] = []
        func visit(_ left: Int, _ right: Int) {
            if seen.insert(UInt64(truncatingIfNeeded: left) << 32 | UInt64(truncatingIfNeeded: right)).inserted {
                pending.append((left, right))
            }
        }
        visit(left, right)
        while let (left, right) = pending.popLast() {
            // From one state on there is nothing left to choose between the two: an operation with itself.
            if left == right {
                if let operation = firstOperation(from: left) { result.append((operation, operation)) }
                continue
            }
            if seen.count > limit { throw Failure(.limit, "the routes overlap in too many ways to be told apart") }
            for leftOperation in operations[operationRange(left)] {
                for rightOperation in operations[operationRange(right)] {
                    result.append((Int(leftOperation), Int(rightOperation)))
                }
            }
            for leftEdge in edges[edgeRange(left)] {
                for rightEdge in edges[edgeRange(right)] {
                    let isLeftRest = isCatchAll(leftEdge)
                    let isRightRest = isCatchAll(rightEdge)
                    if !isLeftRest && !isRightRest {
                        if graph.symbols.mayOverlap(leftEdge.symbol, rightEdge.symbol) {
                            visit(Int(leftEdge.target), Int(rightEdge.target))
                        }
                        continue
                    }
                    // A catch-all takes whatever the other side goes on with.
                    let lefts = isLeftRest ? [Int(leftEdge.target)] : statesBehind(leftEdge)
                    let rights = isRightRest ? [Int(rightEdge.target)] : statesBehind(rightEdge)
                    for left in lefts { for right in rights { visit(left, right) } }
                }
            }
        }
        return result
    }

    func isCatchAll(_ edge: Edge) -> Bool {
        !edge.symbol.isLiteral && graph.symbols.patterns[edge.symbol.index].isCatchAll
    }

    /// The states that a catch-all at the place of this edge competes with.
    private func statesBehind(_ edge: Edge) -> [Int] {
        guard !isEmptyLiteral(edge) else { return [] }
        var seen: Set<Int> = [Int(edge.target)]
        var pending = [Int(edge.target)]
        while let state = pending.popLast() {
            for next in edges[edgeRange(state)] where !isEmptyLiteral(next) && seen.insert(Int(next.target)).inserted {
                pending.append(Int(next.target))
            }
        }
        return Array(seen).ordered { $0 < $1 }
    }

    func isEmptyLiteral(_ edge: Edge) -> Bool {
        edge.symbol.isLiteral && graph.symbols.literalRange(edge.symbol.index).isEmpty
    }

    /// Some operation at or behind a state, for messages.
    func firstOperation(from state: Int) -> Int? {
        var seen: Set<Int> = [state]
        var pending = [state]
        while let state = pending.popLast() {
            if let operation = operations[operationRange(state)].first { return Int(operation) }
            for edge in edges[edgeRange(state)] where seen.insert(Int(edge.target)).inserted {
                pending.append(Int(edge.target))
            }
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
