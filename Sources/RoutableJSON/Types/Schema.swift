// A type, compiled: JSON Schema as flat nodes that a check walks without parsing anything again.

internal import RoutableCore

/// One schema.  Other schemas are indexes into the same set.
struct Schema: Sendable {
    /// The kinds of JSON Schema, as bits.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt8
        static let null = Kinds(rawValue: 1)
        static let boolean = Kinds(rawValue: 2)
        static let integer = Kinds(rawValue: 4)
        static let number = Kinds(rawValue: 8)
        static let string = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        static let object = Kinds(rawValue: 64)

        static let words: [(StaticString, Kinds)] = [
            ("array", .array), ("boolean", .boolean), ("integer", .integer), ("null", .null), ("number", .number),
            ("object", .object), ("string", .string),
        ]

        var names: [Bytes] {
            var names: [Bytes] = []
            for (name, kind) in Self.words where contains(kind) { names.append(Bytes(staticText: name)) }
            return names
        }
    }

    struct Property: Sendable {
        let name: Bytes
        let schema: Int
    }

    /// The schema `false`: nothing fits.
    var isNever = false
    /// Empty when any kind fits.
    var kinds: Kinds = []
    /// Index of a named type.
    var reference: Int?
    /// JSON texts, for messages, and the documents that hold the values.
    var choices: [Choice]?
    var minimumLength: Int?
    var maximumLength: Int?
    var minimum: Double?
    var maximum: Double?
    var exclusiveMinimum: Double?
    var exclusiveMaximum: Double?
    var required: [Bytes] = []
    var properties: [Property] = []
    var additional: Int?
    var items: Int?
    var minimumItems: Int?
    var maximumItems: Int?

    /// A value that `enum` or `const` allows.
    struct Choice: Sendable {
        let document: JSONDocument
        let text: Bytes
    }

    /// Whether there is only a reference or nothing to hold against.
    var hasObjectRules: Bool { !required.isEmpty || !properties.isEmpty || additional != nil }
}
