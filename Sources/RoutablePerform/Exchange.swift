// What is sent.  What comes back is the core's Answer: its headers are those of the last response as on the wire, its
// body is decoded.

public import RoutableCore

/// A request as it goes out: complete, and checked once more before it does.
public struct Exchange: Sendable {
    /// As it is sent; case counts (BEHAVIOUR A8).
    public var method: Bytes
    /// Absolute, http or https.
    public var url: SharedText
    public var headers: HeaderBlock
    /// nil and empty differ: an empty one is announced as `Content-Length: 0`.
    public var body: SharedText?
    /// Names of headers, beyond those that are always secret, that no other origin may see after a redirect.
    public var secretHeaders: [Bytes]
    /// A body that is not in memory; then `body` is nil.
    var upload: Upload?
    /// What else the transfer moves; nil for most.
    var flow: Flow?
    /// Credentials of the client were put in: who refuses them is asked again with newer ones.
    var isAuthorized = false
    /// A function of the host signed it: it is good for this URL alone.
    var isSigned = false
    /// The URL without a secret, where there is one in it.
    var shownURL: SharedText?
    /// Method and URL were written and checked by the core.
    private var isWritten = false

    public init(
        method: Bytes, url: Bytes, headers: [HeaderField] = [], body: Bytes? = nil, secretHeaders: [Bytes] = []
    ) {
        self.init(
            method: method, url: SharedText(url), headers: HeaderBlock(headers), body: body.map { SharedText($0) },
            secretHeaders: secretHeaders)
    }

    public init(
        method: Bytes, url: SharedText, headers: HeaderBlock, body: SharedText?, secretHeaders: [Bytes] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.secretHeaders = secretHeaders
    }

    /// An exchange of a request that the core built, whose method and URL can be nothing else than what they should.
    public init(written request: Request, url: SharedText) {
        self.init(
            method: request.plan.operation.description.method, url: url, headers: request.headers, body: request.body)
        isWritten = true
        if let streams = request.streams { attach(streams, receiver: nil) }
    }

    /// The body goes there, piece by piece.
    public mutating func receive(by receiver: Receiver) {
        attach(RequestStreams(body: upload?.body, progress: flow?.progress), receiver: receiver)
    }

    private mutating func attach(_ streams: RequestStreams, receiver: Receiver?) {
        let flow = Flow(receiver: receiver ?? streams.target.map { Receiver.make($0) }, progress: streams.progress)
        self.flow = flow
        upload = streams.body.map { Upload($0, flow) }
    }

    /// Whether a body is announced.
    var hasBody: Bool { body != nil || upload != nil }

    /// Whether it may be sent once more, as far as what it moves goes.
    var canRepeat: Bool { (upload?.canRepeat ?? true) && (flow?.receiver?.mayRepeat ?? true) }

    /// libcurl takes no longer text.
    private static let urlBytes = min(Limits.urlBytes, 8_000_000)

    /// Refuses what must not reach the wire.
    func check() throws(Failure) {
        if !isWritten { try checkPlace() }
        if url.count > Self.urlBytes { throw Failure(.limit, "the URL is over \(Self.urlBytes) bytes") }
        if hasBody && method.equals("HEAD") { throw Failure(.body, "a HEAD request has no body") }
        for index in 0..<headers.count { try check(headers.name(index), headers.value(index)) }
    }

    private func checkPlace() throws(Failure) {
        guard !method.isEmpty, method.storage.allSatisfy(ASCII.isToken) else {
            throw Failure(.argument, "the method \"\(method.printable)\" is not a token of HTTP")
        }
        if url.count > Self.urlBytes { return }  // refused for that
        guard Origin.isValid(url) else {
            // The URL may hold a secret: it is not quoted.
            throw Failure(
                .url,
                "the URL is refused: http or https, a host without credentials, and no control bytes are expected")
        }
    }

    private func check(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken), HeaderField.isValidValue(value),
            value.count <= Limits.valueBytes
        else {
            // It throws, and says which it was.
            _ = try HeaderField.checked(Bytes(name), Bytes(value))
            return
        }
        if name.isName("transfer-encoding") {
            throw Failure(.header, "the header Transfer-Encoding is the client's to set") { $0.parameter = Bytes(name) }
        }
        // Another length than the body's would let the body pass as a second request.
        if name.isName("content-length"), upload != nil {
            throw Failure(.header, "the header Content-Length is the client's to set, of a body that is read while it is sent") {
                $0.parameter = Bytes(name)
            }
        }
        if name.isName("content-length"), Bytes(value) != "\(body?.count ?? 0)" {
            throw Failure(.header, "the header Content-Length differs from the length of the body") {
                $0.parameter = Bytes(name)
            }
        }
    }
}
