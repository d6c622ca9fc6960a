// What is sent.  What comes back is the core's Answer: its headers are those of the last response as on the wire, its
// body is decoded.

public import RoutableCore

/// A request as it goes out: complete, and checked once more before it does.
public struct Exchange: Sendable {
    /// As it is sent; case counts (BEHAVIOUR A8).
    public var method: Bytes
    /// Absolute, http or https.
    public var url: Bytes
    public var headers: [HeaderField]
    /// nil and empty differ: an empty one is announced as `Content-Length: 0`.
    public var body: Bytes?
    /// Names of headers, beyond those that are always secret, that no other origin may see after a redirect.
    public var secretHeaders: [Bytes]

    public init(
        method: Bytes, url: Bytes, headers: [HeaderField] = [], body: Bytes? = nil, secretHeaders: [Bytes] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.secretHeaders = secretHeaders
    }

    /// libcurl takes no longer text.
    private static let urlBytes = min(Limits.urlBytes, 8_000_000)

    /// Refuses what must not reach the wire.
    func check() throws(Failure) {
        guard !method.isEmpty, method.storage.allSatisfy(ASCII.isToken) else {
            throw Failure(.argument, "the method \"\(method.printable)\" is not a token of HTTP")
        }
        if url.count > Self.urlBytes { throw Failure(.limit, "the URL is over \(Self.urlBytes) bytes") }
        guard Origin.isValid(url) else {
            // The URL may hold a secret: it is not quoted.
            throw Failure(
                .url,
                "the URL is refused: http or https, a host without credentials, and no control bytes are expected")
        }
        if body != nil && method.equals("HEAD") { throw Failure(.body, "a HEAD request has no body") }
        for header in headers { try check(header) }
    }

    private func check(_ header: HeaderField) throws(Failure) {
        guard HeaderField.isValidName(header.name), HeaderField.isValidValue(header.value),
            header.value.count <= Limits.valueBytes
        else {
            // It throws, and says which of the three it was.
            _ = try HeaderField.checked(header.name, header.value)
            return
        }
        if header.name.isName("transfer-encoding") {
            throw Failure(.header, "the header Transfer-Encoding is the client's to set") { $0.parameter = header.name }
        }
        // Another length than the body's would let the body pass as a second request.
        if header.name.isName("content-length"), header.value != "\(body?.count ?? 0)" {
            throw Failure(.header, "the header Content-Length differs from the length of the body") {
                $0.parameter = header.name
            }
        }
    }
}
