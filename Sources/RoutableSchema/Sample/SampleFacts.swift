// The joined requirements of all schemas that apply to one value, which a generated value must satisfy.

internal import RoutableCore
internal import RoutableJSON

/// The joined schemas of one value.
struct SampleFacts {
    /// The kinds that all schemas allow.
    var kinds = SchemaKinds.any.rawValue
    /// Whether numbers have no fraction.
    var isWhole = false
    /// The instructions for the value itself, as indices into the code.
    var code: [Int] = []
    /// The formats and examples of the schemas.
    var notes: [SchemaNote] = []
    /// The property of a discriminator, with the name that selects a schema.
    var selected: (property: Bytes, name: Bytes)?
    fileprivate var seen = Set<NumberPair>()
    /// Whether the number or the nesting of the schemas is above the limit.
    var isTooLarge = false

    /// The maximum number of schemas that are joined for one value, and the maximum depth of schemas in schemas.
    fileprivate static let joinedLimit = 1024
    fileprivate static let depthLimit = 48

    func instructions(_ operation: SchemaInstruction.Operation, of program: SchemaProgram) -> [Int] {
        // proof: the indices belong to this program.
        code.filter { program.code[$0].operation == operation }
    }
}

extension SchemaSampler {
    /// Adds a schema, the schemas that it refers to, and one schema of each list of alternatives.
    ///
    /// - Parameter mask: the kinds to which the schema applies; it does not restrict other kinds.
    mutating func gather(_ start: Int32, _ mask: UInt8 = 255, into facts: inout SampleFacts, _ depth: Int = 0) {
        guard depth < SampleFacts.depthLimit, facts.seen.count < SampleFacts.joinedLimit else {
            facts.isTooLarge = true
            return
        }
        if !facts.seen.insert(NumberPair(Int(start), 0)).inserted { return }
        // proof: nodes, lists and code contain only indices into the tables of the program.
        let node = program.nodes[Int(start)]
        if let note = program.note(of: start) { facts.notes.append(note) }
        if node.flags & SchemaNode.forwards != 0 {
            gather(Int32(truncatingIfNeeded: node.first), mask, into: &facts, depth &+ 1)
            return
        }
        facts.kinds &= node.kinds | ~mask
        if node.flags & SchemaNode.wholeReals != 0 { facts.isWhole = true }
        for place in Int(node.first)..<Int(node.first &+ node.count) {
            let instruction = program.code[place]
            let inner = mask & instruction.kinds
            if inner == 0 { continue }
            switch instruction.operation {
            case .ref, .dynamicRef: gather(instruction.a, inner, into: &facts, depth &+ 1)
            case .allOf:
                for entry in 0..<Int(instruction.b) {
                    gather(program.lists[Int(instruction.a) &+ entry], inner, into: &facts, depth &+ 1)
                }
            case .anyOf, .oneOf:
                let choices = (0..<Int(instruction.low)).map { program.lists[Int(instruction.a) &+ $0] }
                gather(choice(of: choices, inner, facts), inner, into: &facts, depth &+ 1)
            case .discriminator: gatherSelected(instruction, inner, into: &facts, depth)
            case .condition:
                let (then, otherwise) = (instruction.low, instruction.high)
                if random.below(2) == 0 {
                    gather(instruction.a, inner, into: &facts, depth &+ 1)
                    if then >= 0 { gather(then, inner, into: &facts, depth &+ 1) }
                } else if otherwise >= 0 {
                    gather(otherwise, inner, into: &facts, depth &+ 1)
                }
            case .not: continue
            default: facts.code.append(place)
            }
        }
    }

    /// Selects an alternative that has a kind in common with the other schemas; if the value is deeply nested, preferably a scalar one.
    private mutating func choice(of nodes: [Int32], _ mask: UInt8, _ facts: SampleFacts) -> Int32 {
        let possible = nodes.filter { program.kinds(of: $0) & facts.kinds & mask != 0 }
        let candidates = possible.isEmpty ? nodes : possible
        let first = random.below(candidates.count)
        if depth > SchemaSampler.optionalDepth {
            for index in candidates.indices {
                let node = candidates[(first &+ index) % candidates.count]
                if program.kinds(of: node) & ~SchemaKinds.containers.rawValue != 0 { return node }
            }
        }
        return candidates.indices.contains(first) ? candidates[first] : -1
    }

    private mutating func gatherSelected(
        _ instruction: SchemaInstruction, _ mask: UInt8, into facts: inout SampleFacts, _ depth: Int
    ) {
        // proof: the compiler made the discriminator with this index.
        let discriminator = program.discriminators[Int(instruction.a)]
        let list = program.code[Int(discriminator.all)]
        let count = Int(discriminator.slotCount)
        if count == 0 {
            let choices = (0..<Int(list.low)).map { program.lists[Int(list.a) &+ $0] }
            gather(choice(of: choices, mask, facts), mask, into: &facts, depth &+ 1)
            return
        }
        let slot = program.slots[Int(discriminator.firstSlot) &+ random.below(count)]
        facts.selected = (
            Bytes(program.text(discriminator.property.offset, discriminator.property.length)),
            Bytes(program.text(slot.offset, slot.length))
        )
        gather(program.lists[Int(list.a) &+ Int(slot.required)], mask, into: &facts, depth &+ 1)
    }
}

extension SchemaProgram {
    /// A string in the pool, which is valid as long as the program.
    func text(_ offset: UInt32, _ length: UInt32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pool + Int(offset), count: Int(length))
    }

    /// The annotations of a schema; nil if it has none.
    func note(of node: Int32) -> SchemaNote? {
        var low = 0
        var high = notes.count
        while low < high {
            let middle = (low &+ high) / 2
            if notes[middle].node < node { low = middle &+ 1 } else { high = middle }
        }
        return low < notes.count && notes[low].node == node ? notes[low] : nil
    }
}
