// Canned responses by operation, for tests of programs (docs/testing.md).

internal import RoutableClient
public import RoutableCore

/// Replies to requests with the added responses, and records the requests.
///
///     let responses = CannedResponses()
///     try responses.add("read", route: "user", body: #"{"name": "Fabian"}"#)
///     let client = Client(transport: responses)
///     ...
///     try responses.check()
public final class CannedResponses: Transport {
    /// A network failure instead of a response.
    public enum Fault: Int32, Sendable {
        /// The name of the host is not resolved.
        case name = 6
        /// The connection is refused.
        case connect = 7
        /// The body ends before its length.
        case partial = 18
        /// The transfer takes longer than allowed.
        case timeout = 28
        /// The TLS handshake fails.
        case tls = 35
        /// The service closes the connection without a response.
        case empty = 52
        /// The connection breaks.
        case reset = 56
    }

    let replies = CannedReplies()

    /// Creates a transport without responses: each request fails until a response is added.
    public init() {}

    /// Adds a response.  A request receives the first matching response that has uses left.
    ///
    /// The operation is a name such as `read`, or nil for any.  The route is dotted, such as `user.status`, empty for standalone
    /// operations, or nil for any.  Exactly `times` requests must receive the response; nil allows any number.
    ///
    /// - Throws: `argument` and `header` for an invalid response.
    public func add(
        _ operation: String? = nil, route: String? = nil, status: Int = 200, headers: [HeaderField] = [],
        body: String = "",
        fault: Fault? = nil, delay: Duration? = nil, times: Int? = 1
    ) throws(Failure) {
        var reply = TransportReply(Answer(status: status, headers: headers, body: body))
        reply.curlCode = fault?.rawValue ?? 0
        reply.delayMilliseconds = delay?.milliseconds ?? 0
        var rule = CannedReplies.Rule(reply)
        rule.route = route.map { Bytes($0) }
        rule.operation = operation.map { Bytes($0) }
        rule.times = times
        try replies.add(rule)
    }

    /// The requests, in order.
    public var requests: [TransportRequest] { replies.requests.map { TransportRequest($0) } }

    /// Checks that each request had a response, and that each response was used as often as `times` requires.
    ///
    /// - Throws: `callback` if a request had no response, or if a response was not used `times` times.
    public func check() throws(Failure) { try replies.check() }

    /// Replies to a request.  A `Client` does not call this function, but uses the responses directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "canned responses can only be the transport of a Client")
    }
}
