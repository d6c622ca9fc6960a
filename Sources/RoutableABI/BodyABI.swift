// Bodies that are not in memory: sources, targets of responses, progress, and pauses.

public import CRoutable
internal import CSystem
internal import RoutableClient
internal import RoutableCore

extension BodySource {
    /// Takes over the user data of the struct.
    static func read(_ pointer: UnsafePointer<routable_source>?) throws(Failure) -> BodySource {
        guard let pointer else { throw .null("source") }
        let given = try options(pointer, routable_source(), "source")
        let user = given.user_data
        let read = given.read
        let rewind = given.rewind
        let release = given.release
        let source = BodySource(
            length: given.length < 0 ? nil : given.length,
            read: { buffer in
                guard let read, let start = buffer.baseAddress else { return .failed }
                var count = 0
                switch read(start.assumingMemoryBound(to: CChar.self), buffer.count, &count, user) {
                case ROUTABLE_OK: return .bytes(count)
                case ROUTABLE_PENDING: return .later
                default: return .failed
                }
            },
            rewind: rewind.map { rewind in { rewind(user) == ROUTABLE_OK } },
            release: release.map { release in { release(user) } })
        if read == nil { throw .null("source.read") }
        return source
    }
}

/// The name of a file that is readable now; the file is opened when it is sent.
private func checkedFile(_ path: UnsafePointer<CChar>?) throws(Failure) -> Bytes {
    let name = try nameText(path, "path")
    guard let path, !name.isEmpty else { throw Failure(.argument, "the path is empty") }
    var length: Int64 = 0
    let code = csystem_file_length(path, &length)
    if code != 0 { throw .file("read", name, code) }
    return name
}

@_cdecl("routable_request_set_body_source") @implementation
public func routable_request_set_body_source(
    _ handle: OpaquePointer?, _ source: UnsafePointer<routable_source>?, _ contentType: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let source = try BodySource.read(source)
        let request = try Handle.required(handle, Request.self, "request")
        let (body, contentType) = (StreamedBody([.init(source: source)]), optionalName(contentType))
        try Memory.check()
        try request.setBody(body, contentType: contentType)
    }
}

@_cdecl("routable_request_set_body_file") @implementation
public func routable_request_set_body_file(
    _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ contentType: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let (file, contentType) = (try checkedFile(path), optionalName(contentType))
        try Memory.check()
        try request.setBody(file: file, contentType: contentType)
    }
}

extension Multipart.Part {
    init(_ pointer: UnsafePointer<routable_part>) throws(Failure) {
        let given = try options(pointer, routable_part(), "a part")
        // This must be first: it takes over the user data, even if a later step fails.
        let source = given.source == nil ? nil : try BodySource.read(given.source)
        var filename = optionalName(given.filename)
        let content: StreamedBody.Piece
        if let source {
            content = .init(source: source)
        } else if given.file != nil {
            let path = try checkedFile(given.file)
            content = .init(file: path)
            filename = filename ?? path.lastComponent
        } else {
            content = .init(memory: try given.content.bytes("a part's content"))
        }
        self.init(
            name: try given.name.bytes("a part's name"), content: content, filename: filename,
            contentType: optionalName(given.content_type) ?? filename.map { MediaType.of(file: $0) } ?? Bytes())
    }
}

@_cdecl("routable_request_set_multipart") @implementation
public func routable_request_set_multipart(
    _ handle: OpaquePointer?, _ parts: UnsafePointer<routable_part>?, _ count: Int, _ flags: UInt32,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        var read: [Multipart.Part] = []
        var failure: Failure?
        if count != 0 {
            guard let parts else { throw .null("parts") }
            guard (1...(1 << 16)).contains(count) else { throw Failure(.limit, "at most \(1 << 16) parts are allowed") }
            // The distance between elements is the member `size` of the first one.
            let stride = parts.pointee.size
            var next = UnsafeRawPointer(parts)
            for _ in 0..<count {
                do throws(Failure) { read.append(try .init(next.assumingMemoryBound(to: routable_part.self))) } catch {
                    failure = failure ?? error
                    if stride < MemoryLayout<Int>.size || stride > 65536 { break }
                }
                next += stride
            }
        }
        if let failure { throw failure }
        let request = try Handle.required(handle, Request.self, "request")
        try check(flags: flags, within: UInt32(ROUTABLE_MULTIPART_HTML), "flags")
        var multipart = Multipart(normalisesNewlines: flags & UInt32(ROUTABLE_MULTIPART_HTML) != 0)
        for part in read { try multipart.append(part) }
        let body = try multipart.written()
        try Memory.check()
        try request.setBody(body)
    }
}

// MARK: - Targets of responses

@_cdecl("routable_request_set_target") @implementation
public func routable_request_set_target(
    _ handle: OpaquePointer?, _ target: UnsafePointer<routable_target>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        guard target != nil else {
            try Handle.required(handle, Request.self, "request").setTarget(nil)
            return
        }
        let given = try options(target, routable_target(), "target")
        let user = given.user_data
        let write = given.write
        let release = given.release
        let function = BodyFunction(
            take: { bytes in
                switch write?(routable_str(bytes), user) {
                case ROUTABLE_OK: return .all
                case ROUTABLE_PENDING: return .later
                default: return .failed
                }
            }, release: release.map { release in { release(user) } })
        if write == nil { throw .null("target.write") }
        let request = try Handle.required(handle, Request.self, "request")
        try Memory.check()
        request.setTarget(BodyTarget(function: function))
    }
}

@_cdecl("routable_request_set_target_descriptor") @implementation
public func routable_request_set_target_descriptor(
    _ handle: OpaquePointer?, _ descriptor: Int32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        if descriptor < 0 { throw Failure(.argument, "\(descriptor) is not a valid file descriptor") }
        request.setTarget(BodyTarget(descriptor: descriptor))
    }
}

@_cdecl("routable_request_set_target_file") @implementation
public func routable_request_set_target_file(
    _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ flags: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let request = try Handle.required(handle, Request.self, "request")
        let name = try nameText(path, "path")
        if name.isEmpty { throw Failure(.argument, "the path is empty") }
        try check(flags: flags, within: UInt32(ROUTABLE_TARGET_RESUME), "flags")
        try Memory.check()
        request.setTarget(BodyTarget(file: name, resumes: flags & UInt32(ROUTABLE_TARGET_RESUME) != 0))
    }
}

// MARK: - Progress and pauses

@_cdecl("routable_request_set_progress") @implementation
public func routable_request_set_progress(
    _ handle: OpaquePointer?, _ progress: routable_progress_fn?, _ user: UnsafeMutableRawPointer?,
    _ release: routable_release_fn?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let data = HostData(user, release)  // first: the user data is released even without a function
        let function = progress.map { progress in
            ProgressFunction { now in
                var told = routable_progress(
                    sent: now.sent, to_send: now.toSend, received: now.received, to_receive: now.toReceive)
                return progress(&told, data.pointer) == ROUTABLE_OK
            }
        }
        let request = try Handle.required(handle, Request.self, "request")
        try Memory.check()
        request.setProgress(function)
    }
}

@_cdecl("routable_transfer_pause") @implementation
public func routable_transfer_pause(_ transfer: OpaquePointer?) -> Int32 { pause(transfer, true) }

@_cdecl("routable_transfer_resume") @implementation
public func routable_transfer_resume(_ transfer: OpaquePointer?) -> Int32 { pause(transfer, false) }

private func pause(_ transfer: OpaquePointer?, _ isPaused: Bool) -> Int32 {
    guard let transfer else { return 0 }
    return Handle.object(transfer, HostTransfer.self).pause(isPaused) ? 1 : 0
}
