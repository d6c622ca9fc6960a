// The options of the engine, which are the options of a client in C and Python (docs/client.md).

internal import RoutableClient
public import RoutableCore

extension EngineTransport {
    /// The options of the engine, as in the table of docs/client.md.  nil selects the default.
    public struct Options: Sendable {
        // MARK: Time and size

        /// The deadline of a request with all its redirects and retries; nil for 60 seconds.
        public var deadline: Duration?
        /// The time limit for a connection; nil for 10 seconds.
        public var connectTimeout: Duration?
        /// The time without a byte sent or received after which an attempt fails, rounded up to seconds; nil for no limit, and for
        /// 120 seconds for streams.
        public var stallTimeout: Duration?
        /// The maximum size of a response body in bytes, after content decoding; nil for 64 MiB.
        public var maximumResponseBytes: Int?

        // MARK: Retries and redirects

        /// The maximum number of retries, up to 100; nil for no retries.
        public var retries: Int?
        /// The delay before the first retry, which doubles with each further retry; nil for 0.5 seconds.
        public var retryDelay: Duration?
        /// The maximum delay before a retry, also for `Retry-After`; nil for 60 seconds.
        public var maximumRetryDelay: Duration?
        /// Whether the transport follows redirects.
        public var followsRedirects = true
        /// The maximum number of redirects; nil for 10.
        public var maximumRedirects: Int?
        /// Whether the transport follows redirects from https to http.
        public var allowsInsecureRedirects = false

        // MARK: Contents of requests and responses

        /// The User-Agent; nil for "routable/" and the version of the library; empty for none.
        public var userAgent: String?
        /// Headers for each request that does not have them.  They are treated as secrets, and not sent to another origin after a
        /// redirect or a link.
        public var headers: [HeaderField] = []
        /// Headers that are sent with each request to their origin, for example "https://cdn.example".  They are treated as
        /// secrets.
        public var originHeaders: [(origin: String, field: HeaderField)] = []
        /// Percent-encoded text that is added to the query of each request.  It is not treated as a secret.
        public var query = ""
        /// The file from which cookies are read, if it exists; empty keeps cookies in memory only; nil disables cookies.
        public var cookieFile: String?
        /// Whether the transport requests compressed responses.
        public var requestsCompression = true
        /// Whether a response body that is not valid against the declared type is a failure, `response`.
        public var deviations = DeviationPolicy.report
        /// Whether the `trace` of a response or a failure has timings (docs/observe.md).
        public var takesTimes = false

        // MARK: Connections

        /// A PEM file of the only trusted certificates; nil for those of the system (docs/client.md, "Certificates").
        public var certificateAuthorities: String?
        /// A PEM file with the client certificate.
        public var certificateFile: String?
        /// A PEM file with the private key of the client certificate.
        public var keyFile: String?
        /// Whether the transport verifies TLS certificates and host names.  false accepts any certificate, for tests only.
        public var verifiesCertificates = true
        /// The URL of a proxy; empty for none; nil for the proxy of the environment.
        public var proxy: String?
        /// Hosts to reach without the proxy, separated by commas; nil for `no_proxy` of the environment.
        public var noProxy: String?
        /// The path of a socket to connect to instead of the host of the URL; proxies are then not used.
        public var unixSocket: String?
        /// A file with users and passwords of hosts, in the format of curl: they are sent to their hosts, with requests that have no
        /// Authorization header.  Empty for `~/.netrc`; nil for no file.
        public var netrcFile: String?
        /// Whether requests are sent with the credentials of the client.
        public var sendsCredentials = true

        // MARK: Requests at the same time

        /// The maximum number of requests in progress; the others are queued.  nil for 256.
        public var maximumActive: Int?
        /// The maximum number of requests in progress for one scheme, host and port; nil for 64.
        public var maximumActivePerHost: Int?
        /// The maximum number of requests that are in progress or queued; a further request fails.  nil for 1,000,000.
        public var maximumPending: Int?

        /// The default options.
        public init() {}
    }
}

extension EngineTransport.Options {
    /// The same options for the client of C and Python.
    package var forClient: ClientOptions {
        var options = ClientOptions()
        if let deadline { options.deadlineMilliseconds = deadline.milliseconds }
        if let connectTimeout { options.connectTimeoutMilliseconds = connectTimeout.milliseconds }
        if let stallTimeout { options.stallTimeoutMilliseconds = stallTimeout.milliseconds }
        if let maximumResponseBytes { options.maximumResponseBytes = maximumResponseBytes }
        if let retries { options.retry.limit = retries }
        if let retryDelay { options.retry.delayMilliseconds = retryDelay.milliseconds }
        if let maximumRetryDelay { options.retry.maximumDelayMilliseconds = maximumRetryDelay.milliseconds }
        options.followsRedirects = followsRedirects
        if let maximumRedirects { options.maximumRedirects = maximumRedirects }
        options.allowsInsecureRedirects = allowsInsecureRedirects
        options.userAgent = userAgent.map { Bytes($0) }
        options.headers = headers
        options.originHeaders = originHeaders.map { OriginHeader(Bytes($0.origin), $0.field) }
        options.query = Bytes(query)
        options.cookieFile = cookieFile.map { Bytes($0) }
        options.decompresses = requestsCompression
        options.deviations = deviations
        options.takesTimes = takesTimes
        options.caFile = certificateAuthorities.map { Bytes($0) }
        options.certificateFile = certificateFile.map { Bytes($0) }
        options.keyFile = keyFile.map { Bytes($0) }
        options.verifiesCertificates = verifiesCertificates
        options.proxy = proxy.map { Bytes($0) }
        options.noProxy = noProxy.map { Bytes($0) }
        options.unixSocket = unixSocket.map { Bytes($0) }
        options.netrcFile = netrcFile.map { Bytes($0) }
        options.sendsNoCredentials = !sendsCredentials
        if let maximumActive { options.maximumActive = maximumActive }
        if let maximumActivePerHost { options.maximumActivePerHost = maximumActivePerHost }
        if let maximumPending { options.maximumPending = maximumPending }
        return options
    }
}
