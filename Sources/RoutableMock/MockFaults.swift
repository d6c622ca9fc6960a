// Requested faults: a status, a lost connection, a delay, or an invalid body, for some of the requests.

package import RoutableCore

/// A fault, and the conditions of the requests to which it is applied.
package struct MockFault: Sendable {
    /// The route and the operation of the requests; nil for any.  An empty route matches standalone operations.
    package var route: Bytes?
    package var operation: Bytes?
    /// The number of requests to which the fault is applied; nil for no limit.
    package var times: Int? = 1
    /// The number of requests in a million to which the fault is applied; the seed selects them.
    package var rate = 1_000_000
    /// The HTTP status; 0 for none.
    package var status: Int32 = 0
    /// Seconds in Retry-After; negative for none.
    package var retryAfter: Int32 = -1
    /// The code of a failure of libcurl; 0 for none.
    package var curlCode: Int32 = 0
    package var delayMilliseconds: Int64 = 0
    /// Whether the body of the usual response is replaced by one that its schema does not allow.
    package var isWrong = false

    package init() {}

    func check() throws(Failure) {
        if status != 0 && !(400...599).contains(status) {
            throw Failure(.argument, "the status of a fault is \(status); 400 to 599 is expected")
        }
        let effects = (status != 0 ? 1 : 0) &+ (curlCode != 0 ? 1 : 0) &+ (isWrong ? 1 : 0)
        if effects > 1 {
            throw Failure(.argument, "a fault has only one of a status, a code of libcurl and a wrong body")
        }
        if effects == 0 && delayMilliseconds == 0 {
            throw Failure(.argument, "the fault has no effect: set a status, a code of libcurl, a wrong body or a delay")
        }
        if retryAfter >= 0 && status == 0 { throw Failure(.argument, "Retry-After of a fault requires a status") }
        if delayMilliseconds < 0 { throw Failure(.argument, "the delay of a fault is negative") }
        if !(0...1_000_000).contains(rate) { throw Failure(.argument, "the rate of a fault is not from 0 to 1000000") }
    }
}

/// The faults of a mock, each with the number of its uses.
struct MockFaults {
    private struct Rule {
        let fault: MockFault
        var used = 0
        var random: SeededRandom?
    }

    private var rules: [Rule] = []

    mutating func add(_ fault: MockFault) { rules.append(Rule(fault: fault)) }

    mutating func restart() {
        for index in rules.indices {
            rules[index].used = 0
            rules[index].random = nil
        }
    }

    /// The fault for a request, which is then counted as used; a fault without an effect if none matches.
    mutating func take(_ plan: Plan, _ seed: UInt64) -> MockFault {
        for index in rules.indices {
            let fault = rules[index].fault
            if let times = fault.times, rules[index].used >= times { continue }
            if let route = fault.route, route != plan.route.bytes { continue }
            if let operation = fault.operation, operation != plan.operation.name.bytes,
                operation != plan.operation.standaloneName.bytes
            {
                continue
            }
            if fault.rate < 1_000_000 {
                var random = rules[index].random ?? SeededRandom(seed: seed, sequence: "fault \(index)")
                let isHit = random.below(1_000_000) < fault.rate
                rules[index].random = random
                if !isHit { continue }
            }
            rules[index].used &+= 1
            return fault
        }
        return MockFault()
    }
}
