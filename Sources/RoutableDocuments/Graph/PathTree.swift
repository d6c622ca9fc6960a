// The paths of a document as a tree of their segments.

internal import RoutableCore

/// An operation whose path ends at a node.
struct PathOperation {
    let index: Int
    /// The name that is derived from its path: the text after a colon.
    let verb: Bytes?
    /// Whether the verb is a segment before the whole path.
    var isPrefixed = false
    /// The name of the parameter at the end of its path.
    var id: Bytes?
}

/// A node of the tree.
struct PathNode {
    /// The name of a literal segment, or of the parameter that is the segment.
    let name: Bytes
    /// The segment; empty for a parameter.
    let text: Bytes
    let isParameter: Bool
    /// The nodes of the literal segments below this node.
    var literals: [Int] = []
    /// The node of the parameter below this node.
    var id: Int?
    /// The name of this parameter in the first path in which another parameter follows it.
    var innerName: Bytes?
    var operations: [PathOperation] = []

    /// Whether a path ends at this node, or literal segments follow it.
    var isStop: Bool { !operations.isEmpty || !literals.isEmpty }

    /// Whether nothing follows the node.
    var isLeaf: Bool { literals.isEmpty && id == nil }
}

struct PathTree {
    /// The root is first; a parent precedes its children.
    private(set) var nodes = [PathNode(name: Bytes(), text: Bytes(), isParameter: false)]
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        let parent: Int
        let name: Bytes
    }

    /// - Throws: `limit`, `memory`.
    mutating func add(_ path: ArraySlice<PathSteps.Step>, verb: Bytes?, operation: Int) throws(Failure) {
        var place = 0
        var last: Bytes?
        for step in path {
            try Memory.check()
            switch step {
            case .literal(let name, let text):
                place = literal(name, text, below: place)
                last = nil
            case .id(let name):
                if let last, nodes[place].innerName == nil { nodes[place].innerName = last }
                place = id(name, below: place)
                last = name
            }
        }
        if nodes.count > Limits.operations { throw Failure(.limit, "the paths make more than \(Limits.operations) resources") }
        nodes[place].operations.append(PathOperation(index: operation, verb: verb, id: last))
    }

    /// The node of a literal segment below another node.
    func literal(_ name: Bytes, below parent: Int) -> Int? { places[Key(parent: parent, name: name)] }

    mutating func append(_ operation: PathOperation, to place: Int) { nodes[place].operations.append(operation) }

    /// Moves a literal segment below another node, which has no such segment.
    mutating func move(_ place: Int, below parent: Int, text: Bytes) {
        let old = nodes[place]
        var node = PathNode(name: old.name, text: text, isParameter: false)
        node.operations = old.operations
        nodes[place] = node
        places[Key(parent: parent, name: old.name)] = place
        nodes[parent].literals.append(place)
    }

    mutating func setLiterals(_ literals: [Int], of place: Int) { nodes[place].literals = literals }

    private mutating func literal(_ name: Bytes, _ text: Bytes, below parent: Int) -> Int {
        let key = Key(parent: parent, name: name)
        if let known = places[key] { return known }
        let place = add(PathNode(name: name, text: text, isParameter: false))
        places[key] = place
        nodes[parent].literals.append(place)
        return place
    }

    private mutating func id(_ name: Bytes, below parent: Int) -> Int {
        if let known = nodes[parent].id { return known }
        let place = add(PathNode(name: name, text: Bytes(), isParameter: true))
        nodes[parent].id = place
        return place
    }

    private mutating func add(_ node: PathNode) -> Int {
        nodes.append(node)
        return nodes.count &- 1
    }
}
