// Writes the Python module: models, ids and classes of resources, on the basis of routable.typed.

internal import RoutableCore

struct PythonModule {
    let blueprint: Blueprint
    /// Whether the models are dataclasses.
    let dataclasses: Bool
    var code = CodeWriter()
    var scope: Scope
    var renamings: [Renaming] = []
    var api = ""
    var records: [String] = []
    var choices: [String] = []
    var unions: [String] = []
    /// All of these names, for lookups.
    var modelNames = Set<String>()
    private var resources: [String] = []
    /// The names of the classes of derived resources, and the names of the root resources in the API; empty for other resources.
    var walks: [String] = []
    var walkRoots: [String] = []
    /// The lines of the members of each class.
    var walkMembers: [String: [String]] = [:]
    /// The attributes of each class: children, then operations.
    var attributes: [String: [String]] = [:]
    private var rootNames: [Int: String] = [:]

    static let width = 120

    static func text(_ blueprint: Blueprint, name: String?, dataclasses: Bool = false) -> String {
        var module = PythonModule(blueprint, name, dataclasses)
        module.write()
        let body = module.code.text
        module.code = CodeWriter()
        module.head(of: body)
        return module.code.text + body
    }

    private init(_ blueprint: Blueprint, _ name: String?, _ dataclasses: Bool) {
        self.blueprint = blueprint
        self.dataclasses = dataclasses
        scope = Scope(reserved: Reserved.python.union(Reserved.pythonTop).union(dataclasses ? Reserved.pythonRecords : []))
        takeNames(name)
    }

    // MARK: - Names

    private mutating func takeNames(_ name: String?) {
        let own = name ?? blueprint.title
        api = claim(own, "the API")
        for record in blueprint.records { records.append(claim(record.name, "the type")) }
        for union in blueprint.unions { unions.append(claim(union.name, "the type")) }
        for choice in blueprint.choices { choices.append(claim(choice.name, "the type")) }
        modelNames = Set(records + unions + choices)
        for resource in blueprint.resources {
            resources.append(
                scope.claim(
                    Naming.identifier(resource.name, .pascal),
                    endings: ["Id", "Member", "Collection"] + (resource.scope.isEmpty ? [] : ["Scope"]), separator: "",
                    for: "the resource \(resource.name)", &renamings))
        }
        for (index, resource) in blueprint.resources.enumerated() {
            var member = Scope(reserved: Reserved.python.union(Reserved.pythonMembers))
            attributes["\(resources[index])Member"] =
                resource.children.map { attribute(blueprint.resources[$0].name, &member, resource.name) }
                + resource.actions.filter { $0.place == .member }.map { attribute($0.name, &member, resource.name) }
            var collection = Scope(reserved: Reserved.python.union(Reserved.pythonMembers))
            attributes["\(resources[index])Collection"] = resource.actions.filter { $0.place == .collection }
                .map { attribute($0.name, &collection, resource.name) }
        }
        var top = Scope(reserved: Reserved.python.union(Reserved.pythonMembers))
        top.take(["open", "open_file", "close", "router"])
        for (index, resource) in blueprint.resources.enumerated() where resource.isRoot || resource.hasRootMembers {
            rootNames[index] = attribute(resource.name, &top, "the API")
        }
        attributes[api] = blueprint.actions.map { attribute($0.name, &top, "the API") }
        takeWalkNames(&top)
    }

    private mutating func claim(_ name: String, _ subject: String) -> String {
        scope.claim(Naming.identifier(name, .pascal), separator: "", for: "\(subject) \(name)", &renamings)
    }

    mutating func attribute(_ name: String, _ scope: inout Scope, _ owner: String) -> String {
        scope.claim(Naming.identifier(name, .snake), for: "\(name) of \(owner)", &renamings)
    }

    // MARK: - Types

    func text(_ type: Typing) -> String {
        let plain: String =
            switch type.shape {
            case .text(let values):
                values.isEmpty || values.count > 100
                    ? "str" : "Literal[\(values.map { Texts.pythonLiteral($0) }.joined(separator: ", "))]"
            case .choice(let index): choices[index]
            case .integer(let values):
                values.isEmpty || values.count > 100 ? "int" : "Literal[\(values.map { String($0) }.joined(separator: ", "))]"
            case .number: "float"
            case .boolean: "bool"
            case .any: "Any"
            case .record(let index): blueprint.records[index].fields.isEmpty ? "Dict[str, Any]" : records[index]
            case .union(let index): unions[index]
            case .list(let element): "List[\(text(element))]"
            case .map(let value): "Dict[str, \(text(value))]"
            }
        return type.isNullable && plain != "Any" ? "Optional[\(plain)]" : plain
    }

    func text(_ payload: Payload) -> String {
        switch payload {
        case .typed(let type): text(type)
        case .text: "str"
        case .bytes: "bytes"
        }
    }

    // MARK: - The module

    /// The lines before the classes, with the imports that they need.
    private mutating func head(of body: String) {
        let title = blueprint.title
        code.line(
            "\"\"\"\(doc(title)): made by `routable generate python` from \(doc(blueprint.source)).  Do not edit it: generate it again."
        )
        for line in Texts.wrapped(doc(blueprint.summary), width: Self.width) { code.line(line) }
        if !renamings.isEmpty {
            code.lines(["", "Names that are reserved, or were taken:"])
            for each in renamings { code.line("    \(doc(each.identifier))  for \(doc(each.original)) (\(each.why))") }
        }
        code.lines(["\"\"\"", "", "from __future__ import annotations", ""])
        let usesModels = body.contains("(TypedDict)") || body.contains(" = TypedDict(")
        let usesAliases = !unions.isEmpty || !choices.isEmpty
        let used = Self.names(in: body)
        var words = ["Any", "Dict", "List", "Literal", "Mapping", "NewType", "Optional", "Union", "overload"].filter {
            used.contains(Substring($0))
        }
        if usesModels || usesAliases { words.append("TYPE_CHECKING") }
        if usesAliases && !dataclasses && !words.contains("Any") { words.append("Any") }
        if !words.isEmpty { code.lines(["from typing import \(words.sorted(by: Self.precedes).joined(separator: ", "))", ""]) }
        if body.contains("routable.Response") { code.line("import routable") }
        let own = dataclasses ? ["ABSENT", "Absent", "DataRecord", "spelled"].filter { used.contains(Substring($0)) } : []
        if !own.isEmpty { code.line("from routable.records import \(own.joined(separator: ", "))") }
        let walkWords = blueprint.walks.isEmpty ? [] : ["below", "walked"].filter { used.contains(Substring($0)) }
        let names = [
            "Call", "CallWithErrors", "FileLike", "PagedCall", "PagedCallWithErrors", "Place", "StreamedCall",
            "StreamedCallWithErrors", "Using",
        ].filter { used.contains(Substring($0)) }
        code.line("from routable.typed import \((["Api"] + names + walkWords).joined(separator: ", "))")
        if usesModels || usesAliases {
            var hints: [String] = []
            if body.contains("NotRequired[") { hints.append("NotRequired") }
            if usesAliases { hints.append("TypeAlias") }
            code.lines(["", "if TYPE_CHECKING:"])
            if usesModels { code.line("    from typing import TypedDict") }
            if !hints.isEmpty { code.lines(["", "    from typing_extensions import \(hints.joined(separator: ", "))"]) }
            if usesModels { code.lines(["else:", "    from routable.typed import TypedDict"]) }
        }
    }

    /// The identifiers of the code, without those in docstrings and comments, which do not have to be imported.
    private static func names(in body: String) -> Set<Substring> {
        var names = Set<Substring>(), isDocstring = false
        for line in body.utf8.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            if text.starts(with: "#".utf8) { continue }
            let marks = Substring(text).ranges(of: "\"\"\"").count
            let isPlain = !isDocstring && marks == 0
            if marks % 2 == 1 { isDocstring.toggle() }
            if !isPlain { continue }
            for word in text.split(whereSeparator: {
                $0 < 0x30 || $0 > 0x39 && $0 < 0x41 || $0 > 0x5A && $0 < 0x61 && $0 != 0x5F || $0 > 0x7A
            }) {
                names.insert(Substring(word))
            }
        }
        return names
    }

    /// The order of import sorters: capitals first.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let isConstant = (one == "TYPE_CHECKING", other == "TYPE_CHECKING")
        if isConstant.0 != isConstant.1 { return isConstant.0 }
        let isFunction = (one == "overload", other == "overload")
        if isFunction.0 != isFunction.1 { return isFunction.1 }
        return one < other
    }

    private mutating func write() {
        for (index, record) in blueprint.records.enumerated() where !record.fields.isEmpty {
            if dataclasses { writeDataclass(record, records[index]) } else { write(record, records[index]) }
        }
        writeAliases()
        if !blueprint.resources.isEmpty { code.lines(["", ""]) }
        for (index, resource) in blueprint.resources.enumerated() {
            let name = "\(resources[index])Id"
            code.line(
                "\(name) = NewType(\"\(name)\", \(text(Typing(shape: (resource.ids.last?.type.shape ?? .text([])).withoutValues))))"
            )
        }
        for index in blueprint.resources.indices {
            writeMember(index)
            writeCollection(index)
            if !blueprint.resources[index].scope.isEmpty { writeScope(index) }
        }
        writeApi()
        writeWalks()
    }

    func doc(_ text: String) -> String { Texts.pythonDocstring(Texts.line(text)) }

    mutating func docstring(_ text: String, indent: String) {
        let lines = Texts.wrapped(doc(text), width: Self.width - indent.utf8.count - 6)
        guard let first = lines.first else { return }
        if lines.count == 1 { return code.line("\(indent)\"\"\"\(first)\"\"\"") }
        code.line("\(indent)\"\"\"\(first)")
        for line in lines.dropFirst() { code.line(indent + line) }
        code.line("\(indent)\"\"\"")
    }

    // MARK: - Places

    private mutating func writeMember(_ index: Int) {
        let resource = blueprint.resources[index], name = "\(resources[index])Member"
        code.lines(["", "", "class \(name)(Place):"])
        docstring(resource.summary.isEmpty ? "One member of \(resource.name)." : resource.summary, indent: "    ")
        code.lines(["", "    __slots__ = ()"])
        let names = attributes[name] ?? []
        for (order, child) in resource.children.enumerated() {
            writeChild(child, names[order], summary: "The collection below a member of \(resource.name).")
        }
        let actions = resource.actions.filter { $0.place == .member }
        for (action, attribute) in zip(actions, names.dropFirst(resource.children.count)) { write(action, attribute) }
    }

    private mutating func writeChild(_ child: Int, _ name: String, summary: String) {
        let kind = resources[child] + (blueprint.resources[child].scope.isEmpty ? "Collection" : "Scope")
        code.lines(["", "    @property", "    def \(name)(self) -> \(kind):"])
        let own = blueprint.resources[child].summary
        docstring(own.isEmpty ? summary : own, indent: "        ")
        code.line("        return self._below(\(kind), \(Texts.pythonLiteral(blueprint.resources[child].name)))")
    }

    private mutating func writeCollection(_ index: Int) {
        let resource = blueprint.resources[index], name = "\(resources[index])Collection"
        let member = "\(resources[index])Member"
        code.lines(["", "", "class \(name)(Place):"])
        docstring("All members of \(resource.name).", indent: "    ")
        code.lines(["", "    __slots__ = ()", "", "    def __call__(self, id: \(resources[index])Id, /) -> \(member):"])
        code.lines(["        \"\"\"Return the member with this id.\"\"\"", "        return self._at(\(member), id)"])
        let actions = resource.actions.filter { $0.place == .collection }
        for (action, attribute) in zip(actions, attributes[name] ?? []) { write(action, attribute) }
    }

    /// Writes the class of a resource with several ids before any of them is given.
    private mutating func writeScope(_ index: Int) {
        let resource = blueprint.resources[index], name = "\(resources[index])Scope"
        let member = "\(resources[index])Member", collection = "\(resources[index])Collection"
        var scope = Scope(reserved: Reserved.python)
        scope.take(["self"])
        let names = resource.ids.map {
            scope.claim(Naming.identifier($0.name, .snake), for: "\($0.name) of \(resource.name)", &renamings)
        }
        let outer = zip(names, resource.scope).map { "\($0): \(text(Typing(shape: $1.type.shape.withoutValues)))" }
        code.lines(["", "", "class \(name)(Place):"])
        docstring("\(resource.name), whose members have \(resource.ids.count) ids.", indent: "    ")
        code.lines(["", "    __slots__ = ()", "", "    @overload"])
        head("__call__", ["self"] + outer + ["/"], collection, ": ...")
        code.lines(["", "    @overload"])
        head("__call__", ["self"] + outer + ["\(names[names.count - 1]): \(resources[index])Id", "/"], member, ": ...")
        code.line()
        head("__call__", ["self", "*ids: Any"], "Any", ":")
        code.lines([
            "        \"\"\"One member; without the last id all members inside of the others.\"\"\"",
            "        return self._at(\(member) if len(ids) == \(names.count) else \(collection), *ids)",
        ])
    }

    mutating func head(_ name: String, _ parameters: [String], _ answer: String, _ end: String) {
        let line = "    def \(name)(\(parameters.joined(separator: ", "))) -> \(answer)\(end)"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line("    def \(name)(")
        for each in parameters { code.line("        \(each),") }
        code.line("    ) -> \(answer)\(end)")
    }

    private mutating func writeApi() {
        code.lines(["", "", "class \(api)(Api):"])
        docstring(blueprint.summary.isEmpty ? "The API \(blueprint.name)." : blueprint.summary, indent: "    ")
        code.lines(["", "    __slots__ = ()"])
        if blueprint.shortDocument != nil {
            code.lines([
                "", "    @classmethod", "    def open(cls, *, base: Optional[str] = None) -> \(api):",
                "        \"\"\"Open the description from which this module was generated; `base` replaces its base.\"\"\"",
                "        return cls._loads(_DOCUMENT, base)",
            ])
        }
        if let library = blueprint.library {
            code.lines([
                "", "    @classmethod", "    def open(cls, *, base: Optional[str] = None) -> \(api):",
                "        \"\"\"Over the declaration in lib\(library).so.0; `base` instead of its own.\"\"\"",
                "        return cls._declared(\"\(library)\", __file__, base)",
            ])
        }
        for index in blueprint.resources.indices {
            if let name = rootNames[index] { writeChild(index, name, summary: "The collection at the root.") }
        }
        for (action, attribute) in zip(blueprint.actions, attributes[api] ?? []) { write(action, attribute) }
        writeWalkRoots()
        if let document = blueprint.shortDocument {
            code.lines(["", "", "_DOCUMENT = ("])
            var piece = ""
            for scalar in document.string.unicodeScalars {
                piece += Texts.pythonBody(String(scalar))
                if piece.utf8.count >= 104 {
                    code.line("    \"\(piece)\"")
                    piece = ""
                }
            }
            if !piece.isEmpty { code.line("    \"\(piece)\"") }
            code.line(")")
        }
    }
}

extension Shape {
    /// The shape without the allowed values: an id is a string or a number.
    var withoutValues: Shape {
        switch self {
        case .text: .text([])
        case .integer, .number, .boolean: self
        default: .text([])
        }
    }
}
