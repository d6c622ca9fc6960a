// Makes values that a schema accepts, from a seed: for mocks, tests and examples.
//
// A value is made from the compiled schema, and then validated: a keyword that is not considered here can make an attempt fail, but
// never results in an invalid value.  The same seed gives the same values.

internal import CSystem
package import RoutableCore
internal import RoutableJSON

/// Makes the values of one schema.
package struct SchemaSampler {
    let program: SchemaProgram
    let direction: SchemaDirection
    let style: SampleStyle
    var random: SeededRandom
    /// The depth of the current value in the whole value.
    var depth = 0
    /// The number of values that the current attempt may still make.
    private var budget = 0
    /// The use of the examples of schemas: 0: none is used; 1: all are used; 2: half of them are used.
    private var examples = 0

    /// At a greater depth, only required members are made.
    static let optionalDepth = 5
    private static let depthLimit = 40
    private static let attempts = 24
    /// The maximum number of values of one attempt, so that nested lists with many required elements end.
    private static let valueLimit = 20_000

    package init(_ program: SchemaProgram, random: SeededRandom, direction: SchemaDirection, style: SampleStyle) {
        self.program = program
        self.random = random
        self.direction = direction
        self.style = style
    }

    /// A value that the schema of a root accepts; nil if none was found.
    ///
    /// - Throws: `memory`.
    package mutating func value(of root: Int) throws(Failure) -> Value? {
        guard let node = program.node(root) else { return .null }
        for attempt in 0..<Self.attempts {
            // An example may be invalid: the first attempt uses all examples, later attempts a random half of them, and the last attempts none.
            examples = style == .varied || attempt > Self.attempts / 2 ? 0 : attempt == 0 ? 1 : 2
            budget = Self.valueLimit
            depth = 0
            if let value = try value([node]), try accepts(value, root) { return value }
        }
        return nil
    }

    /// Whether a value is valid.
    func accepts(_ value: Value, _ root: Int) throws(Failure) -> Bool {
        var writer = JSONWriter()
        try writer.value(value)
        return try writer.text.withJSON { program.refusal(of: $0, root, direction: direction) == nil }
    }

    // MARK: - One value

    /// A value that satisfies all of these schemas.
    mutating func value(_ nodes: [Int32]) throws(Failure) -> Value? {
        try Memory.check()
        budget &-= 1
        if budget < 0 || depth > Self.depthLimit || csystem_stack_left() < 1 << 16 { return nil }
        depth &+= 1
        defer { depth &-= 1 }
        var facts = SampleFacts()
        for node in nodes { gather(node, into: &facts) }
        if facts.kinds == 0 || facts.isTooLarge { return nil }
        if let first = facts.instructions(.oneOfConstants, of: program).first { return constant(first, facts) }
        if let example = example(facts) { return example }
        switch kind(facts) {
        case .null: return .null
        case .boolean: return .boolean(random.below(2) == 0)
        case .integer: return integer(facts)
        case .real: return real(facts)
        case .string: return try string(facts).map { .text($0) }
        case .array: return try array(facts)
        default: return try object(facts)
        }
    }

    /// The example of one of the schemas, if its kind is allowed.
    private mutating func example(_ facts: SampleFacts) -> Value? {
        for note in facts.notes where note.example >= 0 && examples > 0 {
            let view = program.kept.view(Int(note.example))
            if view.bit & facts.kinds != 0, random.below(examples) == 0 { return view.tree }
        }
        return nil
    }

    /// One of the constants that all lists of constants contain.
    private mutating func constant(_ first: Int, _ facts: SampleFacts) -> Value? {
        var shared: Set<Bytes>?
        for list in facts.instructions(.oneOfConstants, of: program) where list != first {
            let texts = Set(constants(list).map { Bytes($0.source) })
            shared = shared?.intersection(texts) ?? texts
        }
        var values: [JSONView] = []
        for value in constants(first) {
            let isNumber = value.bit & SchemaKinds.number.rawValue != 0
            let kind = isNumber ? SchemaKinds.number.rawValue : value.bit
            if kind & facts.kinds != 0, shared?.contains(Bytes(value.source)) ?? true { values.append(value) }
        }
        return values.isEmpty ? nil : values[random.below(values.count)].tree
    }

    private func constants(_ place: Int) -> [JSONView] {
        let instruction = program.code[place]
        let first = program.constants + Int(instruction.a)
        // proof: an instruction contains a range of the constants of its program.
        return (0..<Int(instruction.low)).map { program.constant(first + $0) }
    }

    private mutating func kind(_ facts: SampleFacts) -> SchemaKinds {
        var kinds = SchemaKinds(rawValue: facts.kinds)
        // A schema without a type describes the kinds to which its keywords apply.
        if kinds.contains(.object) && kinds.contains(.array) && kinds.contains(.string) {
            var concerned = SchemaKinds()
            for place in facts.code where program.code[place].kinds != 255 {
                concerned.formUnion(SchemaKinds(rawValue: program.code[place].kinds))
            }
            concerned.formIntersection(kinds)
            concerned.remove(.null)
            kinds = concerned.isEmpty ? .string : concerned
        }
        if facts.isWhole { kinds.remove(.real) }
        if kinds.contains(.integer) && kinds.contains(.real) { kinds.remove(random.below(3) == 0 ? .real : .integer) }
        if kinds.contains(.null) {
            if kinds == .null || (style == .varied || depth > Self.optionalDepth) && random.below(4) == 0 { return .null }
            kinds.remove(.null)
        }
        let all: [SchemaKinds] = [.object, .array, .string, .integer, .real, .boolean]
        let possible = all.filter { kinds.contains($0) }
        if possible.isEmpty { return kinds.isDisjoint(with: .boolean) ? .null : .boolean }
        return possible[random.below(possible.count)]
    }

    // MARK: - Arrays

    private mutating func array(_ facts: SampleFacts) throws(Failure) -> Value? {
        var least = 0
        var most = style == .plain ? (depth > 3 ? 1 : 2) : random.below(4)
        var limit = Int.max
        var prefix: [[Int32]] = []
        var rest: [Int32] = []
        var required: [Int32] = []
        for place in facts.code {
            let instruction = program.code[place]
            switch instruction.operation {
            case .itemCount:
                least = max(least, Int(instruction.low))
                limit = min(limit, Int(instruction.high))
            case .prefixItems:
                for index in 0..<Int(instruction.b) {
                    let node = program.lists[Int(instruction.a) &+ index]
                    if index < prefix.count { prefix[index].append(node) } else { prefix.append([node]) }
                }
            case .items: rest.append(instruction.a)
            case .contains:
                required.append(contentsOf: repeatElement(instruction.a, count: max(0, min(Int(instruction.low), 64))))
                limit = min(limit, Int.max)
            default: continue
            }
        }
        if depth > Self.optionalDepth { most = 0 }
        most = min(max(least, max(most, max(prefix.count, required.count))), limit)
        guard least <= most, least <= budget else { return nil }
        let isUnique = !facts.instructions(.uniqueItems, of: program).isEmpty
        var elements: [Value] = []
        var texts: Set<Bytes> = []
        var misses = 0
        while elements.count < most && misses < 16 {
            let index = elements.count
            var nodes = index < prefix.count ? prefix[index] : rest
            if index < required.count { nodes.append(required[index]) }
            if let element = try value(nodes) {
                let text = isUnique ? try Self.text(element) : "\(index)"
                if texts.insert(text).inserted {
                    elements.append(element)
                    continue
                }
            }
            misses &+= 1
            if budget < 0 { return nil }
        }
        return elements.count >= least && elements.count >= required.count ? .array(elements) : nil
    }

    private static func text(_ value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }
}
