// Reads path items and operations.

internal import RoutableCore
internal import RoutableJSON

extension OpenAPIReader {
    private static let methods: [StaticString] = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    mutating func readPath(_ item: TapeNode.Child) throws(Failure) {
        let path = item.name
        guard path.storage.first == UInt8(ascii: "/") else {
            if !path.hasPrefix("x-") { warn(item.value, "\"\(path.printable)\" is not a path: it does not begin with a slash") }
            return
        }
        guard item.value.isObject else { throw wrongKind(item.value, "a path item", "an object") }
        guard let layers = try layers(item.value) else { return }
        for node in layers where !node.isObject { throw wrongKind(node, "a path item", "an object") }
        let parsed: PathTemplate
        do { parsed = try PathTemplate(path) } catch {
            warn(item.value, "\(error.message); its operations are ignored")
            return
        }
        if let reason = parsed.reason { warn(item.value, reason) }
        for layer in layers { warnOfUnknownMembers(layer, .pathItem) }
        let members = try pathMembers(layers)
        var shared: [TapeNode] = []
        if let owner = layers.first(where: { $0.member("parameters") != nil }) { shared = try parameterNodes(owner) }
        let servers = members.first { $0.key.equals("servers") }?.value
        let first = description.operations.count
        var isHidden = false
        for child in members {
            var method: Bytes?
            for (index, name) in Self.methods.enumerated() where child.key.equals(name) {
                // A method of OpenAPI 3.2.
                if index < (isSwagger ? 7 : 8) || minor >= 2 { method = Bytes(static: name).uppercased }
            }
            if let method {
                try readOperation(child.value, method, path, parsed, shared, servers)
            } else if minor >= 2, child.key.equals("additionalOperations") {
                guard let map = try followed(child.value), map.isObject else { continue }
                var additional = map.children
                var count = 0
                while let other = additional.read() {
                    count &+= 1
                    if count > 64 { throw failure(map, "more than 64 additional operations of one path", .limit) }
                    try readOperation(other.value, other.name, path, parsed, shared, servers)
                }
            } else if child.key.equals(Self.resourceKey) {
                isHidden = try readResourceKey(child.value, parsed.template)
            } else {
                try refuseOwnKey(child.key, child.value)
            }
        }
        if isHidden { for operation in description.operations[first...] { graphKeys.hide(operation.name) } }
    }

    /// The members of a path item: those beside its reference, then those of the target.
    ///
    /// OpenAPI does not define which member is used if both have it: here it is the one beside the reference, with a warning.
    private mutating func pathMembers(_ layers: [TapeNode]) throws(Failure) -> [TapeNode.Child] {
        var result: [TapeNode.Child] = []
        var seen = Set<Bytes>()
        for (index, layer) in layers.enumerated() {
            var own: [Bytes] = []
            var children = layer.children
            while let child = children.read() {
                if layers.count > 1 {
                    if child.key.equals("$ref") { continue }
                    if seen.contains(child.name) {
                        if !child.key.equals("summary") && !child.key.equals("description") {
                            warn(
                                layers[0],  // proof: there is always one layer.
                                "\"\(child.name.printable)\" is both beside the reference and in the path item that it leads to; the one beside the reference is used"
                            )
                        }
                        continue
                    }
                    own.append(child.name)
                }
                result.append(child)
            }
            if index &+ 1 < layers.count { for name in own { seen.insert(name) } }
        }
        return result
    }

    private mutating func readOperation(
        _ given: TapeNode, _ method: Bytes, _ path: Bytes, _ parsed: PathTemplate, _ shared: [TapeNode], _ servers: TapeNode?
    ) throws(Failure) {
        guard let node = try resolve(given) else {
            warn(
                given, "the operation \(method.printable) \(path.printable) is omitted, because its reference leads to nothing")
            return
        }
        if node.index != given.index || node.words != given.words { try warnOfFieldsBeside(given) }
        guard node.isObject else { throw wrongKind(node, "an operation", "an object") }
        guard !method.isEmpty, method.storage.allSatisfy(ASCII.isToken) else {
            throw failure(node, "the method \"\(method.printable)\" is not a valid HTTP token")
        }
        let name = name(node, method, path)
        if choices.selection.names(name) { selected.insert(name) }
        if !choices.selection.allows(name) { return }
        var operation = OperationDescription(
            name: name, method: method, path: parsed.path, place: .root)
        operation.template = parsed.template
        operation.isUnmatched = parsed.isUnmatched
        warnOfUnknownMembers(node, .operation)
        operation.isShadowingAllowed = true
        operation.summary = node.member("summary")?.string ?? node.member("description")?.string ?? Bytes()
        operation.source = TextRange(tape(of: node).text, tape(of: node).range(of: node))
        operation.userData = userData(node)
        if choices.base == nil {
            if isSwagger {
                if description.base != nil, let schemes = node.member("schemes"), !schemes.isEmpty {
                    let own = swaggerBase(main.root, schemes)
                    if own != description.base { operation.base = own }
                }
            } else if let own = node.member("servers") ?? servers, !own.isEmpty {
                let server = serverURL(own)
                operation.base = server.url
                operation.servers = server.patterns
                if server.url == nil { operation.baseProblem = server.problem }
            }
        }
        if !parsed.query.isEmpty, let base = operation.base ?? (operation.baseProblem.isEmpty ? description.base : nil) {
            let separator: Bytes = base.storage.contains(UInt8(ascii: "?")) ? "&" : "?"
            if operation.base == nil { operation.servers = description.servers }
            operation.base = "\(base)\(separator)\(parsed.query)"
        }
        var own = try parameterNodes(node)
        var shared = shared
        if isSwagger { try readSwaggerBody(&operation, node, &own, &shared) }
        try readParameters(&operation, own, shared, ofPathQuery: parsed.queryParameters)
        operation.auth = requirement(node.member("security"))
        addKeys(&operation, node.member("security").map { securityKeys($0) } ?? rootKeys)
        if !isSwagger, let body = node.member("requestBody") { try readBody(&operation, body) }
        if let responses = try followed(node.member("responses")) {
            let produces = isSwagger ? node.member("produces") ?? main.root.member("produces") : nil
            try readResponses(&operation, responses, produces: produces)
        }
        try readRules(&operation, node)
        try readGraphKeys(operation, node)
        description.operations.append(operation)
    }

    /// OpenAPI defines neither a reference in place of an operation nor the fields beside it.
    private mutating func warnOfFieldsBeside(_ reference: TapeNode) throws(Failure) {
        var children = reference.children
        while let child = children.read() {
            if child.key.equals("$ref") { continue }
            try refuseOwnKey(child.key, child.value)
            warn(child.value, "\"\(child.name.printable)\" is beside the reference of an operation and is ignored")
        }
    }

    /// The operationId; if it is missing, or is that of another operation, the method and the path.
    private mutating func name(_ node: TapeNode, _ method: Bytes, _ path: Bytes) -> Bytes {
        if let id = node.member("operationId"), id.kind == .text {
            let text = id.string
            if text.isEmpty || text.storage.contains(where: ASCII.isControl) {
                warn(
                    id,
                    "the operationId is empty or has a control character: the operation is named \"\(method) \(path.printable)\""
                )
            } else if operationNames.insert(text).inserted {
                return text
            } else {
                warn(
                    id,
                    "the operationId \"\(text.printable)\" occurs twice: this operation is named \"\(method) \(path.printable)\""
                )
            }
        }
        var text: Bytes = "\(method) \(Bytes(path.storage.map { ASCII.isControl($0) ? UInt8(ascii: "?") : $0 }))"
        let wanted = text
        while !operationNames.insert(text).inserted {
            let count = takenNames[wanted, default: 1] &+ 1
            takenNames[wanted] = count
            text = "\(wanted) (\(count))"
        }
        return text
    }
}

/// The path of a path item: literals and `{names}`.
struct PathTemplate {
    var template = Template()
    /// The path without a fragment and a query.
    var path: Bytes
    /// The parts of a query in the path that are not parameters.
    var query = Bytes()
    /// The parameters of a query in the path, `key={name}`.
    var queryParameters: [(key: Bytes, name: Bytes)] = []
    /// Whether no path can be matched against it.
    var isUnmatched = false
    /// A warning about the path.
    var reason: Bytes?

    init(_ source: Bytes) throws(Failure) {
        path = source
        func refused(_ reason: Bytes) -> Failure {
            Failure(.document, "the path \"\(source.printable)\" cannot be built: \(reason)")
        }
        if !UTF8Check.isValid(source) || source.storage.contains(where: ASCII.isControl) {
            throw refused("it has a control character")
        }
        if let hash = path.storage.firstIndex(of: UInt8(ascii: "#")) {
            path = Bytes(path.storage[..<hash])
            reason = "the fragment of the path is never sent"
        }
        if let question = path.storage.firstIndex(of: UInt8(ascii: "?")) {
            let text = Bytes(path.storage[(question &+ 1)...])
            path = Bytes(path.storage[..<question])
            reason = "the query in the path is sent with each request, but not matched"
            for item in text.split(on: UInt8(ascii: "&")) where !item.isEmpty {
                guard item.storage.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
                    if !query.isEmpty { query.append(UInt8(ascii: "&")) }
                    query.append(item)
                    continue
                }
                guard let parameter = Self.queryParameter(item) else {
                    throw refused("\"\(item.printable)\" in its query is not of the form name={parameter}")
                }
                queryParameters.append(parameter)
            }
            if queryParameters.count > Limits.idsPerRoute {
                throw refused("its query has more than \(Limits.idsPerRoute) parameters")
            }
        }
        var text = path
        text.storage.removeFirst()  // proof: the path begins with a slash.
        if text.isEmpty { return }
        var pieces = text.split(on: UInt8(ascii: "/"))
        let hasTrailingSlash = pieces.last?.isEmpty == true
        if hasTrailingSlash { pieces.removeLast() }
        var segments: [Template.Segment] = []
        for piece in pieces { segments.append(try segment(piece, refused)) }
        template = Template(segments: segments, hasTrailingSlash: hasTrailingSlash)
        if template.parameterCount > Limits.idsPerRoute || template.segmentCount > Limits.segmentsPerRoute {
            throw refused("it has more than \(Limits.idsPerRoute) parameters or \(Limits.segmentsPerRoute) segments")
        }
    }

    /// The parts of `key={name}`; nil for any other text with braces.
    private static func queryParameter(_ item: Bytes) -> (key: Bytes, name: Bytes)? {
        guard let equals = item.storage.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return nil }
        let key = Bytes(item.storage[..<equals])
        let value = item.storage[(equals &+ 1)...]
        guard value.count > 2, value.first == UInt8(ascii: "{"), value.last == UInt8(ascii: "}") else { return nil }
        let name = Bytes(value.dropFirst().dropLast())
        for text in [key, name] where text.storage.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            return nil
        }
        return (key.storage.withUnsafeBytes { PercentCoding.decode($0) }, name)
    }

    private mutating func segment(_ text: Bytes, _ refused: (Bytes) -> Failure) throws(Failure) -> Template.Segment {
        if text.isEmpty {
            isUnmatched = true
            reason = "the path has an empty segment: it can be built, but not matched"
            return Template.Segment(pieces: [.literal(Bytes())])
        }
        var pieces: [Template.Piece] = []
        var literal = Bytes()
        var rest = text.storage[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "{") else {
                literal.append(byte)
                rest = rest.dropFirst()
                continue
            }
            guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { throw refused("a \"{\" is not closed") }
            let name = Bytes(rest[(rest.startIndex &+ 1)..<close])
            if name.isEmpty { throw refused("a parameter has no name") }
            if !literal.isEmpty {
                pieces.append(.literal(literal))
                literal = Bytes()
            } else if !pieces.isEmpty {
                isUnmatched = true
                reason = "two parameters are adjacent in the path: it can be built, but not matched"
            }
            pieces.append(.parameter(name))
            rest = rest[(close &+ 1)...]
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        if pieces == [.literal(".")] || pieces == [.literal("..")] { throw refused("it has a \"\(text)\" segment") }
        return Template.Segment(pieces: pieces)
    }
}
