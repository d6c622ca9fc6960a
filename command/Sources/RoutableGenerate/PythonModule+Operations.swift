// Operations as methods of a Python module: arguments, documentation, and the type of the result.

internal import RoutableCore

extension PythonModule {
    mutating func write(_ action: Action, _ name: String) {
        // The parameters of the API get their names first; the parameters of this function are positional.
        var scope = Scope(reserved: Reserved.python)
        let names = action.parameters.map {
            scope.claim(Naming.identifier($0.name, .snake), for: "\($0.name) of \(action.name)", &renamings)
        }
        var body: (kind: String, isRequired: Bool)?
        var files: [Field] = []
        switch action.input {
        case .none: break
        case .open: body = ("object", false)
        case .bytes(let isRequired): body = ("Union[str, bytes]", isRequired)
        case .typed(let type, let isRequired): body = (text(type), isRequired)
        case .multipart(let type, let fields, let isRequired):
            if let type { body = (text(type), isRequired) }
            files = fields
        }
        let parts = files.map {
            scope.claim(Naming.identifier($0.name, .snake), for: "\($0.name) of \(action.name)", &renamings)
        }
        var unlisted: [Renaming] = []
        let (own, input, options) = (
            scope.claim("self", for: "self", &unlisted), scope.claim("body", for: "body", &unlisted),
            scope.claim("options", for: "options", &unlisted)
        )
        var first: [String] = [], second: [String] = []
        var places: [String: [String]] = [:]
        for (index, each) in action.parameters.enumerated() {
            let kind = text(each.type)
            let pair = "\(Texts.pythonLiteral(each.name)): \(names[index])"
            switch each.spot {
            case .path:
                first.append("\(names[index]): \(kind)")
                places["ids", default: []].append(names[index])
                continue
            case .query: places["query", default: []].append(pair)
            case .header: places["headers", default: []].append(pair)
            case .cookie: places["cookies", default: []].append(pair)
            }
            let optional = kind == "Any" ? kind : "Optional[\(kind)]"
            second.append(each.isRequired ? "\(names[index]): \(kind)" : "\(names[index]): \(optional) = None")
        }
        if let body {
            let optional = body.kind == "Any" || body.kind == "object" || body.kind.hasPrefix("Optional[")
            first.append(
                body.isRequired
                    ? "\(input): \(body.kind)" : "\(input): \(optional ? body.kind : "Optional[\(body.kind)]") = None")
        }
        first.append("\(options): Optional[Using] = None")
        for (file, name) in zip(files, parts) {
            places["files", default: []].append("\(Texts.pythonLiteral(file.name)): \(name)")
            let kind = if case .list = file.type.shape { "List[FileLike]" } else { "FileLike" }
            second.append(file.isRequired ? "\(name): \(kind)" : "\(name): Optional[\(kind)] = None")
        }
        var model = "", answer = "routable.Response"
        switch action.output {
        case .response: break
        case .empty: (model, answer) = (", \"empty\"", "None")
        case .typed(let payload, let mayBeEmpty):
            answer = text(payload)
            let word =
                switch payload {
                case .typed: "json"
                case .text: "text"
                case .bytes: "bytes"
                }
            // The library reports null as an empty body.
            let mayBeNull = if case .typed(let type) = payload { type.isNullable } else { false }
            model = ", \"\(word)\"" + (mayBeEmpty || mayBeNull ? ", True" : "")
            if mayBeEmpty && answer != "Any" && !answer.hasPrefix("Optional[") { answer = "Optional[\(answer)]" }
        }
        var errors: [String] = []
        for error in action.errors {
            guard case .typed(let type)? = error.payload else { continue }
            let text = text(type)
            if !errors.contains(text) { errors.append(text) }
        }
        var kind = "Call", words = [answer]
        if let item = action.item {
            kind = "PagedCall"
            words.append(text(item))
        } else if let stream = action.stream {
            kind = "StreamedCall"
            words.append(text(stream.item))
            model += ", stream=\(stream.isEvents ? "\"events\"" : "\"values\"")"
            if model.hasPrefix(", stream") { model = ", \"\"" + model }
        }
        if !errors.isEmpty && !errors.contains("Any") {
            kind += "WithErrors"
            words.append(errors.count == 1 ? errors[0] : "Union[\(errors.joined(separator: ", "))]")
        }
        let call = "\(kind)[\(words.joined(separator: ", "))]"
        code.line()
        signature(name, [own] + first + ["/"] + (second.isEmpty ? [] : ["*"]) + second, call)
        var text = "\(action.method) \(action.path)"
        if !action.summary.isEmpty { text += ": \(action.summary)" }
        document(text, zip(names, action.parameters).map { ($0, $1.summary) })
        var arguments = dataclasses ? readers(of: action) : []
        if let ids = places["ids"] { arguments.append("ids=(\(ids.joined(separator: ", ")),)") }
        if body != nil { arguments.append("body=\(input)") }
        arguments.append("options=\(options)")
        for place in ["query", "headers", "cookies", "files"] {
            if let pairs = places[place] { arguments.append("\(place)={\(pairs.joined(separator: ", "))}") }
        }
        let start = "        return \(own)._call("
        let all = [Texts.pythonLiteral(action.name) + model] + arguments
        let line = start + all.joined(separator: ", ") + ")"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line(start)
        for each in all { code.line("            \(each),") }
        code.line("        )")
    }

    /// Writes the summary, and a line for each argument with a description.
    private mutating func document(_ summary: String, _ arguments: [(name: String, text: String)]) {
        let told = arguments.filter { !Texts.line($0.text).isEmpty }
        if told.isEmpty { return docstring(summary, indent: "        ") }
        let lines = Texts.wrapped(doc(summary), width: Self.width - 14)
        for (order, line) in lines.enumerated() { code.line("        \(order == 0 ? "\"\"\"" : "")\(line)") }
        code.line()
        for each in told {
            let text = "\(each.name): \(doc(each.text))"
            for (order, line) in Texts.wrapped(text, width: Self.width - 16).enumerated() {
                code.line("        \(order == 0 ? "" : "    ")\(line)")
            }
        }
        code.line("        \"\"\"")
    }

    private mutating func signature(_ name: String, _ parameters: [String], _ answer: String) {
        let line = "    def \(name)(\(parameters.joined(separator: ", "))) -> \(answer):"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line("    def \(name)(")
        for each in parameters { code.line("        \(each),") }
        code.line("    ) -> \(answer):")
    }
}
