// Decides, without I/O, the next step of a transfer: the driver reports events and executes the actions.

internal import RoutableCore

/// A transfer from its request to its one outcome, then the next.  It holds the exchange to send and the head that came;
/// the driver holds the body.
package struct TransferState: Sendable {
    /// What bounds a transfer.
    package struct Rules: Sendable {
        package var bodyBytes = Limits.responseBytes
        /// Of a body that does not go into memory.
        package var streamBytes = Int.max
        package var headBytes = Limits.responseHeaderBytes
        package var redirects = 10
        package var followsRedirects = true
        package var retry = RetryRules()
        /// Without a byte for so long an attempt ends; 0 for any time.
        package var stallMilliseconds: Int64 = 0
        /// Whether a redirect may lead from https to http.
        package var allowsInsecureRedirects = false
    }

    /// The rules of all transfers of a client whose requests say nothing else: one word to hand on.
    ///
    /// Not to be had as a constant: Embedded Swift writes the head of a constant object each time that it is reached, on any
    /// thread.
    final class SharedRules: Sendable {
        let rules: Rules

        init(_ rules: Rules = Rules()) { self.rules = rules }
    }

    /// What happened.
    enum Event {
        /// The host wants this exchange performed.
        case begin(Exchange, Rules)
        /// A line of a head or a trailer.
        case line(UnsafeRawBufferPointer)
        /// Bytes of the body, decoded.
        case body(Int)
        /// The attempt ended with that CURLcode; where the answer redirects to, absolute.
        case finished(Int32, redirect: Text?)
        /// The attempt is to be made once more.
        case repeated
        /// The same after a wait; without one, the transfer ends as that CURLcode says.
        case interrupted(Retry, Int32)
        /// The wait that was wanted is over.
        case again
        /// The delay would be too long, or there is no other credential.
        case enough
        /// The same request with newer credentials.
        case authorized(Exchange)
    }

    /// A transfer that waits without a handle.
    struct Suspended: Sendable {
        var exchange: Exchange
        /// It continues after the delay of a retry.
        fileprivate var isRetry: Bool
        fileprivate var shared: SharedRules
        fileprivate(set) var recorder: TraceRecorder?
        fileprivate var redirects: Int
        fileprivate var retries: Int
        fileprivate var status: Int32
    }

    /// What to do next.
    enum Action: Equatable {
        /// Make an attempt with `exchange`.
        case send
        /// Continue the attempt.
        case proceed
        /// A body of about that many bytes follows; what was kept is forgotten.
        case expect(Int)
        /// Keep the bytes.
        case keep
        /// End the attempt.
        case stop
        /// The answer is whole.
        case deliver
        case fail(Fault)
        /// Wait, and say `again`; or say `enough`.
        case retry(Retry)
        /// The service rejected the credentials: continue with `authorized` or `enough`.
        case challenge
    }

    /// Why there is no response.
    enum Fault: Equatable {
        case curl(Int32)
        case bodyTooLarge
        case headTooLarge
        /// Two different Content-Lengths, or one beyond what any body has: where the answer ends is not known.
        case unclearLength
        /// The connection ended before a final status line, or within the head.
        case noAnswer
        /// A body without a head.
        case notHTTP
        case tooManyRedirects
        /// A redirect to something else than http or https, or with credentials in its URL.
        case redirectRefused
        /// A redirect from https to http.
        case redirectInsecure
        /// A redirect that asks for a body which can be read only once.
        case bodySpent
        /// Events in an order that cannot be.
        case disorder
    }

    private enum Phase { case idle, waiting, interim, head, body, undecided }

    private(set) var exchange = Exchange.nothing
    private(set) var head = ResponseHead()
    private(set) var bodyCount = 0

    private var shared = SharedRules()
    var rules: Rules { shared.rules }
    /// What is noted of the transfer; nil as long as there is nothing to note.
    private(set) var recorder: TraceRecorder?
    private var phase = Phase.idle
    private(set) var redirects = 0
    private(set) var retries = 0
    private var headCount = 0
    private var fault: Fault?
    /// What it comes to without another attempt.
    private var verdict = Action.fail(.disorder)
    private var isChallenged = false
    /// Why another attempt would be made after a wait.
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

    /// `begin`, with what is noted already.
    mutating func begin(_ exchange: consuming Exchange, _ rules: SharedRules, _ recorder: TraceRecorder?) -> Action {
        guard phase == .idle else { return end(.fail(.disorder)) }
        self.exchange = exchange
        if shared !== rules { shared = rules }  // nearly always those of the client
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

    // MARK: What is noted

    @inline(never)
    private mutating func note(_ step: Trace.Step) {
        let recorder = recorder ?? TraceRecorder()
        recorder.add(step)
        self.recorder = recorder
    }

    /// The wait that was wanted is made.
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

    /// Instead of a wait with a handle: `resume` continues with this, like `again`.
    mutating func suspend() -> Suspended {
        defer {
            phase = .idle
            forget()
        }
        return Suspended(
            exchange: exchange, isRetry: phase == .undecided && !isChallenged, shared: shared, recorder: recorder,
            redirects: redirects, retries: retries, status: head.status)
    }

    /// The transfer was cancelled: no event of it will come.
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

    /// Processes the most frequent line: a field of the current head.  False for any other line, which is passed to `receive`.
    @inline(__always)
    mutating func takeField(_ line: UnsafeRawBufferPointer) -> Bool {
        // A line is in memory: its length cannot overflow the sum before the limit ends it.
        guard phase == .head, fault == nil, headCount &+ line.count <= rules.headBytes, head.add(line) else { return false }
        headCount &+= line.count
        return true
    }

    @_optimize(speed)
    private mutating func take(_ bytes: UnsafeRawBufferPointer) -> Action {
        if fault != nil { return .stop }
        // A line is in memory: its length cannot overflow the sum before the limit ends it.
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
            // The final head may follow interim ones, and libcurl may have asked again by itself.
            head.begin(status, bytes)
            phase = status < 200 ? .interim : .head
        }
        // Else a line of an interim head, or a trailer.
        return .proceed
    }

    private mutating func expectBody() -> Action {
        phase = .body
        bodyCount = 0
        if head.hasUnclearLength { return stop(.unclearLength) }
        // With a content encoding the stated length says nothing about the decoded one.
        guard let stated = head.statedLength, stated > 0, !head.isEncoded, !exchange.method.equals("HEAD"),
            head.status != 204, head.status != 304, !isRedirecting
        else { return .expect(0) }
        if isElsewhere { return .expect(0) }
        if stated > rules.bodyBytes { return stop(.bodyTooLarge) }
        return .expect(Int(truncatingIfNeeded: stated))
    }

    // MARK: Body

    /// The body goes to a receiver, which is not memory.
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

    /// libcurl holds a line only up to 100 KB; beyond, it is out of memory (27) or says so (100).
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

    /// The attempt ends here; the reason is reported when it has ended.
    private mutating func stop(_ fault: Fault) -> Action {
        self.fault = fault
        return .stop
    }

    /// The end, unless another attempt may do better and is allowed.
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
