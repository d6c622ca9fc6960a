// A request to be sent.  The result is an Answer of the core: the headers of the last response as received, and the decoded
// body.

package import RoutableCore

/// A complete request, ready to be sent; it is checked again before it is sent.  Copies share their content until one of them is
/// changed, because each transfer copies the exchange several times.
package struct Exchange: Sendable {
    // Changed only while a single value refers to it.
    private final class Content: SentContent, @unchecked Sendable {
        var method: Bytes
        var url: Text
        var headers: HeaderBlock
        var body: Text?
        var secretHeaders: [Bytes]
        var upload: Upload?
        var streams: TransferStreams?
        var isAuthorized = false
        var isSigned = false
        var rejectedBy: [Rejections] = []
        var keepsRedirects = false
        var digest: DigestLogin?
        var shownURL: Text?
        var isWritten = false
        var isRepeatable = false
        var hasBuiltAccept = false
        var plan: Plan?
        var basePath: Bytes?

        init(_ method: Bytes, _ url: Text, _ headers: HeaderBlock, _ body: Text?, _ secretHeaders: [Bytes]) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.secretHeaders = secretHeaders
            super.init()
        }

        override func secrets() -> [Bytes] {
            var secrets: [Bytes] = []
            Self.addValues(of: headers, secretHeaders, to: &secrets)
            // Keys are appended to the URL.
            if let shownURL, shownURL.count < url.count {
                Self.addValues(
                    of: Bytes(UnsafeRawBufferPointer(rebasing: url.buffer[(shownURL.count &+ 1)...])), named: nil, to: &secrets)
            }
            return secrets
        }

        func copy() -> Content {
            let copy = Content(method, url, headers, body, secretHeaders)
            copy.upload = upload
            copy.streams = streams
            copy.isAuthorized = isAuthorized
            copy.isSigned = isSigned
            copy.rejectedBy = rejectedBy
            copy.keepsRedirects = keepsRedirects
            copy.digest = digest
            copy.shownURL = shownURL
            copy.isWritten = isWritten
            copy.isRepeatable = isRepeatable
            copy.hasBuiltAccept = hasBuiltAccept
            copy.plan = plan
            copy.basePath = basePath
            return copy
        }
    }

    private var content: Content

    /// For the answer.
    var sent: SentContent { content }

    private mutating func own() -> Content {
        if !isKnownUniquelyReferenced(&content) { content = content.copy() }
        return content
    }

    /// The method as it is sent; case-sensitive (statement A8).
    package var method: Bytes {
        get { content.method }
        set { own().method = newValue }
    }
    /// An absolute URL, http or https.
    package var url: Text {
        get { content.url }
        set { own().url = newValue }
    }
    package var headers: HeaderBlock {
        get { content.headers }
        set { own().headers = newValue }
    }
    /// nil and empty differ: an empty body is sent with `Content-Length: 0`.
    package var body: Text? {
        get { content.body }
        set { own().body = newValue }
    }
    /// The names of further headers that are secret, and must not be sent to another origin after a redirect.
    package var secretHeaders: [Bytes] {
        get { content.secretHeaders }
        set { own().secretHeaders = newValue }
    }
    /// A body that is not in memory; then `body` is nil.
    var upload: Upload? {
        get { content.upload }
        set { own().upload = newValue }
    }
    /// The other streams of the transfer; nil for most transfers.
    var streams: TransferStreams? {
        get { content.streams }
        set { own().streams = newValue }
    }
    /// Whether the request contains credentials of the client: if they are rejected, it is sent again with newer ones.
    var isAuthorized: Bool {
        get { content.isAuthorized }
        set { own().isAuthorized = newValue }
    }
    /// Whether a function of the program signed the request: the signature is valid only for this URL.
    var isSigned: Bool {
        get { content.isSigned }
        set { own().isSigned = newValue }
    }
    /// Whether a redirect is the result, because the operation declares no other success.
    package var keepsRedirects: Bool {
        get { content.keepsRedirects }
        set { own().keepsRedirects = newValue }
    }
    /// The user and the password with which libcurl responds to a Digest challenge; nil for none.
    var digest: DigestLogin? {
        get { content.digest }
        set { own().digest = newValue }
    }
    /// The responses that reject its credentials; empty for the usual one, 401.
    var rejectedBy: [Rejections] {
        get { content.rejectedBy }
        set { own().rejectedBy = newValue }
    }
    /// Whether a response with this status may reject its credentials.
    func isRejected(_ status: Int32) -> Bool {
        content.rejectedBy.isEmpty ? status == 401 : content.rejectedBy.contains { $0.concerns(status) }
    }
    /// The URL without a secret, if the URL contains one.
    var shownURL: Text? {
        get { content.shownURL }
        set { own().shownURL = newValue }
    }

    /// Whether the header Accept is the declared one of the operation, and not set by the caller.
    var hasBuiltAccept: Bool {
        get { content.hasBuiltAccept }
        set { own().hasBuiltAccept = newValue }
    }
    /// The operation, for a transport.
    package var plan: Plan? {
        get { content.plan }
        set { own().plan = newValue }
    }

    /// The path in front of the paths of the API, for a tape; nil if it is not known.
    package var basePath: Bytes? {
        get { content.basePath }
        set { own().basePath = newValue }
    }

    /// Whether a service can recognize a repetition of the request, by its idempotency key.
    var isRepeatable: Bool { content.isRepeatable }

    /// A placeholder.
    static let nothing = Exchange(method: Bytes(), url: .empty, headers: HeaderBlock(), body: nil)

    package init(
        method: Bytes, url: Bytes, headers: [HeaderField] = [], body: Bytes? = nil, secretHeaders: [Bytes] = []
    ) {
        self.init(
            method: method, url: Text(url), headers: HeaderBlock(headers), body: body.map { Text($0) },
            secretHeaders: secretHeaders)
    }

    package init(
        method: Bytes, url: Text, headers: HeaderBlock, body: Text?, secretHeaders: [Bytes] = []
    ) {
        content = Content(method, url, headers, body, secretHeaders)
    }

    /// The exchange of a request that the core built: its method and URL are valid.
    ///
    /// - Parameter idempotencyHeader: the name of the header for the idempotency key, instead of the one in the description.
    package init(written request: Request, url: Text, idempotencyHeader: Bytes? = nil) {
        self.init(
            method: request.plan.operation.description.method, url: url, headers: request.headers, body: request.body,
            secretHeaders: request.secretHeaders)
        content.isWritten = !request.isFollowed  // the content is new, so that no other value refers to it
        content.hasBuiltAccept = !request.hasOwnAccept && request.plan.accept != nil
        if let name = idempotencyHeader ?? request.plan.operation.rules?.keyHeader?.bytes, !name.isEmpty { identify(name) }
        if let streams = request.streams { attach(streams, receiver: nil) }
    }

    /// Adds the same key to all attempts: the key in the request, or a random UUID (RFC 9562 section 5.4).
    private mutating func identify(_ name: Bytes) {
        content.isRepeatable = true  // the content is new, so that no other value refers to it
        if headers.value(of: name) != nil { return }
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(3 << 62) | 1 << 63
        var key = Bytes()
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { key.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 &- 4 &* (place & 15))) & 15
            key.append(digit < 10 ? 0x30 &+ digit : 0x57 &+ digit)
        }
        headers.set(HeaderField(name, key))
    }

    /// Sets the receiver of the body.
    package mutating func receive(by receiver: Receiver) {
        if hasBuiltAccept, let index = headers.index(of: "accept"), !receiver.isAsked(by: headers.value(index)) {
            headers.remove("Accept")
            hasBuiltAccept = false
        }
        attach(RequestStreams(body: upload?.body, progress: streams?.progress), receiver: receiver)
    }

    private mutating func attach(_ streams: RequestStreams, receiver: Receiver?) {
        let transferStreams = TransferStreams(
            receiver: receiver ?? streams.target.map { Receiver.make($0) }, progress: streams.progress)
        self.streams = transferStreams
        upload = streams.body.map { Upload($0, transferStreams) }
    }

    /// Whether the request has a body, possibly an empty one.
    var hasBody: Bool { body != nil || upload != nil }

    /// Whether the streams allow sending the request again.
    var canRepeat: Bool { (upload?.canRepeat ?? true) && (streams?.receiver?.mayRepeat ?? true) }

    /// The maximum length of a string that libcurl accepts.
    private static let urlBytes = min(Limits.urlBytes, 8_000_000)

    /// Rejects a request that must not be sent.
    @inline(never)
    func check() throws(Failure) {
        // The core has already checked a method and a URL that it wrote.
        if !content.isWritten { try checkPlace() }
        if url.buffer.first == UInt8(ascii: "/") {
            throw Failure(
                .url, "the URL has no host: set a base with a host on the client or in the call")
        }
        if url.count > Self.urlBytes { throw Failure(.limit, "the URL is over \(Self.urlBytes) bytes") }
        if hasBody && method.equals("HEAD") { throw Failure(.body, "a HEAD request cannot have a body") }
        for index in 0..<headers.count { try check(headers.name(index), headers.value(index)) }
    }

    private func checkPlace() throws(Failure) {
        guard !method.isEmpty, method.storage.allSatisfy(ASCII.isToken) else {
            throw Failure(.argument, "the method \"\(method.printable)\" is not a valid HTTP token")
        }
        if url.count > Self.urlBytes { return }  // the caller rejects it for its length
        guard Origin.isValid(url) else {
            // The URL may contain a secret: the message does not quote it.
            throw Failure(
                .url,
                "the URL must be http or https, with a host, and without credentials and control characters")
        }
    }

    private func check(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(Failure) {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken), HeaderField.isValidValue(value),
            value.count <= Limits.valueBytes
        else {
            // Throws an error with the reason.
            _ = try HeaderField.checked(Bytes(name), Bytes(value))
            return
        }
        if name.isName("transfer-encoding") {
            throw Failure(.header, "only the client can set the header Transfer-Encoding") { $0.parameter = Bytes(name) }
        }
        // With a wrong length, a service could take a part of the body for a second request.
        if name.isName("content-length"), upload != nil {
            throw Failure(.header, "only the client can set the header Content-Length of a body that is read while it is sent")
            {
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
