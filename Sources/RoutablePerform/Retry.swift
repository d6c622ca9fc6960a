// Decides whether and when a request is retried (statement A3, with jitter and Retry-After).

internal import RoutableCore

/// The number of retries and their delays.
package struct RetryRules: Sendable {
    /// The maximum number of retries.
    package var limit: Int
    /// The delay before the first retry; doubled for each one that follows.
    package var delayMilliseconds: Int64
    /// The maximum delay: if the service asks for a longer one, its response is the result.
    package var maximumDelayMilliseconds: Int64

    package init(limit: Int = 0, delayMilliseconds: Int64 = 500, maximumDelayMilliseconds: Int64 = 60_000) {
        self.limit = limit
        self.delayMilliseconds = delayMilliseconds
        self.maximumDelayMilliseconds = maximumDelayMilliseconds
    }

    static let maximumCount = 100

    /// Whether the request may be repeated without a second effect: because of its method, or because it has an idempotency key.
    static func isRepeatable(_ exchange: Exchange) -> Bool {
        if exchange.streams != nil && !exchange.canRepeat { return false }
        if exchange.isRepeatable { return true }
        let methods: [StaticString] = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
        return methods.contains { exchange.method.equals($0) } || exchange.headers.index(of: "idempotency-key") != nil
    }

    /// Whether a response means that the request was not processed and may be sent again later: then any method may be repeated.
    static func isDeferred(_ head: ResponseHead?, _ exchange: Exchange) -> Bool {
        guard let head, head.status == 429, head.headers.index(of: "retry-after") != nil else { return false }
        return exchange.canRepeat
    }

    /// Whether a response means that another attempt may succeed; 429 only with Retry-After.
    static func isTransient(_ head: ResponseHead) -> Bool {
        switch head.status {
        case 408, 500, 502, 503, 504: return true
        case 429: return head.headers.index(of: "retry-after") != nil
        default: return false
        }
    }

    /// Whether a CURLcode is one of a network error that may be temporary: names, connections, and incomplete responses.
    static func isTransient(_ code: Int32) -> Bool {
        switch code {
        case 5, 6, 7, 16, 18, 35, 52, 55, 56, 92, 95: return true
        default: return false
        }
    }

    /// The delay after this number of attempts.
    func retry(after attempts: Int, _ head: ResponseHead?) -> Retry {
        var delay = max(0, delayMilliseconds)
        var count = 1
        while count < attempts && delay < maximumDelayMilliseconds {
            delay = delay &* 2  // below twice the maximum
            count &+= 1
        }
        var retry = Retry(delay: min(delay, maximumDelayMilliseconds), maximumDelay: maximumDelayMilliseconds)
        if let head, let index = head.headers.index(of: "retry-after") {
            retry.after = RetryAfter(head.headers.value(index))
        }
        return retry
    }
}

/// A delay, which is calculated from the time and a random number.
struct Retry: Equatable {
    var delay: Int64
    var maximumDelay: Int64
    var after: RetryAfter?

    /// nil if the delay is longer than the rules allow.  Up to a quarter is added at random, so that many clients do not retry at the same
    /// time; the delay is never less than the service asks for.
    func milliseconds(wallSeconds: Int64, random: UInt32) -> Int64? {
        var wait = delay
        switch after {
        case .seconds(let seconds)?:
            if seconds > maximumDelay / 1000 { return nil }
            wait = max(wait, seconds &* 1000)
        case .date(let date)?:
            let seconds = max(0, date &- wallSeconds)
            if seconds > maximumDelay / 1000 { return nil }
            wait = max(wait, seconds &* 1000)
        case nil: break
        }
        return wait &+ wait / 4 &* Int64(random >> 16) / 65536
    }
}
