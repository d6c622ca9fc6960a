// The response and the trace of a request that failed, as its failure contains them.

extension Failure.Fields {
    /// The class of every object that is stored in `answer`.
    private final class Carried: Sendable {
        let response: Response?
        let trace: Trace?

        init(_ response: Response?, _ trace: Trace?) {
            self.response = response
            self.trace = trace
        }
    }

    // proof: `answer` is written by `carry` alone.
    private var carried: Carried? { answer.map { unsafeDowncast($0, to: Carried.self) } }

    private mutating func carry(_ response: Response?, _ trace: Trace?) {
        answer = response == nil && trace == nil ? nil : Carried(response, trace)
    }

    /// The response of the service, if its status is an error or its body could not be mapped; otherwise nil.
    public var response: Response? {
        get { carried?.response }
        set { carry(newValue, trace) }
    }

    /// The trace of the transfer that failed, if there is one.
    public var trace: Trace? {
        get { carried?.trace }
        set { carry(response, newValue) }
    }
}
