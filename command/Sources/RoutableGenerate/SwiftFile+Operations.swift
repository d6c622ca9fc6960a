// Writes the operations in Swift: extensions of collections and members with functions that return an Endpoint.

internal import RoutableCore

extension SwiftFile {
    mutating func extend(_ index: Int) {
        let resource = blueprint.resources[index], name = "\(api).\(resources[index])"
        code.lines([
            "", "extension ResourceMember where Kind: \(api).Has\(resources[index]) {",
            "    public var \(accessors[index]): \(kind(index))<\(name)> { child() }", "}",
        ])
        let verbs = ["list", "read", "create", "update", "patch", "delete"]
        let model = models(resource).model
        // Functions that a capability does not provide: with parameters, or with a result that is neither the model nor a list of it.
        let others = Set(resource.actions.filter { !hasModel($0, model) }.map { $0.name })
        for (place, kind) in [(ActionPlace.collection, "ResourceCollection"), (.member, "ResourceMember")] {
            let actions = resource.actions.filter {
                $0.place == place && (!verbs.contains($0.name) || !$0.parameters.isEmpty || others.contains($0.name))
            }
            if actions.isEmpty { continue }
            code.lines(["", "extension \(kind) where Kind == \(name) {"])
            var names = Scope(reserved: Reserved.swift)
            names.take(verbs + accessors + ["get", "child", "endpoint"])
            var isFirst = true
            for action in actions {
                let isVerb = verbs.contains(action.name)
                let method =
                    isVerb
                    ? action.name
                    : names.claim(
                        Naming.identifier(action.name, .camel), separator: "", for: "the operation \(action.name)", &renamings)
                write(action, method, isStatic: false, indent: "    ", verb: isVerb ? action.name : nil, isFirst: isFirst)
                isFirst = false
            }
            code.line("}")
        }
    }

    /// Whether the result of a capability is the one that its protocol declares.
    private mutating func hasModel(_ action: Action, _ model: String?) -> Bool {
        guard let model, case .typed(.typed(let type), _) = action.output else { return true }
        switch action.name {
        case "list":
            if case .list(let element) = type.shape { return text(element) == model }
            return false
        case "read", "create", "update": return text(type) == model
        default: return true
        }
    }

    /// `walk` is the location of a resource of an OpenAPI document: the function then uses the ids of the location instead of parameters
    /// of the path.
    mutating func write(
        _ action: Action, _ name: String, isStatic: Bool, indent: String, verb: String?, isFirst: Bool = false,
        walk: SwiftWalk? = nil
    ) {
        var names = Scope(reserved: Reserved.swift)
        // The parameters of the API get their names first; those of this function get the remaining ones.
        var parameters: [String] = [], ids: [String] = [], steps: [String] = []
        var told: [String] = [], given: [String] = []
        for each in action.parameters {
            let own = names.claim(
                Naming.identifier(each.name, .camel), separator: "", for: "\(each.name) of \(action.name)", &renamings)
            told.append(own)
            let key = Texts.swiftLiteral(each.name)
            let isOfWalk = each.spot == .path && ids.count < walk?.ids.count ?? 0
            switch each.spot {
            case .path: ids.append(isOfWalk ? walk?.ids[ids.count] ?? own : own)
            case .query: steps.append(".query(\(key), \(own))")
            case .header: steps.append(".header(\(key), \(own))")
            case .cookie: steps.append(".cookie(\(key), \(own))")
            }
            if isOfWalk {
                given.append("\(own): \(ids[ids.count - 1])")
                continue
            }
            given.append("\(own): \(own)")
            let type = text(each.type, parameter: true)
            parameters.append("\(own): \(type)\(each.isRequired ? "" : "? = nil")")
        }
        var input: String?, unlisted: [Renaming] = []
        let (body, free, local) = (
            names.claim("body", separator: "", for: "body", &unlisted),
            names.claim("parameters", separator: "", for: "parameters", &unlisted),
            names.claim("endpoint", separator: "", for: "endpoint", &unlisted)
        )
        switch action.input {
        case .typed(let type, let isRequired):
            parameters.insert("_ \(body): \(text(type))\(isRequired ? "" : type.isNullable ? " = nil" : "? = nil")", at: 0)
            input = isRequired || type.isNullable ? "typed" : "optional"
        case .open: input = "open"
        case .multipart(let type?, let files, let isRequired):
            let isRequired = isRequired && files.allSatisfy { !$0.isRequired }
            parameters.insert("_ \(body): \(text(type))\(isRequired ? "" : type.isNullable ? " = nil" : "? = nil")", at: 0)
            input = isRequired || type.isNullable ? "typed" : "optional"
        case .bytes, .none, .multipart: break
        }
        if input == "open" {
            parameters.append("\(free): [Value.Member]? = nil")
            given.append("\(free): \(free)")
        }
        var output = "Untyped"
        switch action.output {
        case .typed(.typed(let type), let mayBeEmpty): output = text(type) + (mayBeEmpty && !type.isNullable ? "?" : "")
        // The result is the response, whose body is a string or bytes.
        case .typed: break
        case .empty: output = "NoBody"
        case .response: if verb == "delete" { output = "NoBody" }
        }
        let isThrowing = input == "typed" || input == "optional"
        if isThrowing { given.insert(body, at: 0) }
        if !isFirst { code.line() }
        comment(
            action.summary.isEmpty ? "\(action.method) \(action.path)" : "\(action.method) \(action.path): \(action.summary)",
            indent: indent)
        if walk == nil {
            for (each, own) in zip(action.parameters, told) where !Texts.line(each.summary).isEmpty {
                comment("- Parameter \(own): \(each.summary)", indent: indent)
            }
        }
        let word = isStatic ? "public static func" : "public func"
        function(
            "\(word) \(name)(", parameters, ")\(isThrowing ? " throws(Failure)" : "") -> Endpoint<\(output)> {", indent: indent)
        let inner = indent + "    "
        if let called = walk?.function {
            function("\(isThrowing ? "try " : "")\(api).\(called)(", given, ")", indent: inner)
            return code.line("\(indent)}")
        }
        let values = ids.map { ", \($0)" }.joined()
        let isHidden = local != "endpoint" || input != nil  // by a parameter, or by the local variable
        let made = "endpoint(\(Texts.swiftLiteral(action.name))\(values), returning: \(output).self)"
        let start = walk != nil ? "\(api).\(made)" : isHidden ? "self.\(made)" : made
        if input == nil {
            if steps.isEmpty {
                code.line("\(inner)\(start)")
            } else {
                code.line("\(inner)\(start)")
                for step in steps { code.line("\(inner)    \(step)") }
            }
        } else {
            code.line("\(inner)let \(local): Endpoint<\(output)> = \(start)")
            for step in steps { code.line("\(inner)    \(step)") }
            let returned = "return \(local)"
            switch input {
            case "typed": code.line("\(inner)return try \(local).body(encoding: \(body))")
            case "optional":
                code.line("\(inner)if let \(body) { return try \(local).body(encoding: \(body)) }")
                code.line(inner + returned)
            default:
                code.line("\(inner)if let \(free) { return \(local).parameters(\(free)) }")
                code.line(inner + returned)
            }
        }
        code.line("\(indent)}")
    }

    /// The types of error bodies, by status.
    mutating func writeErrors(_ action: Action, of owner: String) {
        var problems: [(status: StatusPlan, type: String, name: String)] = []
        for plan in action.errors {
            guard case .typed(let type)? = plan.payload, type.shape != .any else { continue }
            let isRange = plan.highest > plan.lowest
            var name = isRange ? plan.highest - plan.lowest == 99 ? "s\(plan.lowest / 100)xx" : "other" : "s\(plan.lowest)"
            if problems.contains(where: { $0.name == name }) { name += "n\(problems.count)" }
            problems.append((plan, text(Typing(shape: type.shape)), name))
        }
        if problems.isEmpty { return }
        // The narrowest range comes first: 404 before 4XX before the other statuses.
        let sorted = problems.sorted {
            ($0.status.highest - $0.status.lowest, $0.status.lowest) < ($1.status.highest - $1.status.lowest, $1.status.lowest)
        }
        let name = scope.claim(
            Naming.identifier("\(owner) \(action.name) errors", .pascal), separator: "", for: "the errors of \(action.name)",
            &renamings)
        code.line()
        comment("The bodies of the error responses to \(action.name), by status.", indent: "    ")
        code.line("    public enum \(name): Sendable {")
        for each in problems { code.line("        case \(each.name)(\(each.type))") }
        code.lines([
            "        /// The body does not have the type for its status; the value is the reason.",
            "        case misfit(String)", "",
            "        /// Returns nil if the failure has no response, or if no type is declared for its status.",
            "        public init?(_ failure: Failure) {",
        ])
        code.line("            switch failure.fields.httpStatus {")
        for each in sorted {
            let range =
                each.status.lowest == each.status.highest
                ? "\(each.status.lowest)" : "\(each.status.lowest)...\(each.status.highest)"
            code.lines([
                "            case \(range):",
                "                if let body = failure.body(as: (\(each.type)).self) {",
                "                    self = .\(each.name)(body)",
                "                } else if let reason = failure.misfit(as: (\(each.type)).self) {",
                "                    self = .misfit(reason)",
                "                } else {", "                    return nil", "                }",
            ])
        }
        code.lines(["            default: return nil", "            }", "        }", "    }"])
    }
}
