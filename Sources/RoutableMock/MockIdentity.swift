// The id of a resource: the member that has it, found by the name of the parameter, and new ids.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

extension Mock {
    /// The names of the members to the id of an item; empty if none is known.
    ///
    /// - Parameters:
    ///   - parameter: the name of the id in the path, such as `petId`.
    ///   - item: a generated item.
    func idMember(_ parameter: Bytes, of item: Value) -> [Bytes] {
        if !options.idPointer.isEmpty {
            return JSONPointer.tokens(options.idPointer)
        }
        guard case .object(let members) = item else { return [] }
        if let name = Self.idMember(parameter, among: members) { return [name] }
        // One level below, such as `metadata.name`.
        for member in members {
            if case .object(let inner) = member.value, inner.contains(where: { $0.name == parameter && $0.value.isScalar }) {
                return [member.name, parameter]
            }
        }
        return []
    }

    private static func idMember(_ parameter: Bytes, among members: [Value.Member]) -> Bytes? {
        let names = members.filter { $0.value.isScalar }.map { $0.name }
        if names.contains(parameter) { return parameter }
        // `userId` has `id` or `user_id`, `organization_name` has `name`.
        let wanted = plainName(parameter)
        var best: Bytes?
        for name in names {
            let plain = plainName(name)
            if plain.count < 2 || !wanted.hasSuffix(plain) { continue }
            if best.map({ plainName($0).count < plain.count }) ?? true { best = name }
        }
        if let best { return best }
        let isId = wanted.hasSuffix("id") || wanted.hasSuffix("number")
        let usual: [Bytes] = isId ? ["id", "uuid", "sid", "name"] : ["name", "slug", "key", "login", "id", "uuid", "sid"]
        return usual.first { names.contains($0) }
    }

    /// In lower case, without separators.
    private static func plainName(_ name: Bytes) -> Bytes {
        Bytes(name.lowercased.storage.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") })
    }

    /// A new id of a collection, of the type of its parameter; nil if the description matches no generated id.
    func newId(_ collection: MockCollection, like sample: Value?) throws(Failure) -> Value? {
        let number = store.lastNumber(collection.path) &+ 1
        var random = SeededRandom(seed: options.seed, sequence: "\(collection.path.text) \(Int(number)) \(store.count)")
        let uuid = Self.uuid(&random)
        var candidates: [Value] = [.integer(number), .text(uuid), .text(Self.hex(24, &random)), .text("item-\(Int(number))")]
        if case .text(let text)? = sample {
            candidates = text.count == 36 ? [.text(uuid)] : [.text("\(Int(number))"), .text(uuid)] + candidates
        }
        for candidate in candidates {
            guard let text = candidate.scalarText else { continue }
            let path = collection.path.appending(text)
            if store.member(path) == nil, try isId(path, of: collection) { return candidate }
        }
        return nil
    }

    /// Whether the description reads an id back from the path of its member.
    func isId(_ path: MockPath, of collection: MockCollection) throws(Failure) -> Bool {
        let target: Bytes = "\(collection.target)/\(path.encodedLast)"
        let found = try router.place(target, basePath: options.basePath)
        guard let plan = found.plan else { return !found.methods.isEmpty }
        if !plan.endsInId { return false }
        var reading = ReceiveOptions()
        reading.basePath = options.basePath
        do throws(Failure) {
            try Received(router).read(Incoming(method: "GET", target: target, headers: [], body: Bytes()), reading)
        } catch {
            if error.status == .memory { throw error }
            return error.status != .noMatch && !error.chain.contains { $0.fields.pointer?.hasPrefix("/ids") ?? false }
        }
        return true
    }

    private static func hex(_ count: Int, _ random: inout SeededRandom) -> Bytes {
        var result = Bytes()
        for _ in 0..<count { result.append(random.hexDigit()) }
        return result
    }

    private static func uuid(_ random: inout SeededRandom) -> Bytes {
        "\(hex(8, &random))-\(hex(4, &random))-4\(hex(3, &random))-a\(hex(3, &random))-\(hex(12, &random))"
    }
}

extension MockPath {
    var encodedLast: Bytes { PercentCoding.encode(last, .unreserved) }
}

extension Value {
    var isScalar: Bool {
        switch self {
        case .text, .integer, .real, .number, .boolean: true
        case .null, .array, .object: false
        }
    }

    /// A member by the names to it.
    func value(at names: [Bytes]) -> Value? { JSONPointer.target(names, in: self) }

    /// The same with another value at the names to it; objects that are missing are added.
    func setting(_ new: Value, at names: ArraySlice<Bytes>) -> Value {
        // proof: the recursion ends with the names.
        guard let first = names.first else { return new }
        var members: [Value.Member] = []
        if case .object(let own) = self { members = own }
        if let index = members.lastIndex(where: { $0.name == first }) {
            members[index].value = members[index].value.setting(new, at: names.dropFirst())
        } else {
            members.append(Value.Member(name: first, value: Value.object([]).setting(new, at: names.dropFirst())))
        }
        return .object(members)
    }
}
