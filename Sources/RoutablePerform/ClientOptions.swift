// The options of a client, for all its requests, and the policy of one transfer.

internal import CCurl
package import RoutableCore

/// The options of a client.  0 is the default.
package struct ClientOptions: Sendable {
    /// Replaces the base that a request was built with; applied by the layer above.
    package var base: Bytes?
    /// The description that the client belongs to; nil for that of the first request.
    package var router: Router?
    /// The User-Agent of requests without this header; nil is "routable/VERSION".
    package var userAgent: Bytes?
    /// A file of trusted certificates in PEM, which replaces that of the system.
    package var caFile: Bytes?
    /// The client certificate and its key, files in PEM.
    package var certificateFile: Bytes?
    package var keyFile: Bytes?
    /// The URL of a proxy; empty for none; nil for the environment variables (https_proxy and others).
    package var proxy: Bytes?
    /// Set by `checked`: if there is no proxy here and in the environment, no transfer looks for one.
    private(set) var mayUseProxy = true
    /// Hosts that are reached without the proxy, separated by commas; nil for the environment variables.
    package var noProxy: Bytes?
    /// The deadline of a transfer, including its redirects and retries; negative for none.
    package var deadlineMilliseconds: Int64 = Default.deadlineMilliseconds
    package var connectTimeoutMilliseconds: Int64 = Default.connectTimeoutMilliseconds
    /// The limit of a body, after content decoding.
    package var maximumResponseBytes = Limits.responseBytes
    /// The maximum number of redirects of a transfer; more are a failure.
    package var maximumRedirects = Default.redirects
    /// If false, a response that redirects is the result.
    package var followsRedirects = true
    /// Whether responses may be compressed.
    package var decompresses = true
    package var retry = RetryRules()
    /// The maximum number of submitted transfers that run at the same time, in total and for each origin; others wait.
    package var maximumActive = Default.active
    package var maximumActivePerHost = Default.activePerHost
    /// The maximum number of transfers that are submitted and not ended.
    package var maximumPending = Default.pending
    /// Whether the phases of each transfer are timed.
    package var takesTimes = false
    /// Whether a body that differs from the declaration of its operation is a failure; checked by the layer above.
    package var deviations = DeviationPolicy.report
    /// A transfer ends if it receives and sends no byte in this time; 0 for the default (none; for streams 120 s), negative for none.
    package var stallTimeoutMilliseconds: Int64 = 0
    /// Whether a redirect may lead from https to http.
    package var allowsInsecureRedirects = false
    /// If false, any certificate of a peer is accepted: for tests.
    package var verifiesCertificates = true
    /// Added to each request of the client's description that does not have a header with this name.  The values are secrets: they are
    /// masked, and not sent to other origins.
    package var headers: [HeaderField] = []
    /// Such headers for the requests to one origin.
    package var originHeaders: [OriginHeader] = []
    /// Added to the query of each request of the client's description, percent-encoded; not a secret.
    package var query = Bytes()
    /// Connections go to this socket, independent of the host of the URL.
    package var unixSocket: Bytes?
    /// The client stores cookies, and reads them from this file; empty: in memory only; nil: no cookies.
    package var cookieFile: Bytes?
    /// libcurl reads the credentials of hosts from this file; empty for ~/.netrc; nil: from no file.
    package var netrcFile: Bytes?
    /// Whether requests are sent without the credentials of the client.
    package var sendsNoCredentials = false
    /// Sets options of each handle of libcurl.
    package var handleSetup: HandleSetup?
    /// Replies to requests instead of libcurl, which is then not opened.
    package var transport: HostTransport?
    /// Whether the transport is a tape, under which there can be libcurl.
    package var isTaped = false
    /// What the tape records with libcurl; it has the cookies.
    package var recorded: ConnectionPool?

    package init() {}

    package enum Default {
        package static let deadlineMilliseconds: Int64 = 60_000
        static let connectTimeoutMilliseconds: Int64 = 10_000
        static let redirects = 10
        static var userAgent: Bytes { "routable/\(Bytes(static: Version.text))" }
        static let active = 256
        static let activePerHost = 64
        static let pending = 1_000_000
    }

    /// The limit of all header lines of a response: the limit of libcurl itself is 300 KB in some versions, and higher in others.
    static let headBytes = min(Limits.responseHeaderBytes, 256 << 10)

    /// These options with all defaults; failures have the statuses `header`, `url`, `unsupported` and `argument`.
    func checked() throws(Failure) -> ClientOptions {
        var options = self
        options.userAgent = try HeaderField.checked("User-Agent", userAgent ?? Default.userAgent).value
        try Self.check(caFile, "ca_file", "the name of the CA file")
        try Self.check(certificateFile, "certificate_file", "the name of the certificate file")
        try Self.check(keyFile, "key_file", "the name of the key file")
        if let proxy, proxy.storage.contains(where: ASCII.isControl) || proxy.storage.contains(0x20) {
            throw Failure(.url, "the URL of the proxy has a space or a control character") { $0.parameter = "proxy" }
        }
        if deadlineMilliseconds == 0 { options.deadlineMilliseconds = Default.deadlineMilliseconds }
        if connectTimeoutMilliseconds <= 0 { options.connectTimeoutMilliseconds = Default.connectTimeoutMilliseconds }
        if maximumResponseBytes <= 0 { options.maximumResponseBytes = Limits.responseBytes }
        if maximumRedirects <= 0 { options.maximumRedirects = Default.redirects }
        if maximumActive <= 0 { options.maximumActive = Default.active }
        if maximumActivePerHost <= 0 { options.maximumActivePerHost = Default.activePerHost }
        if maximumPending <= 0 { options.maximumPending = Default.pending }
        options.maximumActive = min(options.maximumActive, 65536)
        // libcurl stores milliseconds in an int; a limit of 24 days is as good as none.
        options.deadlineMilliseconds = min(options.deadlineMilliseconds, Int64(Int32.max))
        options.connectTimeoutMilliseconds = min(options.connectTimeoutMilliseconds, Int64(Int32.max))
        options.retry = retry.checked
        for field in headers { try Self.check(field) }
        options.originHeaders = []
        for var each in originHeaders {
            try Self.check(each.field)
            each.place = Origin(of: Text(each.origin))
            if each.place == nil {
                throw Failure(.url, "the origin of the header \(each.field.name.printable) is not an http or https URL") {
                    $0.parameter = "origin_headers"
                }
            }
            options.originHeaders.append(each)
        }
        if query.storage.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "#") }) {
            throw Failure(.url, "the client's query contains a character that must be percent-encoded") {
                $0.parameter = "query"
            }
        }
        try Self.check(unixSocket, "unix_socket", "the name of the socket")
        if unixSocket != nil { options.proxy = Bytes() }
        if cookieFile != nil, transport != nil, !isTaped {
            throw Failure(.unsupported, "cookies require libcurl, which a client with a transport does not use") {
                $0.parameter = "cookie_file"
            }
        }
        if netrcFile != nil, transport != nil, !isTaped {
            throw Failure(.unsupported, "a netrc file requires libcurl, which a client with a transport does not use") {
                $0.parameter = "netrc_file"
            }
        }
        if let netrcFile, !netrcFile.isEmpty { try Self.check(netrcFile, "netrc_file", "the name of the netrc file") }
        options.mayUseProxy = options.proxy.map { !$0.isEmpty } ?? (ccurl_environment_has_proxy() != 0)
        return options
    }

    private static func check(_ field: HeaderField) throws(Failure) {
        let field = try HeaderField.checked(field.name, field.value)
        if field.name.equalsIgnoringCase("content-length") || field.name.equalsIgnoringCase("transfer-encoding") {
            throw Failure(.header, "the client options cannot set the header \(field.name.printable)") {
                $0.parameter = field.name
            }
        }
    }

    private static func check(_ file: Bytes?, _ parameter: Bytes, _ what: Bytes) throws(Failure) {
        if let file, file.isEmpty || file.storage.contains(0) {
            throw Failure(.argument, "\(what) is empty or has a NUL") { $0.parameter = parameter }
        }
    }

    /// The policy of a request without overrides.
    var policy: TransferPolicy {
        TransferPolicy(
            deadlineMilliseconds: deadlineMilliseconds,
            rules: TransferState.Rules(
                bodyBytes: maximumResponseBytes, headBytes: Self.headBytes, redirects: maximumRedirects,
                followsRedirects: followsRedirects, retry: retry, stallMilliseconds: max(0, stallTimeoutMilliseconds),
                allowsInsecureRedirects: allowsInsecureRedirects),
            isTimed: takesTimes)
    }
}

/// A header of the requests to one origin.
package struct OriginHeader: Sendable {
    let origin: Bytes
    let field: HeaderField
    fileprivate(set) var place: Origin?

    package init(_ origin: Bytes, _ field: HeaderField) {
        self.origin = origin
        self.field = field
    }
}

/// A function of the program that sets options of a libcurl handle with curl_easy_setopt.  A result other than 0 is a failure.
package final class HandleSetup: Sendable {
    let call: @Sendable (UnsafeMutableRawPointer, OpaquePointer) -> Int32
    package init(_ call: @escaping @Sendable (UnsafeMutableRawPointer, OpaquePointer) -> Int32) { self.call = call }
}

extension Exchange {
    /// Adds the query and the headers of the client that the request does not have.
    ///
    /// - Parameter isOwn: whether the request belongs to the client's description; only such requests get the query and the headers that
    ///   are not for one origin.
    package mutating func complete(_ options: ClientOptions, isOwn: Bool) {
        if isOwn {
            if !options.query.isEmpty {
                url = Text("\(url.bytes)\(url.bytes.storage.contains(UInt8(ascii: "?")) ? "&" : "?")\(options.query)")
            }
            for field in options.headers { add(field) }
        }
        if options.originHeaders.isEmpty { return }
        let there = Origin(of: url)
        for each in options.originHeaders where each.place == there { add(each.field) }
    }

    private mutating func add(_ field: HeaderField) {
        let isAccept = hasBuiltAccept && field.name.isName("accept")
        if isAccept {
            headers.remove(field.name)
            hasBuiltAccept = false
        }
        if headers.value(of: field.name) != nil { return }
        headers.append(field)
        secretHeaders.append(field.name)
    }
}

/// The limits of one transfer, combined from all levels.
package struct TransferPolicy: Sendable {
    /// The time limit for all attempts; negative for none.
    package var deadlineMilliseconds: Int64
    private(set) var sharedRules: TransferState.SharedRules
    package var isTimed = false
    /// The record of the transfer; nil as long as there is nothing to record.
    var recorder: TraceRecorder?

    init(deadlineMilliseconds: Int64, rules: TransferState.Rules, isTimed: Bool = false) {
        self.deadlineMilliseconds = deadlineMilliseconds
        self.isTimed = isTimed
        sharedRules = TransferState.SharedRules(rules)
    }

    /// Setting the rules allocates.
    package var rules: TransferState.Rules {
        get { sharedRules.rules }
        set { sharedRules = TransferState.SharedRules(newValue) }
    }
}

extension RetryRules {
    /// These rules within the supported limits: at most `maximumCount` retries, and delays of at most a day.
    package var checked: RetryRules {
        RetryRules(
            limit: max(0, min(limit, Self.maximumCount)), delayMilliseconds: max(0, min(delayMilliseconds, 86_400_000)),
            maximumDelayMilliseconds: max(0, min(maximumDelayMilliseconds, 86_400_000)))
    }
}
