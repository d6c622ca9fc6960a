// Performs requests, and decodes responses as their declared types.

public import Foundation
public import RoutableClient
public import RoutableCore

/// Performs requests over a transport.  A client is a value; its copies share the transport.
///
/// Credentials, policies, retries, redirects, pages, streams and events work in the same way over every transport, and as in C
/// and Python.
///
///     let client = try Client(base: "https://api.example.com/v1")
///     let user = try await client.perform(Social.user("initFabian").read())
public struct Client: Sendable {
    /// The base URL that replaces the base of an API or a route; nil to keep that base.
    public var base: String?
    /// The transport that sends the requests.
    public let transport: any Transport
    let core: TransportCore
    /// The credential that adds a header to every request without this header.
    public var credential: HeaderCredential?
    /// The API of endpoints that begin at a resource.
    var home: Home?
    /// The deadline of a request with all its attempts; nil for the deadline of the transport.
    public var deadline: Duration?
    /// The retries, redirects and limits that override the options of the transport and the policies of the operations.
    public var policy = RequestPolicy()
    /// The encoder for the bodies of requests; nil for an encoder that sorts the keys and writes dates as ISO 8601.
    ///
    /// An endpoint encodes its body when it is made.  If the body is `Sendable`, the client encodes it again with
    /// this encoder.
    public var encoder: JSONEncoder?
    /// The decoder for the bodies of responses; nil for a decoder that reads dates as ISO 8601.
    public var decoder: JSONDecoder?
    /// The functions around each request.  The first function is the outermost.
    public var middleware: [Middleware] = []

    /// Creates a client over a transport.
    public init(base: String? = nil, transport: any Transport, credential: HeaderCredential? = nil) {
        self.base = base
        self.transport = transport
        core = TransportCore.over(transport)
        self.credential = credential
    }

    /// Creates a client with its own `EngineTransport`.
    ///
    /// - Throws: `noCurl` if libcurl is not installed or is too old.
    public init(base: String? = nil, credential: HeaderCredential? = nil) throws(Failure) {
        self.init(base: base, transport: try EngineTransport.make(), credential: credential)
    }

    // MARK: Responses

    /// Performs the request and returns the response.
    ///
    /// - Throws: `httpStatus`, with the response, for a status that is not a success; `credential`; the errors of the request
    ///   and of the transport; `cancelled` if the task was cancelled.
    @discardableResult
    public func response(to convertible: some RequestConvertible) async throws(Failure) -> Response {
        do {
            return try await carry(try await prepared(convertible))
        } catch {
            if convertible.acceptsEveryStatus, error.status == .httpStatus, let response = error.fields.response {
                return response
            }
            throw error
        }
    }

    /// A copy of the client with other overrides.
    ///
    ///     try await client.overriding { $0.retries = 3 }.perform(endpoint)
    public func overriding(_ change: (inout RequestPolicy) -> Void) -> Client {
        var client = self
        change(&client.policy)
        return client
    }

    var coders: Coders { Coders(encoder: encoder, decoder: decoder) }

    func decode<Output: Decodable>(_ type: Output.Type, _ response: Response) throws(Failure) -> Output {
        try coders.using { () throws(Failure) in try Answers.decode(type, response) }
    }

    var completePolicy: RequestPolicy {
        var policy = policy
        if policy.deadlineMilliseconds == nil { policy.deadlineMilliseconds = deadline?.milliseconds }
        return policy
    }

    /// A request of its own, with the header of the credential.
    func prepared(_ convertible: some RequestConvertible) async throws(Failure) -> sending Request {
        let field = try await credential?.header()
        let convertible = placed(convertible)
        let request = try coders.using { () throws(Failure) in try convertible.makeRequest(base: base).copy() }
        try check(convertible, request)
        if let field, !request.isElsewhere, request.headers.value(of: field.name) == nil {
            try request.setHeader(field.name, field.value)
        }
        return request
    }

    private func check(_ convertible: some RequestConvertible, _ request: Request) throws(Failure) {
        guard credential == nil, convertible.requiresCredential else { return }
        throw Failure(
            .credential,
            "\(request.method.bytes) \(request.url.bytes.printable) requires a credential, and the client has none"
        ) {
            $0.operation = request.operation.bytes
            $0.route = request.route.bytes
        }
    }

    // MARK: Endpoints

    /// Performs the request and decodes the response as the model that the resource declares.
    public func perform<Output: Decodable>(_ endpoint: Endpoint<Output>) async throws(Failure) -> Output {
        try decode(Output.self, try await response(to: endpoint))
    }

    /// Performs the request and ignores the response body.
    public func perform(_ endpoint: Endpoint<NoBody>) async throws(Failure) { try await response(to: endpoint) }

    /// Performs the request of a resource without a model and returns the response.
    @discardableResult
    public func perform(_ endpoint: Endpoint<Untyped>) async throws(Failure) -> Response {
        try await response(to: endpoint)
    }

    /// Performs the request of a list without a model and returns the response.
    @discardableResult
    public func perform(_ endpoint: Endpoint<[Untyped]>) async throws(Failure) -> Response {
        try await response(to: endpoint)
    }

    // MARK: Typed routes

    /// Performs the request and decodes the response (statement L7).
    // Disfavored, so that the error for another result type names both types.
    @_disfavoredOverload
    public func perform<Called: Route>(_ route: Called) async throws(Failure) -> Called.Response {
        try decode(Called.Response.self, try await response(to: route))
    }

    /// Performs the request and ignores the response body (statement L2).
    @_disfavoredOverload
    public func perform<Called: Route>(_ route: Called) async throws(Failure) where Called.Response == NoBody {
        try await response(to: route)
    }
}

extension Failure {
    /// The body of the response as a model; nil if there is no response, or if the body does not match.
    public func body<Model: Decodable>(as type: Model.Type) -> Model? {
        guard let response = fields.response, !response.body.isEmpty else { return nil }
        return try? Answers.decode(type, response)
    }
}

extension Failure {
    /// The reason why the body of the response does not match a model; nil if it matches, or if there is no response.
    public func misfit<Model: Decodable>(as type: Model.Type) -> String? {
        guard let response = fields.response else { return nil }
        do throws(Failure) {
            _ = try Answers.decode(type, response)
            return nil
        } catch {
            return error.message.string
        }
    }
}

extension Response {
    /// The body as a model.
    ///
    /// - Throws: `response` if the body does not match.
    public func decoded<Model: Decodable>(as type: Model.Type) throws(Failure) -> Model {
        try Answers.decode(type, self)
    }
}

/// Bodies as models.
enum Answers {
    static func decode<Output: Decodable>(_ type: Output.Type, _ response: Response) throws(Failure) -> Output {
        if response.body.isEmpty {
            if let none = (Output.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output {
                return none
            }
            throw Failure(
                .response, "the service responded with \(response.status) and an empty body; \(name(type)) is expected"
            ) {
                $0.httpStatus = response.status
                $0.response = response
            }
        }
        if let failure = response.misfit { throw failure }
        do { return try decoder().decode(type, from: Data(response.body.buffer)) } catch {
            throw Failure(.response, "the response is not \(name(type)): \(Bytes(reason(error)).printable)") {
                $0.httpStatus = response.status
                $0.response = response
                $0.pointer = pointer(error)
            }
        }
    }

    /// One item of a response.
    static func decode<Output: Decodable>(_ type: Output.Type, json: [UInt8]) throws(Failure) -> Output {
        do { return try decoder().decode(type, from: Data(json)) } catch {
            throw Failure(.response, "an item of the response is not \(name(type)): \(Bytes(reason(error)).printable)") {
                $0.pointer = pointer(error)
            }
        }
    }

    static func decoder() -> JSONDecoder {
        if let own = Coders.current.decoder { return own }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private static func name(_ type: Any.Type) -> Bytes { Bytes(String(describing: type)) }

    private static func context(_ error: any Error) -> DecodingError.Context? {
        switch error as? DecodingError {
        case .keyNotFound(_, let context)?, .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
            .dataCorrupted(let context)?:
            context
        default: nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        context(error)?.debugDescription ?? String(describing: error)
    }

    /// RFC 6901.
    private static func pointer(_ error: any Error) -> Bytes? {
        guard let path = context(error)?.codingPath else { return nil }
        var pointer = Bytes()
        for key in path {
            pointer.append("/\(Bytes(key.intValue.map { String($0) } ?? key.stringValue).pointerEscaped)")
        }
        return pointer
    }
}
