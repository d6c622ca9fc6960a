// The API of a client, which calls that begin at a resource use, as in article 000.

internal import RoutableClient
public import RoutableCore

extension Client {
    /// Creates a client of an API.  It also performs calls that begin at a resource, such as `User.get("2")`.
    ///
    ///     let client = try Client(Router.self)
    ///     let user = try await client.perform(Router.User.get("2"))
    ///
    /// - Parameter base: replaces the base of the API.
    /// - Throws: `noCurl` if libcurl is not installed or is too old.
    public init<Service: API>(_ api: Service.Type, base: String? = nil, credential: HeaderCredential? = nil)
        throws(Failure)
    {
        try self.init(base: base, credential: credential)
        home = Home(api: api)
    }

    /// Creates a client of an API with another transport.
    public init<Service: API>(
        _ api: Service.Type, base: String? = nil, transport: any Transport, credential: HeaderCredential? = nil
    ) {
        self.init(base: base, transport: transport, credential: credential)
        home = Home(api: api)
    }

    /// The client of the lower layers, whose credentials belong to the API of this client.
    func connected() throws(Failure) -> ClientCore {
        let client = try core.client()
        if let home { client.owner.name(try OpenedAPIs.planned(home.api).router) }
        return client
    }

    /// Whether a request belongs to the API of the client's credentials.
    func owns(_ request: Request) throws(Failure) -> Bool {
        try connected().owns(request, at: base.map { Bytes($0) })
    }

    /// The call in the API of the client, if it begins at a resource.
    func placed(_ convertible: any RequestConvertible) -> any RequestConvertible {
        guard let home, let placeable = convertible as? any Placeable else { return convertible }
        return placeable.placed(home)
    }
}

/// The API of a client.
struct Home: Sendable {
    let api: any API.Type
}

/// A call that begins at a resource, or contains such a call.
protocol Placeable {
    func placed(_ home: Home) -> any RequestConvertible
}

extension Endpoint: Placeable {
    func placed(_ home: Home) -> any RequestConvertible {
        api == nil ? PlacedEndpoint(endpoint: self, home: home) : self
    }
}

private struct PlacedEndpoint<Output>: RequestConvertible {
    let endpoint: Endpoint<Output>
    let home: Home

    func makeRequest(base: String?) throws(Failure) -> Request { try endpoint.makeRequest(in: home.api, base: base) }
}

extension FollowedLink: Placeable {
    func placed(_ home: Home) -> any RequestConvertible { api == nil ? of(home.api) : self }
}

// MARK: - The spelling of the article

extension Resource where Self: Readable {
    /// A synonym of `get(_:)`.
    public static func get(params id: ID) -> Endpoint<Model> { get(id) }
}

extension Resource where Self: Deletable {
    /// A synonym of `delete(_:)`.
    public static func delete(params id: ID) -> Endpoint<NoBody> { delete(id) }
}

extension Resource where Self: Updatable {
    /// A synonym of `update(_:parameters:)`.
    public static func update(params id: ID, parameters: Parameters) -> Endpoint<Model> {
        update(id, parameters: parameters)
    }

    /// A synonym of `update(_:parameters:)` with a dictionary.
    @_disfavoredOverload
    public static func update(params id: ID, parameters: [String: some ValueConvertible]) -> Endpoint<Model> {
        update(id, parameters: parameters)
    }
}
