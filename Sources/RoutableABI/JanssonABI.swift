// The host tier: json_t values in and out, without text between.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

@_cdecl("routable_router_open_jansson") @implementation
public func routable_router_open_jansson(
    _ document: UnsafePointer<json_t>?, _ options: UnsafePointer<routable_open_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let document else { throw .null("document") }
        let choices = try OpenChoices(options)
        out.pointee = Handle.make(try choices.open(try RouteDocument.read(jansson: OpaquePointer(document))))
    }
}

@_cdecl("routable_request_new_jansson") @implementation
public func routable_request_new_jansson(
    _ router: OpaquePointer?, _ call: UnsafePointer<json_t>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.required(router, Router.self, "router")
        guard let call else { throw .null("call") }
        out.pointee = Handle.make(try router.request(for: try CallDocument.read(jansson: OpaquePointer(call))))
    }
}

@_cdecl("routable_response_to_jansson") @implementation
public func routable_response_to_jansson(
    _ response: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let response = try Handle.required(response, Response.self, "response")
        // A body that is not decoded, as of HEAD, is as none.
        let body = response.outcome == .empty ? UnsafeRawBufferPointer(start: nil, count: 0) : response.body.buffer
        out.pointee = UnsafeMutablePointer(try MessageDocument.jansson(of: body))
    }
}

@_cdecl("routable_error_to_jansson") @implementation
public func routable_error_to_jansson(
    _ error: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?
) -> routable_status {
    guard let object = ErrorObject.at(error), let out else { return Status.argument.code }
    out.pointee = UnsafeMutablePointer(MessageDocument.jansson(of: object.failure))
    return Status.ok.code
}
