// How a client performs, said once for all its requests.

public import RoutableCore

/// The options of a client.  A number that is 0 stands for its default.
public struct ClientOptions: Sendable {
    /// Instead of the base that a request was built with; the layer above applies it.
    public var base: Bytes?
    /// The User-Agent of requests that bring none; nil is "routable".
    public var userAgent: Bytes?
    /// A file of certificates in PEM to trust instead of the system's.
    public var caFile: Bytes?
    /// For a whole perform with its redirects; negative for none.
    public var deadlineMilliseconds: Int64 = Default.deadlineMilliseconds
    public var connectTimeoutMilliseconds: Int64 = Default.connectTimeoutMilliseconds
    /// Of a body after content decoding.
    public var maximumResponseBytes = Limits.responseBytes
    /// How many redirects one perform follows; more are a failure.
    public var maximumRedirects = Default.redirects
    /// Without, an answer that redirects is the result.
    public var followsRedirects = true

    public init() {}

    enum Default {
        static let deadlineMilliseconds: Int64 = 60_000
        static let connectTimeoutMilliseconds: Int64 = 10_000
        static let redirects = 10
        static let userAgent: Bytes = "routable"
    }

    /// Of all header lines of an answer: libcurl itself ends at 300 KB in some versions, and later in others.
    static let headBytes = min(Limits.responseHeaderBytes, 256 << 10)

    /// The same with every default filled in; failures have the statuses `header` and `argument`.
    func checked() throws(Failure) -> ClientOptions {
        var options = self
        options.userAgent = try HeaderField.checked("User-Agent", userAgent ?? Default.userAgent).value
        if let caFile, caFile.isEmpty || caFile.storage.contains(0) {
            throw Failure(.argument, "the name of the CA file is empty or has a NUL") { $0.parameter = "ca_file" }
        }
        if deadlineMilliseconds == 0 { options.deadlineMilliseconds = Default.deadlineMilliseconds }
        if connectTimeoutMilliseconds <= 0 { options.connectTimeoutMilliseconds = Default.connectTimeoutMilliseconds }
        if maximumResponseBytes <= 0 { options.maximumResponseBytes = Limits.responseBytes }
        if maximumRedirects <= 0 { options.maximumRedirects = Default.redirects }
        // libcurl counts milliseconds in an int; 24 days are as good as none.
        options.deadlineMilliseconds = min(options.deadlineMilliseconds, Int64(Int32.max))
        options.connectTimeoutMilliseconds = min(options.connectTimeoutMilliseconds, Int64(Int32.max))
        return options
    }
}
