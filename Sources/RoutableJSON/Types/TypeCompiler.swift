// From the JSON of a schema to its compiled form.

internal import RoutableCore

/// Compiles schemas one by one into one flat array.
struct TypeCompiler {
    private(set) var schemas: [Schema] = []
    private let typeIndexes: [Bytes: Int]

    init(_ typeIndexes: [Bytes: Int]) { self.typeIndexes = typeIndexes }

    /// The index of the compiled schema.
    ///
    /// - Throws: `document` for a keyword whose value JSON Schema does not allow, or an unknown type;
    ///   `unsupported` for a reference to anything but a named type.
    mutating func compile(_ node: Node) throws(Failure) -> Int {
        // proof: the recursion ends at the nesting that the scan or `admit` has allowed.
        let index = schemas.count
        schemas.append(Schema())
        var schema = Schema()
        switch node.view.kind {
        case .boolean: schema.isNever = !node.view.boolean
        case .object: try read(node, into: &schema)
        default: throw node.wrongKind("a schema", "an object or a boolean")
        }
        schemas[index] = schema  // proof: appended above; the array only grows.
        return index
    }

    private mutating func read(_ node: Node, into schema: inout Schema) throws(Failure) {
        if let member = node.member("$ref") { schema.reference = try target(of: member) }
        if let member = node.member("type") { schema.kinds = try kinds(member) }
        if let member = node.member("enum") {
            var choices: [Schema.Choice] = []
            for element in try member.elements("\"enum\"") { choices.append(try choice(element)) }
            schema.choices = choices
        }
        if let member = node.member("const") { schema.choices = [try choice(member)] }
        schema.minimumLength = try count(node, "minLength")
        schema.maximumLength = try count(node, "maxLength")
        schema.minimumItems = try count(node, "minItems")
        schema.maximumItems = try count(node, "maxItems")
        schema.minimum = try bound(node, "minimum")
        schema.maximum = try bound(node, "maximum")
        schema.exclusiveMinimum = try bound(node, "exclusiveMinimum")
        schema.exclusiveMaximum = try bound(node, "exclusiveMaximum")
        if let member = node.member("required") {
            for element in try member.elements("\"required\"") {
                schema.required.append(try element.text("a required property"))
            }
        }
        if let member = node.member("properties") {
            for (name, property) in try member.members("\"properties\"") {
                schema.properties.append(Schema.Property(name: name, schema: try compile(property)))
            }
        }
        if let member = node.member("additionalProperties") { schema.additional = try compile(member) }
        if let member = node.member("items") { schema.items = try compile(member) }
    }

    /// The index of the named type that a `$ref` names.
    func target(of node: Node) throws(Failure) -> Int {
        let text = try node.text("\"$ref\"")
        let prefix: Bytes = "#/types/"
        guard text.hasPrefix(prefix), let name = JSONPointer.tokens(Bytes(text.storage.dropFirst())).last,
            !text.storage.dropFirst(prefix.count).contains(UInt8(ascii: "/"))
        else {
            throw node.failure(
                "the reference \"\(text.printable)\" has no engine in this version; \"#/types/NAME\" is expected",
                .unsupported)
        }
        guard let index = typeIndexes[name] else {
            throw node.unknown("there is no type", name, among: Array(typeIndexes.keys))
        }
        return index
    }

    /// A type that is only a reference to itself, over others or not, describes nothing.
    func checkCycles(_ roots: [Int], _ pointers: [Bytes]) throws(Failure) {
        for (index, root) in roots.enumerated() {
            var current = root
            var steps = 0
            while current < schemas.count, let type = schemas[current].reference, type < roots.count {
                steps &+= 1
                if steps > roots.count {
                    throw Failure(.document, "the type is a reference that leads back to itself") {
                        $0.pointer = index < pointers.count ? "\(pointers[index])/$ref" : nil
                    }
                }
                current = roots[type]
            }
        }
    }

    private func choice(_ node: Node) throws(Failure) -> Schema.Choice {
        let text = node.view.json
        let document: JSONDocument
        do { document = try text.parsed() } catch { throw error.at(node.pointer) }
        return Schema.Choice(document: document, text: text)
    }

    private func kinds(_ node: Node) throws(Failure) -> Schema.Kinds {
        var result: Schema.Kinds = []
        if node.view.kind == .array {
            for element in try node.elements("\"type\"") {
                result.insert(try element.word("a type", Schema.Kinds.words))
            }
            if result.isEmpty { throw node.failure("an empty \"type\" allows nothing") }
        } else {
            result = try node.word("a type", Schema.Kinds.words)
        }
        return result
    }

    private func count(_ node: Node, _ key: StaticString) throws(Failure) -> Int? {
        guard let member = node.member(key) else { return nil }
        if member.view.kind == .real, let whole = Int64(exactly: member.view.real), whole >= 0 { return Int(whole) }
        return try member.integer("a count", 0...Int64.max)
    }

    private func bound(_ node: Node, _ key: StaticString) throws(Failure) -> Double? {
        guard let member = node.member(key) else { return nil }
        return try member.number("a bound")
    }
}

extension Bytes {
    /// Parsed as JSON.
    func parsed() throws(Failure) -> JSONDocument {
        let result = storage.withUnsafeBytes { (buffer) -> Result<JSONDocument, Failure> in
            do throws(Failure) { return .success(try JSONDocument.read(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
