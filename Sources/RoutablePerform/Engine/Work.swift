// What the driving thread does: jobs in, libcurl's turn, outcomes out.

internal import CCurl
internal import CSystem
import RoutableCore

/// The state of the thread that drives.
final class Work {
    let loop: OpaquePointer
    /// All jobs that were taken in and have not ended.
    private(set) var jobs: [Job] = []
    let options: ClientOptions
    private let share: EasyHandle.Share
    var admission: Admission<Job>
    var alarms = Alarms()
    /// How many wait for the refresh of a credential, and whether they have to ask again.
    var parked = 0
    var released = false
    /// Those that ended, or wait for something else, before they were sent, or were cancelled.
    private var early = 0
    private var idle: [EasyHandle] = []
    private var incoming: [Job] = []
    private var dropped: [Job] = []
    private var toggled: [(Job, Bool)] = []
    private var now: Int64 = 0

    /// Rounds of outcomes that bring new jobs, before the host's thread is its own again.
    private static let rounds = 8

    init(_ loop: OpaquePointer, _ options: ClientOptions, _ share: EasyHandle.Share) {
        self.loop = loop
        self.options = options
        self.share = share
        admission = Admission(most: options.maximumActive, mostPerHost: options.maximumActivePerHost)
    }

    /// One turn: what is ready, then a wait of at most so long (negative: any time) unless something was.
    func run(_ engine: Engine, milliseconds: Int64) {
        if settle(engine) > 0 && milliseconds != 0 { return }
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
        ccurl_loop_step(loop, wait)
        if sleeps { engine.awake() }
        _ = settle(engine)
    }

    func arm() { ccurl_loop_arm(loop, alarms.next) }

    /// Jobs in and outcomes out until there are no more.  Returns how many ended.
    private func settle(_ engine: Engine) -> Int {
        var total = 0
        for _ in 0..<Self.rounds {
            now = csystem_monotonic_ms()
            takeIn(engine)
            begin(engine)
            ccurl_loop_flush(loop)
            var count = collect(engine) &+ ring(engine) &+ early
            early = 0
            if released {
                release()
                count &+= 1
            }
            if count == 0 { return total }
            total &+= count
        }
        ccurl_loop_wake(loop)
        return total
    }

    // MARK: In

    private func takeIn(_ engine: Engine) {
        engine.takeInbox(&incoming, &dropped, &toggled)
        if !incoming.isEmpty {
            for job in incoming {
                if job.stage != .submitted {
                    takePosted(job, engine)
                    continue
                }
                job.index = jobs.count
                jobs.append(job)
                job.policy.record?.queued()
                if job.isRefresh, isHosts(job) { continue }
                enter(job)
            }
            begin(engine)
            // Those that wait for their turn have an alarm at their deadline.
            for job in incoming where job.stage == .queued && job.deadline != .max {
                alarms.add(job, at: job.deadline)
            }
            incoming.removeAll(keepingCapacity: true)
        }
        if !dropped.isEmpty {
            for job in dropped { drop(job) }
            early &+= dropped.count
            dropped.removeAll(keepingCapacity: true)
        }
        if !toggled.isEmpty {
            for (job, isPaused) in toggled { toggle(job, isPaused, engine) }
            toggled.removeAll(keepingCapacity: true)
        }
    }

    func enter(_ job: Job) {
        job.stage = .queued
        let exchange = job.suspended?.exchange ?? job.exchange
        job.host = admission.enter(job, url: exchange.url)
    }

    /// Those whose turn it is.
    private func begin(_ engine: Engine) {
        while let job = admission.next() {
            if job.stage == .queued {
                job.stage = .active
                begin(job, engine)
            } else {
                admission.leave(job.host)  // it ended in the queue
            }
        }
    }

    private func begin(_ job: Job, _ engine: Engine) {
        if let authorization = job.authorization, authorization.isDue {
            guard let exchange = admit(job, authorization, engine) else {
                early &+= 1
                return
            }
            if job.suspended == nil { job.exchange = exchange } else { job.suspended?.exchange = exchange }
        }
        let handle: EasyHandle
        do { handle = try take() } catch {
            early &+= 1
            fail(job, engine, error)
            return
        }
        handle.job = job
        job.handle = handle
        handle.transfer.isPaused = job.isToPause
        let action: TransferState.Action
        if let suspended = job.suspended {
            job.suspended = nil
            action = handle.transfer.resume(suspended)
        } else {
            action = handle.transfer.begin(job.exchange, job.policy)
        }
        if advance(job, handle, action, engine) { early &+= 1 }
    }

    // MARK: Out

    private func collect(_ engine: Engine) -> Int {
        var count = 0
        var code: Int32 = 0
        while let pointer = ccurl_loop_ended(loop, &code) {
            // A handle that is with libcurl is held by its job.
            let handle = Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue()
            ccurl_loop_remove(loop, handle.curl)
            let end = handle.ended(code)
            guard let job = handle.job else { continue }
            if advance(job, handle, handle.transfer.finished(end), engine) {
                count &+= 1
            }
        }
        return count
    }

    /// Does as the state machine says.  Returns whether the job has ended.
    private func advance(_ job: Job, _ handle: EasyHandle, _ first: TransferState.Action, _ engine: Engine) -> Bool {
        var action = first
        while true {
            switch action {
            case .send:
                let left = job.deadline == .max ? 0 : max(1, job.deadline &- now)
                var code = handle.prepare(milliseconds: left)
                if code == 0 { code = handle.waitForConnection() }
                if code == 0 && ccurl_loop_add(loop, handle.curl) != 0 { code = 27 }
                if code == 0 { return false }
                action = handle.transfer.finished(handle.ended(code))
            case .retry(let retry):
                if sleep(job, handle, retry) { return false }
                action = handle.transfer.receive(.enough)
            case .challenge:
                guard let next = challenge(job, handle, engine) else { return job.stage == .gone }
                action = next
            case .deliver:
                let answer = handle.deliver()
                give(job, handle)
                guard isEnd(of: job, engine) else { return true }
                job.answered(answer)
                finish(job, engine)
                return true
            default:
                let failure = handle.failure(action, options, job.policy.deadlineMilliseconds)
                give(job, handle)
                fail(job, engine, failure)
                return true
            }
        }
    }

    /// The one outcome: kept, told, and done with.
    func end(_ job: Job, _ engine: Engine, _ keep: (Job) -> Void) {
        guard isEnd(of: job, engine) else { return }
        keep(job)
        finish(job, engine)
    }

    /// Whether the outcome at hand is the one: then it is kept, and `finish` follows.
    private func isEnd(of job: Job, _ engine: Engine) -> Bool {
        remove(job)
        guard engine.settle(job) else { return false }
        tellEnd(job)
        return true
    }

    private func finish(_ job: Job, _ engine: Engine) {
        if job.wantsCall { job.call() }
        engine.finish(job)
    }

    func fail(_ job: Job, _ engine: Engine, _ failure: Failure) {
        let record = job.policy.record ?? job.suspended?.record
        let failure = record?.failed(failure) ?? failure
        end(job, engine) { $0.failed(failure) }
    }

    private func tellEnd(_ job: Job) {
        guard let record = job.policy.record else { return }
        job.policy.record = nil
        record.tellEnd()
    }

    private func remove(_ job: Job) {
        let stage = job.stage
        job.stage = .gone
        if stage == .active { admission.leave(job.host) }
        if stage == .queued { admission.forget(job.host) { $0.stage == .queued } }
        alarms.forget(job)
        job.exchange = .nothing
        job.suspended = nil
        job.authorization = nil
        if job.isRefresh { refreshEnded(job) }
        // The last job takes its place.
        guard jobs.indices.contains(job.index), jobs[job.index] === job, let last = jobs.popLast() else { return }
        if last !== job {
            jobs[job.index] = last
            last.index = job.index
        }
        job.index = -1
    }

    /// A cancelled job.
    private func drop(_ job: Job) {
        if let handle = job.handle {
            ccurl_loop_remove(loop, handle.curl)
            _ = handle.ended(42)
            handle.transfer.abandon()
            give(job, handle)
        }
        if job.stage != .gone && job.stage != .submitted { remove(job) }
        if job.stage != .submitted { tellEnd(job) }
        job.stage = .gone
    }

    /// What the host said of a pause.
    private func toggle(_ job: Job, _ isPaused: Bool, _ engine: Engine) {
        job.isToPause = isPaused
        guard let handle = job.handle else { return }
        if isPaused { return handle.pause() }
        let code = handle.goOn()
        if code == 0 { return }
        // What was held back is refused now, which libcurl only says here.
        ccurl_loop_remove(loop, handle.curl)
        if advance(job, handle, handle.transfer.finished(handle.ended(code)), engine) { early &+= 1 }
    }

    // MARK: Time

    private func sleep(_ job: Job, _ handle: EasyHandle, _ retry: Retry) -> Bool {
        guard let wait = retry.milliseconds(wallSeconds: csystem_wall_seconds(), random: csystem_random()),
            job.deadline == .max || now &+ wait < job.deadline
        else { return false }
        handle.transfer.noteWait(wait)
        job.suspended = handle.transfer.suspend()
        give(job, handle)
        admission.leave(job.host)
        job.stage = .sleeping
        job.wakeAt = now &+ wait
        alarms.add(job, at: job.wakeAt)
        return true
    }

    private func ring(_ engine: Engine) -> Int {
        var count = 0
        while let job = alarms.pop(by: now) {
            // Alarms of jobs that are gone ring as well.
            let waits = job.stage == .queued || job.stage == .parked || job.stage == .outside
            if waits && job.deadline <= now {
                let wait = Int(truncatingIfNeeded: job.policy.deadlineMilliseconds)
                let why: Bytes =
                    job.stage == .queued ? "no turn within \(wait) ms: too many transfers run at once"
                    : "no credential within \(wait) ms: its refresh has not ended"
                fail(job, engine, Failure(.timeout, why))
                count &+= 1
            } else if job.stage == .sleeping && job.wakeAt <= now {
                enter(job)
                if job.deadline != .max { alarms.add(job, at: job.deadline) }
                count &+= 1
            }
        }
        return count
    }

    // MARK: Handles

    private func take() throws(Failure) -> EasyHandle {
        if let handle = idle.popLast() { return handle }
        let handle = try EasyHandle.make(options, share)
        if ccurl_loop_adopt(loop, handle.curl) != 0 { throw .outOfMemory }
        return handle
    }

    func give(_ job: Job, _ handle: EasyHandle) {
        handle.job = nil
        job.handle = nil
        idle.append(handle)
    }

    /// With nobody driving and none to come; the jobs are cancelled.
    func unmake() {
        for job in jobs {
            if let handle = job.handle {
                ccurl_loop_remove(loop, handle.curl)
                handle.job = nil
                job.handle = nil
            }
            job.stage = .gone
            job.abandoned()
            job.exchange = .nothing
            job.policy.record = nil
            job.suspended = nil
        }
        jobs = []
        alarms.removeAll()
        admission = Admission(most: 1, mostPerHost: 1)
        idle = []
        ccurl_loop_free(loop)
    }

    /// In a forked process: nothing is said to a peer.
    func abandon() {
        for handle in idle { handle.abandon() }
        for job in jobs {
            job.handle?.abandon()
            job.handle?.job = nil
            job.handle = nil
        }
        ccurl_loop_abandon(loop)
    }
}
