// What came of a request before it failed, as its failure carries it: the answer, and what was noted on the way.

extension Failure.Fields {
    /// The class of every object that stands in `answer`.
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

    /// The answer of a status that is an error, or that could not be mapped.
    public var response: Response? {
        get { carried?.response }
        set { carry(newValue, trace) }
    }

    /// Of a transfer that came to no answer.
    public var trace: Trace? {
        get { carried?.trace }
        set { carry(response, newValue) }
    }
}
