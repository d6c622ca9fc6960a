// The paths of a document as a tree of their segments, which says what is below what.

internal import RoutableCore

/// A place in the tree.
struct PathNode {
    /// The name of a literal segment, or of the parameter that fills it.
    let name: Bytes
    /// The segment; empty for a parameter.
    let text: Bytes
    let isParameter: Bool
    /// The places of the literal segments below it.
    var literals: [Int] = []
    /// The place of the parameter below it.
    var id: Int?
    /// The operations whose path ends here, by index, with the verb behind a colon.
    var operations: [(index: Int, verb: Bytes?)] = []

    /// Whether a path ends here, or parts into several.
    var isStop: Bool { !operations.isEmpty || !literals.isEmpty }
}

struct PathTree {
    /// The root first; what is below a node comes after it.
    private(set) var nodes = [PathNode(name: Bytes(), text: Bytes(), isParameter: false)]
    private var places: [Key: Int] = [:]

    private struct Key: Hashable {
        let parent: Int
        let name: Bytes
    }

    /// - Throws: `limit`, `memory`.
    mutating func add(_ path: ArraySlice<PathSteps.Step>, verb: Bytes?, operation: Int) throws(Failure) {
        var place = 0
        for step in path {
            try Memory.check()
            switch step {
            case .literal(let name, let text): place = literal(name, text, below: place)
            case .id(let name): place = id(name, below: place)
            }
        }
        if nodes.count > Limits.operations { throw Failure(.limit, "the paths make more than \(Limits.operations) resources") }
        nodes[place].operations.append((operation, verb))
    }

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
