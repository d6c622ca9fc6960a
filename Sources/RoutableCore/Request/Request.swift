// A request that can be inspected without being sent.

/// A request: method, URL, headers and body.  The URL is fixed; headers and body may be edited.  A transfer uses the headers
/// and the body that the request had when it was submitted.  Only one thread at a time may edit a request.
public final class Request {
    /// The route and the operation, resolved.
    public let plan: Plan
    /// The absolute URL.
    public let url: Text
    /// Whether the URL comes from a response and not from the plan.
    public let isFollowed: Bool
    /// Whether the URL has another origin than the API; such a request is sent without credentials.
    public let isElsewhere: Bool
    // The offsets of the plan's path and query in the URL, after those of the base.
    private let pathStart: Int
    private let pathCount: Int
    let queryCount: Int
    /// The headers, in order.
    public private(set) var headers: HeaderBlock
    /// The body in memory; nil for none, which differs from an empty one.
    // Not `Text?`, which would be set to nil before an initializer sets it, at the cost of an exclusive access check.
    public private(set) var body: Optional<Text>
    /// Names of headers whose values are secret, in addition to those of the schemes of the description.
    package var secretHeaders: [Bytes] = []
    /// Whether the caller set or removed the header Accept.
    package private(set) var hasOwnAccept: Bool
    /// The body, the target and the progress function that are not in memory; nil for most requests.
    package private(set) var streams: RequestStreams?

    /// The method.
    public var method: Text { plan.method }
    /// The dotted route; empty for a standalone operation.
    public var route: Text { plan.route }
    /// The name of the operation.
    public var operation: Text { plan.operation.name }

    init(
        plan: Plan, url: Bytes, pathStart: Int, pathCount: Int, queryCount: Int, headers: HeaderBlock, body: Bytes?,
        hasOwnAccept: Bool
    ) {
        self.plan = plan
        self.url = Text(url)
        self.pathStart = pathStart
        self.pathCount = pathCount
        self.queryCount = queryCount
        self.headers = headers
        self.hasOwnAccept = hasOwnAccept
        self.body = body.map { Text($0) }
        isFollowed = false
        isElsewhere = false
    }

    /// Creates a request whose URL has only ids and the base's query after its path.
    init(_ plan: Plan, _ url: Text, pathStart: Int, suffixCount: Int, headers: HeaderBlock, body: Text?) {
        self.plan = plan
        self.url = url
        self.pathStart = pathStart
        pathCount = url.count &- suffixCount &- pathStart
        queryCount = 0
        self.headers = headers
        self.body = body
        hasOwnAccept = false
        isFollowed = false
        isElsewhere = false
    }

    /// Copies a request with another URL: one of the plan, with a query of this length in bytes, or one from a response.
    init(_ other: Request, _ url: Text, queryCount: Int, isFollowed: Bool, isElsewhere: Bool) {
        plan = other.plan
        self.url = url
        pathStart = other.pathStart
        pathCount = other.pathCount
        self.queryCount = queryCount
        headers = other.headers
        body = other.body
        streams = other.streams
        secretHeaders = other.secretHeaders
        hasOwnAccept = other.hasOwnAccept
        self.isFollowed = isFollowed
        self.isElsewhere = isElsewhere
        if isElsewhere { removeSecrets() }
    }

    private func removeSecrets() {
        let schemes = plan.router.description.authSchemes
        var names = secretHeaders
        for index in schemes.indices { names.append(schemes[index].parameter) }
        headers.removeSecrets(names)
    }

    /// The path of the plan, without that of the base.
    package var path: Bytes { part(pathStart, pathCount) }

    /// The query of the plan and the undeclared parameters, without the query of the base.
    package var query: Bytes { part(url.count &- queryCount, queryCount) }

    private func part(_ start: Int, _ count: Int) -> Bytes {
        // proof: both initializers measure parts of this URL.
        guard start >= 0, count >= 0, count <= url.count &- start else { return Bytes() }
        return Bytes(UnsafeRawBufferPointer(rebasing: url.buffer[start..<(start &+ count)]))
    }

    /// Whether there is a body, in memory or not.
    public var hasBody: Bool { body != nil || streams?.body != nil }

    /// The headers as names and values.
    public var headerFields: [HeaderField] { headers.fields }

    /// The URL of the request with another base.
    package func url(below base: Base) -> Bytes { isFollowed ? url.bytes : base.url(path: path, query: query) }

    /// Replaces all headers with this name, or adds one.
    package func setHeader(_ name: Bytes, _ value: Bytes) throws(Failure) {
        let field = try HeaderField.checked(name, value)
        if headers.count >= Limits.headerFields, headers.value(of: name) == nil {
            throw Request.tooManyHeaders
        }
        if name.isName("accept") { hasOwnAccept = true }
        headers.set(field)
    }

    static var tooManyHeaders: Failure {
        @inline(never) get { Failure(.limit, "a request can have at most \(Limits.headerFields) header fields") }
    }

    /// Removes all headers with this name.
    package func removeHeader(_ name: Bytes) {
        if name.isName("accept") { hasOwnAccept = true }
        headers.remove(name)
    }

    /// Removes the body, if any, but not the Content-Type header.
    public func removeBody() {
        body = nil
        streams?.body = nil
    }

    /// Sets the body, which is sent unchanged.  If `contentType` is nil, the Content-Type header does not change.
    package func setBody(_ body: Bytes, contentType: Bytes?) throws(Failure) {
        try setBody(text: Text(body), contentType: contentType)
    }

    package func setBody(text body: Text, contentType: Bytes?) throws(Failure) {
        if let contentType { try setHeader("Content-Type", contentType) }
        self.body = body
        streams?.body = nil
    }

    /// Sets a body that is read while it is sent.
    package func setBody(_ body: StreamedBody, contentType: Bytes?) throws(Failure) {
        if let contentType { try setHeader("Content-Type", contentType) }
        self.body = nil
        ownStreams { $0.body = body }
    }

    /// Sets a file as the body.  If `contentType` is nil and the request has no Content-Type header, the extension of the file
    /// determines the media type.
    package func setBody(file: Bytes, contentType: Bytes?) throws(Failure) {
        let type = contentType ?? (headers.index(of: "content-type") == nil ? MediaType.of(file: file) : nil)
        try setBody(StreamedBody([StreamedBody.Piece(file: file)]), contentType: type)
    }

    /// Sets a body of parts, in memory or streamed.
    package func setBody(_ body: Multipart.Written) throws(Failure) {
        if let streamed = body.streamed { return try setBody(streamed, contentType: body.contentType) }
        try setBody(body.bytes ?? Bytes(), contentType: body.contentType)
    }

    /// Sets the destination of the body of a success; nil for memory.
    package func setTarget(_ target: BodyTarget?) { ownStreams { $0.target = target } }

    package func setProgress(_ progress: ProgressFunction?) { ownStreams { $0.progress = progress } }

    private func ownStreams(_ change: (inout RequestStreams) -> Void) {
        var streams = streams ?? RequestStreams()
        change(&streams)
        self.streams = streams
    }
}
