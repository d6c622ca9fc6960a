// The ids of resources: finding the member with the id by the name of the parameter, and generating new ids.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

extension Mock {
    /// The names of the members on the path to the id of an item; empty if the id is not found.
    ///
    /// - Parameters:
    ///   - parameter: the name of the id in the path, such as `petId`.
    ///   - item: a generated item.
    ///   - isSent: whether the item is from a request without a schema: then only the name of the parameter is compared.
    func idMember(_ parameter: Bytes, of item: Value, isSent: Bool = false) -> [Bytes] {
        if !options.idPointer.isEmpty { return JSONPointer.tokens(options.idPointer) }
        // The parameter `userId` matches the members `id` and `user_id`; `organization_name` matches `name`.
        let wanted = Self.plainName(parameter)
        var names: [Bytes] = []
        var best = Bytes()
        var length = 1
        for member in item.members where member.value.isScalar {
            names.append(member.name)
            let plain = Self.plainName(member.name)
            let isBetter = plain.count > length || plain.count == length && member.name == parameter
            if isBetter && wanted.hasSuffix(plain) { (best, length) = (member.name, plain.count) }
        }
        if !best.isEmpty { return [best] }
        if isSent { return [] }
        let isId = wanted.hasSuffix("id") || wanted.hasSuffix("number")
        if let usual = names.first(of: isId ? "id uuid sid name" : "name slug key login id uuid sid") { return [usual] }
        // One level deeper, such as `metadata.name`.
        for member in item.members where member.value.value(at: [parameter])?.isScalar == true {
            return [member.name, parameter]
        }
        return []
    }

    /// The name in lower case, without separators.
    private static func plainName(_ name: Bytes) -> Bytes {
        var plain = Bytes()
        for byte in name.storage where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
            plain.append(ASCII.lowercased(byte))
        }
        return plain
    }

    /// A new id in a collection, of the type that its parameter has.
    ///
    /// - Throws: `unsupported` if the description matches no generated id.
    func newId(_ path: MockPath, _ role: MockRole, like sample: Value?, at names: [Bytes]) throws(Failure) -> Bytes {
        let collection = store.node(path)
        let number: Bytes = "\(Int(collection?.lastNumber ?? 0) &+ 1)"
        var random = SeededRandom(seed: options.seed, sequence: "\(path.text) \(number) \(store.created)")
        var uuid = Bytes()
        for place in 0..<36 {
            let isDash = place == 8 || place == 13 || place == 18 || place == 23
            uuid.append(
                isDash
                    ? UInt8(ascii: "-") : place == 14 ? UInt8(ascii: "4") : place == 19 ? UInt8(ascii: "a") : random.hexDigit())
        }
        var candidates = [number, uuid, "item-\(number)"]
        if case .text(let text)? = sample, text.count == 36 { candidates = [uuid] }
        func isFree(_ id: Bytes) throws(Failure) -> Bool {
            if collection?.child(id)?.value != nil { return false }
            return try isId(path.appending(id), role)
        }
        for candidate in candidates { if try isFree(candidate) { return candidate } }
        // An id that matches the schema of the member with the id, for example its pattern.
        let other = try shape(role.reader)?.another(path.appending("\(store.created)"), options.seed)
        if let made = other?.item(named: role.idName, self).value(at: names)?.scalarText, try isFree(made) { return made }
        throw Failure(.unsupported, "no id of \(path.text) can be generated")
    }

    /// Whether a request to the path of a member is read with this id.
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
}
