// The work of the driving thread: starts transfers, runs libcurl, delivers outcomes.

internal import CCurl
internal import CSystem
import RoutableCore

/// The state of the driving thread.
final class TransferLoop {
    let curlLoop: OpaquePointer
    /// All transfers that the loop has accepted and that have not ended.
    private(set) var transfers: [SubmittedTransfer] = []
    let options: ClientOptions
    private let share: EasyHandle.Share?
    var admission: Admission<SubmittedTransfer>
    var alarms = Alarms()
    /// The number of transfers that wait for the refresh of a credential, and whether they must ask for a decision again.
    var parked = 0
    var released = false
    /// The number of transfers that ended or were cancelled outside of `collect` and `ring`, or that wait for something else.
    private var early = 0
    private var idle: [Carrier] = []
    private var incoming: [SubmittedTransfer] = []
    private var dropped: [SubmittedTransfer] = []
    private var toggled: [(SubmittedTransfer, Bool)] = []
    private var now: Int64 = 0

    /// The maximum number of rounds of outcomes that start new transfers, before the call returns to the program.
    private static let rounds = 8

    init(_ curlLoop: OpaquePointer, _ options: ClientOptions, _ share: EasyHandle.Share?) {
        self.curlLoop = curlLoop
        isHosts = options.transport != nil
        self.options = options
        self.share = share
        admission = Admission(maximum: options.maximumActive, maximumPerHost: options.maximumActivePerHost)
    }

    /// Processes the transfers that are ready, and then waits at most this time (negative: no limit), unless a transfer has ended.  Returns
    /// whether a signal ended the wait.
    @discardableResult func run(_ engine: Engine, milliseconds: Int64) -> Bool {
        ccurl_loop_begin_turn(curlLoop)
        if settle(engine) > 0 && milliseconds != 0 { return false }
        var wait = milliseconds
        var sleeps = false
        if wait != 0 {
            if alarms.next != .max {
                let left = max(0, alarms.next &- now)
                wait = wait < 0 ? left : min(wait, left)
            }
            sleeps = engine.fallAsleep()
            if !sleeps { wait = 0 }
        }
        let isInterrupted = ccurl_loop_step(curlLoop, wait) != 0
        if sleeps { engine.awake() }
        _ = settle(engine)
        return isInterrupted
    }

    func arm() { ccurl_loop_arm(curlLoop, alarms.next) }

    /// Starts transfers and reports outcomes until there are no more.  Returns the number of transfers that have ended.
    private func settle(_ engine: Engine) -> Int {
        var total = 0
        for _ in 0..<Self.rounds {
            now = csystem_monotonic_ms()
            takeIn(engine)
            begin(engine)
            ccurl_loop_flush(curlLoop)
            var count = collect(engine) &+ ring(engine) &+ early
            early = 0
            if released {
                release()
                count &+= 1
            }
            if count == 0 { return total }
            total &+= count
        }
        ccurl_loop_wake(curlLoop)
        return total
    }

    // MARK: New transfers

    private func takeIn(_ engine: Engine) {
        engine.takeInbox(&incoming, &dropped, &toggled)
        if !incoming.isEmpty {
            for transfer in incoming {
                if transfer.stage != .submitted {
                    takePosted(transfer, engine)
                    continue
                }
                transfer.index = transfers.count
                transfers.append(transfer)
                transfer.policy.recorder?.queued()
                if transfer.isGiven {
                    early &+= 1
                    end(transfer, engine) { $0.ended() }
                    continue
                }
                if transfer.isRefresh, isHosts(transfer) { continue }
                enter(transfer)
            }
            begin(engine)
            // Transfers that are still in the queue have an alarm at their deadline.
            for transfer in incoming where transfer.stage == .queued && transfer.deadline != .max {
                alarms.add(transfer, at: transfer.deadline)
            }
            incoming.removeAll(keepingCapacity: true)
        }
        if !dropped.isEmpty {
            for transfer in dropped { drop(transfer) }
            early &+= dropped.count
            dropped.removeAll(keepingCapacity: true)
        }
        if !toggled.isEmpty {
            for (transfer, isPaused) in toggled { toggle(transfer, isPaused, engine) }
            toggled.removeAll(keepingCapacity: true)
        }
    }

    func enter(_ transfer: SubmittedTransfer) {
        transfer.stage = .queued
        let exchange = transfer.suspended?.exchange ?? transfer.exchange
        transfer.host = admission.enter(transfer, url: exchange.url)
    }

    /// Begins the transfers that the admission allows.
    private func begin(_ engine: Engine) {
        while let transfer = admission.next() {
            if transfer.stage == .queued {
                transfer.stage = .active
                begin(transfer, engine)
            } else {
                admission.leave(transfer.host)  // the transfer ended in the queue
            }
        }
    }

    private func begin(_ transfer: SubmittedTransfer, _ engine: Engine) {
        if let authorization = transfer.authorization, authorization.isDue {
            guard let exchange = admit(transfer, authorization, engine) else {
                early &+= 1
                return
            }
            if transfer.suspended == nil { transfer.exchange = exchange } else { transfer.suspended?.exchange = exchange }
        }
        let handle: Carrier
        do { handle = try take() } catch {
            early &+= 1
            fail(transfer, engine, error)
            return
        }
        handle.owner = transfer
        transfer.handle = handle
        handle.transfer.isPaused = transfer.isToPause
        let action: TransferState.Action
        if let suspended = transfer.suspended {
            transfer.suspended = nil
            action = handle.transfer.resume(suspended)
        } else {
            action = handle.transfer.begin(transfer.exchange, transfer.policy)
        }
        if advance(transfer, handle, action, engine) { early &+= 1 }
    }

    // MARK: Outcomes

    private func collect(_ engine: Engine) -> Int {
        var count = 0
        var code: Int32 = 0
        while let pointer = ccurl_loop_ended(curlLoop, &code) {
            // The transfer retains a handle that libcurl is using.
            let handle = Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue()
            ccurl_loop_remove(curlLoop, handle.curl)
            let end = handle.ended(code)
            guard let transfer = handle.owner else { continue }
            if advance(transfer, handle, handle.transfer.finished(end), engine) {
                count &+= 1
            }
        }
        return count
    }

    /// Executes the actions of the state machine.  Returns whether the transfer has ended.
    private func advance(_ transfer: SubmittedTransfer, _ handle: Carrier, _ first: TransferState.Action, _ engine: Engine)
        -> Bool
    {
        var action = first
        while true {
            switch action {
            case .send:
                let left = transfer.deadline == .max ? 0 : max(1, transfer.deadline &- now)
                if isHosts { engine.tell() }
                guard let end = handle.begin(in: curlLoop, milliseconds: left) else {
                    if isHosts { setAlarm(transfer, handle) }
                    return false
                }
                action = handle.transfer.finished(end)
            case .retry(let retry):
                if sleep(transfer, handle, retry) { return false }
                action = handle.transfer.receive(.enough)
            case .challenge:
                guard let next = challenge(transfer, handle, engine) else { return transfer.stage == .gone }
                action = next
            case .deliver:
                var answer = handle.deliver()
                answer.deadline = transfer.deadline
                give(transfer, handle)
                guard isEnd(of: transfer, engine) else { return true }
                transfer.answered(consume answer)
                // One transfer at a time fails, and its memory is released.
                if Memory.recovers() { transfer.failed(Memory.failure) }
                finish(transfer, engine)
                return true
            default:
                let failure = handle.failure(action, options, transfer.policy.deadlineMilliseconds)
                give(transfer, handle)
                fail(transfer, engine, failure)
                return true
            }
        }
    }

    /// Stores and reports the outcome, and removes the transfer.
    func end(_ transfer: SubmittedTransfer, _ engine: Engine, _ keep: (SubmittedTransfer) -> Void) {
        guard isEnd(of: transfer, engine) else { return }
        keep(transfer)
        finish(transfer, engine)
    }

    /// Returns whether this is the outcome: then the caller stores it and calls `finish`.
    private func isEnd(of transfer: SubmittedTransfer, _ engine: Engine) -> Bool {
        remove(transfer)
        guard engine.settle(transfer) else { return false }
        tellEnd(transfer)
        return true
    }

    private func finish(_ transfer: SubmittedTransfer, _ engine: Engine) {
        if transfer.wantsCall { transfer.call() }
        engine.finish(transfer)
    }

    func fail(_ transfer: SubmittedTransfer, _ engine: Engine, _ failure: Failure) {
        let recorder = transfer.policy.recorder ?? transfer.suspended?.recorder
        let failure = Memory.recovers() ? Memory.failure : failure
        let told = recorder?.failed(failure) ?? failure
        end(transfer, engine) { $0.failed(told) }
    }

    private func tellEnd(_ transfer: SubmittedTransfer) {
        guard let recorder = transfer.policy.recorder else { return }
        transfer.policy.recorder = nil
        recorder.tellEnd()
    }

    private func remove(_ transfer: SubmittedTransfer) {
        let stage = transfer.stage
        transfer.stage = .gone
        if stage == .active { admission.leave(transfer.host) }
        if stage == .queued { admission.forget(transfer.host) { $0.stage == .queued } }
        alarms.forget(transfer)
        transfer.exchange = .nothing
        transfer.suspended = nil
        transfer.authorization = nil
        if transfer.isRefresh { refreshEnded(transfer) }
        // The last transfer is moved to the free index.
        guard transfers.indices.contains(transfer.index), transfers[transfer.index] === transfer, let last = transfers.popLast()
        else { return }
        if last !== transfer {
            transfers[transfer.index] = last
            last.index = transfer.index
        }
        transfer.index = -1
    }

    /// Removes a cancelled transfer.
    private func drop(_ transfer: SubmittedTransfer) {
        if let handle = transfer.handle {
            handle.stop(in: curlLoop)
            handle.transfer.abandon()
            give(transfer, handle)
        }
        if transfer.stage != .gone && transfer.stage != .submitted { remove(transfer) }
        if transfer.stage != .submitted { tellEnd(transfer) }
        transfer.stage = .gone
    }

    /// Pauses or resumes a transfer for the program.
    private func toggle(_ transfer: SubmittedTransfer, _ isPaused: Bool, _ engine: Engine) {
        transfer.isToPause = isPaused
        guard let handle = transfer.handle else { return }
        if isPaused { return handle.pause() }
        let code = handle.resume()
        if isHosts { return takeReply(transfer, engine) }
        if code == 0 { return }
        // The deferred bytes are rejected now; libcurl reports this only here.
        let end = handle.stop(in: curlLoop, code)
        if advance(transfer, handle, handle.transfer.finished(end), engine) { early &+= 1 }
    }

    // MARK: Transports

    /// Whether a transport replies instead of libcurl.
    private let isHosts: Bool

    private func setAlarm(_ transfer: SubmittedTransfer, _ handle: Carrier) {
        let moment = handle.alarm(transfer.deadline)
        if moment != .max { alarms.add(transfer, at: moment) }
    }

    /// Called when the program may have replied to an attempt, or its time may be over.
    func takeReply(_ transfer: SubmittedTransfer, _ engine: Engine) {
        guard let handle = transfer.handle else { return }
        guard let end = handle.ended(by: now, deadline: transfer.deadline) else { return setAlarm(transfer, handle) }
        if advance(transfer, handle, handle.transfer.finished(end), engine) { early &+= 1 }
    }

    // MARK: Time

    private func sleep(_ transfer: SubmittedTransfer, _ handle: Carrier, _ retry: Retry) -> Bool {
        guard let wait = retry.milliseconds(wallSeconds: csystem_wall_seconds(), random: csystem_random()),
            transfer.deadline == .max || now &+ wait < transfer.deadline
        else { return false }
        handle.transfer.noteWait(wait)
        transfer.suspended = handle.transfer.suspend()
        give(transfer, handle)
        admission.leave(transfer.host)
        transfer.stage = .sleeping
        transfer.wakeAt = now &+ wait
        alarms.add(transfer, at: transfer.wakeAt)
        return true
    }

    private func ring(_ engine: Engine) -> Int {
        var count = 0
        while let transfer = alarms.pop(by: now) {
            // Alarms of ended transfers may fire as well.
            let waits = transfer.stage == .queued || transfer.stage == .parked || transfer.stage == .outside
            if waits && transfer.deadline <= now {
                let wait = Int(truncatingIfNeeded: transfer.policy.deadlineMilliseconds)
                let why: Bytes =
                    transfer.stage == .queued
                    ? "the transfer did not start within \(wait) ms: too many transfers run at once"
                    : "the credential was not refreshed within \(wait) ms"
                fail(transfer, engine, Failure(.timeout, why))
                count &+= 1
            } else if transfer.stage == .active && isHosts {
                takeReply(transfer, engine)
                count &+= 1
            } else if transfer.stage == .sleeping && transfer.wakeAt <= now {
                enter(transfer)
                if transfer.deadline != .max { alarms.add(transfer, at: transfer.deadline) }
                count &+= 1
            }
        }
        return count
    }

    // MARK: Handles

    private func take() throws(Failure) -> Carrier {
        if let handle = idle.popLast() { return handle }
        if let transport = options.transport { return TransportCarrier(transport, options) }
        guard let share else { throw .outOfMemory }
        let handle = try EasyHandle.make(options, share)
        if ccurl_loop_adopt(curlLoop, handle.curl) != 0 { throw .outOfMemory }
        return handle
    }

    func give(_ transfer: SubmittedTransfer, _ handle: Carrier) {
        handle.owner = nil
        transfer.handle = nil
        idle.append(handle)
    }

    /// Called when no thread drives and none will; the transfers are cancelled.
    func unmake() {
        for transfer in transfers {
            if let handle = transfer.handle {
                handle.stop(in: curlLoop)
                handle.owner = nil
                transfer.handle = nil
            }
            transfer.stage = .gone
            transfer.abandoned()
            transfer.exchange = .nothing
            transfer.policy.recorder = nil
            transfer.suspended = nil
        }
        transfers = []
        alarms.removeAll()
        admission = Admission(maximum: 1, maximumPerHost: 1)
        idle = []
        ccurl_loop_free(curlLoop)
    }

    /// Called in a forked process: nothing is sent to a peer.
    func abandon() {
        for handle in idle { handle.abandon() }
        for transfer in transfers {
            transfer.handle?.abandon()
            transfer.handle?.owner = nil
            transfer.handle = nil
        }
        ccurl_loop_abandon(curlLoop)
    }
}
