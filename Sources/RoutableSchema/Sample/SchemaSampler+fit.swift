// Makes a value valid that a program has, such as the stored resource of a mock: another schema describes it in each response.

internal import RoutableCore

extension SchemaSampler {
    /// A valid value with as many members of this one as possible; nil if no valid value was found.
    mutating func fit(_ value: Value, _ root: Int) throws(Failure) -> Value? {
        guard let node = program.node(root) else { return value }
        let given = try withoutOtherDirection(value, [node])
        if try accepts(given, root) { return given }
        guard case .object(let members) = given, let sample = try self.value(of: root), case .object(var made) = sample else {
            return try self.value(of: root)
        }
        // The members that are required and missing are those of a generated value.
        var facts = SampleFacts()
        gather(node, into: &facts)
        let required = Set(properties(facts).filter { $0.isRequired }.map { $0.name })
        let known = Set(members.map { $0.name })
        let candidate = Value.object(members + made.filter { required.contains($0.name) && !known.contains($0.name) })
        if try accepts(candidate, root) { return candidate }
        // One by one into the generated value, which is valid.
        for member in members {
            try Memory.check()
            let before = made
            if let index = made.firstIndex(where: { $0.name == member.name }) {
                made[index] = member
            } else {
                made.append(member)
            }
            if try !accepts(.object(made), root) { made = before }
        }
        return .object(made)
    }

    /// The value without the members that only the other direction has.
    private mutating func withoutOtherDirection(_ value: Value, _ nodes: [Int32]) throws(Failure) -> Value {
        guard direction.excuse != 0, program.hasDirections, case .object(let members) = value else { return value }
        // proof: the recursion ends at the nesting of the value, which its reader has limited.
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
