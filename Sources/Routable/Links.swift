// The URLs in a response, followed as requests of the operations that they match (docs/links.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableDocuments

/// The position of a URL in a response.
public enum LinkPlace: Sendable {
    /// The header `Location`.
    case location
    /// The link with this relation in a `Link` header (RFC 8288).
    case relation(String)
    /// A JSON pointer to a string in the body.
    case pointer(String)
    /// The URL itself.
    case url(String)
}

/// The request for a URL in a response.
///
///     let created = try await client.response(to: Social.user.create(User.Model(username: "x")))
///     let user = try await client.perform(Social.follow(.location, of: created), as: User.Model.self)
///
/// If the URL is below the base and a route matches it, the request belongs to the operation of that route;
/// otherwise its response is raw.  The client sends credentials only to the origin of the base.
public struct FollowedLink: RequestConvertible {
    let place: LinkPlace
    let response: Response?
    let api: (any API.Type)?
    /// The method of the request.
    public var method = HTTPMethod.get
    /// The values of a URI template (RFC 6570); nil if the URL is not a template.
    public var values: Parameters?

    /// Creates a link without an API: a client with an API follows it in that API, another client relative to its base.
    public init(_ place: LinkPlace, of response: Response? = nil) {
        self.init(place, response, nil)
    }

    init(_ place: LinkPlace, _ response: Response?, _ api: (any API.Type)?) {
        self.place = place
        self.response = response
        self.api = api
    }

    /// The same link in an API.
    func of(_ api: any API.Type) -> FollowedLink {
        var link = FollowedLink(place, response, api)
        link.method = method
        link.values = values
        return link
    }

    /// - Throws: `response` if the response does not have the link; `url`; the errors of a template.
    public func makeRequest(base: String?) throws(Failure) -> Request {
        let found: Link.Place =
            switch place {
            case .location: .location
            case .relation(let relation): .relation(Bytes(relation))
            case .pointer(let pointer): .pointer(Bytes(pointer))
            case .url(let url): .url(Bytes(url))
            }
        var link = Link(found, of: response)
        link.method = Bytes(method.rawValue)
        link.base = base.map { Bytes($0) }
        link.values = values?.members
        guard let api else {
            var description = RouterDescription()
            description.isAnonymous = true
            return try link.request(try Router.open(withTypesOf: description))
        }
        return try link.request(try OpenedAPIs.planned(api).router)
    }
}

extension API {
    /// Returns the request for a URL in a response, or for a given URL.
    public static func follow(_ place: LinkPlace, of response: Response? = nil) -> FollowedLink {
        FollowedLink(place, response, Self.self)
    }
}

extension Client {
    /// Performs the request and decodes the response as a model.
    public func perform<Output: Decodable>(
        _ convertible: some RequestConvertible, as type: Output.Type
    ) async throws(Failure) -> Output {
        try Answers.decode(type, try await response(to: convertible))
    }
}
