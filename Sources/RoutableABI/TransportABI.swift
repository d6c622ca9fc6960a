// Transports: a function of the program replies to attempts, and canned responses.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

extension HostTransport {
    /// The transport of a client's options; nil for libcurl.
    static func read(_ given: routable_client_options) -> HostTransport? {
        let data = HostData(given.transport_user_data, given.transport_release)
        guard let function = given.transport else { return nil }
        return HostTransport { exchange in function(Handle.make(exchange), data.pointer) }
    }
}

private func exchange(_ handle: OpaquePointer?) -> TransportExchange? {
    handle.map { Handle.object($0, TransportExchange.self) }
}

@_cdecl("routable_exchange_route") @implementation
public func routable_exchange_route(_ handle: OpaquePointer?) -> routable_str {
    exchange(handle)?.plan.map { routable_str($0.route) } ?? .empty
}

@_cdecl("routable_exchange_operation") @implementation
public func routable_exchange_operation(_ handle: OpaquePointer?) -> routable_str {
    exchange(handle)?.plan.map { routable_str($0.operation.name) } ?? .empty
}

@_cdecl("routable_exchange_method") @implementation
public func routable_exchange_method(_ handle: OpaquePointer?) -> routable_str {
    exchange(handle).map { routable_str($0.method) } ?? .empty
}

@_cdecl("routable_exchange_url") @implementation
public func routable_exchange_url(_ handle: OpaquePointer?) -> routable_str {
    exchange(handle).map { routable_str($0.url) } ?? .empty
}

@_cdecl("routable_exchange_header_count") @implementation
public func routable_exchange_header_count(_ handle: OpaquePointer?) -> Int { exchange(handle)?.headers.count ?? 0 }

@_cdecl("routable_exchange_header_at") @implementation
public func routable_exchange_header_at(_ handle: OpaquePointer?, _ index: Int) -> routable_header {
    guard let headers = exchange(handle)?.headers, index >= 0, index < headers.count else {
        return routable_header(name: .empty, value: .empty)
    }
    return routable_header(name: routable_str(headers.name(index)), value: routable_str(headers.value(index)))
}

@_cdecl("routable_exchange_header") @implementation
public func routable_exchange_header(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> routable_str {
    guard let name, let headers = exchange(handle)?.headers,
        let index = Bytes(cString: name).storage.withUnsafeBytes({ headers.index(of: $0) })
    else { return .empty }
    return routable_str(headers.value(index))
}

@_cdecl("routable_exchange_has_body") @implementation
public func routable_exchange_has_body(_ handle: OpaquePointer?) -> Int32 { exchange(handle)?.body == nil ? 0 : 1 }

@_cdecl("routable_exchange_body") @implementation
public func routable_exchange_body(_ handle: OpaquePointer?) -> routable_str {
    exchange(handle)?.body.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_exchange_timeout_ms") @implementation
public func routable_exchange_timeout_ms(_ handle: OpaquePointer?) -> Int64 { exchange(handle)?.timeoutMilliseconds ?? -1 }

extension TransportReply {
    init(_ pointer: UnsafePointer<routable_reply>?) throws(Failure) {
        self.init()
        let given = try options(pointer, routable_reply(), "reply")
        if given.http_status != 0 { status = given.http_status }
        curlCode = given.curl_code
        delayMilliseconds = given.delay_ms
        body = Text(try given.body.bytes("reply.body"))
        headers = try [HeaderField](given.headers, given.header_count, "reply.headers")
        if given.failure != ROUTABLE_OK {
            guard let status = Status(rawValue: given.failure.rawValue), status.rawValue >= Status.argument.rawValue else {
                throw Failure(.argument, "reply.failure is not the status of a failure")
            }
            let message = try given.message.bytes("reply.message")
            let code = given.curl_code
            failure = Failure(status, message.isEmpty ? "a function of the program failed the request" : message) {
                $0.curlCode = code
            }
        }
    }
}

@_cdecl("routable_exchange_reply") @implementation
public func routable_exchange_reply(
    _ handle: OpaquePointer?, _ reply: UnsafePointer<routable_reply>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let exchange = try Handle.required(handle, TransportExchange.self, "exchange")
        defer { Handle.free(handle, TransportExchange.self) }
        let given: TransportReply
        do throws(Failure) {
            if reply == nil { throw .null("reply") }
            given = try TransportReply(reply)
        } catch {
            try exchange.reply(TransportReply(error))
            throw error
        }
        try exchange.reply(given)
    }
}

// MARK: - Canned responses

@_cdecl("routable_responses_new") @implementation
public func routable_responses_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try Handle.give(CannedReplies(), try required(out, "out")) }
}

@_cdecl("routable_responses_free") @implementation
public func routable_responses_free(_ responses: OpaquePointer?) { Handle.free(responses, CannedReplies.self) }

@_cdecl("routable_responses_add") @implementation
public func routable_responses_add(
    _ responses: OpaquePointer?, _ canned: UnsafePointer<routable_canned>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let responses = try Handle.required(responses, CannedReplies.self, "responses")
        if canned == nil { throw .null("canned") }
        let given = try options(canned, routable_canned(), "canned")
        var rule = CannedReplies.Rule(try TransportReply(given.reply))
        rule.route = optionalName(given.route)
        rule.operation = optionalName(given.operation)
        rule.urlPart = optionalName(given.url)
        rule.times = given.times < 0 ? nil : max(1, Int(given.times))
        try Memory.check()
        try responses.add(rule)
    }
}

@_cdecl("routable_responses_answer") @implementation
public func routable_responses_answer(_ exchange: OpaquePointer?, _ user_data: UnsafeMutableRawPointer?) {
    guard let exchange else { return }
    let asked = Handle.object(exchange, TransportExchange.self)
    if let user_data {
        Handle.object(OpaquePointer(user_data), CannedReplies.self).answer(asked)
    } else {
        try? asked.reply(TransportReply(.null("the user_data of routable_responses_answer")))
    }
    Handle.free(exchange, TransportExchange.self)
}

@_cdecl("routable_responses_check") @implementation
public func routable_responses_check(
    _ responses: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try Handle.required(responses, CannedReplies.self, "responses").check() }
}

@_cdecl("routable_responses_request_count") @implementation
public func routable_responses_request_count(_ responses: OpaquePointer?) -> Int {
    responses.map { Handle.object($0, CannedReplies.self).requests.count } ?? 0
}

@_cdecl("routable_responses_request_at") @implementation
public func routable_responses_request_at(_ responses: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    guard let requests = responses.map({ Handle.object($0, CannedReplies.self).requests }), requests.indices.contains(index)
    else { return nil }
    return Handle.borrow(requests[index])
}
