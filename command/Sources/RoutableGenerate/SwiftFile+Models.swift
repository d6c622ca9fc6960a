// Writes the types of the description as Codable structs, or as classes if they contain themselves.

internal import RoutableCore

extension SwiftFile {
    mutating func write(record index: Int) {
        let record = blueprint.records[index], name = records[index], isClass = classes.contains(index)
        let word = isClass ? "let" : "var"
        var names = Scope(reserved: Reserved.swift)
        var members: [(field: Field, name: String, type: String)] = []
        var keys = Set<String>()  // compared as Swift does: é is equal to e with an accent
        for field in record.fields where keys.insert(field.name).inserted {
            let name = names.claim(
                Naming.identifier(field.name, .camel), separator: "", for: "\(field.name) of \(record.name)", &renamings)
            var type = text(field.type)
            if !field.isRequired && !field.type.isNullable { type += "?" }
            members.append((field, name, type))
        }
        code.line()
        comment(record.summary, indent: "    ")
        code.line("    public \(isClass ? "final class" : "struct") \(name): Codable, Sendable {")
        for each in members {
            comment(each.field.type.remark(on: each.field.summary), indent: "        ")
            code.line("        public \(word) \(each.name): \(each.type)")
        }
        if !members.isEmpty { code.line() }
        let parameters = members.map { "\($0.name): \($0.type)" + ($0.field.isRequired ? "" : " = nil") }
        function("public init(", parameters, ") {", indent: "        ")
        for each in members { code.line("            self.\(each.name) = \(each.name)") }
        code.line("        }")
        if looked.contains(index) { writeFits(record) }
        if members.isEmpty { return code.line("    }") }
        code.lines(["", "        enum CodingKeys: String, CodingKey {"])
        for each in members { code.line("            case \(each.name) = \(Texts.swiftLiteral(each.field.name))") }
        code.line("        }")
        if members.contains(where: { $0.field.isRequired && $0.type.hasSuffix("?") }) {
            // A member that can be null and is required is also written if it is nil.
            code.lines(["", "        public func encode(to encoder: any Encoder) throws {"])
            code.line("            var container = encoder.container(keyedBy: CodingKeys.self)")
            for each in members {
                let function = each.field.isRequired ? "encode" : "encodeIfPresent"
                code.line("            try container.\(function)(self.\(each.name), forKey: .\(each.name))")
            }
            code.line("        }")
        }
        code.line("    }")
    }

    static let json = [
        "", "    /// Any JSON.", "    public indirect enum JSON: Codable, Sendable, Equatable {",
        "        case null, boolean(Bool), integer(Int64), number(Double), text(String), array([JSON]), object([String: JSON])",
        "",
        "        public init(from decoder: any Decoder) throws {",
        "            let container = try decoder.singleValueContainer()",
        "            if container.decodeNil() { self = .null }",
        "            else if let truth = try? container.decode(Bool.self) { self = .boolean(truth) }",
        "            else if let number = try? container.decode(Int64.self) { self = .integer(number) }",
        "            else if let number = try? container.decode(Double.self) { self = .number(number) }",
        "            else if let text = try? container.decode(String.self) { self = .text(text) }",
        "            else if let elements = try? container.decode([JSON].self) { self = .array(elements) }",
        "            else { self = .object(try container.decode([String: JSON].self)) }",
        "        }", "",
        "        public func encode(to encoder: any Encoder) throws {",
        "            var container = encoder.singleValueContainer()",
        "            switch self {",
        "            case .null: try container.encodeNil()",
        "            case .boolean(let truth): try container.encode(truth)",
        "            case .integer(let number): try container.encode(number)",
        "            case .number(let number): try container.encode(number)",
        "            case .text(let text): try container.encode(text)",
        "            case .array(let elements): try container.encode(elements)",
        "            case .object(let members): try container.encode(members)",
        "            }",
        "        }", "",
        "        /// What kind of value it is.",
        "        public enum Kind: Sendable { case null, boolean, integer, number, text, array, object }", "",
        "        public var kind: Kind {",
        "            switch self {",
        "            case .null: .null",
        "            case .boolean: .boolean",
        "            case .integer: .integer",
        "            case .number: .number",
        "            case .text: .text",
        "            case .array: .array",
        "            case .object: .object",
        "            }",
        "        }", "",
        "        var isNumber: Bool { kind == .integer || kind == .number }", "",
        "        /// Whether it is an array whose first element passes.",
        "        func isArray(_ test: (JSON) -> Bool) -> Bool {",
        "            guard case .array(let elements) = self else { return false }",
        "            return elements.first.map(test) ?? true",
        "        }", "",
        "        /// Whether the names of all members pass.",
        "        func hasOnly(_ test: (String) -> Bool) -> Bool {",
        "            guard case .object(let members) = self else { return true }",
        "            return members.keys.allSatisfy(test)",
        "        }", "",
        "        /// The text of a member.",
        "        func text(_ name: String) -> String? {",
        "            guard case .object(let members) = self, case .text(let text)? = members[name] else { return nil }",
        "            return text",
        "        }", "",
        "        func has(_ name: String, _ kinds: [Kind], isRequired: Bool, _ values: [String] = []) -> Bool {",
        "            guard case .object(let members) = self else { return false }",
        "            guard let member = members[name] else { return !isRequired }",
        "            if !kinds.isEmpty && !kinds.contains(member.kind) { return false }",
        "            guard !values.isEmpty, case .text(let text) = member else { return true }",
        "            return values.contains(text)",
        "        }", "    }",
    ]
}
