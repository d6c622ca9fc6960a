// A submitted transfer, until its one outcome.

public import RoutableCore

/// The layer above makes subclasses, which store the outcome and call the callback.
open class SubmittedTransfer: @unchecked Sendable {
    package enum State: Sendable {
        /// Submitted, not ended.
        case running
        /// Ended; its callback runs.
        case calling
        case ended
        case cancelled
    }

    /// Where it is within the engine; of the thread that drives.
    enum Stage {
        case submitted, queued, active, sleeping
        /// Waits for the refresh of a credential.
        case parked
        /// A refresh that a function of the program performs.
        case outside
        case gone
    }

    // Guarded by the engine's lock.
    var state = State.running
    /// Whether the completion was reported to the program, by the queue or by a wait.
    var isTold = false
    /// A callback is running for its body.
    var isInHost = false
    /// The host paused it.
    var isPausedByHost = false
    /// Whether completion is reported by a callback instead of the queue.
    package let wantsCall: Bool
    /// Whether it has an entry in the queue when it has ended.
    var isQueued = true
    /// Set when it is submitted, and constant from then on.
    var engine: Engine?

    // Of the thread that drives.
    var stage = Stage.submitted
    var exchange = Exchange.nothing
    /// Its outcome is known: it is not performed.
    package var isGiven = false
    var policy = TransferPolicy(deadlineMilliseconds: -1, rules: TransferState.Rules())
    /// A moment of the monotonic clock; Int64.max for none.
    var deadline = Int64.max
    /// Its place in the admission.
    var host = -1
    var handle: Carrier?
    /// The credentials that it needs.
    package var authorization: Authorization?
    /// Others may wait for it.
    var isRefresh = false
    var suspended: TransferState.Suspended?
    var wakeAt = Int64.max
    /// Its place among the transfers of the engine.
    var index = -1
    /// How many alarms stand for it.
    var alarms = 0
    /// What is to be told to the handle of the next attempt.
    var isToPause = false

    public init(wantsCall: Bool) { self.wantsCall = wantsCall }

    final func prepare(_ exchange: consuming Exchange, _ policy: consuming TransferPolicy, isQueued: Bool) {
        self.isQueued = isQueued && !wantsCall
        exchange.streams?.attach(self)
        self.exchange = exchange
        self.policy = policy
    }

    /// Whether the cancel is the outcome (Engine.cancel).
    package func cancel() -> Bool { engine?.cancel(self) ?? false }
    package func wait(milliseconds: Int64) throws(Failure) -> State {
        guard let engine else { return .cancelled }
        return try engine.wait(for: self, milliseconds: milliseconds)
    }
    /// The same until it is interrupted: then nil.
    package func waitOnce(milliseconds: Int64) throws(Failure) -> State? {
        guard let engine else { return .cancelled }
        return try engine.waitOnce(for: self, milliseconds: milliseconds) ? nil : engine.state(of: self)
    }
    /// Pauses and resumes its bodies; returns whether it is in progress.
    package func pause(_ isPaused: Bool) -> Bool { engine?.pause(self, isPaused) ?? false }
    /// The next item of its body, within that time (0: no wait, and nothing is driven); without one the state says why, or nil
    /// that the wait was interrupted.
    package func next(of receiver: StreamReceiver, milliseconds: Int64) throws(Failure) -> (Splitter.Item?, State?) {
        // Asked first: what comes before the end is there then.
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

    /// The answer, once, on the thread that drives.
    open func answered(_ answer: consuming Answer) {}
    /// Or the failure.
    open func failed(_ failure: Failure) {}
    /// Instead of both, where the outcome was known.
    open func ended() {}
    /// The engine ends before it.
    func abandoned() { authorization = nil }
    /// Calls the callback, after one of the two.
    open func call() {}
}
