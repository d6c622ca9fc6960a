// Records the events of a transfer, and reports them to the hook of the program.

internal import CCurl
internal import CSystem
public import RoutableCore

/// An event of a transfer.  No string contains a secret that the library knows of.
public struct Event: Sendable {
    /// The kinds of events.
    public enum Kind: Int32, Sendable {
        /// The thread that drives the client accepted a submitted transfer.
        case queued = 0
        /// An attempt starts.
        case attempt = 1
        /// An attempt failed; another follows after a delay.
        case retry = 2
        /// The library follows a redirect.
        case redirect = 3
        /// The response was 401; another attempt follows with newer credentials.
        case refused = 4
        /// An event stream broke, or a part of a file did not match; another attempt continues.
        case resumed = 5
        /// A credential is refreshed, and the transfer waits.
        case refresh = 6
        /// The transfer has completed.
        case end = 7
    }

    /// The kind of the event.
    public internal(set) var kind: Kind
    /// The number of attempts that have started.
    public internal(set) var attempt: Int32
    /// The number of the transfer, which is unique.
    public internal(set) var transfer: Int64
    // The strings for Swift programs are in the module Routable.
    /// nil for a request without an operation of a description.
    package internal(set) var plan: Plan?
    /// For an attempt.
    package internal(set) var methodText = Text.empty
    /// For an attempt; for a redirect, its target.
    package internal(set) var urlText = Text.empty
    /// For an attempt: the path of its operation with the names of its parameters.
    package internal(set) var pathTemplateText = Text.empty
    /// For a refresh.
    package internal(set) var schemeText = Text.empty
    /// For `end`: `ok` for any response, `cancelled`, or the reason of the failure.
    public internal(set) var status = Status.ok
    /// The HTTP status of the response; 0 for none.
    public internal(set) var httpStatus: Int32 = 0
    /// The CURLcode of the attempt; 0 for none.
    public internal(set) var curlCode: Int32 = 0
    /// Whether the redirect leads to another origin, which receives neither credentials nor secret headers.
    public internal(set) var dropsCredentials = false
    /// The delay before the next attempt, in milliseconds.
    public internal(set) var waitMilliseconds: Int64 = 0
    /// The trace of the transfer, for `end`.
    public internal(set) var trace: Trace?
}

/// A function of the program that receives events.  Called without a lock, by the performing or driving thread.
package final class Hook: Sendable {
    let tell: @Sendable (Event) -> Void
    /// The object that owns the function, for the layer that created both.
    package let owner: (AnyObject & Sendable)?

    package init(owner: (AnyObject & Sendable)? = nil, _ tell: @escaping @Sendable (Event) -> Void) {
        self.owner = owner
        self.tell = tell
    }
}

/// The record of one transfer: created at the start if times are required or a hook is set, and otherwise when another attempt follows.
/// Used by the thread that performs the transfer.
final class TraceRecorder: @unchecked Sendable {
    let trace = Trace()
    private let hook: Hook?
    private let plan: Plan?
    private let isTimed: Bool
    private let number: Int64
    private let begun: Int64
    private var attempts: Int32 = 0
    /// Steps that were not yet reported to the hook.
    private var untold: [Trace.Step] = []
    private var outcome: Event?
    private var hasEnded = false

    init(_ hook: Hook? = nil, _ plan: Plan? = nil, isTimed: Bool = false) {
        self.hook = hook
        self.plan = plan
        self.isTimed = isTimed
        number = hook == nil ? 0 : csystem_next_number()
        begun = isTimed ? csystem_monotonic_us() : 0
        if isTimed { trace.timings = Trace.Timings() }
    }

    func add(_ step: Trace.Step) {
        trace.add(step)
        if hook != nil { untold.append(step) }
    }

    // MARK: The hook

    private func event(_ kind: Event.Kind) -> Event { Event(kind: kind, attempt: attempts, transfer: number, plan: plan) }

    private func masked(_ url: Text) -> Text {
        guard let schemes = plan?.router.description.authSchemes else { return url }
        return Text(CurlLine.masked(url.bytes, schemes))
    }

    private func tellSteps() {
        guard let hook, !untold.isEmpty else { return }
        let steps = untold
        untold = []
        for step in steps {
            var event = event(Event.Kind(rawValue: step.reason.rawValue) ?? .retry)
            event.httpStatus = step.httpStatus
            event.curlCode = step.curlCode
            event.dropsCredentials = step.dropsCredentials
            event.waitMilliseconds = step.waitMilliseconds
            event.urlText = masked(step.url)
            hook.tell(event)
        }
    }

    func queued() { hook?.tell(event(.queued)) }

    /// Records the start of an attempt.
    func begins(_ exchange: Exchange) {
        tellSteps()
        if attempts == 0, isTimed { trace.timings?.queued = csystem_monotonic_us() &- begun }
        attempts &+= 1
        guard let hook else { return }
        var event = event(.attempt)
        event.methodText = Text(exchange.method)
        event.urlText = masked(exchange.shownURL ?? exchange.url)
        if let plan { event.pathTemplateText = Text(plan.pathTemplate) }
        hook.tell(event)
    }

    /// Reports the steps before a delay.
    func waits() { tellSteps() }

    func refreshes(_ scheme: Bytes) {
        tellSteps()
        guard let hook else { return }
        var event = event(.refresh)
        event.schemeText = Text(scheme)
        hook.tell(event)
    }

    // MARK: The end

    /// Reads the times of the last attempt from the handle; there are none if no request was sent.
    private func takeTimes(_ curl: UnsafeMutableRawPointer?) {
        guard isTimed, var timings = trace.timings else { return }
        timings.elapsed = csystem_monotonic_us() &- begun
        defer { trace.timings = timings }
        guard let curl, attempts > 0 else { return }
        var times = ccurl_times()
        ccurl_read_times(curl, &times)
        timings.nameLookup = times.name_lookup
        timings.connect = times.connect
        timings.tls = times.tls
        timings.firstByte = times.first_byte
        timings.attempt = times.total
        timings.connections = times.connections
    }

    func answered(_ status: Int32, _ curl: UnsafeMutableRawPointer?) {
        takeTimes(curl)
        guard hook != nil, outcome == nil else { return }
        var end = event(.end)
        end.httpStatus = status
        outcome = end
    }

    /// Returns the failure with the trace.
    func failed(_ failure: Failure, _ curl: UnsafeMutableRawPointer? = nil) -> Failure {
        if outcome != nil || failure.fields.trace != nil { return failure }
        takeTimes(curl)
        if hook != nil {
            var end = event(.end)
            end.status = failure.status
            end.curlCode = failure.fields.curlCode
            end.httpStatus = failure.fields.httpStatus
            outcome = end
        }
        return failure.with { $0.trace = self.trace }
    }

    /// Reports the end, once; without an outcome the transfer was cancelled.
    func tellEnd() {
        guard let hook, !hasEnded else { return }
        tellSteps()
        hasEnded = true
        var end = outcome ?? event(.end)
        if outcome == nil { end.status = .cancelled }
        end.trace = trace
        hook.tell(end)
    }
}
