// Pages, and the policies and paginations of a description.

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableDocuments

extension PageOptions {
    fileprivate init(_ given: routable_pages_options) throws(Failure) {
        self.init()
        try check(
            flags: given.flags, within: UInt32(ROUTABLE_PAGES_OTHER_ORIGINS) | UInt32(ROUTABLE_PAGES_BACKWARDS), "options.flags"
        )
        // A size_t that exceeds an Int is larger than any number of pages or items.
        maximumPages = given.max_pages < 0 ? .max : given.max_pages
        maximumItems = given.max_items < 0 ? .max : given.max_items
        if given.page_size < 0 {
            throw Failure(.argument, "options.page_size must not be negative")
        }
        pageSize = given.page_size
        goesElsewhere = given.flags & UInt32(ROUTABLE_PAGES_OTHER_ORIGINS) != 0
        goesBackwards = given.flags & UInt32(ROUTABLE_PAGES_BACKWARDS) != 0
        position = try given.position.bytes("options.position")
        let text = try given.pagination.buffer("options.pagination")
        if !text.isEmpty { pagination = try Pagination.read(text) }
    }
}

@_cdecl("routable_pages_new") @implementation
public func routable_pages_new(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ given: UnsafePointer<routable_pages_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let request = try Handle.required(request, Request.self, "request")
        let client = client.map { Handle.object($0, ClientCore.self) }
        let choices = try PageOptions(try options(given, routable_pages_options(), "options"))
        try Handle.give(try ClientPages.make(request, over: client, choices), out)
    }
}

@_cdecl("routable_pages_free") @implementation
public func routable_pages_free(_ pages: OpaquePointer?) { Handle.free(pages, ClientPages.self) }

@_cdecl("routable_pages_next") @implementation
public func routable_pages_next(
    _ handle: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let policy = try RequestPolicy.read(policy)  // first: it takes over the credential
        let object = try Handle.required(handle, ClientPages.self, "pages")
        guard let response = try object.next(policy) else { return .idle }
        out?.pointee = Handle.make(response)
        return .ok
    }
}

@_cdecl("routable_pages_follow") @implementation
public func routable_pages_follow(
    _ handle: OpaquePointer?, _ response: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let object = try Handle.required(handle, ClientPages.self, "pages")
        guard let request = try object.following(response.map { Handle.object($0, Response.self) }) else { return .idle }
        // A copy, which the caller may change.
        out.pointee = Handle.make(request.copy())
        return .ok
    }
}

@_cdecl("routable_pages_item_count") @implementation
public func routable_pages_item_count(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let count = try Handle.required(handle, ClientPages.self, "pages").itemCount()
        try Memory.check()
        out.pointee = count
    }
}

@_cdecl("routable_pages_item") @implementation
public func routable_pages_item(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_str>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        guard let item = try Handle.required(handle, ClientPages.self, "pages").itemOfPage() else { return .idle }
        out.pointee = routable_str(item)
        return .ok
    }
}

@_cdecl("routable_pages_next_item") @implementation
public func routable_pages_next_item(
    _ handle: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?, _ out: UnsafeMutablePointer<routable_str>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let policy = try RequestPolicy.read(policy)  // first: it takes over the credential
        let out = try required(out, "out")
        guard let item = try Handle.required(handle, ClientPages.self, "pages").nextItem(policy) else { return .idle }
        out.pointee = routable_str(item)
        return .ok
    }
}

@_cdecl("routable_pages_position") @implementation
public func routable_pages_position(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        guard let position = try Handle.required(handle, ClientPages.self, "pages").position() else { return .idle }
        try give(position, out)
        return .ok
    }
}

@_cdecl("routable_pages_end_with") @implementation
public func routable_pages_end_with(_ handle: OpaquePointer?, _ http_status: Int32) -> Int32 {
    guard let handle else { return 0 }
    return Handle.object(handle, ClientPages.self).ends(http_status) ? 1 : 0
}

@_cdecl("routable_operation_pagination") @implementation
public func routable_operation_pagination(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_pagination>?
) -> Int32 {
    guard let out, let pagination = handle.flatMap({ Handle.object($0, OperationEntry.self).rules?.pagination }) else {
        return 0
    }
    var given = routable_pagination()
    given.by = routable_paging(rawValue: pagination.way.rawValue)
    given.page_parameter = borrowed(pagination.parameter)
    given.size_parameter = borrowed(pagination.sizeParameter)
    given.cursor = borrowed(pagination.place)
    given.items = borrowed(pagination.items)
    given.first_page = Int64(pagination.start)
    return write(given, out)
}

@inline(never) private func borrowed(_ text: Text?) -> routable_str { routable_str(text ?? .empty) }
