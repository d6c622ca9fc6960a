// Middleware: functions of the program that are called around each request of a client.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

private func interception(_ handle: OpaquePointer?) -> Interception? { handle.map { Handle.object($0, Interception.self) } }

/// A function of the program, converted to a function that the client calls.
private func called(_ function: routable_middleware_fn?, _ data: HostData) -> Middleware.Function? {
    guard let function else { return nil }
    return { function(Handle.borrow($0), data.pointer) }
}

@_cdecl("routable_client_add_middleware") @implementation
public func routable_client_add_middleware(
    _ client: OpaquePointer?, _ middleware: UnsafePointer<routable_middleware>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        if middleware == nil { throw .null("middleware") }
        let given = try options(middleware, routable_middleware(), "middleware")
        let data = HostData(given.user_data, given.release)  // first: a failure releases it
        let client = try Handle.required(client, ClientCore.self, "client")
        if given.before == nil && given.after == nil {
            throw Failure(.argument, "the middleware has neither `before` nor `after`")
        }
        try client.add(Middleware(before: called(given.before, data), after: called(given.after, data)))
    }
}

@_cdecl("routable_interception_request") @implementation
public func routable_interception_request(_ handle: OpaquePointer?) -> OpaquePointer? {
    interception(handle).map { Handle.borrow($0.request) }
}

@_cdecl("routable_interception_set_request") @implementation
public func routable_interception_set_request(
    _ handle: OpaquePointer?, _ request: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try Handle.required(handle, Interception.self, "interception").setRequest(
            try Handle.required(request, Request.self, "request"))
    }
}

@_cdecl("routable_interception_response") @implementation
public func routable_interception_response(_ handle: OpaquePointer?) -> OpaquePointer? {
    interception(handle)?.response.map { Handle.borrow($0) }
}

@_cdecl("routable_interception_error") @implementation
public func routable_interception_error(_ handle: OpaquePointer?) -> OpaquePointer? {
    guard let interception = interception(handle), let failure = interception.failure else { return nil }
    if let lent = interception.lent { return Handle.borrow(unsafeDowncast(lent, to: ErrorObject.self)) }
    let error = ErrorObject(failure)
    interception.lent = error
    return Handle.borrow(error)
}

@_cdecl("routable_interception_reply") @implementation
public func routable_interception_reply(
    _ handle: OpaquePointer?, _ reply: UnsafePointer<routable_reply>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let interception = try Handle.required(handle, Interception.self, "interception")
        if reply == nil { throw .null("reply") }
        let given = try TransportReply(reply)
        try Memory.check()
        try interception.reply(given)
    }
}

@_cdecl("routable_interception_set_data") @implementation
public func routable_interception_set_data(
    _ handle: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ release: routable_release_fn?
) {
    let kept = HostData(data, release)
    interception(handle)?.data = kept
}

@_cdecl("routable_interception_data") @implementation
public func routable_interception_data(_ handle: OpaquePointer?) -> UnsafeMutableRawPointer? {
    (interception(handle)?.data).flatMap { unsafeDowncast($0, to: HostData.self).pointer }
}
