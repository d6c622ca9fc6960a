// The deterministic segment graph, made by the subset construction, which is finite for cycles.
//
// A state is a set of nodes.  Edges of its nodes with the same symbol become one edge, so that the remaining
// choices in a state are between different symbols, in an order that `EdgeOrder` makes total.

struct StateGraph {
    struct Edge {
        var symbol: SymbolID
        var target: UInt32
        var identity: CaptureIdentity
    }

    let graph: SegmentGraph
    /// The start of the nodes of each state, and the end of the last one.  Likewise for edges and operations.
    private(set) var memberStart: [UInt32] = [0]
    private(set) var members: [UInt32] = []
    private(set) var edgeStart: [UInt32] = [0]
    /// Literals in the order in which they were first used, then patterns in the order in which they are tried.
    var edges: [Edge] = []
    private(set) var operationStart: [UInt32] = [0]
    private(set) var operations: [UInt32] = []
    /// The pairs of nodes whose edges with one symbol end at the same node, which leads to an operation; the first `EdgeOrder.kept` of them.
    private(set) var meetings: [(UInt32, UInt32)] = []
    /// Whether an operation of a resource may be reached over a capture with the identity of another one.
    private(set) var isTraced: [Bool] = []
    /// Whether some capture is an id for one operation and a parameter for another.
    private(set) var hasTwoIdentities = false

    /// The state at which the construction stopped, because the routes overlap in too many sequences of segments.
    private(set) var overflow: Int?

    private var stateOfNode: [UInt32]
    /// The state of a set of nodes, by the hash of the set or, if that is used, by the next free number.
    private var stateOfHash: [Int: Int] = [:]
    /// The nodes that lead to an operation; empty until two walks end at one node.
    private var isLive: [Bool] = []
    /// The remaining number of nodes of sets, and edges that are visited for them, beyond one for each node and edge of the graph.
    private var allowance = Limits.overlapSteps

    var count: Int { memberStart.count &- 1 }

    func memberRange(_ state: Int) -> Range<Int> { Int(memberStart[state])..<Int(memberStart[state &+ 1]) }
    func edgeRange(_ state: Int) -> Range<Int> { Int(edgeStart[state])..<Int(edgeStart[state &+ 1]) }
    func operationRange(_ state: Int) -> Range<Int> { Int(operationStart[state])..<Int(operationStart[state &+ 1]) }
    func hasOperations(_ state: Int) -> Bool { !operationRange(state).isEmpty }

    /// Stops early, and sets `overflow`, if there would be more than `Limits.matchStates` states, or too many nodes in all sets.
    init(_ graph: SegmentGraph) {
        self.graph = graph
        stateOfNode = [UInt32](repeating: UInt32.max, count: graph.nodeCount)
        members.reserveCapacity(graph.nodeCount)
        memberStart.reserveCapacity(graph.nodeCount &+ 1)
        isTraced.reserveCapacity(graph.nodeCount)
        edges.reserveCapacity(graph.edges.count)
        edgeStart.reserveCapacity(graph.nodeCount &+ 1)
        operationStart.reserveCapacity(graph.nodeCount &+ 1)
        _ = state(of: UInt32(SegmentGraph.root))
        var state = 0
        while state < count {
            expand(state)
            if allowance < 0 || count > Limits.matchStates || Memory.hasFailed {
                overflow = state
                return
            }
            edgeStart.append(UInt32(truncatingIfNeeded: edges.count))
            for member in memberRange(state) { graph.appendOperations(of: Int(members[member]), to: &operations) }
            operationStart.append(UInt32(truncatingIfNeeded: operations.count))
            state &+= 1
        }
        if hasTwoIdentities { spreadTraces() }
    }

    private mutating func state(of node: UInt32) -> UInt32 {
        let known = stateOfNode[Int(node)]
        if known != UInt32.max { return known }
        members.append(node)
        let state = addState()
        stateOfNode[Int(node)] = state
        return state
    }

    private mutating func state(of set: [UInt32]) -> UInt32 {
        if set.count == 1, let node = set.first { return state(of: node) }
        var hash = Self.hash(of: set)
        while let known = stateOfHash[hash] {
            if isState(known, of: set) { return UInt32(truncatingIfNeeded: known) }
            hash &+= 1
        }
        allowance &-= set.count &+ Self.setSteps
        members.append(contentsOf: set)
        let state = addState()
        stateOfHash[hash] = Int(state)
        return state
    }

    private static func hash(of set: [UInt32]) -> Int {
        var hasher = Hasher()
        for node in set { hasher.combine(node) }
        return hasher.finalize()
    }

    private func isState(_ state: Int, of set: [UInt32]) -> Bool {
        let range = memberRange(state)
        guard range.count == set.count else { return false }
        for (place, node) in set.enumerated() where members[range.lowerBound &+ place] != node { return false }
        return true
    }

    private mutating func addState() -> UInt32 {
        memberStart.append(UInt32(truncatingIfNeeded: members.count))
        isTraced.append(false)
        return UInt32(truncatingIfNeeded: count &- 1)
    }

    /// The steps that count for a new set, in addition to its nodes: its entries in the tables.
    private static let setSteps = 8

    private mutating func expand(_ state: Int) {
        let range = memberRange(state)
        if range.count == 1 && graph.hasOneEdgePerSymbol(Int(members[range.lowerBound])) {
            var number = graph.firstEdge(of: Int(members[range.lowerBound]))
            while number != 0 {
                let edge = graph.edges[Int(number) &- 1]
                edges.append(Edge(symbol: edge.symbol, target: self.state(of: edge.target), identity: edge.identity))
                number = edge.next
            }
            return
        }
        var all: [(edge: SegmentGraph.Edge, source: UInt32)] = []
        for member in range {
            let node = members[member]
            graph.forEachEdge(of: Int(node)) { all.append(($0, node)) }
        }
        if range.count > 1 { allowance &-= all.count }
        all.sort {
            $0.edge.symbol.raw != $1.edge.symbol.raw
                ? $0.edge.symbol.raw < $1.edge.symbol.raw
                : $0.edge.target != $1.edge.target ? $0.edge.target < $1.edge.target : $0.source < $1.source
        }
        var index = 0
        while index < all.count {
            let symbol = all[index].edge.symbol
            var targets: [UInt32] = []
            var identity = all[index].edge.identity
            var source = all[index].source
            let first = index
            while index < all.count && all[index].edge.symbol == symbol {
                let next = all[index]
                if targets.last == next.edge.target {
                    addMeeting(at: next.edge.target, source, next.source)
                } else {
                    targets.append(next.edge.target)
                    source = next.source
                }
                // The id of a resource is preferred to a parameter of an operation, so that walks need no tracing.
                if next.edge.identity.resource >= 0 && identity.resource < 0 { identity = next.edge.identity }
                index &+= 1
            }
            let target = self.state(of: targets)
            for position in first..<index where all[position].edge.identity != identity {
                hasTwoIdentities = true
                if !all[position].edge.isFree { isTraced[Int(target)] = true }
            }
            edges.append(Edge(symbol: symbol, target: target, identity: identity))
        }
    }

    private mutating func addMeeting(at node: UInt32, _ left: UInt32, _ right: UInt32) {
        guard meetings.count < EdgeOrder.kept else { return }
        if isLive.isEmpty { isLive = graph.liveNodes() }
        if isLive[Int(node)] { meetings.append((left, right)) }
    }

    private mutating func spreadTraces() {
        var pending = isTraced.indices.filter { isTraced[$0] }
        while let state = pending.popLast() {
            for edge in edges[edgeRange(state)] where !isTraced[Int(edge.target)] {
                isTraced[Int(edge.target)] = true
                pending.append(Int(edge.target))
            }
        }
    }

    /// Whether each state has an operation, or an edge to a later state: then every state leads to an operation.
    private var isTreeOfOperations: Bool {
        for state in 0..<count where operationStart[state] == operationStart[state &+ 1] {
            let end = Int(edgeStart[state &+ 1])
            // One edge is checked: if it leads to an earlier state, the full computation follows.
            if Int(edgeStart[state]) == end || Int(edges[end &- 1].target) <= state { return false }
        }
        return true
    }

    /// Removes the edges to states from which no operation can be reached.
    mutating func prune() {
        if isTreeOfOperations { return }
        var isLive = [Bool](repeating: false, count: count)
        var pending: [Int] = []
        for state in 0..<count where hasOperations(state) {
            isLive[state] = true
            pending.append(state)
        }
        let sources = sources()
        while let state = pending.popLast() {
            for source in sources.of(state) where !isLive[Int(source)] {
                isLive[Int(source)] = true
                pending.append(Int(source))
            }
        }
        if isLive.allSatisfy({ $0 }) { return }
        var kept: [Edge] = []
        kept.reserveCapacity(edges.count)
        var starts: [UInt32] = [0]
        for state in 0..<count {
            for edge in edges[edgeRange(state)] where isLive[Int(edge.target)] { kept.append(edge) }
            starts.append(UInt32(truncatingIfNeeded: kept.count))
        }
        edges = kept
        edgeStart = starts
    }

    /// The edges in reverse direction.
    struct Sources {
        fileprivate var start: [Int]
        fileprivate var all: [UInt32]

        /// The states from which an edge leads to a state, once for each edge.
        func of(_ state: Int) -> ArraySlice<UInt32> { all[start[state]..<start[state &+ 1]] }
    }

    func sources() -> Sources {
        var start = [Int](repeating: 0, count: count &+ 1)
        for edge in edges { start[Int(edge.target) &+ 1] &+= 1 }
        for state in 0..<count { start[state &+ 1] &+= start[state] }
        var all = [UInt32](repeating: 0, count: edges.count)
        var next = start
        for state in 0..<count {
            for edge in edgeRange(state) {
                let target = Int(edges[edge].target)
                all[next[target]] = UInt32(truncatingIfNeeded: state)
                next[target] &+= 1
            }
        }
        return Sources(start: start, all: all)
    }
}
