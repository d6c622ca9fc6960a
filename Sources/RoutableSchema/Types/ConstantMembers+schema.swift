// Finds the constants of a schema, which distinguish operations with the same method and path.

package import RoutableCore
internal import RoutableJSON

extension ConstantMembers {
    /// The constants in the JSON of a schema: members that are required and have `const`, or `enum` with one value, in the schema itself and in
    /// `allOf`.
    package init(schema: Bytes) {
        self.init()
        try? schema.withJSON { view in add(view, depth: 0) }
    }

    private mutating func add(_ schema: JSONView, depth: Int) {
        if depth > 8 || members.count > 64 { return }
        if let reference = schema.member("$ref"), reference.kind == .text,
            let name = reference.content.split(on: UInt8(ascii: "/")).last
        {
            types.append(name)
        }
        var required = Set<Bytes>()
        var names = schema.member("required")?.elements
        while let name = names?.read() { if name.kind == .text { required.insert(name.content) } }
        var properties = schema.member("properties")?.members
        while let property = properties?.read() {
            let name = Bytes(property.name)
            guard required.contains(name), let value = Self.constant(property.value) else { continue }
            members.append(ConstantMember(name: name, value: value))
        }
        var parts = schema.member("allOf")?.elements
        while let part = parts?.read() { add(part, depth: depth &+ 1) }
    }

    private static func constant(_ schema: JSONView) -> Bytes? {
        var value = schema.member("const")
        if value == nil, let list = schema.member("enum"), list.kind == .array, list.count == 1 { value = list.element(0) }
        guard let value else { return nil }
        // Two spellings of the same number would look like two values.
        guard value.kind == .text || value.kind == .boolean || value.kind == .null else { return nil }
        return value.kind == .text ? "\"\(value.content)" : Bytes(value.source)
    }
}
