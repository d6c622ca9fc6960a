// Performs requests, and decodes responses as their declared types.

internal import Foundation
public import RoutableClient
public import RoutableCore

/// Performs requests over a transport.  A value: copies share the transport.
///
/// It is a value above the class that C and Python call too (RoutableClient): the description's auth, rules, retries, redirects,
/// pages, streams and events are the same over any transport.
///
///     let client = try Client(base: "https://api.example.com/v1")
///     let user = try await client.perform(Social.user("initFabian").read())
public struct Client: Sendable {
    /// Instead of the base that an API or a route has.
    public var base: String?
    public let transport: any Transport
    let core: TransportCore
    /// Added to every request that has no such header of its own.
    public var credential: HeaderCredential?
    /// For a whole request; nil for what the transport says.
    public var deadline: Duration?
    /// Overrides of the engine's options and of the operations' rules: retries, redirects, limits.
    public var policy = RequestPolicy()
    /// Functions around each request, the first outermost.  Streams do not run them, and are refused.
    public var middleware: [Middleware] = []

    public init(base: String? = nil, transport: any Transport, credential: HeaderCredential? = nil) {
        self.base = base
        self.transport = transport
        core = TransportCore.over(transport)
        self.credential = credential
    }

    /// With an engine of its own.
    ///
    /// - Throws: `noCurl` when there is no libcurl.
    public init(base: String? = nil, credential: HeaderCredential? = nil) throws(Failure) {
        self.init(base: base, transport: try EngineTransport.make(), credential: credential)
    }

    // MARK: Responses

    /// Performs, and gives the response as it came.
    ///
    /// - Throws: `httpStatus` with the response for a status that is no success; `credential`; what building and
    ///   carrying throw; `cancelled` when the task was.
    @discardableResult
    public func response(to convertible: some RequestConvertible) async throws(Failure) -> Response {
        do {
            return try await perform(try await prepared(convertible))
        } catch {
            if convertible.acceptsEveryStatus, error.status == .httpStatus, let response = error.fields.response { return response }
            throw error
        }
    }

    /// The same client with other overrides.
    ///
    ///     try await client.overriding { $0.retries = 3 }.perform(endpoint)
    public func overriding(_ change: (inout RequestPolicy) -> Void) -> Client {
        var client = self
        change(&client.policy)
        return client
    }

    var completePolicy: RequestPolicy {
        var policy = policy
        if policy.deadlineMilliseconds == nil { policy.deadlineMilliseconds = deadline?.milliseconds }
        return policy
    }

    /// A request of its own, with the header of the credential.
    func prepared(_ convertible: some RequestConvertible) async throws(Failure) -> sending Request {
        let field = try await credential?.header()
        let request = try convertible.makeRequest(base: base).copy()
        try check(convertible, request)
        if let field, !request.isElsewhere, request.headers.value(of: field.name) == nil { try request.setHeader(field.name, field.value) }
        return request
    }

    private func check(_ convertible: some RequestConvertible, _ request: Request) throws(Failure) {
        guard credential == nil, convertible.requiresCredential else { return }
        throw Failure(
            .credential, "\(request.method.bytes) \(request.url.bytes.printable) requires a credential, and the client has none"
        ) {
            $0.operation = request.operation.bytes
            $0.route = request.route.bytes
        }
    }

    // MARK: Endpoints

    /// Performs, and reads the answer as the model that the resource declares.
    public func perform<Output: Decodable>(_ endpoint: Endpoint<Output>) async throws(Failure) -> Output {
        try Answers.decode(Output.self, try await response(to: endpoint))
    }

    public func perform(_ endpoint: Endpoint<Empty>) async throws(Failure) { try await response(to: endpoint) }

    /// Of a resource without a model: the response as it came.
    @discardableResult
    public func perform(_ endpoint: Endpoint<Untyped>) async throws(Failure) -> Response { try await response(to: endpoint) }

    @discardableResult
    public func perform(_ endpoint: Endpoint<[Untyped]>) async throws(Failure) -> Response { try await response(to: endpoint) }

    // MARK: Typed routes

    /// Performs, and reads the answer (statement L7).
    public func perform<Called: Route>(_ route: Called) async throws(Failure) -> Called.Response {
        try Answers.decode(Called.Response.self, try await response(to: route))
    }

    /// The body of the answer is not read (statement L2).
    public func perform<Called: Route>(_ route: Called) async throws(Failure) where Called.Response == Empty {
        try await response(to: route)
    }
}

extension Failure {
    /// The body of the service's response as a model; nil without a response, or where it does not fit.
    public func body<Model: Decodable>(as type: Model.Type) -> Model? {
        guard let response = fields.response, !response.body.isEmpty else { return nil }
        return try? Answers.decode(type, response)
    }
}

extension Response {
    /// The body as a model.
    ///
    /// - Throws: `response` where it does not fit.
    public func decoded<Model: Decodable>(as type: Model.Type) throws(Failure) -> Model { try Answers.decode(type, self) }
}

/// Bodies as models.
enum Answers {
    static func decode<Output: Decodable>(_ type: Output.Type, _ response: Response) throws(Failure) -> Output {
        if response.body.isEmpty {
            if let none = (Output.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output { return none }
            throw Failure(.response, "the service answered \(response.status) with an empty body where \(name(type)) is expected") {
                $0.httpStatus = response.status
                $0.response = response
            }
        }
        if let failure = response.misfit { throw failure }
        do { return try decoder().decode(type, from: Data(response.body.buffer)) } catch {
            throw Failure(.response, "the answer is not \(name(type)): \(Bytes(reason(error)).printable)") {
                $0.httpStatus = response.status
                $0.response = response
                $0.pointer = pointer(error)
            }
        }
    }

    static func decoder() -> JSONDecoder {
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

    private static func reason(_ error: any Error) -> String { context(error)?.debugDescription ?? String(describing: error) }

    /// RFC 6901.
    private static func pointer(_ error: any Error) -> Bytes? {
        guard let path = context(error)?.codingPath else { return nil }
        var pointer = Bytes()
        for key in path { pointer.append("/\(Bytes(key.intValue.map { String($0) } ?? key.stringValue).pointerEscaped)") }
        return pointer
    }
}
