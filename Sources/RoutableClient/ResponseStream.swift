// A response that is read item by item while it arrives: pieces, lines, or server-sent events.

package import RoutableCore
internal import RoutablePerform

/// The items of a stream, and the limits of its buffer.
package struct StreamOptions: Sendable {
    package var kind: Splitter.Kind
    /// The maximum size of one line or event; 0 for 16 MiB.
    package var maximumItemBytes = 0
    /// The maximum size of the buffered items; 0 for 256 KiB.
    package var maximumBufferedBytes = 0
    /// The maximum number of consecutive reconnects of an event stream without an event in between.
    package var reconnects: UInt32 = 0
    /// The delay before a reconnect, unless the service states one; 0 for 3 s.
    package var retryMilliseconds: Int64 = 0
    /// The id of the event after which the stream continues.
    package var lastEventID = Bytes()

    package init(_ kind: Splitter.Kind) { self.kind = kind }

    /// The splitter for bytes that the host provides.
    package var splitter: Splitter {
        Splitter(kind, maximumItemBytes: maximumItemBytes == 0 ? 16 << 20 : max(1, maximumItemBytes), lastID: lastEventID)
    }
}

/// A transfer whose body is read in items.  It is cancelled when the last reference to the stream is released.
package final class ResponseStream: Sendable {
    private let transfer: Transfer
    private let receiver: StreamReceiver

    fileprivate init(_ transfer: Transfer, _ receiver: StreamReceiver) {
        self.transfer = transfer
        self.receiver = receiver
    }

    deinit { _ = transfer.cancel() }

    /// Whether the transfer was cancelled before it completed.
    package func cancel() -> Bool { transfer.cancel() }

    /// The next item, within this time; 0 to return immediately.  Without an item, the status is `idle` at the end, `pending` if the time
    /// has elapsed, `interrupted`, or `cancelled`.
    package func next(milliseconds: Int64) throws(Failure) -> (item: Splitter.Item?, status: Status) {
        let (item, state) = try transfer.next(of: receiver, milliseconds: milliseconds)
        if let item { return (item, .ok) }
        return (nil, try end(state))
    }

    /// The response without its body, within this time, as soon as its headers are received.
    package func response(milliseconds: Int64) throws(Failure) -> (response: Response?, status: Status) {
        let (head, state) = try receiver.waitForHead(of: transfer, milliseconds: milliseconds)
        // A transfer that completed successfully has a mapped response; its head is not kept if the response has no body.
        if state?.status == .ok, let response = transfer.response { return (response, .ok) }
        guard let head else { return (nil, try end(state)) }
        return (
            Response(
                status: head.status, headers: head.headers.fields, body: Bytes(), outcome: .empty, typeName: Bytes(),
                url: Bytes()),
            .ok
        )
    }

    private func end(_ state: SubmittedTransfer.State?) throws(Failure) -> Status {
        guard let state else { return .interrupted }
        if state.status != .ok { return state.status }
        if let failure = transfer.failure { throw failure }
        return .idle
    }
}

/// The transfer of a stream, which notifies the readers when it completes.
private final class StreamTransfer: Transfer, @unchecked Sendable {
    private let changed: (@Sendable (Bool) -> Void)?

    init(_ request: Request, _ changed: (@Sendable (Bool) -> Void)?) {
        self.changed = changed
        super.init(request, wantsCall: changed != nil)
    }

    override func call() { changed?(true) }
}

extension ClientCore {
    /// Submits a request whose response is read as a stream.
    ///
    /// - Parameter changed: Called by the driving thread with false if there is new data to read, and with true
    ///   at the end; it must not call functions of the stream.
    package func stream(
        _ request: Request, _ options: StreamOptions, _ given: RequestPolicy?, changed: (@Sendable (Bool) -> Void)? = nil
    ) throws(Failure) -> ResponseStream {
        do throws(Failure) {
            given?.bind(to: request)
            let transfer = StreamTransfer(request, changed)
            var request = request
            if let interception = try intercept(request, isStream: true) {
                if interception.isOver { _ = try interception.end(AnswerPolicy()) }
                transfer.goThrough(interception)
                request = interception.request
            }
            let engine = try pool.engine()
            let receiver = StreamReceiver(
                engine, options.splitter, maximumBufferedBytes: options.maximumBufferedBytes, reconnects: options.reconnects,
                retryMilliseconds: options.retryMilliseconds, changed: changed)
            let policy = RequestPolicy.ofStream(request, given, self.options)
            var exchange = exchange(request, policy)
            exchange.receive(by: receiver)
            transfer.authorization = try authorization(request, &exchange, policy)
            try pool.prepare(
                transfer, exchange, policy.applied(to: pool.policy), isQueued: false, of: request.plan, for: hook)
            try engine.submit(transfer)
            return ResponseStream(transfer, receiver)
        } catch { throw error.about(request) }
    }
}
