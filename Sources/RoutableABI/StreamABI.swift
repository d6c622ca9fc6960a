// Streams: responses that are read item by item, and a splitter for the bytes of another client.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

extension StreamOptions {
    init(_ given: routable_stream_options) throws(Failure) {
        guard let kind = Splitter.Kind(rawValue: given.kind.rawValue) else {
            throw Failure(.argument, "options.kind \(given.kind.rawValue) is not one of ROUTABLE_STREAM_*")
        }
        self.init(kind)
        maximumItemBytes = given.max_item_bytes
        maximumBufferedBytes = given.max_buffered_bytes
        reconnects = given.reconnects
        retryMilliseconds = given.retry_ms
        lastEventID = try given.last_event_id.bytes("options.last_event_id")
    }
}

extension routable_stream_item {
    init(_ item: Splitter.Item) {
        self.init(data: routable_str(item.data), event: routable_str(item.event), id: routable_str(item.id))
    }
}

/// A stream and the memory that the caller borrows from it.
final class StreamObject {
    let stream: ResponseStream
    private var item: Splitter.Item?

    init(_ stream: ResponseStream) { self.stream = stream }

    func next(milliseconds: Int64, _ out: UnsafeMutablePointer<routable_stream_item>) throws(Failure) -> Status {
        item = nil
        let (next, status) = try stream.next(milliseconds: milliseconds)
        guard let next else { return status }
        item = next
        out.pointee = routable_stream_item(next)
        return .ok
    }
}

@_cdecl("routable_stream_open") @implementation
public func routable_stream_open(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ given: UnsafePointer<routable_stream_options>?,
    _ policy: UnsafePointer<routable_policy>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let policy = try RequestPolicy.read(policy)  // first: it takes over the credential
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        let given = try StreamOptions(try options(given, routable_stream_options(), "options"))
        try Handle.give(StreamObject(try client.stream(request, given, policy)), out)
    }
}

@_cdecl("routable_stream_next") @implementation
public func routable_stream_next(
    _ stream: OpaquePointer?, _ timeout_ms: Int64, _ out: UnsafeMutablePointer<routable_stream_item>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let stream = try Handle.required(stream, StreamObject.self, "stream")
        return try stream.next(milliseconds: timeout_ms, out)
    }
}

@_cdecl("routable_stream_response") @implementation
public func routable_stream_response(
    _ stream: OpaquePointer?, _ timeout_ms: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let stream = try Handle.required(stream, StreamObject.self, "stream")
        let (response, status) = try stream.stream.response(milliseconds: timeout_ms)
        guard let response else { return status }
        try Handle.give(response, out)
        return .ok
    }
}

@_cdecl("routable_stream_cancel") @implementation
public func routable_stream_cancel(_ stream: OpaquePointer?) -> Int32 {
    guard let stream else { return 0 }
    return Handle.object(stream, StreamObject.self).stream.cancel() ? 1 : 0
}

@_cdecl("routable_stream_free") @implementation
public func routable_stream_free(_ stream: OpaquePointer?) { Handle.free(stream, StreamObject.self) }

// MARK: - Splitter

final class SplitterObject {
    var splitter: Splitter
    /// The item that the caller borrows.
    var item: Splitter.Item?

    init(_ splitter: Splitter) { self.splitter = splitter }
}

@_cdecl("routable_splitter_new") @implementation
public func routable_splitter_new(
    _ given: UnsafePointer<routable_stream_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(
            SplitterObject(try StreamOptions(try options(given, routable_stream_options(), "options")).splitter), out)
    }
}

@_cdecl("routable_splitter_feed") @implementation
public func routable_splitter_feed(
    _ splitter: OpaquePointer?, _ bytes: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let object = try Handle.required(splitter, SplitterObject.self, "splitter")
        object.item = nil
        try object.splitter.take(try bytes.buffer("bytes"))
    }
}

@_cdecl("routable_splitter_end") @implementation
public func routable_splitter_end(_ splitter: OpaquePointer?) {
    guard let splitter else { return }
    let object = Handle.object(splitter, SplitterObject.self)
    object.item = nil
    object.splitter.end()
}

@_cdecl("routable_splitter_next") @implementation
public func routable_splitter_next(
    _ splitter: OpaquePointer?, _ out: UnsafeMutablePointer<routable_stream_item>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let object = try Handle.required(splitter, SplitterObject.self, "splitter")
        object.item = object.splitter.next()
        guard let item = object.item else { return .idle }
        out.pointee = routable_stream_item(item)
        return .ok
    }
}

@_cdecl("routable_splitter_retry_ms") @implementation
public func routable_splitter_retry_ms(_ splitter: OpaquePointer?) -> Int64 {
    splitter.flatMap { Handle.object($0, SplitterObject.self).splitter.retryMilliseconds } ?? -1
}

@_cdecl("routable_splitter_free") @implementation
public func routable_splitter_free(_ splitter: OpaquePointer?) { Handle.free(splitter, SplitterObject.self) }

@_cdecl("routable_media_type_normalize") @implementation
public func routable_media_type_normalize(
    _ text: routable_str, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let type = MediaType(try text.bytes("content_type")) else {
            throw Failure(.value, "the content type is not a media type such as text/html")
        }
        try give(type.text, out)
    }
}
