// The engine of the library: libcurl, opened when the first one is made, driven by a thread of the engine.

internal import RoutableClient
public import RoutableCore

/// Performs requests over libcurl with the engine of the library, with the redirects, retries, deadlines and limits of
/// docs/client.md.
public final class EngineTransport: Transport {
    /// The options of the engine.  nil selects the default.
    public struct Options: Sendable {
        /// The deadline of a request with all its redirects and retries; nil for the default.
        public var deadline: Duration?
        /// The time to connect; nil for the default.
        public var connectTimeout: Duration?
        /// The maximum number of retries; 0 for no retries, nil for the default.
        public var retries: Int?
        /// The maximum size of a response body in bytes, after content decoding; nil for the default.
        public var maximumResponseBytes: Int?
        /// The maximum number of redirects; nil for the default.
        public var maximumRedirects: Int?
        /// Whether the transport follows redirects.
        public var followsRedirects = true
        /// The User-Agent; nil for the default, "routable"; empty for none.
        public var userAgent: String?
        /// A PEM file of trusted certificates, which replaces libcurl's default file (docs/client.md, "Certificates").
        public var certificateAuthorities: String?
        /// The URL of a proxy; empty for none; nil for the proxy of the environment.
        public var proxy: String?
        /// The path of a socket to connect to instead of the host of the URL; proxies are then not used.
        public var unixSocket: String?
        /// The file from which cookies are read, if it exists; empty keeps cookies in memory only; nil disables cookies.
        public var cookieFile: String?
        /// Headers that are sent with each request to their origin, for example "https://cdn.example".  They are treated as
        /// secrets.
        public var originHeaders: [(origin: String, field: HeaderField)] = []
        /// Percent-encoded text that is added to the query of each request.
        public var query = ""
        /// The maximum number of requests in progress; the others are queued.  nil for the default.
        public var maximumActive: Int?
        /// The maximum number of requests in progress to one origin; nil for the default.
        public var maximumActivePerHost: Int?
        /// Whether the `trace` of a response or a failure has timings (docs/observe.md).
        public var takesTimes = false

        /// The default options.
        public init() {}
    }

    let client: ClientCore

    /// - Throws: `noCurl` if libcurl is not installed or is too old; `header`, `url`, `file` or `argument` for invalid options.
    public static func make(_ options: Options = Options()) throws(Failure) -> EngineTransport {
        let client = try ClientCore.make(options.forClient)
        try client.start()
        return EngineTransport(client)
    }

    private init(_ client: ClientCore) { self.client = client }

    deinit { client.close() }

    /// Writes the cookies to the file of the options, atomically and with mode 0600.
    ///
    /// - Throws: `file`; `argument` if the options have no file.
    public func saveCookies() throws(Failure) { try client.saveCookies() }

    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        var policy = RequestPolicy()
        policy.deadlineMilliseconds = request.deadline?.milliseconds
        if Task.isCancelled { throw .cancelled }
        let outcome = OneOutcome<Answer>()
        let transfer = AnswerTransfer(outcome)
        try client.submit(
            transfer, method: Bytes(request.method), url: Bytes(request.url), headers: request.headers,
            body: request.body, policy)
        return try await outcome.value(of: transfer)
    }
}

extension OneOutcome {
    /// The outcome of a submitted transfer, or `cancelled` when the task is cancelled first.
    func value(of transfer: SubmittedTransfer) async throws(Failure) -> Success {
        try await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            // A cancel that wins is the outcome; one that comes too late changes nothing.
            if transfer.cancel() { end(.failure(.cancelled)) }
        }.get()
    }
}

private final class AnswerTransfer: UnmappedTransfer, @unchecked Sendable {
    private let outcome: OneOutcome<Answer>
    init(_ outcome: OneOutcome<Answer>) { self.outcome = outcome }
    override func call() {
        do throws(Failure) { outcome.end(.success(try result())) } catch { outcome.end(.failure(error)) }
    }
}

extension EngineTransport.Options {
    fileprivate var forClient: ClientOptions {
        var options = ClientOptions()
        if let deadline { options.deadlineMilliseconds = deadline.milliseconds }
        if let connectTimeout { options.connectTimeoutMilliseconds = connectTimeout.milliseconds }
        if let retries { options.retry.limit = retries }
        if let maximumResponseBytes { options.maximumResponseBytes = maximumResponseBytes }
        if let maximumRedirects { options.maximumRedirects = maximumRedirects }
        options.followsRedirects = followsRedirects
        options.takesTimes = takesTimes
        options.userAgent = userAgent.map { Bytes($0) }
        options.caFile = certificateAuthorities.map { Bytes($0) }
        options.proxy = proxy.map { Bytes($0) }
        options.unixSocket = unixSocket.map { Bytes($0) }
        options.cookieFile = cookieFile.map { Bytes($0) }
        options.originHeaders = originHeaders.map { OriginHeader(Bytes($0.origin), $0.field) }
        options.query = Bytes(query)
        if let maximumActive { options.maximumActive = maximumActive }
        if let maximumActivePerHost { options.maximumActivePerHost = maximumActivePerHost }
        return options
    }
}

extension Duration {
    /// At least one where it is more than none, so that it does not become no limit at all.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        if overflows { return seconds < 0 ? 1 : Int64.max }
        return max(1, whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue)
    }
}
