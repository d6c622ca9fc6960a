// The schema of oneOf or anyOf that a discriminator selects.

internal import RoutableCore
internal import RoutableJSON

extension SchemaCheck {
    /// Validates a value with the schema that its property selects; without the property, with the default schema or, without one, with all
    /// schemas, like a value that is not an object.  With an inherited discriminator, such a value needs no selected schema.
    @inline(never)
    mutating func checkChosen(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ bit: UInt8, _ region: Int
    ) -> Bool {
        // proof: the compiler made the discriminator that the instruction refers to.
        let discriminator = program.discriminators[Int(instruction.pointee.a)]
        let isObject = bit == SchemaKinds.object.rawValue
        let found =
            isObject
            ? propertyBytes(discriminator).baseAddress.flatMap {
                self.member($0, propertyBytes(discriminator).count, of: value)
            } : nil
        guard let member = found, member.kind == .text, case let name = text(of: member), let start = name.baseAddress else {
            if isObject, found == nil, discriminator.fallback >= 0 {
                return holdsChosen(instruction, value, discriminator, discriminator.fallback, region)
            }
            return discriminator.isInherited || checkSome(code + Int(discriminator.all), value, region)
        }
        steps &-= 1
        let count = name.count
        let slots = self.slots + Int(discriminator.firstSlot)
        let table = NameTable(slots: slots, count: Int(discriminator.slotCount), pool: pool)
        let place = table.find(NameKey(start, count), start, count)
        let branch = place >= 0 ? slots[place].required : discriminator.fallback
        if branch < 0 {
            // The name is that of the schema itself, or of one that the document does not contain.
            if discriminator.isInherited { return true }
            if explains { explainUnknown(Bytes(name), discriminator) }
            return false
        }
        return holdsChosen(instruction, value, discriminator, branch, region)
    }

    private mutating func holdsChosen(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ discriminator: SchemaDiscriminator,
        _ branch: Int32, _ region: Int
    ) -> Bool {
        // The selected schema may include the selecting one, which was already applied to this value.
        if chosen.contains(where: { $0.value == value.identity && $0.instruction == instruction }) { return true }
        chosen.append((value.identity, instruction))
        defer { chosen.removeLast() }
        let first = findings.count
        let list = code + Int(discriminator.all)
        if accepts(value, lists[Int(list.pointee.a) &+ Int(branch)], region) { return true }
        if explains {
            extend(from: first, instruction.pointee.keyword, discriminator.isInherited ? nil : "\(Int(branch))")
            let name = discriminator.names[Int(branch)]
            let property = propertyName(discriminator).printable
            for index in first..<findings.count {
                findings[index].message.append(
                    name.isEmpty ? "; \"\(property)\" selects this schema" : "; \"\(property)\" selects \(name.printable)")
            }
        }
        return false
    }

    private func propertyBytes(_ discriminator: SchemaDiscriminator) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pool + Int(discriminator.property.offset), count: Int(discriminator.property.length))
    }

    private func propertyName(_ discriminator: SchemaDiscriminator) -> Bytes { Bytes(propertyBytes(discriminator)) }

    private mutating func explainUnknown(_ name: Bytes, _ discriminator: SchemaDiscriminator) {
        let slots = self.slots + Int(discriminator.firstSlot)
        var allowed: [Bytes] = []
        for index in 0..<min(Int(discriminator.slotCount), 256) {
            allowed.append(
                Bytes(UnsafeRawBufferPointer(start: pool + Int(slots[index].offset), count: Int(slots[index].length))))
        }
        let property = propertyName(discriminator)
        add(
            "the value \"\(name.printable)\" of \"\(property.printable)\" selects no schema; one of these is expected: \(allowed.ordered())",
            .discriminator, parameter: name, allowed: allowed, place: property)
    }
}
