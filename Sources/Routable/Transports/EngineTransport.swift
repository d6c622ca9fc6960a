// The engine of the library: libcurl, which is loaded when the first transport is made, and is driven by a thread of the engine.

internal import RoutableClient
public import RoutableCore

/// Performs requests over libcurl with the engine of the library, with the redirects, retries, deadlines and limits of
/// docs/client.md.
public final class EngineTransport: Transport {
    let client: ClientCore

    /// - Throws: `noCurl` if libcurl is not installed or is too old; `header`, `url`, `file` or `argument` for invalid options.
    public static func make(_ options: Options = Options()) throws(Failure) -> EngineTransport {
        let client = try ClientCore.make(options.forClient)
        try client.start()
        return EngineTransport(client)
    }

    private init(_ client: ClientCore) { self.client = client }

    deinit { client.close() }

    /// Writes the cookies to the file of the options, atomically and with mode 0600.
    ///
    /// - Throws: `file`; `argument` if the options have no file.
    public func saveCookies() throws(Failure) { try client.saveCookies() }

    /// The current cookies of the transport, as lines of a cookie file in the Netscape format.
    ///
    /// - Throws: `argument` if the options keep no cookies.
    public func cookies() throws(Failure) -> [String] {
        try client.cookies().split(on: 0x0A).filter { !$0.isEmpty }.map { $0.string }
    }

    /// Sets a cookie: one line in the Netscape format.
    public func setCookie(_ line: String) throws(Failure) { try client.setCookie(Bytes(line)) }

    /// Removes all cookies, but not from the file of the options.
    public func clearCookies() throws(Failure) { try client.clearCookies() }

    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        var policy = RequestPolicy()
        policy.deadlineMilliseconds = request.deadline?.milliseconds
        if Task.isCancelled { throw .cancelled }
        let outcome = OneOutcome<Answer>()
        let transfer = AnswerTransfer(outcome)
        try client.submit(
            transfer, method: Bytes(request.method), url: Bytes(request.url), headers: request.headers,
            body: request.body, policy)
        let ended = await outcome.value(of: transfer)
        await client.deliverEvents()
        return try ended.get()
    }
}

extension OneOutcome {
    /// The outcome of a submitted transfer, or `cancelled` if the task is cancelled first.
    func value(of transfer: SubmittedTransfer) async -> Result<Success, Failure> {
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            // If the cancellation succeeds, it is the outcome; after the completion of the transfer, it has no effect.
            if transfer.cancel() { end(.failure(.cancelled)) }
        }
    }
}

private final class AnswerTransfer: UnmappedTransfer, @unchecked Sendable {
    private let outcome: OneOutcome<Answer>
    init(_ outcome: OneOutcome<Answer>) { self.outcome = outcome }
    override func call() {
        do throws(Failure) { outcome.end(.success(try result())) } catch { outcome.end(.failure(error)) }
    }
}

extension Duration {
    /// At least 1, because 0 would mean no limit.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        if overflows { return seconds < 0 ? 1 : Int64.max }
        return max(1, whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue)
    }
}
