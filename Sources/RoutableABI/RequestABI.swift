// Requests: building, reading, changing and printing.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

private func request(_ handle: OpaquePointer?) -> Request? { handle.map { Handle.object($0, Request.self) } }

@_cdecl("routable_request_new") @implementation
public func routable_request_new(
    _ router: OpaquePointer?, _ call: UnsafePointer<routable_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        if let request = try usualRequest(router, call) {
            try Handle.give(request, out)
        } else {
            try Handle.give(try router.request(for: try Call(call)), out)
        }
    }
}

/// The request of a call that has only ids by position and a JSON body; nil for any other call.
private func usualRequest(_ router: PlannedRouter, _ pointer: UnsafePointer<routable_call>?) throws(Failure) -> Request? {
    guard let pointer else { throw .null("call") }
    let call = try options(pointer, routable_call(), "call")
    let others = call.query_count | call.parameter_count | call.header_count | call.cookie_count
    guard let operation = call.operation, others == 0, call.parameters == nil, call.content_type == nil, call.base == nil,
        call.allow_empty_ids == 0, (0...Limits.idsPerRoute).contains(call.id_count), call.ids != nil || call.id_count == 0
    else { return nil }
    var json: UnsafeRawBufferPointer?
    if call.body.kind == ROUTABLE_KIND_JSON {
        json = try call.body.as.string.buffer("call.body")
    } else if call.body.kind != ROUTABLE_KIND_NULL {
        return nil
    }
    return withUnsafeTemporaryAllocation(of: ValueView.self, capacity: Limits.idsPerRoute) { views -> Request? in
        guard let first = views.baseAddress else { return nil }
        var next = first
        for id in UnsafeBufferPointer(start: call.ids, count: call.id_count) {
            if id.name != nil { return nil }
            next.initialize(to: unsafeBitCast(id.value, to: ValueView.self))
            next += 1
        }
        return router.request(
            for: PlannedRouter.UsualCall(
                route: UnsafeRawBufferPointer(start: call.route, count: call.route.map { strlen($0) } ?? 0),
                operation: UnsafeRawBufferPointer(start: operation, count: strlen(operation)),
                ids: UnsafeBufferPointer(start: first, count: call.id_count), json: json))
    }
}

@_cdecl("routable_request_copy") @implementation
public func routable_request_copy(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(try Handle.required(handle, Request.self, "request").copy(), out)
    }
}

@_cdecl("routable_request_free") @implementation
public func routable_request_free(_ request: OpaquePointer?) { Handle.free(request, Request.self) }

@_cdecl("routable_request_method") @implementation
public func routable_request_method(_ handle: OpaquePointer?) -> routable_str {
    request(handle).map { routable_str($0.method) } ?? .empty
}

@_cdecl("routable_request_url") @implementation
public func routable_request_url(_ handle: OpaquePointer?) -> routable_str {
    request(handle).map { routable_str($0.url) } ?? .empty
}

@_cdecl("routable_request_route") @implementation
public func routable_request_route(_ handle: OpaquePointer?) -> routable_str {
    request(handle).map { routable_str($0.route) } ?? .empty
}

@_cdecl("routable_request_operation") @implementation
public func routable_request_operation(_ handle: OpaquePointer?) -> routable_str {
    request(handle).map { routable_str($0.operation) } ?? .empty
}

@_cdecl("routable_request_header_count") @implementation
public func routable_request_header_count(_ handle: OpaquePointer?) -> Int { request(handle)?.headers.count ?? 0 }

@_cdecl("routable_request_header_at") @implementation
public func routable_request_header_at(_ handle: OpaquePointer?, _ index: Int) -> routable_header {
    routable_header(request(handle)?.headers, index)
}

@_cdecl("routable_request_header") @implementation
public func routable_request_header(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> routable_str {
    routable_str(request(handle)?.headers, name, 0)
}

@_cdecl("routable_request_header_value_count") @implementation
public func routable_request_header_value_count(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> Int {
    valueCount(request(handle)?.headers, name)
}

@_cdecl("routable_request_header_value_at") @implementation
public func routable_request_header_value_at(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ index: Int
) -> routable_str {
    routable_str(request(handle)?.headers, name, index)
}

extension routable_str {
    /// The value at `index` among the fields with this name; empty if the index is out of range.
    init(_ headers: HeaderBlock?, _ name: UnsafePointer<CChar>?, _ index: Int) {
        guard let headers, let name, index >= 0,
            let place = Bytes(cString: name).storage.withUnsafeBytes({ headers.index(of: $0, skipping: index) })
        else {
            self = .empty
            return
        }
        self.init(headers.value(place))
    }
}

/// The number of fields with this name.
func valueCount(_ headers: HeaderBlock?, _ name: UnsafePointer<CChar>?) -> Int {
    guard let headers, let name else { return 0 }
    return Bytes(cString: name).storage.withUnsafeBytes { headers.count(of: $0) }
}

extension routable_header {
    init(_ headers: HeaderBlock?, _ index: Int) {
        guard let headers, index >= 0, index < headers.count else {
            self.init(name: .empty, value: .empty)
            return
        }
        self.init(name: routable_str(headers.name(index)), value: routable_str(headers.value(index)))
    }
}

@_cdecl("routable_request_has_body") @implementation
public func routable_request_has_body(_ handle: OpaquePointer?) -> Int32 {
    guard let request = request(handle), request.hasBody else { return 0 }
    return request.body == nil ? 2 : 1
}

@_cdecl("routable_request_body") @implementation
public func routable_request_body(_ handle: OpaquePointer?) -> routable_str {
    request(handle)?.body.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_request_set_header") @implementation
public func routable_request_set_header(
    _ handle: OpaquePointer?, _ headerName: UnsafePointer<CChar>?, _ value: routable_str,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let (name, value) = (try nameText(headerName, "name"), try value.bytes("value"))
        try Memory.check()
        try request.setHeader(name, value)
    }
}

@_cdecl("routable_request_remove_header") @implementation
public func routable_request_remove_header(
    _ handle: OpaquePointer?, _ headerName: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let name = try nameText(headerName, "name")
        try Memory.check()
        request.removeHeader(name)
    }
}

@_cdecl("routable_request_if_match") @implementation
public func routable_request_if_match(
    _ handle: OpaquePointer?, _ etag: routable_str, _ modified: routable_str,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let (etag, modified) = (try etag.bytes("etag"), try modified.bytes("last_modified"))
        try Memory.check()
        try request.ifMatch(etag, modified)
    }
}

@_cdecl("routable_request_if_none_match") @implementation
public func routable_request_if_none_match(
    _ handle: OpaquePointer?, _ etag: routable_str, _ modified: routable_str,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let (etag, modified) = (try etag.bytes("etag"), try modified.bytes("last_modified"))
        try Memory.check()
        try request.ifNoneMatch(etag, modified)
    }
}

@_cdecl("routable_request_set_body") @implementation
public func routable_request_set_body(
    _ handle: OpaquePointer?, _ body: routable_str, _ contentType: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let (body, contentType) = (Text(try body.buffer("body")), optionalName(contentType))
        try Memory.check()
        try request.setBody(text: body, contentType: contentType)
    }
}

@_cdecl("routable_request_remove_body") @implementation
public func routable_request_remove_body(
    _ handle: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in try Handle.required(handle, Request.self, "request").removeBody() }
}

@_cdecl("routable_request_to_curl") @implementation
public func routable_request_to_curl(
    _ handle: OpaquePointer?, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let request = try Handle.required(handle, Request.self, "request")
        try check(flags: flags, within: UInt32(ROUTABLE_SHOW_SECRETS), "flags")
        try give(request.curlLine(showsSecrets: flags != 0), out)
    }
}
