// The operations of a router by number, for whoever knows nothing of how paths are matched.

/// What a router keeps of the engine that matches its paths, which is a class of its own in Match.  Immutable.
class RouteIndex: @unchecked Sendable {
    /// All operations by number: those of resources in declaration order, then the free ones.
    final let operations: [OperationEntry]

    init(_ operations: [OperationEntry]) { self.operations = operations }

    final func operation(_ number: UInt32) -> OperationEntry? {
        operations.indices.contains(Int(number)) ? operations[Int(number)] : nil
    }
}
