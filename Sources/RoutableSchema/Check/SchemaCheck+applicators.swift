// Schemas that apply to the same value: allOf, anyOf, oneOf, if, and references with the dynamic scope.

internal import RoutableCore
internal import RoutableJSON

extension SchemaCheck {
    mutating func checkAll(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ region: Int
    ) -> Bool {
        var fits = true
        for index in 0..<Int(instruction.pointee.b) {
            let node = lists[Int(instruction.pointee.a) &+ index]
            if !passes(instruction, explains ? "\(index)" : nil, nil, { $0.accepts(value, node, region) }) {
                fits = false
                if isDone { return false }
            }
        }
        return fits
    }

    mutating func checkSome(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ region: Int
    ) -> Bool {
        let isOne = instruction.pointee.operation == .oneOf
        var count = 0
        // A schema refuses every value that its constants refuse; the reasons come from the schemas.
        let tests = Int(instruction.pointee.high)
        let tested = tests > 0 && !explains ? selector(slots + Int(lists[tests]), value) : nil
        let place = tests &+ 1 &+ Int(instruction.pointee.low)
        if let tested, lists[place] >= 0 {
            steps &-= 1
            let chosen = schema(with: tested.plainText, place)
            return chosen >= 0 && branch(value, lists[Int(instruction.pointee.a) &+ chosen], region)
        }
        for index in 0..<Int(instruction.pointee.low) {
            if let tested, !isText(tested, code + Int(lists[tests &+ 1 &+ index])) {
                steps &-= 1
                continue
            }
            if branch(value, lists[Int(instruction.pointee.a) &+ index], region) {
                count &+= 1
                if isOne ? count > 1 : region < 0 { break }
            }
            if halt != .none { return false }
        }
        if count == 1 || count > 1 && !isOne { return true }
        if explains { explainSome(instruction, value, count) }
        return false
    }

    /// The member that is compared with the constants, if it is a string without escapes.
    private mutating func selector(_ name: UnsafeMutablePointer<NameSlot>, _ value: JSONView) -> JSONView? {
        guard value.bit == SchemaKinds.object.rawValue,
            let found = member(pool + Int(name.pointee.offset), Int(name.pointee.length), of: value),
            found.bit == SchemaKinds.string.rawValue, found.isPlain, found.plainText.count > 0
        else { return nil }
        return found
    }

    /// The number of the schema with a constant, by the table at a place of the lists; -1 for none.
    private mutating func schema(with text: UnsafeRawBufferPointer, _ place: Int) -> Int {
        // proof: SchemaSelection made the table, and the entries that follow it in the lists.
        guard let start = text.baseAddress else { return -1 }
        let table = lookups + Int(lists[place])
        let mask = Int(table.pointee)
        var slot = Int(truncatingIfNeeded: ConstantTable.hash(start, text.count)) & mask
        while case let entry = Int(table[slot &+ 1]), entry != 0 {
            steps &-= 1  // entries can collide
            let constant = constants + Int(lists[place &+ 2 &* entry &- 1])
            if constant.pointee.isText(start, text.count, pool) { return Int(lists[place &+ 2 &* entry]) }
            slot = (slot &+ 1) & mask
        }
        return -1
    }

    /// Validates against a schema that may refuse the value: the parts that it evaluates count only if it accepts the value.
    private mutating func branch(_ value: JSONView, _ node: Int32, _ region: Int) -> Bool {
        let own = region >= 0 ? openRegion(value) : -1
        let fits = tries { $0.accepts(value, node, own) }
        if own >= 0 { closeRegion(own, into: fits ? region : -1) }
        return fits
    }

    mutating func checkCondition(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ region: Int
    ) -> Bool {
        let fits = branch(value, instruction.pointee.a, region)
        if halt != .none { return false }
        let node = fits ? instruction.pointee.low : instruction.pointee.high
        if node < 0 { return true }
        let first = findings.count
        if accepts(value, node, region) { return true }
        if explains { extend(from: first, fits ? .then : .else) }
        return false
    }

    /// The target of a dynamic reference: the schema with the anchor in the outermost resource that has the anchor.
    func dynamicTarget(_ instruction: UnsafeMutablePointer<SchemaInstruction>) -> Int32 {
        for resource in scope {
            for anchor in program.anchors where anchor.name == instruction.pointee.low && anchor.resource == resource {
                return anchor.node
            }
        }
        return instruction.pointee.a
    }
}
