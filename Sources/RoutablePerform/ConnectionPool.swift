// The transfers of a client: on the thread of the caller with a pool of handles, or many at the same time with its engine.

internal import CSystem
package import RoutableCore

/// Performs exchanges over libcurl.  Any number of threads may use it at the same time.
package final class ConnectionPool: Sendable {
    package let options: ClientOptions
    /// The policy of a transfer without overrides.
    package let policy: TransferPolicy
    /// The description whose requests get the headers and the query of the options, even if several clients share the pool.
    package let owner: CredentialOwner
    // Shared by the handles; libcurl locks it.
    nonisolated(unsafe) private let share: EasyHandle.Share?
    // Guards only `idle` and `engine`: never held while libcurl runs.
    nonisolated(unsafe) private let lock: OpaquePointer
    // The unused handles.  The most recently used one is taken first, because its connection is the most recent.
    nonisolated(unsafe) private var idle: [Carrier]
    nonisolated(unsafe) private var engineIfUsed: Engine?
    private let forks: UInt32
    private let interruption: Interruption

    /// The maximum number of idle handles; each may have a few connections.
    private static let idleHandles = 128

    /// Creates a pool; the first one opens libcurl.  Failures: `noCurl`, and those of `ClientOptions.checked`.
    package static func make(_ options: ClientOptions) throws(Failure) -> ConnectionPool {
        let options = try options.checked()
        if let transport = options.transport { return try make(options, nil, TransportCarrier(transport, options)) }
        try CurlLibrary.load()
        let share = try EasyHandle.Share.make(hasCookies: options.cookieFile != nil)
        // Created now, so that an unsuitable libcurl is reported here.
        let handle = try EasyHandle.make(options, share)
        if let file = options.cookieFile, !file.isEmpty { try handle.loadCookies(file) }
        return try make(options, share, handle)
    }

    private static func make(
        _ options: ClientOptions, _ share: EasyHandle.Share?, _ first: Carrier
    ) throws(Failure) -> ConnectionPool {
        ConnectionPool(options, share, first, try Interruption.make())
    }

    private init(_ options: ClientOptions, _ share: EasyHandle.Share?, _ first: Carrier, _ interruption: Interruption) {
        self.options = options
        self.share = share
        policy = options.policy
        owner = CredentialOwner(options.router, at: options.base)
        idle = [first]
        self.interruption = interruption
        lock = csystem_lock_new()
        forks = csystem_fork_count()
    }

    deinit {
        engineIfUsed?.close()
        if isForeign {
            // The connections of the handles belong to the parent: closing them properly would end them there.
            for handle in idle { handle.abandon() }
        }
        csystem_lock_free(lock)
    }

    /// Whether this process was forked from the one in which the client was created.
    private var isForeign: Bool { csystem_fork_count() != forks }

    private func checkProcess() throws(Failure) {
        if isForeign {
            throw Failure(.argument, "the client was created before this process was forked; create a new client in the child")
        }
    }

    // MARK: One at a time

    /// Sends the request, follows redirects, and returns the response, whatever its status.  Blocks until the response is complete or the
    /// transfer has failed.
    ///
    /// A redirect repeats the request, except that 303, and 301 and 302 after POST, change it to a GET; another origin receives
    /// neither credentials nor secret headers.
    package func perform(
        _ exchange: consuming Exchange, _ given: TransferPolicy? = nil, _ authorization: Authorization? = nil,
        of plan: Plan? = nil, for hook: Hook? = nil
    ) throws(Failure) -> Answer {
        try checkProcess()
        try Failure.checkStack()
        try exchange.check()
        var policy = given ?? policy
        guard let recorder = recorder(policy, plan, hook) else { return try perform(exchange, policy, authorization) }
        policy.recorder = recorder
        authorization?.recorder = recorder
        defer { recorder.tellEnd() }
        do { return try perform(exchange, policy, authorization) } catch { throw recorder.failed(error) }
    }

    @inline(never)
    private func perform(
        _ exchange: consuming Exchange, _ policy: TransferPolicy, _ authorization: Authorization?
    ) throws(Failure) -> Answer {
        let start = policy.deadlineMilliseconds < 0 ? 0 : csystem_monotonic_ms()
        let deadline = policy.deadlineMilliseconds < 0 ? Int64.max : start &+ policy.deadlineMilliseconds
        if let authorization { exchange = try admit(authorization, deadline) }
        let handle = try take()
        defer { give(handle) }
        let transfer = handle.transfer
        var time = max(0, policy.deadlineMilliseconds)
        var action = transfer.begin(exchange, policy)
        while true {
            switch action {
            case .send:
                let end = handle.attempt(milliseconds: time)
                action = transfer.finished(end)
            case .retry(let retry):
                action = transfer.receive(wait(retry, transfer, start, policy.deadlineMilliseconds) ? .again : .enough)
            case .challenge:
                do throws(Failure) {
                    let next =
                        try authorization.map { (it) throws(Failure) in try challenge(it, transfer, deadline) } ?? nil
                    action = transfer.receive(next.map { .authorized($0) } ?? .enough)
                } catch {
                    transfer.abandon()
                    throw error
                }
            case .deliver:
                var answer = handle.deliver()
                answer.deadline = deadline
                return answer
            default:
                throw handle.failure(action, options, policy.deadlineMilliseconds)
            }
            if time > 0 {
                // If the deadline has passed, libcurl gets a millisecond to report the timeout.
                if case .send = action {
                    time = max(1, policy.deadlineMilliseconds &- (csystem_monotonic_ms() &- start))
                }
            }
        }
    }

    /// Sleeps for the delay; returns false if it would end after the deadline.
    private func wait(_ retry: Retry, _ transfer: HandleTransfer, _ start: Int64, _ deadline: Int64) -> Bool {
        guard let wait = retry.milliseconds(wallSeconds: csystem_wall_seconds(), random: csystem_random()) else {
            return false
        }
        let now = csystem_monotonic_ms()
        if deadline >= 0 && now &- start &+ wait >= deadline { return false }
        transfer.noteWait(wait)
        csystem_sleep_until(now &+ wait)
        return true
    }

    // MARK: Many transfers at the same time

    /// The engine of this client, created on first use.
    package func engine() throws(Failure) -> Engine {
        try checkProcess()
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let engineIfUsed { return engineIfUsed }
        let made = try Engine.make(options, share, interruption)
        engineIfUsed = made
        return made
    }

    /// Sets the exchange of a transfer, before it is submitted.
    package func prepare(
        _ transfer: SubmittedTransfer, _ exchange: consuming Exchange, _ given: TransferPolicy? = nil,
        isQueued: Bool = true, of plan: Plan? = nil, for hook: Hook? = nil
    ) throws(Failure) {
        try exchange.check()
        var policy = policy
        if let given { policy = given }
        if let recorder = recorder(policy, plan, hook) {
            policy.recorder = recorder
            transfer.authorization?.recorder = recorder
        }
        transfer.prepare(exchange, policy, isQueued: isQueued)
    }

    /// Prepares a transfer that is not performed, because its outcome is known.  No hook receives events of it.
    package func prepareGiven(_ transfer: SubmittedTransfer, isQueued: Bool) {
        transfer.isGiven = true
        transfer.prepare(.nothing, policy, isQueued: isQueued)
    }

    /// Ends the waits for submitted transfers, which continue.  Signal handlers may call it.
    package func interrupt() { interruption.raise() }

    /// Cancels all transfers that have not ended.  No transfer can be submitted afterwards.
    package func close() {
        csystem_lock_acquire(lock)
        let engine = engineIfUsed
        csystem_lock_release(lock)
        engine?.close()
    }

    // MARK: Reports

    private func recorder(_ policy: TransferPolicy, _ plan: Plan?, _ hook: Hook?) -> TraceRecorder? {
        hook == nil && !policy.isTimed ? nil : TraceRecorder(hook, plan, isTimed: policy.isTimed)
    }

    // MARK: Pool

    private func take() throws(Failure) -> Carrier {
        csystem_lock_acquire(lock)
        let handle = idle.popLast()
        csystem_lock_release(lock)
        if let handle { return handle }
        if let transport = options.transport { return TransportCarrier(transport, options) }
        guard let share else { throw .outOfMemory }
        return try EasyHandle.make(options, share)
    }

    /// The cookies of the jar; nil for a transport.
    func cookies() throws(Failure) -> Bytes? {
        try checkProcess()
        if let recorded = options.recorded { return try recorded.cookies() }
        let handle = try take()
        defer { give(handle) }
        return (handle as? EasyHandle)?.cookies
    }

    /// Calls the function with a handle of libcurl; returns 0 for a transport.
    func withHandle(_ use: (EasyHandle) -> Int32) throws(Failure) -> Int32 {
        try checkProcess()
        if let recorded = options.recorded { return try recorded.withHandle(use) }
        let handle = try take()
        defer { give(handle) }
        return (handle as? EasyHandle).map(use) ?? 0
    }

    private func give(_ handle: Carrier) {
        csystem_lock_acquire(lock)
        let isKept = idle.count < Self.idleHandles
        if isKept { idle.append(handle) }
        csystem_lock_release(lock)
        // A handle that is not put back is freed with its last reference, after the lock is released.
    }
}
