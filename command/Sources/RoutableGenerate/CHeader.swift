// The C header: names first, then types, then functions.  What it stands on is include/routable_typed.h.

internal import RoutableCore

struct CHeader {
    let blueprint: Blueprint
    let prefix: String
    var code = CodeWriter()
    private var scope = Scope()
    private var renamings: [Renaming] = []
    private var records: [String] = []
    private var fields: [[String]] = []
    private var resources: [String] = []
    private var children: [[String]] = []
    /// Of the resources in order, then the free ones.
    private var actions: [[String]] = []
    private var roots: [String] = []
    private var free: [String] = []
    private var uses = Set<String>()

    /// The longest document that is put into the header.
    private static let documentLimit = 1 << 16
    static let width = 120

    static func text(_ blueprint: Blueprint, prefix: String?) -> String {
        var header = CHeader(blueprint, prefix)
        header.write()
        return header.code.text
    }

    private init(_ blueprint: Blueprint, _ prefix: String?) {
        self.blueprint = blueprint
        var own = Naming.identifier(prefix ?? (blueprint.name.isEmpty ? blueprint.source : blueprint.name), .snake, start: "n")
        if Reserved.cPrefixes.contains(own) || Reserved.c.contains(own) {
            renamings.append(Renaming(original: own, identifier: own + "_api", why: "reserved"))
            own += "_api"
        }
        self.prefix = own
        takeNames()
    }

    // MARK: - Names

    private mutating func takeNames() {
        scope.take([
            prefix, "\(prefix)_open", "\(prefix)_open_file", "\(prefix)_use", "\(prefix)_close", "\(prefix)_names",
            "\(prefix)_result", "\(prefix)_result_free",
        ])
        for kind in ["text", "integer", "number", "boolean", "json"] {
            for list in ["", "_list"] {
                scope.take(["", "_free", "_set"].map { "\(prefix)_\(kind)\(list)_result\($0)" })
            }
        }
        for resource in blueprint.resources {
            resources.append(claim(resource.name, ["", "_set", "_id", "_id_of", "_id_of_text"], of: "the resource"))
        }
        for resource in blueprint.resources {
            roots.append(claim("root \(resource.name)", ["", "_set"], of: "the root", shown: resource.name))
        }
        for (index, resource) in blueprint.resources.enumerated() {
            children.append(
                resource.children.map { child in
                    let name = blueprint.resources[child].name
                    return claim(
                        "", ["", "_set"], of: "the child of \(resource.name)", shown: name,
                        base: resources[index] + "_" + Naming.identifier(name, .snake))
                })
        }
        let endings = ["", "_url", "_request", "_take", "_arguments", "_operation"]
        for (index, resource) in blueprint.resources.enumerated() {
            actions.append(
                resource.actions.map {
                    claim(
                        "", endings, of: "the operation of \(resource.name)", shown: $0.name,
                        base: resources[index] + "_" + Naming.identifier($0.name, .snake))
                })
        }
        free = blueprint.actions.map { claim($0.name, endings, of: "the operation") }
        let ofRecords = [
            "", "_maybe", "_list", "_maybe_list", "_shape", "_result", "_result_free", "_result_set", "_list_result",
            "_list_result_free", "_list_result_set",
        ]
        for record in blueprint.records {
            let base = prefix + "_" + Naming.identifier(record.name, .snake) + "_data"
            let name = claim("", ofRecords, of: "the type", shown: record.name, base: base)
            records.append(name)
        }
        for record in blueprint.records { fields.append(members(record.fields.map { $0.name }, of: record.name)) }
        for record in blueprint.records { for field in record.fields { use(field.type, isMaybe: isMaybe(field)) } }
        for action in blueprint.resources.flatMap({ $0.actions }) + blueprint.actions {
            for parameter in action.parameters { use(parameter.type, isMaybe: isMaybe(parameter)) }
            if case .typed(let type, _) = action.input { use(type, isMaybe: false) }
            if case .typed(let type, _) = action.output { uses.insert(result(type)); use(type, isMaybe: false) }
        }
    }

    private mutating func claim(
        _ name: String, _ endings: [String], of subject: String, shown: String? = nil, base: String? = nil
    ) -> String {
        scope.claim(
            base ?? prefix + "_" + Naming.identifier(name, .snake), endings: endings,
            for: "\(subject) \(shown ?? name)", &renamings)
    }

    /// The members of a struct.
    private mutating func members(_ names: [String], of owner: String) -> [String] {
        var scope = Scope(reserved: Reserved.c)
        return names.map {
            var wanted = Naming.identifier($0, .snake)
            // In C++ a member with the name of a type hides it from the members that follow.
            if wanted.hasPrefix("routable_") || self.scope.isTaken(wanted) {
                renamings.append(Renaming(original: "\($0) of \(owner)", identifier: wanted + "_", why: "reserved"))
                wanted += "_"
            }
            return scope.claim(wanted, for: "\($0) of \(owner)", &renamings)
        }
    }

    private mutating func use(_ type: Typing, isMaybe: Bool) { uses.insert(self.type(type, isMaybe: isMaybe)) }

    private func isMaybe(_ field: Field) -> Bool { !field.isRequired || field.type.isNullable }
    private func isMaybe(_ parameter: Parameter) -> Bool { !parameter.isRequired }

    // MARK: - Types

    /// The kind in a table, without the list, and the record.
    private func kind(_ type: Typing) -> (word: String, isList: Bool, record: Int?) {
        switch type.shape {
        case .text: return ("TEXT", false, nil)
        case .integer: return ("INTEGER", false, nil)
        case .number: return ("NUMBER", false, nil)
        case .boolean: return ("BOOLEAN", false, nil)
        case .any, .map: return ("JSON", false, nil)
        case .record(let index): return blueprint.records[index].fields.isEmpty ? ("JSON", false, nil) : ("RECORD", false, index)
        case .list(let element):
            let inner = kind(element)
            // Elements that may be null, and lists of lists, are JSON.
            if element.isNullable || inner.isList { return ("JSON", true, nil) }
            return (inner.word, true, inner.record)
        }
    }

    private func kindText(_ type: Typing) -> String {
        let kind = kind(type)
        return "ROUTABLE_TYPED_\(kind.word)" + (kind.isList ? " | ROUTABLE_TYPED_LIST" : "")
    }

    /// The C type of a member.
    private func type(_ type: Typing, isMaybe: Bool) -> String {
        let kind = kind(type)
        if let record = kind.record {
            let name = records[record]
            if kind.isList { return name + (isMaybe ? "_maybe_list" : "_list") }
            return isMaybe ? name + "_maybe" : "const \(name) *"
        }
        let word = kind.word == "JSON" ? "json" : Self.lower(kind.word)
        if isMaybe { return "routable_maybe_\(word)" + (kind.isList ? "_list" : "") }
        if kind.isList { return "routable_\(word)_list" }
        switch kind.word {
        case "TEXT": return "routable_str"
        case "INTEGER": return "int64_t"
        case "NUMBER": return "double"
        case "BOOLEAN": return "bool"
        default: return "routable_json_text"
        }
    }

    static func lower(_ word: String) -> String {
        String(decoding: word.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }, as: UTF8.self)
    }

    private func result(_ type: Typing) -> String {
        let kind = kind(type)
        let base = kind.record.map { records[$0] } ?? "\(prefix)_\(Self.lower(kind.word))"
        return base + (kind.isList ? "_list" : "") + "_result"
    }

    private static func declaration(_ type: String, _ name: String) -> String {
        type.hasSuffix("*") ? type + name : type + " " + name
    }

    // MARK: - The header

    private mutating func write() {
        head()
        apiSection()
        recordSection()
        resourceSection()
        for (index, resource) in blueprint.resources.enumerated() {
            if resource.actions.isEmpty { continue }
            rule("Operations of \(resource.name)")
            for (place, action) in resource.actions.enumerated() {
                write(action, named: actions[index][place], at: resources[index] + (action.place == .member ? "" : "_set"))
            }
        }
        if !blueprint.actions.isEmpty {
            rule("Operations")
            for (index, action) in blueprint.actions.enumerated() { write(action, named: free[index], at: nil) }
        }
        code.line("#endif")
    }

    private mutating func head() {
        let guardName = "\(prefix)_routable_h"
        let upper = String(decoding: guardName.utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 32 : $0 }, as: UTF8.self)
        let title = blueprint.name.isEmpty ? blueprint.source : blueprint.name
        code.line("/* \(Texts.cComment(title)): made by `routable generate c` from \(Texts.cComment(blueprint.source)).  Do not edit it: generate it again.")
        for line in Texts.wrapped(Texts.cComment(blueprint.summary), width: Self.width - 6) { code.line(" * \(line)") }
        if !renamings.isEmpty {
            code.line(" *")
            code.line(" * Names that are reserved, or were taken:")
            for each in renamings {
                code.line(" *     \(Texts.cComment(each.identifier))  for \(Texts.cComment(each.original)) (\(each.why))")
            }
        }
        code.line(" */")
        code.lines(["#ifndef \(upper)", "#define \(upper)", "", "#include <routable_typed.h>", ""])
    }

    private mutating func rule(_ title: String) {
        code.line("/* --- \(Texts.cComment(title)) --- */")
        code.line()
    }

    private mutating func comment(_ text: String, indent: String = "") {
        let lines = Texts.wrapped(Texts.cComment(text), width: Self.width - 7 - indent.utf8.count)
        guard let first = lines.first else { return }
        if lines.count == 1 { return code.line("\(indent)/* \(first) */") }
        code.line("\(indent)/* \(first)")
        for line in lines.dropFirst().dropLast() { code.line("\(indent) * \(line)") }
        code.line("\(indent) * \(lines[lines.count - 1]) */")
    }

    /// A function's head, broken where it is too long.
    private mutating func function(_ returns: String, _ name: String, _ parameters: [String]) {
        let start = "static inline " + Self.declaration(returns, name) + "("
        let all = parameters.isEmpty ? "void" : parameters.joined(separator: ", ")
        if start.utf8.count + all.utf8.count + 1 <= Self.width || parameters.isEmpty {
            code.line(start + all + ")")
        } else {
            code.line(start)
            var line = "   "
            for (index, parameter) in parameters.enumerated() {
                let piece = " " + parameter + (index + 1 < parameters.count ? "," : ")")
                if line.utf8.count + piece.utf8.count > Self.width && line != "   " {
                    code.line(line)
                    line = "   "
                }
                line += piece
            }
            code.line(line)
        }
        code.line("{")
    }

    private mutating func apiSection() {
        code.lines([
            "/* The description, opened; one thread at a time.  Another thread has one of its own over the same router:",
            " * \(prefix)_use(&mine, theirs.typed.router). */", "typedef struct \(prefix) { routable_typed_api typed; } \(prefix);", "",
        ])
        function("const char *const *", "\(prefix)_names", [])
        code.line("    static const char *const names[] = {")
        for resource in blueprint.resources { code.line("        \(Texts.cLiteral(resource.name)),") }
        code.lines(["        NULL", "    };", "    return names;", "}", ""])
        if let document = blueprint.document, document.count <= Self.documentLimit {
            code.line("/* Opens the description that this header was made from; `base` may be NULL: the description's. */")
            function("routable_status", "\(prefix)_open", ["\(prefix) *api", "const char *base", "routable_error **error"])
            code.line("    static const char *const document[] = {")
            for piece in Self.pieces(document) { code.line("        \(piece),") }
            code.line("    };")
            code.line("    return routable_typed_open(")
            code.line("        &api->typed, document, sizeof document / sizeof document[0], base, \(prefix)_names(), error);")
            code.lines(["}", ""])
        }
        code.line("/* The same from a file, which should be the one that this header was made from. */")
        function(
            "routable_status", "\(prefix)_open_file",
            ["\(prefix) *api", "const char *path", "const char *base", "routable_error **error"])
        code.lines(["    return routable_typed_open_file(&api->typed, path, base, \(prefix)_names(), error);", "}", ""])
        code.line("/* Over a router that is open already, and stays yours. */")
        function("void", "\(prefix)_use", ["\(prefix) *api", "routable_router *router"])
        code.lines(["    routable_typed_use(&api->typed, router, \(prefix)_names());", "}", ""])
        function("void", "\(prefix)_close", ["\(prefix) *api"])
        code.lines(["    routable_typed_close(&api->typed);", "}", ""])
        code.line("/* What came of an operation that declares no type: the response, with its body. */")
        code.lines(["typedef routable_typed_result \(prefix)_result;", ""])
        function("void", "\(prefix)_result_free", ["\(prefix)_result *result"])
        code.lines(["    routable_typed_result_free(result);", "}", ""])
    }

    /// Literals of some 90 bytes each.
    private static func pieces(_ document: Bytes) -> [String] {
        var pieces: [String] = []
        var rest = document.storage[...]
        while !rest.isEmpty {
            var end = min(rest.startIndex + 90, rest.endIndex)
            // Not within a character: nobody reads half of one.
            while end < rest.endIndex && rest[end] & 0xC0 == 0x80 { end += 1 }
            pieces.append("\"" + Texts.cLiteral(Bytes(rest[..<end])) + "\"")
            rest = rest[end...]
        }
        return pieces
    }

    // MARK: - Records

    private mutating func recordSection() {
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
        for index in used { writeShape(blueprint.records[index], index) }
        for index in used {
            for list in ["", "_list"] where uses.contains("\(records[index])\(list)_result") {
                writeResult("\(records[index])\(list)_result", of: "\(records[index])\(list)")
            }
        }
        for (word, type) in [("text", "routable_str"), ("integer", "int64_t"), ("number", "double"), ("boolean", "bool"), ("json", "routable_json_text")] {
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

    private mutating func writeMember(_ original: String, _ summary: String, _ type: Typing, _ isMaybe: Bool, _ name: String) {
        var remark = summary
        if case .text(let values) = type.shape, !values.isEmpty {
            let list = values.prefix(20).joined(separator: ", ") + (values.count > 20 ? ", ..." : "")
            remark += remark.isEmpty ? "One of: \(list)" : "  One of: \(list)"
        }
        if original != name { remark = remark.isEmpty ? original : "\(original): \(remark)" }
        comment(remark, indent: "    ")
        code.line("    " + Self.declaration(self.type(type, isMaybe: isMaybe), name) + ";")
    }

    private mutating func writeShape(_ record: Record, _ index: Int) {
        let name = records[index]
        code.line("static inline const routable_typed_shape *\(name)_shape(void);")
        _ = record
        if index == (blueprint.records.lastIndex { !$0.fields.isEmpty } ?? -1) {
            code.line()
            for each in blueprint.records.indices where !blueprint.records[each].fields.isEmpty { writeShapeBody(each) }
        }
    }

    private mutating func writeShapeBody(_ index: Int) {
        let record = blueprint.records[index], name = records[index]
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
    private func row(_ name: String, _ type: Typing, _ isMaybe: Bool, _ place: String, _ owner: String, _ member: String) -> String {
        let shape = kind(type).record.map { "\(records[$0])_shape" } ?? "NULL"
        return "{ \(Texts.cLiteral(name)), \(name.utf8.count), offsetof(\(owner), \(member)), \(kindText(type)), "
            + "\(isMaybe ? 1 : 0), \(place), \(shape) }"
    }

    private mutating func writeResult(_ name: String, of type: String) {
        code.lines([
            "typedef struct \(name) {", "    int32_t http_status;", "    routable_outcome outcome;",
            "    const \(type) *value; /* NULL when the body is empty or something else: the outcome says it */",
            "    routable_response *response;", "    void *memory;", "} \(name);", "",
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

    // MARK: - Resources

    private mutating func resourceSection() {
        if blueprint.resources.isEmpty { return }
        rule("Resources: an id, a member, the set of all members; as values, of which any number of others may be made")
        for (index, resource) in blueprint.resources.enumerated() {
            comment(resource.summary)
            writeId(resource, resources[index])
        }
        for name in resources {
            code.line("typedef struct \(name) { routable_typed_place place; } \(name);")
            code.line("typedef struct \(name)_set { routable_typed_place place; } \(name)_set;")
        }
        code.line()
        for (index, resource) in blueprint.resources.enumerated() {
            let name = resources[index]
            if resource.hasRootMembers {
                function(name, roots[index], ["\(prefix) *api", "\(name)_id id"])
                code.lines([
                    "    \(name) result;", "    routable_typed_root(&result.place, &api->typed);",
                    "    routable_typed_member(&result.place, \(index), \(value(resource.id)));", "    return result;", "}", "",
                ])
            }
            if resource.isRoot {
                function("\(name)_set", "\(roots[index])_set", ["\(prefix) *api"])
                code.lines([
                    "    \(name)_set result;", "    routable_typed_root(&result.place, &api->typed);",
                    "    routable_typed_step(&result.place, \(index));", "    return result;", "}", "",
                ])
            }
        }
        for (index, resource) in blueprint.resources.enumerated() {
            for (order, child) in resource.children.enumerated() {
                let accessor = children[index][order], name = resources[child]
                if !blueprint.resources[child].isShallow {
                    function(name, accessor, ["\(resources[index]) below", "\(name)_id id"])
                    code.lines([
                        "    \(name) result;", "    result.place = below.place;",
                        "    routable_typed_member(&result.place, \(child), \(value(blueprint.resources[child].id)));",
                        "    return result;", "}", "",
                    ])
                }
                function("\(name)_set", "\(accessor)_set", ["\(resources[index]) below"])
                code.lines([
                    "    \(name)_set result;", "    result.place = below.place;",
                    "    routable_typed_step(&result.place, \(child));", "    return result;", "}", "",
                ])
            }
        }
    }

    private func idKind(_ id: Parameter) -> (type: String, make: String) {
        switch id.type.shape {
        case .integer: ("int64_t", "routable_integer")
        case .number: ("double", "routable_real")
        case .boolean: ("bool", "routable_boolean")
        default: ("routable_str", "routable_text_of")
        }
    }

    private func value(_ id: Parameter) -> String { "\(idKind(id).make)(id.value)" }

    private mutating func writeId(_ resource: ResourcePlan, _ name: String) {
        let kind = idKind(resource.id)
        code.line("typedef struct \(name)_id { \(kind.type) value; } \(name)_id;")
        code.line()
        let isText = kind.type == "routable_str"
        function("\(name)_id", "\(name)_id_of", [isText ? "const char *text" : "\(kind.type) value"])
        code.lines(["    \(name)_id id;", "    id.value = \(isText ? "routable_s(text)" : "value");", "    return id;", "}", ""])
        if !isText { return }
        function("\(name)_id", "\(name)_id_of_text", ["routable_str text"])
        code.lines(["    \(name)_id id;", "    id.value = text;", "    return id;", "}", ""])
    }

    // MARK: - Operations

    /// `at` is the type of its place; nil for a free one.
    private mutating func write(_ action: Action, named name: String, at: String?) {
        let hasArguments = !action.parameters.isEmpty
        let owner = "\(name)_arguments"
        var table = "NULL, 0"
        if hasArguments {
            let members = members(action.parameters.map { $0.name }, of: action.name)
            code.line("typedef struct \(owner) {")
            for (index, each) in action.parameters.enumerated() {
                writeMember(each.name, each.summary, each.type, isMaybe(each), members[index])
            }
            code.lines(["} \(owner);", ""])
            table = "parameters, sizeof parameters / sizeof parameters[0]"
            function("const routable_typed_operation *", "\(name)_operation", [])
            code.line("    static const routable_typed_field parameters[] = {")
            for (index, each) in action.parameters.enumerated() {
                let place: String =
                    switch each.spot {
                    case .path: "ROUTABLE_IN_PATH"
                    case .query: "ROUTABLE_IN_QUERY"
                    case .header: "ROUTABLE_IN_HEADER"
                    case .cookie: "ROUTABLE_IN_COOKIE"
                    }
                code.line("        " + row(each.name, each.type, isMaybe(each), place, owner, members[index]) + ",")
            }
            code.line("    };")
        } else {
            function("const routable_typed_operation *", "\(name)_operation", [])
        }
        var input = "0", inputShape = "NULL", output = "0", outputShape = "NULL", body: String?
        switch action.input {
        case .none: break
        case .open: (input, body) = ("ROUTABLE_TYPED_OPEN", "const routable_open_input *input")
        case .bytes: (input, body) = ("ROUTABLE_TYPED_BYTES", "const routable_str *bytes")
        case .typed(let type, _):
            input = kindText(type)
            let kind = kind(type)
            if let record = kind.record { inputShape = "\(records[record])_shape" }
            body = kind.record != nil && !kind.isList ? self.type(type, isMaybe: false) + "body" : "const \(self.type(type, isMaybe: false)) *body"
        }
        var result = "\(prefix)_result"
        if case .typed(let type, _) = action.output {
            output = kindText(type)
            if let record = kind(type).record { outputShape = "\(records[record])_shape" }
            result = self.result(type)
        }
        code.line("    static const routable_typed_operation operation = {")
        code.line("        \(Texts.cLiteral(action.name)), \(table), \(input), \(output), \(inputShape), \(outputShape)")
        code.lines(["    };", "    return &operation;", "}", ""])

        let place = at.map { "\($0) at" } ?? "\(prefix) *api"
        var opening: [String] = []
        if at == nil { opening = ["    routable_typed_place place;"] }
        let root = at == nil ? ["    routable_typed_root(&place, &api->typed);"] : []
        let here = at == nil ? "&place" : "&at.place"
        let arguments = hasArguments ? ["const \(owner) *arguments"] : []
        let bodies = body.map { [$0] } ?? []
        let argument = hasArguments ? "arguments" : "NULL"
        let given = body.map { String($0.split(whereSeparator: { $0 == " " || $0 == "*" }).last ?? "") } ?? "NULL"

        if action.canPlan {
            comment("\(action.method) \(action.path): its URL, as routable_plan_write writes it.")
            function(
                "routable_status", "\(name)_url",
                [place] + arguments + ["char *buffer", "size_t capacity", "size_t *length", "routable_error **error"])
            code.lines(opening + root)
            code.lines([
                "    return routable_typed_url(\(here), \(name)_operation(), \(argument), buffer, capacity, length, error);", "}", "",
            ])
        }
        comment("\(action.method) \(action.path): the request, to edit and to send.")
        function("routable_status", "\(name)_request", [place] + arguments + bodies + ["routable_request **out", "routable_error **error"])
        code.lines(opening + root)
        code.lines(["    return routable_typed_request(\(here), \(name)_operation(), \(argument), \(given), out, error);", "}", ""])

        code.line("/* Takes a response that came of such a request. */")
        function("void", "\(name)_take", ["routable_response *response", "\(result) *out"])
        if case .typed = action.output {
            code.lines([
                "    routable_typed_result answer;", "    routable_typed_result_of(\(name)_operation(), response, &answer);",
                "    \(result)_set(out, &answer);", "}", "",
            ])
        } else {
            code.lines(["    routable_typed_result_of(\(name)_operation(), response, out);", "}", ""])
        }

        comment(action.summary.isEmpty ? "\(action.method) \(action.path)" : "\(action.method) \(action.path): \(action.summary)")
        function(
            "routable_status", name,
            [place] + arguments + bodies + ["const routable_client *client", "\(result) *out", "routable_error **error"])
        code.lines(opening)
        if case .typed = action.output {
            code.line("    routable_typed_result answer;")
            code.line("    routable_status status;")
            code.lines(root)
            code.line("    status = routable_typed_perform(\(here), \(name)_operation(), \(argument), \(given), client, &answer, error);")
            code.lines(["    if (status == ROUTABLE_OK)", "        \(result)_set(out, &answer);", "    return status;", "}", ""])
        } else {
            code.lines(root)
            code.lines([
                "    return routable_typed_perform(\(here), \(name)_operation(), \(argument), \(given), client, out, error);", "}", "",
            ])
        }
    }
}
