// The transfers of a client: on the thread of the caller with a pool of handles, or many at the same time with its engine.

internal import CSystem
package import RoutableCore

/// Performs exchanges over libcurl.  Any number of threads may use it at the same time.
package final class ConnectionPool: Sendable {
    package let options: ClientOptions
    /// Of a transfer that says nothing else.
    package let policy: TransferPolicy
    /// The description whose requests get the headers and the query of the options, also if several clients share the pool.
    package let owner: CredentialOwner
    // Shared by the handles; libcurl takes its locks.
    nonisolated(unsafe) private let share: EasyHandle.Share?
    // Guards `idle` and `engine` and nothing else: never held while libcurl runs.
    nonisolated(unsafe) private let lock: OpaquePointer
    // The unused handles.  The last one used is first, because its connection is the most recent.
    nonisolated(unsafe) private var idle: [Carrier]
    nonisolated(unsafe) private var engineIfUsed: Engine?
    private let forks: UInt32
    private let interruption: Interruption

    /// More idle handles are not kept; each may hold a few connections.
    private static let idleHandles = 128

    /// Opens libcurl when it is the first.  Failures: `noCurl`, `header`, `argument`.
    package static func make(_ options: ClientOptions) throws(Failure) -> ConnectionPool {
        let options = try options.checked()
        if let transport = options.transport { return try make(options, nil, TransportCarrier(transport, options)) }
        try CurlLibrary.load()
        let share = try EasyHandle.Share.make(hasCookies: options.cookieFile != nil)
        // Made now, so that an unsuitable libcurl is reported here.
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
            // The parent's connections hang on the handles: a farewell from here would end them there.
            for handle in idle { handle.abandon() }
        }
        csystem_lock_free(lock)
    }

    /// Whether this process was forked from the one that the client was made in.
    private var isForeign: Bool { csystem_fork_count() != forks }

    private func checkProcess() throws(Failure) {
        if isForeign {
            throw Failure(.argument, "the client was created before this process was forked; create a new client in the child")
        }
    }

    // MARK: One at a time

    /// Sends, follows redirects, and returns the answer whatever its status.  Blocks until it is whole or has failed.
    ///
    /// A redirect repeats the request, but 303, and 301 and 302 after POST, turn it into a GET; another origin sees
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
                // After the deadline, libcurl gets a moment to report it.
                if case .send = action {
                    time = max(1, policy.deadlineMilliseconds &- (csystem_monotonic_ms() &- start))
                }
            }
        }
    }

    /// Sleeps as long as wanted; false when that would be past the deadline.
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

    // MARK: Many at once

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

    /// Gives a transfer what it performs, before it is submitted.
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

    /// The same for one that is not performed, because its outcome is known.  No hook is told of it.
    package func prepareGiven(_ transfer: SubmittedTransfer, isQueued: Bool) {
        transfer.isGiven = true
        transfer.prepare(.nothing, policy, isQueued: isQueued)
    }

    /// Ends the waits for submitted transfers, which continue.  Signal handlers may call it.
    package func interrupt() { interruption.raise() }

    /// Cancels all that was submitted and not ended.  Nothing can be submitted afterwards.
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

    /// What the jar holds; nil over a transport.
    func cookies() throws(Failure) -> Bytes? {
        try checkProcess()
        if let recorded = options.recorded { return try recorded.cookies() }
        let handle = try take()
        defer { give(handle) }
        return (handle as? EasyHandle)?.cookies
    }

    /// With a handle of libcurl; 0 over a transport.
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
        // A handle that is not kept ends with its last reference, after the lock.
    }
}
