// Reads a discriminator into a table of names and the schemas that they select.

internal import RoutableCore
internal import RoutableJSON

/// A discriminator.
struct SchemaDiscriminator {
    /// The name of its property, in the pool.
    var property: (offset: UInt32, length: UInt32)
    /// The names; `required` of a slot is the index of the schema in the list.
    var firstSlot: Int32
    var slotCount: Int32
    /// The instruction that checks all schemas of the list.
    var all: Int32
    /// The schema for a value without the property or with an unknown name; -1 for none.
    var fallback: Int32
    /// The name of each schema of the list; empty for none.
    var names: [Bytes]
    /// Whether the schemas extend the one with the discriminator, which then is valid without a selection.
    var isInherited = false
}

extension SchemaCompiler {
    /// Replaces oneOf or anyOf by a selection, if names for their schemas are known.
    ///
    /// - Throws: `document`, `memory`.
    func completeChoice(_ gathered: inout Gathered, _ pending: Pending) throws(Failure) {
        guard let view = gathered.discriminator else { return }
        // In Swagger 2.0, the discriminator is only the name of the property.
        let found = view.kind == .object ? view.member(Self.key("propertyName")) : view
        guard let property = found, property.kind == .text else { return }
        guard let index = gathered.code.firstIndex(where: { $0.operation == .oneOf || $0.operation == .anyOf }) else {
            let mapping = view.kind == .object ? view.member(Self.key("mapping")) : nil
            try completeHeirs(&gathered, pending, property: property.content, mapping: mapping)
            return
        }
        if view.kind != .object { return }
        let instruction = gathered.code[index]
        guard let list = pending.view.member(instruction.keyword), list.kind == .array else { return }
        var references: [Bytes] = []
        var names: [Bytes] = []
        var slots: [NameSlot] = []
        var known: Set<Bytes> = []
        func add(_ name: Bytes, _ branch: Int) {
            if known.insert(name).inserted {
                slots.append(slot(name.storage, child: -1, required: Int32(truncatingIfNeeded: branch)))
            }
        }
        while let branch = list.element(references.count) {
            let reference = branch.kind == .object ? branch.member(.ref) : nil
            let text = reference?.kind == .text ? reference?.content ?? Bytes() : Bytes()
            references.append(text)
            names.append(Self.schemaName(text))
        }
        if let mapping = view.member(Self.key("mapping")), mapping.kind == .object {
            var members = mapping.members
            while let (name, target) = members.read() {
                if target.kind == .text, let branch = Self.branch(target.content, references, names) {
                    add(Bytes(name), branch)
                }
            }
        }
        for (branch, name) in names.enumerated() {
            if !name.isEmpty {
                add(name, branch)
            } else if let inline = list.element(branch), inline.kind == .object {
                for name in Self.constants(inline, property.content) { add(name, branch) }
            }
        }
        if slots.isEmpty { return }
        var fallback = -1
        if let text = view.member(Self.key("defaultMapping")), text.kind == .text {
            fallback = Self.branch(text.content, references, names) ?? -1
        }
        let firstSlot = tables.slots.count
        let count = slots.count
        tables.pool.withUnsafeBytes { pool in
            if let address = pool.baseAddress { _ = NameTable.arrange(&slots, address) }
        }
        tables.slots.append(contentsOf: slots)
        let (offset, length) = property.content.storage.withUnsafeBytes { intern($0) }
        gathered.code[index] = SchemaInstruction(
            operation: .discriminator, keyword: instruction.keyword, kinds: 255,
            a: Int32(truncatingIfNeeded: tables.discriminators.count))
        tables.discriminators.append(
            SchemaDiscriminator(
                property: (offset, length), firstSlot: Int32(truncatingIfNeeded: firstSlot),
                slotCount: Int32(truncatingIfNeeded: count), all: Int32(truncatingIfNeeded: tables.code.count),
                fallback: Int32(truncatingIfNeeded: fallback), names: names))
        // Outside of every schema: only the selection runs it.
        tables.code.append(instruction)
    }

    private static func key(_ name: StaticString) -> UnsafeRawBufferPointer {
        name.rawBytes
    }

    /// The last segment of a reference, without the extension of a file.
    static func schemaName(_ reference: Bytes) -> Bytes {
        guard let last = reference.split(on: UInt8(ascii: "/")).last else { return Bytes() }
        var name = JSONPointer.tokens("/\(URIReference.decoded(last))").last ?? last
        if !reference.storage.contains(UInt8(ascii: "#")) {
            for ending: Bytes in [".json", ".yaml", ".yml"] where name.hasSuffix(ending) {
                name = Bytes(name.storage.dropLast(ending.count))
            }
        }
        return name
    }

    /// The schema of the list to which a mapping refers, by its reference or its name.
    private static func branch(_ target: Bytes, _ references: [Bytes], _ names: [Bytes]) -> Int? {
        if let index = references.firstIndex(of: target) { return index }
        let isReference = target.storage.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
        return names.firstIndex(of: isReference ? schemaName(target) : target)
    }

    /// The strings that `const` or `enum` allow for a property.
    private static func constants(_ schema: JSONView, _ property: Bytes) -> [Bytes] {
        guard let found = schema.member(.properties)?.member(property), found.kind == .object else { return [] }
        if let one = found.member(.const), one.kind == .text { return [one.content] }
        var result: [Bytes] = []
        if let list = found.member(.enumeration), list.kind == .array {
            var index = 0
            while let element = list.element(index) {
                if element.kind == .text { result.append(element.content) }
                index &+= 1
            }
        }
        return result
    }
}
