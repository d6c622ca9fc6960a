// A request: complete and visible without being sent.

/// Method, URL, headers and body.  The URL is fixed; headers and body may be edited until it is submitted: a transfer
/// shares what they were then.
///
/// One thread at a time while it is edited.
public final class Request {
    public let plan: Plan
    public let url: SharedText
    /// Where the request goes when a client puts another base in: the plan's path and query, without the base's.
    let path: Bytes
    let query: Bytes
    public private(set) var headers: HeaderBlock
    public private(set) var body: SharedText?

    public var method: Text { plan.method }
    public var route: Text { plan.route }
    public var operation: Text { plan.operation.name }

    init(plan: Plan, url: Bytes, path: Bytes, query: Bytes, headers: [HeaderField], body: Bytes?) {
        self.plan = plan
        self.url = SharedText(url)
        self.path = path
        self.query = query
        self.headers = HeaderBlock(headers)
        self.body = body.map { SharedText($0) }
    }

    public var headerFields: [HeaderField] { headers.fields }

    /// The URL of the same request below another base.
    public func url(below base: Base) -> Bytes { base.url(path: path, query: query) }

    /// Replaces all headers of that name, or adds one.
    public func setHeader(_ name: Bytes, _ value: Bytes) throws(Failure) {
        headers.set(try HeaderField.checked(name, value))
    }

    public func removeHeader(_ name: Bytes) { headers.remove(name) }

    public func removeBody() { body = nil }

    /// Sets the body as it is, and the Content-Type when one is given.
    public func setBody(_ body: Bytes, contentType: Bytes?) throws(Failure) {
        if let contentType { try setHeader("Content-Type", contentType) }
        self.body = SharedText(body)
    }
}
