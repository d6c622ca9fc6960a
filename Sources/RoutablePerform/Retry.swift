// Decides whether and when a request is retried (statement A3, with jitter and Retry-After).

internal import RoutableCore

/// The number of retries and their delays.
package struct RetryRules: Sendable {
    /// So many attempts after the first.
    package var limit: Int
    /// Before the first of them; doubled for each that follows.
    package var delayMilliseconds: Int64
    /// No wait is longer, whatever the service asks for: then its answer is the result.
    package var maximumDelayMilliseconds: Int64

    package init(limit: Int = 0, delayMilliseconds: Int64 = 500, maximumDelayMilliseconds: Int64 = 60_000) {
        self.limit = limit
        self.delayMilliseconds = delayMilliseconds
        self.maximumDelayMilliseconds = maximumDelayMilliseconds
    }

    static let maximumCount = 100

    /// Whether a repeated request does no more than one: by its method, or since a key says which are one.
    static func isRepeatable(_ exchange: Exchange) -> Bool {
        if exchange.streams != nil && !exchange.canRepeat { return false }
        if exchange.isRepeatable { return true }
        let methods: [StaticString] = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
        return methods.contains { exchange.method.equals($0) } || exchange.headers.index(of: "idempotency-key") != nil
    }

    /// Whether an answer says that the request was not processed, and when to send it again: then any method may be.
    static func isDeferred(_ head: ResponseHead?, _ exchange: Exchange) -> Bool {
        guard let head, head.status == 429, head.headers.index(of: "retry-after") != nil else { return false }
        return exchange.canRepeat
    }

    /// Whether an answer says that another attempt may do better; 429 only when it says when.
    static func isTransient(_ head: ResponseHead) -> Bool {
        switch head.status {
        case 408, 500, 502, 503, 504: return true
        case 429: return head.headers.index(of: "retry-after") != nil
        default: return false
        }
    }

    /// Whether a CURLcode is of a network that may do better: names, connections, and answers that broke off.
    static func isTransient(_ code: Int32) -> Bool {
        switch code {
        case 5, 6, 7, 16, 18, 35, 52, 55, 56, 92, 95: return true
        default: return false
        }
    }

    /// The wait before the attempt that follows so many others.
    func retry(after attempts: Int, _ head: ResponseHead?) -> Retry {
        var delay = max(0, delayMilliseconds)
        var count = 1
        while count < attempts && delay < maximumDelayMilliseconds {
            delay = delay &* 2  // below twice the longest
            count &+= 1
        }
        var retry = Retry(delay: min(delay, maximumDelayMilliseconds), maximumDelay: maximumDelayMilliseconds)
        if let head, let index = head.headers.index(of: "retry-after") {
            retry.after = RetryAfter(head.headers.value(index))
        }
        return retry
    }
}

/// A delay, which is a number once the time and a random number are known.
struct Retry: Equatable {
    var delay: Int64
    var maximumDelay: Int64
    var after: RetryAfter?

    /// nil for longer than the rules allow.  Up to a quarter is added by chance, so that many clients do not come back at
    /// once; never less than the service asks for.
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
