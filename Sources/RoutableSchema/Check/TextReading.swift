// Converts the scalars of a parameter, which are strings, to the strings, numbers and booleans that a schema accepts.
//
// `a=5` is the integer 5 if the schema of a has the type integer, and the string "5" if it has the type string.  If
// several schemas apply to one scalar, the conversion that most of them accept is used; validation of the whole value decides.

package import RoutableCore
internal import RoutableJSON

extension SchemaProgram {
    /// - Throws: `limit` for a value that is nested too deeply.
    package func reading(of value: Value, _ root: Int) throws(Failure) -> Value {
        guard let node = node(root) else { return value }
        return try reading(of: value, [node], 0)
    }

    private func reading(of value: Value, _ nodes: [Int32], _ depth: Int) throws(Failure) -> Value {
        // proof: the recursion ends at the limit of nesting.
        if depth > Limits.jsonDepth { throw Failure(.limit, "the value is nested too deeply") }
        if nodes.isEmpty { return value }
        try Memory.check()
        switch value {
        case .array(let elements):
            let parts = self.parts(of: nodes)
            var result: [Value] = []
            for (index, element) in elements.enumerated() {
                result.append(try reading(of: element, items(index, parts), depth &+ 1))
            }
            return .array(result)
        case .object(let members):
            let parts = self.parts(of: nodes)
            return .object(
                try members.map { (member) throws(Failure) in
                    Value.Member(
                        name: member.name, value: try reading(of: member.value, children(member.name, parts), depth &+ 1))
                })
        default: return try scalar(value, nodes)
        }
    }

    // MARK: Scalars

    private func scalar(_ value: Value, _ nodes: [Int32]) throws(Failure) -> Value {
        var best = value
        var bestCount = -1
        for candidate in Self.readings(of: value) {
            var writer = JSONWriter()
            try writer.value(candidate)
            let count = try writer.text.withJSON { (view) throws(Failure) -> Int in
                var count = 0
                for node in nodes {
                    var check = SchemaCheck(self, direction: .request)
                    if check.accepts(view, node, -1) { count &+= 1 }
                }
                return count
            }
            if count > bestCount { (best, bestCount) = (candidate, count) }
            if count == nodes.count { break }
        }
        return best
    }

    /// The values that a scalar can be converted to; the first is the scalar itself.
    private static func readings(of value: Value) -> [Value] {
        guard case .text(let text) = value else {
            guard !value.isNull, let text = value.scalarText else { return [value] }
            return [value, .text(text)]
        }
        if text == "true" || text == "false" { return [value, .boolean(text == "true")] }
        guard text.storage.withUnsafeBytes({ ScalarText.isNumber($0) }) else { return [value] }
        return [value, Decimal.parse(text).map { .integer($0) } ?? .number(text)]
    }

    // MARK: Schemas of parts

    /// The instructions of the schemas that apply to one value, including alternatives.
    private func parts(of nodes: [Int32]) -> [SchemaInstruction] {
        var result: [SchemaInstruction] = []
        var waiting = nodes
        var seen: [Int32] = []
        while let next = waiting.popLast() {
            if seen.contains(next) || seen.count >= Self.joinedLimit { continue }
            seen.append(next)
            // proof: nodes refer to nodes, and instructions are in the code; the compiler made both.
            let node = self.nodes[Int(next)]
            if node.flags & SchemaNode.forwards != 0 {
                waiting.append(Int32(truncatingIfNeeded: node.first))
                continue
            }
            for index in Int(node.first)..<Int(node.first &+ node.count) {
                let instruction = code[index]
                switch instruction.operation {
                case .ref, .dynamicRef: waiting.append(instruction.a)
                case .allOf, .anyOf, .oneOf: add(instruction, &waiting)
                case .discriminator: add(code[Int(discriminators[Int(instruction.a)].all)], &waiting)
                case .condition:
                    if instruction.low >= 0 { waiting.append(instruction.low) }
                    if instruction.high >= 0 { waiting.append(instruction.high) }
                case .object, .items, .prefixItems: result.append(instruction)
                default: break
                }
            }
        }
        return result
    }

    func add(_ instruction: SchemaInstruction, _ waiting: inout [Int32]) {
        for entry in 0..<Int(instruction.low) { waiting.append(lists[Int(instruction.a) &+ entry]) }
    }

    /// The schemas of an element.
    func items(_ index: Int, _ parts: [SchemaInstruction]) -> [Int32] {
        var result: [Int32] = []
        for part in parts {
            if part.operation == .prefixItems && index < Int(part.b) { result.append(lists[Int(part.a) &+ index]) }
            if part.operation == .items && index >= Int(part.b) { result.append(part.a) }
        }
        return result
    }

    /// The schemas of a member, without those of patterns.
    func children(_ name: Bytes, _ parts: [SchemaInstruction]) -> [Int32] {
        var result: [Int32] = []
        for part in parts where part.operation == .object {
            let plan = plans + Int(part.a)
            let table = NameTable(
                slots: slots + Int(plan.pointee.firstSlot), count: Int(plan.pointee.slotCount), pool: pool)
            let found = name.storage.withUnsafeBytes { text -> Int in
                guard let start = text.baseAddress, table.count > 0 else { return -1 }
                return table.find(NameKey(start, text.count), start, text.count)
            }
            var child = plan.pointee.additional
            if found >= 0 {
                let declared = slots[Int(plan.pointee.firstSlot) &+ found].child
                if declared >= 0 { child = declared }
            }
            if child >= 0 { result.append(child) }
        }
        return result
    }

    /// The maximum number of schemas that are searched for one value.
    private static let joinedLimit = 256
}
