// A request without an operation of a description, which is performed but not mapped.

public import RoutableCore
public import RoutablePerform

/// A transfer whose response is delivered as received.  A subclass overrides `call`, which is called at the end.
open class UnmappedTransfer: SubmittedTransfer, @unchecked Sendable {
    // Written once by the driving thread, before it calls `call`.
    private final var answer: Answer?
    private final var failure: Failure?

    public init() { super.init(wantsCall: true) }

    override public final func answered(_ answer: consuming Answer) { self.answer = answer }
    override public final func failed(_ failure: Failure) { self.failure = failure }

    /// The response; only valid in `call`.
    package final func result() throws(Failure) -> Answer {
        if let failure { throw failure }
        guard let answer else { throw Failure(.internal, "a transfer ended without an outcome") }
        return answer
    }
}

extension ClientCore {
    /// Submits a request that was not built from a description: without the credentials, the rules and the base of the client.
    package func submit(
        _ transfer: UnmappedTransfer, method: Bytes, url: Bytes, headers: [HeaderField], body: Bytes?, _ policy: RequestPolicy?
    ) throws(Failure) {
        try pool.prepare(
            transfer, Exchange(method: method, url: url, headers: headers, body: body), policy?.applied(to: pool.policy),
            isQueued: false, for: hook)
        try pool.engine().submit(transfer)
    }
}
