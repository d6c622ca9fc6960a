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
    /// What a network does instead of a response.
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

    /// Adds a response; a request gets the first that is for it and not used up.
    ///
    /// - Parameter operation: "read"; nil for any.
    /// - Parameter route: "user.status"; "" for standalone operations; nil for any.
    /// - Parameter times: how many requests it answers, exactly; nil for any number.
    /// - Throws: `argument` and `header` for what no service could send.
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

    /// What was sent, in order.
    public var requests: [TransportRequest] { replies.requests.map { TransportRequest($0) } }

    /// - Throws: `callback` when a request had no response, or a response was not used as often as it says.
    public func check() throws(Failure) { try replies.check() }

    /// A `Client` asks the responses directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "canned responses are the transport of a Client")
    }
}
