// Converts OpenAPI to a route document: operations by their operationId, which ImportedResources then moves into resources.

import RoutableCore
import RoutableDocuments
import RoutableJSON

struct OpenAPIImport {
    private let document: Value
    let source: RouterDescription
    private let codec: any BodyCodec
    var remarks = Remarks()
    /// Whether all operations become standalone operations.
    var isFlat = false
    var result = RouterDescription()
    private var schemas: SchemaConversion
    private var typeIndexes: [Bytes: Int] = [:]
    private var names: Set<Bytes> = []
    /// The names of the operations by their method and path.
    private var paths: [Bytes: Bytes] = [:]
    /// The names of the operations in the result by their operationId.
    var renamed: [Bytes: Bytes] = [:]
    /// The index of each scheme of the document in the result; nil for a scheme that a route document cannot express.
    private var schemes: [Int?] = []

    /// - Parameter text: An OpenAPI document as JSON.
    init(_ text: Bytes, _ choices: OpenAPIDocument.Choices) throws(Failure) {
        let read = try text.withBuffer { (buffer) throws(Failure) in
            do throws(Failure) { return try OpenAPIDocument.read(buffer, choices) } catch {
                throw RouteDocument.locate(error, in: buffer)
            }
        }
        source = read.description
        codec = read.codec
        // With overlays, the text after they are applied.
        document = try Value.read(source.source?.bytes ?? text)
        let isSwagger = document.member("swagger") != nil && document.member("openapi") == nil
        schemas = SchemaConversion(from: isSwagger ? "#/definitions/" : "#/components/schemas/", to: "#/types/")
        schemas.is30 = isSwagger || document.member("openapi")?.text?.hasPrefix("3.0") == true
        schemas.names = Set(source.types.map { $0.name })
    }

    /// The route document.
    mutating func run() throws(Failure) -> Bytes {
        result.name = source.name
        result.summary = source.summary
        result.base = source.base
        result.userData = Self.userData(source.userData)
        result.rules = source.rules
        // The default encoding of OpenAPI: `a=1&a=2`, `true`, and escapes for all bytes that are not unreserved.
        result.encoding.arrays = .none
        result.encoding.booleans = .literal
        result.encoding.escape = .unreserved
        for type in source.types {
            typeIndexes[type.name] = result.types.count
            let place: Bytes = "\(schemas.from)\(type.name.pointerEscaped)"
            let schema = try Value.read(type.slice.map { Bytes($0.buffer) } ?? type.schema)
            result.types.append(
                TypeDescription(name: type.name, schema: try schemas.converted(schema, place, &remarks).json))
        }
        addSchemes()
        for operation in source.operations { try add(operation) }
        for index in result.authSchemes.indices where !result.authSchemes[index].refresh.isEmpty {
            let operation = result.authSchemes[index].refresh
            result.authSchemes[index].refresh = renamed[operation] ?? Bytes()
            if renamed[operation] == nil {
                remarks.add(schemePlace(result.authSchemes[index].name), "its refresh by the operation \(operation.printable)")
            }
        }
        sayWhatIsForPeople(document)
        for warning in source.warnings { remarks.add("openapi", warning) }
        return try arranged(try settled())
    }

    /// The user data without the x-routable keys, which have other keys in a route document.
    private static func userData(_ data: [UserData]) -> [UserData] { data.filter { !$0.key.hasPrefix("x-routable") } }

    // MARK: Auth

    private func schemePlace(_ name: Bytes) -> Bytes {
        document.member("openapi") == nil
            ? "#/securityDefinitions/\(name.pointerEscaped)" : "#/components/securitySchemes/\(name.pointerEscaped)"
    }

    private mutating func addSchemes() {
        for scheme in source.authSchemes {
            if scheme.kind == .certificate {
                schemes.append(nil)
                remarks.add(schemePlace(scheme.name), "a TLS certificate is an option of the client: no operation requires it")
                continue
            }
            if scheme.kind == .custom {
                remarks.add(schemePlace(scheme.name), "the scheme becomes \"custom\", for which the program needs a function")
            }
            schemes.append(result.authSchemes.count)
            result.authSchemes.append(scheme)
        }
        // The security requirement of the document becomes the default, if a scheme can express it.
        if let only = source.auth?.alternatives, only.count == 1, only[0].count == 1, let index = schemes[only[0][0]] {
            result.authSchemes[index].isDefault = true
        }
        for (index, scheme) in source.authSchemes.enumerated() where scheme.kind == .oauth2 && schemes[index] != nil {
            remarks.add(schemePlace(scheme.name), "scopes: only the URLs and the credential are used")
        }
    }

    /// The requirement of an operation; nil if it equals the default.
    private func requirement(_ own: AuthRequirement?) -> AuthRequirement? {
        guard let needed = own ?? source.auth else { return nil }
        if own == nil && result.authSchemes.contains(where: { $0.isDefault }) { return nil }
        var alternatives: [[Int]] = []
        for set in needed.alternatives {
            let made = set.compactMap { schemes.indices.contains($0) ? schemes[$0] : nil }
            if !alternatives.contains(made) { alternatives.append(made) }
        }
        return AuthRequirement(alternatives)
    }

    /// Whether the parameter is the key of a scheme.  The reader also makes a parameter of it; here only the scheme is kept.
    private func isKey(_ given: ParameterDescription) -> Bool {
        source.authSchemes.contains {
            $0.kind == .key && $0.parameter == given.name && $0.location == given.location
                && given.summary == OpenAPIDocument.summary(ofKey: $0.name)
        }
    }

    // MARK: Operations

    private mutating func add(_ operation: OperationDescription) throws(Failure) {
        let place: Bytes = "\(operation.method) \(operation.path)"
        guard let template = template(operation) else {
            return remarks.add(place, "the operation \"\(operation.name.printable)\": its path cannot be written as a template")
        }
        // Two paths that differ only in their fragments.
        if let other = paths["\(operation.method) \(template)"] {
            return remarks.add(
                place, "the operation \"\(operation.name.printable)\": \"\(other.printable)\" has the same method and path")
        }
        paths["\(operation.method) \(template)"] = operation.name
        if template == "/" { remarks.add(place, "its slash: the URL is the base") }
        var made = OperationDescription(
            name: name(operation), method: operation.method, path: template, place: .root)
        renamed[operation.name] = made.name
        made.rules = operation.rules
        made.auth = requirement(operation.auth)
        made.summary = operation.summary
        made.userData = Self.userData(operation.userData)
        made.isShadowingAllowed = !operation.ids.isEmpty
        if let base = operation.base, base != source.base {
            remarks.add(place, "its own base \(base.printable): the base of the document or of the call is used")
        }
        made.ids = operation.ids.map { parameter($0, place) }
        made.query = operation.query.filter { !isKey($0) }.compactMap { query($0, place) }
        made.headers = operation.headers.filter { !isKey($0) }.map { parameter($0, place) }
        made.cookies = operation.cookies.filter { !isKey($0) }.map { parameter($0, place) }
        let raw = rawOperation(operation)
        try addBody(&made, operation, raw, place)
        try addResults(&made, operation, place)
        if let accept = operation.accept, accept != made.accept {
            // A route document has no media types of results: they become an Accept header with a default.
            var header = ParameterDescription(name: "Accept", location: .header)
            header.defaultValue = .text(accept)
            made.headers.append(header)
        }
        if made.bodyForm == .form {
            // A form is encoded as in browsers; parameters in the query keep their encoding.
            for index in made.query.indices where made.query[index].isArray && made.query[index].encoding == nil {
                made.query[index].encoding = result.encoding
            }
            var encoding = result.encoding
            encoding.order = .given
            encoding.escape = .whatwg
            made.encoding = encoding
        }
        result.operations.append(made)
    }

    /// The name of a standalone operation in a route document; dots are replaced, because they separate resources in routes.
    private mutating func name(_ operation: OperationDescription) -> Bytes {
        var name = Bytes(operation.name.storage.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 })
        var number = 2
        let first = name
        while !names.insert(name).inserted {
            name = "\(first)_\(number)"
            number += 1
        }
        return name
    }

    /// The path in the syntax of a route document; nil if the path would have another meaning there.
    private func template(_ operation: OperationDescription) -> Bytes? {
        guard let parsed = operation.template, !operation.isUnmatched else { return nil }
        var path = Self.path(parsed.segments[...])
        if parsed.hasTrailingSlash || path.isEmpty { path.append("/") }
        guard let read = try? Template(path), read.segments == parsed.segments else { return nil }
        return path
    }

    static func path(_ segments: ArraySlice<Template.Segment>) -> Bytes {
        var path = Bytes()
        for segment in segments {
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
                place,
                "the style \(Bytes(stringLiteral: style.name)) of \(given.name.printable): the value is a string in that style")
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
            // A pattern of JSON Schema can match any part of a value; one of a route document must match the whole value.
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
            if given.kind != .integer { remarks.add(place, "the rule that a bound of \(name.printable) is exclusive") }
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
        made.bodyForm = first.form
        switch first.form {
        case .json, .form: made.bodyType = try first.type.map { index throws(Failure) in try type(index, place) }
        case .multipart where first.mediaType.lowercased.hasPrefix("multipart/form-data"):
            // A file is not a value that a type can describe.
            let content = resolved(raw.member("requestBody"))?.member("content")
            if first.parts.contains(where: \.isBinary) {
                remarks.add(place, "the type of a multipart body with files")
            } else if let schema = content?.member(first.mediaType)?.member("schema") {
                made.bodyType = try type(schema, place)
            } else if let index = first.type {
                made.bodyType = try type(index, place)
            }
        case .multipart:
            made.bodyForm = .bytes
            remarks.add(place, "\(first.mediaType.printable): the body is bytes, and the caller sets the content type")
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
        _ made: inout OperationDescription, _ operation: OperationDescription, _ place: Bytes
    ) throws(Failure) {
        for given in operation.results {
            if !given.otherMediaTypes.isEmpty {
                remarks.count("other media types of results: only JSON has a type")
            }
            let type = try given.type.map { index throws(Failure) in try self.type(index, place) }
            if !given.isError {
                made.results.append(
                    ResultDescription(lowest: given.lowest, highest: given.highest, type: type, isEmpty: given.isEmpty))
                continue
            }
            guard let type else { continue }
            // The default of OpenAPI also applies to errors, which become the ranges 4XX and 5XX.
            let ranges = given.highest == 999 ? [(400, 499), (500, 599)] : [(given.lowest, given.highest)]
            for (lowest, highest) in ranges
            where !operation.results.contains(where: { $0.lowest == lowest && $0.highest == highest && given.highest == 999 }) {
                var error = ResultDescription(lowest: lowest, highest: highest, type: type)
                error.isError = true
                made.results.append(error)
            }
        }
        // A result that is equal to the default is omitted.
        let successes = made.results.filter { !$0.isError }
        if successes.count == 1, let only = successes.first, only.lowest == 200, only.highest == 299, only.type == nil {
            made.results.removeAll { !$0.isError }
        }
    }

    /// The index in the result of a type of the document.
    private mutating func type(_ index: Int, _ place: Bytes) throws(Failure) -> Int {
        if source.types.indices.contains(index), let known = typeIndexes[source.types[index].name] { return known }
        guard let text = codec.schema(of: index) else { throw Failure(.internal, "a schema is missing") }
        return try type(try Value.read(text), place)
    }

    /// The value after its references are followed.
    private func resolved(_ value: Value?) -> Value? {
        var current = value
        for _ in 0..<64 {
            guard let text = current?.member("$ref")?.text, text.hasPrefix("#") else { return current }
            current = document.found(Bytes(text.storage.dropFirst()))
        }
        return nil
    }

    /// A named type, or an inline type that is added to the types.
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
}
