// The JSON tier for programs that use json_t values (routable_jansson.h).

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON

extension PlannedRouter {
    /// The request of a call that is a borrowed `const json_t *`.
    fileprivate func request(_ call: UnsafePointer<json_t>?) throws(Failure) -> Request {
        guard let call else { throw .null("call") }
        return try request(for: try CallDocument.read(jansson: OpaquePointer(call)))
    }
}

/// Passes a message to the caller as a new `json_t` reference, unless memory failed while it was made.
@inline(never)
private func give(_ message: Bytes, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>) throws(Failure) {
    try give(try MessageDocument.jansson(message: message), out)
}

@inline(never)
private func give(_ tree: OpaquePointer, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>) throws(Failure) {
    do { try Memory.check() } catch {
        JSONDocument.free(jansson: tree)
        throw error
    }
    out.pointee = UnsafeMutablePointer(tree)
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
        try Handle.give(PlannedRouter(try choices.open(try RouteDocument.read(jansson: OpaquePointer(document)))), out)
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
        try give(try router.request(call).json, out)
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
        try give(MessageDocument.response(try client.perform(try router.request(call))), out)
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
        try Handle.give(try router.request(call), out)
    }
}

@_cdecl("routable_request_to_jansson") @implementation
public func routable_request_to_jansson(
    _ request: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.required(request, Request.self, "request").json, out)
    }
}

@_cdecl("routable_response_to_jansson") @implementation
public func routable_response_to_jansson(
    _ response: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(MessageDocument.response(try Handle.required(response, Response.self, "response")), out)
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
        // A body that is not decoded, such as that of HEAD, is empty.
        let body = response.outcome == .empty ? .empty : response.body.withoutMark
        try give(try MessageDocument.jansson(of: body.buffer), out)
        withExtendedLifetime(body) {}
    }
}

@_cdecl("routable_error_to_jansson") @implementation
public func routable_error_to_jansson(
    _ error: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?
) -> routable_status {
    guard let object = ErrorObject.at(error), let out else { return Status.argument.code }
    return attempt(nil) { () throws(Failure) in try give(try MessageDocument.jansson(of: object.failure), out) }
}

@_cdecl("routable_router_routes_jansson") @implementation
public func routable_router_routes_jansson(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(MessageDocument.routes(try Handle.router(router).routeRows), out)
    }
}

@_cdecl("routable_router_types_jansson") @implementation
public func routable_router_types_jansson(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(MessageDocument.types(of: try Handle.router(router)), out)
    }
}

@_cdecl("routable_form_to_jansson") @implementation
public func routable_form_to_jansson(
    _ form: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try FormDocument.json(try input(form, length, "form")), out)
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
        let template = try URITemplate(Bytes(try input(text, textLength, "uri_template")))
        let members = try values.map { value throws(Failure) in try CallDocument.members(jansson: OpaquePointer(value)) } ?? []
        try give(try template.expand(members), out)
    }
}
