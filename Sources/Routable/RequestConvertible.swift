// Types that can be converted to a request: endpoints of a declared API, cases of an enum, typed routes.

internal import Foundation
public import RoutableCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that can be converted to a request.
public protocol RequestConvertible: Sendable {
    /// Makes the complete request without sending it.  `base` replaces the base of the API.
    func makeRequest(base: String?) throws(Failure) -> Request
    /// Whether the client rejects the request before sending if it has no credential.
    var requiresCredential: Bool { get }
    /// Whether a response with any status is a success, as in article 004.
    var acceptsEveryStatus: Bool { get }
}

extension RequestConvertible {
    public var requiresCredential: Bool { false }
    public var acceptsEveryStatus: Bool { false }

    /// The request, with the base of the API or the route.
    public func makeRequest() throws(Failure) -> Request { try makeRequest(base: nil) }

    /// The request as a `URLRequest` of Foundation.
    public func asURLRequest(base: String? = nil) throws(Failure) -> URLRequest {
        try URLRequest(makeRequest(base: base))
    }
}

extension Endpoint: RequestConvertible {
    /// Builds the request in the API of the endpoint.  An endpoint that starts at a resource has no API: use `makeRequest(in:)`.
    public func makeRequest(base: String?) throws(Failure) -> Request {
        guard let api else {
            throw Failure(
                .argument,
                "\(route) \(operationName) does not start at an API: use an accessor of the API, a client of the API, Client(Social.self), or makeRequest(in: Social.self)"
            )
        }
        return try request(in: api, base: base)
    }

    /// Builds the request in an API.
    public func makeRequest<Home: API>(in api: Home.Type, base: String? = nil) throws(Failure) -> Request {
        try request(in: api, base: base)
    }

    private func request(in api: any API.Type, base: String?) throws(Failure) -> Request {
        // The task-local encoder is looked up last, because the lookup is slow.
        if canEncodeAgain, Coders.current.encoder != nil, let again = try encodedAgain() {
            return try again.planned(in: api, base: base)
        }
        return try planned(in: api, base: base)
    }

    private func planned(in api: any API.Type, base: String?) throws(Failure) -> Request {
        let lasting = try OpenedAPIs.lasting(api)
        guard let base else { return try request(of: lasting) }
        return try with { $0.base = Bytes(base) }.request(of: lasting)
    }
}

extension Request {
    /// The request itself; fails if its body is streamed, because it would otherwise be sent without it.
    func inMemory() throws(Failure) -> Request {
        guard let streams, streams.body != nil || streams.target != nil else { return self }
        throw Failure(
            .unsupported,
            "\(method.bytes) \(url.bytes.printable) has a body that is not in memory, which the transports of Swift do not support"
        ) {
            $0.route = route.bytes
            $0.operation = operation.bytes
        }
    }
}

extension URLRequest {
    /// Creates a `URLRequest` with the same method, URL, headers and body.
    public init(_ request: Request) throws(Failure) {
        let request = try request.inMemory()
        let text = request.url.bytes.string
        guard let url = URL(string: text) else {
            throw Failure(.url, "Foundation rejects the URL \(request.url.bytes.printable)")
        }
        self.init(url: url)
        httpMethod = request.method.bytes.string
        for field in request.headerFields { addValue(field.value.string, forHTTPHeaderField: field.name.string) }
        if let body = request.body { httpBody = Data(body.buffer) }
    }
}

extension API {
    /// The router of the declaration, which is opened once: from the document of the API if there is one, otherwise from its
    /// resources and operations.
    public static func opened() throws(Failure) -> Router { try OpenedAPIs.planned(Self.self).router }
}
