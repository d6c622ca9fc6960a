// Decides, without I/O, the next step of a transfer: the driver reports events and executes the actions.

internal import RoutableCore

/// The state of a transfer from its request to its outcome; then it is reused for the next one.  It contains the exchange to send and the
/// received head; the driver has the body.
package struct TransferState: Sendable {
    /// The limits of a transfer.
    package struct Rules: Sendable {
        package var bodyBytes = Limits.responseBytes
        /// The limit of a body that is not stored in memory.
        package var streamBytes = Int.max
        package var headBytes = Limits.responseHeaderBytes
        package var redirects = 10
        package var followsRedirects = true
        package var retry = RetryRules()
        /// An attempt ends if no byte is transferred in this time; 0 for no limit.
        package var stallMilliseconds: Int64 = 0
        /// Whether a redirect may lead from https to http.
        package var allowsInsecureRedirects = false
    }

    /// The rules, shared by all transfers of a client without overrides, so that passing them on copies only a reference.
    ///
    /// This cannot be a constant: Embedded Swift writes the header of a constant object each time that it is accessed, by any
    /// thread.
    final class SharedRules: Sendable {
        let rules: Rules

        init(_ rules: Rules = Rules()) { self.rules = rules }
    }

    /// An event that the driver reports.
    enum Event {
        /// A request to perform this exchange.
        case begin(Exchange, Rules)
        /// A line of a head or a trailer.
        case line(UnsafeRawBufferPointer)
        /// Bytes of the body, decoded.
        case body(Int)
        /// The attempt has ended with this CURLcode; `redirect` is the absolute target if the response redirects.
        case finished(Int32, redirect: Text?)
        /// The attempt must be repeated.
        case repeated
        /// The attempt must be repeated after a delay; without the repetition, the transfer ends with this CURLcode.
        case interrupted(Retry, Int32)
        /// The requested delay is over.
        case again
        /// The delay would be too long, or there are no other credentials.
        case enough
        /// The same request with newer credentials.
        case authorized(Exchange)
    }

    /// A transfer that waits without a handle.
    struct Suspended: Sendable {
        var exchange: Exchange
        /// Whether it continues after the delay of a retry.
        fileprivate var isRetry: Bool
        fileprivate var shared: SharedRules
        fileprivate(set) var recorder: TraceRecorder?
        fileprivate var redirects: Int
        fileprivate var retries: Int
        fileprivate var status: Int32
    }

    /// The next action of the driver.
    enum Action: Equatable {
        /// Make an attempt with `exchange`.
        case send
        /// Continue the attempt.
        case proceed
        /// A body of about this size follows; the bytes of the previous one are dropped.
        case expect(Int)
        /// Keep the bytes.
        case keep
        /// End the attempt.
        case stop
        /// The response is complete.
        case deliver
        case fail(Fault)
        /// Wait, and report `again`, or report `enough` instead.
        case retry(Retry)
        /// The service rejected the credentials: report `authorized` or `enough`.
        case challenge
    }

    /// The reason why there is no response.
    enum Fault: Equatable {
        case curl(Int32)
        case bodyTooLarge
        case headTooLarge
        /// Two different values of Content-Length, or one that exceeds any body: the end of the response is unknown.
        case unclearLength
        /// The connection ended before a final status line, or within the head.
        case noAnswer
        /// A body without a head.
        case notHTTP
        case tooManyRedirects
        /// A redirect to a URL that is not http or https, or has credentials.
        case redirectRefused
        /// A redirect from https to http.
        case redirectInsecure
        /// A redirect that requires sending a body again that can be read only once.
        case bodySpent
        /// Events in an impossible order.
        case disorder
    }

    private enum Phase { case idle, waiting, interim, head, body, undecided }

    private(set) var exchange = Exchange.nothing
    private(set) var head = ResponseHead()
    private(set) var bodyCount = 0

    private var shared = SharedRules()
    var rules: Rules { shared.rules }
    /// The record of the transfer; nil as long as there is nothing to record.
    private(set) var recorder: TraceRecorder?
    private var phase = Phase.idle
    private(set) var redirects = 0
    private(set) var retries = 0
    private var headCount = 0
    private var fault: Fault?
    /// The outcome if there is no other attempt.
    private var verdict = Action.fail(.disorder)
    private var isChallenged = false
    /// The reason for another attempt after a delay.
    private var reason = Trace.Reason.retry

    /// Whether the current response is a redirect to follow.
    var isRedirecting: Bool {
        rules.followsRedirects && head.hasLocation && Exchange.isRedirect(head.status) && !exchange.isSigned
            && !exchange.keepsRedirects
    }

    mutating func receive(_ event: Event) -> Action {
        switch (event, phase) {
        case (.begin(let exchange, let rules), .idle):
            return begin(exchange, SharedRules(rules), nil)
        case (.again, .undecided):
            retries &+= 1
            return attempt()
        case (.enough, .undecided):
            return end(verdict)
        case (.authorized(let exchange), .undecided):
            note(Trace.Step(.refused, head.status))
            self.exchange = exchange
            return attempt()
        case (.begin, _), (_, .idle), (_, .undecided), (.again, _), (.enough, _), (.authorized, _):
            return end(.fail(.disorder))
        case (.line(let line), _):
            return take(line)
        case (.body(let count), .body):
            return take(count)
        case (.body, _):
            return stop(.notHTTP)
        case (.finished(let code, let redirect), _):
            return finish(code, redirect)
        case (.repeated, _):
            note(Trace.Step(.resumed, head.status))
            return attempt()
        case (.interrupted(let retry, let code), _):
            if let fault { return end(.fail(fault)) }
            verdict = code == 0 ? .deliver : .fail(.curl(code))
            reason = .resumed
            phase = .undecided
            return .retry(retry)
        }
    }

    /// Like the event `begin`, with a record.
    mutating func begin(_ exchange: consuming Exchange, _ rules: SharedRules, _ recorder: TraceRecorder?) -> Action {
        guard phase == .idle else { return end(.fail(.disorder)) }
        self.exchange = exchange
        if shared !== rules { shared = rules }  // usually the rules of the client
        self.recorder = recorder
        redirects = 0
        retries = 0
        return attempt()
    }

    /// Releases the request of the program.
    mutating func forget() {
        exchange = .nothing
        recorder = nil
    }

    // MARK: The record

    @inline(never)
    private mutating func note(_ step: Trace.Step) {
        let recorder = recorder ?? TraceRecorder()
        recorder.add(step)
        self.recorder = recorder
    }

    /// Records the delay that was requested.
    mutating func noteWait(_ milliseconds: Int64) {
        var step = Trace.Step(reason, head.status)
        if reason == .retry, case .fail(.curl(let code)) = verdict {
            step.curlCode = code
            step.httpStatus = 0
        }
        step.waitMilliseconds = milliseconds
        note(step)
        recorder?.waits()
    }

    /// Saves the state for a wait without a handle: `resume` continues the transfer, like `again`.
    mutating func suspend() -> Suspended {
        defer {
            phase = .idle
            forget()
        }
        return Suspended(
            exchange: exchange, isRetry: phase == .undecided && !isChallenged, shared: shared, recorder: recorder,
            redirects: redirects, retries: retries, status: head.status)
    }

    /// The transfer was cancelled: no further event of it will be reported.
    mutating func abandon() {
        phase = .idle
        forget()
    }

    mutating func resume(_ suspended: Suspended) -> Action {
        guard phase == .idle else { return end(.fail(.disorder)) }
        exchange = suspended.exchange
        shared = suspended.shared
        recorder = suspended.recorder
        redirects = suspended.redirects
        retries = suspended.retries &+ (suspended.isRetry ? 1 : 0)
        if !suspended.isRetry { note(Trace.Step(.refused, suspended.status)) }
        return attempt()
    }

    // MARK: Head

    /// Processes the most frequent kind of line: a field of the current head.  Returns false for any other line, which is passed to `receive`.
    @inline(__always)
    mutating func takeField(_ line: UnsafeRawBufferPointer) -> Bool {
        // The line is in memory: its length cannot overflow the sum, which the limit bounds.
        guard phase == .head, fault == nil, headCount &+ line.count <= rules.headBytes, head.add(line) else { return false }
        headCount &+= line.count
        return true
    }

    @_optimize(speed)
    private mutating func take(_ bytes: UnsafeRawBufferPointer) -> Action {
        if fault != nil { return .stop }
        // The line is in memory: its length cannot overflow the sum, which the limit bounds.
        headCount &+= bytes.count
        if headCount > rules.headBytes { return stop(.headTooLarge) }
        if phase == .head {
            if head.add(bytes) { return .proceed }
            switch HeaderLine(bytes) {
            case .continuation(let text): head.fold(bytes, text)
            case .blank: return expectBody()
            case .status, .junk: head.skip()
            }
        } else if case .status(let status) = HeaderLine(bytes) {
            // The final head may follow interim ones, and libcurl may have repeated the request.
            head.begin(status, bytes)
            phase = status < 200 ? .interim : .head
        }
        // Other lines belong to an interim head or a trailer.
        return .proceed
    }

    private mutating func expectBody() -> Action {
        phase = .body
        bodyCount = 0
        if head.hasUnclearLength { return stop(.unclearLength) }
        // With a content encoding, the stated length is not that of the decoded body.
        guard let stated = head.statedLength, stated > 0, !head.isEncoded, !exchange.method.equals("HEAD"),
            head.status != 204, head.status != 304, !isRedirecting
        else { return .expect(0) }
        if isElsewhere { return .expect(0) }
        if stated > rules.bodyBytes { return stop(.bodyTooLarge) }
        return .expect(Int(truncatingIfNeeded: stated))
    }

    // MARK: Body

    /// Whether the body is consumed by a receiver instead of being stored in memory.
    private var isElsewhere: Bool { exchange.streams?.receiver != nil && Receiver.isSuccess(head.status) }

    private mutating func take(_ count: Int) -> Action {
        if fault != nil { return .stop }
        if isElsewhere, count >= 0, rules.streamBytes &- bodyCount >= count {
            bodyCount &+= count
            return isRedirecting ? .proceed : .keep
        }
        if count < 0 || count > rules.bodyBytes &- bodyCount { return stop(.bodyTooLarge) }
        bodyCount &+= count
        return isRedirecting ? .proceed : .keep
    }

    // MARK: Ends

    private mutating func finish(_ code: Int32, _ redirect: Text?) -> Action {
        if let fault { return end(.fail(fault)) }
        if code != 0 {
            if isHeadRefused(code) { return end(.fail(.headTooLarge)) }
            return end(.fail(.curl(code)), unless: RetryRules.isTransient(code), nil)
        }
        guard phase == .body else { return end(.fail(.noAnswer)) }
        if exchange.isAuthorized, exchange.isRejected(head.status), exchange.canRepeat {
            verdict = .deliver
            isChallenged = true
            phase = .undecided
            return .challenge
        }
        guard isRedirecting else { return end(.deliver, unless: RetryRules.isTransient(head), head) }
        if redirects >= rules.redirects { return end(.fail(.tooManyRedirects)) }
        guard let redirect, let next = exchange.redirected(head.status, to: redirect) else {
            return end(.fail(.redirectRefused))
        }
        if !rules.allowsInsecureRedirects, exchange.isDowngraded(to: next) { return end(.fail(.redirectInsecure)) }
        if let upload = next.upload, !upload.canRepeat { return end(.fail(.bodySpent)) }
        redirects &+= 1
        var step = Trace.Step(.redirect, head.status)
        step.url = redirect
        step.dropsCredentials = exchange.losesCredentials(to: next)
        note(step)
        exchange = next
        return attempt()
    }

    /// libcurl accepts lines up to 100 KB; for longer ones it reports that memory is exhausted (27), or this limit (100).
    private func isHeadRefused(_ code: Int32) -> Bool {
        (code == 27 || code == 100) && phase == .head
    }

    private mutating func attempt() -> Action {
        phase = .waiting
        head.begin(0)
        headCount = 0
        bodyCount = 0
        fault = nil
        isChallenged = false
        reason = .retry
        return .send
    }

    /// Ends the attempt; the fault is reported when the attempt has ended.
    private mutating func stop(_ fault: Fault) -> Action {
        self.fault = fault
        return .stop
    }

    /// Ends the transfer, unless another attempt may succeed and is allowed.
    private mutating func end(_ action: Action, unless isTransient: Bool, _ head: ResponseHead?) -> Action {
        guard isTransient, retries < rules.retry.limit,
            RetryRules.isRepeatable(exchange) || RetryRules.isDeferred(head, exchange)
        else { return end(action) }
        verdict = action
        phase = .undecided
        return .retry(rules.retry.retry(after: retries &+ 1, head))
    }

    private mutating func end(_ action: Action) -> Action {
        phase = .idle
        return action
    }
}
