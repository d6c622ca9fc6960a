// Writes the resources of the description as Swift types: their ids, conformances, models and bodies.

internal import RoutableCore

extension SwiftFile {
    mutating func write(resource index: Int) {
        let resource = blueprint.resources[index], name = resources[index]
        var conformances: [String] = []
        let verbs = [
            "list": "Listable", "read": "Readable", "create": "Creatable", "update": "Updatable", "patch": "Patchable",
            "delete": "Deletable",
        ]
        for action in resource.actions { if let verb = verbs[action.name] { conformances.append(verb) } }
        conformances += resource.children.map { "Has\(resources[$0])" }
        if !resource.scope.isEmpty { conformances.insert("Scoped", at: 0) }
        if conformances.isEmpty { conformances = ["Resource"] }
        code.line()
        comment(resource.summary, indent: "    ")
        code.line("    public enum \(name): \(conformances.joined(separator: ", ")) {")
        guard let id = resource.ids.last else { return }
        switch id.type.shape {
        case .integer: code.line("        public typealias ID = IntegerID<\(name)>")
        case .number: code.line("        public typealias ID = Double")
        case .boolean: code.line("        public typealias ID = Bool")
        default: code.line("        public typealias ID = ResourceID<\(name)>")
        }
        let (model, body) = models(resource)
        if let model { code.line("        public typealias Model = \(model)") }
        if let body, body != model { code.line("        public typealias Body = \(body)") }
        code.line("        public static let name = \(Texts.swiftLiteral(resource.name))")
        code.line("        public static let path = \(Texts.swiftLiteral(resource.path))")
        let spelled = id.takesSegments ? id.name + "..." : id.name
        if spelled != "id" {
            code.line("        public static var id: ParameterDescription { id(named: \(Texts.swiftLiteral(spelled))) }")
        }
        if !resource.scope.isEmpty { writeScope(resource) }
        if !resource.children.isEmpty {
            list("children", resource.children, indent: "        ")
        }
        if !resource.isRoot { code.line("        public static var isNested: Bool { true }") }
        code.line("    }")
        code.lines(["", "    /// A resource that contains \(name).", "    public protocol Has\(name): Resource {}"])
    }

    /// The ids before the last one: a single id is a value, several ids are a struct.
    private mutating func writeScope(_ resource: ResourcePlan) {
        var names = Scope(reserved: Reserved.swift)
        names.take(["scopeIds"])
        let own = resource.scope.map {
            names.claim(Naming.identifier($0.name, .camel), separator: "", for: "\($0.name) of \(resource.name)", &renamings)
        }
        let types = resource.scope.map { text(Typing(shape: $0.type.shape.withoutValues)) }
        if types.count == 1 {
            code.line("        public typealias Scope = \(types[0])")
        } else {
            code.line("        public struct Scope: ResourceScope {")
            for (name, type) in zip(own, types) { code.line("            public let \(name): \(type)") }
            let parameters = zip(own, types).map { "_ \($0): \($1)" }
            code.line("            public init(\(parameters.joined(separator: ", "))) {")
            for name in own { code.line("                self.\(name) = \(name)") }
            code.line("            }")
            let values = own.map { "\($0).routableValue" }
            code.lines(["            public var scopeIds: [Value] { [\(values.joined(separator: ", "))] }", "        }"])
        }
        code.line("        public static var scope: [ParameterDescription] {")
        let all = zip(resource.scope, types).map { id, type in
            "id(named: \(Texts.swiftLiteral(id.takesSegments ? id.name + "..." : id.name)), of: \(type).self)"
        }
        code.lines(["            [\(all.joined(separator: ", "))]", "        }"])
    }

    /// The model, and the body of create and update.
    mutating func models(_ resource: ResourcePlan) -> (model: String?, body: String?) {
        var model: String?, body: String?
        for verb in ["read", "create", "update", "list"] {
            guard let action = resource.actions.first(where: { $0.name == verb }) else { continue }
            if model == nil, case .typed(.typed(let type), _) = action.output {
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
}
