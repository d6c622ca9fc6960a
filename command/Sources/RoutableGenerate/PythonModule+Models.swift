// Models of a Python module: TypedDicts, and names for unions and for strings with a fixed set of values.

internal import RoutableCore

extension PythonModule {
    /// A TypedDict: its keys are those of the JSON object; keys that are not required are optional.
    mutating func write(_ record: Record, _ name: String) {
        code.lines(["", ""])
        var seen = Set<Bytes>()
        let fields = record.fields.filter { seen.insert(Bytes($0.name)).inserted }
        if fields.allSatisfy({ isPlainKey($0.name) }) {
            code.line("class \(name)(TypedDict):")
            docstring(record.summary, indent: "    ")
            for field in fields {
                comment(field.summary, indent: "    ")
                code.line("    \(field.name): \(hint(field))")
            }
            return
        }
        comment(record.summary, indent: "")
        code.line("\(name) = TypedDict(")
        code.line("    \"\(name)\",")
        code.line("    {")
        for field in fields {
            comment(field.summary, indent: "        ")
            code.line("        \(Texts.pythonLiteral(field.name)): \(Texts.pythonLiteral(hint(field))),")
        }
        code.lines(["    },", ")"])
    }

    private func hint(_ field: Field) -> String { field.isRequired ? text(field.type) : "NotRequired[\(text(field.type))]" }

    mutating func comment(_ text: String, indent: String) {
        for line in Texts.wrapped(Texts.line(text), width: Self.width - 3 - indent.utf8.count) {
            code.line("\(indent)#: \(line)")
        }
    }

    /// Unions and choices are aliases for the type checker and do not exist at run time.
    mutating func writeAliases() {
        if unions.isEmpty && choices.isEmpty { return }
        code.lines(["", "", "if TYPE_CHECKING:"])
        for (index, choice) in blueprint.choices.enumerated() {
            comment(choice.summary, indent: "    ")
            alias(choices[index], "Literal", choice.values.map { Texts.pythonLiteral($0) })
        }
        for (index, union) in blueprint.unions.enumerated() {
            comment(union.summary, indent: "    ")
            alias(unions[index], "Union", union.options.map { Texts.pythonLiteral(text($0.type)) })
        }
        code.line("else:")
        if dataclasses { return writeAliasTexts() }
        let names = (choices + unions).sorted()
        for start in stride(from: 0, to: names.count, by: 8) {
            code.line("    \(names[start..<min(start + 8, names.count)].joined(separator: " = ")) = Any")
        }
    }

    private mutating func alias(_ name: String, _ word: String, _ parts: [String]) {
        let line = "    \(name): TypeAlias = \(word)[\(parts.joined(separator: ", "))]"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line("    \(name): TypeAlias = \(word)[")
        for part in parts { code.line("        \(part),") }
        code.line("    ]")
    }

    /// Whether a key can be written in the body of a class without changing the meaning of other lines there.
    private func isPlainKey(_ key: String) -> Bool {
        guard let first = key.utf8.first, first != UInt8(ascii: "_"), !(first >= 0x30 && first <= 0x39),
            key.utf8.allSatisfy({ $0 == 0x5F || $0 >= 0x30 && $0 <= 0x39 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
        else { return false }
        return !Reserved.python.contains(key) && !Reserved.pythonTop.contains(key) && !modelNames.contains(key)
            && key != "mro" && key != "keys" && key != "items" && key != "values"
    }
}
