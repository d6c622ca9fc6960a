// Reads parameters: location, style, and the scalar part of their schemas.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

extension OpenAPIReader {
    /// The elements of `parameters`.
    mutating func parameterNodes(_ node: TapeNode) throws(Failure) -> [TapeNode] {
        guard let list = try followed(node.member("parameters")) else { return [] }
        guard list.kind == .array else { throw wrongKind(list, "\"parameters\"", "an array") }
        var result: [TapeNode] = []
        var children = list.children
        while let child = children.read() { result.append(child.value) }
        if result.count > Self.listLimit { throw failure(list, "more than \(Self.listLimit) parameters", .limit) }
        return result
    }

    /// Reads the parameters of the operation, then those of its path that the operation does not override.
    mutating func readParameters(
        _ operation: inout OperationDescription, _ own: [TapeNode], _ shared: [TapeNode],
        ofPathQuery: [(key: Bytes, name: Bytes)] = []
    ) throws(Failure) {
        var found: [ParameterDescription] = []
        var seen = Set<Bytes>()
        for (nodes, isOwn) in [(own, true), (shared, false)] {
            for node in nodes {
                guard let parameter = try parameter(node) else { continue }
                var key = parameter.name
                key.append(UInt8(truncatingIfNeeded: parameter.location.rawValue))
                if seen.insert(key).inserted {
                    found.append(parameter)
                } else if isOwn {
                    warn(node, "the parameter \"\(parameter.name.printable)\" occurs twice; the first one is used")
                }
            }
        }
        let names = operation.template?.parameterNames ?? []
        if !ofPathQuery.isEmpty { place(&found, ofPathQuery, names) }
        // Assigned once: each assignment of a list in an operation copies the list.
        var (query, headers, cookies): ([ParameterDescription], [ParameterDescription], [ParameterDescription]) = ([], [], [])
        for parameter in found {
            switch parameter.location {
            case .path:
                if names.contains(parameter.name) {
                    operation.ids.append(parameter)
                } else if let node = own.first ?? shared.first {
                    warn(node, "the path \"\(operation.path.printable)\" has no parameter \"\(parameter.name.printable)\"")
                }
            case .query: query.append(parameter)
            case .header: headers.append(parameter)
            case .cookie: cookies.append(parameter)
            }
        }
        if !query.isEmpty { operation.query += query }
        if !headers.isEmpty { operation.headers += headers }
        if !cookies.isEmpty { operation.cookies += cookies }
        for name in names where !operation.ids.contains(where: { $0.name == name }) {
            var parameter = ParameterDescription(name: name, location: .path, isRequired: true)
            parameter.matchesAnyText = true
            operation.ids.append(parameter)
        }
    }

    /// The parameters of a query in the path, `/f?key={name}`, become parameters of the query.
    private func place(
        _ found: inout [ParameterDescription], _ ofPathQuery: [(key: Bytes, name: Bytes)], _ pathNames: [Bytes]
    ) {
        for (key, name) in ofPathQuery {
            if key != name, found.contains(where: { $0.location == .query && $0.name == key }) { continue }
            let index =
                found.firstIndex { $0.location == .query && $0.name == name }
                ?? found.firstIndex { $0.location == .path && $0.name == name && !pathNames.contains(name) }
            guard let index else {
                var parameter = ParameterDescription(name: key, location: .query, isRequired: true)
                parameter.isInPath = true
                found.append(parameter)
                continue
            }
            var parameter = found[index]
            if parameter.location == .path {
                // For a scalar, the style simple of a path is equal to the style form of a query.
                parameter.style = parameter.style.map {
                    ParameterStyle(.form, explode: $0.explode, allowReserved: $0.allowReserved, shape: $0.shape)
                }
                parameter.matchesAnyText = false
                parameter.isInPath = true
            }
            parameter.location = .query
            parameter.name = key
            parameter.identity = 0
            found[index] = parameter
        }
    }

    /// One parameter; nil if it is ignored.
    private mutating func parameter(_ reference: TapeNode) throws(Failure) -> ParameterDescription? {
        guard reference.isObject else { throw wrongKind(reference, "a parameter", "an object") }
        guard let node = try resolve(reference) else { return nil }
        let isShared = node.index != reference.index || node.words != reference.words
        let key = node.identity
        if isShared, let known = sharedParameters[key] { return known }
        guard node.isObject else { throw wrongKind(node, "a parameter", "an object") }
        warnOfUnknownMembers(node, .parameter)
        if let schema = isSwagger ? node : node.member("schema") { parameterSchemas.append(schema) }
        guard var parameter = try parameter(at: node) else { return nil }
        if isShared {
            parameter.identity = key &+ 1
            sharedParameters.set(parameter, for: key)
        }
        return parameter
    }

    private mutating func parameter(at node: TapeNode) throws(Failure) -> ParameterDescription? {
        guard let nameNode = node.member("name"), nameNode.kind == .text else {
            throw failure(node, "the parameter has no \"name\"")
        }
        let name = nameNode.string
        if name.isEmpty { throw failure(nameNode, "the parameter has an empty name") }
        guard let place = node.member("in"), place.kind == .text else { throw failure(node, "the parameter has no \"in\"") }
        let location: ParameterLocation
        let isWholeQuery = minor >= 2 && place.equals("querystring")
        switch place.string {
        case "path": location = .path
        case "query": location = .query
        case "header": location = .header
        case "cookie" where !isSwagger: location = .cookie
        case "querystring" where isWholeQuery: location = .query
        case let other:
            let places: [Bytes] =
                isSwagger
                ? ["body", "formData", "header", "path", "query"] : ["cookie", "header", "path", "query"]
            throw unknown(place, "a parameter cannot be in", other, among: places)
        }
        if location == .header {
            // OpenAPI requires that such a definition is ignored.
            for ignored in ["Accept", "Content-Type", "Authorization"] as [Bytes] where name.equalsIgnoringCase(ignored) {
                return nil
            }
            if !HeaderField.isValidName(name) {
                warn(node, "the header name \"\(name.printable)\" is not a valid HTTP token: the parameter is ignored")
                return nil
            }
        }
        var result = ParameterDescription(
            name: name, location: location, isRequired: location == .path || node.member("required")?.isTrue == true)
        result.matchesAnyText = location == .path
        result.summary = node.member("description")?.string ?? Bytes()
        if !isSwagger, let content = try followed(node.member("content")), content.isObject {
            var types = content.children
            let first = types.read()
            let mediaType = first?.name ?? Bytes()
            if let media = first?.value, media.isObject, let schema = try resolve(media)?.member("schema") {
                result.type = try type(schema)
            }
            if isWholeQuery {
                result.style = ParameterStyle(BodyMedia(mediaType).isJSON ? .queryJSON : .queryForm)
            } else {
                result.style = ParameterStyle(BodyMedia(mediaType).isJSON ? .json : .text)
            }
            return result
        }
        shapeBudget = 256
        // In Swagger 2.0 the parameter object contains the keywords of the schema.
        let (shape, scalar) = try shape(isSwagger ? node : node.member("schema"), depth: 0)
        result.scalar = scalar
        result.isArray = shape == .array
        let style = isSwagger ? swaggerStyle(node, location, shape) : style(node, location, shape)
        if !style.isPlain(location) { result.style = style }
        shapeBudget = 256
        if let schema = isSwagger ? node : node.member("schema"), try !isCovered(schema, depth: 0) {
            result.type = try type(schema)
        }
        return result
    }

    private mutating func style(
        _ node: TapeNode, _ location: ParameterLocation, _ shape: ParameterStyle.Shape
    ) -> ParameterStyle {
        var kind: ParameterStyle.Kind = location == .path || location == .header ? .simple : .form
        if let member = node.member("style") {
            if let named = ParameterStyle.named(member.string), ParameterStyle.isAllowed(named, in: location) {
                kind = named
            } else {
                warn(member, "the style \"\(member.string.printable)\" is not valid here; the default is used")
            }
        }
        var style = ParameterStyle(kind, shape: shape)
        if let member = node.member("explode") { style.explode = member.isTrue }
        // The default of `explode` is false, for which deepObject is undefined: many documents omit `explode`.
        if kind == .deepObject && node.member("explode") == nil { style.explode = true }
        if let reserved = node.member("allowReserved"), reserved.isTrue {
            style.allowReserved = location == .query || minor >= 2 && location == .path
            if !style.allowReserved {
                warn(
                    reserved,
                    location == .path
                        ? "before OpenAPI 3.2 allowReserved is for query parameters: it has no effect in a path"
                        : "allowReserved has no effect here: it is for query parameters, and since OpenAPI 3.2 for path parameters"
                )
            }
        }
        return style
    }

    // MARK: - Schemas of single values

    /// The shape and the scalar of a parameter with this schema.
    mutating func shape(_ schema: TapeNode?, depth: Int) throws(Failure) -> (ParameterStyle.Shape, Scalar) {
        // proof: the depth of the recursion is limited to 8.
        shapeBudget &-= 1
        guard depth < 8, shapeBudget > 0, let schema, schema.isObject, let node = try resolve(schema, isSchema: true),
            node.isObject
        else {
            return (.any, Scalar())
        }
        var kinds: [Bytes] = []
        if let type = node.member("type") {
            if type.kind == .text { kinds = [type.string] }
            var types = type.children
            while let each = types.read() {
                if !each.value.equals("null") { kinds.append(each.value.string) }
            }
        }
        if kinds.isEmpty {
            for (keyword, isAll) in [("allOf", true), ("oneOf", false), ("anyOf", false)] as [(StaticString, Bool)] {
                if let list = node.member(keyword), list.kind == .array { return try combined(list, isAll, depth) }
            }
            if node.member("properties") != nil { kinds = ["object"] }
            if node.member("items") != nil { kinds = ["array"] }
            if let values = node.member("enum") ?? node.member("const") { kinds = Self.kinds(of: values) }
        }
        if kinds.count > 1 {
            // With several scalar types, any text is allowed.
            let isScalar = kinds.allSatisfy { $0 == "string" || $0 == "integer" || $0 == "number" || $0 == "boolean" }
            return (isScalar ? .scalar : .any, Scalar())
        }
        switch kinds.first {
        case "string"?: return (.scalar, scalar(node, .string))
        case "integer"?: return (.scalar, scalar(node, .integer))
        case "number"?: return (.scalar, scalar(node, .number))
        case "boolean"?: return (.scalar, Scalar(.boolean))
        case "object"?: return (.object, Scalar())
        case "array"?:
            let (inner, scalar) = try shape(node.member("items"), depth: depth &+ 1)
            return (.array, inner == .scalar ? scalar : Scalar())
        default: return (.any, Scalar())
        }
    }

    private mutating func combined(
        _ list: TapeNode, _ isAll: Bool, _ depth: Int
    ) throws(Failure) -> (ParameterStyle.Shape, Scalar) {
        var found: (shape: ParameterStyle.Shape, scalar: Scalar)?
        var isOne = true
        var children = list.children
        var count = 0
        while let child = children.read(), count < 32 {
            count &+= 1
            if let type = child.value.member("type"), type.equals("null") { continue }
            let (shape, scalar) = try self.shape(child.value, depth: depth &+ 1)
            guard let first = found else {
                found = (shape, scalar)
                continue
            }
            if isAll && shape == .any { continue }
            if isAll && first.shape == .any {
                found = (shape, scalar)
                continue
            }
            isOne = false
            if first.shape != shape { return (.any, Scalar()) }
        }
        guard let found else { return (.any, Scalar()) }
        return (found.shape, isOne ? found.scalar : Scalar())
    }

    /// The types of the values of an enumeration without a type.
    private static func kinds(of values: TapeNode) -> [Bytes] {
        var nodes = [values]
        if values.kind == .array {
            nodes = []
            var children = values.children
            while let child = children.read() { nodes.append(child.value) }
        }
        var isScalar = !nodes.isEmpty
        for node in nodes where node.kind == .object || node.kind == .array { isScalar = false }
        return isScalar ? ["string"] : []
    }

    /// Longer lists are read once for all parameters that refer to them.
    private static let sharedValues = 16

    private mutating func scalar(_ node: TapeNode, _ kind: Scalar.Kind) -> Scalar {
        // The lowest bits of an identity are 0.
        let key = node.identity | (kind == .string ? 0 : kind == .integer ? 1 : 2)
        if let known = sharedScalars[key] { return known }
        let scalar = readScalar(node, kind)
        if scalar.values.count > Self.sharedValues { sharedScalars.set(scalar, for: key) }
        return scalar
    }

    private mutating func readScalar(_ node: TapeNode, _ kind: Scalar.Kind) -> Scalar {
        var scalar = Scalar(kind)
        var members = node.children
        while let member = members.read() {
            let value = member.value
            switch member.key.rawText.first ?? 0 {
            case UInt8(ascii: "f") where member.key.equals("format") && kind == .string:
                if value.equals("uuid") { scalar.format = .uuid }
                if value.equals("date") { scalar.format = .date }
                if value.equals("date-time") { scalar.format = .dateTime }
                if value.equals("password") { scalar.isSecret = true }
            case UInt8(ascii: "e") where member.key.equals("enum"):
                var children = value.children
                while let child = children.read() { Self.add(child.value, to: &scalar.values) }
            case UInt8(ascii: "c") where member.key.equals("const"):
                Self.add(value, to: &scalar.values)
            case UInt8(ascii: "p") where member.key.equals("pattern") && value.kind == .text && kind == .string:
                scalar.pattern = pattern(value)
            case UInt8(ascii: "m"):
                guard let number = value.number, number.isFinite else { continue }
                if kind == .string {
                    guard number >= 0, number < 1e9 else { continue }
                    if member.key.equals("minLength") && number > 0 { scalar.minimumLength = Int(number) }
                    if member.key.equals("maxLength") { scalar.maximumLength = Int(number) }
                } else {
                    if member.key.equals("minimum") { scalar.minimum = number }
                    if member.key.equals("maximum") { scalar.maximum = number }
                    if member.key.equals("multipleOf") && number > 0 { scalar.multipleOf = number }
                }
            default: break
            }
        }
        if kind == .integer || kind == .number { exclude(node, &scalar) }
        if kind == .integer { limit(node.member("format"), &scalar) }
        return scalar
    }

    /// The bounds of `int32` and `int64`.
    private func limit(_ format: TapeNode?, _ scalar: inout Scalar) {
        guard let format else { return }
        if format.equals("int64") { scalar.isWide = true }
        if format.equals("int32") {
            scalar.minimum = max(scalar.minimum ?? -0x8000_0000, -0x8000_0000)
            scalar.maximum = min(scalar.maximum ?? 0x7FFF_FFFF, 0x7FFF_FFFF)
        }
    }

    /// Reads the exclusive bounds: numbers in 3.1, and in 3.0 booleans that apply to `minimum` and `maximum`.
    private func exclude(_ node: TapeNode, _ scalar: inout Scalar) {
        if let low = node.member("exclusiveMinimum") {
            let bound = low.kind == .boolean ? (low.isTrue ? scalar.minimum : nil) : low.number
            if let bound, bound.isFinite { scalar.exclude(minimum: bound) }
        }
        if let high = node.member("exclusiveMaximum") {
            let bound = high.kind == .boolean ? (high.isTrue ? scalar.maximum : nil) : high.number
            if let bound, bound.isFinite { scalar.exclude(maximum: bound) }
        }
    }

    /// Appends a value in the notation of a parameter.
    private static func add(_ value: TapeNode, to values: inout [Bytes]) {
        switch value.kind {
        case .text: values.append(value.string)
        case .number: values.append(value.digits)
        case .boolean: values.append(value.isTrue ? "true" : "false")
        default: break
        }
    }

    /// A pattern of JSON Schema, which can match any part of a value.
    private mutating func pattern(_ node: TapeNode) -> Pattern? {
        let source = node.string
        if let known = patterns[source] { return known }
        do throws(Failure) {
            let translated = try source.withBuffer { (text) throws(Failure) in try ECMAPattern(text).translated }
            let compiled = try Pattern.search(source, translated: translated)
            try patternBudget.take(compiled)
            patterns.set(compiled, for: source)
            return compiled
        } catch {
            if badPatterns.insert(source).inserted { warn(node, "\(error.message); the pattern is ignored") }
            return nil
        }
    }
}
