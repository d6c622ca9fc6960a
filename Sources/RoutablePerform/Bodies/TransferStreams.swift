// The streams of one transfer: a streamed request body, a target of the response, and the progress callback.

internal import CCurl
internal import CSystem
internal import RoutableCore

/// Made for one transfer; used by the thread that performs it.
package final class TransferStreams: @unchecked Sendable {
    let receiver: Receiver?
    let progress: ProgressFunction?
    private var told: TransferProgress?
    /// The reason why the transfer cannot continue; libcurl only reports that it was stopped.
    var failure: Failure?
    /// The submitted transfer, which owns this object; nil for a blocking call.
    private var transfer: Unmanaged<SubmittedTransfer>?

    init(receiver: Receiver?, progress: ProgressFunction?) {
        self.receiver = receiver
        self.progress = progress
    }

    func attach(_ transfer: SubmittedTransfer) { self.transfer = Unmanaged.passUnretained(transfer) }

    /// Calls the program, unless the transfer was cancelled: cancelling waits for running calls, and no call begins afterwards.
    func ask<Result>(_ otherwise: Result, _ call: () -> Result) -> Result {
        guard let transfer else { return call() }
        return transfer._withUnsafeGuaranteedRef { transfer in
            guard let engine = transfer.engine, engine.enterHost(transfer) else { return otherwise }
            defer { engine.leaveHost(transfer) }
            return call()
        }
    }

    /// Whether the transfer can be resumed if the program cannot provide or accept bytes now.
    func mayPause(_ what: StaticString) -> Bool {
        if transfer != nil { return true }
        fail(Failure(.callback, "\(Bytes(static: what)) paused the transfer; only a submitted transfer can pause"))
        return false
    }

    func fail(_ failure: Failure) { if self.failure == nil { self.failure = failure } }

    /// Reports the progress, if it has changed.  Returns whether the transfer continues.
    func tell(_ now: TransferProgress) -> Bool {
        guard let progress, now != told else { return true }
        told = now
        if ask(true, { progress.tell(now) }) { return true }
        fail(Failure(.callback, "the progress function ended the transfer"))
        return false
    }

    /// Sets the progress callback of the handle.
    func attachProgress(to curl: UnsafeMutableRawPointer) -> Int32 {
        if progress == nil { return 0 }
        return ccurl_set_progress(
            curl,
            { user, toTake, taken, toGive, given in
                guard let user else { return 1 }
                return Unmanaged<TransferStreams>.fromOpaque(user)._withUnsafeGuaranteedRef { streams in
                    var now = TransferProgress()
                    let before = streams.receiver?.offset ?? 0
                    now.sent = Int64(given)
                    now.toSend = toGive > 0 ? Int64(toGive) : -1
                    now.received = Int64(taken) &+ before
                    now.toReceive = toTake > 0 ? Int64(toTake) &+ before : -1
                    return streams.tell(now) ? 0 : 1
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension Bytes {
    /// Calls the function with the text as a C string, which is valid during the call.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var text = storage
        text.append(0)
        return text.withUnsafeBytes { buffer in
            // proof: the array has at least the NUL.
            body(buffer.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? Self.nothing)
        }
    }

    nonisolated(unsafe) private static let nothing: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
}
