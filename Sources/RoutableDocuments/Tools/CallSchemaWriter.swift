// Writes the JSON Schema of one flat object with everything that a call of an operation takes.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// A member of the object, and its place in a call.
struct CallArgument {
    enum Place { case id, query, header, cookie, member, body }

    /// The name in the object.
    let name: Bytes
    let place: Place
    /// The name in the description.
    let original: Bytes
    let isRequired: Bool
}

/// The objects that were merged from the parts of an `allOf`, for the subset.  They can contain themselves: from a depth or a number on,
/// such an object is written without its members.
struct Merged {
    var depth = 0
    var count = 0
    var isOpen: Bool { depth < 4 && count < 1000 }
}

/// Writes one schema, and collects the members of the object.
struct CallSchemaWriter {
    private let plan: Plan
    let isSubset: Bool
    var writer = JSONWriter()
    var graph: SchemaGraph
    let patterns = PatternBudget()
    private(set) var arguments: [CallArgument] = []
    private var names = Set<Bytes>()

    /// The number of schemas that contain the one that is written.
    var nesting = 0
    var merged = Merged()
    /// Whether a part of the schema was left out, because it is too large or nested too deeply.
    var isOver = false

    /// The maximum size of a schema.
    static let limit = 16 << 20
    static let maximumNesting = 256

    init(_ plan: Plan, isSubset: Bool) {
        self.plan = plan
        self.isSubset = isSubset
        graph = SchemaGraph(plan.router)
    }

    mutating func run() throws(Failure) {
        let operation = plan.operation
        writer.open("{")
        writer.member("type", "object")
        writer.key("properties")
        writer.open("{")
        for id in plan.labelledIDs { parameter(id.parameter, .id, named: id.label) }
        for query in operation.query { parameter(query.description, .query, named: query.name.bytes) }
        for header in operation.description.headers where !Self.isReserved(header.name) {
            parameter(header, .header, named: header.name)
        }
        for cookie in operation.description.cookies { parameter(cookie, .cookie, named: cookie.name) }
        body(operation)
        writer.close("}")
        if arguments.contains(where: { $0.isRequired }) {
            writer.key("required")
            writer.open("[")
            for argument in arguments where argument.isRequired { writer.string(argument.name) }
            writer.close("]")
        }
        writer.key("additionalProperties")
        writer.boolean(false)
        var index = 0
        while let definition = graph.definition(index) {
            try Memory.check()
            if isOver { break }
            if index == 0 {
                writer.key("$defs")
                writer.open("{")
            }
            writer.key(of: definition.name)
            schema(definition.schema)
            index &+= 1
        }
        if index > 0 { writer.close("}") }
        writer.close("}")
        try Memory.check()
        if isOver {
            throw Failure(
                .limit,
                "the schema of the call of \(plan.label) has more than \(Self.limit) bytes or \(Self.maximumNesting) nested schemas"
            )
        }
    }

    /// Headers that belong to the connection, to the credentials or to the body.
    private static func isReserved(_ name: Bytes) -> Bool {
        for word in [
            "authorization", "connection", "content-length", "content-type", "cookie", "host", "proxy-authorization",
            "transfer-encoding",
        ] as [Bytes] where name.equalsIgnoringCase(word) { return true }
        return false
    }

    /// Adds a member; a name that another member has gets its place as a prefix.
    private mutating func add(_ original: Bytes, _ place: CallArgument.Place, _ isRequired: Bool) -> Bytes {
        let wanted = ToolName.reduced(original, keepsDots: true, limit: 64)
        var name = wanted
        if names.contains(name) {
            let prefix: Bytes =
                switch place {
                case .id: "path_"
                case .query: "query_"
                case .header: "header_"
                case .cookie: "cookie_"
                case .member, .body: "body_"
                }
            name = "\(prefix)\(Bytes(wanted.storage.prefix(48)))"
        }
        name = ToolName.unique(name, &names)
        arguments.append(CallArgument(name: name, place: place, original: original, isRequired: isRequired))
        return name
    }

    private mutating func parameter(_ parameter: ParameterDescription, _ place: CallArgument.Place, named original: Bytes) {
        // The client adds credentials.
        if parameter.isCredential || isKey(parameter) { return }
        writer.key(of: add(original, place, parameter.isRequired && parameter.defaultValue == nil))
        if let type = parameter.type, let root = graph.root(ofType: type) { return schema(root, summary: parameter.summary) }
        writer.open("{")
        writer.optionalMember("description", parameter.summary)
        if parameter.isArray || parameter.style?.shape == .array {
            writer.member("type", "array")
            writer.key("items")
            writer.open("{")
            scalar(parameter.scalar)
            writer.close("}")
        } else if parameter.style?.shape == .object {
            writer.member("type", "object")
        } else if parameter.style?.shape != .any {
            var scalar = parameter.scalar
            // An empty value would be another path.
            if place == .id && !parameter.allowsEmpty && scalar.kind == .string && scalar.minimumLength == nil {
                scalar.minimumLength = 1
            }
            self.scalar(scalar)
        }
        if let value = parameter.defaultValue, let text = try? MessageDocument.value(value) {
            writer.key("default")
            writer.raw(text)
        }
        writer.close("}")
    }

    /// Whether a scheme of the description sends its key in the parameter.
    private func isKey(_ parameter: ParameterDescription) -> Bool {
        plan.router.description.authSchemes.contains {
            $0.kind == .key && $0.location == parameter.location && $0.parameter.equalsIgnoringCase(parameter.name)
        }
    }

    private mutating func scalar(_ scalar: Scalar) {
        var inclusive = scalar
        var bounds: [(StaticString, Double?)] = [("multipleOf", scalar.multipleOf)]
        if scalar.excludesMinimum {
            bounds.append(("exclusiveMinimum", scalar.minimum?.nextDown))
            inclusive.minimum = nil
        }
        if scalar.excludesMaximum {
            bounds.append(("exclusiveMaximum", scalar.maximum?.nextUp))
            inclusive.maximum = nil
        }
        writer.scalar(inclusive)
        for (key, bound) in bounds {
            guard let bound, bound.isFinite else { continue }
            writer.key(key)
            writer.raw(JSONNumber.text(bound))
        }
    }

    /// The members of the body, if the body is an object with a list of members; otherwise one member for the body.
    private mutating func body(_ operation: OperationEntry) {
        let description = operation.description
        let first = description.bodies.first
        let type = first == nil ? description.bodyType : first?.type
        let form = first?.form ?? description.bodyForm
        if first == nil && type == nil && description.isBodyRequired == nil {
            switch description.capability {
            case .create?, .update?, .patch?: break
            default: return
            }
        }
        let isRequired = Self.requiresBody(description)
        let root = type.flatMap { graph.root(ofType: $0) }
        if form != .bytes, let root {
            var members = SchemaGraph.Members()
            let isList = graph.gather(root, &members)
            if isList && !members.list.isEmpty && members.isWhole && (isRequired || members.required.isEmpty) {
                let required = Set(members.required)
                for member in members.list where !graph.isReadOnly(member.schema) {
                    writer.key(of: add(member.name, .member, required.contains(member.name)))
                    schema(member.schema)
                }
                return
            }
        }
        writer.key(of: add("body", .body, isRequired))
        if form == .bytes {
            writer.open("{")
            writer.member("description", "The body\(first.map { " (\($0.mediaType))" } ?? "")")
            writer.member("type", "string")
            writer.close("}")
        } else if let root {
            schema(root)
        } else {
            writer.raw(form == .json ? "{}" : "{\"type\":\"object\"}")
        }
    }

    static func requiresBody(_ description: OperationDescription) -> Bool {
        description.isBodyRequired ?? (description.bodyType != nil)
    }
}
