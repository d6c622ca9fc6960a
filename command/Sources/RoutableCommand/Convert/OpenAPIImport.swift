// Converts OpenAPI to a route document: each operation becomes a standalone operation of the same name.

import RoutableCore
import RoutableDocuments
import RoutableJSON

struct OpenAPIImport {
    private let document: Value
    private let source: RouterDescription
    private(set) var remarks = Remarks()
    private var result = RouterDescription()
    private var schemas: SchemaConversion
    private var typeIndexes: [Bytes: Int] = [:]
    private var names: Set<Bytes> = []
    private var typedErrors = 0

    /// - Parameter text: an OpenAPI document as JSON.
    init(_ text: Bytes, base: Bytes?) throws(Failure) {
        var choices = OpenAPIDocument.Choices()
        choices.base = base
        source = try text.withBuffer { (buffer) throws(Failure) in
            do throws(Failure) { return try OpenAPIDocument.read(buffer, choices).description } catch {
                throw RouteDocument.locate(error, in: buffer)
            }
        }
        document = try Value.read(text)
        schemas = SchemaConversion(from: "#/components/schemas/", to: "#/types/")
        schemas.is30 = document.member("openapi")?.text?.hasPrefix("3.0") == true
        schemas.names = Set(source.types.map { $0.name })
    }

    /// The route document.
    mutating func run() throws(Failure) -> Bytes {
        result.name = source.name
        result.summary = source.summary
        result.base = source.base
        result.userData = source.userData
        // What OpenAPI's own rules write: `a=1&a=2`, `true`, and nothing bare but what is unreserved.
        result.encoding.arrays = .none
        result.encoding.booleans = .literal
        result.encoding.escape = .unreserved
        for type in document.member("components")?.member("schemas")?.members ?? [] {
            typeIndexes[type.name] = result.types.count
            let place: Bytes = "#/components/schemas/\(type.name.pointerEscaped)"
            result.types.append(
                TypeDescription(name: type.name, schema: try schemas.converted(type.value, place, &remarks).json))
        }
        for operation in source.operations { try add(operation) }
        for key in ["callbacks", "webhooks"] as [Bytes] where document.member(key) != nil {
            remarks.add("#/\(key)", "it is about calls of the service")
        }
        if typedErrors > 0 { remarks.add("#/paths", "the types of the bodies of \(typedErrors) errors") }
        for warning in source.warnings { remarks.add("openapi", warning) }
        return try settled()
    }

    // MARK: Operations

    private mutating func add(_ operation: OperationDescription) throws(Failure) {
        let place: Bytes = "\(operation.method) \(operation.path)"
        guard let template = template(operation) else {
            return remarks.add(place, "the operation \"\(operation.name.printable)\": its path cannot be written as a template")
        }
        if template == "/" { remarks.add(place, "its slash: the URL is that of the base") }
        var made = OperationDescription(
            name: name(operation, place), method: operation.method, path: template, place: .root)
        made.summary = operation.summary
        made.userData = operation.userData
        made.isShadowingAllowed = !operation.ids.isEmpty
        if let base = operation.base, base != source.base {
            remarks.add(place, "its own base \(base.printable): the document's is used, or that of a call")
        }
        made.ids = operation.ids.map { parameter($0, place) }
        made.query = operation.query.compactMap { query($0, place) }
        made.headers = operation.headers.map { parameter($0, place) }
        made.cookies = operation.cookies.map { parameter($0, place) }
        let raw = rawOperation(operation)
        try addBody(&made, operation, raw, place)
        try addResults(&made, operation, raw, place)
        result.operations.append(made)
    }

    /// Of a route document standalone operations have no dots: those join routes.
    private mutating func name(_ operation: OperationDescription, _ place: Bytes) -> Bytes {
        var name = Bytes(operation.name.storage.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 })
        var number = 2
        let first = name
        while !names.insert(name).inserted {
            name = "\(first)_\(number)"
            number += 1
        }
        if name != operation.name {
            remarks.add(place, "the operationId \"\(operation.name.printable)\" has a dot: it is \"\(name.printable)\"")
        }
        return name
    }

    /// The path as a route document writes it; nil where that means something else.
    private func template(_ operation: OperationDescription) -> Bytes? {
        guard let parsed = operation.template, !operation.isUnmatched else { return nil }
        var path = Bytes()
        for segment in parsed.segments {
            path.append("/")
            for piece in segment.pieces {
                switch piece {
                case .literal(let literal):
                    for byte in literal.storage {
                        path.append(byte)
                        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { path.append(byte) }
                    }
                case .parameter(let name): path.append("{\(name)}")
                case .catchAll(let name): path.append("{\(name)*}")
                }
            }
        }
        if parsed.hasTrailingSlash || path.isEmpty { path.append("/") }
        guard let read = try? Template(path), read.segments == parsed.segments else { return nil }
        return path
    }

    private func rawOperation(_ operation: OperationDescription) -> Value {
        guard let slice = operation.source, let value = try? Value.read(Bytes(slice.buffer)) else { return .null }
        return value
    }

    // MARK: Parameters

    private mutating func parameter(_ given: ParameterDescription, _ place: Bytes) -> ParameterDescription {
        var made = ParameterDescription(name: given.name, location: given.location, isRequired: given.isRequired)
        made.summary = given.summary
        made.scalar = scalar(given.scalar, given.name, place)
        if let style = given.style {
            remarks.add(
                place, "the style \(Bytes(stringLiteral: style.name)) of \(given.name.printable): its value is a text in that form")
            made.scalar = Scalar()
        }
        return made
    }

    private mutating func query(_ given: ParameterDescription, _ place: Bytes) -> ParameterDescription? {
        guard let style = given.style else { return parameter(given, place) }
        guard style.kind == .form, style.shape == .array, !style.allowReserved else {
            let isText = style.shape == .scalar || style.kind == .json || style.kind == .text
            if isText { return parameter(given, place) }
            remarks.add(place, "the query parameter \(given.name.printable), of style \(Bytes(stringLiteral: style.name))")
            return nil
        }
        var made = ParameterDescription(name: given.name, location: .query, isRequired: given.isRequired)
        made.summary = given.summary
        made.isArray = true
        made.scalar = scalar(given.scalar, given.name, place)
        if !style.explode {
            var encoding = result.encoding
            encoding.arrays = .comma
            made.encoding = encoding
        }
        return made
    }

    private mutating func scalar(_ given: Scalar, _ name: Bytes, _ place: Bytes) -> Scalar {
        var made = given
        if let pattern = given.pattern {
            // A pattern of JSON Schema may match any part of a value, one of a route document matches the whole.
            made.pattern = try? Pattern.compile("[\\s\\S]*(?:\(pattern.source))[\\s\\S]*")
            if made.pattern == nil { remarks.add(place, "the pattern of \(name.printable)") }
        }
        made.multipleOf = nil
        if given.multipleOf != nil { remarks.add(place, "multipleOf of \(name.printable)") }
        if given.excludesMinimum || given.excludesMaximum {
            var open = Scalar(given.kind)
            open.format = made.format
            open.pattern = made.pattern
            open.values = made.values
            open.minimum = given.minimum.map { given.excludesMinimum && given.kind == .integer ? $0.rounded(.down) + 1 : $0 }
            open.maximum = given.maximum.map { given.excludesMaximum && given.kind == .integer ? $0.rounded(.up) - 1 : $0 }
            if given.kind != .integer { remarks.add(place, "that a bound of \(name.printable) is exclusive") }
            made = open
        }
        return made
    }

    // MARK: Bodies

    private mutating func addBody(
        _ made: inout OperationDescription, _ operation: OperationDescription, _ raw: Value, _ place: Bytes
    ) throws(Failure) {
        made.isBodyRequired = operation.isBodyRequired
        guard let first = operation.bodies.first else { return }
        let content = resolved(raw.member("requestBody"))?.member("content")
        made.bodyForm = first.form
        switch first.form {
        case .json, .form:
            if let schema = content?.member(first.mediaType)?.member("schema") { made.bodyType = try type(schema, place) }
        case .multipart where first.mediaType.lowercased.hasPrefix("multipart/form-data"):
            // A file is no value that a type could hold.
            if first.parts.contains(where: \.isBinary) {
                remarks.add(place, "the type of a multipart body with files")
            } else if let schema = content?.member(first.mediaType)?.member("schema") {
                made.bodyType = try type(schema, place)
            }
        case .multipart:
            made.bodyForm = .bytes
            remarks.add(place, "\(first.mediaType.printable): the body is bytes, with a content type of the caller's")
        case .bytes: break
        }
        if operation.bodies.count > 1 {
            let others = operation.bodies.dropFirst().map { $0.mediaType.printable }
            remarks.add(place, "further media types of the body: \(Array(others))")
        }
        let isMultipart = first.form == .multipart
        if first.form == .form || isMultipart,
            first.parts.contains(where: { $0.style != nil || isMultipart && !$0.contentType.isEmpty && !$0.isBinary })
        {
            remarks.add(place, "the encoding of single properties of the form")
        }
    }

    private mutating func addResults(
        _ made: inout OperationDescription, _ operation: OperationDescription, _ raw: Value, _ place: Bytes
    ) throws(Failure) {
        for given in operation.results {
            if given.isError {
                if given.type != nil { typedErrors += 1 }
                continue
            }
            var type: Int?
            if given.type != nil, let schema = schema(of: given, raw) { type = try self.type(schema, place) }
            made.results.append(ResultDescription(lowest: given.lowest, highest: given.highest, type: type, isEmpty: given.isEmpty))
        }
        // One that says no more than the default does.
        if made.results.count == 1, let only = made.results.first, only.lowest == 200, only.highest == 299, only.type == nil {
            made.results = []
        }
    }

    private func schema(of result: ResultDescription, _ raw: Value) -> Value? {
        let responses = raw.member("responses")
        let status: Bytes = "\(result.lowest)"
        let range: Bytes = "\(result.lowest / 100)XX"
        let response = result.lowest == result.highest
            ? responses?.member(status)
            : responses?.member(range) ?? responses?.member(range.lowercased) ?? responses?.member("default")
        let content = resolved(response)?.member("content")?.members ?? []
        let json = content.first { isJSON($0.name) } ?? content.first { $0.name == "*/*" }
        return json?.value.member("schema")
    }

    private func isJSON(_ mediaType: Bytes) -> Bool {
        let essence = (mediaType.split(on: UInt8(ascii: ";")).first ?? Bytes()).lowercased
        return essence == "application/json" || essence.hasSuffix("+json") || essence.hasSuffix("/json")
    }

    /// What references in a row lead to.
    private func resolved(_ value: Value?) -> Value? {
        var current = value
        for _ in 0..<64 {
            guard let text = current?.member("$ref")?.text, text.hasPrefix("#") else { return current }
            current = document.found(Bytes(text.storage.dropFirst()))
        }
        return nil
    }

    /// A named type, or an inline one that joins the types.
    private mutating func type(_ schema: Value, _ place: Bytes) throws(Failure) -> Int {
        let converted = schemas.converted(schema, place, &remarks)
        if case .object(let members) = converted, members.count == 1, let text = converted.member("$ref")?.text,
            text.hasPrefix("#/types/"), let known = typeIndexes[JSONPointer.unescaped(Bytes(text.storage[8...]))]
        {
            return known
        }
        result.types.append(TypeDescription(name: "", schema: try converted.json))
        return result.types.count - 1
    }

    // MARK: What a route document refuses

    /// Routes that cannot be told apart get an order, and what is refused is left out.
    private mutating func settled() throws(Failure) -> Bytes {
        var demoted: [Bytes: Int] = [:]
        var edited = EditedText(RouteDocument.write(result))
        for _ in 0..<(4 * result.operations.count + 400) {
            do throws(Failure) {
                _ = try SourceText.open(edited.text, base: nil)
                return try edited.text.withBuffer { (buffer) throws(Failure) in
                    RouteDocument.write(try RouteDocument.read(buffer, limit: Limits.documentBytes))
                }
            } catch {
                let pointer = error.fields.pointer ?? Bytes()
                let name = pointer.hasPrefix("/operations/") ? JSONPointer.tokens(pointer)[1] : Bytes()
                if error.status == .conflict, let index = result.operations.firstIndex(where: { $0.name == name }) {
                    let isSame = error.message.range(of: "same method and path") != nil
                    if isSame || demoted[name] ?? 0 >= 3 {
                        remarks.add("\(result.operations[index].method) \(result.operations[index].path)", error.message)
                        result.operations.remove(at: index)
                    } else {
                        demoted[name, default: 0] += 1
                        result.operations[index].priority -= 1
                    }
                    edited = EditedText(RouteDocument.write(result))
                    continue
                }
                guard error.status != .json, let offset = error.fields.offset,
                    let range = JSONPlaces(edited.text).range(ofItemAt: offset)
                else { throw error }
                remarks.add(pointer, error.message)
                edited.blank(range)
            }
        }
        throw Failure(.limit, "the routes of the document cannot be told apart")
    }
}
