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
    public static func make(_ options: ClientOptions) throws(Failure) -> Client {
        let options = try options.checked()
        try CurlLibrary.load()
        let share = try EasyHandle.Share.make()
        // Made at once, so that a libcurl that does not do is told here.
        let rules = TransferState.Rules(
            bodyBytes: options.maximumResponseBytes, headBytes: ClientOptions.headBytes,
            redirects: options.maximumRedirects,
            followsRedirects: options.followsRedirects)
        return Client(options, rules, share, try EasyHandle.make(options, rules, share))
    }

    private init(
        _ options: ClientOptions, _ rules: TransferState.Rules, _ share: EasyHandle.Share, _ first: EasyHandle
    ) {
        self.options = options
        self.share = share
        idle = [first]
        lock = csystem_lock_new()
        self.rules = rules
    }

    deinit { csystem_lock_free(lock) }

    /// Sends, follows redirects, and returns the answer whatever its status.  Blocks until it is whole or has failed.
    ///
    /// A redirect repeats the request, but 303, and 301 and 302 after POST, turn it into a GET; another origin sees
    /// neither credentials nor secret headers.
    public func perform(_ exchange: Exchange) throws(Failure) -> Answer {
        try exchange.check()
        let handle = try take()
        defer { give(handle) }
        let transfer = handle.transfer
        let start = options.deadlineMilliseconds < 0 ? 0 : csystem_monotonic_ms()
        var time = max(0, options.deadlineMilliseconds)
        var action = transfer.receive(.begin(exchange))
        while action == .send {
            let end = handle.attempt(transfer.exchange, milliseconds: time)
            action = transfer.receive(.finished(end.code, redirect: end.redirect))
            if action == .send && time > 0 {
                // When it has passed, a moment is left, in which libcurl tells so.
                time = max(1, options.deadlineMilliseconds &- (csystem_monotonic_ms() &- start))
            }
        }
        if action == .deliver { return transfer.deliver() }
        throw failure(action, handle)
    }

    private func failure(_ action: TransferState.Action, _ handle: EasyHandle) -> Failure {
        var fault = TransferState.Fault.disorder
        if case .fail(let told) = action { fault = told }
        let failure = TransferFailure(
            fault: fault, origin: Origin(of: handle.transfer.exchange.url)?.text ?? "the service", options: options,
            wasConnected: handle.wasConnected, received: handle.transfer.received, detail: handle.detail
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
        return try EasyHandle.make(options, rules, share)
    }

    private func give(_ handle: EasyHandle) {
        csystem_lock_acquire(lock)
        let isKept = idle.count < Self.idleHandles
        if isKept { idle.append(handle) }
        csystem_lock_release(lock)
        // A handle that is not kept ends with its last reference, after the lock.
    }
}
