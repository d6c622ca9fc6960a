// The body of a response: an item or a list in the shape that the description declares for the status.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

/// The declared body of one status of an operation.
struct MockShape {
    let checker: any ValueChecker
    /// A generated body.
    let sample: Value
    let seed: UInt64

    /// A body with an item: the item itself, the member of the body that has its members, or the only element of a list.
    func body(of item: Value) throws(Failure) -> Value? {
        try checker.fit(wrapped(item), seed: seed)
    }

    /// The same with a value that is generated for a path.
    func another(_ path: MockPath, _ seed: UInt64) throws(Failure) -> MockShape {
        let seed = SeededRandom(seed: seed, sequence: path.text).first
        return MockShape(checker: checker, sample: try checker.sample(seed: seed, style: .plain) ?? sample, seed: seed)
    }

    private func wrapped(_ item: Value) -> Value {
        switch sample {
        case .array: return .array([item])
        case .object(let members):
            guard let name = Self.envelope(members, item) else { return item }
            return sample.setting(item, at: [name])
        default: return item
        }
    }

    /// The item in a body that was made of it.
    func item(in body: Value, like item: Value) -> Value {
        if case .array(let elements) = body { return elements.first ?? item }
        guard case .object(let members) = sample, let name = Self.envelope(members, item) else { return body }
        return body.value(at: [name]) ?? item
    }

    /// The member of a body that holds the item; nil if the body is the item.
    private static func envelope(_ members: [Value.Member], _ item: Value) -> Bytes? {
        guard case .object(let own) = item else { return nil }
        let names = Set(own.map { $0.name })
        func shared(_ members: [Value.Member]) -> Int { members.reduce(0) { $0 &+ (names.contains($1.name) ? 1 : 0) } }
        var best = (name: Bytes?.none, count: shared(members))
        for member in members {
            if case .object(let inner) = member.value, shared(inner) > best.count { best = (member.name, shared(inner)) }
        }
        return best.name
    }

    /// The item in a generated body.
    func item(named parameter: Bytes, _ mock: Mock) -> Value {
        guard case .object(let members) = sample, mock.idMember(parameter, of: sample).isEmpty else { return sample }
        for member in members {
            if case .object = member.value, mock.idMember(parameter, of: member.value).count == 1 { return member.value }
        }
        return sample
    }

    // MARK: - Lists

    /// The names to the array of a list; nil for a body that is no list.
    func listPlace(_ declared: Bytes) -> [Bytes]? {
        if !declared.isEmpty {
            return JSONPointer.tokens(declared)
        }
        switch sample {
        case .array: return []
        case .object(let members):
            let arrays = members.filter { if case .array = $0.value { true } else { false } }
            let usual: [Bytes] = ["items", "data", "results", "entries", "values", "value", "records", "content", "list"]
            for name in usual where arrays.contains(where: { $0.name == name }) { return [name] }
            // An array of objects before an array of strings.
            let ofObjects = arrays.first {
                if case .array(let list) = $0.value, case .object? = list.first { true } else { false }
            }
            return (ofObjects ?? arrays.first).map { [$0.name] }
        default: return nil
        }
    }

    /// A body with a list of items, and the number of all items where the body has a member for it.
    func body(of items: [Value], at place: [Bytes], total: Int) throws(Failure) -> Value? {
        if place.isEmpty { return try checker.fit(.array(items), seed: seed) }
        var body = sample.setting(.array(items), at: place[...])
        if case .object(let members) = body {
            let totals: [Bytes] = ["total", "total_count", "totalCount", "count", "total_items", "totalItems", "total_results"]
            for name in totals where members.contains(where: { $0.name == name && $0.value.isScalar }) {
                body = body.setting(.integer(Int64(total)), at: [name])
            }
        }
        return try checker.fit(body, seed: seed)
    }
}
