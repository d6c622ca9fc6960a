// A submitted transfer, until its outcome.

public import RoutableCore

/// The layer above defines subclasses, which store the outcome and call the callback.
open class SubmittedTransfer: @unchecked Sendable {
    package enum State: Sendable {
        /// The transfer was submitted and has not ended.
        case running
        /// The transfer has ended; its callback is running.
        case calling
        case ended
        case cancelled
    }

    /// The stage of the transfer in the engine; used only by the driving thread.
    enum Stage {
        case submitted, queued, active, sleeping
        /// The transfer waits for the refresh of a credential.
        case parked
        /// The transfer is a refresh that a function of the program performs.
        case outside
        case gone
    }

    // Guarded by the engine's lock.
    var state = State.running
    /// Whether the completion was reported to the program, by the queue or by a wait.
    var isTold = false
    /// Whether a callback for the body is running.
    var isInHost = false
    /// Whether the program paused the transfer.
    var isPausedByHost = false
    /// Whether completion is reported by a callback instead of the queue.
    package let wantsCall: Bool
    /// Whether the transfer is added to the queue when it has ended.
    var isQueued = true
    /// Set by `submit`, and constant from then on.
    var engine: Engine?

    // Used only by the driving thread.
    var stage = Stage.submitted
    var exchange = Exchange.nothing
    /// Whether the outcome is known, so that the transfer is not performed.
    package var isGiven = false
    var policy = TransferPolicy(deadlineMilliseconds: -1, rules: TransferState.Rules())
    /// A time of the monotonic clock; Int64.max for none.
    var deadline = Int64.max
    /// The index of the host in the admission.
    var host = -1
    var handle: Carrier?
    /// The credentials that it needs.
    package var authorization: Authorization?
    /// Whether this is a refresh, for which other transfers may wait.
    var isRefresh = false
    var suspended: TransferState.Suspended?
    var wakeAt = Int64.max
    /// The index in the transfers of the engine.
    var index = -1
    /// The number of alarms for this transfer.
    var alarms = 0
    /// Whether the next attempt begins paused.
    var isToPause = false

    public init(wantsCall: Bool) { self.wantsCall = wantsCall }

    final func prepare(_ exchange: consuming Exchange, _ policy: consuming TransferPolicy, isQueued: Bool) {
        self.isQueued = isQueued && !wantsCall
        exchange.streams?.attach(self)
        self.exchange = exchange
        self.policy = policy
    }

    /// Cancels the transfer.  Returns whether it is cancelled (Engine.cancel).
    package func cancel() -> Bool { engine?.cancel(self) ?? false }
    package func wait(milliseconds: Int64) throws(Failure) -> State {
        guard let engine else { return .cancelled }
        return try engine.wait(for: self, milliseconds: milliseconds)
    }
    /// Like `wait`, but returns nil if the wait is interrupted.
    package func waitOnce(milliseconds: Int64) throws(Failure) -> State? {
        guard let engine else { return .cancelled }
        return try engine.waitOnce(for: self, milliseconds: milliseconds) ? nil : engine.state(of: self)
    }
    /// Pauses and resumes its bodies; returns whether it is in progress.
    package func pause(_ isPaused: Bool) -> Bool { engine?.pause(self, isPaused) ?? false }
    /// The next item of the body, within this time (0: no wait, and no transfers are driven).  Without an item, the state is the reason; nil
    /// means that the wait was interrupted.
    package func next(of receiver: StreamReceiver, milliseconds: Int64) throws(Failure) -> (Splitter.Item?, State?) {
        // The state is read first: if it is the end, all items have already arrived.
        var state = currentState
        var item = receiver.next(of: self)
        if item == nil, state == .running, milliseconds != 0 {
            let isInterrupted = try receiver.wait(of: self, milliseconds: milliseconds)
            state = currentState
            item = receiver.next(of: self)
            if item == nil && isInterrupted && state == .running { return (nil, nil) }
        }
        return (item, state)
    }
    package var currentState: State { engine?.state(of: self) ?? .cancelled }

    /// Called once with the response, by the driving thread.
    open func answered(_ answer: consuming Answer) {}
    /// Called instead with the failure.
    open func failed(_ failure: Failure) {}
    /// Called instead of both functions if the outcome was known.
    open func ended() {}
    /// Called when the engine is closed before the transfer has ended.
    func abandoned() { authorization = nil }
    /// Calls the callback, after one of the functions above.
    open func call() {}
}
