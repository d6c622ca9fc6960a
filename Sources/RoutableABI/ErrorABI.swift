// The error objects of the C interface.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

/// A failure with its strings at stable addresses.
final class ErrorObject {
    let failure: Failure
    let message: Text
    let pointer: Text
    let schemaPointer: Text
    let route: Text
    let operation: Text
    let parameter: Text
    let allowed: [Text]
    let suggestion: Text
    let next: ErrorObject?

    init(_ failure: Failure) {
        let fields = failure.fields
        self.failure = failure
        message = Text(fields.message)
        pointer = Text(fields.pointer ?? Bytes())
        schemaPointer = Text(fields.schemaPointer ?? Bytes())
        route = Text(fields.route)
        operation = Text(fields.operation)
        parameter = Text(fields.parameter)
        allowed = fields.allowed.map { Text($0) }
        suggestion = Text(fields.suggestion)
        next = fields.next.map { ErrorObject($0) }
    }

    static func at(_ handle: OpaquePointer?) -> ErrorObject? { handle.map { Handle.object($0, ErrorObject.self) } }
}

private func text(_ handle: OpaquePointer?, _ get: (ErrorObject) -> Text) -> routable_str {
    ErrorObject.at(handle).map { routable_str(get($0)) } ?? .empty
}

@_cdecl("routable_error_status") @implementation
public func routable_error_status(_ error: OpaquePointer?) -> routable_status {
    ErrorObject.at(error)?.failure.status.code ?? Status.ok.code
}

@_cdecl("routable_error_message") @implementation
public func routable_error_message(_ error: OpaquePointer?) -> routable_str { text(error) { $0.message } }

@_cdecl("routable_error_pointer") @implementation
public func routable_error_pointer(_ error: OpaquePointer?) -> routable_str { text(error) { $0.pointer } }

@_cdecl("routable_error_schema_pointer") @implementation
public func routable_error_schema_pointer(_ error: OpaquePointer?) -> routable_str { text(error) { $0.schemaPointer } }

@_cdecl("routable_error_offset") @implementation
public func routable_error_offset(_ error: OpaquePointer?) -> Int64 {
    Int64(ErrorObject.at(error)?.failure.fields.offset ?? Int(ROUTABLE_NONE))
}

@_cdecl("routable_error_line") @implementation
public func routable_error_line(_ error: OpaquePointer?) -> Int { ErrorObject.at(error)?.failure.fields.line ?? 0 }

@_cdecl("routable_error_column") @implementation
public func routable_error_column(_ error: OpaquePointer?) -> Int { ErrorObject.at(error)?.failure.fields.column ?? 0 }

@_cdecl("routable_error_route") @implementation
public func routable_error_route(_ error: OpaquePointer?) -> routable_str { text(error) { $0.route } }

@_cdecl("routable_error_operation") @implementation
public func routable_error_operation(_ error: OpaquePointer?) -> routable_str { text(error) { $0.operation } }

@_cdecl("routable_error_parameter") @implementation
public func routable_error_parameter(_ error: OpaquePointer?) -> routable_str { text(error) { $0.parameter } }

@_cdecl("routable_error_allowed_count") @implementation
public func routable_error_allowed_count(_ error: OpaquePointer?) -> Int { ErrorObject.at(error)?.allowed.count ?? 0 }

@_cdecl("routable_error_allowed_at") @implementation
public func routable_error_allowed_at(_ error: OpaquePointer?, _ index: Int) -> routable_str {
    guard let allowed = ErrorObject.at(error)?.allowed, allowed.indices.contains(index) else { return .empty }
    return routable_str(allowed[index])
}

@_cdecl("routable_error_suggestion") @implementation
public func routable_error_suggestion(_ error: OpaquePointer?) -> routable_str { text(error) { $0.suggestion } }

@_cdecl("routable_error_http_status") @implementation
public func routable_error_http_status(_ error: OpaquePointer?) -> Int32 {
    ErrorObject.at(error)?.failure.fields.httpStatus ?? 0
}

@_cdecl("routable_error_curl_code") @implementation
public func routable_error_curl_code(_ error: OpaquePointer?) -> Int32 {
    ErrorObject.at(error)?.failure.fields.curlCode ?? 0
}

@_cdecl("routable_error_response") @implementation
public func routable_error_response(_ error: OpaquePointer?) -> OpaquePointer? {
    // Retained by the failure.
    ErrorObject.at(error)?.failure.fields.response.map { Handle.borrow($0) }
}

@_cdecl("routable_error_next") @implementation
public func routable_error_next(_ error: OpaquePointer?) -> OpaquePointer? {
    ErrorObject.at(error)?.next.map { Handle.borrow($0) }
}

@_cdecl("routable_error_free") @implementation
public func routable_error_free(_ error: OpaquePointer?) { Handle.free(error, ErrorObject.self) }
