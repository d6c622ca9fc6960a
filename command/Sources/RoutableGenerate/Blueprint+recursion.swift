// Finds records that contain themselves without a list, a map or a union in between.  A Swift struct cannot; they become classes.

internal import RoutableCore

extension Blueprint {
    /// The standalone operations whose bodies nest more than 32 records, by their indexes.  Records that contain
    /// each other count as one record.
    func deepActions() -> Set<Int> {
        // The nodes are the records, followed by the unions.
        func node(_ type: Typing) -> Int? {
            var type = type
            while true {
                switch type.shape {
                case .record(let index): return index
                case .union(let index): return records.count + index
                case .list(let inner), .map(let inner): type = inner
                default: return nil
                }
            }
        }
        let edges =
            records.map { $0.fields.compactMap { node($0.type) } } + unions.map { $0.options.compactMap { node($0.type) } }
        var depths = Array(repeating: 0, count: edges.count)
        // The components are sorted so that the targets of a component's edges precede it.
        for (members, _) in Self.components(edges) {
            var depth = 0
            for member in members { for target in edges[member] { depth = max(depth, depths[target]) } }
            if members.contains(where: { $0 < records.count }) { depth += 1 }
            for member in members { depths[member] = depth }
        }
        return Set(
            actions.indices.filter { place in
                guard case .typed(let type, _) = actions[place].input, let node = node(type) else { return false }
                return depths[node] > 32
            })
    }

    func recursiveRecords() -> Set<Int> {
        let edges = records.map { record in
            record.fields.compactMap { field -> Int? in if case .record(let index) = field.type.shape { index } else { nil } }
        }
        return Set(Self.cycles(edges).joined())
    }

    /// Flattens unions that contain each other as options.
    mutating func straightenUnions() {
        let edges = unions.map { union in
            union.options.compactMap { option -> Int? in if case .union(let index) = option.type.shape { index } else { nil } }
        }
        for cycle in Self.cycles(edges) {
            let members = Set(cycle)
            var options: [Union.Option] = []
            var seen = Set<Typing>()
            for index in cycle.sorted() {
                for option in unions[index].options {
                    if case .union(let inner) = option.type.shape, members.contains(inner) { continue }
                    if seen.insert(option.type).inserted { options.append(option) }
                }
            }
            if options.isEmpty || options.count * cycle.count > 100_000 {
                let reason =
                    options.isEmpty
                    ? "its alternatives lead only back to themselves" : "too many alternatives lead back to themselves"
                gaps.append(Gap(pointer: unions[cycle[0]].name, reason: reason))
                options = [Union.Option(name: "", type: .any)]
            }
            for index in cycle {
                unions[index].options = options
                unions[index].discriminator = nil
            }
        }
    }

    /// The strongly connected components with an edge within the component.
    private static func cycles(_ edges: [[Int]]) -> [[Int]] {
        components(edges).filter { $0.isCycle }.map { $0.members }
    }

    /// The strongly connected components (Tarjan), in linear time and without recursion.  Each one follows the targets of its edges.
    private static func components(_ edges: [[Int]]) -> [(members: [Int], isCycle: Bool)] {
        var result: [(members: [Int], isCycle: Bool)] = []
        var isOwn = Set<Int>()
        var number = Array(repeating: -1, count: edges.count), low = number
        var isOpen = Array(repeating: false, count: edges.count)
        var open: [Int] = [], next = 0
        for start in edges.indices where number[start] < 0 {
            var path: [(node: Int, edge: Int)] = [(start, 0)]
            while let (node, edge) = path.last {
                if edge == 0 {
                    number[node] = next
                    low[node] = next
                    next += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if edge < edges[node].count {
                    path[path.count - 1].edge += 1
                    let target = edges[node][edge]
                    if target == node { isOwn.insert(node) }
                    if number[target] < 0 {
                        path.append((target, 0))
                    } else if isOpen[target] {
                        low[node] = min(low[node], number[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last { low[parent.node] = min(low[parent.node], low[node]) }
                if low[node] == number[node] {
                    var members: [Int] = []
                    while let member = open.popLast() {
                        isOpen[member] = false
                        members.append(member)
                        if member == node { break }
                    }
                    result.append((members, members.count > 1 || isOwn.contains(node)))
                }
            }
        }
        return result
    }

    /// The maximum numbers of resources and ids of a route; nil if a resource contains itself.
    var longestRoute: (depth: Int, ids: Int)? {
        var known: [Int: (depth: Int, ids: Int)] = [:]
        var open = Set<Int>()
        func longest(_ index: Int) -> (depth: Int, ids: Int)? {
            if let found = known[index] { return found }
            // The library has the same limit for the depth of resources.
            guard open.count < 34, open.insert(index).inserted else { return nil }
            defer { open.remove(index) }
            var depth = 0, ids = 0
            for child in resources[index].children {
                guard let below = longest(child) else { return nil }
                depth = max(depth, below.depth)
                ids = max(ids, below.ids)
            }
            known[index] = (depth + 1, ids + resources[index].ids.count)
            return known[index]
        }
        var result = (depth: 0, ids: 0)
        for index in resources.indices {
            guard let found = longest(index) else { return nil }
            result = (max(result.depth, found.depth), max(result.ids, found.ids))
        }
        return result
    }

    /// The name of an option of a union, by its type.
    func optionName(_ type: Typing) -> String {
        switch type.shape {
        case .text: "text"
        case .choice(let index): choices[index].name
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .any: "json"
        case .record(let index): records[index].name
        case .union(let index): unions[index].name
        case .list(let element): optionName(element) + " list"
        case .map(let value): optionName(value) + " map"
        }
    }
}
