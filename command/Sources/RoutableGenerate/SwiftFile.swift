// The Swift file: an API whose resources, children and models are nested in it, over the product Routable.

internal import RoutableCore

struct SwiftFile {
    let blueprint: Blueprint
    var code = CodeWriter()
    private var scope = Scope(reserved: Reserved.swiftTypes)
    private var renamings: [Renaming] = []
    private var api = ""
    private var records: [String] = []
    private var resources: [String] = []
    private var accessors: [String] = []
    private var classes = Set<Int>()
    private var usesJSON = false
    /// Before the names of types, outside of the API.
    private var qualifier = ""

    private static let documentLimit = 1 << 16
    private static let width = 120

    static func text(_ blueprint: Blueprint, name: String?) -> String {
        var file = SwiftFile(blueprint, name)
        file.write()
        return file.code.text
    }

    private init(_ blueprint: Blueprint, _ name: String?) {
        self.blueprint = blueprint
        let own = name ?? (blueprint.name.isEmpty ? blueprint.source : blueprint.name)
        api = claim(own, of: "the API")
        for resource in blueprint.resources {
            resources.append(
                scope.claim(
                    Naming.identifier(resource.name, .pascal), separator: "", for: "the resource \(resource.name)", &renamings))
        }
        var members = Scope(reserved: Reserved.swift)
        members.take(["name", "base", "resources", "document", "operations", "router", "collection", "endpoint", "child"])
        for resource in blueprint.resources {
            accessors.append(
                members.claim(Naming.identifier(resource.name, .camel), separator: "", for: "the accessor of \(resource.name)", &renamings))
        }
        for resource in resources { scope.take(["Has" + resource]) }
        for record in blueprint.records {
            var wanted = Naming.identifier(record.name, .pascal)
            if scope.isTaken(wanted) || Reserved.swiftTypes.contains(wanted) { wanted += "Model" }
            records.append(scope.claim(wanted, separator: "", for: "the type \(record.name)", &renamings))
        }
        findClasses()
    }

    private mutating func claim(_ name: String, of subject: String) -> String {
        scope.claim(Naming.identifier(name, .pascal), separator: "", for: "\(subject) \(name)", &renamings)
    }

    /// Records that hold themselves, without a list between: a struct cannot.
    private mutating func findClasses() {
        let edges = blueprint.records.map { record in
            record.fields.compactMap { field -> Int? in if case .record(let index) = field.type.shape { index } else { nil } }
        }
        for start in edges.indices {
            var seen = Set<Int>()
            var waiting = edges[start]
            while let next = waiting.popLast() {
                if next == start {
                    classes.insert(start)
                    break
                }
                if seen.insert(next).inserted { waiting += edges[next] }
            }
        }
    }

    // MARK: - Types

    private mutating func text(_ type: Typing, parameter: Bool = false) -> String {
        let plain: String
        switch type.shape {
        case .text: plain = "String"
        case .integer: plain = "Int64"
        case .number: plain = "Double"
        case .boolean: plain = "Bool"
        case .any:
            if !parameter { usesJSON = true }
            plain = parameter ? "Value" : qualifier + "JSON"
        case .record(let index): plain = qualifier + records[index]
        case .list(let element): plain = "[\(text(element, parameter: parameter))]"
        case .map(let value): plain = "[String: \(text(value, parameter: parameter))]"
        }
        return type.isNullable ? plain + "?" : plain
    }

    // MARK: - The file

    private mutating func write() {
        var body = CodeWriter()
        swap(&body, &code)
        apiBody()
        for index in blueprint.resources.indices { write(resource: index) }
        for index in blueprint.records.indices { write(record: index) }
        // Before the end of the API: what the extensions need is known when they are written.
        var inside = CodeWriter()
        swap(&inside, &code)
        qualifier = api + "."
        for index in blueprint.resources.indices { extend(index) }
        var outside = CodeWriter()
        swap(&outside, &code)
        code = inside
        if usesJSON { code.lines(Self.json) }
        code.line("}")
        code = CodeWriter(text: code.text + outside.text)
        swap(&body, &code)

        let title = blueprint.name.isEmpty ? blueprint.source : blueprint.name
        code.line("// \(Texts.line(title)): made by `routable generate swift` from \(Texts.line(blueprint.source)).  Do not edit it: generate it again.")
        if !renamings.isEmpty {
            code.lines(["//", "// Names that are reserved, or were taken:"])
            for each in renamings { code.line("//     \(each.identifier)  for \(Texts.line(each.original)) (\(each.why))") }
        }
        code.lines(["", "import Routable", ""])
        code = CodeWriter(text: code.text + body.text)
    }

    private mutating func comment(_ text: String, indent: String) {
        for line in Texts.wrapped(Texts.line(text), width: Self.width - indent.utf8.count - 4) { code.line("\(indent)/// \(line)") }
    }

    private mutating func apiBody() {
        comment(blueprint.summary, indent: "")
        code.line("public enum \(api): API {")
        code.line("    public static let name: Bytes = \(Texts.swiftLiteral(blueprint.name))")
        code.line("    public static let base: Bytes = \(Texts.swiftLiteral(blueprint.base))")
        let roots = blueprint.resources.indices.filter { blueprint.resources[$0].isRoot || blueprint.resources[$0].hasRootMembers }
        list("resources", roots, indent: "    ")
        for index in roots {
            code.line()
            comment(blueprint.resources[index].summary, indent: "    ")
            code.line("    public static var \(accessors[index]): ResourceCollection<\(resources[index])> { collection() }")
        }
        var names = Scope(reserved: Reserved.swift)
        names.take(accessors + ["name", "base", "resources", "document", "operations", "router", "collection", "endpoint"])
        for action in blueprint.actions {
            let name = names.claim(
                Naming.identifier(action.name, .camel), separator: "", for: "the operation \(action.name)", &renamings)
            write(action, name, isStatic: true, indent: "    ", verb: nil)
        }
        if let document = blueprint.document, document.count <= Self.documentLimit {
            code.lines(["", "    public static let document: Bytes = \"\"\""])
            var piece = ""
            for scalar in document.string.unicodeScalars {
                piece += Texts.swiftLiteral(String(scalar)).dropFirst().dropLast()
                if piece.utf8.count >= 100 {
                    code.line("        \(piece)\\")
                    piece = ""
                }
            }
            code.lines(["        \(piece)", "        \"\"\""])
        }
    }

    /// `public static var resources: [AnyResource] { ... }`
    private mutating func list(_ name: String, _ indices: [Int], indent: String) {
        let all = indices.map { "AnyResource(\(resources[$0]).self)" }
        let start = "\(indent)public static var \(name): [AnyResource] {"
        let line = "\(start) [\(all.joined(separator: ", "))] }"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.lines([start, "\(indent)    ["] + all.map { "\(indent)        \($0)," } + ["\(indent)    ]", "\(indent)}"])
    }

    private mutating func write(resource index: Int) {
        let resource = blueprint.resources[index], name = resources[index]
        var conformances: [String] = []
        let verbs = [
            "list": "Listable", "read": "Readable", "create": "Creatable", "update": "Updatable", "patch": "Patchable",
            "delete": "Deletable",
        ]
        for action in resource.actions { if let verb = verbs[action.name] { conformances.append(verb) } }
        conformances += resource.children.map { "Has\(resources[$0])" }
        if conformances.isEmpty { conformances = ["Resource"] }
        code.line()
        comment(resource.summary, indent: "    ")
        code.line("    public enum \(name): \(conformances.joined(separator: ", ")) {")
        switch resource.id.type.shape {
        case .integer: code.line("        public typealias ID = IntegerID<\(name)>")
        case .number: code.line("        public typealias ID = Double")
        case .boolean: code.line("        public typealias ID = Bool")
        default: code.line("        public typealias ID = ResourceID<\(name)>")
        }
        let (model, body) = models(resource)
        if let model { code.line("        public typealias Model = \(model)") }
        if let body, body != model { code.line("        public typealias Body = \(body)") }
        code.line("        public static let name: Bytes = \(Texts.swiftLiteral(resource.name))")
        code.line("        public static let path: Bytes = \(Texts.swiftLiteral(resource.path))")
        if resource.id.name != "id" {
            code.line("        public static var id: ParameterDescription { id(named: \(Texts.swiftLiteral(resource.id.name))) }")
        }
        if !resource.children.isEmpty {
            list("children", resource.children, indent: "        ")
        }
        if !resource.isRoot { code.line("        public static var isNested: Bool { true }") }
        code.line("    }")
        code.lines(["", "    /// What \(name) nests in.", "    public protocol Has\(name): Resource {}"])
    }

    /// What its verbs answer with, and what create and update send.
    private mutating func models(_ resource: ResourcePlan) -> (model: String?, body: String?) {
        var model: String?, body: String?
        for verb in ["read", "create", "update", "list"] {
            guard let action = resource.actions.first(where: { $0.name == verb }) else { continue }
            if model == nil, case .typed(let type, _) = action.output {
                if verb == "list" {
                    if case .list(let element) = type.shape { model = text(element) }
                } else {
                    model = text(type)
                }
            }
            if body == nil, verb == "create" || verb == "update", case .typed(let type, _) = action.input { body = text(type) }
        }
        return (model, body)
    }

    // MARK: - Models

    private mutating func write(record index: Int) {
        let record = blueprint.records[index], name = records[index], isClass = classes.contains(index)
        let word = isClass ? "let" : "var"
        var names = Scope(reserved: Reserved.swift)
        var members: [(field: Field, name: String, type: String)] = []
        var keys = Set<String>() // as Swift compares them: é is e and an accent
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
            comment(remark(each.field), indent: "        ")
            code.line("        public \(word) \(each.name): \(each.type)")
        }
        if !members.isEmpty { code.line() }
        let parameters = members.map { "\($0.name): \($0.type)" + ($0.field.isRequired ? "" : " = nil") }
        let line = "        public init(\(parameters.joined(separator: ", "))) {"
        if line.utf8.count <= Self.width {
            code.line(line)
        } else {
            code.line("        public init(")
            for (order, each) in parameters.enumerated() {
                code.line("            \(each)\(order + 1 < parameters.count ? "," : "")")
            }
            code.line("        ) {")
        }
        for each in members { code.line("            self.\(each.name) = \(each.name)") }
        code.line("        }")
        if members.isEmpty { return code.line("    }") }
        code.lines(["", "        enum CodingKeys: String, CodingKey {"])
        for each in members { code.line("            case \(each.name) = \(Texts.swiftLiteral(each.field.name))") }
        code.line("        }")
        if members.contains(where: { $0.field.isRequired && $0.type.hasSuffix("?") }) {
            // What may be null and not absent is written also when it is nil.
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

    private func remark(_ field: Field) -> String {
        guard case .text(let values) = field.type.shape, !values.isEmpty else { return field.summary }
        let list = values.prefix(20).joined(separator: ", ") + (values.count > 20 ? ", ..." : "")
        return field.summary.isEmpty ? "One of: \(list)" : "\(field.summary)  One of: \(list)"
    }

    // MARK: - Operations

    private mutating func extend(_ index: Int) {
        let resource = blueprint.resources[index], name = "\(api).\(resources[index])"
        code.lines([
            "", "extension ResourceMember where Kind: \(api).Has\(resources[index]) {",
            "    public var \(accessors[index]): ResourceCollection<\(name)> { child() }", "}",
        ])
        let verbs = ["list", "read", "create", "update", "patch", "delete"]
        for (place, kind) in [(ActionPlace.collection, "ResourceCollection"), (.member, "ResourceMember")] {
            let actions = resource.actions.filter {
                $0.place == place && (!verbs.contains($0.name) || !$0.parameters.isEmpty)
            }
            if actions.isEmpty { continue }
            code.lines(["", "extension \(kind) where Kind == \(name) {"])
            var names = Scope(reserved: Reserved.swift)
            names.take(verbs + accessors + ["get", "child", "endpoint"])
            var isFirst = true
            for action in actions {
                let isVerb = verbs.contains(action.name)
                let method = isVerb ? action.name
                    : names.claim(
                        Naming.identifier(action.name, .camel), separator: "", for: "the operation \(action.name)", &renamings)
                write(action, method, isStatic: false, indent: "    ", verb: isVerb ? action.name : nil, isFirst: isFirst)
                isFirst = false
            }
            code.line("}")
        }
    }

    private mutating func write(
        _ action: Action, _ name: String, isStatic: Bool, indent: String, verb: String?, isFirst: Bool = false
    ) {
        var names = Scope(reserved: Reserved.swift)
        names.take(["body", "parameters", "endpoint", "call"])
        var parameters: [String] = [], ids: [String] = [], steps: [String] = []
        var input: String?
        switch action.input {
        case .typed(let type, let isRequired):
            parameters.append("_ body: \(text(type))\(isRequired ? "" : type.isNullable ? " = nil" : "? = nil")")
            input = isRequired || type.isNullable ? "typed" : "optional"
        case .open: input = "open"
        case .bytes, .none: break
        }
        for each in action.parameters {
            let own = names.claim(
                Naming.identifier(each.name, .camel), separator: "", for: "\(each.name) of \(action.name)", &renamings)
            let type = text(each.type, parameter: true)
            parameters.append("\(own): \(type)\(each.isRequired ? "" : "? = nil")")
            let key = Texts.swiftLiteral(each.name)
            switch each.spot {
            case .path: ids.append("\(own).routableValue")
            case .query: steps.append(".query(\(key), \(own))")
            case .header: steps.append(".header(\(key), \(own))")
            case .cookie:
                steps.append(
                    each.isRequired
                        ? ".with { $0.cookies.append(Value.Member(name: \(key), value: \(own).routableValue)) }"
                        : ".with { call in if let \(own) { call.cookies.append(Value.Member(name: \(key), value: \(own).routableValue)) } }")
            }
        }
        if input == "open" { parameters.append("parameters: [Value.Member]? = nil") }
        var output = "Untyped"
        if case .typed(let type, _) = action.output {
            output = text(type)
        } else if verb == "delete" {
            output = "Empty"
        }
        let throwing = input == "typed" || input == "optional" ? " throws(Failure)" : ""
        if !isFirst { code.line() }
        comment(action.summary.isEmpty ? "\(action.method) \(action.path)" : "\(action.method) \(action.path): \(action.summary)", indent: indent)
        let word = isStatic ? "public static func" : "public func"
        let line = "\(indent)\(word) \(name)(\(parameters.joined(separator: ", ")))\(throwing) -> Endpoint<\(output)> {"
        if line.utf8.count <= Self.width {
            code.line(line)
        } else {
            code.line("\(indent)\(word) \(name)(")
            for (order, each) in parameters.enumerated() {
                code.line("\(indent)    \(each)\(order + 1 < parameters.count ? "," : "")")
            }
            code.line("\(indent))\(throwing) -> Endpoint<\(output)> {")
        }
        let values = ids.isEmpty ? "" : ", [\(ids.joined(separator: ", "))]"
        let start = "endpoint(\(Texts.swiftLiteral(action.name))\(values), returning: \(output).self)"
        let inner = indent + "    "
        if input == nil {
            if steps.isEmpty { code.line("\(inner)\(start)") } else {
                code.line("\(inner)\(start)")
                for step in steps { code.line("\(inner)    \(step)") }
            }
        } else {
            code.line("\(inner)let endpoint: Endpoint<\(output)> = self.\(start)")
            for step in steps { code.line("\(inner)    \(step)") }
            switch input {
            case "typed": code.line("\(inner)return try endpoint.body(encoding: body)")
            case "optional": code.line("\(inner)if let body { return try endpoint.body(encoding: body) }"); code.line("\(inner)return endpoint")
            default: code.line("\(inner)if let parameters { return endpoint.parameters(parameters) }"); code.line("\(inner)return endpoint")
            }
        }
        code.line("\(indent)}")
    }

    private static let json = [
        "", "    /// Any JSON.", "    public indirect enum JSON: Codable, Sendable, Equatable {",
        "        case null, boolean(Bool), integer(Int64), number(Double), text(String), array([JSON]), object([String: JSON])", "",
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
        "        }", "    }",
    ]
}
