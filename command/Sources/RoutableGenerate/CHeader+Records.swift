// Writes the types of the description as C structs, with the tables of their members and the results that contain them.

internal import RoutableCore

/// One row of a table.
struct CRow {
    var name: String
    var shape: Shape
    var isMaybe: Bool
    var offset: String
    var place = 0
    /// Whether the member is required; it may be null.
    var isRequired = false
}

extension CHeader {
    mutating func recordSection() {
        let used = blueprint.records.indices.filter { hasFields($0) }
        if used.isEmpty && unions.isEmpty && choices.isEmpty && order.isEmpty && resultOrder.isEmpty { return }
        rule("Types")
        for index in used { code.line("typedef struct \(records[index]) \(records[index]);") }
        for name in unions { code.line("typedef struct \(name) \(name);") }
        if !used.isEmpty || !unions.isEmpty { code.line() }
        for index in choices.indices { writeChoice(index) }
        writeWrappers()
        for index in used { write(blueprint.records[index], index) }
        for index in unions.indices { writeUnion(index) }
        let shapes = used.map { records[$0] } + unions + wrapperShapes
        for name in shapes { code.line("static inline const routable_typed_shape *\(name)_shape(void);") }
        if !shapes.isEmpty { code.line() }
        for index in used { writeShape(of: blueprint.records[index], index) }
        for index in unions.indices { writeUnionShape(index) }
        writeWrapperShapes()
        for type in resultOrder { writeResult(result(type), of: value(type.shape)) }
    }

    private mutating func write(_ record: Record, _ index: Int) {
        comment(record.summary)
        code.line("struct \(records[index]) {")
        for (place, field) in record.fields.enumerated() {
            writeMember(field.name, field.summary, field.type, isMaybe(field), fields[index][place])
        }
        code.lines(["};", "#define \(Self.upper(records[index]))_INIT ROUTABLE_TYPED_ZERO", ""])
    }

    mutating func writeMember(_ original: String, _ summary: String, _ type: Typing, _ isMaybe: Bool, _ name: String) {
        var remark = type.remark(on: summary)
        if original != name { remark = remark.isEmpty ? original : "\(original): \(remark)" }
        comment(remark, indent: "    ")
        code.line("    " + Self.declaration(self.type(type, isMaybe: isMaybe), name) + ";")
    }

    private mutating func writeShape(of record: Record, _ index: Int) {
        let name = records[index]
        let rows = record.fields.enumerated().map { place, field in
            CRow(
                name: field.name, shape: field.type.shape, isMaybe: isMaybe(field),
                offset: "offsetof(\(name), \(fields[index][place]))", isRequired: field.isRequired)
        }
        writeShape("\(name)_shape", rows, size: "sizeof(\(name))", form: "ROUTABLE_TYPED_OBJECT")
    }

    // MARK: - Unions

    private mutating func writeUnion(_ index: Int) {
        let union = blueprint.unions[index], name = unions[index]
        comment(union.summary)
        code.line("typedef ROUTABLE_ENUM(\(name)_kind) {")
        code.line("    \(tags[index][0]) = 0, /* none of them fits: as.\(options[index][0]) is the JSON */")
        for (place, option) in options[index].dropFirst().enumerated() {
            code.line(
                "    \(tags[index][place + 1]) = \(place + 1)\(place + 1 < union.options.count ? "," : "") /* as.\(option) */")
        }
        code.lines(["} \(name)_kind;", "struct \(name) {", "    \(name)_kind is;", "    union {"])
        for (place, option) in union.options.enumerated() {
            code.line("        \(Self.declaration(value(option.type.shape), options[index][place + 1]));")
        }
        code.lines([
            "        routable_json \(options[index][0]);", "    } as;", "};",
            "#define \(Self.upper(name))_INIT ROUTABLE_TYPED_ZERO", "",
        ])
    }

    private mutating func writeUnionShape(_ index: Int) {
        let union = blueprint.unions[index], name = unions[index]
        let rows = union.options.enumerated().map { place, option in
            CRow(
                name: "", shape: option.type.shape, isMaybe: false, offset: "offsetof(\(name), as.\(options[index][place + 1]))"
            )
        }
        var tell: [String]?
        if let discriminator = union.discriminator, !discriminator.property.utf8.contains(0) {
            let values = discriminator.values.filter { !$0.value.utf8.contains(0) }
            tell = ["    static const uint16_t options[] = { \(values.map { String($0.option) }.joined(separator: ", ")) };"]
            tell = (tell ?? []) + Self.names(values.map { $0.value }, "values")
            tell?.append(
                "    static const routable_typed_tell tell = { \(Texts.cLiteral(discriminator.property)), values, options, \(values.count) };"
            )
        }
        writeShape("\(name)_shape", rows, size: "sizeof(\(name))", form: "ROUTABLE_TYPED_OPTIONS", tell: tell)
    }

    // MARK: - Choices

    private mutating func writeChoice(_ index: Int) {
        let choice = blueprint.choices[index], name = choices[index]
        comment(choice.summary)
        code.line("typedef struct \(name) { routable_str text; } \(name);")
        code.line("typedef ROUTABLE_ENUM(\(name)_value) {")
        code.line(
            "    \(values[index][0]) = 0\(values[index].count > 1 ? "," : "") /* a text that the description does not name */")
        for (place, value) in values[index].dropFirst().enumerated() {
            code.line("    \(value) = \(place + 1)\(place + 2 < values[index].count ? "," : "")")
        }
        code.lines(["} \(name)_value;", ""])
        function("const char *const *", "\(name)_texts", [])
        code.line("    static const char *const texts[] = {")
        for text in choice.values where !text.utf8.contains(0) { code.line("        \(Texts.cLiteral(text)),") }
        code.lines(["        NULL", "    };", "    return texts;", "}", ""])
        function(name, "\(name)_of", ["\(name)_value value"])
        code.lines([
            "    \(name) result;",
            "    result.text = routable_typed_choice(\(name)_texts(), \(values[index].count - 1), (int32_t)value);",
            "    return result;", "}", "",
        ])
        code.line("/* Any string, also one that the description does not list. */")
        function(name, "\(name)_of_str", ["routable_str text"])
        code.lines(["    \(name) result;", "    result.text = text;", "    return result;", "}", ""])
        function("\(name)_value", "\(name)_is", ["\(name) choice"])
        code.lines(["    return (\(name)_value)routable_typed_chosen(\(name)_texts(), choice.text);", "}", ""])
    }

    // MARK: - Tables

    /// Strings with a NUL at the end of each: a literal, or an array of bytes if the literal is longer than compilers are required to accept.
    static func names(_ names: [String], _ variable: String) -> [String] {
        let count = names.reduce(0) { $0 + $1.utf8.count + 1 }
        if count < 4000 {
            return ["    static const char \(variable)[] ="]
                + names.enumerated().map {
                    "        \"\(Texts.cLiteral(Bytes($1)))\($0 + 1 < names.count ? "\\0" : "")\"\($0 + 1 < names.count ? "" : ";")"
                }
                + (names.isEmpty ? ["        \"\";"] : [])
        }
        var lines = ["    static const char \(variable)[] = {"]
        for name in names {
            lines.append("        " + name.utf8.map { "(char)\($0)," }.joined(separator: " ") + " 0,")
        }
        return lines + ["        0", "    };"]
    }

    mutating func writeShape(_ name: String, _ rows: [CRow], size: String, form: String, tell: [String]? = nil) {
        function("const routable_typed_shape *", name, [])
        writeTable(rows)
        code.lines(tell ?? [])
        code.line("    static const routable_typed_shape shape = {")
        code.line(
            "        names, fields, \(hasInner(rows) ? "inner" : "NULL"), \(tell == nil ? "NULL" : "&tell"), \(size), \(rows.count), \(form)"
        )
        code.lines(["    };", "    return &shape;", "}", ""])
    }

    private func hasInner(_ rows: [CRow]) -> Bool { rows.contains { kind($0.shape).shape != nil } }

    /// Writes the names, the fields and the shapes of a table as variables.
    mutating func writeTable(_ rows: [CRow]) {
        var inner: [String] = []
        var numbers: [String: Int] = [:]
        var lines: [String] = []
        for row in rows {
            let kind = kind(row.shape)
            var number = 0
            if let shape = kind.shape {
                if let known = numbers[shape] {
                    number = known
                } else {
                    inner.append(shape)
                    number = inner.count
                    numbers[shape] = number
                }
            }
            lines.append(
                "        { \(row.offset), \(number), \(kind.text), \(row.place * 2 + (row.isMaybe ? 1 : 0) + (row.isRequired ? 128 : 0)) },"
            )
        }
        code.lines(Self.names(rows.map { $0.name }, "names"))
        code.lines(["    static const routable_typed_field fields[] = {"] + lines + ["    };"])
        if !inner.isEmpty {
            code.line("    static const routable_typed_shape_of inner[] = {")
            for each in inner { code.line("        \(each),") }
            code.line("    };")
        }
    }

    func innerOf(_ rows: [CRow]) -> String { hasInner(rows) ? "inner" : "NULL" }

    // MARK: - Results

    private mutating func writeResult(_ name: String, of type: String) {
        let pointer = type.hasSuffix("*") ? type : "const \(type) *"
        code.lines([
            "typedef struct \(name) {", "    int32_t http_status;", "    routable_outcome outcome;",
            "    \(pointer)value; /* NULL if the body is empty or does not have this type: see `outcome` */",
            "    routable_response *response;", "    void *memory;", "} \(name);",
            "#define \(Self.upper(name))_INIT ROUTABLE_TYPED_RESULT_INIT", "",
        ])
        function("void", "\(name)_set", ["\(name) *result", "const routable_typed_result *from"])
        code.lines([
            "    result->http_status = from->http_status;", "    result->outcome = from->outcome;",
            "    result->value = (\(pointer))from->value;", "    result->response = from->response;",
            "    result->memory = from->memory;", "}", "",
        ])
        function("void", "\(name)_free", ["\(name) *result"])
        code.lines([
            "    routable_response_free(result->response);", "    routable_typed_free(result->memory);",
            "    memset(result, 0, sizeof *result);",
            "}", "",
        ])
    }
}
