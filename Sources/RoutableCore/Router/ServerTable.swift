// Which servers a description has, and which operations each serves.

/// The servers of a description with several, and which operations each serves.
final class ServerTable: Sendable {
    let patterns: [ServerPattern]
    /// The patterns of operations that have no servers of their own, by ascending number.
    private let common: [Int]
    /// The patterns of the others, by the number of the operation.
    private let own: [UInt32: [Int]]

    private init(_ patterns: [ServerPattern], _ common: [Int], _ own: [UInt32: [Int]]) {
        self.patterns = patterns
        self.common = common
        self.own = own
    }

    /// nil if all operations have the base as their only server.
    ///
    /// A function and not an `init`: in the Embedded mode, an object whose `init` fails is leaked.
    static func make(
        _ description: RouterDescription, _ base: Base?, _ operations: [OperationEntry], _ warnings: inout [Text]
    ) -> ServerTable? {
        var patterns: [ServerPattern] = []
        var numbers: [Bytes: Int] = [:]
        var omitted = 0
        func list(_ base: Base?, _ servers: [Bytes]) -> [Int] {
            var result: [Int] = []
            for text in (base.map { [$0.prefix] } ?? []) + servers {
                if let known = numbers[text] {
                    if !result.contains(known) { result.append(known) }
                    continue
                }
                guard patterns.count < Limits.matchedServers, let pattern = ServerPattern(text) else {
                    omitted &+= 1
                    continue
                }
                numbers[text] = patterns.count
                result.append(patterns.count)
                patterns.append(pattern)
            }
            return result.ordered { $0 < $1 }
        }
        let common = list(base, description.servers)
        var own: [UInt32: [Int]] = [:]
        for (number, operation) in operations.enumerated() {
            if operation.base == nil && operation.description.baseProblem.isEmpty { continue }
            let servers = list(operation.base, operation.description.servers)
            if servers != common { own[UInt32(truncatingIfNeeded: number)] = servers }
        }
        if omitted > 0 {
            warnings.append(
                Text(
                    "URLs below \(omitted) servers are not matched: the limits are \(Limits.matchedServers) servers, and \(ServerPattern.mostBytes) bytes for a server with a variable of any value"
                ))
        }
        return own.isEmpty && description.servers.isEmpty ? nil : ServerTable(patterns, common, own)
    }

    func serves(_ pattern: Int, _ operation: UInt32) -> Bool { (own[operation] ?? common).contains(pattern) }
}
