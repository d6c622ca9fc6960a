// The parts of a value that its schema declares as secret: `writeOnly`, and the format `password`.

internal import RoutableCore
internal import RoutableJSON

extension SchemaProgram {
    /// The value with each secret part replaced.  All alternatives of a schema are searched, whether or not the value is valid for them.
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
        var parts: [SchemaInstruction] = []
        if isSecret(starts, &parts) { return mask(value) }
        switch value {
        case .object(let members):
            return .object(
                members.map {
                    Value.Member(name: $0.name, value: masked($0.value, children($0.name, parts) + patterns(parts), mask))
                })
        case .array(let elements):
            return .array(elements.enumerated().map { masked($0.element, items($0.offset, parts), mask) })
        default: return value
        }
    }

    /// The schemas of all patterns of names.  Names are not matched with the patterns, so that undeclared parts may be masked, too, but no
    /// secret part remains.
    private func patterns(_ parts: [SchemaInstruction]) -> [Int32] {
        var nodes: [Int32] = []
        for part in parts where part.operation == .object {
            // proof: the compiler made the plan, and the patterns that it names.
            let plan = plans[Int(part.a)]
            for index in 0..<Int(plan.patternCount) { nodes.append(namePatterns[Int(plan.firstPattern) &+ index].node) }
        }
        return nodes
    }

    /// Whether one of the schemas, or a schema that they combine or refer to, declares a secret; if not, `parts` gets their instructions
    /// for members and elements.
    private func isSecret(_ starts: [Int32], _ parts: inout [SchemaInstruction]) -> Bool {
        var waiting = starts
        var seen = Set<NumberPair>()
        while let next = waiting.popLast() {
            if next < 0 || !seen.insert(NumberPair(Int(next), 0)).inserted { continue }
            // Beyond the limit, the value is treated as a secret.
            if seen.count > Self.secretLimit { return true }
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
                case .allOf, .anyOf, .oneOf: add(instruction, &waiting)
                case .condition: waiting += [instruction.a, instruction.low, instruction.high]
                case .dependentSchema: waiting.append(instruction.low)
                case .discriminator: add(code[Int(discriminators[Int(instruction.a)].all)], &waiting)
                case .object, .items, .prefixItems: parts.append(instruction)
                default: break
                }
            }
        }
        return false
    }

    /// The maximum number of schemas that are searched for one value.
    private static let secretLimit = 1024
}
