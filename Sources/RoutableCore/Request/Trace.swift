// What was noted on the way to an outcome: how long each part took, and which attempts were not the last.

/// Written while a transfer is under way, constant from its end on.
public final class Trace: @unchecked Sendable {
    /// In microseconds.  Those of the last attempt count from its begin, each with those before it; 0 for what it did
    /// without.
    public struct Timings: Sendable {
        /// From the call of the host until the first attempt began.
        public var queued: Int64 = 0
        public var nameLookup: Int64 = 0
        public var connect: Int64 = 0
        public var tls: Int64 = 0
        public var firstByte: Int64 = 0
        public var attempt: Int64 = 0
        /// From the call of the host until the end, with all attempts and waits.
        public var elapsed: Int64 = 0
        /// That the last attempt made; 0 when it used a kept one.
        public var connections: Int32 = 0

        public init() {}
    }

    /// Why an attempt was followed by another one.
    public enum Reason: Int32, Sendable {
        case retry = 2
        case redirect = 3
        /// The service refused the credentials, and there were newer ones.
        case refused = 4
        /// An event stream broke off and went on, or a part of a file did not fit.
        case resumed = 5

        public var name: StaticString {
            switch self {
            case .retry: "retry"
            case .redirect: "redirect"
            case .refused: "refused"
            case .resumed: "resumed"
            }
        }
    }

    /// An attempt that was followed by another one.
    public struct Step: Sendable {
        public var reason: Reason
        /// Of an answer that was whole; 0 for none.
        public var httpStatus: Int32
        public var curlCode: Int32 = 0
        public var dropsCredentials = false
        /// Before the next attempt.
        public var waitMilliseconds: Int64 = 0
        /// Where a redirect leads, as the service gave it.
        package var url = Text.empty

        public init(_ reason: Reason, _ httpStatus: Int32) {
            self.reason = reason
            self.httpStatus = httpStatus
        }
    }

    /// nil unless they were asked for.
    public var timings: Timings?
    public private(set) var steps: [Step] = []

    /// An event stream may go on for ever: later steps are told, and not kept.
    private static let maximumSteps = 1000

    public init() {}

    public func add(_ step: Step) { if steps.count < Self.maximumSteps { steps.append(step) } }
}
