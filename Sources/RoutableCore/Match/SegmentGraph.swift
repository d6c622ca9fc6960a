// The segment graph as declared: nodes, edges and operations; cycles are allowed.
//
// A resource is one member node, and one collection node for each way in which its collection is reached.  All
// parents share them, which makes the cycles.  The templates of operations form trees below these nodes; in
// a tree there is one edge for each symbol, so that standalone operations alone need no subset construction.

/// Several edges of one node may have the same symbol; `StateGraph` resolves that.
struct SegmentGraph {
    struct Edge {
        let symbol: SymbolID
        let target: UInt32
        /// The node at which it begins, for an edge of a tree.
        let owner: UInt32
        /// The index of the next edge of the same node, plus one.
        var next: UInt32
        let identity: CaptureIdentity
        /// Whether it belongs to the tree of standalone operations, whose captures are numbered from left to right.
        let isFree: Bool
    }

    private struct Node {
        var firstEdge: UInt32 = 0
        var lastEdge: UInt32 = 0
        var firstOperation: UInt32 = 0
        /// Whether two of its edges may have the same symbol.
        var isMixed = false
        var isTree = false
    }

    var symbols = SymbolTable()
    private var nodes: [Node] = [Node(isTree: true)]
    private(set) var edges: [Edge] = []
    /// An operation and the index of the next entry of the same node, plus one.
    private var hangings: [(operation: UInt32, next: UInt32)] = []
    /// An open hash table of the edges of trees, by node and symbol.
    private var treeHash: [UInt32] = [UInt32](repeating: 0, count: 64)
    private var treeEdges = 0

    /// Set while standalone operations are added.
    var isHangingFree = false

    static let root = 0

    var nodeCount: Int { nodes.count }

    mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count &- 1
    }

    /// Adds an edge to a node that other edges may lead to as well.
    mutating func link(_ node: Int, _ symbol: SymbolID, to target: Int, _ identity: CaptureIdentity = .none) {
        nodes[node].isTree = false
        if nodes[node].firstEdge != 0 { nodes[node].isMixed = true }
        append(node, symbol, target, identity)
    }

    /// Reserves memory for the routes of this number of operations.
    mutating func reserve(_ operations: Int) {
        nodes.reserveCapacity(operations &* 2)
        edges.reserveCapacity(operations &* 2)
        hangings.reserveCapacity(operations)
        var size = treeHash.count
        while size < operations &* 4 { size &*= 2 }
        if size > treeHash.count { growHash(to: size) }
    }

    private mutating func append(_ node: Int, _ symbol: SymbolID, _ target: Int, _ identity: CaptureIdentity) {
        edges.append(
            Edge(
                symbol: symbol, target: UInt32(truncatingIfNeeded: target), owner: UInt32(truncatingIfNeeded: node), next: 0,
                identity: identity, isFree: isHangingFree))
        let number = UInt32(truncatingIfNeeded: edges.count)
        if nodes[node].firstEdge == 0 {
            nodes[node].firstEdge = number
        } else {
            edges[Int(nodes[node].lastEdge) &- 1].next = number
        }
        nodes[node].lastEdge = number
    }

    /// The node below `node` in the tree of the operations there; made if it does not exist.
    mutating func descend(_ node: Int, _ symbol: SymbolID, _ identity: CaptureIdentity) -> Int {
        if treeHash.count < treeEdges &* 2 &+ 2 { growHash(to: treeHash.count &* 4) }
        let mask = treeHash.count &- 1
        var slot = Self.hash(node, symbol) & mask
        while treeHash[slot] != 0 {
            let edge = Int(treeHash[slot]) &- 1
            if edges[edge].symbol == symbol && Int(edges[edge].owner) == node {
                if edges[edge].identity == identity { return Int(edges[edge].target) }
                // The same segment is one parameter of an operation of a collection, and another one of an operation of a member.
                nodes[node].isMixed = true
            }
            slot = (slot &+ 1) & mask
        }
        nodes.append(Node(isTree: true))
        let target = nodes.count &- 1
        // The edges of a tree node have different symbols; those at the node of a resource may have the symbol of another edge.
        if !nodes[node].isTree && nodes[node].firstEdge != 0 { nodes[node].isMixed = true }
        append(node, symbol, target, identity)
        treeHash[slot] = UInt32(truncatingIfNeeded: edges.count)
        treeEdges &+= 1
        return target
    }

    private mutating func growHash(to size: Int) {
        let mask = size &- 1
        var grown = [UInt32](repeating: 0, count: size)
        for number in treeHash where number != 0 {
            let index = Int(number) &- 1
            var slot = Self.hash(Int(edges[index].owner), edges[index].symbol) & mask
            while grown[slot] != 0 { slot = (slot &+ 1) & mask }
            grown[slot] = number
        }
        treeHash = grown
    }

    private static func hash(_ node: Int, _ symbol: SymbolID) -> Int {
        let mixed = (UInt64(truncatingIfNeeded: node) << 32 | UInt64(symbol.raw)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 33)
    }

    mutating func hang(_ operation: Int, on node: Int) {
        hangings.append((UInt32(truncatingIfNeeded: operation), nodes[node].firstOperation))
        nodes[node].firstOperation = UInt32(truncatingIfNeeded: hangings.count)
    }

    func forEachEdge(of node: Int, _ body: (Edge) -> Void) {
        var number = nodes[node].firstEdge
        while number != 0 {
            let edge = edges[Int(number) &- 1]
            body(edge)
            number = edge.next
        }
    }

    /// The index of a node's first edge, plus one.
    func firstEdge(of node: Int) -> UInt32 { nodes[node].firstEdge }

    func hasOneEdgePerSymbol(_ node: Int) -> Bool { !nodes[node].isMixed }

    func operations(of node: Int) -> [Int] {
        var result: [Int] = []
        var number = nodes[node].firstOperation
        while number != 0 {
            let hanging = hangings[Int(number) &- 1]
            result.append(Int(hanging.operation))
            number = hanging.next
        }
        return result
    }

    func appendOperations(of node: Int, to operations: inout [UInt32]) {
        let start = operations.count
        var number = nodes[node].firstOperation
        while number != 0 {
            let hanging = hangings[Int(number) &- 1]
            operations.append(hanging.operation)
            number = hanging.next
        }
        // The last operation that was added is the first of the list.
        if operations.count &- start > 1 { operations[start...].reverse() }
    }

    func hasOperations(_ node: Int) -> Bool { nodes[node].firstOperation != 0 }
}
