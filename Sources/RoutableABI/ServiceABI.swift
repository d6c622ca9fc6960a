// Requests that a server has received (routable_service.h).

public import CRoutable
internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

private func received(_ handle: OpaquePointer?) -> Received? { handle.map { Handle.object($0, Received.self) } }

extension Incoming {
    fileprivate init(_ pointer: UnsafePointer<routable_incoming>?) throws(Failure) {
        guard let pointer else { throw .null("incoming") }
        let given = try RoutableABI.options(pointer, routable_incoming(), "incoming")
        self.init(
            method: try nameText(given.method, "incoming.method"), target: try given.target.bytes("incoming.target"),
            headers: try [HeaderField](given.headers, given.header_count, "incoming.headers"),
            body: try given.body.bytes("incoming.body"))
    }
}

extension ReceiveOptions {
    fileprivate init(_ pointer: UnsafePointer<routable_receive_options>?) throws(Failure) {
        self.init()
        let given = try RoutableABI.options(pointer, routable_receive_options(), "options")
        let (undeclared, credentials) = (
            UInt32(ROUTABLE_RECEIVE_REFUSE_UNDECLARED), UInt32(ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS)
        )
        try check(flags: given.flags, within: undeclared | credentials, "options.flags")
        basePath = try optionalName(given.base_path).map { (text) throws(Failure) in try Self.basePath(text) }
        if given.max_errors != 0 {
            maximumErrors = given.max_errors < 0 ? Self.errorLimit : min(given.max_errors, Self.errorLimit)
        }
        if given.max_body_bytes > 0 { maximumBodyBytes = given.max_body_bytes }
        refusesUndeclared = given.flags & undeclared != 0
        requiresCredentials = given.flags & credentials != 0
    }

    /// Without the slash at its end.
    private static func basePath(_ text: Bytes) throws(Failure) -> Bytes {
        if text.isEmpty || text == "/" { return Bytes() }
        let base = try Base(text)
        if base.hasHost || !base.query.isEmpty {
            throw Failure(.argument, "options.base_path is not a path: \"\(Base.shown(text).printable)\"")
        }
        return base.path
    }
}

@_cdecl("routable_received_new") @implementation
public func routable_received_new(
    _ router: OpaquePointer?, _ incoming: UnsafePointer<routable_incoming>?,
    _ options: UnsafePointer<routable_receive_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let received = Received(try Handle.planned(router))
        try received.read(try Incoming(incoming), try ReceiveOptions(options))
        try Handle.give(received, out)
    }
}

@_cdecl("routable_received_reset") @implementation
public func routable_received_reset(
    _ handle: OpaquePointer?, _ incoming: UnsafePointer<routable_incoming>?,
    _ options: UnsafePointer<routable_receive_options>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let received = try Handle.required(handle, Received.self, "received")
        try received.read(try Incoming(incoming), try ReceiveOptions(options))
    }
}

@_cdecl("routable_received_free") @implementation
public func routable_received_free(_ received: OpaquePointer?) { Handle.free(received, Received.self) }

@_cdecl("routable_received_route") @implementation
public func routable_received_route(_ handle: OpaquePointer?) -> routable_str {
    received(handle)?.call.map { routable_str($0.plan.route) } ?? .empty
}

@_cdecl("routable_received_operation") @implementation
public func routable_received_operation(_ handle: OpaquePointer?) -> OpaquePointer? {
    received(handle)?.call.map { Handle.borrow($0.plan.operation) }
}

// MARK: - Values

extension routable_value {
    /// A value that was read; its text is borrowed from the request.
    fileprivate init(_ item: ReceivedItem?) {
        self.init()
        guard let item else { return }
        switch item.value {
        case .null: break
        case .boolean(let truth):
            kind = ROUTABLE_KIND_BOOLEAN
            `as`.integer = truth ? 1 : 0
        case .integer(let number):
            kind = ROUTABLE_KIND_INTEGER
            `as`.integer = number
        case .real(let number):
            kind = ROUTABLE_KIND_REAL
            `as`.real = number
        case .text:
            kind = ROUTABLE_KIND_STRING
            `as`.string = routable_str(item.text)
        case .number, .array, .object:
            kind = ROUTABLE_KIND_JSON
            `as`.string = routable_str(item.text)
        }
    }
}

@_cdecl("routable_received_value_count") @implementation
public func routable_received_value_count(_ handle: OpaquePointer?) -> Int { received(handle)?.items.count ?? 0 }

@_cdecl("routable_received_value_at") @implementation
public func routable_received_value_at(_ handle: OpaquePointer?, _ index: Int) -> routable_received_item {
    var result = routable_received_item()
    result.name = .empty
    guard let items = received(handle)?.items, items.indices.contains(index) else { return result }
    result.location = routable_location(rawValue: items[index].location.rawValue)
    result.name = routable_str(items[index].name)
    result.value = routable_value(items[index])
    return result
}

@_cdecl("routable_received_value") @implementation
public func routable_received_value(
    _ handle: OpaquePointer?, _ location: routable_location, _ valueName: UnsafePointer<CChar>?
) -> routable_value {
    guard let items = received(handle)?.items, let valueName else { return routable_value() }
    let name = UnsafeRawBufferPointer(start: valueName, count: strlen(valueName))
    return routable_value(
        items.first {
            guard $0.location.rawValue == location.rawValue else { return false }
            return location == ROUTABLE_IN_HEADER ? $0.name.buffer.isName(name) : $0.name.buffer.elementsEqual(name)
        })
}

// MARK: - Body

@_cdecl("routable_received_body") @implementation
public func routable_received_body(_ handle: OpaquePointer?) -> routable_str {
    received(handle).map { routable_str($0.body) } ?? .empty
}

@_cdecl("routable_received_content_type") @implementation
public func routable_received_content_type(_ handle: OpaquePointer?) -> routable_str {
    received(handle).map { routable_str($0.contentType) } ?? .empty
}

@_cdecl("routable_received_json_value") @implementation
public func routable_received_json_value(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let text = try Handle.required(handle, Received.self, "received").bodyJSON() else { return .noMatch }
        try Handle.give(try JSONValues.read(text), out)
        return .ok
    }
}

@_cdecl("routable_received_to_json") @implementation
public func routable_received_to_json(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let text = try Handle.required(handle, Received.self, "received").callJSON() else { return .noMatch }
        try give(text, out)
        return .ok
    }
}

// MARK: - Credentials, and what the call does not hold

@_cdecl("routable_received_credential_count") @implementation
public func routable_received_credential_count(_ handle: OpaquePointer?) -> Int { received(handle)?.credentials.count ?? 0 }

@_cdecl("routable_received_credential_scheme_at") @implementation
public func routable_received_credential_scheme_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    guard let all = received(handle)?.credentials, all.indices.contains(index) else { return .empty }
    return routable_str(all[index].scheme)
}

@_cdecl("routable_received_credential_at") @implementation
public func routable_received_credential_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    guard let all = received(handle)?.credentials, all.indices.contains(index) else { return .empty }
    return routable_str(all[index].value)
}

@_cdecl("routable_received_ignored_count") @implementation
public func routable_received_ignored_count(_ handle: OpaquePointer?) -> Int { received(handle)?.ignored.count ?? 0 }

@_cdecl("routable_received_ignored_at") @implementation
public func routable_received_ignored_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    guard let ignored = received(handle)?.ignored, ignored.indices.contains(index) else { return .empty }
    return routable_str(ignored[index])
}

// MARK: - Problems

@_cdecl("routable_error_problem") @implementation
public func routable_error_problem(
    _ error: OpaquePointer?, _ flags: UInt32, _ httpStatus: UnsafeMutablePointer<Int32>?,
    _ headerName: UnsafeMutablePointer<routable_string>?, _ headerValue: UnsafeMutablePointer<routable_string>?,
    _ json: UnsafeMutablePointer<routable_string>?
) -> routable_status {
    attempt(nil) { () throws(Failure) in
        let json = try required(json, "json")
        guard let error = ErrorObject.at(error) else { throw .null("error") }
        let plain = UInt32(ROUTABLE_PROBLEM_400)
        try check(flags: flags, within: plain, "flags")
        let problem = Problem(error.failure, isPlain: flags & plain != 0)
        try Memory.check()
        let given = (routable_string(copying: problem.header.name), routable_string(copying: problem.header.value))
        do throws(Failure) { try give(problem.json, json) } catch {
            given.0.ptr?.deallocate()
            given.1.ptr?.deallocate()
            throw error
        }
        httpStatus?.pointee = problem.httpStatus
        if let headerName { headerName.pointee = given.0 } else { given.0.ptr?.deallocate() }
        if let headerValue { headerValue.pointee = given.1 } else { given.1.ptr?.deallocate() }
    }
}
