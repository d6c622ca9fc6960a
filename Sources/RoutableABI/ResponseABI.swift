// Responses: mapping, reading and printing.

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments

private func response(_ handle: OpaquePointer?) -> Response? { handle.map { Handle.object($0, Response.self) } }

/// Reads from a response without retaining it: a response never changes, and the caller has a reference.
@inline(__always)
private func read<Value>(_ handle: OpaquePointer?, _ none: Value, _ value: (Response) -> Value) -> Value {
    guard let handle else { return none }
    return Handle.read(handle, Response.self, value)
}

@_cdecl("routable_response_map") @implementation
public func routable_response_map(
    _ router: OpaquePointer?, _ route: UnsafePointer<CChar>?, _ operation: UnsafePointer<CChar>?, _ httpStatus: Int32,
    _ headers: UnsafePointer<routable_header>?, _ headerCount: Int, _ body: routable_str,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        let answer = Answer(
            status: httpStatus, headers: try [HeaderField](headers, headerCount), body: try body.bytes("body"))
        try Handle.give(
            try router.map(answer, route: optionalName(route) ?? Bytes(), operation: try nameText(operation, "operation")), out)
    }
}

@_cdecl("routable_response_free") @implementation
public func routable_response_free(_ response: OpaquePointer?) { Handle.free(response, Response.self) }

@_cdecl("routable_response_status") @implementation
public func routable_response_status(_ handle: OpaquePointer?) -> Int32 { read(handle, 0) { $0.status } }

@_cdecl("routable_response_header_count") @implementation
public func routable_response_header_count(_ handle: OpaquePointer?) -> Int { read(handle, 0) { $0.headers.count } }

@_cdecl("routable_response_header_at") @implementation
public func routable_response_header_at(_ handle: OpaquePointer?, _ index: Int) -> routable_header {
    routable_header(response(handle)?.headers, index)
}

@_cdecl("routable_response_header") @implementation
public func routable_response_header(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> routable_str {
    routable_str(response(handle)?.headers, name, 0)
}

@_cdecl("routable_response_header_value_count") @implementation
public func routable_response_header_value_count(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> Int {
    valueCount(response(handle)?.headers, name)
}

@_cdecl("routable_response_header_value_at") @implementation
public func routable_response_header_value_at(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ index: Int
) -> routable_str {
    routable_str(response(handle)?.headers, name, index)
}

@_cdecl("routable_response_body") @implementation
public func routable_response_body(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { routable_str($0.body) }
}

@_cdecl("routable_response_outcome") @implementation
public func routable_response_outcome(_ handle: OpaquePointer?) -> routable_outcome {
    read(handle, ROUTABLE_OUTCOME_EMPTY) { routable_outcome(rawValue: $0.outcome.rawValue) }
}

@_cdecl("routable_response_deviation_count") @implementation
public func routable_response_deviation_count(_ handle: OpaquePointer?) -> Int { read(handle, 0) { $0.deviations.count } }

@_cdecl("routable_response_deviation_at") @implementation
public func routable_response_deviation_at(
    _ handle: OpaquePointer?, _ index: Int, _ out: UnsafeMutablePointer<routable_deviation>?
) -> Int32 {
    guard let out, let response = response(handle), index >= 0, index < response.deviations.count else { return 0 }
    var deviation = routable_deviation()
    let each = response.deviations[index]
    deviation.pointer = routable_str(each.pointer)
    deviation.schema_pointer = routable_str(each.schemaPointer)
    deviation.message = routable_str(each.message)
    deviation.found = routable_str(each.found)
    return write(deviation, out)
}

@_cdecl("routable_response_check") @implementation
public func routable_response_check(
    _ handle: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        if let failure = try Handle.required(handle, Response.self, "response").misfit { throw failure }
    }
}

@_cdecl("routable_response_reason") @implementation
public func routable_response_reason(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { $0.deviations.first.map { routable_str($0.message) } ?? .empty }
}

@_cdecl("routable_response_reason_pointer") @implementation
public func routable_response_reason_pointer(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { $0.deviations.first.map { routable_str($0.pointer) } ?? .empty }
}

@_cdecl("routable_response_reason_schema_pointer") @implementation
public func routable_response_reason_schema_pointer(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { $0.deviations.first.map { routable_str($0.schemaPointer) } ?? .empty }
}

@_cdecl("routable_response_type") @implementation
public func routable_response_type(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { routable_str($0.typeName) }
}

@_cdecl("routable_response_url") @implementation
public func routable_response_url(_ handle: OpaquePointer?) -> routable_str {
    read(handle, .empty) { routable_str($0.url) }
}

extension routable_response_parts {
    init(_ response: Response?) {
        guard let response else {
            self.init(
                http_status: 0, outcome: ROUTABLE_OUTCOME_EMPTY, headers: .empty, body: .empty, url: .empty, type: .empty,
                http_version: 0, details: 0)
            return
        }
        self.init(
            http_status: response.status, outcome: routable_outcome(rawValue: response.outcome.rawValue),
            headers: routable_str(response.headers.packed), body: routable_str(response.body), url: routable_str(response.url),
            type: routable_str(response.typeName), http_version: response.httpVersion,
            details: (response.deviations.isEmpty ? 0 : UInt32(ROUTABLE_RESPONSE_HAS_DEVIATIONS))
                | (response.trace == nil ? 0 : UInt32(ROUTABLE_RESPONSE_HAS_TRACE)))
    }
}

@_cdecl("routable_response_http_version") @implementation
public func routable_response_http_version(_ handle: OpaquePointer?) -> Int32 { read(handle, 0) { $0.httpVersion } }

@_cdecl("routable_response_read") @implementation
public func routable_response_read(_ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_response_parts>?) {
    out?.pointee = read(handle, routable_response_parts(nil)) { routable_response_parts($0) }
}

@_cdecl("routable_client_set_deviation_hook") @implementation
public func routable_client_set_deviation_hook(
    _ client: OpaquePointer?, _ function: routable_deviation_fn?, _ user: UnsafeMutableRawPointer?,
    _ release: routable_release_fn?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let data = HostData(user, release)
        guard let function else { throw .null("hook") }
        let hook = DeviationHook { response, plan in
            function(
                Handle.borrow(response), routable_str(plan.route), routable_str(plan.operation.name), data.pointer)
            withExtendedLifetime(plan) {}
        }
        let client = try Handle.required(client, ClientCore.self, "client")
        try Memory.check()
        try client.setDeviationHook(hook)
    }
}
