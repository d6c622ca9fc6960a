// Objects: declared members, required members that are not declared, and members whose names match patterns.

internal import RoutableCore

/// A property of joined schemas.
struct SampleProperty {
    let name: Bytes
    var nodes: [Int32]
    var isRequired: Bool
}

extension SchemaSampler {
    mutating func object(_ facts: SampleFacts) throws(Failure) -> Value? {
        var facts = facts
        var properties = self.properties(facts)
        // If the property of a dependent schema is required, the schema applies; otherwise the property is omitted.
        for place in facts.instructions(.dependentSchema, of: program) {
            let instruction = program.code[place]
            let trigger = name(of: Int(instruction.a))
            guard let found = properties.firstIndex(where: { $0.name == trigger }) else { continue }
            if properties[found].isRequired {
                gather(instruction.low, into: &facts)
                properties = self.properties(facts)
            } else {
                properties.remove(at: found)
            }
        }
        let plans = facts.instructions(.object, of: program).map { program.plans[Int(program.code[$0].a)] }
        var least = 0
        var most = Int.max
        for place in facts.instructions(.memberCount, of: program) {
            least = max(least, Int(program.code[place].low))
            most = min(most, Int(program.code[place].high))
        }
        var members: [Value.Member] = []
        var absent: [SampleProperty] = []
        let required = properties.filter { $0.isRequired }.count
        for property in properties {
            let hasRoom = property.isRequired || members.count < most &- required
            guard property.isRequired || hasRoom && wantsOptional() else {
                absent.append(property)
                continue
            }
            if let value = try value(of: property, facts) {
                members.append(Value.Member(name: property.name, value: value))
            } else if property.isRequired {
                return nil
            }
        }
        try addDependents(to: &members, properties, facts)
        for property in absent where members.count < least {
            if let value = try value(of: property, facts) {
                members.append(Value.Member(name: property.name, value: value))
            }
        }
        if members.count < least || properties.isEmpty && depth <= Self.optionalDepth {
            try addOthers(to: &members, plans, until: max(least, style == .plain ? 1 : random.below(3)))
        }
        return members.count >= least && members.count <= most ? .object(members) : nil
    }

    /// The names that a schema declares or requires, in the order of the document.
    func properties(_ facts: SampleFacts) -> [SampleProperty] {
        var found = KeyedValues<Bytes, SampleProperty>()
        for index in facts.instructions(.object, of: program) {
            let plan = program.plans[Int(program.code[index].a)]
            var slot = Int(plan.start)
            for _ in 0..<Int(plan.slotCount) {
                // proof: `next` of a slot is the index of a slot of the same plan.
                let each = program.slots[Int(plan.firstSlot) &+ slot]
                slot = Int(each.next)
                let name = Bytes(program.text(each.offset, each.length))
                let place = found.place(of: name, adding: SampleProperty(name: name, nodes: [], isRequired: false))
                if each.child >= 0 { found.values[place].nodes.append(each.child) }
                if each.required != 0 { found.values[place].isRequired = true }
            }
        }
        let properties = found.values
        // Members that exist only in the other direction are omitted.
        let excuse = direction.excuse
        return excuse == 0 ? properties : properties.filter { $0.nodes.allSatisfy { !program.has(excuse, $0) } }
    }

    private mutating func value(of property: SampleProperty, _ facts: SampleFacts) throws(Failure) -> Value? {
        if let selected = facts.selected, selected.property == property.name { return .text(selected.name) }
        return try value(property.nodes)
    }

    private mutating func wantsOptional() -> Bool {
        if depth > Self.optionalDepth { return false }
        return style == .plain ? depth < 3 || random.below(2) == 0 : random.below(2) == 0
    }

    private func name(of slot: Int) -> Bytes {
        let slot = program.slots[slot]
        return Bytes(program.text(slot.offset, slot.length))
    }

    /// Adds the members that other members require.
    private mutating func addDependents(
        to members: inout [Value.Member], _ properties: [SampleProperty], _ facts: SampleFacts
    ) throws(Failure) {
        let instructions = facts.instructions(.dependentRequired, of: program)
        if instructions.isEmpty { return }
        var known = Set(members.map { $0.name })
        var declared = KeyedValues<Bytes, SampleProperty>()
        for property in properties { declared.set(property, for: property.name) }
        for place in instructions {
            let instruction = program.code[place]
            if !known.contains(name(of: Int(instruction.a))) { continue }
            for index in 0..<Int(instruction.low) {
                let name = name(of: Int(instruction.a) &+ 1 &+ index)
                if !known.insert(name).inserted { continue }
                let property = declared[name] ?? SampleProperty(name: name, nodes: [], isRequired: true)
                if let value = try value(of: property, facts) { members.append(Value.Member(name: name, value: value)) }
            }
        }
    }

    /// Adds members whose names are not declared.
    private mutating func addOthers(
        to members: inout [Value.Member], _ plans: [ObjectPlan], until count: Int
    ) throws(Failure) {
        let additional = plans.compactMap { $0.additional >= 0 ? $0.additional : nil }
        let isClosed = additional.contains { program.nodes[Int($0)].flags & SchemaNode.never != 0 }
        let patterns = plans.flatMap { plan in
            (0..<Int(plan.patternCount)).map { program.namePatterns[Int(plan.firstPattern) &+ $0] }
        }
        if patterns.isEmpty && (isClosed || additional.isEmpty && members.count >= count) { return }
        let names = plans.compactMap { $0.names >= 0 ? $0.names : nil }
        for number in 0..<min(count &+ 8, 64) where members.count < count {
            var name: Bytes = "key\(number &+ 1)"
            var nodes = additional
            if !patterns.isEmpty {
                // proof: the pattern was compiled with the schema.
                let chosen = patterns[random.below(patterns.count)]
                guard let made = self.string(matching: program.patterns[Int(chosen.pattern)], 0...Int.max) else { continue }
                (name, nodes) = (made, [chosen.node])
            } else if !names.isEmpty, case .text(let made)? = try value(names) {
                name = made
            }
            if members.contains(where: { $0.name == name }) { continue }
            if let value = try value(nodes) { members.append(Value.Member(name: name, value: value)) }
        }
    }
}

extension SchemaProgram {
    /// Whether a schema has a flag.  A schema that is only a reference also has the flags of its target.
    func has(_ flag: UInt8, _ node: Int32) -> Bool {
        var node = node
        for _ in 0..<32 {
            // proof: a forwarding node contains the index of a node.
            let schema = nodes[Int(node)]
            if schema.flags & flag != 0 { return true }
            if schema.flags & SchemaNode.forwards == 0 { return false }
            node = Int32(truncatingIfNeeded: schema.first)
        }
        return false
    }
}
