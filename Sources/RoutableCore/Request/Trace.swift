// The record of a transfer: the duration of each phase, and the attempts that were followed by another one.

/// The record of a transfer.  It does not change once the transfer has completed.
public final class Trace: @unchecked Sendable {
    /// Times in microseconds.  The phases of the last attempt are measured from its start, each including the phases before it; 0
    /// for a phase that was skipped.
    public struct Timings: Sendable {
        /// From the call until the first attempt starts.
        public var queued: Int64 = 0
        /// Until the name is resolved.
        public var nameLookup: Int64 = 0
        /// Until the connection is established.
        public var connect: Int64 = 0
        /// Until the TLS handshake is complete.
        public var tls: Int64 = 0
        /// Until the first byte of the response.
        public var firstByte: Int64 = 0
        /// Until the attempt is complete.
        public var attempt: Int64 = 0
        /// From the call until completion, with all attempts and delays.
        public var elapsed: Int64 = 0
        /// The number of connections that the last attempt opened; 0 if it reused one.
        public var connections: Int32 = 0

        package init() {}
    }

    /// The reason that an attempt was followed by another one.
    public enum Reason: Int32, Sendable {
        /// The attempt failed, and was retried.
        case retry = 2
        /// The library followed a redirect.
        case redirect = 3
        /// The service rejected the credentials, and newer ones were available.
        case refused = 4
        /// An event stream broke and was resumed, or a part of a file did not match.
        case resumed = 5

        /// The name of the reason.
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
        /// The reason that another attempt followed.
        public var reason: Reason
        /// The status of a complete response; 0 for none.
        public var httpStatus: Int32
        /// The CURLcode of the attempt; 0 for none.
        public var curlCode: Int32 = 0
        /// Whether the redirect led to another origin, which received neither credentials nor secret headers.
        public var dropsCredentials = false
        /// The delay before the next attempt.
        public var waitMilliseconds: Int64 = 0
        /// The target of a redirect, as the service sent it.
        package var url = Text.empty

        package init(_ reason: Reason, _ httpStatus: Int32) {
            self.reason = reason
            self.httpStatus = httpStatus
        }
    }

    /// The timings; nil unless they were requested.
    public var timings: Timings?
    /// The attempts that were followed by another one, in order; at most 1000.
    public private(set) var steps: [Step] = []

    /// An event stream may be unlimited: later steps are reported, and not stored.
    private static let maximumSteps = 1000

    package init() {}

    package func add(_ step: Step) { if steps.count < Self.maximumSteps { steps.append(step) } }
}
