// Performing on the caller's own thread: a handle is taken from a pool, used, and given back with its connections.

internal import CSystem
public import RoutableCore

/// Performs exchanges over libcurl.  Any number of threads may use it at once; each takes a handle of its own.
public final class Client: Sendable {
    public let options: ClientOptions
    private let rules: TransferState.Rules
    // Shared by the handles; libcurl takes its locks.
    nonisolated(unsafe) private let share: EasyHandle.Share
    // Guards `idle` and nothing else: never held while libcurl runs.
    nonisolated(unsafe) private let lock: OpaquePointer
    // The handles that nobody uses.  The one used last comes first: its connection is the freshest.
    nonisolated(unsafe) private var idle: [EasyHandle]

    /// More idle handles are not kept; each may hold a few connections.
    private static let idleHandles = 128

    /// Opens libcurl when it is the first.  Failures: `noCurl`, `header`, `argument`.
    public init(_ options: ClientOptions) throws(Failure) {
        let options = try options.checked()
        try CurlLibrary.load()
        let share = try EasyHandle.Share()
        // Made at once, so that a libcurl that does not do is told here.
        let first = try EasyHandle(options, share)
        self.options = options
        self.share = share
        idle = [first]
        lock = csystem_lock_new()
        rules = TransferState.Rules(
            bodyBytes: options.maximumResponseBytes, redirects: options.maximumRedirects,
            followsRedirects: options.followsRedirects)
    }

    deinit { csystem_lock_free(lock) }

    /// Sends, follows redirects, and returns the answer whatever its status.  Blocks until it is whole or has failed.
    ///
    /// A redirect repeats the request, but 303, and 301 and 302 after POST, turn it into a GET; another origin sees
    /// neither credentials nor secret headers.
    public func perform(_ exchange: Exchange) throws(Failure) -> Answer {
        let origin = try exchange.checkedOrigin()
        let handle = try take()
        defer { give(handle) }
        let start = csystem_monotonic_ms()
        var action = handle.transfer.begin(exchange, rules)
        while action == .send {
            let end = handle.attempt(handle.transfer.exchange, milliseconds: remaining(since: start))
            action = handle.transfer.finished(end.code, redirect: end.redirect)
        }
        if action == .deliver { return handle.transfer.deliver() }
        throw failure(action, handle, origin)
    }

    /// 0 for any time; a deadline that has passed leaves a moment, in which libcurl tells so.
    private func remaining(since start: Int64) -> Int64 {
        if options.deadlineMilliseconds < 0 { return 0 }
        return max(1, options.deadlineMilliseconds &- (csystem_monotonic_ms() &- start))
    }

    private func failure(_ action: TransferState.Action, _ handle: EasyHandle, _ origin: Origin) -> Failure {
        var fault = TransferState.Fault.disorder
        if case .fail(let told) = action { fault = told }
        let last = Origin(of: handle.transfer.exchange.url) ?? origin
        let failure = TransferFailure(
            fault: fault, origin: last.text, options: options, wasConnected: handle.wasConnected,
            received: handle.transfer.received, detail: handle.detail
        ).failure
        handle.transfer.forget()
        return failure
    }

    // MARK: Pool

    private func take() throws(Failure) -> EasyHandle {
        csystem_lock_acquire(lock)
        let handle = idle.popLast()
        csystem_lock_release(lock)
        if let handle { return handle }
        return try EasyHandle(options, share)
    }

    private func give(_ handle: EasyHandle) {
        csystem_lock_acquire(lock)
        let isKept = idle.count < Self.idleHandles
        if isKept { idle.append(handle) }
        csystem_lock_release(lock)
        // A handle that is not kept ends with its last reference, after the lock.
    }
}
