// Keywords that become instructions only together; they are completed after all keywords of a schema are read.

internal import RoutableCore
internal import RoutableJSON

/// The keywords of a schema that become instructions only together.
struct Gathered {
    var node = SchemaNode()
    var code: [SchemaInstruction] = []
    var lengths: (minimum: Int32, maximum: Int32) = (0, .max)
    var items: (minimum: Int32, maximum: Int32) = (0, .max)
    var members: (minimum: Int32, maximum: Int32) = (0, .max)
    var hasLengths = false, hasItems = false, hasMembers = false
    var range = NumberRange()
    var extra: [NumberRange] = []
    var properties: JSONView?
    var required: JSONView?
    var patternProperties: JSONView?
    var additional: Int32 = -1
    var names: Int32 = -1
    var itemsNode: Int32 = -1
    var prefix: (first: Int32, count: Int)?
    var contains: Int32 = -1
    var containsCount: (minimum: Int32, maximum: Int32) = (1, .max)
    var condition: Int32 = -1, then: Int32 = -1, otherwise: Int32 = -1
    var isNullable = false
    var discriminator: JSONView?
    /// The name of `format` in the pool.
    var format: (offset: UInt32, length: UInt32) = (0, 0)
    var unevaluated: [SchemaInstruction] = []
}

extension SchemaCompiler {
    func complete(_ gathered: inout Gathered, _ pending: Pending) throws(Failure) {
        var code: [SchemaInstruction] = []
        if gathered.hasLengths {
            code.append(
                SchemaInstruction(
                    operation: .length, keyword: .minLength, kinds: 4,
                    b: SchemaInstruction.pair(gathered.lengths.minimum, gathered.lengths.maximum)))
        }
        if gathered.range.low.keyword != .none || gathered.range.high.keyword != .none {
            for range in [gathered.range] + gathered.extra {
                code.append(
                    SchemaInstruction(
                        operation: .range, keyword: .minimum, kinds: 24, a: Int32(truncatingIfNeeded: tables.ranges.count)))
                tables.ranges.append(range)
            }
        }
        if gathered.hasItems {
            code.append(
                SchemaInstruction(
                    operation: .itemCount, keyword: .minItems, kinds: 2,
                    b: SchemaInstruction.pair(gathered.items.minimum, gathered.items.maximum)))
        }
        if gathered.hasMembers {
            code.append(
                SchemaInstruction(
                    operation: .memberCount, keyword: .minProperties, kinds: 1,
                    b: SchemaInstruction.pair(gathered.members.minimum, gathered.members.maximum)))
        }
        try completeObject(&gathered, pending, &code)
        if let prefix = gathered.prefix {
            code.append(
                SchemaInstruction(
                    operation: .prefixItems, keyword: .prefixItems, kinds: 2, a: prefix.first, b: UInt64(prefix.count)))
        }
        if gathered.itemsNode >= 0 {
            code.append(
                SchemaInstruction(
                    operation: .items, keyword: .items, kinds: 2, a: gathered.itemsNode, b: UInt64(gathered.prefix?.count ?? 0))
            )
        }
        if gathered.contains >= 0 {
            code.append(
                SchemaInstruction(
                    operation: .contains, keyword: .contains, kinds: 2, a: gathered.contains,
                    b: SchemaInstruction.pair(gathered.containsCount.minimum, gathered.containsCount.maximum)))
        }
        try completeChoice(&gathered, pending)
        code.append(contentsOf: gathered.code)
        if gathered.condition >= 0 {
            code.append(
                SchemaInstruction(
                    operation: .condition, keyword: .if, kinds: 255, a: gathered.condition,
                    b: SchemaInstruction.pair(gathered.then, gathered.otherwise)))
        }
        code.append(contentsOf: gathered.unevaluated)
        gathered.code = code
        if gathered.isNullable { allowNull(&gathered) }
    }

    /// With `nullable`, null is valid independently of the other keywords: no instruction applies to it.
    private func allowNull(_ gathered: inout Gathered) {
        gathered.node.kinds |= SchemaKinds.null.rawValue
        for index in gathered.code.indices { gathered.code[index].kinds &= ~SchemaKinds.null.rawValue }
    }

    private func completeObject(
        _ gathered: inout Gathered, _ pending: Pending, _ code: inout [SchemaInstruction]
    ) throws(Failure) {
        if gathered.properties == nil && gathered.required == nil && gathered.patternProperties == nil
            && gathered.additional < 0 && gathered.names < 0
        {
            return
        }
        var plan = ObjectPlan()
        plan.additional = gathered.additional
        plan.names = gathered.names
        var slots: [NameSlot] = []
        if let properties = gathered.properties {
            var members = properties.members
            while let (name, value) = members.read() {
                let child = try node(
                    of: value, pending.resource, parent: pending.node, keyword: .properties, token: name)
                slots.append(slot(name, child: child, required: 0))
            }
        }
        if let required = gathered.required {
            // The declared properties first, sorted by their bytes; then those that are only required.
            var indexes: [Int: Int] = [:]
            for (index, slot) in slots.enumerated() { indexes[Int(slot.offset)] = index }
            var position = 0
            var elements = required.elements
            while let element = elements.read() {
                position &+= 1
                guard element.kind == .text else {
                    try tolerate(
                        Node(element, "\(pointer(to: pending.node))/required/\(position &- 1)").wrongKind(
                            "a required property", "a string"))
                    continue
                }
                let (offset, length) = element.content.storage.withUnsafeBytes { intern($0) }
                if let index = indexes[Int(offset)], slots[index].length == length {
                    if slots[index].required == 0 { plan.requiredCount &+= 1 }
                    slots[index].required = 1
                } else {
                    indexes[Int(offset)] = slots.count
                    slots.append(element.content.storage.withUnsafeBytes { slot($0, child: -1, required: 1) })
                    plan.requiredCount &+= 1
                }
            }
        }
        plan.firstSlot = Int32(truncatingIfNeeded: tables.slots.count)
        plan.slotCount = Int32(truncatingIfNeeded: slots.count)
        var start: Int32 = 0
        tables.pool.withUnsafeBytes { pool in
            if let address = pool.baseAddress { start = NameTable.arrange(&slots, address) }
        }
        plan.start = start
        tables.slots.append(contentsOf: slots)
        plan.firstPattern = Int32(truncatingIfNeeded: tables.namePatterns.count)
        if let patterns = gathered.patternProperties {
            var found: [(pattern: Int32, node: Int32)] = []
            var members = patterns.members
            while let (name, value) = members.read() {
                let index: Int32
                do { index = try pattern(Bytes(name), at: place(value, .patternProperties, pending)) } catch {
                    try tolerate(error)
                    continue
                }
                found.append(
                    (
                        index,
                        try node(
                            of: value, pending.resource, parent: pending.node, keyword: .patternProperties, token: name)
                    ))
            }
            tables.namePatterns.append(contentsOf: found)
            plan.patternCount = Int32(truncatingIfNeeded: found.count)
        }
        code.append(
            SchemaInstruction(
                operation: .object, keyword: .properties, kinds: 1, a: Int32(truncatingIfNeeded: tables.plans.count)))
        tables.plans.append(plan)
    }

    func slot(_ name: UnsafeRawBufferPointer, child: Int32, required: Int32) -> NameSlot {
        let (offset, length) = intern(name)
        let key = name.baseAddress.map { NameKey($0, name.count) }
        return NameSlot(
            head: key?.head ?? 0, tail: key?.tail ?? 0, offset: offset, length: length, child: child, required: required)
    }

    func slot(_ name: [UInt8], child: Int32, required: Int32) -> NameSlot {
        name.withUnsafeBytes { slot($0, child: child, required: required) }
    }

    func intern(_ text: [UInt8]) -> (offset: UInt32, length: UInt32) {
        text.withUnsafeBytes { intern($0) }
    }
}
