// Members that are not required in one direction: `readOnly` ones in requests, `writeOnly` ones in responses.
//
// `required` and the property with the flag may be in different parts of one allOf, and the flag behind references: the flags
// for a member are collected from all schemas of its object.

internal import RoutableCore
internal import RoutableJSON

extension SchemaCheck {
    /// Whether all required members that an object lacks may be absent in this direction.
    @inline(never)
    mutating func isExcused(_ value: JSONView, _ plan: UnsafeMutablePointer<ObjectPlan>) -> Bool {
        if excuse == 0 { return false }
        let slots = self.slots + Int(plan.pointee.firstSlot)
        for index in 0..<Int(plan.pointee.slotCount) where slots[index].required != 0 {
            steps &-= 1
            if member(pool + Int(slots[index].offset), Int(slots[index].length), of: value) != nil { continue }
            if !mayBeMissing(value, slots + index) { return false }
        }
        return true
    }

    /// Whether a member may be absent in this direction: any schema on the current path that applies to this object can have the flag.
    mutating func mayBeMissing(_ value: JSONView, _ slot: UnsafeMutablePointer<NameSlot>) -> Bool {
        if excuse == 0 { return false }
        var index = path.count
        var seen: [Int32] = []
        while index > 0 {
            index &-= 1
            // proof: below the count.
            if path[index].value != value.identity { break }
            if says(path[index].node, slot, &seen) { return true }
        }
        return false
    }

    /// Whether a schema, or one that it includes by a reference or allOf, has the member as a property with the flag.
    private mutating func says(
        _ start: Int32, _ slot: UnsafeMutablePointer<NameSlot>, _ seen: inout [Int32]
    ) -> Bool {
        let name = pool + Int(slot.pointee.offset)
        let key = NameKey(name, Int(slot.pointee.length))
        var waiting = [start]
        while let next = waiting.popLast() {
            if seen.contains(next) || seen.count >= Self.joinedLimit { continue }
            seen.append(next)
            // proof: nodes refer to nodes, and instructions are in the code; the compiler made both.
            let node = nodes + Int(next)
            if node.pointee.flags & SchemaNode.forwards != 0 {
                waiting.append(Int32(truncatingIfNeeded: node.pointee.first))
                continue
            }
            for index in Int(node.pointee.first)..<Int(node.pointee.first &+ node.pointee.count) {
                steps &-= 1
                let instruction = code + index
                switch instruction.pointee.operation {
                case .ref: waiting.append(instruction.pointee.a)
                case .allOf:
                    for entry in 0..<Int(instruction.pointee.b) { waiting.append(lists[Int(instruction.pointee.a) &+ entry]) }
                case .object:
                    let plan = plans + Int(instruction.pointee.a)
                    let table = NameTable(
                        slots: slots + Int(plan.pointee.firstSlot), count: Int(plan.pointee.slotCount), pool: pool)
                    let found = table.count > 0 ? table.find(key, name, Int(slot.pointee.length)) : -1
                    if found >= 0 {
                        let child = slots[Int(plan.pointee.firstSlot) &+ found].child
                        if child >= 0 && isFlagged(child) { return true }
                    }
                default: break
                }
            }
        }
        return false
    }

    /// Whether a schema, or one that it includes by a reference or allOf, has the flag.
    private mutating func isFlagged(_ start: Int32) -> Bool {
        var seen: [Int32] = []
        var waiting = [start]
        while let next = waiting.popLast() {
            if seen.contains(next) || seen.count >= Self.joinedLimit { continue }
            seen.append(next)
            let node = nodes + Int(next)
            if node.pointee.flags & excuse != 0 { return true }
            if node.pointee.flags & SchemaNode.forwards != 0 {
                waiting.append(Int32(truncatingIfNeeded: node.pointee.first))
                continue
            }
            for index in Int(node.pointee.first)..<Int(node.pointee.first &+ node.pointee.count) {
                steps &-= 1
                let instruction = code + index
                if instruction.pointee.operation == .ref { waiting.append(instruction.pointee.a) }
                if instruction.pointee.operation == .allOf {
                    for entry in 0..<Int(instruction.pointee.b) { waiting.append(lists[Int(instruction.pointee.a) &+ entry]) }
                }
            }
        }
        return false
    }

    /// The maximum number of schemas that are searched for one member.
    private static let joinedLimit = 256
}
