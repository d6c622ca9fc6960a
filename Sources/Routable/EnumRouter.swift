// Routers that are enums: one case for each call, as in article 001 (docs/statements.md, E).

public import RoutableCore

/// The location and the encoding of parameters.
public enum ParameterEncoding: Sendable {
    /// Parameters are in the query for GET, HEAD and DELETE, and in a form body for all other methods.
    case url
    /// Parameters are always in the query.
    case query
    /// Parameters are always in a form body.
    case form
    /// Parameters are members of a JSON body.
    case json
}

/// A router with a case for each call.
///
///     enum Router: EnumRouter {
///         case getUserData(Int)
///         static let base = "https://example.com/api"
///         var method: HTTPMethod { .get }
///         var path: RoutePath? { switch self { case .getUserData(let number): "getUserDataPath/\(number)" } }
///     }
///     let request = try Router.getUserData(5).asURLRequest()
public protocol EnumRouter: RequestConvertible {
    /// The base URL, to which every path is appended.
    static var base: String { get }
    /// The method.
    var method: HTTPMethod { get }
    /// The path below the base; nil for the base itself.
    var path: RoutePath? { get }
    /// The parameters; nil for no parameters and no body.
    ///
    /// It may throw, for example because a value of a `[String: any Sendable]` cannot be a parameter.
    var parameters: Parameters? { get throws(Failure) }
    /// The location and the encoding of the parameters.
    var encoding: ParameterEncoding { get }
    /// The headers of the request.
    var headers: Parameters { get }
}

extension EnumRouter {
    public var parameters: Parameters? { nil }
    /// `url` by default: the method selects the query or a form.
    public var encoding: ParameterEncoding { .url }
    /// No headers.
    public var headers: Parameters { [:] }

    public func makeRequest(base: String?) throws(Failure) -> Request {
        let path = path ?? RoutePath("")
        let parameters = try parameters
        let headers = headers
        let route = TemplateRoute(
            base: Bytes(base ?? Self.base), method: Bytes(method.rawValue), template: path.template,
            encoding: encoding, declaresBody: false)
        return try route.request {
            $0.ids = .positional(path.values)
            $0.parameters = parameters?.members
            $0.headers = headers.members
        }
    }
}

extension ParameterEncoding {
    var form: FormEncoding {
        var encoding = FormEncoding()
        switch self {
        case .url: break
        case .query: encoding.destination = .query
        case .form: encoding.destination = .body
        case .json:
            encoding.destination = .body
            encoding.form = .json
        }
        return encoding
    }
}

extension Client {
    /// A case of an `EnumRouter` declares no model: `perform(route, as: Model.self)` decodes the response.
    @available(
        *, unavailable,
        message:
            "a case of an EnumRouter declares no model: use perform(route, as: Model.self), or response(to: route) for the response"
    )
    public func perform(_ route: some EnumRouter) async throws(Failure) -> Response { try await response(to: route) }
}
