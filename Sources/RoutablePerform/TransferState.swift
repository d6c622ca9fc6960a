// What a transfer does next, decided without I/O: the driver tells what happened and does as it is told.

import RoutableCore

/// One transfer from its request to its one outcome.  It holds the exchange to send and the head that came; the
/// driver holds the body.
struct TransferState: Sendable {
    /// What bounds the transfer.
    struct Rules: Sendable {
        var bodyBytes = Limits.responseBytes
        var headBytes = Limits.responseHeaderBytes
        var redirects = 10
        var followsRedirects = true
    }

    /// What happened.
    enum Event {
        case begin
        /// A line of a head or a trailer, with its length.
        case line(HeaderLine, size: Int)
        /// Bytes of the body, decoded.
        case body(Int)
        /// The attempt ended with that CURLcode; where the answer redirects to, absolute.
        case finished(Int32, redirect: Bytes?)
    }

    /// What to do next.
    enum Action: Equatable {
        /// Make an attempt with `exchange`.
        case send
        /// Let the attempt go on.
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
    }

    /// Why there is no answer.
    enum Fault: Equatable {
        case curl(Int32)
        case bodyTooLarge
        case headTooLarge
        /// The connection ended before a final status line, or within the head.
        case noAnswer
        /// A body without a head.
        case notHTTP
        case tooManyRedirects
        /// A redirect to something else than http or https, or with credentials in its URL.
        case redirectRefused
        /// Events in an order that cannot be.
        case disorder
    }

    private enum Phase { case idle, waiting, interim, head, body, ended }

    private(set) var exchange: Exchange
    private(set) var status: Int32 = 0
    private(set) var headers: [HeaderField] = []
    private(set) var redirects = 0
    private(set) var bodyCount = 0

    private let rules: Rules
    private var phase = Phase.idle
    private var headCount = 0
    private var fault: Fault?
    private var lastLineIsField = false

    init(_ exchange: Exchange, _ rules: Rules) {
        self.exchange = exchange
        self.rules = rules
    }

    /// Whether the answer at hand is one to follow instead of deliver.
    var isRedirecting: Bool {
        rules.followsRedirects && Exchange.isRedirect(status) && headers.value(of: "Location")?.isEmpty == false
    }

    mutating func receive(_ event: Event) -> Action {
        switch (event, phase) {
        case (.begin, .idle):
            return attempt()
        case (.line(let line, let size), .waiting), (.line(let line, let size), .interim),
            (.line(let line, let size), .head), (.line(let line, let size), .body):
            return take(line, size)
        case (.body(let count), .body):
            return take(count)
        case (.body, .waiting), (.body, .interim), (.body, .head):
            return stop(.notHTTP)
        case (.finished(let code, let redirect), .waiting), (.finished(let code, let redirect), .interim),
            (.finished(let code, let redirect), .head), (.finished(let code, let redirect), .body):
            return finish(code, redirect)
        default:
            return end(.fail(.disorder))
        }
    }

    // MARK: Head

    private mutating func take(_ line: HeaderLine, _ size: Int) -> Action {
        if fault != nil { return .stop }
        // `size` is at most what libcurl holds in memory: the sum cannot overflow before the limit ends it.
        headCount &+= size
        if headCount > rules.headBytes { return stop(.headTooLarge) }
        let followsField = lastLineIsField
        lastLineIsField = false
        switch line {
        case .status(let status) where phase != .head:
            headers = []
            bodyCount = 0
            self.status = status
            phase = status < 200 ? .interim : .head
        case .field(let field) where phase == .head:
            headers.append(field)
            lastLineIsField = true
        case .continuation(let text) where phase == .head && followsField:
            fold(text)
            lastLineIsField = true
        case .blank where phase == .head:
            phase = .body
            return expectBody()
        default:
            break  // interim heads, trailers and junk
        }
        return .proceed
    }

    private mutating func fold(_ text: Bytes) {
        guard var field = headers.popLast() else { return }
        if !field.value.isEmpty && !text.isEmpty { field.value.append(0x20) }
        field.value.append(text)
        headers.append(field)
    }

    private mutating func expectBody() -> Action {
        guard let stated = headers.value(of: "Content-Length").flatMap({ Decimal.parse($0) }), stated > 0,
            exchange.method != "HEAD", status != 204, status != 304, !isRedirecting
        else { return .expect(0) }
        // With a content encoding the stated length says nothing about the decoded one.
        if headers.value(of: "Content-Encoding") != nil { return .expect(0) }
        if stated > rules.bodyBytes { return stop(.bodyTooLarge) }
        return .expect(Int(truncatingIfNeeded: stated))
    }

    // MARK: Body

    private mutating func take(_ count: Int) -> Action {
        if fault != nil { return .stop }
        if count < 0 || count > rules.bodyBytes &- bodyCount { return stop(.bodyTooLarge) }
        bodyCount &+= count
        return isRedirecting ? .proceed : .keep
    }

    // MARK: Ends

    private mutating func finish(_ code: Int32, _ redirect: Bytes?) -> Action {
        if let fault { return end(.fail(fault)) }
        if code != 0 { return end(.fail(.curl(code))) }
        guard phase == .body else { return end(.fail(.noAnswer)) }
        guard isRedirecting else { return end(.deliver) }
        if redirects >= rules.redirects { return end(.fail(.tooManyRedirects)) }
        guard let redirect, let next = exchange.redirected(status, to: redirect) else {
            return end(.fail(.redirectRefused))
        }
        redirects &+= 1
        exchange = next
        return attempt()
    }

    private mutating func attempt() -> Action {
        phase = .waiting
        status = 0
        headers = []
        headCount = 0
        bodyCount = 0
        lastLineIsField = false
        return .send
    }

    /// The attempt ends here; why is told when it has.
    private mutating func stop(_ fault: Fault) -> Action {
        self.fault = fault
        return .stop
    }

    private mutating func end(_ action: Action) -> Action {
        phase = .ended
        return action
    }
}
