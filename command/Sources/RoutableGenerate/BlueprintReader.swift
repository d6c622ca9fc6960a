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

    /// `source` is the name that the output states as its source.
    ///
    /// - Parameters:
    ///   - isSelection: Whether the router has a selection of the operations of its document.
    ///   - embedsOpenAPI: Whether the output contains an OpenAPI document, which takes a fifth of the time to generate.
    static func read(
        _ router: Router, source: String, isSelection: Bool = false, embedsOpenAPI: Bool = false
    ) throws(Failure) -> Blueprint {
        var reader = try BlueprintReader(router)
        var blueprint = try reader.blueprint(source)
        if embedsOpenAPI && router.description.source != nil {
            let names = router.operations.map { $0.name.bytes }
            blueprint.openAPI = try ReducedDocument.text(
                of: reader.schemas.document.root, keeping: isSelection ? Set(names) : nil)
            if isSelection { blueprint.only = names.map { $0.string } }
        }
        return blueprint
    }

    private mutating func blueprint(_ source: String) throws(Failure) -> Blueprint {
        var result = Blueprint()
        result.source = source
        result.name = router.name.bytes.string
        result.summary = router.description.summary.string
        result.base = router.baseText.bytes.string
        if router.description.source == nil { result.document = RouteDocument.write(router.description) }
        try schemas.readNamed()
        // Operations are read in the order of their names, so that the names of equal inline types do not depend on their order in the document.
        var made: [[Action?]] = router.resources.map { Array(repeating: nil, count: $0.operations.count) }
        var order: [(key: Bytes, resource: Int, operation: Int)] = []
        for (resource, entry) in router.resources.enumerated() {
            for (index, operation) in entry.operations.enumerated() {
                order.append(("\(entry.name.bytes) \(operation.name.bytes)", resource, index))
            }
        }
        var free: [Action?] = Array(repeating: nil, count: router.operations.count)
        for (index, operation) in router.operations.enumerated() { order.append((operation.name.bytes, -1, index)) }
        for each in order.sorted(by: { $0.key.storage.lexicographicallyPrecedes($1.key.storage) }) {
            if each.resource < 0 {
                free[each.operation] = try action(router.operations[each.operation], owner: nil)
            } else {
                let owner = router.resources[each.resource]
                made[each.resource][each.operation] = try action(owner.operations[each.operation], owner: owner)
            }
        }
        for (index, resource) in router.resources.enumerated() {
            result.resources.append(
                ResourcePlan(
                    name: resource.name.bytes.string, path: resource.path.bytes.string,
                    summary: resource.summary.bytes.string, ids: resource.ids.map { parameter($0.description) },
                    children: resource.children, isRoot: resource.isRoot, hasRootMembers: resource.hasRootMembers,
                    isShallow: resource.description.isShallow, actions: made[index].compactMap { $0 }))
        }
        result.actions = free.compactMap { $0 }
        result.walks = try WalkPlan.read(router, result.actions, parameter)
        result.records = schemas.records
        result.choices = schemas.choices
        result.unions = schemas.unions
        result.gaps = schemas.gaps
        result.finish()
        return result
    }

    private mutating func action(_ entry: OperationEntry, owner: ResourceEntry?) throws(Failure) -> Action {
        let description = entry.description
        var place = ActionPlace.root
        if owner != nil { place = description.place == .member ? .member : .collection }
        var parameters: [Parameter] = []
        // The ids of the resource come first.
        let idCount = owner.map { place == .member ? $0.ids.count : $0.ids.count - 1 } ?? 0
        for each in entry.parameters.dropFirst(idCount) {
            var parameter = parameter(each.description)
            if let schema = schemas.document.parameterSchema(
                of: entry.name.bytes, each.description.name, in: parameter.spot.word)
            {
                parameter.summary = SchemaRemark.text(
                    schema, schemas.document.resolved(schema) ?? schema, after: parameter.summary)
            }
            parameters.append(parameter)
        }
        let name = entry.name.bytes.string
        let label = owner.map { "\($0.name.bytes.string) \(name)" } ?? name
        var result = Action(
            name: name, method: entry.method.bytes.string, path: entry.path.bytes.string,
            summary: entry.summary.bytes.string, place: place, parameters: parameters,
            input: try input(description, label), output: .response,
            pointer: schemas.document.operation(entry.name.bytes)?.pointer ?? description.pointer.string)
        if let statuses = schemas.responses(of: entry.name.bytes, label) {
            setOutput(&result, statuses, label)
        } else {
            try setOutput(&result, description, entry.rules?.pagination, label)
        }
        // A response to HEAD has no body (RFC 9110 section 9.3.2).
        if result.method == "HEAD" { result.output = .empty }
        if result.method == "GET", case .typed(.typed(let type), _) = result.output {
            result.item = item(of: type, entry.rules?.pagination?.items.bytes)
        }
        result.stream = schemas.stream(of: entry.name.bytes, label)
        return result
    }

    /// The type of the items of a page: the elements of a list, or the value at the pagination's pointer.
    private func item(of page: Typing, _ pointer: Bytes?) -> Typing? {
        var current = page
        for name in (pointer.flatMap { SchemaDocument.tokens("#" + $0.string) } ?? []) {
            guard case .record(let index) = current.shape,
                let field = schemas.records[index].fields.first(where: { $0.name == name.string })
            else { return nil }
            current = field.type
        }
        if case .list(let element) = current.shape { return element }
        return nil
    }

    /// The type of the body of a page, if only its items are declared.
    private mutating func page(of items: Typing, _ pointer: Bytes, _ label: String) -> Typing {
        var type = items
        for name in (SchemaDocument.tokens("#" + pointer.string) ?? []).reversed() {
            schemas.records.append(
                Record(name: "\(label) page", fields: [Field(name: name.string, summary: "", type: type, isRequired: false)]))
            type = Typing(shape: .record(schemas.records.count - 1))
        }
        return type
    }

    // MARK: - Requests

    private mutating func input(_ operation: OperationDescription, _ label: String) throws(Failure) -> Input {
        let isWrite = operation.method == "POST" || operation.method == "PUT" || operation.method == "PATCH"
        let isRequired = operation.isBodyRequired == true
        let place = operation.pointer.string + schemas.document.keys.body
        if let body = operation.bodies.first {
            if body.form == .bytes { return .bytes(isRequired: isRequired) }
            if let (schema, pointer, name) = schemas.bodySchema(of: operation.name, body.mediaType) {
                if body.form == .multipart {
                    guard let (values, files, needsValues) = schemas.multipart(schema, pointer, name ?? "\(label) body") else {
                        return .open
                    }
                    return .multipart(values, files: files, isRequired: isRequired && needsValues)
                }
                if body.form == .json && body.mediaType == "*/*" && schemas.isBinary(schema) {
                    return .bytes(isRequired: isRequired)
                }
                return .typed(schemas.typing(schema, name ?? "\(label) body", pointer, 0), isRequired: isRequired)
            }
            guard let type = body.type else {
                return .open
            }
            // Fields of a Swagger form can be files, which JSON cannot represent.
            let isRead = body.form == .json || schemas.declares(type)
            return .typed(isRead ? try schemas.type(type, label: "\(label) body", place) : .any, isRequired: isRequired)
        }
        guard let type = operation.bodyType else {
            if operation.bodyForm == .bytes && (isWrite || operation.isBodyRequired != nil) {
                return .bytes(isRequired: isRequired)
            }
            // In an OpenAPI document, an operation without a declared body has none.
            if operation.isBodyRequired == nil && isWrite && schemas.document.isOpenAPI { return .none }
            return isWrite || operation.isBodyRequired != nil ? .open : .none
        }
        return .typed(
            try schemas.type(type, label: "\(label) body", place), isRequired: operation.isBodyRequired ?? isWrite)
    }

    // MARK: - Responses

    private mutating func setOutput(_ action: inout Action, _ statuses: [StatusPlan], _ label: String) {
        var successes = statuses.filter { $0.lowest >= 200 && $0.lowest < 300 }
        let fallback = statuses.first { $0.lowest == 100 && $0.highest == 999 }
        if successes.isEmpty, let fallback { successes = [fallback] }
        action.errors = statuses.filter { $0.lowest >= 400 }
        if var fallback {
            fallback.lowest = 300
            action.errors.append(fallback)
        }
        var payloads: [Payload] = []
        var mayBeEmpty = false
        for each in successes {
            guard let payload = each.payload else {
                mayBeEmpty = true
                continue
            }
            if !payloads.contains(payload) { payloads.append(payload) }
        }
        // A redirect or a 304 that the caller requested has no value: reading one fails.
        let isRedirect = statuses.contains { $0.lowest >= 300 && $0.lowest < 400 }
        // A GET request without a response body is useless: documents often omit the result.
        let isOmitted = action.method == "GET" && successes.contains { $0.lowest != 204 && $0.lowest != 205 }
        action.output = output(
            payloads, mayBeEmpty, isDeclared: (!successes.isEmpty && !isOmitted) || isRedirect, label, action.pointer)
        var typed = action.errors.compactMap { $0.payload }
        if case .typed(.typed, _) = action.output { typed += payloads }
        // The type of another response, such as a redirect, may have been removed.
        action.statuses = statuses.map { plan in
            guard case .typed? = plan.payload, !typed.contains(where: { $0 == plan.payload }) else { return plan }
            return StatusPlan(lowest: plan.lowest, highest: plan.highest, payload: .bytes)
        }
    }

    private mutating func output(
        _ payloads: [Payload], _ mayBeEmpty: Bool, isDeclared: Bool, _ label: String, _ pointer: String
    ) -> Output {
        if payloads.isEmpty { return isDeclared ? .empty : .response }
        let typed = payloads.compactMap { if case .typed(let type) = $0 { type } else { nil } }
        if typed.count < payloads.count {
            if payloads.count == 1 { return .typed(payloads[0], mayBeEmpty: mayBeEmpty) }
            let place = pointer + schemas.document.keys.results
            schemas.gaps.append(Gap(pointer: place, reason: "its successes have JSON and other media types"))
            return .response
        }
        let type =
            typed.count == 1
            ? typed[0]
            : schemas.union(
                typed, nil, "", "\(label) result", pointer + schemas.document.keys.results, key: nil, index: nil)
        return .typed(.typed(type), mayBeEmpty: mayBeEmpty)
    }

    /// Sets the output of an operation of a route document.
    private mutating func setOutput(
        _ action: inout Action, _ operation: OperationDescription, _ pagination: Pagination?, _ label: String
    ) throws(Failure) {
        var payloads: [Payload] = []
        var mayBeEmpty = false, isDeclared = false
        for result in operation.results where !result.isError {
            isDeclared = isDeclared || result.isEmpty
            guard let type = result.type else {
                if let media = result.otherMediaTypes.first, !result.isJSON {
                    let payload: Payload = PayloadMedia(media.string).isText ? .text : .bytes
                    if !payloads.contains(payload) { payloads.append(payload) }
                    action.statuses.append(
                        StatusPlan(lowest: Int(result.lowest), highest: Int(result.highest), payload: payload))
                } else if result.lowest < 300 && (result.isEmpty || result.highest < 299) {
                    // The response is declared as empty; `"2XX": true` only states that other statuses are successful.
                    mayBeEmpty = true
                    if result.isEmpty {
                        action.statuses.append(
                            StatusPlan(lowest: Int(result.lowest), highest: Int(result.highest), payload: nil))
                    }
                }
                continue
            }
            var typing = try schemas.type(
                type, label: "\(label) result", schemas.document.place(of: result, in: action.pointer))
            // The items of a resource's list have the type of its members, unless the resource declares another result.
            if result.isList {
                typing = Typing(shape: .list(typing))
                if let pointer = pagination?.items.bytes, !pointer.isEmpty { typing = page(of: typing, pointer, label) }
            }
            if !payloads.contains(.typed(typing)) { payloads.append(.typed(typing)) }
            action.statuses.append(
                StatusPlan(lowest: Int(result.lowest), highest: Int(result.highest), payload: .typed(typing)))
        }
        action.output = output(payloads, mayBeEmpty, isDeclared: isDeclared, label, action.pointer)
        for result in operation.results where result.isError {
            guard let type = result.type else { continue }
            action.errors.append(
                StatusPlan(
                    lowest: Int(result.lowest), highest: Int(result.highest),
                    payload: .typed(
                        try schemas.type(
                            type, label: "\(label) \(result.lowest)", schemas.document.place(of: result, in: action.pointer)))))
        }
        if case .typed(.typed, _) = action.output { action.statuses += action.errors } else { action.statuses = [] }
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
        case .integer: shape = .integer([])
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
            summary: given.summary.string, takesSegments: given.takesSegments,
            isPlain: given.encoding == nil && given.style == nil && !given.isArray)
    }
}
