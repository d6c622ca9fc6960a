// What the paths of a document say of resources, as plain values, and what derives it.

/// Derives resources from operations: the reader of such a document gives one to its description.
package protocol GraphSource: AnyObject, Sendable {
    /// What the paths of the operations of a router say.
    ///
    /// Failures: `limit`, `memory`.
    func derive(_ operations: [OperationDescription]) throws(Failure) -> DerivedDescription
}

/// A resource as paths describe it.
package struct DerivedResource {
    package var name: Bytes
    /// The literal segment; empty where ids follow ids.
    package var path: Bytes
    /// None for a resource that is one thing, such as `/user`.
    package var ids: [ParameterDescription] = []
    /// The place of its parent among the resources; nil at the root.
    package var parent: Int?
    /// Whether it stands below the collection of its parent, below a member, or at the root.
    package var place = Place.root
    /// The name of the type of what it lists, if it has one.
    package var elementType = Bytes()
    package var operations: [DerivedOperation] = []

    package init(name: Bytes, path: Bytes) {
        self.name = name
        self.path = path
    }
}

/// An operation of such a resource, which is a standalone operation, too.
package struct DerivedOperation {
    /// Of the standalone operation.
    package var index: Int
    package var name: Bytes
    package var place: Place
    package var capability: Capability?

    package init(index: Int, name: Bytes, place: Place, capability: Capability?) {
        self.index = index
        self.name = name
        self.place = place
        self.capability = capability
    }
}

/// All that the paths of a document say.
package struct DerivedDescription {
    package var resources: [DerivedResource] = []
    /// The segments before all paths, which say where the API is.
    package var prefix: [Bytes] = []
    /// The operations that no walk leads to, by their index, with the reason.
    package var omitted: [(index: Int, reason: Bytes)] = []
    /// What the document says of its resources that has no effect.
    package var warnings: [Bytes] = []

    package init() {}
}
