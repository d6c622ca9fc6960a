// Requests that a server has received (routable_service.h).

public import CRoutable
internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

private func received(_ handle: OpaquePointer?) -> Received? { handle.map { Handle.object($0, Received.self) } }

extension Incoming {
    init(_ pointer: UnsafePointer<routable_incoming>?) throws(Failure) {
        guard let pointer else { throw .null("incoming") }
        let given = try RoutableABI.options(pointer, routable_incoming(), "incoming")
        self.init(
            method: try nameText(given.method, "incoming.method"), target: try given.target.bytes("incoming.target"),
            headers: try [HeaderField](given.headers, given.header_count, "incoming.headers"),
            body: try given.body.bytes("incoming.body"))
    }
}

extension IncomingView {
    /// nil for a request that has no method, or whose pointers are not valid.
    fileprivate init?(_ pointer: UnsafePointer<routable_incoming>?) throws(Failure) {
        guard let pointer else { return nil }
        let given = try RoutableABI.options(pointer, routable_incoming(), "incoming")
        guard let method = given.method, let target = UnsafeRawBufferPointer(view: given.target),
            let body = UnsafeRawBufferPointer(view: given.body), given.headers != nil || given.header_count == 0,
            given.header_count >= 0
        else { return nil }
        let headers = UnsafeRawPointer(given.headers).map { $0.assumingMemoryBound(to: HeaderView.self) }
        self.init(
            method: method, target: target, headers: UnsafeBufferPointer(start: headers, count: given.header_count), body: body)
        for header in self.headers
        where (header.name == nil && header.nameCount != 0) || (header.value == nil && header.valueCount != 0)
            || header.nameCount < 0 || header.valueCount < 0
        { return nil }
    }
}

extension UnsafeRawBufferPointer {
    /// nil if the pointer is not valid.
    fileprivate init?(view: routable_str) {
        guard view.len >= 0, view.ptr != nil || view.len == 0 else { return nil }
        self.init(start: view.ptr, count: view.len)
    }
}

extension ReceiveOptions {
    /// - Parameter last: the options of the last request with the object, whose base path is used if it is the same text.
    fileprivate init(_ pointer: UnsafePointer<routable_receive_options>?, last: ReceiveOptions) throws(Failure) {
        self.init()
        guard pointer != nil else { return }
        let given = try RoutableABI.options(pointer, routable_receive_options(), "options")
        let (undeclared, credentials) = (
            UInt32(ROUTABLE_RECEIVE_REFUSE_UNDECLARED), UInt32(ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS)
        )
        try check(flags: given.flags, within: undeclared | credentials, "options.flags")
        if let text = given.base_path {
            let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
            if let known = last.basePathText, known.buffer.elementsEqual(bytes) {
                (basePathText, basePath) = (known, last.basePath)
            } else {
                basePathText = Text(copying: bytes)
                basePath = try Self.basePath(try nameText(text, "options.base_path"))
            }
        }
        if given.max_errors != 0 {
            maximumErrors = given.max_errors < 0 ? Self.errorLimit : min(given.max_errors, Self.errorLimit)
        }
        if given.max_body_bytes > 0 { maximumBodyBytes = given.max_body_bytes }
        refusesUndeclared = given.flags & undeclared != 0
        requiresCredentials = given.flags & credentials != 0
        if let function = given.verify {
            let data = given.user_data
            verify = { (scheme, credential) throws(Failure) in
                let (scheme, credential) = (Text(scheme), Text(credential))
                let status = function(routable_str(scheme), routable_str(credential), data)
                withExtendedLifetime((scheme, credential)) {}
                switch status {
                case ROUTABLE_OK: return true
                case ROUTABLE_ERR_CREDENTIAL: return false
                default: throw Failure(.callback, "options.verify has returned \(Int(status.rawValue)) for a credential")
                }
            }
        }
    }

    /// nil for NULL.
    static func basePath(_ text: UnsafePointer<CChar>?) throws(Failure) -> Bytes? {
        guard let text else { return nil }
        return try basePath(try nameText(text, "options.base_path"))
    }

    /// The path without a trailing slash.
    private static func basePath(_ text: Bytes) throws(Failure) -> Bytes {
        if text.isEmpty || text == "/" { return Bytes() }
        let base = try Base(text)
        if base.hasHost || !base.query.isEmpty {
            throw Failure(.argument, "options.base_path is not a path: \"\(Base.shown(text).printable)\"")
        }
        return base.path
    }
}

extension Received {
    fileprivate func read(
        _ incoming: UnsafePointer<routable_incoming>?, _ options: UnsafePointer<routable_receive_options>?
    ) throws(Failure) {
        clear()  // also if the options are rejected
        let options = try options == nil ? ReceiveOptions() : ReceiveOptions(options, last: self.options)
        if let view = try IncomingView(incoming), readQuickly(view, options) { return }
        try read(try Incoming(incoming), options)
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
        try received.read(incoming, options)
        try Handle.give(received, out)
    }
}

@_cdecl("routable_received_reset") @implementation
public func routable_received_reset(
    _ handle: OpaquePointer?, _ incoming: UnsafePointer<routable_incoming>?,
    _ options: UnsafePointer<routable_receive_options>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        try Handle.required(handle, Received.self, "received").read(incoming, options)
    }
}

@_cdecl("routable_received_free") @implementation
public func routable_received_free(_ received: OpaquePointer?) { Handle.free(received, Received.self) }

@_cdecl("routable_received_route") @implementation
public func routable_received_route(_ handle: OpaquePointer?) -> routable_str {
    received(handle)?.plan.map { routable_str($0.route) } ?? .empty
}

@_cdecl("routable_received_operation") @implementation
public func routable_received_operation(_ handle: OpaquePointer?) -> OpaquePointer? {
    received(handle)?.plan.map { Handle.borrow($0.operation) }
}

// MARK: - Values

extension routable_value {
    /// A value that was read; its text is borrowed from the request.
    fileprivate init(_ view: ReceivedView?) {
        self.init()
        guard let view else { return }
        switch view.kind {
        case .null: break
        case .boolean:
            kind = ROUTABLE_KIND_BOOLEAN
            `as`.integer = view.integer
        case .integer:
            kind = ROUTABLE_KIND_INTEGER
            `as`.integer = view.integer
        case .real:
            kind = ROUTABLE_KIND_REAL
            `as`.real = view.real
        case .text:
            kind = ROUTABLE_KIND_STRING
            `as`.string = routable_str(view.text)
        case .json:
            kind = ROUTABLE_KIND_JSON
            `as`.string = routable_str(view.text)
        }
    }
}

@_cdecl("routable_received_value_count") @implementation
public func routable_received_value_count(_ handle: OpaquePointer?) -> Int { received(handle)?.valueCount ?? 0 }

@_cdecl("routable_received_value_at") @implementation
public func routable_received_value_at(_ handle: OpaquePointer?, _ index: Int) -> routable_received_item {
    var result = routable_received_item()
    result.name = .empty
    guard let view = received(handle)?.value(index) else { return result }
    result.location = routable_location(rawValue: view.location.rawValue)
    result.name = routable_str(view.name)
    result.value = routable_value(view)
    return result
}

@_cdecl("routable_received_value") @implementation
public func routable_received_value(
    _ handle: OpaquePointer?, _ location: routable_location, _ valueName: UnsafePointer<CChar>?
) -> routable_value {
    guard let received = received(handle), let valueName else { return routable_value() }
    let name = UnsafeRawBufferPointer(start: valueName, count: strlen(valueName))
    for index in 0..<received.valueCount {
        guard let view = received.value(index), view.location.rawValue == location.rawValue else { continue }
        let isIt = location == ROUTABLE_IN_HEADER ? view.name.isName(name) : view.name.elementsEqual(name)
        if isIt { return routable_value(view) }
    }
    return routable_value()
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

// MARK: - Credentials, and parts of the request that the call does not hold

@_cdecl("routable_received_credential_count") @implementation
public func routable_received_credential_count(_ handle: OpaquePointer?) -> Int { received(handle)?.credentialCount ?? 0 }

@_cdecl("routable_received_credential_scheme_at") @implementation
public func routable_received_credential_scheme_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    received(handle)?.credential(index).map { routable_str($0.scheme) } ?? .empty
}

@_cdecl("routable_received_credential_at") @implementation
public func routable_received_credential_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    received(handle)?.credential(index).map { routable_str($0.value) } ?? .empty
}

@_cdecl("routable_received_ignored_count") @implementation
public func routable_received_ignored_count(_ handle: OpaquePointer?) -> Int { received(handle)?.ignoredCount ?? 0 }

@_cdecl("routable_received_ignored_at") @implementation
public func routable_received_ignored_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    received(handle)?.ignored(index).map { routable_str($0) } ?? .empty
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
