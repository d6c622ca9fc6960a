// Folds segments that are no resources although other segments follow them: verbs before paths that also exist without the verb, and
// literal ids.

internal import RoutableCore

extension PathTree {
    /// Moves operations whose path begins with a verb to the nodes of their paths without the verb: `/watch/pods` to `/pods`.
    ///
    /// - Throws: `memory`.
    mutating func foldVerbs(_ operations: [OperationDescription]) throws(Failure) {
        var waiting = [0]
        while let parent = waiting.popLast() {
            var rest: [Int] = []
            for place in nodes[parent].literals {
                guard let pairs = try mirror(of: place, below: parent, operations) else {
                    rest.append(place)
                    continue
                }
                let verb = nodes[place].name
                for pair in pairs {
                    let name = nodes[pair.there].isParameter ? verb : "\(verb)_list"
                    for operation in nodes[pair.here].operations {
                        append(PathOperation(index: operation.index, verb: name, isPrefixed: true), to: pair.there)
                    }
                }
            }
            if rest.count < nodes[parent].literals.count { setLiterals(rest, of: parent) }
            waiting.append(contentsOf: rest)
        }
    }

    /// The nodes below a segment, each with the corresponding node below the parent; nil if the segment is not a verb.
    private func mirror(
        of verb: Int, below parent: Int, _ operations: [OperationDescription]
    ) throws(Failure) -> [(here: Int, there: Int)]? {
        guard nodes[verb].operations.isEmpty else { return nil }
        var pairs: [(here: Int, there: Int)] = []
        var waiting = [(here: verb, there: parent)]
        while let next = waiting.popLast() {
            try Memory.check()
            let (here, there) = (nodes[next.here], nodes[next.there])
            for operation in here.operations {
                let entry = operations[operation.index]
                guard entry.method == "GET", operation.verb == nil, PathNames.begins(entry, with: nodes[verb].name),
                    there.operations.contains(where: { $0.verb == nil && operations[$0.index].method == "GET" })
                else { return nil }
            }
            if !here.operations.isEmpty { pairs.append(next) }
            for place in here.literals {
                guard let like = literal(nodes[place].name, below: next.there), like != verb else { return nil }
                waiting.append((place, like))
            }
            if let id = here.id {
                guard let like = there.id else { return nil }
                waiting.append((id, like))
            }
        }
        return pairs
    }

    /// Moves pairs of literal segments that correspond to two consecutive parameters, and have the same methods (several) at their end, to the
    /// node before the parameters: for `/metadata/{scope}/{key}` and `/metadata/global/skills`, the latter is `metadata.skills`.
    ///
    /// - Throws: `memory`.
    mutating func foldWrittenIDs(_ operations: [OperationDescription]) throws(Failure) {
        for place in nodes.indices {
            try Memory.check()
            guard let first = nodes[place].id, !nodes[first].isStop, let second = nodes[first].id else { continue }
            let methods = Self.methods(nodes[second], operations)
            if methods.count < 2 { continue }
            var rest: [Int] = []
            var moved: [(place: Int, text: Bytes)] = []
            var names: Set<Bytes> = []
            for outer in nodes[place].literals {
                var stay: [Int] = []
                for inner in nodes[outer].literals {
                    if nodes[outer].operations.isEmpty, nodes[outer].id == nil, nodes[inner].isLeaf,
                        literal(nodes[inner].name, below: place) == nil,
                        Self.methods(nodes[inner], operations) == methods, names.insert(nodes[inner].name).inserted
                    {
                        moved.append((inner, "\(nodes[outer].text)/\(nodes[inner].text)"))
                    } else {
                        stay.append(inner)
                    }
                }
                let isEmptied = !nodes[outer].literals.isEmpty && stay.isEmpty
                if stay.count < nodes[outer].literals.count { setLiterals(stay, of: outer) }
                if !isEmptied { rest.append(outer) }
            }
            if moved.isEmpty { continue }
            setLiterals(rest, of: place)
            for each in moved { move(each.place, below: place, text: each.text) }
        }
    }

    private static func methods(_ node: PathNode, _ operations: [OperationDescription]) -> Set<Bytes> {
        Set(node.operations.map { operations[$0.index].method })
    }
}
