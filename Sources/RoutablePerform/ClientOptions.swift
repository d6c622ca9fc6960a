// The options of a client, for all its requests, and the policy of one transfer.

internal import CCurl
package import RoutableCore

/// The options of a client.  0 is the default.
package struct ClientOptions: Sendable {
    /// Instead of the base that a request was built with; the layer above applies it.
    package var base: Bytes?
    /// The description that the client belongs to; nil for that of the first request.
    package var router: Router?
    /// The User-Agent of requests that bring none; nil is "routable/VERSION".
    package var userAgent: Bytes?
    /// A file of certificates in PEM to trust instead of the system's.
    package var caFile: Bytes?
    /// The client's own certificate and its key, files in PEM.
    package var certificateFile: Bytes?
    package var keyFile: Bytes?
    /// The URL of a proxy; empty for none; nil for what the environment says (https_proxy and so on).
    package var proxy: Bytes?
    /// Set by `checked`: without a proxy here and in the environment, no transfer looks for one.
    private(set) var mayUseProxy = true
    /// Hosts that are reached without the proxy, with commas; nil for what the environment says.
    package var noProxy: Bytes?
    /// For a whole perform with its redirects and retries; negative for none.
    package var deadlineMilliseconds: Int64 = Default.deadlineMilliseconds
    package var connectTimeoutMilliseconds: Int64 = Default.connectTimeoutMilliseconds
    /// Of a body after content decoding.
    package var maximumResponseBytes = Limits.responseBytes
    /// How many redirects one perform follows; more are a failure.
    package var maximumRedirects = Default.redirects
    /// Without, an answer that redirects is the result.
    package var followsRedirects = true
    /// Whether answers may come compressed.
    package var decompresses = true
    package var retry = RetryRules()
    /// How many submitted transfers run at once, in all and to one origin; the others wait their turn.
    package var maximumActive = Default.active
    package var maximumActivePerHost = Default.activePerHost
    /// How many transfers may be submitted and not ended.
    package var maximumPending = Default.pending
    /// Whether the parts of each transfer are timed.
    package var takesTimes = false
    /// Whether a body that is not what its operation declares is a failure; the layer above looks.
    package var deviations = DeviationPolicy.report
    /// Without a byte for so long a transfer ends; 0 for the default (none, and of streams 120 s), negative for none.
    package var stallTimeoutMilliseconds: Int64 = 0
    /// Whether a redirect may lead from https to http.
    package var allowsInsecureRedirects = false
    /// Without, any certificate of a peer does: for tests.
    package var verifiesCertificates = true
    /// Sent with each request of the client's description that has none of that name.  Their values are secrets: they are masked,
    /// and not sent to other origins.
    package var headers: [HeaderField] = []
    /// Of one origin, in the same way.
    package var originHeaders: [OriginHeader] = []
    /// Added to the query of each request of the client's description, percent-encoded; not a secret.
    package var query = Bytes()
    /// Connections go to this socket, whatever the URL's host.
    package var unixSocket: Bytes?
    /// Cookies are kept, and read from this file; empty: in memory only; nil: no cookies.
    package var cookieFile: Bytes?
    /// Credentials of hosts are read from this file by libcurl; empty for ~/.netrc; nil: from none.
    package var netrcFile: Bytes?
    /// Whether requests are sent without the credentials of the client.
    package var sendsNoCredentials = false
    /// Sets options of each handle of libcurl.
    package var handleSetup: HandleSetup?
    /// Answers requests instead of libcurl, which is then not opened.
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

    /// Of all header lines of an answer: libcurl itself ends at 300 KB in some versions, and later in others.
    static let headBytes = min(Limits.responseHeaderBytes, 256 << 10)

    /// The same with every default filled in; failures have the statuses `header` and `argument`.
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
        // libcurl counts milliseconds in an int; 24 days are as good as none.
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

    /// What holds for a request that says nothing of its own.
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

/// A function of the program that sets options of a libcurl handle with curl_easy_setopt.  Any other result than 0 fails.
package final class HandleSetup: Sendable {
    let call: @Sendable (UnsafeMutableRawPointer, OpaquePointer) -> Int32
    package init(_ call: @escaping @Sendable (UnsafeMutableRawPointer, OpaquePointer) -> Int32) { self.call = call }
}

extension Exchange {
    /// Adds what every request of a client has, and does not have itself.
    ///
    /// - Parameter isOwn: whether the request is one of the client's description; only these get what is not for one origin.
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
    /// Over all attempts; negative for none.
    package var deadlineMilliseconds: Int64
    private(set) var sharedRules: TransferState.SharedRules
    package var isTimed = false
    /// What is noted of the transfer; nil as long as there is nothing to note.
    var recorder: TraceRecorder?

    init(deadlineMilliseconds: Int64, rules: TransferState.Rules, isTimed: Bool = false) {
        self.deadlineMilliseconds = deadlineMilliseconds
        self.isTimed = isTimed
        sharedRules = TransferState.SharedRules(rules)
    }

    /// Setting them allocates.
    package var rules: TransferState.Rules {
        get { sharedRules.rules }
        set { sharedRules = TransferState.SharedRules(newValue) }
    }
}

extension RetryRules {
    /// The same within what can be counted: at most so many attempts, and waits of at most a day.
    package var checked: RetryRules {
        RetryRules(
            limit: max(0, min(limit, Self.maximumCount)), delayMilliseconds: max(0, min(delayMilliseconds, 86_400_000)),
            maximumDelayMilliseconds: max(0, min(maximumDelayMilliseconds, 86_400_000)))
    }
}
