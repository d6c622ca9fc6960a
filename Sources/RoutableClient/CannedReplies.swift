// Canned responses: a transport that replies to each operation, for tests (docs/testing.md).

internal import CSystem
package import RoutableCore
package import RoutablePerform

/// Replies to requests with the added replies, and records the requests.  Any thread.
package final class CannedReplies: @unchecked Sendable {
    /// A reply, and the requests that get it.
    package struct Rule: Sendable {
        /// "user.status"; empty for a standalone operation; nil for any route.
        package var route: Bytes?
        package var operation: Bytes?
        /// A part of the URL; nil for any URL.
        package var urlPart: Bytes?
        /// The exact number of requests that get the reply; nil for any number.
        package var times: Int? = 1
        package var reply: TransportReply
        fileprivate var used = 0

        package init(_ reply: TransportReply) { self.reply = reply }

        fileprivate func isFor(_ exchange: TransportExchange) -> Bool {
            if let times, used >= times { return false }
            if let route, route != exchange.plan?.route.bytes { return false }
            if let operation, operation != exchange.plan?.operation.name.bytes { return false }
            return urlPart.map { exchange.url.bytes.contains($0) } ?? true
        }

        fileprivate var name: Bytes {
            var parts: [Bytes] = []
            if let operation { parts.append(operation.printable) }
            if let route, !route.isEmpty { parts.append("of \(route.printable)") }
            if let urlPart { parts.append("at \(urlPart.printable)") }
            return parts.isEmpty ? "any operation" : parts.joined(by: " ")
        }
    }

    private let lock = csystem_lock_new()
    // Guarded by the lock.
    private var rules: [Rule] = []
    private var recorded: [TransportExchange] = []
    private var unexpected: Bytes?

    package init() {}

    deinit { csystem_lock_free(lock) }

    private func locked<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    /// Adds a reply; a request gets the first matching reply that is not used up.
    package func add(_ rule: Rule) throws(Failure) {
        try rule.reply.check()
        locked { rules.append(rule) }
    }

    /// The client's transport.
    package var transport: HostTransport { HostTransport { self.answer($0) } }

    package func answer(_ exchange: TransportExchange) {
        let found = locked { () -> TransportReply? in
            recorded.append(exchange)
            for index in rules.indices where rules[index].isFor(exchange) {
                rules[index].used &+= 1
                return rules[index].reply
            }
            if unexpected == nil { unexpected = Self.name(of: exchange) }
            return nil
        }
        let reply = found ?? TransportReply(Failure(.callback, "there is no canned response for \(Self.name(of: exchange))"))
        try? exchange.reply(reply)  // checked by `add`
    }

    private static func name(of exchange: TransportExchange) -> Bytes {
        guard let plan = exchange.plan else { return "\(exchange.method.bytes), the refresh of a credential" }
        return plan.route.isEmpty ? plan.operation.name.bytes : "\(plan.operation.name.bytes) of \(plan.route.bytes)"
    }

    /// All requests in order.
    package var requests: [TransportExchange] { locked { recorded } }

    /// - Throws: `callback` if a request had no reply, or a reply was used less often than specified.
    package func check() throws(Failure) {
        let (unexpected, rules) = locked { (self.unexpected, self.rules) }
        if let unexpected { throw Failure(.callback, "there was no canned response for \(unexpected)") }
        for rule in rules {
            guard let times = rule.times, rule.used < times else { continue }
            throw Failure(.callback, "the canned response for \(rule.name) was used \(rule.used) times; expected: \(times)")
        }
    }
}
