// The parts of a value that its schema declares as secret: `writeOnly`, and the format `password`.

internal import RoutableCore
internal import RoutableJSON

extension SchemaProgram {
    /// The value with each secret part replaced.  Of alternatives, all count.
    func masked(_ value: Value, root: Int, _ mask: (Value) -> Value) -> Value {
        guard let node = node(root), hasSecrets else { return value }
        return masked(value, [node], mask)
    }

    private var hasSecrets: Bool {
        for note in notes where text(note.format, note.length).equals("password") { return true }
        return hasDirections
    }

    private func masked(_ value: Value, _ starts: [Int32], _ mask: (Value) -> Value) -> Value {
        // proof: the recursion ends at the nesting of the value, which its reader has limited.
        if starts.isEmpty || Memory.cuts() { return value }
        var plans: [ObjectPlan] = []
        var items: [SchemaInstruction] = []
        if isSecret(starts, &plans, &items) { return mask(value) }
        switch value {
        case .object(let members):
            if plans.isEmpty { return value }
            return .object(
                members.map {
                    Value.Member(name: $0.name, value: masked($0.value, children($0.name, plans), mask))
                })
        case .array(let elements):
            if items.isEmpty { return value }
            var result: [Value] = []
            for (index, element) in elements.enumerated() {
                var nodes: [Int32] = []
                for each in items {
                    if each.operation == .prefixItems {
                        if index < Int(each.b) { nodes.append(lists[Int(each.a) &+ index]) }
                    } else if index >= Int(truncatingIfNeeded: each.b) {
                        nodes.append(each.a)
                    }
                }
                result.append(masked(element, nodes, mask))
            }
            return .array(result)
        default: return value
        }
    }

    /// The schemas of a member.
    private func children(_ name: Bytes, _ plans: [ObjectPlan]) -> [Int32] {
        var nodes: [Int32] = []
        for plan in plans {
            let before = nodes.count
            name.storage.withUnsafeBytes { bytes in
                let table = NameTable(slots: slots + Int(plan.firstSlot), count: Int(plan.slotCount), pool: pool)
                if let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), table.count > 0 {
                    let found = table.find(NameKey(start, bytes.count), start, bytes.count)
                    if found >= 0, slots[Int(plan.firstSlot) &+ found].child >= 0 {
                        nodes.append(slots[Int(plan.firstSlot) &+ found].child)
                    }
                }
            }
            // Whether a name matches a pattern is not asked: more than is declared may be masked, and never less.
            for index in 0..<Int(plan.patternCount) { nodes.append(namePatterns[Int(plan.firstPattern) &+ index].node) }
            if nodes.count == before, plan.additional >= 0 { nodes.append(plan.additional) }
        }
        return nodes
    }

    /// Whether one of the schemas, or one that they join, declares a secret; otherwise what they say about members and elements.
    private func isSecret(_ starts: [Int32], _ plans: inout [ObjectPlan], _ items: inout [SchemaInstruction]) -> Bool {
        var waiting = starts
        var seen = Set<NumberPair>()
        while let next = waiting.popLast() {
            if next < 0 || seen.count >= Self.joinedLimit || !seen.insert(NumberPair(Int(next), 0)).inserted { continue }
            // proof: nodes, lists and code only name what is in the tables of the program.
            let node = nodes[Int(next)]
            if node.flags & SchemaNode.writeOnly != 0 { return true }
            if let note = note(of: next), text(note.format, note.length).equals("password") { return true }
            if node.flags & SchemaNode.forwards != 0 {
                waiting.append(Int32(truncatingIfNeeded: node.first))
                continue
            }
            for place in Int(node.first)..<Int(node.first &+ node.count) {
                let instruction = code[place]
                switch instruction.operation {
                case .ref, .dynamicRef: waiting.append(instruction.a)
                case .allOf, .anyOf, .oneOf:
                    let count = instruction.operation == .allOf ? Int(instruction.b) : Int(instruction.low)
                    for entry in 0..<count { waiting.append(lists[Int(instruction.a) &+ entry]) }
                case .condition: waiting += [instruction.a, instruction.low, instruction.high]
                case .dependentSchema: waiting.append(instruction.low)
                case .discriminator:
                    let list = code[Int(discriminators[Int(instruction.a)].all)]
                    for entry in 0..<Int(list.low) { waiting.append(lists[Int(list.a) &+ entry]) }
                case .object: plans.append(self.plans[Int(instruction.a)])
                case .items, .prefixItems: items.append(instruction)
                default: break
                }
            }
        }
        return false
    }

    /// Schemas that are looked at for one value.
    private static let joinedLimit = 1024
}
