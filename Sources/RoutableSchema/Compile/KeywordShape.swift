// The allowed values of keywords, for a reader that warns about keywords that the compiler ignores.

package import RoutableCore

/// The allowed values of a keyword.
package enum KeywordShape: Sendable {
    case schema, schemas, namedSchemas, itemSchemas
    case type, texts, namedTexts, text, pattern, boolean, array, number, positive, exclusiveBound, count
    case discriminator, nullable, any

    /// nil for a name that is not a keyword.
    package static func of(_ name: UnsafeRawBufferPointer) -> KeywordShape? {
        guard let keyword = SchemaKeyword.of(name) else { return nil }
        switch keyword.holds {
        case .schema: return .schema
        case .schemas: return .schemas
        case .named: return .namedSchemas
        case .schemaOrSchemas: return .itemSchemas
        case .schemaOrNames, .nothing: break
        }
        switch keyword {
        case .type: return .type
        case .enumeration: return .array
        case .multipleOf: return .positive
        case .minimum, .maximum: return .number
        case .exclusiveMinimum, .exclusiveMaximum: return .exclusiveBound
        case .minLength, .maxLength, .minItems, .maxItems, .minContains, .maxContains, .minProperties, .maxProperties:
            return .count
        case .pattern: return .pattern
        case .ref, .dynamicRef, .anchor, .dynamicAnchor, .id, .schema, .format: return .text
        case .uniqueItems, .readOnly, .writeOnly: return .boolean
        case .required: return .texts
        case .dependentRequired: return .namedTexts
        case .nullable: return .nullable
        case .discriminator: return .discriminator
        default: return .any
        }
    }

    /// The expected value, for messages.
    package var expected: StaticString {
        switch self {
        case .schema: "a schema, which is an object or a boolean"
        case .schemas: "an array of at least one schema"
        case .namedSchemas: "an object whose members are schemas"
        case .itemSchemas: "a schema, which is an object or a boolean"
        case .type: "the name of a JSON type, such as \"string\", or an array of such names"
        case .texts: "an array of strings"
        case .namedTexts: "an object whose members are arrays of strings"
        case .text: "a string"
        case .pattern: "a regular expression"
        case .boolean, .nullable: "a boolean"
        case .array: "an array"
        case .number: "a number"
        case .exclusiveBound: "a number"
        case .positive: "a number above 0"
        case .count: "an integer of at least 0"
        case .discriminator: "an object with the string \"propertyName\""
        case .any: "a value"
        }
    }

    /// The types of JSON Schema.
    package static func isType(_ name: Bytes) -> Bool { SchemaKinds.words.contains { name.equals($0.0) } }

    /// The reason why a pattern cannot be used; nil if it can.
    package static func fault(ofPattern source: Bytes, _ budget: PatternBudget) -> Failure? {
        do throws(Failure) {
            if let pattern = try TextPattern.compile(source).pattern { try budget.take(pattern) }
            return nil
        } catch { return error }
    }
}
