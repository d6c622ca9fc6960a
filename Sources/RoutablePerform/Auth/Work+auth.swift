// The driving thread's part in auth: transfers that wait for a refresh, and refreshes that the host answers.

import RoutableCore

extension Work {
    /// The request with its credentials; nil when the job waits for a refresh, or has ended.  It has no handle.
    func admit(_ job: Job, _ authorization: Authorization, _ engine: Engine) -> Exchange? {
        engine.tell()
        do throws(Failure) {
            switch try authorization.admit() {
            case .send(let exchange):
                try exchange.check()
                return exchange
            case .wait(let refresh, let begins):
                park(job)
                if begins { start(refresh, authorization, engine) }
                return nil
            case .deliver: throw Failure(.internal, "a credential was refused before it was sent")
            }
        } catch {
            fail(job, engine, error)
            return nil
        }
    }

    /// The service has refused the credentials of an attempt that has ended.  What to do next with the handle; nil when
    /// the job has none any more: then it waits, or has ended.
    func challenge(_ job: Job, _ handle: EasyHandle, _ engine: Engine) -> TransferState.Action? {
        guard let authorization = job.authorization else { return handle.transfer.receive(.enough) }
        engine.tell()
        do throws(Failure) {
            switch try authorization.refused() {
            case .deliver: return handle.transfer.receive(.enough)
            case .send(let exchange):
                try exchange.check()
                return handle.transfer.receive(.authorized(exchange))
            case .wait(let refresh, let begins):
                job.suspended = handle.transfer.suspend()
                give(job, handle)
                park(job)
                if begins { start(refresh, authorization, engine) }
                return nil
            }
        } catch {
            handle.transfer.abandon()
            give(job, handle)
            fail(job, engine, error)
            return nil
        }
    }

    /// A job that has its turn gives it to another one until the refresh has ended.
    private func park(_ job: Job) {
        admission.leave(job.host)
        job.stage = .parked
        if job.deadline != .max { alarms.add(job, at: job.deadline) }
        parked &+= 1
    }

    private func start(_ refresh: RefreshJob, _ authorization: Authorization, _ engine: Engine) {
        do throws(Failure) {
            try authorization.prepare(refresh, options.policy)
            try engine.submit(refresh)
        } catch {
            // It ends without having begun: those that wait for it find why.
            refresh.failed(error)
            released = true
        }
    }

    func refreshEnded(_ job: Job) {
        released = true
        unsafeDowncast(job, to: RefreshJob.self).letGo()  // proof: it says that it is one.
    }

    /// A refresh has ended: those that wait ask again.
    func release() {
        released = false
        if parked == 0 { return }
        parked = 0
        for job in jobs where job.stage == .parked {
            enter(job)
            if job.deadline != .max { alarms.add(job, at: job.deadline) }
        }
    }

    /// Whether it is a refresh that the host makes: its function is called, without a lock.
    func isHosts(_ job: Job) -> Bool {
        let refresh = unsafeDowncast(job, to: RefreshJob.self)  // proof: it says that it is one.
        guard let refresher = refresh.refresher else { return false }
        refresh.stage = .outside
        if refresh.deadline != .max { alarms.add(refresh, at: refresh.deadline) }
        refresher.call(refresh)
        return true
    }

    /// A job that is known: a refresh that the host has answered.
    func takePosted(_ job: Job, _ engine: Engine) {
        guard job.isRefresh, job.stage == .outside else { return }
        let refresh = unsafeDowncast(job, to: RefreshJob.self)  // proof: it says that it is one.
        guard let answer = engine.answer(of: refresh) else { return }
        end(refresh, engine) { _ in refresh.take(answer) }
    }
}

extension Engine {
    /// Gives the host's answer to the thread that drives.
    func answer(_ job: RefreshJob, _ answer: Result<Token, Failure>) {
        post(job) { if $0.answer == nil { $0.answer = answer } }
    }

    func answer(of job: RefreshJob) -> Result<Token, Failure>? { withLock { job.answer } }
}
