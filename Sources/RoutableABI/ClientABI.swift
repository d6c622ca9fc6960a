// Clients: their options, their policies, and requests performed one at a time.

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments
internal import RoutableMock

extension ClientOptions {
    init(_ given: routable_client_options) throws(Failure) {
        self.init()
        transport = HostTransport.read(given)  // first: a failure releases its user_data
        let setup = HostData(given.setup_user_data, given.setup_release)
        if let function = given.setup {
            handleSetup = HandleSetup {
                Int32(truncatingIfNeeded: function($0, unsafeBitCast($1, to: routable_setopt_fn.self), setup.pointer).rawValue)
            }
        }
        let flags = UInt32(
            ROUTABLE_CLIENT_NO_REDIRECTS | ROUTABLE_CLIENT_NO_COMPRESSION | ROUTABLE_CLIENT_TIMINGS
                | ROUTABLE_CLIENT_CHECK_BODIES | ROUTABLE_CLIENT_INSECURE_REDIRECTS | ROUTABLE_CLIENT_NO_VERIFY
                | ROUTABLE_CLIENT_NO_AUTH)
        try check(flags: given.flags, within: flags, "options.flags")
        base = optionalName(given.base)
        router = given.router.map { Handle.knownRouter($0) }
        userAgent = optionalName(given.user_agent)
        caFile = optionalName(given.ca_file)
        certificateFile = optionalName(given.certificate_file)
        keyFile = optionalName(given.key_file)
        proxy = optionalName(given.proxy)
        noProxy = optionalName(given.no_proxy)
        if given.deadline_ms != 0 { deadlineMilliseconds = given.deadline_ms }
        if given.connect_timeout_ms != 0 { connectTimeoutMilliseconds = given.connect_timeout_ms }
        if given.max_response_bytes != 0 { maximumResponseBytes = given.max_response_bytes }
        if given.max_redirects != 0 { maximumRedirects = Int(given.max_redirects) }
        followsRedirects = given.flags & UInt32(ROUTABLE_CLIENT_NO_REDIRECTS) == 0
        decompresses = given.flags & UInt32(ROUTABLE_CLIENT_NO_COMPRESSION) == 0
        takesTimes = given.flags & UInt32(ROUTABLE_CLIENT_TIMINGS) != 0
        let checks = given.flags & UInt32(ROUTABLE_CLIENT_CHECK_BODIES) != 0
        deviations = try DeviationPolicy.read(given.deviations, "options.deviations") ?? (checks ? .raise : .report)
        allowsInsecureRedirects = given.flags & UInt32(ROUTABLE_CLIENT_INSECURE_REDIRECTS) != 0
        verifiesCertificates = given.flags & UInt32(ROUTABLE_CLIENT_NO_VERIFY) == 0
        stallTimeoutMilliseconds = given.stall_timeout_ms
        headers = try [HeaderField](given.headers, given.header_count, "options.headers")
        if given.origin_header_count != 0 {
            guard let list = given.origin_headers else { throw .null("options.origin_headers") }
            if given.origin_header_count > 10_000 {
                throw Failure(.limit, "options.origin_headers has more than 10000 headers")
            }
            for each in UnsafeBufferPointer(start: list, count: given.origin_header_count) {
                let field = HeaderField(
                    try each.name.bytes("options.origin_headers.name"), try each.value.bytes("options.origin_headers.value"))
                originHeaders.append(OriginHeader(try nameText(each.origin, "options.origin_headers.origin"), field))
            }
        }
        query = optionalName(given.query) ?? Bytes()
        unixSocket = optionalName(given.unix_socket)
        netrcFile = optionalName(given.netrc_file)
        sendsNoCredentials = given.flags & UInt32(ROUTABLE_CLIENT_NO_AUTH) != 0
        cookieFile = optionalName(given.cookie_file)
        retry.limit = Int(min(given.retries, 100))
        if given.retry_delay_ms > 0 { retry.delayMilliseconds = given.retry_delay_ms }
        if given.max_retry_delay_ms > 0 { retry.maximumDelayMilliseconds = given.max_retry_delay_ms }
        maximumActive = Int(min(given.max_active, 65536))
        maximumActivePerHost = Int(min(given.max_active_per_host, 65536))
        maximumPending = Int(given.max_pending)
        // Last: it may record with all the other options.
        if let tape = given.tape { try Handle.object(tape, Tape.self).attach(to: &self) }
    }
}

extension DeviationPolicy {
    /// nil for the default.
    fileprivate static func read(_ given: routable_deviation_policy, _ what: Bytes) throws(Failure) -> DeviationPolicy? {
        if given.rawValue == 0 { return nil }
        guard let number = UInt32(exactly: given.rawValue), let policy = DeviationPolicy(rawValue: number) else {
            throw Failure(.argument, "\(what) is \(Int(given.rawValue)), which is no routable_deviation_policy")
        }
        return policy
    }
}

extension RequestPolicy {
    /// nil for NULL.
    static func read(_ pointer: UnsafePointer<routable_policy>?) throws(Failure) -> RequestPolicy? {
        guard pointer != nil else { return nil }
        let given = try options(pointer, routable_policy(), "policy")
        var policy = RequestPolicy()
        // This must be first: a failure releases the user_data of the credential.
        if given.credential != nil {
            let own = try options(given.credential, routable_credential(), "policy.credential")
            let credential = try Credential(own)
            try policy.setCredential(
                try nameText(own.scheme, "policy.credential.scheme"), credential, of: own.router.map { Handle.knownRouter($0) })
            if let owner = given.credential_request { policy.bind(to: Handle.object(owner, Request.self)) }
        }
        let flags = UInt32(
            ROUTABLE_POLICY_UNQUEUED | ROUTABLE_POLICY_NO_AUTH | ROUTABLE_POLICY_TIMINGS | ROUTABLE_POLICY_CHECK_BODIES
                | ROUTABLE_POLICY_KEEP_JSON | ROUTABLE_POLICY_ANY_STATUS)
        try check(flags: given.flags, within: flags, "policy.flags")
        policy.takesTimes = given.flags & UInt32(ROUTABLE_POLICY_TIMINGS) != 0
        let checks = given.flags & UInt32(ROUTABLE_POLICY_CHECK_BODIES) != 0
        policy.deviations = try DeviationPolicy.read(given.deviations, "policy.deviations") ?? (checks ? .raise : nil)
        policy.takesEveryStatus = given.flags & UInt32(ROUTABLE_POLICY_ANY_STATUS) != 0
        policy.keepsDocuments = given.flags & UInt32(ROUTABLE_POLICY_KEEP_JSON) != 0
        policy.sendsCredentials = given.flags & UInt32(ROUTABLE_POLICY_NO_AUTH) == 0
        policy.isQueued = given.flags & UInt32(ROUTABLE_POLICY_UNQUEUED) == 0
        if given.deadline_ms != 0 { policy.deadlineMilliseconds = given.deadline_ms }
        if given.max_response_bytes != 0 { policy.maximumResponseBytes = given.max_response_bytes }
        if given.stall_timeout_ms != 0 { policy.stallTimeoutMilliseconds = given.stall_timeout_ms }
        if given.retry_delay_ms != 0 { policy.retryDelayMilliseconds = max(0, given.retry_delay_ms) }
        let header = try given.idempotency_header.bytes("policy.idempotency_header")
        if !header.isEmpty { try policy.setIdempotencyHeader(header) }
        if given.retries != 0 { policy.retries = Int(max(0, given.retries)) }
        if given.max_redirects < 0 { policy.followsRedirects = false }
        if given.max_redirects > 0 {
            policy.followsRedirects = true
            policy.maximumRedirects = Int(given.max_redirects)
        }
        return policy
    }
}

@_cdecl("routable_operation_policy") @implementation
public func routable_operation_policy(_ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_policy>?) -> Int32 {
    guard let out, let rules = handle.flatMap({ Handle.object($0, OperationEntry.self).rules }) else { return 0 }
    var policy = routable_policy()
    policy.deadline_ms = rules.deadlineMilliseconds
    // 0 in a description is ROUTABLE_NONE in a policy, where 0 keeps the value of the client.
    policy.retry_delay_ms = stated(rules.retryDelayMilliseconds)
    policy.retries = Int32(truncatingIfNeeded: stated(Int64(rules.retries)))
    policy.idempotency_header = rules.keyHeader.map { routable_str($0) } ?? .empty
    let isEmpty =
        policy.deadline_ms == 0 && policy.retry_delay_ms == 0 && policy.retries == 0 && policy.idempotency_header.len == 0
    return isEmpty ? 0 : write(policy, out)
}

private func stated(_ number: Int64) -> Int64 { number < 0 ? 0 : number == 0 ? Int64(ROUTABLE_NONE) : number }

@_cdecl("routable_client_new") @implementation
public func routable_client_new(
    _ given: UnsafePointer<routable_client_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        // This must be first: a failure releases the user_data of the options.
        let choices = try ClientOptions(try options(given, routable_client_options(), "options"))
        let out = try required(out, "out")
        try Handle.give(try ClientCore.make(choices), out)
    }
}

@_cdecl("routable_client_free") @implementation
public func routable_client_free(_ client: OpaquePointer?) {
    guard let client else { return }
    Handle.object(client, ClientCore.self).close()
    Handle.free(client, ClientCore.self)
}

@_cdecl("routable_client_save_cookies") @implementation
public func routable_client_save_cookies(_ client: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?)
    -> routable_status
{
    attempt(error) { () throws(Failure) in try Handle.required(client, ClientCore.self, "client").saveCookies() }
}

@_cdecl("routable_client_perform") @implementation
public func routable_client_perform(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientCore.self, "client")
        let response = try client.perform(try Handle.required(request, Request.self, "request"))
        try Handle.give(response, out)
    }
}

@_cdecl("routable_client_perform_with") @implementation
public func routable_client_perform_with(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let policy = try RequestPolicy.read(policy)  // first: it takes over the credential
        let client = try Handle.required(client, ClientCore.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        let response = try client.perform(request, policy)
        try Handle.give(response, out)
    }
}

@_cdecl("routable_client_to_curl") @implementation
public func routable_client_to_curl(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        try check(flags: flags, within: UInt32(ROUTABLE_SHOW_SECRETS), "flags")
        try give(try client.curlLine(request, showsSecrets: flags != 0), out)
    }
}

// MARK: - Cookies

@_cdecl("routable_client_cookies") @implementation
public func routable_client_cookies(
    _ client: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.required(client, ClientCore.self, "client").cookies(), out)
    }
}

@_cdecl("routable_client_set_cookie") @implementation
public func routable_client_set_cookie(
    _ client: OpaquePointer?, _ line: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientCore.self, "client")
        let text = try line.bytes("line")
        try Memory.check()
        try client.setCookie(text)
    }
}

@_cdecl("routable_client_clear_cookies") @implementation
public func routable_client_clear_cookies(
    _ client: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try Handle.required(client, ClientCore.self, "client").clearCookies()
    }
}
