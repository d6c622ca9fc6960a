// Reads the top level of an OpenAPI or Swagger 2.0 document: version, servers, named types and operations.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// Reads one document.  The parts that are required to call the operations are read, and must be valid; descriptions for
/// people are ignored; problems without consequences are warnings.
struct OpenAPIReader {
    /// The document, the supplied documents, and a generated one for the forms of Swagger 2.0.
    var tapes: [JSONTape]
    let choices: OpenAPIDocument.Choices
    var description = RouterDescription()
    /// The positions of the schemas of the types; those of named types are first.
    var places: [SchemaPlace] = []
    var placeIndex: [Int: Int] = [:]
    /// The targets of references, by their text.
    var targets = KeyedValues<Bytes, TapeNode>()
    var sharedParameters = KeyedValues<Int, ParameterDescription>()
    /// The scalars of schemas that list many values.
    var sharedScalars = KeyedValues<Int, Scalar>()
    var operationNames = Set<Bytes>()
    /// The number of operations that had the same operationId as another one.
    var takenNames: [Bytes: Int] = [:]
    /// Large objects that contain targets of references: their members by name.
    var memberIndexes = KeyedValues<Int, [Bytes: Int]>()
    /// The number of nested lookups of pointers that lead through a reference.
    var referenceDepth = 0
    /// The number of schemas that may still be visited for the current parameter: `allOf` and similar keywords multiply.
    var shapeBudget = 0
    let patternBudget = PatternBudget()
    var patterns = KeyedValues<Bytes, Pattern>()
    /// Patterns of parameters with a warning.
    var badPatterns = Set<Bytes>()
    /// The schemas of parameters.
    var parameterSchemas: [TapeNode] = []
    /// Members with a warning, by their identity.
    var warnedMembers = Set<Int>()
    /// The parameters for the keys of the security schemes.
    var keys = KeyedValues<Bytes, ParameterDescription>()
    var rootKeys: [ParameterDescription] = []
    var knownRequirements: [AuthRequirement] = []
    /// The minor version of OpenAPI 3.
    private(set) var minor = 0
    /// Whether the document is Swagger 2.0, whose schemas are nearly those of 3.0.
    private(set) var isSwagger = false
    /// The schemas of the forms of a Swagger document, which does not contain them.
    var forms = SwaggerForms()

    var is30: Bool { minor == 0 }

    /// The maximum number of parameters of an operation, of properties with an encoding, and of additional operations of a path.
    static let listLimit = 4096

    /// The maximum number of warnings.
    static let warningLimit = 1000

    private let origins: OverlayOrigins?
    /// The files of the document; nil for one JSON text.
    private let map: SourceMap?
    /// The keys of the document that change the derived resources.
    var graphKeys = GraphKeys()
    /// The names of the selection for which an operation exists.
    var selected = Set<Bytes>()

    init(
        _ tapes: [JSONTape], _ choices: OpenAPIDocument.Choices, _ overlaid: OverlaidDocument?, _ map: SourceMap?,
        _ warnings: [Bytes]
    ) {
        self.tapes = tapes
        self.choices = choices
        origins = overlaid?.origins
        description.warnings = warnings + (overlaid?.warnings ?? [])
        self.map = map
    }

    /// proof: the document itself is always the first tape.
    var main: JSONTape { tapes[0] }

    func tape(of node: TapeNode) -> JSONTape { tapes.first { $0.holds(node) } ?? main }

    func failure(_ node: TapeNode, _ message: Bytes, _ status: Status = .document) -> Failure {
        let tape = tape(of: node)
        if tape === main, let failure = origins?.failure(at: node.offset, message, status, in: map) { return failure }
        let failure = tape.failure(node, message, status)
        if tape === main, origins == nil, let map { return map.located(failure) }
        return tape === main ? failure : failure.with { $0.message = "\(tape.uri.printable): \($0.message)" }
    }

    func wrongKind(_ node: TapeNode, _ subject: StaticString, _ expected: StaticString) -> Failure {
        failure(node, "\(subject) must be \(expected), not \(node.kindName)")
    }

    /// A failure for an unknown name.
    func unknown(_ node: TapeNode, _ subject: Bytes, _ name: Bytes, among known: [Bytes]) -> Failure {
        let plain = Failure.unknownName(.document, subject, name, among: known).fields
        return failure(node, plain.message).with {
            $0.allowed = plain.allowed
            $0.suggestion = plain.suggestion
        }
    }

    mutating func warn(_ node: TapeNode, _ message: Bytes) {
        if description.warnings.count >= Self.warningLimit { return }
        let tape = tape(of: node)
        if tape === main, let place = origins?.place(of: node.offset, in: map) {
            description.warnings.append("\(place): \(message)")
            return
        }
        if tape === main, origins == nil, let place = map?.place(of: node.offset) {
            description.warnings.append("\(place.prefix): \(message)")
            return
        }
        let uri: Bytes = tape === main ? "" : tape.uri.printable
        description.warnings.append("\(uri)#\(tape.pointer(of: node)): \(message)")
    }

    // MARK: - The document

    /// Schemas are read in the dialect of OpenAPI, which extends JSON Schema 2020-12, unless their own `$schema` is different.
    private mutating func warnOfDialect(_ root: TapeNode) {
        guard !is30, let node = root.member("jsonSchemaDialect") else { return }
        let name = node.string
        if name.hasPrefix("https://spec.openapis.org/oas/3.") || name.hasSuffix("json-schema.org/draft/2020-12/schema") {
            return
        }
        warn(
            node, "the dialect \(name.printable) is not supported: schemas without \"$schema\" are read as JSON Schema 2020-12")
    }

    mutating func read() throws(Failure) {
        let root = main.root
        guard root.isObject else { throw wrongKind(root, "an OpenAPI document", "an object") }
        try readVersion(root)
        description.toleratesConflicts = true
        description.source = main.text
        if let info = root.member("info") {
            guard info.isObject else { throw wrongKind(info, "\"info\"", "an object") }
            description.name = info.member("title")?.string ?? Bytes()
            description.summary = info.member("description")?.string ?? Bytes()
        }
        description.userData = userData(root)
        description.base = choices.base
        if choices.base == nil {
            if isSwagger {
                description.base = swaggerBase(root, root.member("schemes"))
            } else if let servers = root.member("servers"), !servers.isEmpty {
                let server = serverURL(servers)
                description.base = server.url
                description.servers = server.patterns
                description.baseProblem = server.problem
            } else {
                description.base = absolute("/") ?? "/"
            }
        }
        let components = isSwagger ? nil : try followed(root.member("components"))
        if let components {
            guard components.isObject else { throw wrongKind(components, "\"components\"", "an object") }
            try readTypes(components.member("schemas"), "\"schemas\"")
            try readSecuritySchemes(components.member("securitySchemes"))
            try readAuthSchemes(components.member("securitySchemes"))
        }
        warnOfUnknownMembers(root, .document)
        warnOfDialect(root)
        if let components { warnOfUnknownMembers(components, .components) }
        if isSwagger {
            try readTypes(root.member("definitions"), "\"definitions\"")
            try readSecuritySchemes(root.member("securityDefinitions"))
            try readAuthSchemes(root.member("securityDefinitions"))
        }
        rootKeys = securityKeys(root.member("security"))
        description.auth = requirement(root.member("security"))
        description.rules = try rules(root)
        let paths = root.member("paths")
        if let paths = try followed(paths) {
            guard paths.isObject else { throw wrongKind(paths, "\"paths\"", "an object") }
            var items = paths.children
            while let item = items.read() { try readPath(item) }
            try finishForms()
        } else if paths != nil {
            // The target does not exist; a warning was reported.
        } else if is30 || components == nil && root.member("webhooks") == nil {
            throw failure(root, "the document has no \"paths\"")
        }
        readKeywords(try followed(isSwagger ? root.member("definitions") : components?.member("schemas")))
        try checkRefreshes(try followed(isSwagger ? root.member("securityDefinitions") : components?.member("securitySchemes")))
        try choices.selection.check(selected, operationNames)
        if description.operations.count > Limits.operations {
            throw Failure(.limit, "the document has more than \(Limits.operations) operations")
        }
    }

    private mutating func readVersion(_ root: TapeNode) throws(Failure) {
        if let swagger = root.member("swagger"), root.member("openapi") == nil {
            // In YAML, 2.0 is a number.
            let version = swagger.kind == .number ? swagger.digits : swagger.string
            guard version == "2.0" || version == "2" else {
                throw failure(
                    swagger,
                    "the document is of Swagger \"\(version.printable)\"; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are supported",
                    .unsupported)
            }
            isSwagger = true
            return
        }
        guard let node = root.member("openapi") else {
            throw failure(root, "the key \"openapi\" with the version is missing")
        }
        guard node.kind == .text else { throw wrongKind(node, "\"openapi\"", "a string such as \"3.1.0\"") }
        let parts = node.string.split(on: UInt8(ascii: "."))
        guard parts.count >= 2, parts[0] == "3", let number = Decimal.parse(parts[1]), number >= 0 else {
            throw failure(
                node, "the document is of OpenAPI \"\(node.string.printable)\"; 3.0, 3.1 and 3.2 are supported", .unsupported)
        }
        if number > 2 {
            throw failure(
                node, "the document is of OpenAPI \(node.string.printable); this library supports 3.0, 3.1 and 3.2",
                .unsupported)
        }
        minor = Int(number)
    }

    private mutating func readTypes(_ schemas: TapeNode?, _ subject: StaticString) throws(Failure) {
        guard let schemas = try followed(schemas) else { return }
        guard schemas.isObject else { throw wrongKind(schemas, subject, "an object") }
        let tape = tapes.firstIndex { $0.holds(schemas) } ?? 0
        let source = self.tape(of: schemas)
        var children = schemas.children
        while let child = children.read() {
            let kind = child.value.kind
            guard kind == .object || kind == .boolean else {
                throw wrongKind(child.value, "a schema", "an object or a boolean")
            }
            guard let slice = TextRange(source.text, source.range(of: child.value)) else { continue }
            placeIndex[child.value.identity] = places.count
            places.append(SchemaPlace(tape: tape, word: child.value.index))
            description.types.append(TypeDescription(name: child.name, slice: slice))
        }
    }

    /// The type of a schema; for a reference, the named type.
    mutating func type(_ schema: TapeNode) throws(Failure) -> Int? {
        guard schema.kind == .object || schema.kind == .boolean else {
            throw wrongKind(schema, "a schema", "an object or a boolean")
        }
        var node = schema
        // Beside a reference, `nullable` has an effect in OpenAPI 3.0, and every keyword since 3.1.
        let isOwn = is30 ? schema.member("nullable")?.isTrue == true : hasKeywordsBesideReference(schema)
        if !isOwn, let target = try resolve(schema, isSchema: true) { node = target }
        if let known = placeIndex[node.identity] { return known }
        placeIndex[node.identity] = places.count
        let tape = tapes.firstIndex { $0.holds(node) } ?? 0
        places.append(SchemaPlace(tape: tape, word: node.index))
        return places.count &- 1
    }

    /// Whether a schema with a reference has further keywords.
    func hasKeywordsBesideReference(_ schema: TapeNode) -> Bool {
        guard schema.isObject, schema.member("$ref") != nil else { return false }
        var members = schema.children
        while let member = members.read() {
            if !member.key.equals("$ref"), KeywordShape.of(member.key.rawText) != nil { return true }
        }
        return false
    }

    func userData(_ node: TapeNode) -> [UserData] {
        var result: [UserData] = []
        var children = node.children
        while let child = children.read() {
            let raw = child.key.rawText
            guard raw.count > 2, raw[0] == UInt8(ascii: "x"), raw[1] == UInt8(ascii: "-") else { continue }
            let range = tape(of: node).range(of: child.value)
            result.append(
                UserData(key: child.name, json: Bytes(UnsafeRawBufferPointer(rebasing: tape(of: node).text.buffer[range]))))
        }
        return result
    }
}
