// Types of the description as C structs, the tables of their members, and the results that hold them.

internal import RoutableCore

extension CHeader {
    mutating func recordSection() {
        let used = blueprint.records.indices.filter { !blueprint.records[$0].fields.isEmpty }
        if used.isEmpty && uses.isEmpty { return }
        if !used.isEmpty { rule("Types") }
        for index in used { code.line("typedef struct \(records[index]) \(records[index]);") }
        if !used.isEmpty { code.line() }
        var hasWrapper = false
        for index in used {
            let name = records[index]
            for (ending, inside) in [
                ("_maybe", "routable_presence is; const \(name) *value;"),
                ("_list", "size_t count; const \(name) *items;"),
                ("_maybe_list", "routable_presence is; \(name)_list value;"),
            ] where uses.contains(name + ending) || ending == "_list" && uses.contains(name + "_maybe_list") {
                code.line("typedef struct \(name)\(ending) { \(inside) } \(name)\(ending);")
                hasWrapper = true
            }
        }
        if hasWrapper { code.line() }
        for index in used { write(blueprint.records[index], index) }
        for index in used { code.line("static inline const routable_typed_shape *\(records[index])_shape(void);") }
        if !used.isEmpty { code.line() }
        for index in used { writeShape(blueprint.records[index], index) }
        for index in used {
            for list in ["", "_list"] where uses.contains("\(records[index])\(list)_result") {
                writeResult("\(records[index])\(list)_result", of: "\(records[index])\(list)")
            }
        }
        for (word, type) in [("string", "routable_str"), ("integer", "int64_t"), ("number", "double"), ("boolean", "bool"), ("json", "routable_json")] {
            if uses.contains("\(prefix)_\(word)_result") { writeResult("\(prefix)_\(word)_result", of: type) }
            if uses.contains("\(prefix)_\(word)_list_result") {
                writeResult("\(prefix)_\(word)_list_result", of: "routable_\(word)_list")
            }
        }
    }

    private mutating func write(_ record: Record, _ index: Int) {
        comment(record.summary)
        code.line("struct \(records[index]) {")
        for (place, field) in record.fields.enumerated() { writeMember(field.name, field.summary, field.type, isMaybe(field), fields[index][place]) }
        code.lines(["};", ""])
    }

    mutating func writeMember(_ original: String, _ summary: String, _ type: Typing, _ isMaybe: Bool, _ name: String) {
        var remark = type.remark(on: summary)
        if original != name { remark = remark.isEmpty ? original : "\(original): \(remark)" }
        comment(remark, indent: "    ")
        code.line("    " + Self.declaration(self.type(type, isMaybe: isMaybe), name) + ";")
    }

    private mutating func writeShape(_ record: Record, _ index: Int) {
        let name = records[index]
        function("const routable_typed_shape *", "\(name)_shape", [])
        code.line("    static const routable_typed_field fields[] = {")
        for (place, field) in record.fields.enumerated() {
            code.line("        " + row(field.name, field.type, isMaybe(field), "0", name, fields[index][place]) + ",")
        }
        code.lines([
            "    };", "    static const routable_typed_shape shape = { sizeof(\(name)), fields, sizeof fields / sizeof fields[0] };",
            "    return &shape;", "}", "",
        ])
    }

    /// One row of a table.
    func row(_ name: String, _ type: Typing, _ isMaybe: Bool, _ place: String, _ owner: String, _ member: String) -> String {
        let shape = kind(type).record.map { "\(records[$0])_shape" } ?? "NULL"
        return "{ \(Texts.cLiteral(name)), \(name.utf8.count), offsetof(\(owner), \(member)), \(kindText(type)), "
            + "\(isMaybe ? 1 : 0), \(place), \(shape) }"
    }

    private mutating func writeResult(_ name: String, of type: String) {
        code.lines([
            "typedef struct \(name) {", "    int32_t http_status;", "    routable_outcome outcome;",
            "    const \(type) *value; /* NULL when the body is empty or something else: the outcome says it */",
            "    routable_response *response;", "    void *memory;", "} \(name);",
            "#define \(Self.upper(name))_INIT ROUTABLE_TYPED_RESULT_INIT", "",
        ])
        function("void", "\(name)_set", ["\(name) *result", "const routable_typed_result *from"])
        code.lines([
            "    result->http_status = from->http_status;", "    result->outcome = from->outcome;",
            "    result->value = (const \(type) *)from->value;", "    result->response = from->response;",
            "    result->memory = from->memory;", "}", "",
        ])
        function("void", "\(name)_free", ["\(name) *result"])
        code.lines([
            "    routable_response_free(result->response);", "    free(result->memory);", "    memset(result, 0, sizeof *result);",
            "}", "",
        ])
    }
}
