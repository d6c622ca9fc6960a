// The JSON tier for hosts that hold json_t values (routable_jansson.h).

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments

extension PlannedRouter {
    /// The request of a call that is a borrowed `const json_t *`.
    fileprivate func request(_ call: UnsafePointer<json_t>?) throws(Failure) -> Request {
        guard let call else { throw .null("call") }
        return try request(for: try CallDocument.read(jansson: OpaquePointer(call)))
    }
}

/// A message as a new `json_t` reference.
private func tree(_ message: Bytes) throws(Failure) -> UnsafeMutablePointer<json_t>? {
    UnsafeMutablePointer(try MessageDocument.jansson(message: message))
}

@_cdecl("routable_router_open_jansson") @implementation
public func routable_router_open_jansson(
    _ document: UnsafePointer<json_t>?, _ options: UnsafePointer<routable_open_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let document else { throw .null("document") }
        let choices = try OpenChoices(options)
        out.pointee = Handle.make(PlannedRouter(try choices.open(try RouteDocument.read(jansson: OpaquePointer(document)))))
    }
}

@_cdecl("routable_build_jansson") @implementation
public func routable_build_jansson(
    _ router: OpaquePointer?, _ call: UnsafePointer<json_t>?,
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        out.pointee = try tree(try router.request(call).json)
    }
}

@_cdecl("routable_perform_jansson") @implementation
public func routable_perform_jansson(
    _ client: OpaquePointer?, _ router: OpaquePointer?, _ call: UnsafePointer<json_t>?,
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        let router = try Handle.planned(router)
        out.pointee = try tree(MessageDocument.response(try client.perform(try router.request(call))))
    }
}

@_cdecl("routable_request_new_jansson") @implementation
public func routable_request_new_jansson(
    _ router: OpaquePointer?, _ call: UnsafePointer<json_t>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        out.pointee = Handle.make(try router.request(call))
    }
}

@_cdecl("routable_request_to_jansson") @implementation
public func routable_request_to_jansson(
    _ request: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try tree(try Handle.required(request, Request.self, "request").json)
    }
}

@_cdecl("routable_response_to_jansson") @implementation
public func routable_response_to_jansson(
    _ response: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try tree(MessageDocument.response(try Handle.required(response, Response.self, "response")))
    }
}

@_cdecl("routable_response_body_jansson") @implementation
public func routable_response_body_jansson(
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

@_cdecl("routable_router_routes_jansson") @implementation
public func routable_router_routes_jansson(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try tree(MessageDocument.routes(try Handle.router(router).routeRows))
    }
}

@_cdecl("routable_router_types_jansson") @implementation
public func routable_router_types_jansson(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try tree(MessageDocument.types(of: try Handle.router(router)))
    }
}

@_cdecl("routable_form_to_jansson") @implementation
public func routable_form_to_jansson(
    _ form: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try tree(try FormDocument.json(try input(form, length, "form")))
    }
}

@_cdecl("routable_template_expand_jansson") @implementation
public func routable_template_expand_jansson(
    _ text: UnsafePointer<CChar>?, _ textLength: Int, _ values: UnsafePointer<json_t>?,
    _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let template = try URITemplate(Bytes(try input(text, textLength, "template_text")))
        let members = try values.map { value throws(Failure) in try CallDocument.members(jansson: OpaquePointer(value)) } ?? []
        out.pointee = routable_string(copying: try template.expand(members))
    }
}
