// Operations as tools of a language model (routable_tools.h).

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

@_cdecl("routable_tools_json") @implementation
public func routable_tools_json(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try ToolList.json(try Handle.router(router)), out)
    }
}

@_cdecl("routable_operation_call_schema") @implementation
public func routable_operation_call_schema(
    _ router: OpaquePointer?, _ route: UnsafePointer<CChar>?, _ operation: UnsafePointer<CChar>?, _ flags: UInt32,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        let subset = UInt32(ROUTABLE_SCHEMA_FUNCTION_SUBSET)
        try check(flags: flags, within: subset, "flags")
        let schema = try router.callSchema(
            route: optionalName(route) ?? Bytes(), operation: try nameText(operation, "operation"),
            isSubset: flags & subset != 0)
        try give(schema, out)
    }
}

@_cdecl("routable_call_from_object") @implementation
public func routable_call_from_object(
    _ router: OpaquePointer?, _ route: UnsafePointer<CChar>?, _ operation: UnsafePointer<CChar>?,
    _ object: UnsafePointer<CChar>?, _ length: Int, _ maximum: Int,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        let call = try router.call(
            route: optionalName(route) ?? Bytes(), operation: try nameText(operation, "operation"),
            object: try input(object, length, "object"), maximumErrors: maximum)
        try give(call, out)
    }
}
