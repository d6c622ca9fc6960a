// Reads the top level of a route document, and its types.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// Reads one document from the top; stops at the first error.
struct RouteDocumentReader {
    var description = RouterDescription()
    var typeIndexes: [Bytes: Int] = [:]
    private let schemas = SchemaChecks()
    let patternBudget = PatternBudget()

    private static let keys = KeyTable(
        "the route document",
        ["routable", "name", "description", "base", "headers", "encoding", "types", "auth", "resources", "operations"]
            + ruleKeys)

    static func read(_ document: Node) throws(Failure) -> RouterDescription {
        var reader = RouteDocumentReader()
        try reader.readDocument(document)
        try reader.schemas.check()
        return reader.description
    }

    private mutating func readDocument(_ document: Node) throws(Failure) {
        // The version is read first, because the rest may have a later grammar.
        try checkVersion(document)
        try schemas.begin(document)
        description.userData = try document.object(Self.keys)
        if let node = document.member("name") { description.name = try node.text("the name") }
        if let node = document.member("description") { description.summary = try node.text("the description") }
        if let node = document.member("base") {
            let base = try node.text("the base")
            do { _ = try Base(base) } catch { throw error.at(node.pointer) }
            description.base = base
        }
        if let node = document.member("headers") { description.headers = try headers(node) }
        if let node = document.member("encoding") { description.encoding = try encoding(node) }
        if let node = document.member("types") { try readTypes(node) }
        if let node = document.member("auth") { try readAuth(node) }
        description.rules = try rules(document)
        if let node = document.member("resources") {
            for (name, resource) in try node.members("\"resources\"") {
                description.resources.append(try self.resource(name, resource))
            }
            try checkChildren(node)
        }
        if let node = document.member("operations") {
            for (name, operation) in try node.members("\"operations\"") {
                description.operations.append(try standaloneOperation(name, operation))
            }
        }
        try checkRefreshes()
        warnOfUnusedSchemes()
        let count = description.resources.reduce(description.operations.count) { $0 &+ 1 &+ $1.operations.count }
        if count > Limits.operations {
            throw Failure(.limit, "the route document has more than \(Limits.operations) resources and operations")
        }
    }

    private func checkVersion(_ document: Node) throws(Failure) {
        guard document.view.kind == .object else { throw document.wrongKind("a route document", "an object") }
        guard let node = document.member("routable") else {
            throw document.failure(
                "the key \"routable\" is missing; a route document begins with {\"routable\": 1, and OpenAPI has \"openapi\"")
        }
        switch node.view.kind {
        case .integer where node.view.integer == Int64(RouteDocument.version): return
        case .integer where node.view.integer > Int64(RouteDocument.version), .wideNumber:
            throw node.failure(
                "the document is of version \(node.view.json.printable); this library supports version \(RouteDocument.version)",
                .unsupported)
        default: throw node.failure("\"routable\" must be 1, the version of the grammar")
        }
    }

    private func headers(_ node: Node) throws(Failure) -> [HeaderField] {
        var result: [HeaderField] = []
        for (name, value) in try node.members("\"headers\"") {
            let text = try value.text("a header")
            do { result.append(try HeaderField.checked(name, text)) } catch { throw error.at(value.pointer) }
        }
        return result
    }

    // MARK: Types

    private mutating func readTypes(_ node: Node) throws(Failure) {
        let types = try node.members("\"types\"")
        for (name, type) in types {
            if name.isEmpty { throw type.keyFailure(name, "a type has an empty name") }
            typeIndexes[name] = description.types.count
            description.types.append(TypeDescription(name: name, schema: type.view.json))
        }
        for (_, type) in types { try schemas.add(type) }
    }

    /// The type at a schema: a reference to a named type, or an inline one, which is added to the types.
    mutating func type(_ node: Node) throws(Failure) -> Int {
        if node.view.kind == .object, node.view.count == 1, let reference = node.member("$ref") {
            return try target(of: reference)
        }
        if node.view.kind == .text {
            let name = try node.text("the name of a type")
            throw node.failure(
                "a schema is an object or a boolean, not a string; a named type is {\"$ref\": \"#/types/\(name.printable)\"}")
        }
        try schemas.add(node)
        description.types.append(TypeDescription(name: "", schema: node.view.json))
        return description.types.count &- 1
    }

    /// The index of the named type that a `$ref` refers to.
    private func target(of node: Node) throws(Failure) -> Int {
        let text = try node.text("\"$ref\"")
        let prefix: Bytes = "#/types/"
        guard text.hasPrefix(prefix), let name = JSONPointer.tokens(Bytes(text.storage.dropFirst())).last,
            !text.storage.dropFirst(prefix.count).contains(UInt8(ascii: "/"))
        else {
            throw node.failure(
                "the reference \"\(text.printable)\" is not supported by this version; \"#/types/NAME\" is expected",
                .unsupported)
        }
        guard let index = typeIndexes[name] else {
            throw node.unknown("there is no type", name, among: Array(typeIndexes.keys))
        }
        return index
    }

    /// A named type, by its name.
    func typeNamed(_ node: Node) throws(Failure) -> Int {
        let name = try node.text("the type of a resource")
        guard let index = typeIndexes[name] else {
            throw node.unknown("there is no type", name, among: Array(typeIndexes.keys))
        }
        return index
    }
}
