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
    /// The transfer that a loop performs with it.
    final var owner: SubmittedTransfer?

    /// Makes one attempt within that time (0 for any) and blocks until it has ended.
    func attempt(milliseconds: Int64) -> End { End(code: 0) }

    // MARK: In a loop

    /// Begins an attempt; how it ended, if it has ended already.
    func begin(in loop: OpaquePointer, milliseconds: Int64) -> End? { nil }
    /// How the attempt ended, if it has by now, or its deadline has passed; nil for one that libcurl reports itself.
    func ended(by now: Int64, deadline: Int64) -> End? { nil }
    /// When to check `ended`; Int64.max for never.
    func alarm(_ deadline: Int64) -> Int64 { .max }
    /// Ends an attempt that is in progress, with that code.
    @discardableResult func stop(in loop: OpaquePointer, _ code: Int32 = 42) -> End { End(code: code) }
    func pause() {}
    /// Continues what was paused.  A code but 0 ends the attempt.
    func resume() -> Int32 { 0 }

    // MARK: The end

    func deliver() -> Answer {
        let recorder = transfer.recorder
        let answer = transfer.deliver()
        recorder?.answered(answer.status, nil)
        return answer
    }

    /// Why the transfer has no response; it releases the request of the program.
    func failure(_ action: TransferState.Action, _ options: ClientOptions, _ deadline: Int64) -> Failure {
        Failure(.internal, "the transfer failed without an error")
    }

    /// In a forked process: connections are the parent's, and are left alone.
    func abandon() {}
}
