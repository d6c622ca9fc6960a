// Makes a given value valid, for example the stored resource of a mock, for which each response may have a different schema.

internal import RoutableCore
internal import RoutableJSON

extension SchemaSampler {
    /// A valid value with as many members of the given value as possible; nil if no valid value was found.
    mutating func fit(_ value: Value, _ root: Int) throws(Failure) -> Value? {
        guard let node = program.node(root) else { return value }
        let given = try withoutOtherDirection(value, [node])
        if try accepts(given, root) { return given }
        guard case .object(let members) = given, let sample = try self.value(of: root), case .object(let made) = sample else {
            return try self.value(of: root)
        }
        // Required members that are missing are copied from a generated value.
        var facts = SampleFacts()
        gather(node, into: &facts)
        let required = Set(properties(facts).filter { $0.isRequired }.map { $0.name })
        let candidateMembers = complete(members, with: made, required)
        if try accepts(.object(candidateMembers), root) { return .object(candidateMembers) }
        // Invalid members are removed: first the members that the errors name, and finally all undeclared members.
        var left = candidateMembers
        for _ in 0..<Self.fitRounds {
            try Memory.check()
            let refused = try refusedMembers(.object(left), root)
            let kept = left.filter { !refused.contains($0.name) }
            if kept.count == left.count { break }
            left = complete(kept, with: made, required)
            if try accepts(.object(left), root) { return .object(left) }
        }
        let declared = Set(properties(facts).map { $0.name })
        let rest = complete(left.filter { declared.contains($0.name) }, with: made, required)
        return try accepts(.object(rest), root) ? .object(rest) : sample
    }

    /// The maximum number of validations of an object from which members are removed.
    private static let fitRounds = 4

    /// The members, together with missing required members from a generated value.
    private func complete(
        _ members: [Value.Member], with made: [Value.Member], _ required: Set<Bytes>
    ) -> [Value.Member] {
        let known = Set(members.map { $0.name })
        return members + made.filter { required.contains($0.name) && !known.contains($0.name) }
    }

    /// The names of the members that the errors of a validation name.
    private func refusedMembers(_ value: Value, _ root: Int) throws(Failure) -> Set<Bytes> {
        var writer = JSONWriter()
        try writer.value(value)
        let failure = try writer.text.withJSON {
            program.refusal(of: $0, root, maximumErrors: SchemaProgram.findingLimit, direction: direction)
        }
        var names = Set<Bytes>()
        for reason in failure?.chain ?? [] {
            if let name = JSONPointer.tokens(reason.fields.pointer ?? Bytes()).first { names.insert(name) }
        }
        return names
    }

    /// The value without the members that exist only in the other direction (`readOnly` in a request, `writeOnly` in a response).
    private mutating func withoutOtherDirection(_ value: Value, _ nodes: [Int32]) throws(Failure) -> Value {
        guard direction.excuse != 0, program.hasDirections, case .object(let members) = value else { return value }
        // proof: the recursion is limited by the nesting of the value, which its reader limits.
        try Memory.check()
        var facts = SampleFacts()
        for node in nodes { gather(node, into: &facts) }
        var children = KeyedValues<Bytes, [Int32]>()
        for place in facts.instructions(.object, of: program) {
            let plan = program.plans[Int(program.code[place].a)]
            for slot in Int(plan.firstSlot)..<Int(plan.firstSlot &+ plan.slotCount) where program.slots[slot].child >= 0 {
                let name = Bytes(program.text(program.slots[slot].offset, program.slots[slot].length))
                children.values[children.place(of: name, adding: [])].append(program.slots[slot].child)
            }
        }
        var kept: [Value.Member] = []
        for member in members {
            let nodes = children[member.name] ?? []
            if nodes.contains(where: { program.has(direction.excuse, $0) }) { continue }
            kept.append(Value.Member(name: member.name, value: try withoutOtherDirection(member.value, nodes)))
        }
        return .object(kept)
    }
}
