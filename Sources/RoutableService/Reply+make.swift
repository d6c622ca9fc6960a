// Makes the response to a request: the status, the media type, the validated body, and the headers.

package import RoutableCore
internal import RoutableJSON

extension Received {
    /// The response to the request that was read.  If it fails, nothing was sent.
    ///
    /// - Parameters:
    ///   - status: From 200 to 599, or 0 for the default: the first success that the operation declares; for a response without a body,
    ///     the first one without a type.
    ///   - content: JSON is validated against the declared type of the status and the media type.
    /// - Throws: with an HTTP status: `value` with 406 if the request accepts no media type of the body, and with 412 for If-Match.
    ///   Without one, for errors of the program: `unknown` for a status that is not declared; `body` for a body that is not valid,
    ///   missing, not allowed or of an undeclared media type; `json`; `value` for an ETag; `header`; `file`; `limit`; those of
    ///   building a request for the location; `argument`.
    package func reply(_ status: Int32, _ content: ReplyContent, _ options: ReplyOptions) throws(Failure) -> Reply {
        guard let plan else { throw .noRequest }
        let assembly = ReplyAssembly(self, plan, options)
        do throws(Failure) { return try assembly.run(status, content) } catch {
            throw error.about(route: plan.route.bytes, operation: plan.operation.name.bytes)
        }
    }
}

struct ReplyAssembly {
    let received: Received
    let conditions: ReplyConditions
    private let plan: Plan
    let options: ReplyOptions
    var operation: OperationEntry { plan.operation }
    /// The route and the operation, for messages.
    var label: Bytes { plan.route.isEmpty ? operation.name.bytes : "\(plan.route.bytes) \(operation.name.bytes)" }

    init(_ received: Received, _ plan: Plan, _ options: ReplyOptions) {
        self.received = received
        conditions = received.conditions
        self.plan = plan
        self.options = options
    }

    func run(_ given: Int32, _ content: ReplyContent) throws(Failure) -> Reply {
        var headers = try ReplyHeaders.checked(options.headers)
        let contentType = try ReplyHeaders.taken("Content-Type", options.contentType, &headers)
        let etag = try ReplyHeaders.taken("ETag", options.etag, &headers)
        if let etag { try Received.check(etag) }
        if let location = try location(), try ReplyHeaders.taken("Location", location, &headers) != nil {
            headers.append(try HeaderField.checked("Location", location))
        }
        let isEmpty = content.isNone
        let status = given == 0 ? usualStatus(isEmpty) : given
        let result = try declared(status)
        if let etag, 200...299 ~= status, conditions.isSafe {
            let condition = conditions.status(etag)
            if condition == 304 {
                headers.append(HeaderField("ETag", etag))
                // The Vary header is the same as for 200 (RFC 9110 section 15.4.5).
                let count = try isEmpty ? result?.contents.count ?? 0 : offers(content, contentType, result, status).count
                if count > 1 { Self.addVary(&headers) }
                return Reply(status: 304, headers: HeaderBlock(headers), length: 0)
            }
            if condition == 412 { throw refused(412, "If-Match", "the resource has changed: its ETag is \(etag)", []) }
        }
        if !isEmpty && (status == 204 || status == 205 || status == 304 || result?.isEmpty == true) {
            throw body("a response with the status \(status) has no body")
        }
        if isEmpty, let type = result?.type, result?.isError != true, status != 204, status != 205, status != 304, status < 400,
            !conditions.isHead
        {
            throw body("a body is required: the status \(status) declares \(typeName(type))")
        }
        var made = Made()
        if !isEmpty {
            let offers = try self.offers(content, contentType, result, status)
            let index = try choose(offers, status)
            made = try make(content, offers[index], result, options.maximumErrors)
            headers.append(try HeaderField.checked("Content-Type", offers[index].text))
            if offers.count > 1 { Self.addVary(&headers) }
        } else if let contentType {
            headers.append(try HeaderField.checked("Content-Type", contentType))
        }
        if let etag { headers.append(HeaderField("ETag", etag)) }
        let isHead = conditions.isHead
        if let length = made.length, status != 204, status != 304, !(isHead && isEmpty) {
            headers.append(HeaderField("Content-Length", "\(Int(length))"))
        }
        try Memory.check()
        if isHead { return Reply(status: status, headers: HeaderBlock(headers), length: 0) }
        return Reply(
            status: status, headers: HeaderBlock(headers), body: made.body, length: made.length, file: made.file,
            items: made.items)
    }

    /// Adds Vary, because the response depends on the Accept header.
    private static func addVary(_ headers: inout [HeaderField]) {
        var hasAccept = false
        for field in headers where field.name.isName("vary") {
            ListElements.each(field.value, escapes: false) { hasAccept = hasAccept || $0 == "*" || $0.isName("accept") }
        }
        if !hasAccept { headers.append(HeaderField("Vary", "Accept")) }
    }

    /// A body that is ready to be sent.
    struct Made {
        var body = Text.empty
        var length: Int64? = 0
        var file: ReplyFile?
        var items: ReplyItems?
    }

    func body(_ reason: Bytes) -> Failure { Failure(.body, "\(label): \(reason)") }

    func refused(_ status: Int32, _ header: Bytes, _ reason: Bytes, _ allowed: [Bytes]) -> Failure {
        Failure(.value, "\(label): \(reason)") {
            $0.httpStatus = status
            $0.pointer = "/headers/\(header)"
            $0.parameter = header
            $0.allowed = allowed
        }
    }

    private func typeName(_ type: Int) -> Bytes {
        let types = received.router.router.description.types
        return types.indices.contains(type) && !types[type].name.isEmpty ? "the type \(types[type].name)" : "a type"
    }

    // MARK: - Status

    /// The declared result for a status; nil for an error that is not declared.
    ///
    /// - Throws: `unknown` for a status below 400 that is not declared.
    private func declared(_ status: Int32) throws(Failure) -> ResultDescription? {
        guard 200...599 ~= status else { throw Failure(.argument, "\(status) is not an HTTP status from 200 to 599") }
        if let found = operation.result(for: status), !isFallback(found) { return found }
        if status == 304 { return nil }
        if status >= 400 { return operation.errorResult(for: status) }
        let statuses = operation.description.results.filter { !$0.isError && !isFallback($0) }.map { $0.statuses }
        throw Failure(.unknown, "\(label) does not declare the status \(status); declared: \(statuses)") {
            $0.allowed = statuses.ordered()
        }
    }

    /// Whether a result applies to all other successes of an operation that also declares specific ones.
    private func isFallback(_ result: ResultDescription) -> Bool {
        result.lowest == 200 && result.highest == 299 && result.type == nil && !result.isEmpty && result.contents.isEmpty
            && operation.description.results.contains { !$0.isError && 200...299 ~= $0.lowest && $0.lowest == $0.highest }
    }

    private func usualStatus(_ isEmpty: Bool) -> Int32 {
        // A response to GET has a body; the program does not make it for HEAD.
        if isEmpty && conditions.isHead,
            let found = operation.description.results.first(where: {
                !$0.isError && 200...299 ~= $0.lowest && ($0.type != nil || !$0.contents.isEmpty)
            })
        {
            return found.lowest
        }
        var best: Int32?
        for result in operation.description.results where !result.isError && 200...299 ~= result.lowest {
            guard result.lowest == result.highest else { continue }
            // Without a body, a result without a type is preferred; with a body, a result that allows one.
            let fits = isEmpty ? result.type == nil : !result.isEmpty && result.lowest != 204 && result.lowest != 205
            if fits, best.map({ result.lowest < $0 }) ?? true { best = result.lowest }
        }
        if let best { return best }
        let candidates: [Int32] = isEmpty ? [204, 200, 202, 201] : [200, 201, 202, 203]
        for candidate in candidates {
            if let result = operation.result(for: candidate), !isFallback(result) { return candidate }
        }
        return candidates.first ?? 200
    }

    // MARK: - Location

    private func location() throws(Failure) -> Bytes? {
        switch options.location {
        case nil: return nil
        case .url(let url): return url
        case .call(let route, let name, let ids):
            var call = Call(operation: name)
            call.route = route
            call.ids = ids
            let request = try received.router.request(for: call)
            if let base = conditions.basePath {
                return request.query.isEmpty ? "\(base)\(request.path)" : "\(base)\(request.path)?\(request.query)"
            }
            return Self.withoutHost(Bytes(request.url.buffer))
        }
    }

    /// The path and the query of a URL, because the host that clients use for the service is not known.
    private static func withoutHost(_ url: Bytes) -> Bytes {
        let bytes = url.storage
        guard bytes.first != UInt8(ascii: "/"), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let host = bytes[min(colon &+ 3, bytes.count)...]
        guard let start = host.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else { return "/" }
        return bytes[start] == UInt8(ascii: "/") ? Bytes(bytes[start...]) : "/\(Bytes(bytes[start...]))"
    }
}

extension ReplyContent {
    var isNone: Bool { if case .none = self { true } else { false } }
}
