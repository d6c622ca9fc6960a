// Hands a router that is declared in Swift to a C host: the function that a library of `make ROUTES=FILE` exports calls this
// (docs/swift-to-c.md).

public import CRoutable
public import RoutableCore
internal import RoutableDocuments

/// Opens a declared API.  `base` may be NULL: the declaration's.  The caller owns `*out`; routable_router_free frees it.
/// Any thread may call it.  Statuses: URL, CONFLICT, LIMIT, ARGUMENT.
public func openDeclaredRouter<Declared: API>(
    _ api: Declared.Type, _ base: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(PlannedRouter(try Declared.openedRouter(base: optionalName(base))), out)
    }
}
