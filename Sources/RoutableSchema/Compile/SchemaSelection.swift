// Finds the property that distinguishes the schemas of oneOf or anyOf, if all of them have constants for it.
//
// A check compares the constants first, and validates only against the schemas that have the constant of the value.

/// Reads the tables of a program while it is made.
struct SchemaSelection {
    // proof: the compiler refers only to entries of the tables.
    let nodes: UnsafeMutablePointer<SchemaNode>
    let code: UnsafeMutablePointer<SchemaInstruction>
    let plans: UnsafeMutablePointer<ObjectPlan>
    let slots: UnsafeMutablePointer<NameSlot>
    let constants: UnsafeMutablePointer<SchemaConstant>
    let pool: UnsafeMutablePointer<UInt8>

    /// Appends the slot of the property to the lists, then for each schema the instruction with the constants, then the table of the
    /// constants, and stores the index in the instruction.  Only the first properties are tried, because several lists can refer to
    /// the same large schemas.
    func complete(_ some: UnsafeMutablePointer<SchemaInstruction>, _ lists: inout [Int32], _ lookups: inout [UInt32]) {
        let first = Int(some.pointee.a), count = Int(some.pointee.low), end = lists.count
        for place in properties(of: lists[first]) {
            lists.append(Int32(truncatingIfNeeded: place))
            for entry in first..<first &+ count {
                let test = constants(of: slots + place, in: lists[entry])
                if test < 0 { break }
                lists.append(test)
            }
            if lists.count &- end > count {
                some.pointee.b |= UInt64(end) << 32
                index(end &+ 1, count, &lists, &lookups)
                return
            }
            lists.removeLast(lists.count &- end)
        }
    }

    /// Appends the table of the constants, and for each of its entries the constant and the number of the schema; -1 instead of the
    /// table if there are few schemas, or if two schemas have the same constant.
    @inline(never)
    private func index(_ tests: Int, _ count: Int, _ lists: inout [Int32], _ lookups: inout [UInt32]) {
        let place = lists.count, start = lookups.count
        lists.append(-1)
        if count <= 8 { return }
        var total = 0
        for entry in 0..<count { total &+= code[Int(lists[tests &+ entry])].constantCount }
        let table = Int(ConstantTable.append(total, to: &lookups))
        if table < 0 { return }
        let mask = Int(lookups[table])
        var probes = 64 &* total
        for entry in 0..<count {
            let test = code[Int(lists[tests &+ entry])]
            for number in Int(test.a)..<Int(test.a) &+ test.constantCount
            where constants[number].kind == SchemaKinds.string.rawValue {
                let text = pool + Int(constants[number].offset), length = Int(constants[number].length)
                var slot = Int(truncatingIfNeeded: ConstantTable.hash(text, length)) & mask
                while case let other = Int(lookups[table &+ 1 &+ slot]), other != 0 {
                    probes &-= 1
                    let isSame = constants[Int(lists[place &+ 2 &* other &- 1])].isText(text, length, pool)
                    if isSame || probes < 0 {
                        lists.removeLast(lists.count &- place &- 1)
                        lookups.removeLast(lookups.count &- start)
                        return
                    }
                    slot = (slot &+ 1) & mask
                }
                lists.append(Int32(truncatingIfNeeded: number))
                lists.append(Int32(truncatingIfNeeded: entry))
                lookups[table &+ 1 &+ slot] = UInt32(truncatingIfNeeded: (lists.count &- place &- 1) >> 1)
            }
        }
        lists[place] = Int32(truncatingIfNeeded: table)
    }

    @inline(never)
    private func properties(of node: Int32) -> Range<Int> {
        let found = instruction(.object, of: node)
        if found < 0 { return 0..<0 }
        let plan = plans + Int(code[Int(found)].a)
        return Int(plan.pointee.firstSlot)..<Int(plan.pointee.firstSlot &+ min(plan.pointee.slotCount, 16))
    }

    /// The instruction with up to 16 constants of a schema for a property; -1 for none.
    private func constants(of name: UnsafeMutablePointer<NameSlot>, in node: Int32) -> Int32 {
        for place in properties(of: node) {
            let slot = slots + place
            // Each name is in the pool only once.
            if slot.pointee.offset == name.pointee.offset && slot.pointee.length == name.pointee.length
                && slot.pointee.child >= 0
            {
                let test = instruction(.oneOfConstants, of: slot.pointee.child)
                return test >= 0 && code[Int(test)].low <= 16 ? test : -1
            }
        }
        return -1
    }

    /// The first instruction with this operation among the first instructions of a schema, or of one that it only refers to; -1 for none.
    @inline(never)
    private func instruction(_ operation: SchemaInstruction.Operation, of number: Int32) -> Int32 {
        var node = nodes + Int(number)
        for _ in 0..<8 where node.pointee.flags & SchemaNode.forwards != 0 { node = nodes + Int(node.pointee.first) }
        if node.pointee.flags & SchemaNode.forwards != 0 { return -1 }
        for index in 0..<min(node.pointee.count, 16) {
            let place = node.pointee.first &+ index
            if code[Int(place)].operation == operation { return Int32(truncatingIfNeeded: place) }
        }
        return -1
    }
}
