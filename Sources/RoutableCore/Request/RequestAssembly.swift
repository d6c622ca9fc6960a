// Makes a request of a call: binds values, places parameters, validates the body (docs/statements.md).

extension Router {
    /// Builds a request.  Pointers of failures refer to the call JSON.
    public func request(for call: Call) throws(Failure) -> Request {
        try request(for: call, try plan(for: call))
    }

    func plan(for call: Call, isReused: Bool = false) throws(Failure) -> Plan {
        do { return try Plan.make(self, route: call.route, operation: call.operation, isReused: isReused) } catch {
            throw error.at(error.status == .notAllowed || call.route.isEmpty ? "/operation" : "/route")
        }
    }

    /// Builds a request with the plan of the call's route and operation.
    ///
    /// - Parameter planned: the prepared data of the plan; nil if the plan is used once.
    func request(for call: Call, _ plan: Plan, _ planned: PlannedOperation? = nil) throws(Failure) -> Request {
        do { return try RequestAssembly(plan, call, planned).run() } catch {
            throw error.about(route: call.route, operation: call.operation)
        }
    }
}

struct RequestAssembly {
    private let plan: Plan
    private let call: Call
    private let operation: OperationEntry
    private let planned: PlannedOperation?
    /// Whether the call contains the header Accept.
    private let hasOwnAccept: Bool
    private var label: Bytes { plan.label }

    init(_ plan: Plan, _ call: Call, _ planned: PlannedOperation?) {
        self.plan = plan
        self.planned = planned
        self.call = Self.placed(call, plan.operation)
        operation = plan.operation
        hasOwnAccept = call.headers.contains { !$0.value.isNull && $0.name.isName("accept") }
    }

    /// An id that is a query parameter in the path of a description (`/f?x={x}`) becomes a value of the query.
    private static func placed(_ call: Call, _ operation: OperationEntry) -> Call {
        guard case .named(let members) = call.ids, operation.query.contains(where: { $0.description.isInPath }) else {
            return call
        }
        var placed = call
        var ids: [Value.Member] = []
        for member in members {
            let isQuery = operation.query.contains { $0.description.isInPath && $0.description.name == member.name }
            let isGiven = call.query.contains { $0.name == member.name }
            if isQuery && !isGiven { placed.query.append(member) } else { ids.append(member) }
        }
        placed.ids = .named(ids)
        return placed
    }

    func run() throws(Failure) -> Request {
        let base = try self.base()
        let ids: [Value]
        do { ids = try plan.bind(call.ids) } catch { throw error.at("/ids") }
        var headers = try self.headers()
        let declared = try queryValues()
        var url = try write(base, ids, declared)
        var body: Bytes?
        if let parameters = call.parameters {
            try place(parameters, base, &url, &body, &headers)
        }
        var parts: Multipart.Written?
        if operation.description.bodyForm == .multipart || !call.files.isEmpty { parts = try multipart(body) }
        if parts == nil { try setBody(&body, &headers) }
        let request = Request(
            plan: plan, url: url.url, pathStart: base.prefix.count, pathCount: url.path.count, queryCount: url.query.count,
            headers: block(headers, hasBody: body != nil), body: body, hasOwnAccept: hasOwnAccept)
        if let parts { try request.setBody(parts) }
        return request
    }

    private func base() throws(Failure) -> Base {
        if let source = call.base {
            do { return try Base(source) } catch { throw error.at("/base") }
        }
        if let base = plan.router.base(of: operation) { return base }
        throw plan.router.noBaseFailure(label, operation)
    }

    // MARK: - URL

    private struct WrittenURL {
        var url: Bytes
        var path: Bytes
        var query: Bytes
    }

    private func write(_ base: Base, _ ids: [Value], _ query: [Value?]) throws(Failure) -> WrittenURL {
        var arena = ValueArena()
        for (index, id) in ids.enumerated() {
            let slot = plan.ids[index]
            if slot.parameter.isEncoded {
                do { arena.addEncoded(try plan.segment(of: id, slot, allowsEmpty: call.allowsEmptyIds), isPiece: true) } catch {
                    throw located(error)
                }
                continue
            }
            if arena.add(id) { continue }
            throw located(plan.valueFailure(slot.label, slot.parameter, "a single value is expected, not \(id.kindName)"))
        }
        var queryArena = ValueArena()
        for (index, value) in query.enumerated() {
            let parameter = operation.query[index]
            if parameter.isEncoded, let value, !value.isNull {
                let items: Bytes
                do { items = try plan.items(of: value, parameter) } catch {
                    throw error.at("/query/\(parameter.name.bytes.pointerEscaped)")
                }
                queryArena.addEncoded(items)
            } else if !queryArena.add(value) {
                throw plan.valueFailure(
                    parameter.name.bytes, parameter, "a single value is expected, not \(value?.kindName ?? "null")"
                ).at("/query/\(parameter.name.bytes.pointerEscaped)")
            }
        }
        return try arena.withViews { (idViews) throws(Failure) in
            try queryArena.withViews { (queryViews) throws(Failure) in
                try write(base, idViews, queryViews)
            }
        }
    }

    private func write(
        _ base: Base, _ ids: UnsafeBufferPointer<ValueView>, _ query: UnsafeBufferPointer<ValueView>
    ) throws(Failure) -> WrittenURL {
        guard let bound = plan.bound(base, ids, query) else {
            throw plan.urlLimitFailure
        }
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: bound)
        defer { output.deallocate() }
        let written: Plan.Written
        do { written = try plan.write(base, ids, query, to: output, allowsEmpty: call.allowsEmptyIds) } catch {
            guard isOfQuery(error, base, ids, output) else { throw located(error) }
            throw error.at("/query/\(error.fields.parameter.pointerEscaped)")
        }
        let whole = UnsafeRawBufferPointer(start: output, count: written.end)
        var queryStart = written.pathEnd
        if !base.query.isEmpty { queryStart &+= base.query.count &+ 1 }
        if queryStart < written.end { queryStart &+= 1 }
        return WrittenURL(
            url: Bytes(whole), path: Bytes(UnsafeRawBufferPointer(rebasing: whole[written.pathStart..<written.pathEnd])),
            query: Bytes(UnsafeRawBufferPointer(rebasing: whole[queryStart...])))
    }

    /// Whether a failure refers to the query although an id has the same name: then the path alone can be written.
    private func isOfQuery(
        _ failure: Failure, _ base: Base, _ ids: UnsafeBufferPointer<ValueView>, _ output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let name = failure.fields.parameter
        if !operation.query.contains(where: { $0.description.name == name }) { return false }
        do {
            _ = try plan.write(
                base, ids, UnsafeBufferPointer(start: nil, count: 0), to: output, allowsEmpty: call.allowsEmptyIds)
            return true
        } catch { return error.status == .parameter }  // a query parameter is required
    }

    /// The failure of a value, with the pointer of the value in the call JSON.
    private func located(_ failure: Failure) -> Failure {
        let name = failure.fields.parameter
        if let index = plan.ids.firstIndex(where: { $0.label == name }) {
            switch call.ids {
            case .positional: return failure.at("/ids/\(index)")
            case .named(let members):
                let given = members.first { plan.ids[index].names.contains($0.name) }?.name ?? name
                return failure.at("/ids/\(given.pointerEscaped)")
            }
        }
        return failure.at("/query/\(name.pointerEscaped)")
    }

    // MARK: - Declared query parameters

    /// One value per declared parameter, nil for an absent one; declared defaults are used.
    private func queryValues() throws(Failure) -> [Value?] {
        for member in call.query
        where !operation.query.contains(where: { $0.description.name == member.name }) {
            let names = operation.query.map { $0.name.bytes }
            throw Failure.unknownName(.parameter, "\(label): no query parameter", member.name, among: names).with {
                $0.parameter = member.name
                $0.pointer = "/query/\(member.name.pointerEscaped)"
                if names.isEmpty {
                    $0.message = "\(label) declares no query parameters; pass undeclared ones in \"parameters\""
                }
            }
        }
        var values: [Value?] = []
        for parameter in operation.query {
            let given = try single(parameter.description.name, in: call.query, "/query")
            let value = given.map { call.query[$0].value } ?? parameter.description.defaultValue
            if value == nil && parameter.description.isRequired { throw plan.requiredFailure(parameter).at("/query") }
            values.append(value)
        }
        return values
    }

    /// The index of the value with this name, which is absent if it is null; two values are refused, because one would be dropped.
    @inline(never)
    private func single(_ name: Bytes, in members: [Value.Member], _ pointer: StaticString) throws(Failure) -> Int? {
        var found: Int?
        for index in members.indices where members[index].name == name && !members[index].value.isNull {
            if found != nil { throw fault("parameter", name, "is given twice", pointer) }
            found = index
        }
        return found
    }

    @inline(never)
    private func fault(_ kind: StaticString, _ name: Bytes, _ fault: StaticString, _ pointer: StaticString) -> Failure {
        Failure(.parameter, "\(label): the \(Bytes(static: kind)) \(name.printable) \(Bytes(static: fault))") {
            $0.parameter = name
            $0.pointer = Bytes(static: pointer)
        }
    }

    // MARK: - Headers and cookies

    private func headers() throws(Failure) -> [HeaderField] {
        var headers = ownHeaders
        for parameter in operation.description.headers
        where !call.headers.contains(where: { $0.name.equalsIgnoringCase(parameter.name) && !$0.value.isNull }) {
            if let value = parameter.defaultValue?.scalarText {
                headers.set(try HeaderField.checked(parameter.name, value))
            } else if parameter.isRequired {
                throw fault("header", parameter.name, "is required", "/headers")
            }
        }
        for (index, member) in call.headers.enumerated() where !member.value.isNull {
            // Content-Type can also be given by `contentType`.
            var isSecond = call.contentType != nil && member.name.equalsIgnoringCase("content-type")
            for earlier in call.headers.prefix(index) where !earlier.value.isNull {
                isSecond = isSecond || earlier.name.equalsIgnoringCase(member.name)
            }
            if isSecond { throw fault("header", member.name, "is given twice", "/headers") }
            let pointer: Bytes = "/headers/\(member.name.pointerEscaped)"
            let declared = operation.description.headers.first { $0.name.equalsIgnoringCase(member.name) }
            do {
                var value = try declared?.styled(member.value, codec: plan.router.codec)
                if value == nil { value = try text(of: member, declared) }
                headers.set(try HeaderField.checked(member.name, value ?? Bytes()))
            } catch { throw error.at(pointer) }
            if headers.count > Limits.headerFields { throw Request.tooManyHeaders.at(pointer) }
        }
        if let cookies = try cookies() {
            let others = headers.value(of: "Cookie")
            headers.set(HeaderField("Cookie", others.map { "\($0); \(cookies)" } ?? cookies))
        }
        return headers
    }

    /// The headers of a request without other headers: those of the router, and Accept.
    private var ownHeaders: [HeaderField] {
        let headers = plan.router.headers
        guard let accept = plan.accept, !hasOwnAccept, headers.count &+ call.headers.count < Limits.headerFields else {
            return headers
        }
        return planned?.fields ?? headers + [accept]
    }

    /// The block of a call without further headers is made once for the plan.
    private func block(_ headers: [HeaderField], hasBody: Bool) -> HeaderBlock {
        let description = operation.description
        let isUsual =
            !hasBody && call.headers.isEmpty && call.contentType == nil && description.headers.isEmpty
            && description.cookies.isEmpty
        return isUsual ? planned?.headers ?? HeaderBlock(headers) : HeaderBlock(headers)
    }

    /// The header Cookie (RFC 6265 section 4.2.1); values are percent-encoded, so that no value can add a cookie.
    private func cookies() throws(Failure) -> Bytes? {
        let names = operation.description.cookies.map { $0.name }
        for member in call.cookies where !names.contains(member.name) {
            throw Failure.unknownName(.parameter, "\(label): no cookie", member.name, among: names).with {
                $0.parameter = member.name
                $0.pointer = "/cookies/\(member.name.pointerEscaped)"
            }
        }
        var result = Bytes()
        for parameter in operation.description.cookies {
            let given = try single(parameter.name, in: call.cookies, "/cookies")
            guard let value = given.map({ call.cookies[$0].value }) ?? parameter.defaultValue else {
                if parameter.isRequired { throw requiredCookie(parameter) }
                continue
            }
            let text: Bytes
            if parameter.style != nil || parameter.type != nil {
                do { text = try parameter.styled(value, codec: plan.router.codec) ?? Bytes() } catch {
                    throw error.at("/cookies/\(parameter.name.pointerEscaped)")
                }
                if text.isEmpty {
                    // An empty array or object has no pairs, as in a query.
                    if parameter.isRequired { throw requiredCookie(parameter) }
                    continue
                }
                if !result.isEmpty { result.append("; ") }
                result.append(text)
                continue
            }
            do { text = try self.text(of: Value.Member(name: parameter.name, value: value), parameter) } catch {
                throw error.at("/cookies/\(parameter.name.pointerEscaped)")
            }
            if !result.isEmpty { result.append("; ") }
            PercentCoding.append(parameter.name, .unreserved, to: &result)
            result.append("=")
            PercentCoding.append(text, .unreserved, to: &result)
        }
        return result.isEmpty ? nil : result
    }

    @inline(never)
    private func requiredCookie(_ parameter: ParameterDescription) -> Failure {
        fault("cookie", parameter.name, "is required", "/cookies")
    }

    private func text(of member: Value.Member, _ declared: ParameterDescription?) throws(Failure) -> Bytes {
        guard let text = member.value.scalarText else {
            throw Failure(.value, "\(label): \(member.name.printable) requires a single value, not \(member.value.kindName)") {
                $0.parameter = member.name
            }
        }
        if !UTF8Check.isValid(text) {
            throw Failure(.value, "\(label): the value of \(member.name.printable) is not UTF-8") { $0.parameter = member.name }
        }
        if let declared, let reason = text.storage.withUnsafeBytes({ declared.scalar.refusal(of: $0) }) {
            throw Failure(.value, "\(label): invalid value of \(member.name.printable): \(reason)") {
                $0.parameter = member.name
                $0.allowed = declared.scalar.values.ordered()
            }
        }
        return text
    }

    // MARK: - Undeclared parameters and body

    /// Adds undeclared parameters to the query or to the body, as the encoding declares (statements U1-U6).
    private func place(
        _ parameters: [Value.Member], _ base: Base, _ url: inout WrittenURL, _ body: inout Bytes?,
        _ headers: inout [HeaderField]
    ) throws(Failure) {
        let encoding = operation.encoding
        if encoding.goesToQuery(operation.description.method) {
            let text = try encoded(parameters)
            if text.isEmpty { return }
            if text.count > Limits.urlBytes {
                throw Failure(.limit, "\(label): the URL would be longer than \(Limits.urlBytes) bytes") {
                    $0.pointer = "/parameters"
                }
            }
            if !url.query.isEmpty { url.query.append(UInt8(ascii: "&")) }
            url.query.append(text)
            url.url = base.url(path: url.path, query: url.query)
            return
        }
        if !operation.allowsBody { throw bodyRefusal("/parameters") }
        try checkMembers(parameters)
        if encoding.form == .json {
            guard let codec = plan.router.codec else { throw noCodec }
            body = try codec.text(of: .object(parameters))
            setContentType("application/json", &headers)
        } else {
            body = try encoded(parameters)
            setContentType(FormEncoding.contentType, &headers)
        }
    }

    /// If the operation declares a body, undeclared parameters in the body must be members of a form that it declares.
    /// Otherwise the body would be sent without validation.
    private func checkMembers(_ parameters: [Value.Member]) throws(Failure) {
        let description = operation.description
        let isForm: Bool
        var type = description.bodyType
        if description.bodies.isEmpty {
            if type == nil || operation.encoding.form == .json { return }  // JSON is validated with the body
            isForm = description.bodyForm == .form
        } else {
            let form = description.bodies.first { $0.form == .form }
            isForm = form != nil
            type = form?.type
        }
        if !isForm {
            throw Failure(
                .body,
                "\(label): the operation declares its body, so undeclared parameters cannot be sent in it; pass a body that has them as members"
            ) { $0.pointer = "/parameters" }
        }
        guard let type, let codec = plan.router.codec else { return }
        do { try codec.check(body: try codec.text(of: .object(parameters)), against: type) } catch {
            throw error.with { $0.pointer = "/parameters\($0.pointer ?? "")" }
        }
    }

    private func encoded(_ parameters: [Value.Member]) throws(Failure) -> Bytes {
        do { return try operation.encoding.encode(parameters) } catch { throw error.at("/parameters") }
    }

    /// A body of parts; nil if the call contains the bytes, or contains no body and none is required.
    private func multipart(_ body: Bytes?) throws(Failure) -> Multipart.Written? {
        let declared = operation.description.bodies
        var writer = BodyWriter(label: label, bodies: declared, codec: plan.router.codec)
        writer.normalisesNewlines = operation.encoding.newlines == .crlf
        var type = BodyDescription(mediaType: "multipart/form-data", form: .multipart, type: operation.description.bodyType)
        if operation.description.bodyForm != .multipart, !declared.isEmpty {
            type =
                try call.contentType.map { (given) throws(Failure) in try writer.choose(given) }
                ?? declared.first { $0.form == .multipart } ?? type
        }
        let isDeclared = operation.description.bodyForm == .multipart || declared.contains { $0.form == .multipart }
        if type.form != .multipart || !isDeclared {
            let reason: Bytes =
                isDeclared
                ? "but the content type \"\((call.contentType ?? Bytes()).printable)\" was selected"
                : "and the operation does not declare one"
            throw Failure(.body, "\(label): files require a multipart body, \(reason)") { $0.pointer = "/files" }
        }
        var isBytes = false
        if case .bytes = call.body { isBytes = true }
        // Bytes are sent with the content type from the call.
        if declared.isEmpty, !isBytes { try refuseContentType(unless: type.mediaType) }
        var value = Value.object([])
        switch call.body {
        case .bytes:
            if call.files.isEmpty { return nil }
            throw Failure(.body, "\(label): the call has both a body as bytes and files") { $0.pointer = "/files" }
        case .none: if call.files.isEmpty { return nil }
        case .value(let given): value = given
        case .json(let text): value = try self.value(of: text)
        }
        try refuseSecondBody(body)
        return try writer.multipart(value, call.files, type)
    }

    private func setBody(_ body: inout Bytes?, _ headers: inout [HeaderField]) throws(Failure) {
        if !operation.description.bodies.isEmpty, try setDeclaredBody(&body, &headers) { return }
        var isForm = false
        switch call.body {
        case .none:
            let isRequired = operation.description.isBodyRequired ?? (operation.description.bodyType != nil)
            if isRequired && body == nil {
                throw Failure(.body, "\(label): a body is required") { $0.pointer = "/body" }
            }
            if let type = operation.description.bodyType, let written = body, operation.encoding.form == .json {
                try check(written, type)
            }
        case .json(let given) where operation.description.bodyForm == .json:
            try refuseSecondBody(body)
            try check(given, operation.description.bodyType)
            body = given
            setContentType("application/json", &headers)
        case .value, .json:
            let value = try givenValue()
            try refuseSecondBody(body)
            if operation.description.bodyForm == .bytes {
                guard let text = value.scalarText else {
                    throw Failure(
                        .body, "\(label): the body must be bytes or a string; \(value.kindName) was given"
                    ) { $0.pointer = "/body" }
                }
                body = text
                setContentType("application/octet-stream", &headers)
                break
            }
            if operation.description.bodyForm == .form {
                guard let form = value.form else {
                    throw Failure(
                        .body,
                        "\(label): a form must be an object or an array of pairs [name, value]; \(value.kindName) was given"
                    ) { $0.pointer = "/body" }
                }
                if let type = operation.description.bodyType { try check(try text(of: value), type) }
                do { body = try operation.encoding.encode(form.members, as: form.order) } catch { throw error.at("/body") }
                setContentType(FormEncoding.contentType, &headers)
                isForm = true
                break
            }
            let written = try text(of: value)
            if let type = operation.description.bodyType { try check(written, type) }
            body = written
            setContentType("application/json", &headers)
        case .bytes(let bytes):
            try refuseSecondBody(body)
            body = bytes
        }
        guard let type = call.contentType else { return }
        if case .none = call.body { try refuseContentType(unless: Bytes()) }
        if isForm { try refuseContentType(unless: FormEncoding.contentType) }
        headers.set(try HeaderField.checked("Content-Type", type))
    }

    /// Refuses a content type of the call that differs from the content type of the body.
    @inline(never)
    private func refuseContentType(unless sent: Bytes) throws(Failure) {
        guard let type = call.contentType, BodyWriter.essence(type) != BodyWriter.essence(sent) else { return }
        let reason: Bytes = sent.isEmpty ? "the call has no \"body\"" : "the body is \(sent)"
        throw Failure(.body, "\(label): the content type \"\(type.printable)\" cannot be sent: \(reason)") {
            $0.pointer = "/content_type"
        }
    }

    /// The body as a value, for each kind of body of a call.
    private func givenValue() throws(Failure) -> Value {
        switch call.body {
        case .value(let value): return value
        case .json(let text): return try value(of: text)
        case .none, .bytes: return .null
        }
    }

    /// The value of JSON text.
    private func value(of text: Bytes) throws(Failure) -> Value {
        guard let codec = plan.router.codec else { throw noCodec }
        do { return try codec.value(of: text) } catch { throw error.with { $0.pointer = "/body\($0.pointer ?? "")" } }
    }

    /// Sets a body of one of the declared media types; false if there is no body to write.
    private func setDeclaredBody(_ body: inout Bytes?, _ headers: inout [HeaderField]) throws(Failure) -> Bool {
        let writer = BodyWriter(label: label, bodies: operation.description.bodies, codec: plan.router.codec)
        switch call.body {
        case .none: return false
        case .value, .json:
            try refuseSecondBody(body)
            let chosen = try writer.choose(call.contentType)
            var written: (bytes: Bytes, contentType: Bytes)
            if case .json(let text) = call.body, chosen.form == .json {
                try check(text, chosen.type)
                written = (text, BodyWriter.isRange(chosen.mediaType) ? "application/json" : chosen.mediaType)
            } else {
                written = try writer.write(try givenValue(), as: chosen)
            }
            body = written.bytes
            // The content type of a call may have parameters, such as a charset; a boundary is chosen by the library.
            if let type = call.contentType, !written.contentType.contains("boundary=") {
                headers.set(try HeaderField.checked("Content-Type", type))
            } else if written.contentType.contains("boundary=") {
                headers.set(HeaderField("Content-Type", written.contentType))
            } else {
                setContentType(written.contentType, &headers)
            }
        case .bytes(let bytes):
            try refuseSecondBody(body)
            body = bytes
            if let type = call.contentType {
                headers.set(try HeaderField.checked("Content-Type", type))
            } else if let type = operation.description.bodies.first?.mediaType, !BodyWriter.isRange(type) {
                setContentType(type, &headers)
            }
        }
        return true
    }

    private func refuseSecondBody(_ body: Bytes?) throws(Failure) {
        if !operation.allowsBody { throw bodyRefusal("/body") }
        if body != nil {
            throw Failure(.body, "\(label): the parameters are sent in the body, and the call also has a body") {
                $0.pointer = "/body"
            }
        }
    }

    /// A body on GET is refused unless it is declared (statement J3).
    private func bodyRefusal(_ pointer: Bytes) -> Failure {
        Failure(.body, "\(label): \(operation.method.bytes) takes no body unless the operation declares one") {
            $0.pointer = pointer
        }
    }

    private func text(of value: Value) throws(Failure) -> Bytes {
        guard let codec = plan.router.codec else { throw noCodec }
        do { return try codec.text(of: value) } catch { throw error.at("/body") }
    }

    /// Checks that the body is JSON, and validates it against the type if there is one.
    private func check(_ body: Bytes, _ type: Int?) throws(Failure) {
        guard let codec = plan.router.codec else { throw noCodec }
        do {
            if let type { try codec.check(body: body, against: type) } else { try codec.check(json: body) }
        } catch {
            throw error.with { $0.pointer = "/body\($0.pointer ?? "")" }
        }
    }

    private var noCodec: Failure { Failure(.unsupported, "\(label): the router was opened without a JSON codec") }

    /// Sets the header only if it is not set (statements U5, J1).
    private func setContentType(_ type: Bytes, _ headers: inout [HeaderField]) {
        if headers.value(of: "Content-Type") == nil { headers.append(HeaderField("Content-Type", type)) }
    }
}
