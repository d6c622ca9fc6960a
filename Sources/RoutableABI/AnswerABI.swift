// Responses of services (routable_service.h).

public import CRoutable
internal import RoutableCore
internal import RoutableService

private func answer(_ handle: OpaquePointer?) -> Reply? { handle.map { Handle.object($0, Reply.self) } }

/// The options of an answer, converted for the layer below.
private struct AnswerOptions {
    var reply = ReplyOptions()
    var content = ReplyContent.none

    init(_ pointer: UnsafePointer<routable_answer_options>?) throws(Failure) {
        var defaults = routable_answer_options()
        defaults.descriptor = -1
        defaults.next_kind = ROUTABLE_STREAM_LINES
        // This must be first: it takes over the user data, which is released if a later step fails.
        let given = try options(pointer, defaults, "options")
        let data = HostData(given.user_data, given.release)
        reply.headers = try [HeaderField](given.headers, given.header_count, "options.headers")
        reply.contentType = optionalName(given.content_type)
        reply.etag = optionalName(given.etag)
        if given.max_errors != 0 {
            let limit = ReceiveOptions.errorLimit
            reply.maximumErrors = given.max_errors < 0 ? limit : min(given.max_errors, limit)
        }
        if let route = given.location_route {
            if given.location != nil { throw Failure(.argument, "options.location and options.location_route are both set") }
            reply.location = .call(
                route: Bytes(cString: route), operation: optionalName(given.location_operation) ?? "read",
                ids: try Arguments(given.location_ids, given.location_id_count, "options.location_ids").ids())
        } else if let location = given.location {
            reply.location = .url(Bytes(cString: location))
        }
        if (given.file == nil ? 0 : 1) + (given.descriptor < 0 ? 0 : 1) + (given.next == nil ? 0 : 1) > 1 {
            throw Failure(.argument, "more than one of options.file, options.descriptor and options.next is set")
        }
        if let file = given.file { content = .file(Bytes(cString: file)) }
        if given.descriptor >= 0 { content = .descriptor(given.descriptor) }
        if let next = given.next {
            guard given.next_kind == ROUTABLE_STREAM_LINES || given.next_kind == ROUTABLE_STREAM_EVENTS else {
                throw Failure(.argument, "options.next_kind is neither ROUTABLE_STREAM_LINES nor ROUTABLE_STREAM_EVENTS")
            }
            let items = HostItems(next, data)
            content = .items(ReplyItems(given.next_kind == ROUTABLE_STREAM_LINES ? .lines : .events, next: { items.next() }))
        }
    }
}

/// The items that a function of the program provides.
private final class HostItems {
    private let provide: routable_item_fn
    private let data: HostData
    /// An item that could not be copied because memory failed: its strings are valid until the function is called again.
    private var kept: routable_stream_item?

    init(_ provide: routable_item_fn, _ data: HostData) {
        self.provide = provide
        self.data = data
    }

    func next() -> ReplyItems.Next {
        var item = kept ?? routable_stream_item()
        if kept == nil {
            switch provide(&item, data.pointer) {
            case ROUTABLE_OK: break
            case ROUTABLE_PENDING: return .later
            case ROUTABLE_IDLE: return .end
            default: return .failed(Failure(.callback, "the function that provides the items of the response failed"))
            }
        }
        do throws(Failure) {
            let copy = ReplyItems.Item(
                data: try item.data.bytes("item.data"), event: try item.event.bytes("item.event"),
                id: try item.id.bytes("item.id"))
            kept = Memory.hasFailed ? item : nil
            try Memory.check()
            return .item(copy)
        } catch { return .failed(error) }
    }
}

/// The body of a value; nil for none.
private func content(_ value: routable_value) throws(Failure) -> ReplyContent {
    switch value.kind {
    case ROUTABLE_KIND_NULL: return .none
    case ROUTABLE_KIND_JSON: return .json(try value.as.string.bytes("value"))
    case ROUTABLE_KIND_STRING: return .bytes(try value.as.string.bytes("value"))
    default: return .json(try Reply.json(of: try Value(value, "value")))
    }
}

@_cdecl("routable_received_precondition") @implementation
public func routable_received_precondition(
    _ handle: OpaquePointer?, _ etag: UnsafePointer<CChar>?, _ httpStatus: UnsafeMutablePointer<Int32>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(httpStatus, "http_status")
        let status = try Handle.required(handle, Received.self, "received").conditionStatus(etag: optionalName(etag))
        try Memory.check()
        out.pointee = status
    }
}

@_cdecl("routable_answer_new") @implementation
public func routable_answer_new(
    _ handle: OpaquePointer?, _ httpStatus: Int32, _ value: routable_value,
    _ options: UnsafePointer<routable_answer_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        var given = try AnswerOptions(options)
        let out = try required(out, "out")
        let received = try Handle.required(handle, Received.self, "received")
        if case .none = given.content {
            given.content = try content(value)
        } else if value.kind != ROUTABLE_KIND_NULL {
            throw Failure(.argument, "the body is given twice: as value and in the options")
        }
        try Handle.give(try received.reply(httpStatus, given.content, given.reply), out)
    }
}

@_cdecl("routable_answer_new_refused") @implementation
public func routable_answer_new_refused(
    _ refused: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ flags: UInt32,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let refused = ErrorObject.at(refused) else { throw .null("refused") }
        let plain = UInt32(ROUTABLE_PROBLEM_400)
        try check(flags: flags, within: plain, "flags")
        let method = try nameText(method, "method")
        try Handle.give(Reply.refusing(refused.failure, method: method, isPlain: flags & plain != 0), out)
    }
}

@_cdecl("routable_answer_new_problem") @implementation
public func routable_answer_new_problem(
    _ handle: OpaquePointer?, _ httpStatus: Int32, _ detail: routable_str,
    _ options: UnsafePointer<routable_answer_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let given = try AnswerOptions(options)
        let out = try required(out, "out")
        let received = handle.map { Handle.object($0, Received.self) }
        let detail = try detail.bytes("detail")
        try Handle.give(try Reply.problem(httpStatus, detail, given.reply.headers, to: received), out)
    }
}

@_cdecl("routable_answer_free") @implementation
public func routable_answer_free(_ answer: OpaquePointer?) { Handle.free(answer, Reply.self) }

@_cdecl("routable_answer_status") @implementation
public func routable_answer_status(_ handle: OpaquePointer?) -> Int32 { answer(handle)?.status ?? 0 }

@_cdecl("routable_answer_header_count") @implementation
public func routable_answer_header_count(_ handle: OpaquePointer?) -> Int { answer(handle)?.headers.count ?? 0 }

@_cdecl("routable_answer_header_at") @implementation
public func routable_answer_header_at(_ handle: OpaquePointer?, _ index: Int) -> routable_header {
    routable_header(answer(handle)?.headers, index)
}

@_cdecl("routable_answer_header") @implementation
public func routable_answer_header(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> routable_str {
    routable_str(answer(handle)?.headers, name, 0)
}

@_cdecl("routable_answer_body") @implementation
public func routable_answer_body(_ handle: OpaquePointer?) -> routable_str {
    answer(handle).map { routable_str($0.body) } ?? .empty
}

@_cdecl("routable_answer_body_length") @implementation
public func routable_answer_body_length(_ handle: OpaquePointer?) -> Int64 {
    guard let answer = answer(handle) else { return 0 }
    return answer.length ?? Int64(ROUTABLE_NONE)
}

@_cdecl("routable_answer_descriptor") @implementation
public func routable_answer_descriptor(_ handle: OpaquePointer?) -> Int32 { answer(handle)?.descriptor ?? -1 }

@_cdecl("routable_answer_next") @implementation
public func routable_answer_next(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_str>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        switch try Handle.required(handle, Reply.self, "answer").next() {
        case .bytes(let piece):
            out.pointee = routable_str(piece)
            return .ok
        case .later: return .pending
        case .end: return .idle
        }
    }
}
