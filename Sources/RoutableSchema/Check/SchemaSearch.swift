// Finds the values of `enum` and the alternatives of `oneOf` and `anyOf` that a value uses, for coverage.
//
// The search is not recursive: pairs of a value and a schema wait in a list.  Each pair is visited once, so circular references end,
// and the limit of steps is that of one validation.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

struct SchemaSearch {
    private let places: SchemaPlaces
    private let program: SchemaProgram
    private var check: SchemaCheck
    private var waiting: [(value: JSONView, node: Int32)] = []
    private var seen = Set<NumberPair>()

    /// The number of steps of a search, and the number of additional steps for each byte of the text.
    private static let steps = 1 << 22
    private static let stepsPerByte = 8

    init(_ places: SchemaPlaces, direction: SchemaUse, bytes: Int) {
        self.places = places
        program = places.program
        let steps = min(Self.steps &+ min(bytes, SchemaCheck.stepLimit) &* Self.stepsPerByte, SchemaCheck.stepLimit)
        var isResult = false
        if case .result = direction { isResult = true }
        check = SchemaCheck(program, steps: steps &- SchemaCheck.stepLimit, direction: isResult ? .response : .request)
    }

    mutating func add(_ value: JSONView, _ node: Int32) {
        // proof: the compiler made the nodes.
        if places.leads[Int(node)], Memory.hasRoom(waiting) { waiting.append((value, node)) }
    }

    /// Calls `use` with each number that is found; returns false if the number of steps was not sufficient.
    mutating func run(_ use: (Int) -> Void) -> Bool {
        while let (value, node) = waiting.popLast() {
            check.steps &-= 1
            if check.steps < 0 || check.halt != .none { return false }
            if !seen.insert(NumberPair(value.identity, Int(node))).inserted { continue }
            let schema = program.nodes[Int(node)]
            if schema.flags & SchemaNode.forwards != 0 {
                add(value, Int32(truncatingIfNeeded: schema.first))
                continue
            }
            for index in program.instructions(of: Int(node)) {
                let instruction = program.code[index]
                // With `nullable`, validation does not compare null with the values of `enum`, which may contain it.
                if instruction.kinds & value.bit != 0 || instruction.operation == .oneOfConstants { look(index, value, use) }
            }
        }
        return check.halt == .none
    }

    private mutating func look(_ index: Int, _ value: JSONView, _ use: (Int) -> Void) {
        let instruction = program.code[index]
        switch instruction.operation {
        case .oneOfConstants:
            let first = places.first(index)
            if first >= 0, let place = check.place(of: value, in: program.code + index) { use(first &+ place) }
        case .ref, .dynamicRef: add(value, instruction.a)
        case .allOf:
            for entry in 0..<Int(instruction.low) { add(value, program.lists[Int(instruction.a) &+ entry]) }
        case .anyOf, .oneOf: choose(instruction, value, places.first(index), use)
        case .discriminator:
            // proof: the compiler made the discriminator and its list.
            let discriminator = program.discriminators[Int(instruction.a)]
            let all = program.code[Int(discriminator.all)]
            let first = places.first(index)
            guard let branch = check.selected(by: discriminator, value) else {
                if !discriminator.isInherited { choose(all, value, first, use) }
                return
            }
            if branch < 0 { return }
            if first >= 0 { use(first &+ Int(branch)) }
            add(value, program.lists[Int(all.a &+ branch)])
        case .condition:
            let node = check.accepts(value, instruction.a, -1) ? instruction.low : instruction.high
            if node >= 0 { add(value, node) }
        case .items:
            var elements = value.elements
            var skipped = Int(truncatingIfNeeded: instruction.b)
            if !places.leads[Int(instruction.a)] { return }
            while let element = elements.read() {
                if skipped > 0 { skipped &-= 1 } else { add(element, instruction.a) }
            }
        case .prefixItems:
            var elements = value.elements
            for entry in 0..<Int(instruction.low) {
                guard let element = elements.read() else { return }
                add(element, program.lists[Int(instruction.a) &+ entry])
            }
        case .object: lookAtMembers(value, program.plans + Int(instruction.a))
        default: break
        }
    }

    /// Calls `use` for each alternative that accepts the value.
    private mutating func choose(_ instruction: SchemaInstruction, _ value: JSONView, _ first: Int, _ use: (Int) -> Void) {
        for entry in 0..<Int(instruction.low) {
            let node = program.lists[Int(instruction.a) &+ entry]
            if check.accepts(value, node, -1) {
                if first >= 0 { use(first &+ entry) }
                add(value, node)
            }
            if check.halt != .none { return }
        }
    }

    private mutating func lookAtMembers(_ value: JSONView, _ plan: UnsafeMutablePointer<ObjectPlan>) {
        let slots = program.slots + Int(plan.pointee.firstSlot)
        let table = NameTable(slots: slots, count: Int(plan.pointee.slotCount), pool: program.pool)
        var members = value.members
        while let (name, member) = members.read() {
            check.steps &-= 1
            if check.steps < 0 { return }
            let found = table.count > 0 ? table.find(name) : -1
            var isMatched = found >= 0 && slots[found].child >= 0
            if isMatched { add(member, slots[found].child) }
            for index in 0..<Int(plan.pointee.patternCount) {
                // proof: the compiler made the plan and the patterns that it names.
                let entry = program.namePatterns[Int(plan.pointee.firstPattern) &+ index]
                if check.matches(program.patterns[Int(entry.pattern)], name) {
                    isMatched = true
                    add(member, entry.node)
                }
            }
            if !isMatched, plan.pointee.additional >= 0 { add(member, plan.pointee.additional) }
        }
    }
}

extension SchemaCheck {
    /// The index of the schema that a discriminator selects; -1 if the name selects none; nil if the value has no name.
    mutating func selected(by discriminator: SchemaDiscriminator, _ value: JSONView) -> Int32? {
        guard value.bit == SchemaKinds.object.rawValue else { return nil }
        let property = pool + Int(discriminator.property.offset)
        guard let member = member(property, Int(discriminator.property.length), of: value) else {
            return discriminator.fallback >= 0 ? discriminator.fallback : nil
        }
        if member.kind != .text { return nil }
        let slots = self.slots + Int(discriminator.firstSlot)
        let place = NameTable(slots: slots, count: Int(discriminator.slotCount), pool: pool).find(text(of: member))
        return place >= 0 ? slots[place].required : discriminator.fallback
    }
}
