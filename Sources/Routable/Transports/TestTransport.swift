// A transport without a network, for tests of programs.

public import RoutableCore

/// Replies to each request with the result of a closure, and records the requests.
public final class TestTransport: Transport {
    private let sent = Locked<[TransportRequest]>([])
    private let answer: @Sendable (TransportRequest) async throws(Failure) -> Answer

    /// Creates a transport that replies with the result of a closure.
    public init(_ answer: @escaping @Sendable (TransportRequest) async throws(Failure) -> Answer) {
        self.answer = answer
    }

    /// Creates a transport that replies to every request with the same response.
    public convenience init(status: Int = 200, headers: [HeaderField] = [], body: String = "") {
        let answer = Answer(status: status, headers: headers, body: body)
        self.init { _ in answer }
    }

    /// The requests, in order.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        sent.withLock { $0.append(request) }
        if Task.isCancelled { throw .cancelled }
        return try await answer(request)
    }
}

extension Answer {
    /// Creates a response with a string as the body.
    public init(status: Int, headers: [HeaderField] = [], body: String = "") {
        self.init(status: Int32(truncatingIfNeeded: status), headers: headers, body: Bytes(body))
    }
}
