// Clients: what joins the core's requests and mapping with the layer that performs.

public import CRoutable
internal import RoutableCore
internal import RoutableJSON
internal import RoutablePerform

/// A client with its base, checked once.
final class ClientObject: Sendable {
    private let client: Client
    private let base: Base?

    init(_ client: Client, _ base: Base?) {
        self.client = client
        self.base = base
    }

    func perform(_ request: Request) throws(Failure) -> Response {
        let exchange = Exchange(
            method: request.method.bytes, url: base.map { request.url(below: $0) } ?? request.url.bytes,
            headers: request.headerFields, body: request.body?.bytes)
        let answer: Answer
        do { answer = try client.perform(exchange) } catch {
            throw error.about(route: request.route.bytes, operation: request.operation.bytes)
        }
        return try request.plan.router.map(answer, to: request)
    }
}

@_cdecl("routable_client_new") @implementation
public func routable_client_new(
    _ given: UnsafePointer<routable_client_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let given = try options(given, routable_client_options(), "options")
        try check(flags: given.flags, within: UInt32(ROUTABLE_CLIENT_NO_REDIRECTS), "options.flags")
        var choices = ClientOptions()
        choices.base = optionalName(given.base)
        choices.userAgent = optionalName(given.user_agent) ?? "routable/\(Bytes(stringLiteral: versionText))"
        choices.caFile = optionalName(given.ca_file)
        if given.deadline_ms != 0 { choices.deadlineMilliseconds = given.deadline_ms }
        if given.connect_timeout_ms != 0 { choices.connectTimeoutMilliseconds = given.connect_timeout_ms }
        if given.max_response_bytes != 0 { choices.maximumResponseBytes = given.max_response_bytes }
        if given.max_redirects != 0 { choices.maximumRedirects = Int(min(given.max_redirects, 1000)) }
        choices.followsRedirects = given.flags & UInt32(ROUTABLE_CLIENT_NO_REDIRECTS) == 0
        var base: Base?
        if let source = choices.base { base = try Base(source) }
        out.pointee = Handle.make(ClientObject(try Client.make(choices), base))
    }
}

@_cdecl("routable_client_free") @implementation
public func routable_client_free(_ client: OpaquePointer?) { Handle.free(client, ClientObject.self) }

@_cdecl("routable_client_perform") @implementation
public func routable_client_perform(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        out.pointee = Handle.make(try client.perform(try Handle.required(request, Request.self, "request")))
    }
}

@_cdecl("routable_perform_json") @implementation
public func routable_perform_json(
    _ client: OpaquePointer?, _ router: OpaquePointer?, _ call: routable_str, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        let router = try Handle.required(router, Router.self, "router")
        let response = try client.perform(try router.request(json: try call.buffer("call")))
        out.pointee = routable_string(copying: MessageDocument.response(response))
    }
}
