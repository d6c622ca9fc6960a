// Reads request bodies, responses, and the parameters of security schemes.

internal import RoutableCore
internal import RoutableJSON

/// The kinds of media types that the library distinguishes.
struct BodyMedia {
    let essence: Bytes

    init(_ mediaType: Bytes) {
        let first = mediaType.split(on: UInt8(ascii: ";")).first ?? Bytes()
        essence = Bytes(first.storage.filter { $0 != 0x20 && $0 != 0x09 }).lowercased
    }

    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") || essence.hasSuffix("/json") }
    var isRange: Bool { essence.storage.contains(UInt8(ascii: "*")) }

    var form: OperationDescription.BodyForm {
        if isJSON || essence == "*/*" || essence == "application/*" { return .json }
        if essence == "application/x-www-form-urlencoded" { return .form }
        if essence.hasPrefix("multipart/") { return .multipart }
        return .bytes
    }

    /// The order of preference if a call does not select a media type: the lowest rank is used.
    var rank: Int {
        if isRange { return 4 }
        switch form {
        case .json: return essence == "application/json" ? 0 : 1
        case .form: return 2
        case .multipart: return 3
        case .bytes: return 5
        }
    }
}

extension OpenAPIReader {
    mutating func readBody(_ operation: inout OperationDescription, _ reference: TapeNode) throws(Failure) {
        guard reference.isObject else { throw wrongKind(reference, "\"requestBody\"", "an object") }
        guard let node = try resolve(reference), node.isObject else { return }
        warnOfUnknownMembers(node, .requestBody)
        operation.isBodyRequired = node.member("required")?.isTrue == true
        guard let content = try followed(node.member("content")) else { return }
        guard content.isObject else { throw wrongKind(content, "\"content\"", "an object") }
        var bodies: [BodyDescription] = []
        var children = content.children
        while let child = children.read() {
            let mediaType = child.name
            if !HeaderField.isValidValue(mediaType) || mediaType.isEmpty {
                warn(child.value, "the media type is not valid and is ignored")
                continue
            }
            let media = BodyMedia(mediaType)
            var body = BodyDescription(mediaType: mediaType, form: media.form, type: nil)
            if child.value.isObject, let resolved = try resolve(child.value) {
                warnOfUnknownMembers(resolved, .mediaType)
                if let schema = resolved.member("schema") {
                    if media.form != .bytes { body.type = try type(schema) }
                    if media.form == .form || media.form == .multipart { body.parts = try parts(resolved, schema) }
                } else if media.form == .form || media.form == .multipart {
                    body.parts = try parts(resolved, nil)
                }
            }
            bodies.append(body)
        }
        operation.bodies = Self.ranked(bodies)
    }

    /// The bodies, preferred first; the order is stable, so that the order of the document decides between equal ranks.
    static func ranked(_ bodies: [BodyDescription]) -> [BodyDescription] {
        var result: [(rank: Int, body: BodyDescription)] = []
        for body in bodies {
            let rank = BodyMedia(body.mediaType).rank
            result.insert((rank, body), at: result.firstIndex { $0.rank > rank } ?? result.count)
        }
        return result.map { $0.body }
    }

    /// The descriptions of the parts of a form: binary properties, and properties with an encoding.
    mutating func parts(_ media: TapeNode, _ schema: TapeNode?) throws(Failure) -> [PartDescription] {
        var result: [PartDescription] = []
        if let schema, let node = try resolve(schema, isSchema: true), let properties = node.member("properties") {
            var children = properties.children
            while let child = children.read() {
                guard var property = try resolve(child.value, isSchema: true) else { continue }
                if let items = property.member("items"), let inner = try resolve(items, isSchema: true) { property = inner }
                let isBinary =
                    property.member("format")?.equals("binary") == true
                    || property.member("contentMediaType") != nil && property.member("contentEncoding") == nil
                if !isBinary { continue }
                if result.count > Self.listLimit {
                    throw failure(properties, "more than \(Self.listLimit) binary properties", .limit)
                }
                var part = PartDescription(name: child.name)
                part.isBinary = true
                part.contentType = property.member("contentMediaType")?.string ?? Bytes()
                result.append(part)
            }
        }
        guard let encoding = try followed(media.member("encoding")), encoding.isObject else { return result }
        var children = encoding.children
        while let child = children.read() {
            if result.count > Self.listLimit {
                throw failure(encoding, "more than \(Self.listLimit) properties with an encoding", .limit)
            }
            let name = child.name
            warnOfUnknownMembers(child.value, .encoding)
            let index = result.firstIndex { $0.name == name } ?? result.count
            if index == result.count { result.append(PartDescription(name: name)) }
            if let type = child.value.member("contentType") {
                result[index].contentType = type.string  // proof: appended above if it did not exist.
                let media = BodyMedia(type.string)
                if media.essence == "application/octet-stream" || media.essence.hasPrefix("image/") {
                    result[index].isBinary = true
                }
            }
            if let headers = child.value.member("headers"), headers.isObject {
                result[index].headers = try self.headers(headers)
            }
            let explode = child.value.member("explode")
            if child.value.member("style") != nil || explode != nil || child.value.member("allowReserved") != nil {
                var style = ParameterStyle(ParameterStyle.named(child.value.member("style")?.string ?? "form") ?? .form)
                if !ParameterStyle.isAllowed(style.kind, in: .query) { style.kind = .form }
                if let explode { style.explode = explode.isTrue }
                style.allowReserved = child.value.member("allowReserved")?.isTrue == true
                if style.kind == .deepObject { style.explode = true }
                result[index].style = style
            }
        }
        return result
    }

    /// The headers of a part whose schemas have a single value; for other headers, a call provides the values.
    private mutating func headers(_ node: TapeNode) throws(Failure) -> [HeaderField] {
        var result: [HeaderField] = []
        var children = node.children
        while let child = children.read() {
            let name = child.name
            guard result.count < 64, let header = try resolve(child.value), let schema = header.member("schema"),
                let found = try resolve(schema, isSchema: true)
            else { continue }
            var value = found.member("const") ?? found.member("default")
            if value == nil, let values = found.member("enum"), values.kind == .array {
                var elements = values.children
                let first = elements.read()?.value
                if elements.read() == nil { value = first }
            }
            guard let value else { continue }
            let text =
                value.kind == .number ? value.digits : value.kind == .boolean ? (value.isTrue ? "true" : "false") : value.string
            do { result.append(try HeaderField.checked(name, text)) } catch {
                warn(child.value, "\(error.message); the header is ignored")
            }
        }
        return result
    }

    // MARK: - Responses

    /// - Parameter produces: The media types in Swagger 2.0.
    mutating func readResponses(
        _ operation: inout OperationDescription, _ node: TapeNode, produces: TapeNode? = nil
    ) throws(Failure) {
        guard node.isObject else { throw wrongKind(node, "\"responses\"", "an object") }
        var fallback: ResultDescription?
        var hasSuccess = false
        var children = node.children
        while let child = children.read() {
            let raw = child.key.rawText
            if raw.count > 2, raw[0] == UInt8(ascii: "x"), raw[1] == UInt8(ascii: "-") { continue }
            let key = child.name
            guard child.value.isObject else { throw wrongKind(child.value, "a response", "an object") }
            guard let (lowest, highest) = Self.statuses(key) else {
                warn(child.value, "\"\(key.printable)\" is not a status: 200, 2XX or default is expected")
                continue
            }
            guard let response = try resolve(child.value) else { continue }
            warnOfUnknownMembers(response, .response)
            var result = ResultDescription(lowest: lowest, highest: highest, type: nil)
            if isSwagger {
                try readSwaggerResult(&result, response, produces)
            } else {
                try readResult(&result, response)
            }
            if highest == 999 {
                fallback = result
                continue
            }
            result.isError = lowest >= 400
            result.hasNoContent = response.member(isSwagger ? "schema" : "content") == nil
            if lowest >= 200 && lowest < 300 { hasSuccess = true }
            operation.results.append(result)
        }
        if let fallback {
            // The default response is a success if no other success is declared, and always describes errors.
            if !hasSuccess {
                var success = fallback
                (success.lowest, success.highest) = (200, 299)
                success.isImplied = true
                operation.results.append(success)
            }
            var errors = fallback
            errors.lowest = 300
            errors.isError = true
            operation.results.append(errors)
        }
        // An undeclared success has no typed body.
        if !operation.results.contains(where: { $0.lowest == 200 && $0.highest == 299 }) {
            var other = ResultDescription(lowest: 200, highest: 299, type: nil)
            other.isUndeclared = hasSuccess
            other.isImplied = true
            operation.results.append(other)
        }
    }

    private mutating func readResult(_ result: inout ResultDescription, _ response: TapeNode) throws(Failure) {
        guard let content = try followed(response.member("content")), content.isObject else { return }
        var range: TapeNode?
        var isTyped = false
        var children = content.children
        while let child = children.read() {
            let media = BodyMedia(child.name)
            let resolved = child.value.isObject ? try resolve(child.value) : nil
            if let resolved { warnOfUnknownMembers(resolved, .mediaType) }
            var schema = resolved?.member("schema")
            // A binary body is not JSON, even if the media type is that of JSON.
            let isBinary = try self.isBinary(schema)
            if isBinary { schema = nil }
            if media.isJSON && !isBinary { result.isJSON = true }
            if result.contents.count < 64 {
                var own: Int?
                if let schema, media.form == .json { own = try type(schema) }
                result.contents.append(ResultContent(mediaType: child.name, type: own))
            }
            if let schema, media.isJSON {
                if !isTyped {
                    result.type = try type(schema)
                    result.examples = examples(of: resolved)
                }
                isTyped = true
            } else if media.essence == "*/*" {
                range = range ?? schema
            } else if !media.isJSON && result.otherMediaTypes.count < 64 {
                result.otherMediaTypes.append(media.essence)
            }
        }
        if !isTyped, let range { result.type = try type(range) }
    }

    /// The place of the examples of a media type or a response; nil for none.
    mutating func examples(of node: TapeNode?) -> Int? {
        guard let node, node.member("example") != nil || node.member("examples") != nil else { return nil }
        places.append(SchemaPlace(tape: tapes.firstIndex { $0.holds(node) } ?? 0, word: node.index))
        return places.count &- 1
    }

    /// Whether a schema describes a body of arbitrary bytes, and not a JSON value.
    mutating func isBinary(_ schema: TapeNode?) throws(Failure) -> Bool {
        guard let schema, schema.isObject, let found = try resolve(schema, isSchema: true) else { return false }
        return found.member("format")?.equals("binary") == true && found.member("type")?.equals("string") == true
    }

    private static func statuses(_ key: Bytes) -> (Int32, Int32)? {
        if key == "default" { return (100, 999) }
        guard key.count == 3, let hundreds = key.storage.first, hundreds >= UInt8(ascii: "1"), hundreds <= UInt8(ascii: "9")
        else { return nil }
        if key.uppercased.hasSuffix("XX") {
            let lowest = Int32(hundreds &- 0x30) &* 100
            return (lowest, lowest &+ 99)
        }
        guard let status = Decimal.parse(key), status >= 100, status <= 999 else { return nil }
        return (Int32(truncatingIfNeeded: status), Int32(truncatingIfNeeded: status))
    }

    // MARK: - Security

    mutating func readSecuritySchemes(_ schemes: TapeNode?) throws(Failure) {
        guard let schemes = try followed(schemes) else { return }
        var children = schemes.children
        while let child = children.read() {
            guard let found = try? resolve(child.value), found.member("type")?.equals("apiKey") == true,
                let name = found.member("name")?.string, !name.isEmpty, let place = found.member("in")
            else { continue }
            let location: ParameterLocation? =
                place.equals("query") ? .query : place.equals("header") ? .header : place.equals("cookie") ? .cookie : nil
            guard let location, location != .header || HeaderField.isValidName(name) else { continue }
            var parameter = ParameterDescription(name: name, location: location)
            parameter.summary = OpenAPIDocument.summary(ofKey: child.name)
            parameter.isCredential = true
            parameter.identity = Int(child.value.index) &+ 1
            keys.set(parameter, for: child.name)
        }
    }

    /// The parameters of the required schemes, each once.
    func securityKeys(_ security: TapeNode?) -> [ParameterDescription] {
        guard let security, !keys.isEmpty else { return [] }
        var result: [ParameterDescription] = []
        var requirements = security.children
        while let requirement = requirements.read() {
            var schemes = requirement.value.children
            while let scheme = schemes.read() {
                guard let parameter = keys[scheme.name], result.count < 64 else { continue }
                if !result.contains(where: { $0.identity == parameter.identity }) { result.append(parameter) }
            }
        }
        return result
    }

    /// A key in the query, a header or a cookie is an optional parameter.
    func addKeys(_ operation: inout OperationDescription, _ parameters: [ParameterDescription]) {
        for parameter in parameters {
            switch parameter.location {
            case .query:
                if !operation.query.contains(where: { $0.name == parameter.name }) { operation.query.append(parameter) }
            case .header:
                if !operation.headers.contains(where: { $0.name.equalsIgnoringCase(parameter.name) }) {
                    operation.headers.append(parameter)
                }
            case .cookie:
                if !operation.cookies.contains(where: { $0.name == parameter.name }) { operation.cookies.append(parameter) }
            case .path: break
            }
        }
    }
}
