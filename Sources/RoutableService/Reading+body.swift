// Reads the body: its media type and its value, which is validated against the schema.

internal import RoutableCore
internal import RoutableJSON

extension Reading {
    mutating func readBody(_ call: inout ReceivedCall) throws(Failure) {
        do throws(Failure) { try decodeBody() } catch {
            let isCoding = error.fields.pointer == ContentCoding.pointer
            return try refusals.add(
                error.with {
                    $0.message = "\(label(call.plan)): \($0.message)"
                    $0.pointer = $0.pointer ?? "/body"
                }, isCoding ? RefusalStatus.unsupportedMediaType : RefusalStatus.malformed)
        }
        do throws(Failure) {
            try readContent(&call)
        } catch {
            let isType = error.status == .body && error.fields.pointer == "/content_type"
            try refusals.add(
                error.with { if $0.pointer == nil { $0.pointer = "/body" } },
                isType ? RefusalStatus.unsupportedMediaType : RefusalStatus.unprocessable)
        }
    }

    /// Removes the content coding.
    private mutating func decodeBody() throws(Failure) {
        // Programs that read the body after the headers call this function before they read it, so Content-Length is also checked.
        if max(incoming.body.count, announcedCount) > options.maximumBodyBytes {
            throw Failure(.limit, "the body of the request is over \(options.maximumBodyBytes) bytes")
        }
        guard !isDecoded, !incoming.body.isEmpty, let coding = headers["content-encoding"], !coding.isName("identity") else {
            return
        }
        incoming.body = try ContentCoding.decode(incoming.body, coding, limit: options.maximumBodyBytes)
        isDecoded = true
    }

    /// The value of Content-Length; 0 without it.
    private var announcedCount: Int {
        guard let text = headers["content-length"], text.storage.allSatisfy(ASCII.isDigit) else { return 0 }
        return Int(clamping: Decimal.parse(text) ?? .max)
    }

    private func unsupported(_ plan: Plan, _ reason: Bytes, _ allowed: [Bytes]) -> Failure {
        Failure(.body, "\(label(plan)): \(reason)") {
            $0.pointer = "/content_type"
            $0.allowed = allowed.ordered()
        }
    }

    private mutating func readContent(_ call: inout ReceivedCall) throws(Failure) {
        let operation = call.plan.operation
        let given = headers["content-type"].flatMap { $0.isEmpty ? nil : $0 }
        if incoming.body.isEmpty {
            // An empty form or string is a body; an empty body of a JSON operation is no body.
            guard let given, operation.allowsBody, operation.description.method != "GET", !BodyWriter.isJSON(given) else {
                if let given, UTF8Check.isValid(given) {
                    call.headers.append(Value.Member(name: "Content-Type", value: .text(given)))
                } else if given != nil {
                    call.ignored.append("Content-Type")
                }
                return try requireBody(call)
            }
        }
        if !operation.allowsBody {
            throw Failure(
                .body, "\(label(call.plan)): \(operation.method.bytes) takes no body unless the operation declares one")
        }
        if operation.description.bodies.isEmpty {
            try readOwnForm(given, operation, &call)
        } else {
            try readDeclaredMedia(given, operation, &call)
        }
    }

    private func requireBody(_ call: ReceivedCall) throws(Failure) {
        let description = call.plan.operation.description
        if description.isBodyRequired ?? (description.bodyType != nil) {
            throw Failure(.body, "\(label(call.plan)): a body is required")
        }
    }

    /// Reads a body with one of the media types that the operation declares.
    private mutating func readDeclaredMedia(
        _ given: Bytes?, _ operation: OperationEntry, _ call: inout ReceivedCall
    ) throws(Failure) {
        let chosen: BodyDescription?
        do throws(Failure) { chosen = try operation.body(of: given) } catch {
            throw error.with {
                $0.pointer = "/content_type"
                $0.message = "\(label(call.plan)): the content type \"\((given ?? Bytes()).printable)\" is not declared"
            }
        }
        guard let chosen else { return }
        try read(chosen, given, &call)
        let usual = operation.description.bodies.first?.mediaType ?? Bytes()
        if chosen.form == .multipart { return }
        if BodyWriter.isRange(usual), given == nil, case .json = call.body {
            call.contentType = "application/json"
        } else if let given, given != usual || BodyWriter.isRange(usual) {
            call.contentType = given
        }
    }

    /// Reads a body of a description that has a single form for all bodies of an operation.
    private mutating func readOwnForm(
        _ given: Bytes?, _ operation: OperationEntry, _ call: inout ReceivedCall
    ) throws(Failure) {
        let description = operation.description
        let essence = given.map { BodyWriter.essence($0) }
        let isForm = essence == "application/x-www-form-urlencoded"
        var body = BodyDescription(mediaType: given ?? Bytes(), form: description.bodyForm, type: description.bodyType)
        let isTyped = description.bodyType != nil
        switch description.bodyForm {
        case .json:
            if isForm && !isTyped && operation.encoding.form == .form && !operation.takesFreeQuery {
                return try readFreeBody(operation, &call)
            }
            if let given, !BodyWriter.isJSON(given) {
                if isTyped { throw wrongType(call.plan, given, "application/json") }
                body.form = .bytes
            }
            if given == nil && !isTyped { body.form = .bytes }
        case .form: if let given, !isForm { throw wrongType(call.plan, given, "application/x-www-form-urlencoded") }
        case .multipart:
            if let given, essence != "multipart/form-data" { throw wrongType(call.plan, given, "multipart/form-data") }
        case .bytes: break
        }
        try read(body, given, &call)
        let usual: Bytes? =
            switch call.body {
            case .json: "application/json"
            case .value: body.form == .multipart ? given : FormEncoding.contentType
            case .bytes, .absent: nil
            }
        if let given, given != usual { call.contentType = given }
    }

    private func wrongType(_ plan: Plan, _ given: Bytes, _ allowed: Bytes) -> Failure {
        unsupported(plan, "the content type \"\(given.printable)\" is not declared; \(allowed) is", [allowed])
    }

    private mutating func read(_ chosen: BodyDescription, _ given: Bytes?, _ call: inout ReceivedCall) throws(Failure) {
        switch chosen.form {
        case .json where BodyWriter.isRange(chosen.mediaType) && !(given.map { BodyWriter.isJSON($0) } ?? true):
            call.body = .bytes
        case .json: call.body = .json(try readJSON(chosen.type))
        case .form: call.body = .value(try readForm(chosen, call.plan))
        case .multipart:
            guard let given, let type = MediaType(given), type.essence == "multipart/form-data" else {
                // The parts of other multipart types have no names.
                call.body = .bytes
                call.contentType = given
                return
            }
            call.body = .value(try readMultipart(chosen, type, &call))
        case .bytes: call.body = .bytes
        }
    }

    // MARK: - JSON

    /// The JSON without white space, validated against the schema.
    private func readJSON(_ type: Int?) throws(Failure) -> Bytes {
        try incoming.body.withBuffer { (buffer) throws(Failure) in
            let document = try JSONDocument.strict(buffer)
            defer { withExtendedLifetime(document) {} }
            if let type, let checker = try codec?.checker(of: type, for: .body) {
                do throws(Failure) { try checker.check(json: buffer, maximumErrors: options.maximumErrors) } catch {
                    throw error.belowBody
                }
            }
            return document.view.json
        }
    }

    // MARK: - Forms

    /// Reads undeclared parameters from a form.
    private mutating func readFreeBody(_ operation: OperationEntry, _ call: inout ReceivedCall) throws(Failure) {
        if incoming.body.count > Limits.formBytes { throw Failure.formLimit }
        var pairs: [(name: Bytes, value: Bytes)] = []
        for item in try incoming.body.pieces(on: UInt8(ascii: "&")) where !item.isEmpty {
            try Memory.check()
            let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
            pairs.append((Self.formText(Bytes(item.storage[..<equals])), Bytes(item.storage[min(equals &+ 1, item.count)...])))
        }
        call.parameters = (call.parameters ?? []) + (try freeParameters(pairs, operation.encoding, call.plan, "/body"))
    }

    private func readForm(_ chosen: BodyDescription, _ plan: Plan) throws(Failure) -> Value {
        if incoming.body.count > Limits.formBytes { throw Failure.formLimit }
        let encoding = plan.operation.description.bodies.isEmpty ? plan.operation.encoding : nil
        let form = FormTree()
        for item in try incoming.body.pieces(on: UInt8(ascii: "&")) where !item.isEmpty {
            try Memory.check()
            let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
            let name = Self.formText(Bytes(item.storage[..<equals]))
            let raw = Bytes(item.storage[min(equals &+ 1, item.count)...])
            guard UTF8Check.isValid(name) else { throw notUTF8("a name of the form") }
            if name.storage.contains(0) { throw Failure(.body, "a name of the form has U+0000") }
            if encoding == nil, chosen.parts.contains(where: { $0.claims(name) }) { continue }
            let isComma = encoding?.arrays == .comma
            let pieces = isComma ? try raw.pieces(on: UInt8(ascii: ",")) : [raw]
            let path = encoding.map { FormTree.path(name, $0) } ?? [.member(name)]
            for piece in pieces {
                let text = Self.formText(piece)
                guard UTF8Check.isValid(text) else { throw notUTF8("the value of \(name.printable)") }
                let isJSON = chosen.parts.contains { $0.name == name && BodyWriter.isJSON($0.contentType) }
                try form.add(isJSON ? .fixed(try json(text, name)) : .text(text), path, isArray: pieces.count > 1)
            }
        }
        if encoding == nil { try readStyled(chosen, form) }
        return try form.value(checkedBy: try checker(chosen.type), options.maximumErrors, encoding: encoding)
    }

    /// Reads the properties that have a style; each is read from the whole form.
    private func readStyled(_ chosen: BodyDescription, _ form: FormTree) throws(Failure) {
        let names = Set(chosen.parts.map { $0.name })
        for part in chosen.parts {
            guard let style = part.style else { continue }
            var values: [Value] = []
            for shape in style.shapes {
                var style = style
                style.shape = shape
                do throws(Failure) {
                    let value = try incoming.body.withBuffer { (buffer) throws(Failure) in
                        try style.read(part.name, buffer, .query, scalar: Scalar(), codec: codec) { names.contains($0) }
                    }
                    if let value { values.append(value) }
                } catch {
                    if error.status != .value { throw error }
                    if shape == style.shapes.last && values.isEmpty { throw error.at("/body/\(part.name.pointerEscaped)") }
                }
            }
            if !values.isEmpty { try form.add(.alternatives(values), [.member(part.name)], isArray: false) }
        }
    }

    private func notUTF8(_ what: Bytes) -> Failure { Failure(.body, "\(what) is not UTF-8") }

    private func json(_ text: Bytes, _ name: Bytes) throws(Failure) -> Value {
        guard let codec else { throw Failure(.unsupported, "the router was opened without a JSON codec") }
        do throws(Failure) { return try codec.value(of: text) } catch {
            if error.status == .memory { throw error }
            throw Failure(.body, "\(name.printable) is not valid JSON: \(error.message)") {
                $0.pointer = "/body/\(name.pointerEscaped)"
                $0.parameter = name
            }
        }
    }

    private func checker(_ type: Int?) throws(Failure) -> (any ValueChecker)? {
        guard let type else { return nil }
        return try codec?.checker(of: type, for: .body)
    }

    // MARK: - Multipart

    private func readMultipart(
        _ chosen: BodyDescription, _ type: MediaType, _ call: inout ReceivedCall
    ) throws(Failure) -> Value {
        let form = FormTree()
        var files: [ReceivedCall.File] = []
        try incoming.body.withBuffer { (buffer) throws(Failure) in
            for part in try MultipartReader.parts(buffer, type) {
                let content = UnsafeRawBufferPointer(rebasing: buffer[part.content])
                let declared = chosen.parts.first { $0.name == part.name }
                let isJSON = BodyWriter.isJSON(part.contentType)
                if part.filename == nil, UTF8Check.isValid(content), isField(part, declared) {
                    if isJSON {
                        let value = try json(Bytes(content), part.name)
                        let isDeclared = BodyWriter.isJSON(declared?.contentType ?? Bytes())
                        if isDeclared && !form.has(part.name) || !isDeclared && value.isContainer {
                            try form.add(.fixed(value), [.member(part.name)], isArray: false)
                            continue
                        }
                    } else {
                        try form.add(.text(Bytes(content)), [.member(part.name)], isArray: false)
                        continue
                    }
                }
                files.append(
                    ReceivedCall.File(
                        name: part.name, filename: part.filename,
                        // RFC 7578 section 4.4.
                        contentType: part.contentType.isEmpty ? "text/plain" : part.contentType, content: part.content))
            }
        }
        call.files = files
        var names = KeyedValues<Bytes, Bytes>()
        for file in files { _ = names.place(of: file.name, adding: file.name) }
        return try form.value(
            checkedBy: try checker(chosen.type), options.maximumErrors, encoding: nil, files: Array(names.values.prefix(1000)))
    }

    /// Whether a part is a plain value: it has no content type, or that of the description.
    private func isField(_ part: ReceivedPart, _ declared: PartDescription?) -> Bool {
        if part.contentType.isEmpty { return true }
        if BodyWriter.isJSON(part.contentType) { return true }
        let types = (declared?.contentType ?? Bytes()).split(on: UInt8(ascii: ","))
        guard let first = types.first(where: { !BodyWriter.isRange($0) && !BodyWriter.isJSON($0) }) else { return false }
        return BodyWriter.essence(part.contentType) == BodyWriter.essence(first)
    }
}

extension JSONDocument {
    /// Parses JSON in which no object has duplicate keys.  Failures: `json`, `limit`.
    static func strict(_ buffer: UnsafeRawBufferPointer) throws(Failure) -> JSONDocument {
        do throws(Failure) { return try read(buffer, JSONReading(rejectsDuplicates: true)) } catch {
            if error.status == .memory { throw error }
            throw error.with {
                if $0.status != .limit { $0.status = .json }
                $0.pointer = nil
                let place: Bytes = error.fields.line > 0 ? " at line \(error.fields.line), column \(error.fields.column)" : ""
                $0.message = "the body is not valid JSON\(place): \(error.message)"
            }
        }
    }
}

extension ParameterStyle {
    /// The possible shapes of a property with this style; the schema selects one.
    fileprivate var shapes: [Shape] {
        switch kind {
        case .deepObject: [.object]
        case .spaceDelimited, .pipeDelimited: explode ? [.array] : [.array, .object]
        default: explode ? [.scalar, .array] : [.scalar, .array, .object]
        }
    }
}

extension PartDescription {
    /// Whether this property reads a field of a form by its style.
    fileprivate func claims(_ other: Bytes) -> Bool {
        guard let style else { return false }
        return other == name
            || style.kind == .deepObject && other.count > name.count && other.hasPrefix(name)
                && other.storage[name.count] == UInt8(ascii: "[")
    }
}

extension Value {
    /// Whether the value is an array or an object.
    fileprivate var isContainer: Bool { scalarText == nil && !isNull }
}
