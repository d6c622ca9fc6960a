// Writes schemas of a document as JSON Schema 2020-12, or as the subset of it that function-calling interfaces accept.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

extension CallSchemaWriter {
    /// Writes a schema.
    ///
    /// - Parameter summary: its description, unless it has one.
    mutating func schema(_ schema: SchemaNode, summary: Bytes = Bytes()) {
        // proof: the depth of the recursion is limited.  Schemas that `allOf` refers to can contain themselves.
        nesting &+= 1
        defer { nesting &-= 1 }
        if nesting > Self.maximumNesting || writer.bytes.count > Self.limit {
            isOver = true
            return writer.raw("{}")
        }
        let node = schema.node
        guard node.isObject else {
            writer.raw(node.kind == .boolean && !node.isTrue ? "false" : "{}")
            return
        }
        let reference = node.member("$ref") ?? (isSubset ? Self.onlyReference(node) : nil)
        let isNullable = reference == nil && node.member("nullable")?.isTrue == true
        let isWrapped = isNullable && node.member("type") == nil
        if isWrapped {
            writer.open("{")
            writer.key("anyOf")
            writer.open("[")
        }
        writer.open("{")
        let own = node.member("description")?.string ?? Bytes()
        writer.optionalMember("description", own.isEmpty ? summary : own)
        if let reference {
            if let name = graph.name(of: reference, in: schema.document) { writer.member("$ref", "#/$defs/\(name)") }
        } else {
            keywords(schema, isNullable && !isWrapped)
        }
        writer.close("}")
        if isWrapped {
            writer.raw("{\"type\":\"null\"}")
            writer.close("]")
            writer.close("}")
        }
    }

    /// The reference of a schema that consists of it, as the only part of `allOf`.  It stays a reference, which may be recursive.
    private static func onlyReference(_ node: TapeNode) -> TapeNode? {
        var reference: TapeNode?
        var children = node.children
        while let child = children.read() {
            if child.key.equals("allOf") {
                var parts = child.value.children
                reference = parts.read()?.value.member("$ref")
                if parts.read() != nil { return nil }
            } else if KeywordShape.of(child.key.rawText) != nil, !child.key.equals("readOnly"), !child.key.equals("writeOnly") {
                return nil
            }
        }
        return reference
    }

    private mutating func keywords(_ schema: SchemaNode, _ isNullable: Bool) {
        let node = schema.node
        if isSubset, node.member("allOf") != nil {
            var members = SchemaGraph.Members()
            if merged.isOpen, graph.gather(schema, &members) {
                merged.depth &+= 1
                merged.count &+= 1
                defer { merged.depth &-= 1 }
                return object(members)
            }
            if !merged.isOpen { return writer.member("type", "object") }
        }
        var hidden: [Bytes] = []
        if let properties = node.member("properties") {
            var children = properties.children
            while let child = children.read() {
                if graph.isReadOnly(SchemaNode(node: child.value, document: schema.document)) { hidden.append(child.name) }
            }
        }
        let hiddenNames = Set(hidden)
        var children = node.children
        while let child = children.read() {
            let (key, value) = (child.key, child.value)
            guard let shape = KeywordShape.of(key.rawText) else {
                if key.equals("default") {
                    writer.key("default")
                    copy(value)
                }
                continue
            }
            if Self.omitted.contains(where: { key.equals($0) })
                || isSubset && Self.beyondSubset.contains(where: { key.equals($0) })
            {
                continue
            }
            switch shape {
            case .schema:
                if !value.isObject && value.kind != .boolean { continue }
                writer.key(of: key.string)
                self.schema(SchemaNode(node: value, document: schema.document))
            case .schemas: alternatives(key, value, schema)
            case .namedSchemas:
                guard value.isObject else { continue }
                writer.key(of: key.string)
                writer.open("{")
                var members = value.children
                while let member = members.read() {
                    let name = member.name
                    if key.equals("properties"), hiddenNames.contains(name) { continue }
                    writer.key(of: name)
                    self.schema(SchemaNode(node: member.value, document: schema.document))
                }
                writer.close("}")
            case .itemSchemas:
                if value.kind == .array {
                    if isSubset || value.isEmpty { continue }
                    writer.key("prefixItems")
                    list(value, schema.document)
                } else if value.isObject || value.kind == .boolean {
                    writer.key("items")
                    self.schema(SchemaNode(node: value, document: schema.document))
                }
            case .type: type(value, isNullable)
            case .array: enumeration(value, isNullable)
            case .texts:
                guard value.kind == .array else { continue }
                writer.key("required")
                writer.open("[")
                var names = value.children
                while let name = names.read() {
                    if name.value.kind == .text, !hiddenNames.contains(name.value.string) { writer.string(name.value.string) }
                }
                writer.close("]")
            case .exclusiveBound, .number: bound(key, value, node)
            default:
                if !isValid(value, shape) { continue }
                writer.key(of: key.string)
                copy(value)
            }
        }
    }

    /// Keywords that have no meaning in a definition, and those that this function writes in another way.
    private static var omitted: [StaticString] {
        [
            "$dynamicRef", "$anchor", "$dynamicAnchor", "$id", "$schema", "$vocabulary", "$defs", "definitions", "readOnly",
            "writeOnly",
            "nullable", "discriminator", "additionalItems", "dependencies", "contentSchema",
        ]
    }

    /// Keywords that function-calling interfaces ignore or refuse.  The library validates them in every call.
    private static var beyondSubset: [StaticString] {
        [
            "allOf", "not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames", "unevaluatedItems",
            "unevaluatedProperties", "patternProperties", "dependentSchemas", "dependentRequired", "prefixItems",
            "minProperties",
            "maxProperties",
        ]
    }

    /// Writes the members of an object that consists of several schemas.
    private mutating func object(_ members: SchemaGraph.Members) {
        writer.member("type", "object")
        writer.key("properties")
        writer.open("{")
        var visible = Set<Bytes>()
        for member in members.list where !graph.isReadOnly(member.schema) {
            visible.insert(member.name)
            writer.key(of: member.name)
            schema(member.schema)
        }
        writer.close("}")
        writer.key("required")
        writer.open("[")
        for name in members.required where visible.contains(name) {
            visible.remove(name)  // a name can be required twice
            writer.string(name)
        }
        writer.close("]")
    }

    /// Alternatives that a discriminator selects may overlap: the value need not match only one of them.
    private mutating func alternatives(_ key: TapeNode, _ value: TapeNode, _ schema: SchemaNode) {
        guard value.kind == .array, !value.isEmpty else { return }
        let isOpen = key.equals("oneOf") && (isSubset || schema.node.member("discriminator") != nil)
        writer.key(of: isOpen ? "anyOf" : key.string)
        list(value, schema.document)
    }

    private mutating func list(_ value: TapeNode, _ document: Int) {
        writer.open("[")
        var elements = value.children
        while let element = elements.read() { schema(SchemaNode(node: element.value, document: document)) }
        writer.close("]")
    }

    private mutating func type(_ value: TapeNode, _ isNullable: Bool) {
        var names: [Bytes] = []
        func add(_ name: Bytes) { if KeywordShape.isType(name) && !names.contains(name) { names.append(name) } }
        if value.kind == .text { add(value.string) }
        var elements = value.children
        while let element = elements.read() { add(element.value.string) }
        guard let first = names.first else { return }
        if isNullable { add("null") }
        if names.count == 1 { return writer.member("type", first) }
        writer.key("type")
        writer.open("[")
        for name in names { writer.string(name) }
        writer.close("]")
    }

    private mutating func enumeration(_ value: TapeNode, _ isNullable: Bool) {
        guard value.kind == .array, !value.isEmpty else { return }
        writer.key("enum")
        writer.open("[")
        var hasNull = !isNullable
        var elements = value.children
        while let element = elements.read() {
            if element.value.kind == .null { hasNull = true }
            copy(element.value)
        }
        if !hasNull { writer.null() }
        writer.close("]")
    }

    /// Bounds: in OpenAPI 3.0, `exclusiveMinimum` is a boolean beside `minimum`.
    private mutating func bound(_ key: TapeNode, _ value: TapeNode, _ node: TapeNode) {
        if value.kind == .number {
            let isMinimum = key.equals("minimum")
            if isMinimum || key.equals("maximum") {
                let exclusive = node.member(isMinimum ? "exclusiveMinimum" : "exclusiveMaximum")
                if exclusive?.kind == .boolean && exclusive?.isTrue == true { return }
            }
            writer.key(of: key.string)
            copy(value)
        } else if value.kind == .boolean, value.isTrue,
            let limit = node.member(key.equals("exclusiveMinimum") ? "minimum" : "maximum"), limit.kind == .number
        {
            writer.key(of: key.string)
            copy(limit)
        }
    }

    private func isValid(_ value: TapeNode, _ shape: KeywordShape) -> Bool {
        switch shape {
        case .positive: return value.number ?? 0 > 0
        case .count: return Decimal.parse(value.digits) ?? -1 >= 0
        case .text: return value.kind == .text
        case .pattern: return value.kind == .text && KeywordShape.fault(ofPattern: value.string, patterns) == nil
        case .boolean: return value.kind == .boolean
        case .namedTexts:
            var members = value.children
            while let member = members.read() {
                var names = member.value.children
                if member.value.kind != .array { return false }
                while let name = names.read() { if name.value.kind != .text { return false } }
            }
            return value.isObject
        default: return true
        }
    }

    /// Writes a value of a document without white space.
    private mutating func copy(_ node: TapeNode) {
        // proof: the depth of the recursion is limited by the nesting that the tape has allowed.
        switch node.kind {
        case .null: writer.null()
        case .boolean: writer.boolean(node.isTrue)
        case .number: writer.raw(node.digits)
        case .text: writer.string(node.string)
        case .array, .object:
            let isObject = node.isObject
            writer.open(isObject ? "{" : "[")
            var children = node.children
            while let child = children.read() {
                if isObject { writer.key(of: child.name) }
                copy(child.value)
            }
            writer.close(isObject ? "}" : "]")
        }
    }
}
