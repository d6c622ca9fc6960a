// The JSON tier (routable_json.h): calls and messages as JSON text.

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments

extension PlannedRouter {
    /// The request of a call in JSON; failures have the position in the text.
    func request(json: UnsafeRawBufferPointer) throws(Failure) -> Request {
        let call = try CallDocument.read(json)
        do { return try request(for: call) } catch { throw RouteDocument.locate(error, in: json) }
    }
}

extension Request {
    /// The request as a message of the JSON tier.
    var json: Bytes {
        MessageDocument.request(
            method: method.bytes, url: url.bytes, route: route.bytes, operation: operation.bytes, headers: headerFields,
            body: body?.bytes, isStreamed: streams?.body != nil)
    }
}

@_cdecl("routable_build_json") @implementation
public func routable_build_json(
    _ router: OpaquePointer?, _ call: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        try give(try router.request(json: try input(call, length, "call")).json, out)
    }
}

@_cdecl("routable_perform_json") @implementation
public func routable_perform_json(
    _ client: OpaquePointer?, _ router: OpaquePointer?, _ call: UnsafePointer<CChar>?, _ length: Int,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        let router = try Handle.planned(router)
        let response = try client.perform(try router.request(json: try input(call, length, "call")))
        try give(MessageDocument.response(response), out)
    }
}

@_cdecl("routable_request_new_json") @implementation
public func routable_request_new_json(
    _ router: OpaquePointer?, _ call: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        try Handle.give(try router.request(json: try input(call, length, "call")), out)
    }
}

@_cdecl("routable_request_to_json") @implementation
public func routable_request_to_json(
    _ request: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.required(request, Request.self, "request").json, out)
    }
}

@_cdecl("routable_response_to_json") @implementation
public func routable_response_to_json(
    _ response: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(MessageDocument.response(try Handle.required(response, Response.self, "response")), out)
    }
}

@_cdecl("routable_error_to_json") @implementation
public func routable_error_to_json(_ error: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?) -> routable_status {
    guard let object = ErrorObject.at(error), let out else { return Status.argument.code }
    return attempt(nil) { () throws(Failure) in try give(MessageDocument.failure(object.failure), out) }
}

@_cdecl("routable_router_routes_json") @implementation
public func routable_router_routes_json(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        try give(MessageDocument.routes(try router.routeRows), out)
    }
}

@_cdecl("routable_router_types_json") @implementation
public func routable_router_types_json(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        try give(MessageDocument.types(of: router), out)
    }
}

@_cdecl("routable_form_to_json") @implementation
public func routable_form_to_json(
    _ form: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try FormDocument.json(try input(form, length, "form")), out)
    }
}

@_cdecl("routable_template_expand_json") @implementation
public func routable_template_expand_json(
    _ text: UnsafePointer<CChar>?, _ textLength: Int, _ values: UnsafePointer<CChar>?, _ valuesLength: Int,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let template = try URITemplate(Bytes(try input(text, textLength, "uri_template")))
        try give(try template.expand(try CallDocument.members(try input(values, valuesLength, "values"))), out)
    }
}
