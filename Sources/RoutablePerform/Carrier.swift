// Performs the attempts of a transfer: with a libcurl handle, or with a function of the program.  Redirects, retries,
// credentials, limits and hooks are above it, and therefore the same for both.

import RoutableCore

/// Performs one attempt at a time.  Used by one thread at a time, which the pool of the client or the loop ensures.
class Carrier {
    /// How an attempt ended.
    struct End {
        var code: Int32
        var redirect: Text?
    }

    final let transfer = HandleTransfer()
    /// The transfer for which a loop uses this carrier.
    final var owner: SubmittedTransfer?

    /// Makes one attempt, with this time limit (0 for none), and blocks until it has ended.
    func attempt(milliseconds: Int64) -> End { End(code: 0) }

    // MARK: In a loop

    /// Begins an attempt.  Returns its end if it has already ended.
    func begin(in loop: OpaquePointer, milliseconds: Int64) -> End? { nil }
    /// The end of the attempt, if it has ended or its deadline has passed; nil for an attempt whose end libcurl reports itself.
    func ended(by now: Int64, deadline: Int64) -> End? { nil }
    /// The time at which to call `ended`; Int64.max for never.
    func alarm(_ deadline: Int64) -> Int64 { .max }
    /// Ends an attempt that is in progress, with this code.
    @discardableResult func stop(in loop: OpaquePointer, _ code: Int32 = 42) -> End { End(code: code) }
    func pause() {}
    /// Continues a paused attempt.  A result other than 0 is the code that ends the attempt.
    func resume() -> Int32 { 0 }

    // MARK: The end

    func deliver() -> Answer {
        let recorder = transfer.recorder
        let answer = transfer.deliver()
        recorder?.answered(answer.status, nil)
        return answer
    }

    /// The reason why the transfer has no response.  Releases the request of the program.
    func failure(_ action: TransferState.Action, _ options: ClientOptions, _ deadline: Int64) -> Failure {
        Failure(.internal, "the transfer failed without an error")
    }

    /// Called in a forked process: the connections belong to the parent, and are not touched.
    func abandon() {}
}
