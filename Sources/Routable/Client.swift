// Performs requests, and decodes responses as their declared types.

public import Foundation
public import RoutableClient
public import RoutableCore

/// Performs requests over a transport.  A client is a value; its copies share the transport, the credentials of `setCredential`
/// and the function of `observe`.
///
/// Credentials, policies, retries, redirects, pages, streams and events work in the same way over every transport, and as in C
/// and Python.
///
/// The credentials of a client belong to one API: the API of `Client(Social.self)` or, without it, the API of the first request.  A
/// request of another API never receives them: it is sent without a credential if it requires none, and fails otherwise.
///
///     let client = try Client(base: "https://api.example.com/v1")
///     let user = try await client.perform(Social.user("initFabian").read())
public struct Client: Sendable {
    /// The base URL that replaces the base of an API or a route; nil to keep that base.
    public var base: String?
    /// The transport that sends the requests.  Other clients can use the same transport; they share its connections and cookies.
    public let transport: any Transport
    let core: TransportCore
    /// The credential that adds a header to the requests of the client's API that do not have this header.
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
    /// The decoder for the bodies of responses and errors; nil for a decoder that reads dates as ISO 8601.
    ///
    /// A response of this client, also in a `Failure`, keeps the decoder for `decoded(as:)`, `body(as:)` and `misfit(as:)`.
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

    var completePolicy: RequestPolicy {
        var policy = policy
        if policy.deadlineMilliseconds == nil { policy.deadlineMilliseconds = deadline?.milliseconds }
        return policy
    }

    /// A new request, with the header of the credential.
    func prepared(_ convertible: some RequestConvertible) async throws(Failure) -> sending Request {
        let convertible = placed(convertible)
        let request = try coders.using { () throws(Failure) in try convertible.makeRequest(base: base).copy() }
        try await authorize(request, isRequired: convertible.requiresCredential)
        return request
    }

    /// Adds the header of the credential, if the request belongs to the API of the client.
    func authorize(_ request: Request, isRequired: Bool = false) async throws(Failure) {
        policy.bind(to: request)
        let isOwn = try owns(request)
        if isRequired, credential == nil || !isOwn && !request.isElsewhere {
            let reason: Bytes =
                credential == nil ? "the client has none" : "that of the client belongs to another API, or to another base"
            throw Failure(
                .credential, "\(request.method.bytes) \(request.url.bytes.printable) requires a credential, and \(reason)"
            ) {
                $0.operation = request.operation.bytes
                $0.route = request.route.bytes
            }
        }
        guard let credential, isOwn else { return }
        let field = try await credential.header()
        try request.setCredential(field)
    }

    // MARK: Endpoints

    /// Performs the request and decodes the response as the model that the resource declares.
    ///
    /// Other types than models: `NoBody` ignores the body; `Data` and `Bytes` are the body as received, after content decoding;
    /// `String` is the text of the body, or the value of a JSON string.
    ///
    /// - Throws: the errors of `response(to:)`; `response` if the body does not match.
    public func perform<Output: Decodable>(_ endpoint: Endpoint<Output>) async throws(Failure) -> Output {
        let response = try await response(to: endpoint)
        do { return try Answers.decode(Output.self, response) } catch {
            throw error.about(route: endpoint.route, operation: endpoint.operationName)
        }
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

    /// Performs the request and decodes the response as `perform` of an endpoint does.
    // Disfavored, so that the error for another result type names both types.
    @_disfavoredOverload
    public func perform<Called: Route>(_ route: Called) async throws(Failure) -> Called.Response {
        try Answers.decode(Called.Response.self, try await response(to: route))
    }

    /// Performs the request and ignores the response body.
    @_disfavoredOverload
    public func perform<Called: Route>(_ route: Called) async throws(Failure) where Called.Response == NoBody {
        try await response(to: route)
    }
}
