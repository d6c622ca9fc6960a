// Authentication on the driving thread: transfers that wait for a refresh, and refreshes that the program finishes.

import RoutableCore

extension TransferLoop {
    /// The request with its credentials; nil if the transfer waits for a refresh, or has ended.  The transfer has no handle.
    func admit(_ transfer: SubmittedTransfer, _ authorization: Authorization, _ engine: Engine) -> Exchange? {
        engine.tell()
        do throws(Failure) {
            switch try authorization.admit() {
            case .send(let exchange):
                try exchange.check()
                return exchange
            case .wait(let refresh, let begins):
                park(transfer)
                if begins { start(refresh, authorization, engine) }
                return nil
            case .deliver: throw Failure(.internal, "a credential was rejected before it was sent")
            }
        } catch {
            fail(transfer, engine, error)
            return nil
        }
    }

    /// Called when the service has rejected the credentials of an attempt.  Returns the next action for the handle; nil if the transfer
    /// no longer has a handle, because it waits or has ended.
    func challenge(_ transfer: SubmittedTransfer, _ handle: Carrier, _ engine: Engine) -> TransferState.Action? {
        guard let authorization = transfer.authorization else { return handle.transfer.receive(.enough) }
        engine.tell()
        do throws(Failure) {
            switch try authorization.refused(
                handle.transfer.status, handle.transfer.headers, { handle.transfer.content })
            {
            case .deliver: return handle.transfer.receive(.enough)
            case .send(let exchange):
                try exchange.check()
                return handle.transfer.receive(.authorized(exchange))
            case .wait(let refresh, let begins):
                transfer.suspended = handle.transfer.suspend()
                give(transfer, handle)
                park(transfer)
                if begins { start(refresh, authorization, engine) }
                return nil
            }
        } catch {
            handle.transfer.abandon()
            give(transfer, handle)
            fail(transfer, engine, error)
            return nil
        }
    }

    /// Lets another transfer be active until the refresh has ended.
    private func park(_ transfer: SubmittedTransfer) {
        admission.leave(transfer.host)
        transfer.stage = .parked
        if transfer.deadline != .max { alarms.add(transfer, at: transfer.deadline) }
        parked &+= 1
    }

    private func start(_ refresh: CredentialRefresh, _ authorization: Authorization, _ engine: Engine) {
        do throws(Failure) {
            try authorization.prepare(refresh, options.policy)
            try engine.submit(refresh)
        } catch {
            // The refresh ends before it has begun; the transfers that wait for it find the reason.
            refresh.failed(error)
            released = true
        }
    }

    func refreshEnded(_ transfer: SubmittedTransfer) {
        released = true
        unsafeDowncast(transfer, to: CredentialRefresh.self).letGo()  // proof: only this class sets `isRefresh`.
    }

    /// Called after a refresh has ended: the waiting transfers ask for a decision again.
    func release() {
        released = false
        if parked == 0 { return }
        parked = 0
        for transfer in transfers where transfer.stage == .parked {
            enter(transfer)
            if transfer.deadline != .max { alarms.add(transfer, at: transfer.deadline) }
        }
    }

    /// Whether a function of the program performs the refresh; it is called without a lock.
    func isHosts(_ transfer: SubmittedTransfer) -> Bool {
        let refresh = unsafeDowncast(transfer, to: CredentialRefresh.self)  // proof: only this class sets `isRefresh`.
        guard let refresher = refresh.refresher else { return false }
        refresh.stage = .outside
        if refresh.deadline != .max { alarms.add(refresh, at: refresh.deadline) }
        refresher.call(refresh)
        return true
    }

    /// Processes the program's reply to a refresh or an attempt.
    func takePosted(_ transfer: SubmittedTransfer, _ engine: Engine) {
        if transfer.stage == .active { return takeReply(transfer, engine) }
        guard transfer.isRefresh, transfer.stage == .outside else { return }
        let refresh = unsafeDowncast(transfer, to: CredentialRefresh.self)  // proof: only this class sets `isRefresh`.
        guard let answer = engine.answer(of: refresh) else { return }
        end(refresh, engine) { _ in refresh.take(answer) }
    }
}

extension Engine {
    /// Passes the program's reply to the driving thread.
    func answer(_ transfer: CredentialRefresh, _ answer: Result<Token, Failure>) {
        post(transfer) { if $0.answer == nil { $0.answer = answer } }
    }

    func answer(of transfer: CredentialRefresh) -> Result<Token, Failure>? { withLock { transfer.answer } }
}
