// The Swift file: an API whose resources, children and models are nested in it, over the product Routable.

internal import RoutableCore

struct SwiftFile {
    let blueprint: Blueprint
    var code = CodeWriter()
    var scope = Scope(reserved: Reserved.swiftTypes)
    var renamings: [Renaming] = []
    var api = ""
    var records: [String] = []
    var unions: [String] = []
    var choices: [String] = []
    var resources: [String] = []
    var accessors: [String] = []
    var classes = Set<Int>()
    /// The records that are options of unions.
    var looked = Set<Int>()
    var usesJSON = false
    /// The functions of the standalone operations, and the names of all members of the API.
    var functions: [String] = []
    var members = Scope(reserved: Reserved.swift)
    /// The prefix of the names of types outside of the API.
    private var qualifier = ""

    static let width = 120

    static func text(_ blueprint: Blueprint, name: String?) -> String {
        var file = SwiftFile(blueprint, name)
        file.write()
        return file.code.text
    }

    private init(_ blueprint: Blueprint, _ name: String?) {
        self.blueprint = blueprint
        let own = name ?? blueprint.title
        api = claim(own, of: "the API")
        for resource in blueprint.resources {
            resources.append(
                scope.claim(
                    Naming.identifier(resource.name, .pascal), separator: "", for: "the resource \(resource.name)", &renamings))
        }
        var members = Scope(reserved: Reserved.swift)
        members.take([
            "name", "base", "resources", "document", "overlays", "only", "except", "operations", "router", "collection",
            "endpoint", "child",
        ])
        for resource in blueprint.resources {
            accessors.append(
                members.claim(
                    Naming.identifier(resource.name, .camel), separator: "", for: "the accessor of \(resource.name)", &renamings
                ))
        }
        for resource in resources { scope.take(["Has" + resource]) }
        for record in blueprint.records {
            records.append(model(record.name))
        }
        for union in blueprint.unions { unions.append(model(union.name)) }
        for choice in blueprint.choices { choices.append(model(choice.name)) }
        classes = blueprint.recursiveRecords()
        for union in blueprint.unions { for option in union.options { look(at: option.type) } }
    }

    private mutating func look(at type: Typing) {
        switch type.shape {
        case .record(let index): looked.insert(index)
        case .list(let element): look(at: element)
        default: break
        }
    }

    private mutating func model(_ name: String) -> String {
        var wanted = Naming.identifier(name, .pascal)
        if scope.isTaken(wanted) || Reserved.swiftTypes.contains(wanted) { wanted += "Model" }
        return scope.claim(wanted, separator: "", for: "the type \(name)", &renamings)
    }

    private mutating func claim(_ name: String, of subject: String) -> String {
        scope.claim(Naming.identifier(name, .pascal), separator: "", for: "\(subject) \(name)", &renamings)
    }

    // MARK: - Types

    mutating func text(_ type: Typing, parameter: Bool = false) -> String {
        let plain: String
        switch type.shape {
        case .text: plain = "String"
        case .choice(let index): plain = qualifier + choices[index]
        case .union(let index): plain = qualifier + unions[index]
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
        for index in blueprint.unions.indices { write(union: index) }
        for index in blueprint.choices.indices { write(choice: index) }
        for resource in blueprint.resources { for action in resource.actions { writeErrors(action, of: resource.name) } }
        for action in blueprint.actions { writeErrors(action, of: "") }
        for resource in blueprint.resources { for action in resource.actions { writeResult(action, of: resource.name) } }
        for action in blueprint.actions { writeResult(action, of: "") }
        writeWalks()
        // Written before the end of the API, because it determines what the API needs.
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

        let title = blueprint.title
        code.line(
            "// \(Texts.line(title)): made by `routable generate swift` from \(Texts.line(blueprint.source)).  Do not edit it: generate it again."
        )
        if !renamings.isEmpty {
            code.lines(["//", "// Names that are reserved, or were taken:"])
            for each in renamings { code.line("//     \(each.identifier)  for \(Texts.line(each.original)) (\(each.why))") }
        }
        code.lines(["", "public import Routable", ""])
        code = CodeWriter(text: code.text + body.text)
    }

    /// The declaration of a function, with one parameter on each line if it is too long.
    mutating func function(_ start: String, _ parameters: [String], _ end: String, indent: String) {
        let line = indent + start + parameters.joined(separator: ", ") + end
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line(indent + start)
        for (order, each) in parameters.enumerated() {
            code.line("\(indent)    \(each)\(order + 1 < parameters.count ? "," : "")")
        }
        code.line(indent + end)
    }

    mutating func comment(_ text: String, indent: String) {
        for line in Texts.wrapped(Texts.line(text), width: Self.width - indent.utf8.count - 4) {
            code.line("\(indent)/// \(line)")
        }
    }

    private mutating func apiBody() {
        comment(blueprint.summary, indent: "")
        code.line("public enum \(api): API {")
        code.line("    public static let name = \(Texts.swiftLiteral(blueprint.name))")
        code.line("    public static let base = \(Texts.swiftLiteral(blueprint.base))")
        let roots = blueprint.resources.indices.filter {
            blueprint.resources[$0].isRoot || blueprint.resources[$0].hasRootMembers
        }
        list("resources", roots, indent: "    ")
        for index in roots {
            code.line()
            comment(blueprint.resources[index].summary, indent: "    ")
            code.line("    public static var \(accessors[index]): \(kind(index))<\(resources[index])> { collection() }")
        }
        members.take(
            accessors + [
                "name", "base", "resources", "document", "overlays", "only", "except", "operations", "router", "collection",
                "endpoint",
            ])
        for action in blueprint.actions {
            let name = members.claim(
                Naming.identifier(action.name, .camel), separator: "", for: "the operation \(action.name)", &renamings)
            functions.append(name)
            write(action, name, isStatic: true, indent: "    ", verb: nil)
        }
        if let only = blueprint.only {
            code.lines(["", "    public static var only: [String]? {", "        ["])
            for name in only { code.line("            \(Texts.swiftLiteral(name)),") }
            code.lines(["        ]", "    }"])
        }
        if let document = blueprint.openAPI ?? blueprint.document { write(document: document) }
    }

    /// The type that contains the member: its collection, or the ids before the last one.
    func kind(_ index: Int) -> String { blueprint.resources[index].scope.isEmpty ? "ResourceCollection" : "ResourceScoped" }

    /// `public static var resources: [AnyResource] { ... }`
    mutating func list(_ name: String, _ indices: [Int], indent: String) {
        let all = indices.map { "AnyResource(\(resources[$0]).self)" }
        let start = "\(indent)public static var \(name): [AnyResource] {"
        let line = "\(start) [\(all.joined(separator: ", "))] }"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.lines([start, "\(indent)    ["] + all.map { "\(indent)        \($0)," } + ["\(indent)    ]", "\(indent)}"])
    }
}
