// Opens routers, and prints them.

public import CRoutable
internal import CSystem
internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON

@_cdecl("routable_router_open") @implementation
public func routable_router_open(
    _ document: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<routable_open_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        var choices = try OpenChoices(options)
        let text = try input(document, length, "document", perByte: Memory.perDocumentByte)
        try choices.setSource(path: nil)
        try Handle.give(PlannedRouter(try choices.open(text)), out)
    }
}

@_cdecl("routable_router_open_file") @implementation
public func routable_router_open_file(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<routable_open_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        guard let path else { throw .null("path") }
        var choices = try OpenChoices(options)
        let file = try FileBytes(path, limit: choices.limit)
        try Memory.admit(file.buffer.count &* Memory.perDocumentByte)
        let name = Bytes(cString: path)
        try choices.setSource(path: name)
        do throws(Failure) { try Handle.give(PlannedRouter(try choices.open(file.buffer, name: name)), out) } catch {
            // An error in another file begins with the path of that file.
            if error.status == .memory || error.isInFile { throw error }
            throw error.with { $0.message = FileBytes.named(path, $0.message) }
        }
    }
}

/// The open options, converted.
struct OpenChoices {
    var limit = Limits.documentBytes
    var base: Bytes?
    private var openAPI = OpenAPIDocument.Choices()
    private var folder: Bytes?
    private var load: routable_load_fn?
    private var loadUserData: UnsafeMutableRawPointer?

    init(_ pointer: UnsafePointer<routable_open_options>?) throws(Failure) {
        let given = try options(pointer, routable_open_options(), "options")
        try check(flags: given.flags | given.reserved, within: 0, "options.flags")
        if given.max_document_bytes > 0 { limit = given.max_document_bytes }
        base = optionalName(given.base)
        openAPI.base = base
        openAPI.limit = limit
        openAPI.uri = optionalName(given.uri) ?? Bytes()
        folder = optionalName(given.folder)
        load = given.load
        loadUserData = given.load_user_data
        if given.document_count != 0 {
            guard let documents = given.documents else { throw .null("options.documents") }
            guard (1...(1 << 16)).contains(given.document_count) else {
                throw Failure(.limit, "at most \(1 << 16) documents are allowed")
            }
            for document in UnsafeBufferPointer(start: documents, count: given.document_count) {
                openAPI.supplied.append(
                    OpenAPIDocument.Supplied(
                        uri: try document.uri.bytes("the URI of a document"), text: try document.json.buffer("a document")))
            }
        }
        if given.overlay_count != 0 {
            guard let overlays = given.overlays else { throw .null("options.overlays") }
            guard (1...(1 << 10)).contains(given.overlay_count) else {
                throw Failure(.limit, "at most \(1 << 10) overlays are allowed")
            }
            for overlay in UnsafeBufferPointer(start: overlays, count: given.overlay_count) {
                openAPI.overlays.append(try overlay.buffer("an overlay"))
            }
        }
        openAPI.selection = try OperationSelection(
            only: Self.names(given.only, given.only_count, "options.only"),
            except: Self.names(given.except, given.except_count, "options.except"))
    }

    /// Names; nil if none are given.
    private static func names(
        _ start: UnsafePointer<routable_str>?, _ count: Int, _ name: StaticString
    ) throws(Failure) -> [Bytes]? {
        if count == 0 { return nil }
        guard let start else { throw .null(name) }
        guard (1...(1 << 20)).contains(count) else {
            throw Failure(.limit, "at most \(1 << 20) operation names are allowed")
        }
        var result: [Bytes] = []
        for each in UnsafeBufferPointer(start: start, count: count) { result.append(try each.bytes(name)) }
        return result
    }

    /// The files that references may lead to.
    mutating func setSource(path: Bytes?) throws(Failure) {
        guard let load else {
            if let path {
                openAPI.source = try DocumentSource.folder(of: path, folder: folder)
            } else if folder != nil {
                throw Failure(.argument, "options.folder requires a document that is opened by its path")
            }
            return
        }
        if folder != nil { throw Failure(.argument, "options.folder and options.load cannot be combined") }
        let user = loadUserData
        openAPI.source = DocumentSource.loader(uri: openAPI.uri.isEmpty ? path ?? Bytes() : openAPI.uri) {
            (uri: Bytes) throws(Failure) -> Bytes? in
            var out = routable_str(ptr: nil, len: 0)
            let text = Text(uri)
            defer { withExtendedLifetime(text) {} }
            let status = load(routable_str(text), &out, user)
            if status != ROUTABLE_OK {
                throw Failure(.callback, "options.load returned the status \(status.rawValue) for \"\(uri.printable)\"")
            }
            return out.ptr == nil ? nil : Bytes(try out.buffer("the document that options.load returns"))
        }
    }

    /// - Parameter name: The name of the file; empty for none.
    func open(_ text: UnsafeRawBufferPointer, name: Bytes = Bytes()) throws(Failure) -> Router {
        guard let yaml = try DescriptionText.yaml(text, name: name, limit: limit) else { return try open(text, nil) }
        return try yaml.json.withBuffer { (json) throws(Failure) in try open(json, yaml.places) }
    }

    private func open(_ text: UnsafeRawBufferPointer, _ places: YAMLPlaces?) throws(Failure) -> Router {
        if OpenAPIDocument.recognises(text) {
            var choices = openAPI
            choices.places = places
            let read = try OpenAPIDocument.read(text, choices)
            return try Router.open(read.description, codec: read.codec)
        }
        do { return try open(try RouteDocument.read(text, limit: limit)) } catch {
            let failure = RouteDocument.locate(error, in: text)
            throw places?.located(failure) ?? failure
        }
    }

    /// Opens the description of a route document or a builder.
    func open(_ description: RouterDescription) throws(Failure) -> Router {
        if !openAPI.overlays.isEmpty {
            throw Failure(.argument, "overlays are for OpenAPI documents, and this is a route document")
        }
        if !openAPI.supplied.isEmpty {
            throw Failure(.argument, "further documents are for OpenAPI documents, and this is a route document")
        }
        var description = try openAPI.selection.narrowed(description)
        if let base { description.base = base }
        return try Router.open(withTypesOf: description)
    }
}

/// The bytes of a file, for the duration of a call.
struct FileBytes: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private let count: Int

    init(_ path: UnsafePointer<CChar>, limit: Int) throws(Failure) {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = csystem_read_file(path, limit, &bytes, &count)
        if result == EFBIG {
            throw Failure(.limit, Self.named(path, "the file is over \(limit) bytes"))
        }
        guard result == 0, let bytes else {
            let reason = Bytes(
                [UInt8](unsafeUninitializedCapacity: 128) { buffer, length in
                    length =
                        buffer.baseAddress.map {
                            csystem_error_text(result, UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self), 128)
                        } ?? 0
                })
            throw Failure(.file, Self.named(path, reason))
        }
        start = bytes
        self.count = count
    }

    /// A message that begins with the name of the file.
    @inline(never)
    static func named(_ path: UnsafePointer<CChar>, _ message: Bytes) -> Bytes {
        "\(Bytes(cString: path).printable): \(message)"
    }

    deinit { csystem_free(start) }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

@_cdecl("routable_router_free") @implementation
public func routable_router_free(_ router: OpaquePointer?) { Handle.free(router, PlannedRouter.self) }

@_cdecl("routable_router_name") @implementation
public func routable_router_name(_ router: OpaquePointer?) -> routable_str {
    router.map { routable_str(Handle.knownRouter($0).name) } ?? .empty
}

@_cdecl("routable_router_base") @implementation
public func routable_router_base(_ router: OpaquePointer?) -> routable_str {
    router.map { routable_str(Handle.knownRouter($0).baseText) } ?? .empty
}

@_cdecl("routable_router_document") @implementation
public func routable_router_document(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        let description = router.description
        try give(description.source?.bytes ?? RouteDocument.write(description), out)
    }
}

@_cdecl("routable_router_map") @implementation
public func routable_router_map(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.router(router).mapText, out)
    }
}

@_cdecl("routable_router_warning_count") @implementation
public func routable_router_warning_count(_ router: OpaquePointer?) -> Int {
    router.map { Handle.knownRouter($0).warningTexts.count } ?? 0
}

@_cdecl("routable_router_warning_at") @implementation
public func routable_router_warning_at(_ router: OpaquePointer?, _ index: Int) -> routable_str {
    guard let texts = router.map({ Handle.knownRouter($0).warningTexts }), texts.indices.contains(index) else {
        return .empty
    }
    return routable_str(texts[index])
}

@_cdecl("routable_router_routes") @implementation
public func routable_router_routes(
    _ router: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.router(router).routesText, out)
    }
}
