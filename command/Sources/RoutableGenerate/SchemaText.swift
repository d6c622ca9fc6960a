// Writes schemas in a canonical form, so that equal inline schemas share a type.

internal import RoutableCore
internal import RoutableJSON

enum SchemaText {
    /// Keywords that only annotate.
    private static let remarks: Set<Bytes> = [
        "description", "title", "example", "examples", "deprecated", "externalDocs", "$comment", "default", "xml", "readOnly",
        "writeOnly",
    ]
    private static let ofSchemas: Set<Bytes> = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]

    /// Whether a keyword only annotates, and does not change which values are valid.
    static func isRemark(_ key: Bytes) -> Bool { remarks.contains(key) || key.hasPrefix("x-") }

    /// The schema with its members in order and without remarks.
    static func canonical(_ schema: Value) -> Bytes {
        var output = Bytes()
        write(schema, isSchema: true, &output)
        return output
    }

    private static func write(_ value: Value, isSchema: Bool, _ output: inout Bytes) {
        // proof: the recursion ends at the maximum nesting that the reader of the document accepts.
        switch value {
        case .object(let members):
            output.append("{")
            for member in members.sorted(by: { $0.name.storage.lexicographicallyPrecedes($1.name.storage) }) {
                if isSchema && isRemark(member.name) { continue }
                write(member.name, &output)
                if isSchema && ofSchemas.contains(member.name), case .object(let schemas) = member.value {
                    output.append("{")
                    for each in schemas.sorted(by: { $0.name.storage.lexicographicallyPrecedes($1.name.storage) }) {
                        write(each.name, &output)
                        write(each.value, isSchema: true, &output)
                    }
                    output.append("}")
                } else {
                    write(member.value, isSchema: isSchema && member.name != "enum" && member.name != "const", &output)
                }
            }
            output.append("}")
        case .array(let elements):
            output.append("[")
            for element in elements { write(element, isSchema: isSchema, &output) }
            output.append("]")
        case .text(let text): write(text, &output)
        case .null: output.append("null ")
        default:
            output.append(value.scalarText ?? Bytes())
            output.append(" ")
        }
    }

    /// Writes a string prefixed with its length, so that different sequences of strings have different forms.
    private static func write(_ text: Bytes, _ output: inout Bytes) {
        output.append(Bytes(String(text.count)))
        output.append("\"")
        output.append(text)
    }
}

extension SchemaText {
    /// A value as JSON.
    static func json(_ value: Value) -> Bytes {
        var writer = JSONWriter()
        write(value, &writer)
        return writer.text
    }

    private static func write(_ value: Value, _ writer: inout JSONWriter) {
        // proof: the recursion ends at the nesting of the value, which was made or read here.
        switch value {
        case .null: writer.null()
        case .boolean(let truth): writer.boolean(truth)
        case .integer(let number): writer.integer(number)
        case .real(let number): if !writer.real(number) { writer.null() }
        case .number(let digits): writer.raw(digits)
        case .text(let text): writer.string(text)
        case .array(let elements):
            writer.open("[")
            for element in elements { write(element, &writer) }
            writer.close("]")
        case .object(let members):
            writer.open("{")
            for member in members {
                writer.key(of: member.name)
                write(member.value, &writer)
            }
            writer.close("}")
        }
    }
}
