// The points of a description, for coverage: the places at which its schemas list values or alternatives.
//
// Validation stops when its result is certain, so it cannot count.  Coverage reads a value a second time, and visits only schemas
// from which a schema with `enum`, `oneOf` or `anyOf` can be reached.  Coverage does not slow down validation.

package import RoutableCore
internal import RoutableJSON

package final class SchemaPlaces: SchemaSurvey {
    package let points: [SchemaPoint]
    let program: SchemaProgram
    private let roots: [Int]
    /// The index of the point of each instruction; -1 for none.
    private let numbers: [Int32]
    /// For each schema, whether a point can be reached from it.
    let leads: [Bool]

    init(_ program: SchemaProgram, _ roots: [Int], _ points: [SchemaPoint], _ numbers: [Int32], nodes: Int) {
        self.program = program
        self.roots = roots
        self.points = points
        self.numbers = numbers
        leads = Self.leads(program, numbers, nodes)
    }

    /// The first number of the point of an instruction; -1 for none.
    func first(_ instruction: Int) -> Int {
        // proof: there is an entry for each instruction, and each entry above -1 is the index of a point.
        numbers[instruction] < 0 ? -1 : points[Int(numbers[instruction])].first
    }

    func node(_ type: Int) -> Int32? { roots.indices.contains(type) ? program.node(roots[type]) : nil }

    /// Marks the schemas from which a point can be reached, starting at the points.
    private static func leads(_ program: SchemaProgram, _ numbers: [Int32], _ nodes: Int) -> [Bool] {
        var result = [Bool](repeating: false, count: nodes)
        // A link has a schema that contains another one, and the previous link to the other one.  `last` has the last link to each schema.
        var last = [Int32](repeating: -1, count: nodes)
        var links: [UInt64] = []
        var waiting: [Int32] = []
        for node in 0..<nodes {
            program.children(Int32(truncatingIfNeeded: node)) { child in
                links.append(SchemaInstruction.pair(Int32(truncatingIfNeeded: node), last[Int(child)]))
                last[Int(child)] = Int32(truncatingIfNeeded: links.count &- 1)
            }
            if program.instructions(of: node).contains(where: { numbers[$0] >= 0 }) {
                result[node] = true
                waiting.append(Int32(truncatingIfNeeded: node))
            }
        }
        while let node = waiting.popLast() {
            var link = last[Int(node)]
            while link >= 0 {
                let pair = links[Int(link)]
                let parent = Int32(truncatingIfNeeded: pair)
                if !result[Int(parent)] {
                    result[Int(parent)] = true
                    waiting.append(parent)
                }
                link = Int32(truncatingIfNeeded: pair >> 32)
            }
        }
        return result
    }

    package func points(of types: [Int], limit: Int) -> [Int] {
        var seen = Set<NumberPair>()
        var waiting: [Int32] = []
        var found: [Int] = []
        func add(_ node: Int32) {
            if leads[Int(node)], seen.count < limit, seen.insert(NumberPair(Int(node), 0)).inserted { waiting.append(node) }
        }
        for type in types { if let node = node(type) { add(node) } }
        while let node = waiting.popLast() {
            program.children(node, add)
            for index in program.instructions(of: Int(node)) where numbers[index] >= 0 { found.append(Int(numbers[index])) }
        }
        return found.ordered { $0 < $1 }
    }

    package func find(
        in json: Bytes, _ type: Int, list: Bytes?, direction: SchemaUse, _ use: (Int) -> Void
    ) throws(Failure) -> Bool {
        guard let node = node(type), leads[Int(node)] else { return true }
        do throws(Failure) {
            return try json.withJSON { view throws(Failure) in
                var search = SchemaSearch(self, direction: direction, bytes: json.count)
                if let list {
                    guard let found = view.find(list) else { return true }
                    var elements = found.value.elements
                    while let element = elements.read() { search.add(element, node) }
                } else {
                    search.add(view, node)
                }
                return search.run(use)
            }
        } catch {
            if error.status == .memory { throw error }
            return false
        }
    }

    package func find(in parameter: Value, isJSON: Bool, _ type: Int, _ use: (Int) -> Void) throws(Failure) -> Bool {
        guard roots.indices.contains(type) else { return true }
        var writer = JSONWriter()
        try writer.value(isJSON ? parameter : try program.reading(of: parameter, roots[type]))
        return try find(in: writer.text, type, list: nil, direction: .body, use)
    }
}

extension SchemaProgram {
    /// The instructions of a schema; empty for a schema that is only a reference.
    func instructions(of node: Int) -> Range<Int> {
        // proof: the compiler made the nodes and their instructions.
        let node = nodes[node]
        return node.flags & SchemaNode.forwards != 0
            ? 0..<0 : Int(node.first)..<Int(node.first &+ node.count)
    }

    /// Calls `use` for the schemas that describe the value of a schema or a part of it; the schema of `not` is not one of them.
    func children(_ number: Int32, _ use: (Int32) -> Void) {
        // proof: the compiler made all of the tables.
        let node = nodes[Int(number)]
        if node.flags & SchemaNode.forwards != 0 { return use(Int32(truncatingIfNeeded: node.first)) }
        for index in instructions(of: Int(number)) {
            var instruction = code[index]
            if instruction.operation == .discriminator { instruction = code[Int(discriminators[Int(instruction.a)].all)] }
            switch instruction.operation {
            case .ref, .dynamicRef, .items: use(instruction.a)
            case .allOf, .anyOf, .oneOf, .prefixItems:
                for entry in 0..<Int(instruction.low) { use(lists[Int(instruction.a) &+ entry]) }
            case .condition:
                if instruction.low >= 0 { use(instruction.low) }
                if instruction.high >= 0 { use(instruction.high) }
            case .object:
                let plan = plans[Int(instruction.a)]
                for slot in Int(plan.firstSlot)..<Int(plan.firstSlot &+ plan.slotCount) where slots[slot].child >= 0 {
                    use(slots[slot].child)
                }
                for pattern in Int(plan.firstPattern)..<Int(plan.firstPattern &+ plan.patternCount) {
                    use(namePatterns[pattern].node)
                }
                if plan.additional >= 0 { use(plan.additional) }
            default: break
            }
        }
    }
}

extension SchemaCompiler {
    /// Finishes the program, and collects its points.
    package func survey(_ roots: [Int]) throws(Failure) -> SchemaPlaces {
        let program = try finish()
        var points: [SchemaPoint] = []
        var numbers = [Int32](repeating: -1, count: tables.code.count)
        var first = 0
        for node in tables.nodes.indices {
            for index in program.instructions(of: node) {
                var instruction = program.code[index]
                if instruction.operation == .discriminator {
                    let all = program.discriminators[Int(instruction.a)].all
                    if instruction.keyword != .discriminator { instruction = program.code[Int(all)] }
                }
                var names: [Bytes] = []
                switch instruction.operation {
                case .oneOfConstants where instruction.keyword == .enumeration:
                    for place in 0..<Int(instruction.low) {
                        names.append(Bytes(program.constant(program.constants + Int(instruction.a) + place).source))
                    }
                case .anyOf, .oneOf:
                    for place in 0..<Int(instruction.low) {
                        names.append(name(of: program.lists[Int(instruction.a) &+ place], program) ?? "\(place)")
                    }
                default: continue
                }
                try Memory.check()
                let number = Int32(truncatingIfNeeded: node)
                let resource = resources.list[Int(program.nodes[node].resource)]
                numbers[index] = Int32(truncatingIfNeeded: points.count)
                points.append(
                    SchemaPoint(
                        place: "\(resource.uri)#\(pointer(to: number))/\(instruction.keyword.name)",
                        isEnumeration: instruction.operation == .oneOfConstants, first: first, names: names))
                first &+= names.count
            }
        }
        return SchemaPlaces(program, roots, points, numbers, nodes: tables.nodes.count)
    }

    /// The name of a schema that is a reference: the last token of the pointer to its target; nil for any other schema.
    private func name(of node: Int32, _ program: SchemaProgram) -> Bytes? {
        // proof: the compiler made the node.
        let schema = program.nodes[Int(node)]
        if schema.flags & SchemaNode.forwards == 0 { return nil }
        return JSONPointer.tokens(pointer(to: Int32(truncatingIfNeeded: schema.first))).last
    }
}
