// The protocol of transports: the engine of the library, URLSession, or a test.

public import RoutableCore

/// A complete, immutable request for a transport.
public struct TransportRequest: Sendable {
    /// The method.
    public let method: String
    /// The absolute URL.
    public let url: String
    /// The headers, in order, with their secrets.
    public let headers: [HeaderField]
    /// The body; nil for no body, which differs from an empty one.
    public let body: Bytes?
    /// The time limit for the request with its retries; nil for the deadline of the transport.
    public let deadline: Duration?
    /// The route, "user.status"; nil for the refresh of a credential.
    public let route: String?
    /// The operation, "read"; nil for the refresh of a credential.
    public let operation: String?

    /// Creates a request, for tests of transports.
    public init(
        method: String, url: String, headers: [HeaderField] = [], body: Bytes? = nil, deadline: Duration? = nil,
        route: String? = nil, operation: String? = nil
    ) {
        self.route = route
        self.operation = operation
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }

    /// The value of the first header with this name.
    public func header(_ name: String) -> String? { headers.value(of: Bytes(name))?.string }
}

/// Sends requests.  A transport must not block a thread of the cooperative pool while it waits.
///
/// A transport should return a redirect as a response: the client follows it, and sends no credential to another origin.
public protocol Transport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Throws: a failure; with the status `cancelled` if the task is cancelled.
    func send(_ request: TransportRequest) async throws(Failure) -> Answer
}

extension Failure {
    /// The task was cancelled; a response that arrives later is ignored.
    static var cancelled: Failure { Failure(.cancelled, "the task was cancelled") }
}

/// Resumes one continuation exactly once.
final class OneOutcome<Success: Sendable>: @unchecked Sendable {
    private enum State {
        case waiting
        case suspended(CheckedContinuation<Result<Success, Failure>, Never>)
        case over(Result<Success, Failure>)
    }

    private let state = Locked<State>(.waiting)

    /// The outcome, which can already be available.
    func wait() async -> Result<Success, Failure> {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Result<Success, Failure>? in
                if case .over(let outcome) = state { return outcome }
                state = .suspended(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    /// Sets the outcome; further outcomes are ignored.
    func end(_ outcome: Result<Success, Failure>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Success, Failure>, Never>? in
            switch state {
            case .waiting:
                state = .over(outcome)
                return nil
            case .suspended(let continuation):
                state = .over(outcome)
                return continuation
            case .over: return nil
            }
        }
        waiting?.resume(returning: outcome)
    }
}
