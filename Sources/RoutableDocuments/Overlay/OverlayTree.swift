// The document while overlays change it.  Nodes are created only for the parts that a target visits.

internal import RoutableCore
internal import RoutableJSON

/// One value; a position on a tape until it is visited.
final class OverlayNode {
    struct Member {
        let key: TapeNode
        let tape: Int
        let value: OverlayNode
    }

    enum Content {
        case source
        case object([Member])
        case array([OverlayNode])
    }

    /// The tape of the value, 0 for the document, and its position there, for errors.
    let tape: Int
    let node: TapeNode
    var content = Content.source
    var isRemoved = false
    /// The value of an update that replaces this one.
    var replacement: OverlayNode?

    init(_ tape: Int, _ node: TapeNode) {
        self.tape = tape
        self.node = node
    }

    /// The value itself, or its replacement.
    var current: OverlayNode {
        var found = self
        while let next = found.replacement { found = next }
        return found
    }

    var kind: TapeNode.Kind { node.kind }

    /// The members that were not removed.
    var members: [Member] {
        expand()
        guard case .object(let members) = content else { return [] }
        return members.filter { !$0.value.isRemoved }
    }

    /// The elements that were not removed.
    var elements: [OverlayNode] {
        expand()
        guard case .array(let elements) = content else { return [] }
        return elements.filter { !$0.isRemoved }
    }

    func expand() {
        guard case .source = content else { return }
        var children = node.children
        if kind == .object {
            var members: [Member] = []
            while let child = children.read() {
                members.append(Member(key: child.key, tape: tape, value: OverlayNode(tape, child.value)))
            }
            content = .object(members)
        } else if kind == .array {
            var elements: [OverlayNode] = []
            while let child = children.read() { elements.append(OverlayNode(tape, child.value)) }
            content = .array(elements)
        }
    }
}

/// The limit of visits of all overlays of a document, because a short target can visit every value.
struct OverlayBudget {
    private static let limit = 20_000_000
    private var left = Self.limit

    mutating func visit(_ count: Int = 1) throws(Failure) {
        left &-= count
        if left < 0 { throw Failure(.limit, "the overlays visit more than \(Self.limit) values") }
    }
}

// MARK: - Queries

/// Finds the values that a query selects.
struct OverlayQuery {
    let root: OverlayNode
    var budget: OverlayBudget

    /// The selected values, each once, in the order of the standard.
    mutating func select(_ query: JSONPath.Query) throws(Failure) -> [OverlayNode] {
        var seen = Set<NumberPair>()
        return try nodes(query, root).filter { seen.insert(NumberPair(Int(bitPattern: ObjectIdentifier($0)), 0)).inserted }
    }

    private mutating func nodes(_ query: JSONPath.Query, _ here: OverlayNode) throws(Failure) -> [OverlayNode] {
        var found = [query.isRelative ? here : root.current]
        for segment in query.segments {
            var next: [OverlayNode] = []
            for node in found {
                if segment.isDescendant {
                    try descend(node, segment.selectors, &next, 0)
                } else {
                    for selector in segment.selectors { try choose(selector, node, &next) }
                }
            }
            found = next
        }
        return found
    }

    private mutating func descend(
        _ node: OverlayNode, _ selectors: [JSONPath.Selector], _ result: inout [OverlayNode], _ depth: Int
    ) throws(Failure) {
        // proof: the depth of the recursion is limited by the nesting of the tapes of the document and of the updates.
        if depth > 2 * Limits.jsonDepth { throw Failure(.limit, "the document is nested too deeply") }
        for selector in selectors { try choose(selector, node, &result) }
        for child in try children(node) where child.kind == .object || child.kind == .array {
            try descend(child, selectors, &result, depth &+ 1)
        }
    }

    private mutating func children(_ node: OverlayNode) throws(Failure) -> [OverlayNode] {
        let found: [OverlayNode]
        switch node.kind {
        case .object: found = node.members.map { $0.value.current }
        case .array: found = node.elements.map { $0.current }
        default: return []
        }
        try budget.visit(found.count &+ 1)
        return found
    }

    private mutating func choose(
        _ selector: JSONPath.Selector, _ node: OverlayNode, _ result: inout [OverlayNode]
    ) throws(Failure) {
        switch selector {
        case .name(let name):
            guard node.kind == .object else { return }
            let members = node.members
            try budget.visit(members.count / 16 &+ 1)
            // If names are equal, the last member is valid.
            if let member = members.last(where: { $0.key.string == name }) { result.append(member.value.current) }
        case .every: result.append(contentsOf: try children(node))
        case .index(let index):
            guard node.kind == .array else { return }
            let elements = node.elements
            try budget.visit(elements.count / 16 &+ 1)
            let place = index < 0 ? index &+ Int64(elements.count) : index
            if place >= 0, place < elements.count { result.append(elements[Int(place)].current) }
        case .slice(let start, let end, let step):
            guard node.kind == .array else { return }
            let elements = try children(node)
            for place in Self.places(start, end, step, Int64(elements.count)) { result.append(elements[place]) }
        case .filter(let logic):
            for child in try children(node) where try holds(logic, child) { result.append(child) }
        }
    }

    /// The slice selector of RFC 9535 section 2.3.4.2.2.
    private static func places(_ start: Int64?, _ end: Int64?, _ step: Int64, _ count: Int64) -> [Int] {
        if step == 0 { return [] }
        func normal(_ value: Int64) -> Int64 { value >= 0 ? value : count &+ value }
        var result: [Int] = []
        if step > 0 {
            var place = min(max(normal(start ?? 0), 0), count)
            let upper = min(max(normal(end ?? count), 0), count)
            while place < upper {
                result.append(Int(place))
                place &+= step
            }
        } else {
            var place = min(max(start.map(normal) ?? (count &- 1), -1), count &- 1)
            let lower = min(max(end.map(normal) ?? -1, -1), count &- 1)
            while place > lower {
                result.append(Int(place))
                place &+= step
            }
        }
        return result
    }

    // MARK: Filters

    private mutating func holds(_ logic: JSONPath.Logic, _ node: OverlayNode) throws(Failure) -> Bool {
        // proof: the depth of the recursion is limited by the nesting of brackets in a target.
        switch logic {
        case .any(let parts):
            for part in parts where try holds(part, node) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, node) { return false }
            return true
        case .not(let inner): return try !holds(inner, node)
        case .exists(let query): return try !nodes(query, node).isEmpty
        case .compare(let left, let comparison, let right):
            let first = try value(left, node)
            let second = try value(right, node)
            switch comparison {
            case .equal: return try equal(first, second)
            case .notEqual: return try !equal(first, second)
            case .less: return Self.less(first, second)
            case .greater: return Self.less(second, first)
            case .lessOrEqual:
                if Self.less(first, second) { return true }
                return try equal(first, second)
            case .greaterOrEqual:
                if Self.less(second, first) { return true }
                return try equal(first, second)
            }
        }
    }

    private enum Found {
        case nothing, null, truth(Bool), number(Double), text(Bytes), container(OverlayNode)
    }

    private mutating func value(_ operand: JSONPath.Operand, _ node: OverlayNode) throws(Failure) -> Found {
        switch operand {
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .truth(let truth): return .truth(truth)
        case .null: return .null
        case .query(let query): return try nodes(query, node).first.map(Self.found) ?? .nothing
        case .count(let query): return .number(Double(try nodes(query, node).count))
        case .length(let query):
            switch try nodes(query, node).first.map(Self.found) ?? .nothing {
            case .text(let text): return .number(Double(text.storage.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 &+ 1 }))
            case .container(let found):
                return .number(Double(found.kind == .object ? found.members.count : found.elements.count))
            default: return .nothing
            }
        }
    }

    private static func found(_ node: OverlayNode) -> Found {
        switch node.kind {
        case .null: .null
        case .boolean: .truth(node.node.isTrue)
        case .number: .number(node.node.number ?? 0)
        case .text: .text(node.node.string)
        case .object, .array: .container(node)
        }
    }

    private static func less(_ first: Found, _ second: Found) -> Bool {
        switch (first, second) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.storage.lexicographicallyPrecedes(right.storage)
        default: false
        }
    }

    private mutating func equal(_ first: Found, _ second: Found) throws(Failure) -> Bool {
        // proof: the depth of the recursion is limited by the nesting that a tape allows.
        switch (first, second) {
        case (.nothing, .nothing), (.null, .null): return true
        case (.truth(let left), .truth(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.text(let left), .text(let right)): return left == right
        case (.container(let left), .container(let right)):
            guard left.kind == right.kind else { return false }
            let ours = try children(left)
            let theirs = try children(right)
            guard ours.count == theirs.count else { return false }
            if left.kind == .array {
                for (mine, other) in zip(ours, theirs) where try !equal(Self.found(mine), Self.found(other)) { return false }
                return true
            }
            // If names are equal, the last one is valid.
            var places: [Bytes: Int] = [:]
            for (place, member) in right.members.enumerated() { places[member.key.string] = place }
            for member in left.members {
                guard let place = places[member.key.string] else { return false }
                if try !equal(Self.found(member.value.current), Self.found(right.members[place].value.current)) { return false }
            }
            return true
        default: return false
        }
    }
}
