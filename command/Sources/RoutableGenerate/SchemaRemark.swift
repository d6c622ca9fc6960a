// Writes the comment of a member: its description, format and default.

internal import RoutableCore

enum SchemaRemark {
    /// - Parameters:
    ///   - schema: The schema of the member.
    ///   - target: The schema after its references were followed.
    static func text(_ schema: Value, _ target: Value) -> String {
        text(schema, target, after: schema["description"]?.string ?? target["description"]?.string ?? "")
    }

    /// The comment of a parameter that has its own description.
    static func text(_ schema: Value, _ target: Value, after description: String) -> String {
        var result = description
        func add(_ sentence: String) { result += (result.isEmpty ? "" : "  ") + sentence }
        if let format = target["format"]?.string, let word = formats[format] { add(word) }
        if let given = schema["default"] ?? target["default"], let text = given.scalarText?.string { add("Default: \(text).") }
        if schema["deprecated"]?.isTrue == true || target["deprecated"]?.isTrue == true { add("Deprecated.") }
        return result
    }

    private static let formats = [
        "date": "A date, such as 2026-11-23.", "date-time": "A time, such as 2026-11-23T12:00:00Z (RFC 3339).",
        "uuid": "A UUID.", "byte": "Bytes in base64.", "binary": "Bytes.", "int32": "Of 32 bits.",
    ]
}
