// Passes a router that is declared in Swift to a C program: the exported function of a library made by `make ROUTES=FILE` calls this
// (docs/swift-to-c.md).

public import CRoutable
public import RoutableCore
internal import RoutableDocuments

/// A property of a declaration that returns a child: `User.statuses`, or `Social.user` at the root.
///
/// The compiler does not compare the properties with `children` and `resources`, and Embedded Swift has no reflection.
/// Therefore `scripts/routes` reads them from the symbol graph of the declaration.
public struct DeclaredAccessor {
    let spelling: Bytes
    let parent: Bytes?
    let child: Bytes

    /// Creates the accessor with this spelling, from the names of both resources; `parent` is nil at the root.
    public init(_ spelling: String, of parent: String?, to child: String) {
        self.spelling = Bytes(spelling)
        self.parent = parent.map { Bytes($0) }
        self.child = Bytes(child)
    }

    /// Whether a call through the accessor has a route.  An accessor of an undeclared parent can be reached only through an accessor that
    /// returns the parent, and that one is reported.
    func isDeclared(in resources: KeyedValues<Bytes, ResourceDescription>) -> Bool {
        guard let parent else { return resources[child].map { !$0.isNested } ?? false }
        return resources[parent].map { $0.children.contains(child) } ?? true
    }
}

/// Opens a declared API.  If `base` is NULL, the base of the declaration is used.  The caller owns `*out`; routable_router_free frees it.
/// Any thread may call it.  Statuses: URL, CONFLICT, LIMIT, ARGUMENT.
public func openDeclaredRouter<Declared: API>(
    _ api: Declared.Type, accessors: [DeclaredAccessor], _ base: UnsafePointer<CChar>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        var resources = KeyedValues<Bytes, ResourceDescription>()
        for resource in try Declared.described().resources { resources.set(resource, for: resource.name) }
        if let accessor = accessors.first(where: { !$0.isDeclared(in: resources) }) {
            let list: Bytes = accessor.parent.map { "the children of \"\($0.printable)\"" } ?? "the resources of the API"
            throw Failure(
                .conflict,
                "\(accessor.spelling.printable) returns the resource \"\(accessor.child.printable)\", which is not in \(list)")
        }
        try Handle.give(PlannedRouter(try Declared.openedRouter(base: optionalName(base))), out)
    }
}
