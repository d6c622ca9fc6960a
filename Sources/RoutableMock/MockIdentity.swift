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
        if !options.idPointer.isEmpty { return JSONPointer.tokens(options.idPointer) }
        let names = item.members.filter { $0.value.isScalar }.map { $0.name }
        if names.contains(parameter) { return [parameter] }
        // `userId` has `id` or `user_id`, `organization_name` has `name`.
        let wanted = Self.plainName(parameter)
        var best: (name: Bytes, count: Int)?
        for name in names {
            let plain = Self.plainName(name)
            if plain.count > best?.count ?? 1 && wanted.hasSuffix(plain) { best = (name, plain.count) }
        }
        if let best { return [best.name] }
        let isId = wanted.hasSuffix("id") || wanted.hasSuffix("number")
        for usual in Bytes.words(isId ? "id uuid sid name" : "name slug key login id uuid sid") where names.contains(usual) {
            return [usual]
        }
        // One level below, such as `metadata.name`.
        for member in item.members where member.value.value(at: [parameter])?.isScalar == true {
            return [member.name, parameter]
        }
        return []
    }

    /// In lower case, without separators.
    private static func plainName(_ name: Bytes) -> Bytes {
        Bytes(name.lowercased.storage.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") })
    }

    /// A new id of a collection, of the type of its parameter.
    ///
    /// - Throws: `unsupported` if the description matches no generated id.
    func newId(_ path: MockPath, _ role: MockRole, like sample: Value?) throws(Failure) -> Bytes {
        let collection = store.node(path)
        let number: Bytes = "\(Int(collection?.lastNumber ?? 0) &+ 1)"
        var random = SeededRandom(seed: options.seed, sequence: "\(path.text) \(number) \(store.created)")
        let digits = Self.hex(32, &random)
        let uuid = "\(digits.part(0, 8))-\(digits.part(8, 12))-4\(digits.part(13, 16))-a\(digits.part(17, 20))-\(digits.part(20, 32))" as Bytes
        var candidates = [number, uuid, digits.part(0, 24), "item-\(number)"]
        if case .text(let text)? = sample, text.count == 36 { candidates = [uuid] }
        let parameter = role.reader.operation.parameters.last { $0.description.location == .path }
        if role.isReaderOfMembers, let type = parameter?.description.type,
            let checker = try router.router.codec?.checker(of: type, for: .value),
            let made = try checker.sample(seed: random.next(), style: .varied)?.scalarText
        {
            // As the schema of the parameter has it, such as a pattern.
            candidates.append(made)
        }
        for candidate in candidates where collection?.child(candidate)?.value == nil {
            if try isId(path.appending(candidate), role) { return candidate }
        }
        throw Failure(.unsupported, "no id of \(path.text) can be generated")
    }

    /// Whether the description reads an id back from the path of its member.
    func isId(_ path: MockPath, _ role: MockRole) throws(Failure) -> Bool {
        let target = Self.target(path, role)
        let found = try router.place(target, basePath: options.basePath)
        guard let plan = found.plan else { return !found.methods.isEmpty }
        if !plan.endsInId { return false }
        do throws(Failure) {
            try Received(router).read(Incoming(method: "GET", target: target, headers: [], body: Bytes()), reading)
        } catch {
            if error.status == .memory { throw error }
            return error.status != .noMatch && !error.chain.contains { $0.fields.pointer?.hasPrefix("/ids") ?? false }
        }
        return true
    }

    /// The path of a member, percent-encoded.
    static func target(_ path: MockPath, _ role: MockRole) -> Bytes { "/\(path.text)\(role.suffix)" }

    private static func hex(_ count: Int, _ random: inout SeededRandom) -> Bytes {
        var result = Bytes()
        for _ in 0..<count { result.append(random.hexDigit()) }
        return result
    }
}

extension Bytes {
    fileprivate func part(_ start: Int, _ end: Int) -> Bytes { Bytes(storage[start..<end]) }
}
