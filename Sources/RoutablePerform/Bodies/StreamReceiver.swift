// Splits a body into items that the program reads: pieces, lines, or events.  The transfer waits while too many are buffered.

internal import CSystem
package import RoutableCore

/// The buffer between the thread that performs and the threads that read.
package final class StreamReceiver: Receiver, @unchecked Sendable {
    /// The head of the response.
    package struct Head: Sendable {
        package let status: Int32
        package let headers: HeaderBlock
    }

    private let engine: Engine
    private let maximumBufferedBytes: Int
    private let reconnects: UInt32
    private let kind: Splitter.Kind
    /// Called without the lock when there are new items; with true at the end of the body, which the transfer reports.
    private let changed: (@Sendable (Bool) -> Void)?
    // Guarded by the engine's lock.
    private var splitter: Splitter
    private var isPaused = false
    private var head: Head?
    // Used only by the thread that performs the transfer.
    private var isTouched = false
    private var failedInARow: UInt32 = 0
    private var retryMilliseconds: Int64

    /// `reconnects` is the maximum number of times in a row that a broken event stream is continued without receiving an event.
    package init(
        _ engine: Engine, _ splitter: Splitter, maximumBufferedBytes: Int, reconnects: UInt32, retryMilliseconds: Int64,
        changed: (@Sendable (Bool) -> Void)? = nil
    ) {
        self.engine = engine
        self.splitter = splitter
        kind = splitter.kind
        self.changed = changed
        self.maximumBufferedBytes = maximumBufferedBytes <= 0 ? 256 << 10 : maximumBufferedBytes
        self.reconnects = splitter.kind == .events ? reconnects : 0
        self.retryMilliseconds = retryMilliseconds <= 0 ? 3000 : min(retryMilliseconds, 86_400_000)
    }

    // MARK: For the program

    /// The next item; nil if there is none yet.
    package func next(of transfer: SubmittedTransfer) -> Splitter.Item? {
        csystem_lock_acquire(engine.lock)
        defer { csystem_lock_release(engine.lock) }
        let item = splitter.next()
        if isPaused, splitter.waitingBytes <= maximumBufferedBytes / 2 {
            isPaused = false
            engine.resumeLocked(transfer)
        }
        return item
    }

    /// Waits at most this time for an item, or for the end.  Returns whether the wait was interrupted.
    package func wait(of transfer: SubmittedTransfer, milliseconds: Int64) throws(Failure) -> Bool {
        try engine.wait(of: transfer, milliseconds: milliseconds) { !self.splitter.isEmpty }
    }

    package func waitForHead(of transfer: SubmittedTransfer, milliseconds: Int64) throws(Failure) -> (
        Head?, SubmittedTransfer.State?
    ) {
        var isInterrupted = false
        if milliseconds != 0 { isInterrupted = try engine.wait(of: transfer, milliseconds: milliseconds) { self.head != nil } }
        let state = transfer.currentState
        csystem_lock_acquire(engine.lock)
        defer { csystem_lock_release(engine.lock) }
        return (head, isInterrupted && head == nil && state == .running ? nil : state)
    }

    // MARK: Called by the performing thread

    /// Only events have their own media type, and a service with several representations would prefer another one.
    override func isAsked(by accept: UnsafeRawBufferPointer) -> Bool {
        kind != .events || !accept.contains(UInt8(ascii: ",")) && MediaType(Bytes(accept))?.essence == "text/event-stream"
    }

    override func prepare(_ headers: inout HeaderBlock, _ method: Bytes) throws(Failure) {
        try super.prepare(&headers, method)
        guard kind == .events else { return }
        if headers.index(of: "accept") == nil { headers.append(HeaderField("Accept", "text/event-stream")) }
        if headers.index(of: "cache-control") == nil { headers.append(HeaderField("Cache-Control", "no-store")) }
        let id = engine.withLock { splitter.lastID }
        if !id.isEmpty, HeaderField.isValidValue(id.buffer) {
            headers.remove("Last-Event-ID")
            headers.append(HeaderField("Last-Event-ID", id.bytes))
        }
    }

    override func begin(_ head: ResponseHead) -> Begun {
        guard Self.isSuccess(head.status) else { return .memory }
        if kind == .events,
            !(head.headers.value(of: "Content-Type").flatMap { MediaType($0) }?.essence == "text/event-stream")
        {
            let given = head.headers.value(of: "Content-Type") ?? "no Content-Type"
            return .failed(
                Failure(.response, "the service responded with \(given.printable) where text/event-stream was requested") {
                    $0.httpStatus = head.status
                })
        }
        change {
            splitter.restart()
            self.head = Head(status: head.status, headers: head.headers)
        }
        return .here
    }

    private func change(_ body: () -> Void) {
        csystem_lock_acquire(engine.lock)
        body()
        engine.notifyLocked()
        csystem_lock_release(engine.lock)
        changed?(false)
    }

    override func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams) -> Taken {
        var failure: Failure?
        var isFull = false
        change {
            if splitter.waitingBytes >= maximumBufferedBytes {
                isPaused = true
                isFull = true
                return
            }
            do throws(Failure) { try splitter.take(bytes) } catch { failure = error }
            if !splitter.isEmpty { failedInARow = 0 }
        }
        if let failure { return .failed(failure) }
        if isFull { return .later }
        isTouched = true
        return .all
    }

    override func end(_ code: Int32, isHere: Bool) -> Ended {
        if kind == .events {
            let isBroken = isHere || RetryRules.isTransient(code)
            if isBroken, failedInARow < reconnects {
                failedInARow &+= 1
                change {
                    splitter.restart()
                    if let asked = splitter.retryMilliseconds { retryMilliseconds = asked }
                }
                return .wait(Retry(delay: retryMilliseconds, maximumDelay: .max))
            }
        }
        if code == 0, isHere { change { splitter.end() } }
        return .proceed
    }

    /// If an event stream continues after a break, it also continues after a rejected credential: `Last-Event-ID` identifies the position.
    override var mayRepeat: Bool { !isTouched || reconnects > 0 }
}
