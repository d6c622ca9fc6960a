// A submitted request with its outcome.

public import RoutableCore
public import RoutablePerform

/// A request that was submitted to a client.  A subclass with a callback overrides `call`.
open class Transfer: SubmittedTransfer, @unchecked Sendable {
    private var plan: Plan
    private var sent: HeaderBlock
    private var interception: Interception?
    // Written before the transfer is submitted.
    final var answers = AnswerPolicy()
    final var deviationHook: DeviationHook?
    final var keepsDocument = false
    // Written once by the driving thread, before it reports the completion.
    package private(set) final var response: Response?
    package private(set) final var failure: Failure?

    /// - Parameter wantsCall: Whether `call` is called at the end; otherwise the transfer enters the client's queue.
    public init(_ request: Request, wantsCall: Bool) {
        plan = request.plan
        sent = request.headers
        super.init(wantsCall: wantsCall)
    }

    /// Stores the request of the middleware; called before the transfer is submitted.
    final func goThrough(_ interception: Interception) {
        plan = interception.request.plan
        sent = interception.request.headers
        self.interception = interception
    }

    override public final func answered(_ answer: consuming Answer) {
        var answer = answer
        answer.keepsDocument = keepsDocument
        do { response = try plan.router.map(answer, to: plan, sent, answers) } catch { failure = error }
        leave()
    }

    override public final func failed(_ failure: Failure) {
        response = nil
        self.failure = failure.about(route: plan.route.bytes, operation: plan.operation.name.bytes)
        leave()
    }

    override public final func ended() { leave() }

    /// Calls the middleware with the outcome, once.
    @inline(never) private func leave() {
        defer { if let response { deviationHook?.report(response, of: plan) } }
        guard let interception else { return }
        self.interception = nil
        if let response { interception.response = response }
        if let failure { interception.failure = failure }
        response = nil
        failure = nil
        do { response = try interception.end(answers) } catch { failure = error }
    }

    /// The response with `ok`; otherwise `pending` or `cancelled`.  The state is read once, because the transfer can complete between
    /// two readings.
    package final func result() throws(Failure) -> (response: Response?, status: Status) {
        let status = status
        if status != .ok { return (nil, status) }
        if let failure { throw failure }
        guard let response else { throw .noOutcome }
        return (response, .ok)
    }

    /// `pending` until it completes, `cancelled` if it was cancelled, `ok` if it has an outcome.
    package final var status: Status { currentState.status }
}

extension Failure {
    static var noOutcome: Failure { Failure(.internal, "a transfer ended without an outcome") }
}

extension SubmittedTransfer.State {
    package var status: Status {
        switch self {
        case .running: .pending
        case .cancelled: .cancelled
        case .calling, .ended: .ok
        }
    }
}
