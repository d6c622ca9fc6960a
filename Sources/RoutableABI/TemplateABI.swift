// URI templates, and parsing of parameters.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

@_cdecl("routable_template_expand") @implementation
public func routable_template_expand(
    _ text: routable_str, _ values: UnsafePointer<routable_argument>?, _ count: Int,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let template = try URITemplate(try text.bytes("uri_template"))
        try give(try template.expand(try Arguments(values, count, "values").members()), out)
    }
}

@_cdecl("routable_parameter_style") @implementation
public func routable_parameter_style(_ parameter: OpaquePointer?) -> UnsafePointer<CChar>? {
    let name = parameter.map { Handle.object($0, ParameterEntry.self).description.styleName } ?? ""
    return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("routable_parameter_read") @implementation
public func routable_parameter_read(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ index: Int, _ text: routable_str,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    var isThere = true
    let status = attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        let operation = try Handle.required(operation, OperationEntry.self, "operation")
        guard let value = try operation.read(parameter: index, try text.buffer("string"), codec: router.codec) else {
            isThere = false
            return
        }
        try give(try MessageDocument.value(value), out)
    }
    return isThere || status != ROUTABLE_OK ? status : Status.noMatch.code
}

@_cdecl("routable_operation_media_type_count") @implementation
public func routable_operation_media_type_count(_ operation: OpaquePointer?) -> Int {
    operation.map { Handle.object($0, OperationEntry.self).mediaTypes.count } ?? 0
}

@_cdecl("routable_operation_media_type_at") @implementation
public func routable_operation_media_type_at(_ operation: OpaquePointer?, _ index: Int) -> routable_str {
    guard let types = operation.map({ Handle.object($0, OperationEntry.self).mediaTypes }), types.indices.contains(index)
    else { return .empty }
    return routable_str(types[index])
}

@_cdecl("routable_operation_source") @implementation
public func routable_operation_source(_ operation: OpaquePointer?) -> routable_str {
    guard let slice = operation.flatMap({ Handle.object($0, OperationEntry.self).description.source }) else { return .empty }
    return routable_str(slice.buffer)
}
