// A row of the route table (statements R22, R23).

/// One row of the route table (docs/route-table.md).
package struct RouteRow: Sendable {
    /// `user_statuses`; printed only on the first row of a pattern.
    package var prefix = Bytes()
    package var method = Bytes()
    /// The pattern with parameters in the notation of Rails: `/users/:user_id/statuses/:id`.
    package var pattern = Bytes()
    /// The pattern as tables print it: in quotes if it has a space, because a space at its end would be invisible.
    package var printedPattern: Bytes { pattern.storage.contains(0x20) ? "\"\(pattern)\"" : pattern }
    /// The operation as tables print it: `status#read`; for a derived resource with all names of the walk.
    package var target: Bytes {
        resource.isEmpty ? operation : "\(standaloneName.isEmpty ? resource : route)#\(operation)"
    }
    /// The walk, as the route of a call; empty for a standalone operation.
    package var route = Bytes()
    /// The last resource of the walk; empty for a standalone operation.
    package var resource = Bytes()
    /// Empty in the row that ends a cycle.
    package var operation = Bytes()
    /// For a derived resource, the name of the equivalent standalone operation.
    package var standaloneName = Bytes()
    /// Whether the row ends a cycle: `resource` is already on the walk.
    package var isRepeat = false
}
