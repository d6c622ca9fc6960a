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
        case name = 6
        case connect = 7
        case partial = 18
        case timeout = 28
        case tls = 35
        case empty = 52
        case reset = 56
    }

    let replies = CannedReplies()

    public init() {}

    /// Adds a response.  A request receives the first matching response that has uses left.
    ///
    /// - Parameter operation: "read"; nil for any.
    /// - Parameter route: "user.status"; "" for standalone operations; nil for any.
    /// - Parameter times: the exact number of requests that receive it; nil for any number.
    /// - Throws: `argument` and `header` for an invalid response.
    public func add(
        _ operation: String? = nil, route: String? = nil, status: Int = 200, headers: [HeaderField] = [], body: String = "",
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

    /// - Throws: `callback` if a request had no response, or if a response was not used `times` times.
    public func check() throws(Failure) { try replies.check() }

    /// A `Client` asks the responses directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "canned responses can only be the transport of a Client")
    }
}
