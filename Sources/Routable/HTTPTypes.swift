// Conversions to and from the requests of swift-http-types, enabled by the trait HTTPTypes.

#if HTTPTypes
public import HTTPTypes
public import RoutableCore

extension HTTPRequest {
    /// Creates an `HTTPRequest` with the same method, URL and headers.  An `HTTPRequest` has no body.
    public init(_ request: Request) throws(Failure) {
        let method = request.method.bytes
        guard let token = Method(rawValue: method.string) else {
            throw Failure(.argument, "HTTPTypes rejects the method \(method.printable)")
        }
        // The core always writes URLs in the form https://host/path.
        let url = request.url.bytes.string
        guard let separator = url.firstRange(of: "://") else {
            throw Failure(.url, "HTTPTypes rejects the URL \(request.url.bytes.printable)")
        }
        let rest = url[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var path = String(rest[end...])
        if !path.hasPrefix("/") { path = "/" + path }
        self.init(
            method: token, scheme: String(url[..<separator.lowerBound]), authority: String(rest[..<end]), path: path)
        for field in request.headerFields {
            guard let name = HTTPField.Name(field.name.string) else {
                throw Failure(.header, "HTTPTypes rejects the header name \(field.name.printable)")
            }
            headerFields.append(HTTPField(name: name, value: field.value.string))
        }
    }
}

extension RequestConvertible {
    /// The request as an `HTTPRequest` of swift-http-types, and its body.
    public func asHTTPRequest(base: String? = nil) throws(Failure) -> (request: HTTPRequest, body: [UInt8]?) {
        let request = try makeRequest(base: base).inMemory()
        return (try HTTPRequest(request), request.body?.bytes.storage)
    }
}

extension Answer {
    /// Creates a response from an `HTTPResponse`, for a transport over a client that uses HTTPTypes.
    public init(_ response: HTTPResponse, body: [UInt8], url: String = "") {
        self.init(
            status: Int32(truncatingIfNeeded: response.status.code),
            headers: response.headerFields.map { HeaderField(Bytes($0.name.rawName), Bytes($0.value)) },
            body: Bytes(body),
            url: Bytes(url))
    }
}
#endif
