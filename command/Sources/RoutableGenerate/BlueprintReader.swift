// Reads a blueprint from an opened router.

internal import RoutableCore
internal import RoutableDocuments

struct BlueprintReader {
    private let router: Router
    private var schemas: SchemaReader

    private init(_ router: Router) throws(Failure) {
        self.router = router
        schemas = try SchemaReader(router)
    }

    /// `source` is what the output says that it was generated from.
    static func read(_ router: Router, source: String) throws(Failure) -> Blueprint {
        var reader = try BlueprintReader(router)
        return try reader.blueprint(source)
    }

    private mutating func blueprint(_ source: String) throws(Failure) -> Blueprint {
        var result = Blueprint()
        result.source = source
        result.name = router.name.bytes.string
        result.summary = router.description.summary.string
        result.base = router.baseText.bytes.string
        if router.description.source == nil { result.document = RouteDocument.write(router.description) }
        try schemas.readNamed()
        for resource in router.resources {
            var actions: [Action] = []
            for operation in resource.operations {
                actions.append(try action(operation, owner: resource))
            }
            result.resources.append(
                ResourcePlan(
                    name: resource.name.bytes.string, path: resource.path.bytes.string,
                    summary: resource.summary.bytes.string, ids: resource.ids.map { parameter($0.description) },
                    children: resource.children, isRoot: resource.isRoot, hasRootMembers: resource.hasRootMembers,
                    isShallow: resource.description.isShallow, actions: actions))
        }
        for operation in router.operations { result.actions.append(try action(operation, owner: nil)) }
        result.records = schemas.records
        return result
    }

    private mutating func action(_ entry: OperationEntry, owner: ResourceEntry?) throws(Failure) -> Action {
        let description = entry.description
        var place = ActionPlace.root
        if owner != nil { place = description.place == .member ? .member : .collection }
        var parameters: [Parameter] = []
        // Those of its place come first.
        let idCount = owner.map { place == .member ? $0.ids.count : $0.ids.count - 1 } ?? 0
        for each in entry.parameters.dropFirst(idCount) { parameters.append(parameter(each.description)) }
        let name = entry.name.bytes.string
        let label = owner.map { "\($0.name.bytes.string) \(name)" } ?? name
        return Action(
            name: name, method: entry.method.bytes.string, path: entry.path.bytes.string,
            summary: entry.summary.bytes.string, place: place, parameters: parameters,
            input: try input(description, label), output: try output(description, label))
    }

    private mutating func input(_ operation: OperationDescription, _ label: String) throws(Failure) -> Input {
        let isWrite = operation.method == "POST" || operation.method == "PUT" || operation.method == "PATCH"
        if let body = operation.bodies.first {
            let isRequired = operation.isBodyRequired == true
            if body.form == .bytes { return .bytes(isRequired: isRequired) }
            guard let type = body.type else { return .open }
            return .typed(try schemas.type(type, label: "\(label) body"), isRequired: isRequired)
        }
        guard let type = operation.bodyType else {
            if operation.bodyForm == .bytes && (isWrite || operation.isBodyRequired != nil) {
                return .bytes(isRequired: operation.isBodyRequired == true)
            }
            return isWrite || operation.isBodyRequired != nil ? .open : .none
        }
        return .typed(
            try schemas.type(type, label: "\(label) body"), isRequired: operation.isBodyRequired ?? isWrite)
    }

    /// The one type that successes carry, if it is one.
    private mutating func output(_ operation: OperationDescription, _ label: String) throws(Failure) -> Output {
        var found: Typing?
        var mayBeEmpty = false
        for result in operation.results where !result.isError {
            guard let type = result.type else {
                // 3XX of OpenAPI documents and what is declared empty.
                mayBeEmpty = true
                continue
            }
            var typing = try schemas.type(type, label: "\(label) result")
            // A resource's list has the type of its members, unless it declares a result of its own.
            if result.isList { typing = Typing(shape: .list(typing)) }
            if let found, found != typing { return .response }
            found = typing
        }
        guard let typing = found else { return .response }
        return .typed(typing, mayBeEmpty: mayBeEmpty)
    }

    private func parameter(_ given: ParameterDescription) -> Parameter {
        let spot: Spot =
            switch given.location {
            case .path: .path
            case .query: .query
            case .header: .header
            case .cookie: .cookie
            }
        var shape: Shape
        switch given.scalar.kind {
        case .string: shape = .text(given.scalar.values.map { $0.string })
        case .integer: shape = .integer
        case .number: shape = .number
        case .boolean: shape = .boolean
        }
        switch given.style?.shape {
        case .array?: shape = .list(Typing(shape: shape))
        case .object?, .any?: shape = .any
        default: if given.isArray { shape = .list(Typing(shape: shape)) }
        }
        return Parameter(
            name: given.name.string, spot: spot, type: Typing(shape: shape), isRequired: given.isRequired,
            summary: given.summary.string, takesSegments: given.takesSegments, isPlain: given.encoding == nil && given.style == nil && !given.isArray)
    }
}
