// The response of a handler, before it is validated against the description.

public import RoutableCore
internal import RoutableService

/// The response of a handler: `Reply(note, status: 201)`.
///
/// It is validated against the description before it is sent.
public struct Reply: Sendable {
    enum Content: Sendable {
        case none
        /// A value that the encoder of the service writes as JSON.
        case encodable(any Encodable & Sendable)
        case value(Value)
        case bytes(Bytes)
        case file(String)
    }

    /// The HTTP status; nil for the default: the first success that the operation declares, and otherwise 200, or 204 without a
    /// body.
    public var status: Int?
    /// Further headers.
    public var headers: [HeaderField] = []
    /// The media type of the body; nil for the declared one that the request prefers.
    public var contentType: String?
    /// The ETag of the resource, with its quotes.  The response to a request whose If-None-Match contains it is 304.
    public var etag: String?
    /// The header Location; nil for none.
    public var location: String? {
        didSet { called = nil }
    }
    /// The call whose path is the location.
    var called: Call?
    var content = Content.none

    /// Creates a response without a body.
    public init(status: Int? = nil) { self.status = status }

    /// Creates a response whose body is a value as JSON.
    public init(_ value: some Encodable & Sendable, status: Int? = nil, etag: String? = nil) {
        self.init(status: status)
        self.etag = etag
        content = value is NoBody ? .none : .encodable(value)
    }

    /// Creates a response whose body is a JSON value.
    public init(json: Value, status: Int? = nil) {
        self.init(status: status)
        content = .value(json)
    }

    /// Creates a response whose body is sent unchanged.
    public init(bytes: Bytes, contentType: String? = nil, status: Int? = nil) {
        self.init(status: status)
        self.contentType = contentType
        content = .bytes(bytes)
    }

    /// Creates a response whose body is a string.
    public init(text: String, contentType: String = "text/plain; charset=utf-8", status: Int? = nil) {
        self.init(bytes: Bytes(text), contentType: contentType, status: status)
    }

    /// Creates a response whose body is the content of a regular file.  Without a media type, the one for the extension of the file is sent,
    /// if the operation declares it.
    public init(file path: String, contentType: String? = nil, status: Int? = nil) {
        self.init(status: status)
        self.contentType = contentType
        content = .file(path)
    }

    /// Sets the header Location to the path of a request, such as `Social.user("ann").notes("7").read()`.
    public mutating func setLocation<Output>(_ endpoint: Endpoint<Output>) {
        location = nil
        called = endpoint.call
    }

    /// The response to a request.
    ///
    /// - Throws: with an HTTP status, a refusal of the request; without one, an error of the handler.
    func made(for received: RoutableService.Received, _ coders: Coders) throws(Failure) -> RoutableService.Reply {
        var options = ReplyOptions()
        options.headers = headers
        options.contentType = contentType.map { Bytes($0) }
        options.etag = etag.map { Bytes($0) }
        if let location { options.location = .url(Bytes(location)) }
        if let called { options.location = .call(route: called.route, operation: called.operation, ids: called.ids) }
        return try received.reply(Int32(clamping: status ?? 0), try written(coders), options)
    }

    private func written(_ coders: Coders) throws(Failure) -> ReplyContent {
        switch content {
        case .none: .none
        case .encodable(let value): .json(try coders.using { () throws(Failure) in try JSONBody.text(of: value) })
        case .value(let value): .json(try RoutableService.Reply.json(of: value))
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .file(Bytes(path))
        }
    }
}
