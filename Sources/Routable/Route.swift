// Typed routes: a type for each call that declares the types of its request and response, as in article 002 (docs/statements.md, L).

public import RoutableCore

/// One call of a service.
///
///     struct GetTodo: Route {
///         typealias Response = Todo
///         static let path: RoutePath = "todos/{id}"
///         let todo: Todo
///         var pathParameters: PathParameters { [todo.id] }
///     }
///     let todo = try await client.perform(GetTodo(todo: old))
public protocol Route: RequestConvertible {
    /// The type that is sent as JSON; `NoBody` sends no body.
    associatedtype RequestBody: Encodable & Sendable = NoBody
    /// The type of the response body; `NoBody` ignores the body.
    associatedtype Response: Decodable & Sendable = NoBody

    /// The method.
    static var method: HTTPMethod { get }
    /// The path below the base.  `pathParameters` contains the values of its `{name}` placeholders; the library appends further
    /// values to the path.
    static var path: RoutePath { get }
    /// Whether the route requires a credential.  If it does and the client has none, the call fails before anything is sent.
    static var requiresAuth: Bool { get }
    /// The base URL for clients that have none.
    static var base: String? { get }

    /// The body; nil for no body and no Content-Type.
    var requestBody: RequestBody? { get }
    /// The values of the path.
    var pathParameters: PathParameters { get }
    /// The parameters of the query, for every method.
    var queryParameters: Parameters { get }
    /// The headers of the request.
    var headers: Parameters { get }
}

extension Route {
    /// The type of an absent body, in the spelling of the article: `typealias RequestBody = Empty`.  Only routes see this name, so
    /// `Empty` of Combine keeps its meaning.
    public typealias Empty = NoBody

    /// The default method, GET.
    public static var method: HTTPMethod { .get }
    public static var requiresAuth: Bool { false }
    public static var base: String? { nil }
    public var requestBody: RequestBody? { nil }
    /// No values.
    public var pathParameters: PathParameters { [] }
    public var queryParameters: Parameters { [:] }
    /// No headers.
    public var headers: Parameters { [:] }
    public var requiresCredential: Bool { Self.requiresAuth }

    public func makeRequest(base: String?) throws(Failure) -> Request { try standardRequest(base: base) }

    /// The default implementation of `makeRequest`.  A route with its own implementation can call it:
    ///
    ///     func makeRequest(base: String?) throws(Failure) -> Request {
    ///         let request = try standardRequest(base: base)
    ///         try request.setBody(picture, contentType: "image/png")
    ///         return request
    ///     }
    public func standardRequest(base: String?) throws(Failure) -> Request {
        guard let base = base ?? Self.base else {
            throw Failure(
                .url, "\(Bytes(String(describing: Self.self))) has no base; set one on the client or the route")
        }
        var template = Self.path.template
        let ids: Call.Ids
        switch pathParameters.values {
        case .named(let members): ids = .named(Self.path.interpolated + members)
        case .positional(let values):
            var names = Self.path.openNames
            while names.count < values.count {
                // The names of interpolated values are numbers, so this name is not used.
                let name: Bytes = "more\(names.count)"
                if template.storage.last != UInt8(ascii: "/") && !template.isEmpty {
                    template.append(UInt8(ascii: "/"))
                }
                template.append("{\(name)}")
                names.append(name)
            }
            let interpolated = Self.path.interpolated
            if interpolated.isEmpty {
                ids = .positional(values)
            } else {
                ids = .named(interpolated + zip(names, values).map { Value.Member(name: $0, value: $1) })
            }
        }
        let body = RequestBody.self == NoBody.self ? nil : requestBody
        let tree: Value?
        if let body { tree = try JSONBody.tree(of: body) } else { tree = nil }
        let query = queryParameters.members
        let headers = headers.members
        let route = TemplateRoute(
            base: Bytes(base), method: Bytes(Self.method.rawValue), template: template, encoding: .query,
            declaresBody: body != nil, hasModel: !(Response.self is any RawBody.Type))
        return try route.request {
            $0.ids = ids
            $0.parameters = query.isEmpty ? nil : query
            $0.headers = headers
            if let tree { $0.body = .value(tree) }
        }
    }
}
