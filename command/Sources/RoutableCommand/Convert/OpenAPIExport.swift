// Converts a route document to OpenAPI 3.1: every row of the route table becomes an operation, `user.status#create`.

import RoutableCore

struct OpenAPIExport {
    let router: Router
    var remarks = Remarks()
    private let schemas: SchemaConversion
    private var paths: [(path: Bytes, operations: Members)] = []
    /// The names of the exported operations.
    private var exported: Set<Bytes> = []

    init(_ router: Router) {
        self.router = router
        var schemas = SchemaConversion(from: "#/types/", to: "#/components/schemas/")
        schemas.names = Set(router.types.map { $0.name.bytes })
        self.schemas = schemas
    }

    mutating func run() throws(Failure) -> Value {
        let description = router.description
        var document = Members()
        document.set("openapi", .text("3.1.0"))
        var info = Members()
        info.set("title", .text(description.name.isEmpty ? "API" : description.name))
        info.set("version", .text("1"))
        info.set("description", text: description.summary)
        document.set("info", info.value)
        if let base = description.base {
            document.set("servers", .array([.object([.init(name: "url", value: .text(base))])]))
        }
        for header in description.headers {
            remarks.add("/headers/\(header.name)", "a header that is sent with every request")
        }
        try addRoutes()
        document.set("paths", .object(paths.map { .init(name: $0.path, value: $0.operations.value) }))
        var types = Members()
        for type in router.types {
            let schema = try Value.read(Bytes(type.schema))
            types.set(type.name.bytes, schemas.converted(schema, "/types/\(type.name.bytes)", &remarks))
        }
        var components = Members()
        if !types.isEmpty { components.set("schemas", types.value) }
        components.set("securitySchemes", try securitySchemes(exported))
        if !components.isEmpty { document.set("components", components.value) }
        document.set("security", description.auth.map { security($0, "/auth") })
        document.set("tags", tags())
        for member in try Self.rules(description.rules) { document.set(member.name, member.value) }
        addUserData(description.userData, to: &document, "/")
        return document.value
    }

    // MARK: Routes

    private mutating func addRoutes() throws(Failure) {
        for row in try router.routeRows where !row.isRepeat {
            if row.resource.isEmpty {
                guard let operation = router.operation(named: row.operation) else { continue }
                try add(operation, name: row.operation, [], Bytes())
                continue
            }
            let walk = row.route.split(on: UInt8(ascii: ".")).compactMap { router.resource(named: $0) }
            guard let last = walk.last, let operation = last.operations.first(where: { $0.name.bytes == row.operation }) else {
                continue
            }
            try add(operation, name: "\(row.route)#\(row.operation)", walk, last.name.bytes)
        }
    }

    private mutating func add(
        _ operation: OperationEntry, name: Bytes, _ walk: [ResourceEntry], _ resource: Bytes
    ) throws(Failure) {
        var path = Bytes()
        var parameters: [Value] = []
        var taken: Set<Bytes> = []
        func free(_ name: Bytes) -> Bytes {
            var result = name
            var number = 2
            while !taken.insert(result).inserted {
                result = "\(name)_\(number)"
                number += 1
            }
            return result
        }
        for (index, each) in walk.enumerated() {
            for segment in each.segments { path.append("/\(Self.literal(segment))") }
            let isLast = index == walk.count - 1
            let isCollection = isLast && operation.description.place == .collection
            for (own, label) in zip(isCollection ? each.ids.dropLast() : each.ids[...], each.idLabels) {
                let id = free(isLast ? own.name.bytes : label)
                path.append("/{\(id)}")
                if own.description.takesSegments {
                    remarks.add(name, "{\(own.description.spelling)} with several segments: OpenAPI allows one")
                }
                parameters.append(parameter(own.description, name: id, name))
            }
        }
        // The rest of the path has its own parameters, after the ids of the resource.
        let idCount = walk.last.map { operation.description.place == .member ? $0.ids.count : $0.ids.count - 1 } ?? 0
        let own = operation.parameters.dropFirst(idCount).filter { $0.description.location == .path }
        for segment in operation.template.segments {
            path.append("/")
            for piece in segment.pieces {
                switch piece {
                case .literal(let literal): path.append(Self.literal(literal))
                case .parameter(let id), .catchAll(let id):
                    if case .catchAll = piece { remarks.add(name, "{\(id)...} with several segments: OpenAPI allows one") }
                    let unique = free(id)
                    path.append("{\(unique)}")
                    let declared = own.first { $0.name.bytes == id }?.description
                    parameters.append(
                        parameter(
                            declared ?? ParameterDescription(name: id, location: .path, isRequired: true), name: unique, name))
                }
            }
        }
        if path.isEmpty { remarks.add(name, "the URL without a slash: in OpenAPI the URL of the base ends with a slash") }
        if operation.template.hasTrailingSlash || path.isEmpty { path.append("/") }
        let accepted = Self.acceptedTypes(operation)
        for each in operation.parameters where each.description.location != .path {
            let isAccept = each.description.location == .header && each.description.name.isName("accept")
            if isAccept && !accepted.isEmpty { continue }
            parameters.append(parameter(each.description, name: each.name.bytes, name, encoding: operation.encoding))
        }
        var made = Members()
        made.set("operationId", .text(name))
        made.set("description", text: operation.description.summary)
        if !resource.isEmpty { made.set("tags", .array([.text(resource)])) }
        if !parameters.isEmpty { made.set("parameters", .array(parameters)) }
        made.set("requestBody", try body(operation, name))
        made.set("responses", try responses(operation, accepted, name))
        // An operation without `auth` inherits that of its resource, or of the document.
        if let own = operation.description.auth, own !== router.description.auth { made.set("security", security(own, name)) }
        for member in try Self.rules(operation.description.rules) { made.set(member.name, member.value) }
        addUserData(operation.description.userData, to: &made, name)
        if operation.description.priority != 0 { remarks.add(name, "its priority: OpenAPI defines the order of the paths") }
        put(operation.method.bytes, made.value, path, name)
    }

    private static let methods: [Bytes] = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]

    private mutating func put(_ method: Bytes, _ operation: Value, _ path: Bytes, _ name: Bytes) {
        guard Self.methods.contains(method) else {
            return remarks.add(name, "the method \(method), which OpenAPI 3.1 does not have")
        }
        let index = paths.firstIndex { $0.path == path } ?? paths.count
        if index == paths.count { paths.append((path, Members())) }
        let key = method.lowercased
        if paths[index].operations.list.contains(where: { $0.name == key }) {
            return remarks.add(name, "another operation has the same method and path")
        }
        paths[index].operations.set(key, operation)
        exported.insert(name)
    }

    /// Percent-encodes braces and delimiters, which a path of OpenAPI cannot contain literally.
    private static func literal(_ text: Bytes) -> Bytes {
        text.replacing { byte in
            switch byte {
            case UInt8(ascii: "{"): "%7B"
            case UInt8(ascii: "}"): "%7D"
            case UInt8(ascii: "?"): "%3F"
            case UInt8(ascii: "#"): "%23"
            default: nil
            }
        }
    }

    // MARK: Parameters

    private mutating func parameter(
        _ given: ParameterDescription, name: Bytes, _ operation: Bytes, encoding: FormEncoding = FormEncoding()
    ) -> Value {
        var made = Members()
        made.set("name", .text(name))
        switch given.location {
        case .path: made.set("in", .text("path"))
        case .query: made.set("in", .text("query"))
        case .header: made.set("in", .text("header"))
        case .cookie: made.set("in", .text("cookie"))
        }
        made.set("required", flag: given.isRequired || given.location == .path)
        if given.allowsEmpty { remarks.add(operation, "the rule that \(name) may be empty") }
        made.set("description", text: given.summary)
        var schema = Self.schema(given.scalar)
        if given.isArray {
            schema = .object([.init(name: "type", value: .text("array")), .init(name: "items", value: schema)])
            switch (given.encoding ?? encoding).arrays {
            case .comma: made.set("explode", .boolean(false))
            case .none: break
            case .brackets:
                made.set("name", .text("\(name)[]"))
                remarks.add(operation, "the name \(name): it becomes \(name)[], as its elements are sent")
            case .index, .format: remarks.add(operation, "the array format of \(name): it becomes \(name)=1&\(name)=2")
            }
        }
        if given.location == .query, given.scalar.kind == .boolean, (given.encoding ?? encoding).booleans == .numeric {
            remarks.add(operation, "the boolean format of \(name): the values are written as true and false")
        }
        if let value = given.defaultValue {
            schema = .object(schema.members + [.init(name: "default", value: value)])
            remarks.add(operation, "the rule that the default of \(name) is sent: in OpenAPI the service assumes the default")
        }
        made.set("schema", schema)
        return made.value
    }

    static func schema(_ scalar: Scalar) -> Value {
        var made = Members()
        made.set("type", .text(scalar.kindName))
        if let format = scalar.formatName { made.set("format", .text(format)) }
        if let pattern = scalar.pattern { made.set("pattern", .text("^(?:\(pattern.source))$")) }
        if !scalar.values.isEmpty {
            made.set(
                "enum", .array(scalar.values.map { scalar.kind == .string ? .text($0) : (try? Value.read($0)) ?? .text($0) }))
        }
        made.set("minLength", scalar.minimumLength.map { .integer(Int64($0)) })
        made.set("maxLength", scalar.maximumLength.map { .integer(Int64($0)) })
        made.set("minimum", scalar.minimum.map(Self.number))
        made.set("maximum", scalar.maximum.map(Self.number))
        return made.value
    }

    private static func number(_ bound: Double) -> Value { Int64(exactly: bound).map { .integer($0) } ?? .real(bound) }

    // MARK: Bodies

    private mutating func body(_ operation: OperationEntry, _ name: Bytes) throws(Failure) -> Value? {
        let method = operation.method.bytes
        let takesBody = method == "POST" || method == "PUT" || method == "PATCH"
        guard operation.description.bodyType != nil || operation.description.isBodyRequired == true || takesBody else {
            return nil
        }
        let mediaType: Bytes =
            switch operation.description.bodyForm {
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            case .multipart: "multipart/form-data"
            case .bytes: "application/octet-stream"
            }
        var media = Members()
        if let type = operation.description.bodyType { media.set("schema", try schema(of: type, name)) }
        var made = Members()
        made.set("required", flag: operation.description.isBodyRequired ?? (operation.description.bodyType != nil && takesBody))
        made.set("content", .object([.init(name: mediaType, value: media.value)]))
        return made.value
    }

    /// The media types of an Accept header with a default; in OpenAPI they are those of the successful responses.
    private static func acceptedTypes(_ operation: OperationEntry) -> [Bytes] {
        let header = operation.description.headers.first { $0.name.isName("accept") }
        guard let text = header?.defaultValue?.scalarText else { return [] }
        var types: [Bytes] = []
        ListElements.each(text, escapes: true) { element in
            var type = element
            if let weight = type.storage.lastIndex(of: UInt8(ascii: ";")), Bytes(type.storage[weight...]).hasPrefix(";q=") {
                type = Bytes(type.storage[..<weight])
            }
            if MediaType(type) != nil { types.append(type) }
        }
        return types
    }

    private func content(_ accepted: [Bytes], _ schema: Value?) -> Value? {
        let types = accepted.isEmpty && schema != nil ? ["application/json"] : accepted
        if types.isEmpty { return nil }
        return .object(
            types.map { type in
                let isTyped = MediaType(type).map { $0.isJSON || $0.subtype == "*" } ?? false
                return .init(name: type, value: .object(schema.map { isTyped ? [.init(name: "schema", value: $0)] : [] } ?? []))
            })
    }

    private mutating func responses(_ operation: OperationEntry, _ accepted: [Bytes], _ name: Bytes) throws(Failure) -> Value {
        var made = Members()
        let results = operation.description.results
        let hasBody = { (result: ResultDescription) in
            !result.isError && !result.isEmpty && 200...299 ~= result.lowest
                && !(result.lowest == result.highest && [204, 205].contains(result.lowest))
        }
        for result in results {
            var response = Members()
            response.set("description", .text(result.isError ? "Error" : "Success"))
            var schema: Value?
            if let type = result.type {
                schema = try self.schema(of: type, name)
                if result.isList, let items = schema {
                    schema = .object([.init(name: "type", value: .text("array")), .init(name: "items", value: items)])
                }
            }
            response.set("content", content(hasBody(result) ? accepted : [], schema))
            let isDefault = result.lowest == 100 && result.highest == 999
            let status: Bytes =
                isDefault ? "default" : result.lowest == result.highest ? "\(result.lowest)" : "\(result.lowest / 100)XX"
            if result.isEmpty && ![204, 205, 304].contains(result.lowest) {
                remarks.add(name, "the rule that the body of \(status) is not decoded")
            }
            if !result.isError && result.lowest >= 400 || isDefault && result.type == nil {
                remarks.add(name, "the rule that \(isDefault ? "a status of 400 and more" : status) is a success")
            }
            if isDefault && !result.isError {
                // In a route document the type is that of all other successful responses; the default of OpenAPI is also for errors.
                for range in ["2XX", "3XX"] as [Bytes] where !made.list.contains(where: { $0.name == range }) {
                    made.set(range, response.value)
                }
            }
            if !isDefault || result.type != nil { made.set(status, response.value) }
        }
        let successes = results.filter { !$0.isError }
        if !successes.isEmpty, !successes.contains(where: { $0.lowest <= 200 && $0.highest >= 299 }) {
            remarks.count("the rule that an undeclared status from 200 to 299 is an error")
        }
        if successes.isEmpty || !accepted.isEmpty && !successes.contains(where: hasBody) {
            var response = Members()
            response.set("description", .text("Success"))
            response.set("content", content(accepted, nil))
            made.set("2XX", response.value)
        }
        return made.value
    }

    private mutating func schema(of type: Int, _ place: Bytes) throws(Failure) -> Value {
        let types = router.description.types
        guard types.indices.contains(type) else { return .boolean(true) }
        if !types[type].name.isEmpty {
            return .object([.init(name: "$ref", value: .text("#/components/schemas/\(types[type].name.pointerEscaped)"))])
        }
        return schemas.converted(try Value.read(types[type].schema), place, &remarks)
    }
}
