// Many transfers over one client: submitted and cancelled by any thread, driven by one at a time.
//
// A waiting thread drives the transfers: a thread that blocks for an outcome, that of the program's event loop, or a thread of the
// engine.  The requests of other threads to the driving thread are in `inbox`, `cancelled` and `toggled`, guarded by the lock; all other
// state (TransferLoop.swift) belongs to the driving thread, and no lock is held while libcurl or a callback runs.

internal import CCurl
internal import CSystem
package import RoutableCore

package final class Engine: @unchecked Sendable {
    /// The result of a wait.
    package enum Found: Sendable {
        case transfer(SubmittedTransfer)
        /// The time limit was reached.
        case pending
        /// No transfers are in progress.
        case idle
        /// A signal, or `interrupt`, ended the wait.
        case interrupted
    }

    let options: ClientOptions
    let lock: OpaquePointer
    private let forks: UInt32

    // Guarded by the lock.
    var inbox: [SubmittedTransfer] = []
    var cancelled: [SubmittedTransfer] = []
    private var toggled: [(SubmittedTransfer, Bool)] = []
    private var ended = Queue<SubmittedTransfer>()
    /// The number of transfers in `ended` that were reported to the program.
    private var told = 0
    /// The number of transfers that were submitted and have not ended, including those whose callback is running.
    private(set) var unfinished = 0
    private var isDriving = false
    private var driver: UInt = 0
    private var isAsleep = false
    /// Whether a stream received something since the driving thread last checked.
    private var hasRead = false
    private var waiters = 0
    /// Whether a transfer completed that was not reported yet.
    private var isNews = false
    /// A hook may be called at any time, so notifications are not deferred until it is called.
    private var tellsAtOnce = false
    /// Whether the program waits on the descriptor.
    private var hasHost = false
    private(set) var isClosed = false
    private var thread: UInt = 0
    private var hasThread = false

    /// Counts the interruptions of waits; it belongs to the pool, which outlives the engine's loop.
    private let interruption: Interruption

    // Used only by the driving thread.
    let loop: TransferLoop

    static func make(
        _ options: ClientOptions, _ share: EasyHandle.Share?, _ interruption: Interruption
    ) throws(Failure) -> Engine {
        guard let loop = ccurl_loop_new(options.transport == nil ? options.maximumActive : -1, interruption.pointer) else {
            if csystem_descriptors_left() != 0 { throw Memory.fail() }
            throw Failure(.limit, "the process has no file descriptors left for the client")
        }
        return Engine(options, TransferLoop(loop, options, share), interruption)
    }

    private init(_ options: ClientOptions, _ loop: TransferLoop, _ interruption: Interruption) {
        self.options = options
        self.interruption = interruption
        self.loop = loop
        lock = csystem_lock_new()
        forks = csystem_fork_count()
    }

    deinit {
        if isForeign { loop.abandon() }
        csystem_lock_free(lock)
    }

    private var isForeign: Bool { csystem_fork_count() != forks }

    // MARK: From any thread

    /// Submits a transfer.  It ends exactly once, unless it is cancelled before.
    package func submit(_ transfer: SubmittedTransfer) throws(Failure) {
        let now = csystem_monotonic_ms()
        bind(transfer, now)
        csystem_lock_acquire(lock)
        let isRefused = isClosed || unfinished >= options.maximumPending && !transfer.isRefresh
        if !isRefused { enter(transfer) }
        csystem_lock_release(lock)
        if isRefused { throw refused(transfer) }
    }

    /// Submits several transfers: all of them, or none.
    package func submit(_ transfers: [SubmittedTransfer]) throws(Failure) {
        let now = csystem_monotonic_ms()
        for transfer in transfers { bind(transfer, now) }
        csystem_lock_acquire(lock)
        let isRefused = isClosed || transfers.count > options.maximumPending &- unfinished
        if !isRefused { for transfer in transfers { enter(transfer) } }
        csystem_lock_release(lock)
        if isRefused, let first = transfers.first {
            for transfer in transfers.dropFirst() { transfer.engine = nil }
            throw refused(first)
        }
    }

    private func bind(_ transfer: SubmittedTransfer, _ now: Int64) {
        if transfer.policy.deadlineMilliseconds >= 0 { transfer.deadline = now &+ transfer.policy.deadlineMilliseconds }
        transfer.engine = self
    }

    /// Called with the lock held.
    private func enter(_ transfer: SubmittedTransfer) {
        if transfer.policy.recorder != nil { tellsAtOnce = true }
        unfinished &+= 1
        inbox.append(transfer)
        wakeIfNeeded()
    }

    private func refused(_ transfer: SubmittedTransfer) -> Failure {
        transfer.engine = nil
        if isClosed { return Failure(.argument, "the client is closed") }
        return Failure(.limit, "\(options.maximumPending) transfers are already in progress; wait until some have completed")
    }

    /// Wakes the driving thread if it sleeps: otherwise it reads the inbox anyway.  It is already awake after the first entry.
    private func wakeIfNeeded() {
        if inbox.count &+ cancelled.count > 1 { return }
        if isAsleep || (hasHost && !isDriving) { ccurl_loop_wake(loop.curlLoop) }
    }

    /// Returns whether the transfer is cancelled.  Otherwise it has ended, and its callback has returned, unless this thread is running
    /// the callback.
    package func cancel(_ transfer: SubmittedTransfer) -> Bool {
        if isForeign { return false }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if transfer.state == .running {
            cancelLocked(transfer)
            wakeIfNeeded()
            // After a cancel, the program may free the memory that the functions of the body use.
            while transfer.isInHost && driver != csystem_thread() {
                waiters &+= 1
                csystem_lock_wait(lock, -1)
                waiters &-= 1
            }
            return true
        }
        while transfer.state == .calling && driver != csystem_thread() {
            waiters &+= 1
            csystem_lock_wait(lock, -1)
            waiters &-= 1
        }
        return transfer.state == .cancelled
    }

    private func cancelLocked(_ transfer: SubmittedTransfer) {
        transfer.state = .cancelled
        unfinished &-= 1
        cancelled.append(transfer)
        if waiters > 0 { csystem_lock_notify(lock) }
    }

    // MARK: Bodies that callbacks provide and consume

    /// Returns whether a callback may be called for the transfer: then `leaveHost` must follow.
    func enterHost(_ transfer: SubmittedTransfer) -> Bool {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        guard transfer.state == .running, !isClosed else { return false }
        tellWaiters()
        transfer.isInHost = true
        return true
    }

    func leaveHost(_ transfer: SubmittedTransfer) {
        csystem_lock_acquire(lock)
        transfer.isInHost = false
        if waiters > 0 { csystem_lock_notify(lock) }
        csystem_lock_release(lock)
    }

    /// Pauses and resumes both directions of a transfer.  Returns whether it is in progress.
    package func pause(_ transfer: SubmittedTransfer, _ isPaused: Bool) -> Bool {
        if isForeign { return false }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        guard transfer.state == .running, !isClosed else { return false }
        transfer.isPausedByHost = isPaused
        toggle(transfer, isPaused)
        return true
    }

    /// Resumes a transfer whose buffer has space again, unless the program paused it.
    func resumeLocked(_ transfer: SubmittedTransfer) {
        if transfer.state == .running, !transfer.isPausedByHost, !isClosed { toggle(transfer, false) }
    }

    private func toggle(_ transfer: SubmittedTransfer, _ isPaused: Bool) {
        toggled.append((transfer, isPaused))
        if isAsleep || (hasHost && !isDriving) { ccurl_loop_wake(loop.curlLoop) }
    }

    /// Notifies the driving thread that there is something to read; it checks this before it waits.
    func notifyLocked() {
        hasRead = true
        if waiters > 0 { csystem_lock_notify(lock) }
    }

    /// Waits until the condition, which is evaluated with the lock held, is true, or the transfer has ended.  Returns whether the wait was
    /// interrupted.
    func wait(of transfer: SubmittedTransfer, milliseconds: Int64, until isSo: () -> Bool) throws(Failure) -> Bool {
        let found = try wait(milliseconds) {
            if isSo() { return .idle }
            return transfer.state == .running || (transfer.state == .calling && self.driver != csystem_thread()) ? nil : .idle
        }
        if case .interrupted = found { return true }
        return false
    }

    /// Lets the driving thread process a transfer again, after a change of the transfer by another thread.
    func post<Posted: SubmittedTransfer>(_ transfer: Posted, _ change: (Posted) -> Void) {
        if isForeign { return }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if isClosed || transfer.state != .running { return }
        change(transfer)
        inbox.append(transfer)
        wakeIfNeeded()
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    package func state(of transfer: SubmittedTransfer) -> SubmittedTransfer.State {
        if isForeign { return .cancelled }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        // The driving thread and its callback see the outcome at once, other threads when the callback has returned.
        return transfer.state == .calling && driver != csystem_thread() ? .running : transfer.state
    }

    /// The descriptor to wait on; call `drive` when it is readable.
    package func descriptor() -> Int32 {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if isClosed || isForeign { return -1 }
        hasHost = true
        if !inbox.isEmpty || !cancelled.isEmpty { ccurl_loop_wake(loop.curlLoop) }
        return ccurl_loop_descriptor(loop.curlLoop)
    }

    /// The number of transfers in progress.
    package var pending: Int {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return unfinished
    }

    // MARK: Waiting

    /// The next completed transfer without a callback.  Drives the transfers until then, unless another thread does.
    package func next(milliseconds: Int64, drives: Bool = true) throws(Failure) -> Found {
        try wait(milliseconds) {
            while let transfer = self.ended.popFirst() {
                if !transfer.isTold {
                    transfer.isTold = true
                    return .transfer(transfer)
                }
                self.told &-= 1
            }
            // Cancelled transfers are released, and reported to a hook, before the loop is idle.
            return self.unfinished == 0 && self.cancelled.isEmpty ? .idle : drives ? nil : .pending
        }
    }

    /// Removes an ended transfer from the queue, because its end was reported to the program.
    private func tell(_ transfer: SubmittedTransfer) {
        guard transfer.isQueued, !transfer.isTold else { return }
        transfer.isTold = true
        told &+= 1
        while let first = ended.first, first.isTold {
            _ = ended.popFirst()
            told &-= 1
        }
        if told < 64 || told &* 2 < ended.count { return }
        var kept = Queue<SubmittedTransfer>()
        while let transfer = ended.popFirst() { if !transfer.isTold { kept.append(transfer) } }
        ended = kept
        told = 0
    }

    /// Waits for the end of one transfer.
    package func wait(for transfer: SubmittedTransfer, milliseconds: Int64) throws(Failure) -> SubmittedTransfer.State {
        let end = milliseconds <= 0 ? milliseconds : csystem_monotonic_ms() &+ min(milliseconds, Int64(Int32.max))
        var left = milliseconds
        while try waitOnce(for: transfer, milliseconds: left) {
            if end > 0 { left = max(0, end &- csystem_monotonic_ms()) }
        }
        return state(of: transfer)
    }

    /// Like `wait`, but ends with true if the wait is interrupted.
    package func waitOnce(for transfer: SubmittedTransfer, milliseconds: Int64) throws(Failure) -> Bool {
        let found = try wait(milliseconds) {
            if transfer.state == .running || (transfer.state == .calling && self.driver != csystem_thread()) { return nil }
            if transfer.state == .ended { self.tell(transfer) }
            return .idle
        }
        if case .interrupted = found { return true }
        return false
    }

    /// Processes work, waits if there is none, and calls callbacks.  Returns the number of transfers in progress; nil when it
    /// was interrupted.
    package func drive(milliseconds: Int64) throws(Failure) -> Int? {
        var isFirst = true
        let found = try wait(milliseconds, stopsFirst: true) {
            defer { isFirst = false }
            return !isFirst || (self.unfinished == 0 && self.cancelled.isEmpty) ? .idle : nil
        }
        if case .interrupted = found { return nil }
        return pending
    }

    /// Waits until `look`, which is called with the lock held, returns a result, or the time limit is reached (0: one call after one step).
    /// With `stopsFirst`, an interruption has precedence over the result of `look`.
    private func wait(_ milliseconds: Int64, stopsFirst: Bool = false, _ look: () -> Found?) throws(Failure) -> Found {
        if isForeign {
            throw Failure(.argument, "the client was created before this process was forked; create a new client in the child")
        }
        try Failure.checkStack()
        let end = milliseconds <= 0 ? milliseconds : csystem_monotonic_ms() &+ min(milliseconds, Int64(Int32.max))
        var hasStepped = false
        // A wait with the limit 0 ends without an interruption.
        let interruptions = end == 0 ? 0 : interruption.count
        var isInterrupted = false
        csystem_lock_acquire(lock)
        while true {
            let stops = isInterrupted || (end != 0 && interruption.count != interruptions)
            if !(stops && stopsFirst), let found = look() {
                csystem_lock_release(lock)
                return found
            }
            if stops {
                csystem_lock_release(lock)
                return .interrupted
            }
            let now = end > 0 ? csystem_monotonic_ms() : 0
            let isOver = end == 0 || (end > 0 && now >= end)
            if (isOver && hasStepped) || isClosed {
                csystem_lock_release(lock)
                return isClosed ? .idle : .pending
            }
            if isDriving {
                if driver == csystem_thread() {  // called from a callback: the result can only come after it
                    csystem_lock_release(lock)
                    return .pending
                }
                hasStepped = true
                if isOver { continue }
                waiters &+= 1
                csystem_lock_wait(lock, end < 0 ? -1 : end)
                waiters &-= 1
                continue
            }
            isDriving = true
            hasRead = false
            driver = csystem_thread()
            csystem_lock_release(lock)
            isInterrupted = loop.run(self, milliseconds: end < 0 ? -1 : max(0, end &- now)) && end != 0
            hasStepped = true
            csystem_lock_acquire(lock)
            leave()
        }
    }

    /// Ends the driving of this thread, so that another thread may drive.
    private func leave() {
        isDriving = false
        driver = 0
        isNews = false
        if waiters > 0 { csystem_lock_notify(lock) }
        if hasHost {
            if !inbox.isEmpty || !cancelled.isEmpty || !toggled.isEmpty {
                ccurl_loop_wake(loop.curlLoop)
            } else {
                loop.arm()
            }
        }
        if isClosed { unmake() }
    }

    // MARK: Called by the loop

    /// Takes the requests of other threads.
    func takeInbox(
        _ transfers: inout [SubmittedTransfer], _ dropped: inout [SubmittedTransfer],
        _ changed: inout [(SubmittedTransfer, Bool)]
    ) {
        csystem_lock_acquire(lock)
        tellWaiters()
        if !inbox.isEmpty { swap(&transfers, &inbox) }
        if !cancelled.isEmpty { swap(&dropped, &cancelled) }
        if !toggled.isEmpty { swap(&changed, &toggled) }
        csystem_lock_release(lock)
    }

    /// Returns whether the driving thread may wait: from then on, requests wake it.
    func fallAsleep() -> Bool {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        tellWaiters()
        isAsleep = inbox.isEmpty && cancelled.isEmpty && toggled.isEmpty && !hasRead && !isClosed
        return isAsleep
    }

    func awake() {
        csystem_lock_acquire(lock)
        isAsleep = false
        csystem_lock_release(lock)
    }

    /// Begins to report the outcome; returns false if the transfer was cancelled.
    func settle(_ transfer: SubmittedTransfer) -> Bool {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        guard transfer.state == .running else { return false }
        if transfer.wantsCall { tellWaiters() }  // before the function of the program, which may take some time
        if isClosed {
            transfer.state = .cancelled
            unfinished &-= 1
            return false
        }
        transfer.state = .calling
        return true
    }

    /// Called after the outcome was stored, and the callback, if any, has returned.
    func finish(_ transfer: SubmittedTransfer) {
        csystem_lock_acquire(lock)
        transfer.state = .ended
        unfinished &-= 1
        if transfer.isQueued && !isClosed { ended.append(transfer) }
        isNews = true
        if tellsAtOnce { tellWaiters() }
        csystem_lock_release(lock)
    }

    /// Wakes the waiting threads once for all transfers that have ended since the last call, because waking a thread costs more than a
    /// transfer.  Called with the lock held, before each callback and before each wait.
    private func tellWaiters() {
        if isNews && waiters > 0 { csystem_lock_notify(lock) }
        isNews = false
    }

    /// Called before a function of the program that obtains or uses a credential.
    func tell() { withLock { tellWaiters() } }

    // MARK: The thread of the engine

    /// Drives the transfers in a thread of the engine from now on: callbacks are called there.
    package func start() throws(Failure) {
        csystem_lock_acquire(lock)
        let isStarted = hasThread || isClosed
        hasThread = true
        csystem_lock_release(lock)
        if isStarted { return }
        let argument = Unmanaged.passRetained(self).toOpaque()
        var made: UInt = 0
        let code = csystem_thread_start(
            &made,
            { argument in
                guard let argument else { return }
                Unmanaged<Engine>.fromOpaque(argument).takeRetainedValue().live()
            }, argument)
        if code != 0 {
            Unmanaged<Engine>.fromOpaque(argument).release()
            if code == ENOMEM { throw Memory.fail() }
            throw Failure(.limit, "the system cannot start a thread for the client (error \(code))")
        }
        csystem_lock_acquire(lock)
        thread = made
        csystem_lock_release(lock)
    }

    private func live() {
        csystem_lock_acquire(lock)
        while !isClosed {
            if isDriving {
                waiters &+= 1
                csystem_lock_wait(lock, -1)
                waiters &-= 1
                continue
            }
            isDriving = true
            driver = csystem_thread()
            csystem_lock_release(lock)
            loop.run(self, milliseconds: -1)
            csystem_lock_acquire(lock)
            leave()
        }
        csystem_lock_release(lock)
        _ = csystem_call_end(0)  // resets the memory failures of this thread
    }

    // MARK: The end

    /// Cancels all transfers that have not ended and releases the loop.  A thread of the engine has ended when this function returns,
    /// unless it is the calling thread.
    package func close() {
        if isForeign { return }
        csystem_lock_acquire(lock)
        if isClosed {
            csystem_lock_release(lock)
            return
        }
        isClosed = true
        let hadThread = hasThread
        for transfer in inbox where transfer.state == .running { cancelLocked(transfer) }
        inbox = []
        if !isDriving {
            unmake()
        } else {
            ccurl_loop_wake(loop.curlLoop)
        }
        if waiters > 0 { csystem_lock_notify(lock) }
        // The driving thread uses the loop until it leaves.
        while isDriving && driver != csystem_thread() {
            waiters &+= 1
            csystem_lock_wait(lock, -1)
            waiters &-= 1
        }
        let thread = thread
        csystem_lock_release(lock)
        if hadThread && thread != 0 { csystem_thread_end(thread) }
    }

    /// Called with the lock held, when no thread drives and none will.
    private func unmake() {
        for transfer in loop.transfers where transfer.state == .running { cancelLocked(transfer) }
        for transfer in cancelled {
            transfer.stage = .gone
            transfer.abandoned()
        }
        cancelled = []
        toggled = []
        // These references are no longer required, and each transfer refers to the engine.
        ended = Queue<SubmittedTransfer>()
        told = 0
        // libcurl closes connections here, which calls back only functions in loop.c.
        loop.unmake()
    }
}
