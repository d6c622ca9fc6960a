// Many requests at the same time: submits, drives and receives transfers.

package import RoutableCore
package import RoutablePerform

extension ClientCore {
    /// Prepares a transfer of the current state of the request; the caller submits the transfer next.
    @inline(never)
    package func prepare(_ transfer: Transfer, _ request: Request, _ given: RequestPolicy?) throws(Failure) {
        given?.bind(to: request)
        transfer.deviationHook = deviationPlace.hook
        guard let interception = try intercept(request) else { return try prepareDirectly(transfer, request, given) }
        transfer.goThrough(interception)
        if !interception.isOver {
            do throws(Failure) { return try prepareDirectly(transfer, interception.request, given) } catch {
                interception.failure = error
            }
        }
        transfer.answers = answers(given)
        pool.prepareGiven(transfer, isQueued: given?.isQueued ?? true)
    }

    @inline(never) private func prepareDirectly(_ transfer: Transfer, _ request: Request, _ given: RequestPolicy?)
        throws(Failure)
    {
        do throws(Failure) {
            let policy = RequestPolicy.of(request, given)
            var exchange = exchange(request, policy)
            transfer.answers = answers(policy)
            transfer.keepsDocument = policy?.keepsDocuments ?? false
            transfer.authorization = try authorization(request, &exchange, policy)
            try pool.prepare(
                transfer, exchange, policy?.applied(to: pool.policy), isQueued: policy?.isQueued ?? true, of: request.plan,
                for: hook)
        } catch { throw error.about(request) }
    }

    /// Prepares a transfer of the request and submits it.  The transfer completes exactly once, unless it is cancelled before.
    package func submit(_ transfer: Transfer, _ request: Request, _ policy: RequestPolicy?) throws(Failure) {
        try prepare(transfer, request, policy)
        do throws(Failure) { try pool.engine().submit(transfer) } catch { throw error.about(request) }
    }

    /// Submits prepared transfers: all of them, or none.
    package func submit(prepared transfers: [SubmittedTransfer]) throws(Failure) { try pool.engine().submit(transfers) }

    /// The result of `next`.
    package enum Next: Sendable {
        case transfer(Transfer)
        /// The time has elapsed.
        case pending
        /// No transfers are in progress.
        case idle
        /// A signal or `interrupt` ended the wait.
        case interrupted
    }

    /// The next completed transfer without a callback.  Drives the transfers while it waits, unless another thread does; without
    /// `drives`, it does not wait.
    package func next(milliseconds: Int64, drives: Bool = true) throws(Failure) -> Next {
        switch try pool.engine().next(milliseconds: milliseconds, drives: drives) {
        // proof: every queued transfer of this engine was submitted above; a refresh is never queued.
        case .transfer(let transfer): return .transfer(unsafeDowncast(transfer, to: Transfer.self))
        case .pending: return .pending
        case .idle: return .idle
        case .interrupted: return .interrupted
        }
    }

    /// Performs the transfers that are ready, or else waits for one, and calls the callbacks.  Returns the number of transfers in progress;
    /// nil if the wait was interrupted.
    package func drive(milliseconds: Int64) throws(Failure) -> Int? { try pool.engine().drive(milliseconds: milliseconds) }

    /// The descriptor to wait on for reading; call `drive` when it is readable.
    package func descriptor() throws(Failure) -> Int32 { try pool.engine().descriptor() }

    /// Drives the transfers in a thread of the client from now on; callbacks run in this thread.
    package func start() throws(Failure) { try pool.engine().start() }
}
