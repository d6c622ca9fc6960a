// Which servers a description has, and which operations each serves.

/// The servers of a description with several, and which operations each serves.
final class ServerTable: Sendable {
    let patterns: [ServerPattern]
    /// The patterns of operations that have no servers of their own, by ascending number.
    private let common: [Int]
    /// The patterns of the others, by the number of the operation.
    private let own: [UInt32: [Int]]

    /// nil if the base alone says what is matched.
    init?(_ description: RouterDescription, _ base: Base?, _ operations: [OperationEntry], _ warnings: inout [Text]) {
        var patterns: [ServerPattern] = []
        var numbers: [Bytes: Int] = [:]
        var isTooMuch = false
        func list(_ base: Base?, _ servers: [Bytes]) -> [Int] {
            var result: [Int] = []
            for text in (base.map { [$0.prefix] } ?? []) + servers {
                if let known = numbers[text] {
                    if !result.contains(known) { result.append(known) }
                    continue
                }
                guard let pattern = ServerPattern(text) else { continue }
                if patterns.count == Limits.matchedServers {
                    isTooMuch = true
                    continue
                }
                numbers[text] = patterns.count
                result.append(patterns.count)
                patterns.append(pattern)
            }
            return result.ordered { $0 < $1 }
        }
        common = list(base, description.servers)
        var own: [UInt32: [Int]] = [:]
        for (number, operation) in operations.enumerated() {
            if operation.base == nil && operation.description.baseProblem.isEmpty { continue }
            let servers = list(operation.base, operation.description.servers)
            if servers != common { own[UInt32(truncatingIfNeeded: number)] = servers }
        }
        if isTooMuch {
            warnings.append(
                Text("the description has more than \(Limits.matchedServers) servers: URLs below the others are not matched"))
        }
        if own.isEmpty && description.servers.isEmpty { return nil }
        self.patterns = patterns
        self.own = own
    }

    func serves(_ pattern: Int, _ operation: UInt32) -> Bool { (own[operation] ?? common).contains(pattern) }
}
