// A transport: a function of the program that replies to requests instead of libcurl (docs/testing.md).

internal import CSystem
package import RoutableCore

/// A function of the program that replies once to each attempt, immediately or later, from any thread.
///
/// It is called without a lock, by the performing or driving thread.
package final class HostTransport: Sendable {
    package let send: @Sendable (TransportExchange) -> Void
    package init(_ send: @escaping @Sendable (TransportExchange) -> Void) { self.send = send }
}

/// The reply of a transport: a response, or a failure.
package struct TransportReply: Sendable {
    /// 200 to 999; ignored with a failure.
    package var status: Int32 = 200
    package var headers: [HeaderField] = []
    /// The body after content decoding.
    package var body = Text.empty
    /// The CURLcode with which libcurl would have failed: 7 for a refused connection, 28 for a timeout; 0 for none.
    package var curlCode: Int32 = 0
    package var failure: Failure?
    /// The delay before the transfer processes the reply.
    package var delayMilliseconds: Int64 = 0

    package init() {}

    package init(_ answer: Answer) {
        status = answer.status
        headers = answer.headers.fields
        body = answer.body
    }

    package init(_ failure: Failure) { self.failure = failure }

    /// Rejects a reply that no service could have sent.
    package func check() throws(Failure) {
        if delayMilliseconds < 0 { throw Failure(.argument, "the delay of the reply is negative") }
        if failure != nil || curlCode != 0 { return }
        if status < 200 || status > 999 {
            throw Failure(.argument, "\(status) is not a final HTTP status; 200 to 999 is expected")
        }
        for field in headers { _ = try HeaderField.checked(field.name, field.value, isReceived: true) }
    }
}

/// One attempt for a transport.  Immutable except for its reply; any thread.
package final class TransportExchange: @unchecked Sendable {
    /// The operation of the attempt; nil for the refresh of a credential.
    package let plan: Plan?
    package let method: Text
    package let url: Text
    package let headers: HeaderBlock
    /// The complete body; nil and empty differ.
    package let body: Text?
    /// The remaining time until the deadline; negative for no limit.
    package let timeoutMilliseconds: Int64
    /// The path in front of the paths of the API; nil if it is not known.
    package let basePath: Bytes?
    /// Names of headers that the client has added as secrets.
    package let secretHeaders: [Bytes]
    let digest: DigestLogin?

    private let lock = csystem_lock_new()
    // Guarded by the lock.
    private var reply: TransportReply?
    private var isOver = false
    private var cancel: (@Sendable () -> Void)?
    private var observer: (@Sendable (TransportReply) -> Void)?
    /// Whether the function of the transport is running: then a reply does not have to wake the loop.
    private var isInFunction = true
    /// The transfer of a loop that is notified of the reply; nil for a blocking call.
    private var owner: SubmittedTransfer?

    init(_ exchange: Exchange, _ body: Text?, _ headers: HeaderBlock, _ milliseconds: Int64, _ owner: SubmittedTransfer?) {
        plan = exchange.plan
        method = Text(exchange.method)
        url = exchange.url
        self.headers = headers
        self.body = body
        timeoutMilliseconds = milliseconds <= 0 ? -1 : milliseconds
        basePath = exchange.basePath
        secretHeaders = exchange.secretHeaders
        digest = exchange.digest
        self.owner = owner
    }

    deinit { csystem_lock_free(lock) }

    private func locked<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    /// Replies to the attempt.  Replies after the first, and after the transfer has ended, are ignored.
    ///
    /// - Throws: `argument` and `header` for a reply that no service could have sent; the attempt then fails with the same error.
    package func reply(_ given: TransportReply) throws(Failure) {
        do throws(Failure) { try given.check() } catch {
            take(TransportReply(error.with { $0.message = "the reply of the transport is not valid: \(error.message)" }))
            throw error
        }
        take(given)
    }

    private func take(_ given: TransportReply) {
        var owner: SubmittedTransfer?
        // Before the transfer continues: what a tape records is complete when the request is.
        locked { () -> (@Sendable (TransportReply) -> Void)? in
            defer { observer = nil }
            return isOver || reply != nil ? nil : observer
        }?(given)
        locked {
            if isOver || reply != nil { return }
            reply = given
            cancel = nil
            if isInFunction { return }
            owner = self.owner
            csystem_lock_notify(lock)
        }
        if let owner { owner.engine?.post(owner) { _ in } }
    }

    /// Sets the function that cancels the work of a transport when its reply is no longer required; called at most once.
    package func onCancel(_ function: @escaping @Sendable () -> Void) {
        let isLate = locked { () -> Bool in
            if reply == nil && !isOver { cancel = function }
            return isOver
        }
        if isLate { function() }
    }

    /// Sets the function that receives the reply before the transfer does.
    package func observe(_ function: @escaping @Sendable (TransportReply) -> Void) { locked { observer = function } }

    // MARK: Called by the performing thread

    /// Calls the transport.
    func send(over transport: HostTransport) {
        transport.send(self)
        locked { isInFunction = false }
    }

    var replied: TransportReply? { locked { reply } }

    /// Waits for the reply until the deadline; nil if there is none.
    func wait(until deadline: Int64) -> TransportReply? {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        while reply == nil {
            if deadline != .max && csystem_monotonic_ms() >= deadline { return nil }
            csystem_lock_wait(lock, deadline == .max ? -1 : deadline)
        }
        return reply
    }

    /// Ends the attempt: a reply is no longer required.
    func end() {
        var function: (@Sendable () -> Void)?
        locked {
            isOver = true
            function = cancel
            cancel = nil
            owner = nil
        }
        function?()
    }
}
