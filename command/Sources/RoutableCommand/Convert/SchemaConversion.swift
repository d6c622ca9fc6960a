// Converts schemas between OpenAPI and the route document: references, and the keywords of OpenAPI 3.0.

import RoutableCore
import RoutableJSON

/// Converts a schema for the other kind of document.
struct SchemaConversion {
    /// The prefixes of references to named types in the source and in the result.
    let from: Bytes
    let to: Bytes
    /// Whether the source is OpenAPI 3.0, which differs from JSON Schema.
    var is30 = false
    /// The names of the types in the result.
    var names: Set<Bytes> = []

    private static let depthLimit = 256
    private static let maps: Set<Bytes> = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
    private static let plain: Set<Bytes> = [
        "enum", "const", "default", "examples", "required", "example", "xml", "externalDocs",
    ]

    func converted(_ schema: Value, _ place: Bytes, _ remarks: inout Remarks, depth: Int = 0) -> Value {
        // proof: the recursion ends at the limit.
        guard depth < Self.depthLimit else { return .boolean(true) }
        switch schema {
        case .array(let elements):
            return .array(elements.map { converted($0, place, &remarks, depth: depth + 1) })
        case .object: return object(schema, place, &remarks, depth)
        default: return schema
        }
    }

    private func object(_ schema: Value, _ place: Bytes, _ remarks: inout Remarks, _ depth: Int) -> Value {
        var result = Members()
        if let reference = schema.member("$ref")?.text {
            result.set("$ref", self.reference(reference, place, &remarks).map { .text($0) })
            if is30 && !result.isEmpty && schema.member("nullable")?.isTrue == true { allowNull(&result) }
            if is30 { return result.isEmpty ? .boolean(true) : result.value }
        }
        for member in schema.members where member.name != "$ref" {
            if member.name == "discriminator" {
                result.set(member.name, discriminator(member.value, place, &remarks))
            } else if Self.plain.contains(member.name) {
                result.set(member.name, member.value)
            } else if Self.maps.contains(member.name), case .object(let members) = member.value {
                result.set(
                    member.name,
                    .object(members.map { .init(name: $0.name, value: converted($0.value, place, &remarks, depth: depth + 1)) })
                )
            } else {
                result.set(member.name, converted(member.value, place, &remarks, depth: depth + 1))
            }
        }
        if is30 { modernise(schema, &result) }
        return result.value
    }

    /// A mapping refers to schemas by a reference, or by its last token.
    private func discriminator(_ given: Value, _ place: Bytes, _ remarks: inout Remarks) -> Value {
        var result = Members()
        for member in given.members {
            switch (member.name, member.value) {
            case ("mapping", .object(let names)):
                result.set(
                    "mapping",
                    .object(
                        names.map { name in
                            guard let text = name.value.text, text.hasPrefix("#"), let made = reference(text, place, &remarks)
                            else { return name }
                            return .init(name: name.name, value: .text(made))
                        }))
            case ("defaultMapping", .text(let text)) where text.hasPrefix("#"):
                result.set(member.name, .text(reference(text, place, &remarks) ?? text))
            default: result.set(member.name, member.value)
            }
        }
        return result.value
    }

    /// Converts `nullable`, and exclusive bounds that are booleans.
    private func modernise(_ schema: Value, _ result: inout Members) {
        if let nullable = schema.member("nullable") {
            var without = Members()
            for member in result.list where member.name != "nullable" { without.set(member.name, member.value) }
            result = without
            if nullable.isTrue { allowNull(&result) }
        }
        for (key, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] as [(Bytes, Bytes)] {
            guard case .boolean(let isExclusive)? = schema.member(key) else { continue }
            var without = Members()
            for member in result.list where member.name != key && !(isExclusive && member.name == bound) {
                without.set(member.name, member.value)
            }
            result = without
            if isExclusive { result.set(key, schema.member(bound)) }
        }
    }

    /// Allows null in addition to the other keywords.
    private func allowNull(_ result: inout Members) {
        let isNarrowed = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"].contains { (key: Bytes) in
            result.list.contains { $0.name == key }
        }
        guard !isNarrowed else {
            var outer = Members()
            outer.set("anyOf", .array([result.value, .object([.init(name: "type", value: .text("null"))])]))
            result = outer
            return
        }
        if case .text(let type)? = result.value.member("type") { result.set("type", .array([.text(type), .text("null")])) }
        // `enum` restricts the values in addition to the type, so null is added to it.
        if case .array(let values)? = result.value.member("enum"), !values.contains(where: { $0.isNull }) {
            result.set("enum", .array(values + [.null]))
        }
    }

    private func reference(_ text: Bytes, _ place: Bytes, _ remarks: inout Remarks) -> Bytes? {
        if text.hasPrefix(from) {
            let name = Bytes(text.storage[from.count...])
            let first = name.split(on: UInt8(ascii: "/")).first.map(JSONPointer.unescaped) ?? Bytes()
            if names.contains(first) { return "\(to)\(name)" }
        }
        remarks.add(place, "the reference \"\(text.printable)\": any value is valid there")
        return nil
    }
}
