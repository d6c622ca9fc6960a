// The faults of the command line: `--fail 503,rate=10%,operation=user#create`.

#if Command
import ArgumentParser
import RoutableCore
import RoutableMock

/// The value of --fail.
struct ServeFault: ExpressibleByArgument {
    private var fault = MockFault()
    private var operation: Bytes?
    /// The reason why the value is not valid; nil for a valid value.
    private(set) var problem: String?

    private static let effects: [String: Int32] = ["empty": 52, "partial": 18, "reset": 56, "timeout": 28]
    private static let kinds = "a status from 400 to 599, a percentage, reset, empty, partial, timeout or wrong-body"

    init?(argument: String) {
        fault.times = nil
        var words = argument.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        let first = words.removeFirst()
        if let status = Int32(first), (400...599).contains(status) {
            fault.status = status
        } else if let rate = Self.rate(first), first.hasSuffix("%") {
            fault.status = 503
            fault.rate = rate
        } else if let code = Self.effects[first] {
            fault.curlCode = code
        } else if first == "wrong-body" {
            fault.isWrong = true
        } else {
            problem = "'\(first)' is not \(Self.kinds)"
        }
        for word in words where problem == nil { add(word) }
    }

    private mutating func add(_ word: String) {
        let sign = word.firstIndex(of: "=") ?? word.endIndex
        let value = sign == word.endIndex ? "" : String(word[word.index(after: sign)...])
        switch word[..<sign] {
        case "rate":
            if let rate = Self.rate(value) { fault.rate = rate } else { problem = "rate must be a percentage such as 10%" }
        case "times":
            if let times = Int(value), times > 0 { fault.times = times } else { problem = "times must be a number above 0" }
        case "delay":
            if let delay = Int64(value), (0...600_000).contains(delay) {
                fault.delayMilliseconds = delay
            } else {
                problem = "delay must be a number of milliseconds, at most 600000"
            }
        case "retry-after":
            if let seconds = Int32(value), seconds >= 0, fault.status != 0 {
                fault.retryAfter = seconds
            } else {
                problem = "retry-after must be a number of seconds, and requires a status"
            }
        case "operation":
            operation = Bytes(value)
            if value.isEmpty { problem = "operation must be an operation such as user#create" }
        default: problem = "'\(word)' is not rate, times, delay, retry-after or operation with a value"
        }
    }

    /// A proportion in millionths: `10%`, `0.5%`.
    private static func rate(_ text: String) -> Int? {
        guard text.hasSuffix("%"), let share = Double(text.dropLast()), share > 0, share <= 100 else { return nil }
        return max(Int(share * 10_000), 1)
    }

    /// - Throws: the failure for an operation that the description does not contain.
    func fault(of router: Router) throws -> MockFault {
        var fault = fault
        if let operation {
            let call = try CallTarget(router, [], []).call(operation)
            let plan = try Plan.make(router, route: call.route, operation: call.operation)
            // For an OpenAPI document, the fault is for the operationId, also if the operation was given by its route.
            let standalone = plan.operation.standaloneName.bytes
            fault.route = standalone.isEmpty ? plan.route.bytes : nil
            fault.operation = standalone.isEmpty ? plan.operation.name.bytes : standalone
        }
        return fault
    }
}
#endif
