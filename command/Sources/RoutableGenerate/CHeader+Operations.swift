// Writes the C functions of an operation: its URL, its request, reading its response, and performing it.

internal import RoutableCore

extension CHeader {
    /// `at` is the C type of the resource, and `resource` its name; nil for a standalone operation.
    mutating func write(_ action: Action, named name: String, at: String?, of resource: String? = nil) {
        let hasArguments = !action.parameters.isEmpty
        let owner = "\(name)_arguments"
        var rows: [CRow] = []
        if hasArguments {
            let members = members(action.parameters.map { $0.name }, of: action.name)
            code.line("typedef struct \(owner) {")
            for (index, each) in action.parameters.enumerated() {
                writeMember(each.name, each.summary, each.type, isMaybe(each), members[index])
            }
            code.lines(["} \(owner);", "#define \(Self.upper(owner))_INIT ROUTABLE_TYPED_ZERO", ""])
            for (index, each) in action.parameters.enumerated() {
                let place =
                    switch each.spot {
                    case .path: 0
                    case .query: 1
                    case .header: 2
                    case .cookie: 3
                    }
                rows.append(
                    CRow(
                        name: each.name, shape: each.type.shape, isMaybe: isMaybe(each),
                        offset: "offsetof(\(owner), \(members[index]))", place: place))
            }
        }
        function("const routable_typed_operation *", "\(name)_operation", [])
        if hasArguments {
            writeTable(rows)
            code.line("    static const routable_typed_shape parameters = {")
            code.line("        names, fields, \(innerOf(rows)), NULL, sizeof(\(owner)), \(rows.count), ROUTABLE_TYPED_OBJECT")
            code.line("    };")
        }
        var input = "ROUTABLE_TYPED_NONE", inputShape = "NULL", output = "ROUTABLE_TYPED_NONE", outputShape = "NULL"
        switch action.input {
        case .none: break
        case .open, .multipart: input = "ROUTABLE_TYPED_OPEN"
        case .bytes: input = "ROUTABLE_TYPED_BYTES"
        case .typed(let type, _):
            let kind = kind(type.shape)
            input = kind.text
            inputShape = kind.shape ?? "NULL"
        }
        if case .typed(.typed(let type), _) = action.output {
            let kind = kind(type.shape)
            output = kind.text
            outputShape = kind.shape ?? "NULL"
        }
        number += 1
        code.line("    static const routable_typed_operation operation = {")
        code.line(
            "        \(Texts.cLiteral(action.name)), \(hasArguments ? "&parameters" : "NULL"), \(inputShape), \(outputShape), \(number), \(input), \(output)"
        )
        code.lines(["    };", "    return &operation;", "}", ""])

        let place = at.map { "\($0) at" } ?? "\(prefix) *api"
        let body = body(of: action), result = result(of: action)
        var opening: [String] = []
        opening = [
            "    routable_typed_place place = \(at == nil ? "routable_typed_root(&api->typed)" : "\(prefix)_here(&at.place)");"
        ]
        let root: [String] = []
        let here = "&place"
        let arguments = hasArguments ? ["const \(owner) *arguments"] : []
        let bodies = body.map { [$0] } ?? []
        let argument = hasArguments ? "arguments" : "NULL"
        let given = body.map { String($0.split(whereSeparator: { $0 == " " || $0 == "*" }).last ?? "") } ?? "NULL"

        if action.canPlan {
            comment("\(action.method) \(action.path): writes the URL, as routable_plan_write does.")
            function(
                "routable_status", "\(name)_url",
                [place] + arguments + ["char *buffer", "size_t capacity", "size_t *length", "routable_error **error"])
            code.lines(opening + root)
            code.lines([
                "    return routable_typed_url(\(here), \(name)_operation(), \(argument), buffer, capacity, length, error);",
                "}", "",
            ])
        }
        comment("\(action.method) \(action.path): creates the request, which can be edited before it is sent.")
        function(
            "routable_status", "\(name)_request",
            [place] + arguments + bodies + ["routable_request **out", "routable_error **error"])
        code.lines(opening + root)
        code.lines([
            "    return routable_typed_request(\(here), \(name)_operation(), \(argument), \(given), out, error);", "}", "",
        ])

        code.line(
            "/* Whether a request calls this operation, for example a request for a URL in a response (routable_router_follow). */"
        )
        function("int", "\(name)_is", ["const routable_request *request"])
        code.lines([
            "    return routable_typed_is_of(request, \(resource.map { Texts.cLiteral($0) } ?? "\"\""), \(Texts.cLiteral(action.name)));",
            "}", "",
        ])

        code.line("/* Reads the response to such a request into `out`, which then owns the response. */")
        function("void", "\(name)_from_response", ["routable_response *response", "\(result) *out"])
        if case .typed(.typed, _) = action.output {
            code.lines([
                "    routable_typed_result answer;", "    routable_typed_result_of(\(name)_operation(), response, &answer);",
                "    \(result)_set(out, &answer);", "}", "",
            ])
        } else {
            code.lines(["    routable_typed_result_of(\(name)_operation(), response, out);", "}", ""])
        }

        if let item = action.item ?? action.stream?.item {
            let own = self.result(item), kind = kind(item.shape)
            code.line(
                action.item != nil
                    ? "/* Reads an item of a page, which routable_pages_item returned. */"
                    : "/* Reads one value of the response: the data of an event, or a line, which routable_stream_next returned. */"
            )
            function(
                "routable_status", "\(name)_item_from_json", ["routable_str json", "\(own) *out", "routable_error **error"])
            code.lines([
                "    routable_typed_result item;",
                "    routable_status status = routable_typed_item_of(json, \(kind.text), \(kind.shape.map { "\($0)()" } ?? "NULL"), &item, error);",
                "    if (status == ROUTABLE_OK)", "        \(own)_set(out, &item);", "    return status;", "}", "",
            ])
        }

        comment(
            action.summary.isEmpty ? "\(action.method) \(action.path)" : "\(action.method) \(action.path): \(action.summary)")
        function(
            "routable_status", name,
            [place] + arguments + bodies + ["const routable_client *client", "\(result) *out", "routable_error **error"])
        code.lines(opening)
        if case .typed(.typed, _) = action.output {
            code.line("    routable_typed_result answer;")
            code.line("    routable_status status;")
            code.lines(root)
            code.line(
                "    status = routable_typed_perform(\(here), \(name)_operation(), \(argument), \(given), client, &answer, error);"
            )
            code.lines([
                "    if (status == ROUTABLE_OK)", "        \(result)_set(out, &answer);", "    return status;", "}", "",
            ])
        } else {
            code.lines(root)
            code.lines([
                "    return routable_typed_perform(\(here), \(name)_operation(), \(argument), \(given), client, out, error);",
                "}", "",
            ])
        }
        writeErrors(action, name)
    }

    /// The parameter for the body of an operation.
    func body(of action: Action) -> String? {
        switch action.input {
        case .none: return nil
        case .open, .multipart: return "const routable_open_input *input"
        case .bytes: return "const routable_str *bytes"
        case .typed(let type, _):
            let own = value(type.shape)
            return own.hasSuffix("*") ? own + "body" : "const \(own) *body"
        }
    }

    /// The C type of the result of an operation.
    func result(of action: Action) -> String {
        if case .typed(.typed(let type), _) = action.output { return result(type) }
        return "\(prefix)_result"
    }

    /// Writes the struct of the error bodies by status, and the function that reads it from a routable_error.
    private mutating func writeErrors(_ action: Action, _ name: String) {
        let problems = action.errors.compactMap { plan -> (status: StatusPlan, type: Typing)? in
            if case .typed(let type)? = plan.payload, type.shape != .any { (plan, type) } else { nil }
        }
        if problems.isEmpty { return }
        let owner = "\(name)_errors"
        var names: [String] = []
        for (status, _) in problems {
            let isRange = status.highest > status.lowest
            let wanted =
                isRange ? status.highest - status.lowest == 99 ? "s\(status.lowest / 100)xx" : "other" : "s\(status.lowest)"
            names.append(names.contains(wanted) ? "\(wanted)_\(names.count)" : wanted)
        }
        comment(
            "The body of an error response to \(action.name): the member for the status of the response; the others are NULL.")
        code.lines([
            "typedef struct \(owner) {", "    int32_t http_status;", "    routable_error_body body;", "    void *memory;",
        ])
        for (index, (_, type)) in problems.enumerated() {
            let own = value(type.shape)
            code.line("    \(own.hasSuffix("*") ? own : "const \(own) *")\(names[index]);")
        }
        code.lines(["} \(owner);", "#define \(Self.upper(owner))_INIT ROUTABLE_TYPED_ZERO", ""])
        code.line(
            "/* Reads the body of the error response to \(Texts.cComment(action.name)).  Returns 1 if the body has the type for its status; `out->body` has the reason. */"
        )
        function("int", "\(owner)_of", ["const routable_error *error", "\(owner) *out"])
        code.line("    static const routable_typed_problem problems[] = {")
        // The narrowest range comes first: 404 before 4XX before the other statuses.
        let sorted = problems.indices.sorted {
            problems[$0].status.highest - problems[$0].status.lowest < problems[$1].status.highest - problems[$1].status.lowest
        }
        for index in sorted {
            let kind = kind(problems[index].type.shape)
            code.line(
                "        { \(problems[index].status.lowest), \(problems[index].status.highest), offsetof(\(owner), \(names[index])), \(kind.text), \(kind.shape ?? "NULL") },"
            )
        }
        code.lines([
            "    };", "    memset(out, 0, sizeof *out);",
            "    return routable_typed_errors_of(error, problems, sizeof problems / sizeof problems[0], (routable_typed_errors *)out);",
            "}", "",
        ])
        function("void", "\(owner)_free", ["\(owner) *errors"])
        code.lines(["    routable_typed_free(errors->memory);", "    memset(errors, 0, sizeof *errors);", "}", ""])
    }
}
