// The resources that the paths of a document describe, as plain values, and the protocol for deriving them.

/// Derives resources from operations; the reader of a document without resources adds one to its description.
package protocol GraphSource: AnyObject, Sendable {
    /// The resources that the paths of the operations of a router describe.
    ///
    /// Failures: `limit`, `memory`.
    func derive(_ operations: [OperationDescription]) throws(Failure) -> DerivedDescription
}

/// A resource that is described by paths.
package struct DerivedResource {
    package var name: Bytes
    /// The literal segment; empty if ids follow ids.
    package var path: Bytes
    /// Empty for a resource without members, such as `/user`.
    package var ids: [ParameterDescription] = []
    /// The index of its parent among the resources; nil at the root.
    package var parent: Int?
    /// The place of the resource: the collection or a member of its parent, or the root.
    package var place = Place.root
    /// The name of the type of the elements of its list; empty for none.
    package var elementType = Bytes()
    package var operations: [DerivedOperation] = []

    package init(name: Bytes, path: Bytes) {
        self.name = name
        self.path = path
    }
}

/// An operation of such a resource, which is also a standalone operation.
package struct DerivedOperation {
    /// The index of the standalone operation.
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

/// The description that is derived from the paths of a document.
package struct DerivedDescription {
    package var resources: [DerivedResource] = []
    /// The segments at the beginning of all paths, which are the location of the API.
    package var prefix: [Bytes] = []
    /// The operations that no walk leads to, by their index, with the reason.
    package var omitted: [(index: Int, reason: Bytes)] = []
    /// Declarations of the document about its resources that have no effect.
    package var warnings: [Bytes] = []

    package init() {}
}
