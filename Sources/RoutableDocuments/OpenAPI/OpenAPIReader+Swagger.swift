// Reads Swagger 2.0 without converting it, so that every pointer refers to the user's file: the base, bodies and forms that
// are parameters, collection formats, and results without media types.

internal import RoutableCore
internal import RoutableJSON

extension OpenAPIReader {
    /// The maximum number of media types of an operation: those of the document apply to each operation without its own.
    private static let mediaTypeLimit = 64

    // MARK: - Base

    /// The base of `schemes`, `host` and `basePath`; https if it is one of the schemes.
    mutating func swaggerBase(_ root: TapeNode, _ schemes: TapeNode?) -> Bytes? {
        var path: Bytes = "/"
        if let node = root.member("basePath"), node.kind == .text, !node.string.isEmpty {
            path = node.string
            if path.storage.first != UInt8(ascii: "/") {
                warn(node, "\"basePath\" must begin with a slash; it is read as \"/\(path.printable)\"")
                path = "/\(path)"
            }
        }
        guard let host = root.member("host"), host.kind == .text, !host.string.isEmpty else { return relativeBase(path, root) }
        var scheme: Bytes?
        var children = schemes?.children
        while let child = children?.read() {
            if child.value.equals("https") { scheme = "https" }
            if child.value.equals("http") && scheme == nil { scheme = "http" }
        }
        if scheme == nil {
            if let schemes, !schemes.isEmpty {
                warn(schemes, "none of the schemes is http or https: a base must be set")
                return nil
            }
            // Swagger: the default is the scheme of the document's URL.
            scheme = absolute("/")?.split(on: UInt8(ascii: ":")).first
        }
        if scheme == nil { warn(host, "the document has no \"schemes\": https is used") }
        let url: Bytes = "\(scheme ?? "https")://\(host.string)\(path == "/" ? "" : path)"
        do { _ = try Base(url) } catch {
            warn(host, "\(error.message); another base must be set")
            return nil
        }
        return url
    }

    private mutating func relativeBase(_ path: Bytes, _ root: TapeNode) -> Bytes? {
        absolute(path) ?? pathAlone(path, root)
    }

    // MARK: - Bodies

    /// Removes the parameters that are the body or the form from the lists, and reads them.
    mutating func readSwaggerBody(
        _ operation: inout OperationDescription, _ node: TapeNode, _ own: inout [TapeNode], _ shared: inout [TapeNode]
    ) throws(Failure) {
        var body: TapeNode?
        var fields: [TapeNode] = []
        var names = Set<Bytes>()
        func split(_ nodes: [TapeNode], _ reader: inout OpenAPIReader) throws(Failure) -> [TapeNode] {
            var rest: [TapeNode] = []
            for each in nodes {
                guard each.isObject, let resolved = try reader.resolve(each), let place = resolved.member("in") else {
                    rest.append(each)
                    continue
                }
                if place.equals("body") {
                    body = body ?? resolved
                } else if place.equals("formData") {
                    guard let name = resolved.member("name"), name.kind == .text, !name.string.isEmpty else {
                        throw reader.failure(resolved, "the parameter has no \"name\"")
                    }
                    if names.insert(name.string).inserted { fields.append(resolved) }
                } else {
                    rest.append(each)
                }
            }
            return rest
        }
        own = try split(own, &self)
        shared = try split(shared, &self)
        if let body, !fields.isEmpty {
            throw failure(body, "the operation has both a body parameter and parameters in formData")
        }
        if body == nil && fields.isEmpty { return }
        let consumed = try mediaTypes(node.member("consumes") ?? main.root.member("consumes"))
        if let body {
            try readBodyParameter(&operation, body, consumed.isEmpty ? ["application/json"] : consumed)
        } else {
            try readForm(&operation, fields, consumed)
        }
    }

    private mutating func readBodyParameter(
        _ operation: inout OperationDescription, _ node: TapeNode, _ consumed: [Bytes]
    ) throws(Failure) {
        operation.isBodyRequired = node.member("required")?.isTrue == true
        let schema = node.member("schema")
        var bodies: [BodyDescription] = []
        for mediaType in consumed {
            let form = BodyMedia(mediaType).form
            var body = BodyDescription(mediaType: mediaType, form: form, type: nil)
            if let schema, form != .bytes { body.type = try type(schema) }
            if form == .form || form == .multipart { body.parts = try parts(node, schema) }
            bodies.append(body)
        }
        operation.bodies = Self.ranked(bodies)
    }

    /// A file parameter makes the form multipart.
    private mutating func readForm(
        _ operation: inout OperationDescription, _ fields: [TapeNode], _ consumed: [Bytes]
    ) throws(Failure) {
        var parts: [PartDescription] = []
        var isMultipart = false
        operation.isBodyRequired = false
        for field in fields {
            if field.member("required")?.isTrue == true { operation.isBodyRequired = true }
            var part = PartDescription(name: field.member("name")?.string ?? Bytes())
            if field.member("type")?.equals("file") == true {
                part.isBinary = true
                isMultipart = true
            } else if field.member("type")?.equals("array") == true {
                part.style = swaggerStyle(field, .query, .array)
            } else {
                continue
            }
            parts.append(part)
        }
        var mediaTypes = consumed.filter {
            let form = BodyMedia($0).form
            return form == .multipart || form == .form && !isMultipart
        }
        if mediaTypes.isEmpty { mediaTypes = [isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"] }
        var bodies: [BodyDescription] = []
        let type = isMultipart ? nil : try formType(operation, fields)
        for mediaType in mediaTypes {
            var body = BodyDescription(mediaType: mediaType, form: BodyMedia(mediaType).form, type: nil)
            body.parts = parts
            if body.form == .form { body.type = type }
            bodies.append(body)
        }
        operation.bodies = Self.ranked(bodies)
    }

    private func mediaTypes(_ list: TapeNode?) throws(Failure) -> [Bytes] {
        guard let list else { return [] }
        guard list.kind == .array else { throw wrongKind(list, "a list of media types", "an array") }
        var result: [Bytes] = []
        var children = list.children
        while let child = children.read() {
            guard child.value.kind == .text, HeaderField.isValidValue(child.value.string), !child.value.string.isEmpty else {
                throw failure(child.value, "a media type such as \"application/json\" is expected")
            }
            if result.count == Self.mediaTypeLimit {
                throw failure(list, "more than \(Self.mediaTypeLimit) media types", .limit)
            }
            result.append(child.value.string)
        }
        return result
    }

    // MARK: - Results

    /// Sets the type of a response if `produces` may be JSON, and the media types.
    mutating func readSwaggerResult(
        _ result: inout ResultDescription, _ response: TapeNode, _ produces: TapeNode?
    ) throws(Failure) {
        guard let schema = response.member("schema") else { return }
        var isFile = schema.member("type")?.equals("file") == true
        if !isFile { isFile = try isBinary(schema) }
        if isFile {
            if result.lowest < 400 { result.produced = (try? mediaTypes(produces)) ?? [] }
            return
        }
        let produced = try mediaTypes(produces)
        let mayBeJSON = produced.isEmpty || produced.contains { BodyMedia($0).isJSON || BodyMedia($0).essence == "*/*" }
        if mayBeJSON {
            result.type = try type(schema)
            result.examples = examples(of: response)
        }
        result.isJSON = result.type != nil
        let isPlain = produced.count == 1 && produced.first == "application/json"
        if result.lowest < 400 && !isPlain { result.produced = produced }
    }

    // MARK: - Collection formats

    /// The equivalent style of OpenAPI; a plain text if there is none.
    mutating func swaggerStyle(
        _ node: TapeNode, _ location: ParameterLocation, _ shape: ParameterStyle.Shape
    ) -> ParameterStyle {
        let isQuery = location == .query
        let plain = ParameterStyle(isQuery ? .form : .simple, explode: false, shape: shape)
        guard shape == .array, let member = node.member("collectionFormat"), !member.equals("csv") else { return plain }
        if member.equals("multi") && isQuery { return ParameterStyle(.form, explode: true, shape: shape) }
        if member.equals("ssv") && isQuery { return ParameterStyle(.spaceDelimited, explode: false, shape: shape) }
        if member.equals("pipes") && isQuery { return ParameterStyle(.pipeDelimited, explode: false, shape: shape) }
        let formats: [Bytes] = ["csv", "multi", "pipes", "ssv", "tsv"]
        guard formats.contains(member.string), !member.equals("multi") else {
            let reason = Failure.unknownName(
                .document, "there is no collectionFormat", member.string, among: formats.filter { isQuery || $0 != "multi" })
            warn(member, "\(reason.message); csv is used")
            return plain
        }
        warn(member, "the collectionFormat \"\(member.string)\" is not supported here: pass the value as one string")
        return ParameterStyle(.text)
    }
}

// MARK: - Forms

/// The schemas that are equivalent to the forms of Swagger 2.0: written while the operations are read, and then parsed to a separate tape
/// in which their pointers are those of the parameters.
struct SwaggerForms {
    fileprivate var writer = JSONWriter()
    fileprivate var path: Bytes?
    /// Paths and methods; the second occurrence of a key has no type.
    fileprivate var seen = Set<Bytes>()
    /// The numbers of the types, in the order of the tape.
    fileprivate var types: [Int] = []
}

extension OpenAPIReader {
    private static let schemaKeys: [StaticString] = [
        "type", "format", "items", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems",
    ]

    private mutating func formType(_ operation: OperationDescription, _ fields: [TapeNode]) throws(Failure) -> Int? {
        let path = operation.path
        let method = operation.method.lowercased
        if forms.path != path {
            guard forms.seen.insert(path).inserted else { return nil }
            if forms.path == nil { forms.writer.open("{") } else { forms.writer.close("}") }
            forms.writer.key(of: path)
            forms.writer.open("{")
            forms.path = path
        }
        guard forms.seen.insert("\(path) \(method)").inserted else { return nil }
        forms.writer.key(of: method)
        forms.writer.open("{")
        forms.writer.key("parameters")
        forms.writer.open("{")
        forms.writer.key("type")
        forms.writer.string("object")
        forms.writer.key("required")
        forms.writer.open("[")
        for field in fields where field.member("required")?.isTrue == true {
            forms.writer.string(field.member("name")?.string ?? Bytes())
        }
        forms.writer.close("]")
        forms.writer.key("properties")
        forms.writer.open("{")
        for field in fields {
            let tape = tape(of: field)
            forms.writer.key(of: field.member("name")?.string ?? Bytes())
            forms.writer.open("{")
            for key in Self.schemaKeys {
                guard let value = field.member(key) else { continue }
                forms.writer.key(key)
                forms.writer.raw(Bytes(UnsafeRawBufferPointer(rebasing: tape.text.buffer[tape.range(of: value)])))
            }
            forms.writer.close("}")
            if forms.writer.text.count > choices.limit {
                throw failure(field, "the formData schemas of the document are over \(choices.limit) bytes", .limit)
            }
        }
        forms.writer.close("}")
        forms.writer.close("}")
        forms.writer.close("}")
        forms.types.append(places.count)
        places.append(SchemaPlace(tape: tapes.count, word: 0))
        return places.count &- 1
    }

    /// Appends the tape of the forms.
    mutating func finishForms() throws(Failure) {
        if forms.path == nil { return }
        forms.writer.close("}")
        forms.writer.close("}")
        let text: Bytes = "{\"paths\":\(forms.writer.text)}"
        let tape: JSONTape
        do throws(Failure) {
            tape = try text.withBuffer { (buffer) throws(Failure) in try JSONTape.read(buffer, uri: main.uri) }
        } catch {
            throw Failure(.limit, "a parameter in formData is nested too deeply")
        }
        var index = 0
        var items = tape.root.member("paths")?.children
        while let item = items?.read() {
            var operations = item.value.children
            while let operation = operations.read(), forms.types.indices.contains(index) {
                let type = forms.types[index]
                if let schema = operation.value.member("parameters"), places.indices.contains(type) {
                    places[type] = SchemaPlace(tape: tapes.count, word: schema.index)
                }
                index &+= 1
            }
        }
        tapes.append(tape)
        forms = SwaggerForms()
    }
}
