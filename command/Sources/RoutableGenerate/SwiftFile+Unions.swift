// Enums of Swift: strings with a set of expected values that also accept other strings; values of one of several types that also accept any JSON.

internal import RoutableCore

extension SwiftFile {
    mutating func write(choice index: Int) {
        let choice = blueprint.choices[index]
        var names = Scope(reserved: Reserved.swift.union(["other", "rawValue"]))
        var seen = Set<String>()  // compared as Swift does
        let cases = choice.values.filter { seen.insert($0).inserted }.map { value in
            (
                name: names.claim(
                    Naming.identifier(value, .camel), separator: "", for: "\(value) of \(choice.name)", &renamings),
                value: value
            )
        }
        code.line()
        comment(choice.summary, indent: "    ")
        code.line("    public enum \(choices[index]): RawRepresentable, Codable, Hashable, Sendable {")
        for each in cases { code.line("        case \(each.name)") }
        code.lines(["        /// A string that the description does not list.", "        case other(String)", ""])
        code.lines(["        public init(rawValue: String) {", "            switch rawValue {"])
        for each in cases { code.line("            case \(Texts.swiftLiteral(each.value)): self = .\(each.name)") }
        code.lines(["            default: self = .other(rawValue)", "            }", "        }", ""])
        code.lines(["        public var rawValue: String {", "            switch self {"])
        for each in cases { code.line("            case .\(each.name): \(Texts.swiftLiteral(each.value))") }
        code.lines(["            case .other(let text): text", "            }", "        }", ""])
        code.lines([
            "        public init(from decoder: any Decoder) throws {",
            "            self.init(rawValue: try decoder.singleValueContainer().decode(String.self))", "        }", "",
            "        public func encode(to encoder: any Encoder) throws {",
            "            var container = encoder.singleValueContainer()", "            try container.encode(rawValue)",
            "        }",
            "    }",
        ])
    }

    mutating func write(union index: Int) {
        let union = blueprint.unions[index]
        usesJSON = true
        var names = Scope(reserved: Reserved.swift.union(["other", "fits"]))
        let cases = union.options.map { option in
            (
                name: names.claim(
                    Naming.identifier(blueprint.optionName(option.type), .camel), separator: "",
                    for: "\(blueprint.optionName(option.type)) of \(union.name)", &renamings), type: text(option.type),
                shape: option.type
            )
        }
        code.line()
        comment(union.summary, indent: "    ")
        code.line("    public indirect enum \(unions[index]): Codable, Sendable {")
        for each in cases { code.line("        case \(each.name)(\(each.type))") }
        code.lines(["        /// No alternative fits.", "        case other(JSON)", ""])
        code.line("        public init(from decoder: any Decoder) throws {")
        code.line("            let json = try JSON(from: decoder)")
        var start = "if"
        if let discriminator = union.discriminator {
            code.line("            if let kind = json.text(\(Texts.swiftLiteral(discriminator.property))) {")
            code.line("                switch kind {")
            var seen = Set<String>()
            for (order, each) in cases.enumerated() {
                let values = discriminator.values.filter { $0.option == order && seen.insert($0.value).inserted }
                if values.isEmpty { continue }
                code.line("                case \(values.map { Texts.swiftLiteral($0.value) }.joined(separator: ", ")):")
                code.line(
                    "                    self = (try? \(each.type)(from: decoder)).map { .\(each.name)($0) } ?? .other(json)")
            }
            code.lines(["                default: self = .other(json)", "                }"])
            start = "} else if"
        }
        // The first option with all members of the value is tried first, and then the first option that matches.
        var tests: [String] = []
        for exactly in [true, false] {
            for each in cases {
                let test = fits(each.shape, "json", exactly ? "true" : "false")
                if tests.contains(test) { continue }
                tests.append(test)
                code.line("            \(start) \(test) {")
                code.line("                self = (try? \(each.type)(from: decoder)).map { .\(each.name)($0) } ?? .other(json)")
                start = "} else if"
            }
        }
        code.lines(["            } else {", "                self = .other(json)", "            }"])
        code.lines([
            "        }", "", "        public func encode(to encoder: any Encoder) throws {", "            switch self {",
        ])
        for each in cases { code.line("            case .\(each.name)(let value): try value.encode(to: encoder)") }
        code.lines(["            case .other(let json): try json.encode(to: encoder)", "            }", "        }", ""])
        code.line("        static func fits(_ json: JSON, exactly: Bool) -> Bool {")
        tests = []
        for each in cases {
            let test = fits(each.shape, "json", "exactly")
            if !tests.contains(test) { tests.append(test) }
        }
        for test in tests { code.line("            if \(test) { return true }") }
        code.lines(["            return false", "        }", "    }"])
    }

    /// Whether JSON resembles a type, one level deep.  The option is chosen once, so that reading takes linear time.
    /// `exactly`: whether the type has all members of the value.
    private func fits(_ type: Typing, _ json: String, _ exactly: String) -> String {
        let plain: String =
            switch type.shape {
            case .text, .choice: "\(json).kind == .text"
            case .integer: "\(json).kind == .integer"
            case .number: "\(json).isNumber"
            case .boolean: "\(json).kind == .boolean"
            case .any: "true"
            case .record(let index): "\(records[index]).fits(\(json), exactly: \(exactly))"
            case .union(let index): "\(unions[index]).fits(\(json), exactly: \(exactly))"
            case .list(let element):
                "\(json).isArray({ \(element.shape == .any ? "_ in true" : fits(element, "$0", exactly)) })"
            case .map: "\(json).kind == .object"
            }
        return type.isNullable ? "(\(json).kind == .null || \(plain))" : plain
    }

    /// The function of a record that unions call.
    mutating func writeFits(_ record: Record) {
        code.lines(["", "        static func fits(_ json: JSON, exactly: Bool) -> Bool {"])
        let rows = record.fields.compactMap { field -> String? in
            var kinds: [String]
            var values = ""
            switch field.type.shape {
            case .text: kinds = [".text"]
            case .choice(let index):
                kinds = [".text"]
                let all = blueprint.choices[index].values
                if all.count <= 4 && !field.type.isNullable {
                    values = ", [\(all.map { Texts.swiftLiteral($0) }.joined(separator: ", "))]"
                }
            case .integer: kinds = [".integer"]
            case .number: kinds = [".integer", ".number"]
            case .boolean: kinds = [".boolean"]
            case .record, .map: kinds = [".object"]
            case .list: kinds = [".array"]
            case .union, .any: kinds = []
            }
            if kinds.isEmpty && !field.isRequired { return nil }
            if !kinds.isEmpty && field.type.isNullable { kinds.append(".null") }
            return
                "json.has(\(Texts.swiftLiteral(field.name)), [\(kinds.joined(separator: ", "))], isRequired: \(field.isRequired)\(values))"
        }
        code.line("            guard json.kind == .object else { return false }")
        let test = record.fields.isEmpty ? "_ in false" : "CodingKeys(stringValue: $0) != nil"
        code.line("            if exactly && !json.hasOnly({ \(test) }) { return false }")
        for row in rows { code.line("            if !\(row) { return false }") }
        code.lines(["            return true", "        }"])
    }
}
