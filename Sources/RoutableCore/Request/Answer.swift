// A response of a service, before it is mapped.

/// A response as received from the network or from another HTTP client, before it is mapped.
public struct Answer: Sendable {
    /// The HTTP status.
    public var status: Int32
    package var headers: HeaderBlock
    /// After content decoding.
    package var body: Text
    /// The URL after redirects; empty if the host performed the request.
    package var url: Text
    /// Whether the body is not in memory, and therefore not validated.
    public var isElsewhere = false
    /// The timings and the attempts, if the client records them.
    public var trace: Trace?
    /// The version of HTTP: 11 for HTTP/1.1, 20 for HTTP/2; 0 if it is unknown.
    public var httpVersion: Int32 = 0
    /// Whether its response keeps the parsed body.
    package var keepsDocument = false
    /// The time until which its body may be validated, in milliseconds of the monotonic clock.
    package var deadline = Int64.max
    /// What the request was sent with; nil for who did not send it.
    package var sent: SentContent?

    package init(status: Int32, headers: HeaderBlock, body: Text, url: Text, isElsewhere: Bool = false) {
        self.isElsewhere = isElsewhere
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// Creates a response, for a transport.
    public init(status: Int32, headers: [HeaderField], body: Bytes, url: Bytes = Bytes()) {
        self.init(
            status: status, headers: HeaderBlock(headers), body: Text(body),
            url: url.isEmpty ? .empty : Text(url))
    }
}
