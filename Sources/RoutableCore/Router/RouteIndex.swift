// The operations of a router by number, for code that does not depend on matching.

/// The base class of the match engine in Match, which a router holds.  Immutable.
class RouteIndex: @unchecked Sendable {
    /// All operations by number: those of resources in declaration order, then the standalone ones.
    final let operations: [OperationEntry]

    init(_ operations: [OperationEntry]) { self.operations = operations }

    final func operation(_ number: UInt32) -> OperationEntry? {
        operations.indices.contains(Int(number)) ? operations[Int(number)] : nil
    }
}
