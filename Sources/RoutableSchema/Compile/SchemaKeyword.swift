// The keywords of JSON Schema that validation uses.

internal import RoutableCore
internal import RoutableJSON

/// A keyword, as a byte in an instruction and as its name in a pointer.
enum SchemaKeyword: UInt8 {
    case none, ref, dynamicRef, anchor, dynamicAnchor, id, schema, definitions, oldDefinitions, vocabulary
    case type, enumeration, const
    case multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum
    case minLength, maxLength, pattern, format
    case minItems, maxItems, uniqueItems, items, prefixItems, additionalItems, contains, minContains, maxContains
    case unevaluatedItems
    case minProperties, maxProperties, required, properties, patternProperties, additionalProperties, propertyNames
    case dependentRequired, dependentSchemas, dependencies, unevaluatedProperties
    case allOf, anyOf, oneOf, not, `if`, then, `else`
    case nullable, contentSchema, readOnly, writeOnly, discriminator

    /// The names in the order of the cases.
    private static let words: [StaticString] = [
        "", "$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$id", "$schema", "$defs", "definitions", "$vocabulary",
        "type", "enum", "const",
        "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "minLength", "maxLength", "pattern", "format",
        "minItems", "maxItems", "uniqueItems", "items", "prefixItems", "additionalItems", "contains", "minContains",
        "maxContains", "unevaluatedItems",
        "minProperties", "maxProperties", "required", "properties", "patternProperties", "additionalProperties",
        "propertyNames",
        "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
        "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
        "nullable", "contentSchema", "readOnly", "writeOnly", "discriminator",
    ]

    var word: StaticString { Int(rawValue) < Self.words.count ? Self.words[Int(rawValue)] : "" }
    var name: Bytes { Bytes(staticText: word) }

    /// Whether it belongs to the validation vocabulary, which a meta-schema may omit.
    var isAssertion: Bool {
        switch self {
        case .type, .enumeration, .const, .multipleOf, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum,
            .minLength, .maxLength, .pattern, .minItems, .maxItems, .uniqueItems, .minContains, .maxContains,
            .minProperties, .maxProperties, .required, .dependentRequired:
            true
        default: false
        }
    }

    /// Whether the value of the keyword contains schemas, and in which form.
    enum Holds { case nothing, schema, schemas, named, schemaOrSchemas, schemaOrNames }
    var holds: Holds {
        switch self {
        case .additionalItems, .contains, .unevaluatedItems, .additionalProperties, .propertyNames,
            .unevaluatedProperties, .not, .if, .then, .else, .contentSchema:
            .schema
        case .allOf, .anyOf, .oneOf, .prefixItems: .schemas
        case .properties, .patternProperties, .dependentSchemas, .definitions, .oldDefinitions: .named
        case .items: .schemaOrSchemas
        case .dependencies: .schemaOrNames
        default: .nothing
        }
    }

    /// The keyword with a name; nil for a name that validation does not use.
    static func of(_ name: UnsafeRawBufferPointer) -> SchemaKeyword? {
        guard let start = name.baseAddress, !name.isEmpty else { return nil }
        return table.slots.withUnsafeBufferPointer { slots in
            table.pool.withUnsafeBytes { pool in
                guard let first = slots.baseAddress, let names = pool.baseAddress else { return nil }
                let names2 = NameTable(slots: first, count: slots.count, pool: names)
                let found = names2.find(NameKey(start, name.count), start, name.count)
                return found < 0 ? nil : SchemaKeyword(rawValue: UInt8(truncatingIfNeeded: first[found].child))
            }
        }
    }

    private struct Table {
        var slots: [NameSlot] = []
        var pool: [UInt8] = []
    }

    private static let table: Table = {
        var table = Table()
        for (index, word) in words.enumerated() where index > 0 {
            let name = Bytes(staticText: word).storage
            let key = name.withUnsafeBytes { buffer in buffer.baseAddress.map { NameKey($0, buffer.count) } }
            guard let key else { continue }
            table.slots.append(
                NameSlot(
                    head: key.head, tail: key.tail, offset: UInt32(truncatingIfNeeded: table.pool.count),
                    length: UInt32(truncatingIfNeeded: name.count), child: Int32(truncatingIfNeeded: index)))
            table.pool.append(contentsOf: name)
        }
        var slots = table.slots
        table.pool.withUnsafeBytes { pool in
            if let start = pool.baseAddress { _ = NameTable.arrange(&slots, start) }
        }
        table.slots = slots
        return table
    }()
}
