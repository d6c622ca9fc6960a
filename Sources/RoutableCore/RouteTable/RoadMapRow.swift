// A row of the road map: what a reader of the declaration alone can tell (BEHAVIOUR R22, R23).

/// One row of the table of routes (docs/road-map.md).
public struct RoadMapRow: Sendable {
    /// `user_statuses`; printed on the first row of a pattern only.
    public var prefix = Bytes()
    public var method = Bytes()
    /// With rails' parameters: `/users/:user_id/statuses/:id`.
    public var pattern = Bytes()
    /// The walk, as a call names it; empty for a free operation.
    public var route = Bytes()
    /// The last resource of the walk; empty for a free operation.
    public var resource = Bytes()
    /// Empty in the row that ends a cycle.
    public var operation = Bytes()
    /// The row ends a cycle: `resource` is already on the walk.
    public var isRepeat = false
}
