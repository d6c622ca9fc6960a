// Clients: what joins the core's requests and mapping with the layer that performs.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments
internal import RoutablePerform

/// A client with its base, checked once.
final class ClientObject: Sendable {
    let client: Client
    private let base: Base?

    init(_ client: Client, _ base: Base?) {
        self.client = client
        self.base = base
    }

    func exchange(_ request: Request) -> Exchange {
        Exchange(written: request, url: url(of: request))
    }

    func url(of request: Request) -> SharedText { base.map { SharedText(request.url(below: $0)) } ?? request.url }

    func perform(_ request: Request, _ given: PolicyChanges?) throws(Failure) -> Response {
        let changes = PolicyChanges.of(request, given)
        let answer: Answer
        do throws(Failure) {
            var exchange = exchange(request)
            let authorization = try authorization(request, &exchange, changes)
            answer = try client.perform(exchange, changes, authorization, of: request.plan)
        } catch {
            throw error.about(route: request.route.bytes, operation: request.operation.bytes)
        }
        return try request.plan.router.map(answer, to: request.plan, request.headers)
    }
}

extension ClientOptions {
    init(_ given: routable_client_options) throws(Failure) {
        self.init()
        let flags = UInt32(ROUTABLE_CLIENT_NO_REDIRECTS | ROUTABLE_CLIENT_NO_COMPRESSION | ROUTABLE_CLIENT_TIMINGS)
        try check(flags: given.flags, within: flags, "options.flags")
        base = optionalName(given.base)
        userAgent = optionalName(given.user_agent) ?? "routable/\(Bytes(stringLiteral: versionText))"
        caFile = optionalName(given.ca_file)
        certificateFile = optionalName(given.certificate_file)
        keyFile = optionalName(given.key_file)
        proxy = optionalName(given.proxy)
        noProxy = optionalName(given.no_proxy)
        if given.deadline_ms != 0 { deadlineMilliseconds = given.deadline_ms }
        if given.connect_timeout_ms != 0 { connectTimeoutMilliseconds = given.connect_timeout_ms }
        if given.max_response_bytes != 0 { maximumResponseBytes = given.max_response_bytes }
        if given.max_redirects != 0 { maximumRedirects = Int(min(given.max_redirects, 1000)) }
        followsRedirects = given.flags & UInt32(ROUTABLE_CLIENT_NO_REDIRECTS) == 0
        decompresses = given.flags & UInt32(ROUTABLE_CLIENT_NO_COMPRESSION) == 0
        takesTimes = given.flags & UInt32(ROUTABLE_CLIENT_TIMINGS) != 0
        retry.limit = Int(min(given.retries, 100))
        if given.retry_delay_ms > 0 { retry.delayMilliseconds = given.retry_delay_ms }
        if given.retry_longest_ms > 0 { retry.longestMilliseconds = given.retry_longest_ms }
        maximumActive = Int(min(given.max_active, 65536))
        maximumActivePerHost = Int(min(given.max_active_per_host, 65536))
        maximumPending = Int(given.max_pending)
    }
}

extension PolicyChanges {
    /// nil for NULL.
    static func read(_ pointer: UnsafePointer<routable_policy>?) throws(Failure) -> PolicyChanges? {
        guard pointer != nil else { return nil }
        let given = try options(pointer, routable_policy(), "policy")
        try check(flags: given.flags, within: UInt32(ROUTABLE_POLICY_UNQUEUED | ROUTABLE_POLICY_NO_AUTH | ROUTABLE_POLICY_TIMINGS), "policy.flags")
        var changes = PolicyChanges()
        changes.takesTimes = given.flags & UInt32(ROUTABLE_POLICY_TIMINGS) != 0
        changes.sendsCredentials = given.flags & UInt32(ROUTABLE_POLICY_NO_AUTH) == 0
        if given.credential != nil {
            let own = try options(given.credential, routable_credential(), "policy.credential")
            let values = try CredentialValues(own)
            let name = try nameText(own.scheme, "policy.credential.scheme")
            try values.validate(name)
            changes.credential = Credential(name, values)
        }
        changes.isQueued = given.flags & UInt32(ROUTABLE_POLICY_UNQUEUED) == 0
        if given.deadline_ms != 0 { changes.deadlineMilliseconds = given.deadline_ms }
        if given.max_response_bytes != 0 { changes.maximumResponseBytes = given.max_response_bytes }
        if given.retry_delay_ms > 0 { changes.retryDelayMilliseconds = given.retry_delay_ms }
        if given.retries != 0 { changes.retries = Int(max(0, given.retries)) }
        if given.max_redirects < 0 { changes.followsRedirects = false }
        if given.max_redirects > 0 {
            changes.followsRedirects = true
            changes.maximumRedirects = Int(given.max_redirects)
        }
        return changes
    }
}

@_cdecl("routable_client_new") @implementation
public func routable_client_new(
    _ given: UnsafePointer<routable_client_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let choices = try ClientOptions(try options(given, routable_client_options(), "options"))
        var base: Base?
        if let source = choices.base { base = try Base(source) }
        out.pointee = Handle.make(ClientObject(try Client.make(choices), base))
    }
}

@_cdecl("routable_client_free") @implementation
public func routable_client_free(_ client: OpaquePointer?) {
    guard let client else { return }
    Handle.object(client, ClientObject.self).client.close()
    Handle.free(client, ClientObject.self)
}

@_cdecl("routable_client_perform") @implementation
public func routable_client_perform(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        out.pointee = Handle.make(try client.perform(try Handle.required(request, Request.self, "request"), nil))
    }
}

@_cdecl("routable_client_perform_with") @implementation
public func routable_client_perform_with(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        out.pointee = Handle.make(try client.perform(request, try .read(policy)))
    }
}

extension ClientObject {
    /// The request as it goes out, with the credentials at hand; those that are missing are left out.
    func curlLine(_ request: Request, showsSecrets: Bool) throws(Failure) -> Bytes {
        var exchange = exchange(request)
        if let authorization = try? authorization(request, &exchange, nil), let shown = try? authorization.shown() {
            exchange = shown
        }
        if exchange.headers.index(of: "user-agent") == nil, let agent = client.options.userAgent, !agent.isEmpty {
            exchange.headers.set(HeaderField("User-Agent", agent))
        }
        var line = CurlLine(
            method: exchange.method, url: exchange.url.bytes, headers: exchange.headers, body: exchange.body,
            streams: request.streams)
        line.secretHeaders = exchange.secretHeaders
        line.decompresses = client.options.decompresses
        return line.text(hiding: showsSecrets ? nil : request.plan.router.description.authSchemes)
    }
}

@_cdecl("routable_client_to_curl") @implementation
public func routable_client_to_curl(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        try check(flags: flags, within: UInt32(ROUTABLE_SHOW_SECRETS), "flags")
        out.pointee = routable_string(copying: try client.curlLine(request, showsSecrets: flags != 0))
    }
}
