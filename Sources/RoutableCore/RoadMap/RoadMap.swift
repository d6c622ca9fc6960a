// The road map of an API: what a reader of the declaration alone can tell (BEHAVIOUR R22, R23).

/// One row of the table of routes.
public struct RoadMapRow: Sendable {
    /// The name that a host addresses it by, `user.status`, or of a free operation.
    public var route: Bytes
    /// Empty in the row that ends a cycle.
    public var operation: Bytes
    public var method: Bytes
    /// With rails' parameters: `/users/:user_id/statuses/:id`.
    public var pattern: Bytes
    /// The resource at the end of the walk; empty for a free operation.
    public var resource: Bytes
    /// In the row that ends a cycle: the resource, already on the walk, that the child is.
    public var continuesAt: Bytes
}
