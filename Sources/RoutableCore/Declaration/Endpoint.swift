// An operation at a place with its values, before it becomes a request.  It can be stored and sent many times.

/// The operation of an endpoint.  It is not nested in `Endpoint`, because it would be a different type for each `Output`.
@usableFromInline enum EndpointOperation: Sendable {
    case capability(Capability)
    case named(Bytes)

    var name: Bytes {
        switch self {
        case .capability(let capability): capability.name
        case .named(let name): name
        }
    }

    var capability: Capability? { if case .capability(let capability) = self { capability } else { nil } }
}

/// Query, parameters, headers and body, behind a reference: most endpoints have none of them.
@usableFromInline final class EndpointDetails: Sendable {
    let call: Call
    #if hasFeature(Embedded)
    init(_ call: Call) { self.call = call }
    #else
    /// Encodes the body again, with the encoder of a client.
    let encode: (@Sendable () throws(Failure) -> Value)?

    init(_ call: Call, encode: (@Sendable () throws(Failure) -> Value)? = nil) {
        self.call = call
        self.encode = encode
    }
    #endif
}

/// An operation at a place of an API, with its values and the type of its result.
///
/// `Output` is the model of a successful response: `Untyped` if the resource declares no model, `NoBody` if there is no body.
public struct Endpoint<Output>: Sendable {
    @usableFromInline let walk: ResourceChain
    @usableFromInline let operation: EndpointOperation
    @usableFromInline let details: EndpointDetails?

    @inlinable init(_ walk: consuming ResourceChain, _ operation: EndpointOperation) {
        self.walk = walk
        self.operation = operation
        details = nil
    }

    fileprivate init(_ walk: ResourceChain, _ operation: EndpointOperation, _ details: EndpointDetails?) {
        self.walk = walk
        self.operation = operation
        self.details = details
    }

    /// The dotted route: `user.status`.
    public var route: Bytes { walk.route }
    /// The name of the operation, such as `read`.
    public var operationName: Bytes { operation.name }

    #if !hasFeature(Embedded)
    /// The API at which the route starts; nil if it starts at a resource: `User.get("2")`.
    public var api: (any API.Type)? { walk.api }
    #endif

    /// The call of the endpoint, for a function of a router.
    public var call: Call {
        var call = details?.call ?? Call(operation: operation.name)
        call.route = walk.route
        call.operation = operation.name
        call.ids = .positional(walk.ids)
        return call
    }

    // MARK: Values other than ids

    /// A copy whose call the function modifies.  The route, the operation and the ids do not change.
    public func with(_ change: (inout Call) -> Void) -> Endpoint {
        var call = details?.call ?? Call(operation: Bytes())
        change(&call)
        #if hasFeature(Embedded)
        return Endpoint(walk, operation, EndpointDetails(call))
        #else
        return Endpoint(walk, operation, EndpointDetails(call, encode: details?.encode))
        #endif
    }

    #if !hasFeature(Embedded)
    /// A copy with a body that can be encoded again.
    package func body(_ body: Value, encode: @escaping @Sendable () throws(Failure) -> Value) -> Endpoint {
        Endpoint(walk, operation, EndpointDetails(self.body(body).call, encode: encode))
    }

    /// Whether the body can be encoded again.
    package var canEncodeAgain: Bool { details?.encode != nil }

    /// A copy whose body is encoded again now; nil if that is not possible.
    package func encodedAgain() throws(Failure) -> Endpoint? {
        guard let encode = details?.encode else { return nil }
        let body = try encode()
        return with { $0.body = .value(body) }
    }
    #endif

    /// A copy with a declared query parameter, which replaces an earlier value of the parameter; unchanged if the value is nil.
    /// A parameter with several values is declared as an array.
    ///
    /// If the operation does not declare the parameter, building the request fails with `parameter`.
    public func query(_ name: String, _ value: (some ValueConvertible)?) -> Endpoint {
        guard let value else { return self }
        return with { $0.set(query: Bytes(name), value.routableValue) }
    }

    /// A copy with a header; unchanged if the value is nil.
    public func header(_ name: String, _ value: (some ValueConvertible)?) -> Endpoint {
        guard let value else { return self }
        return with { $0.headers.append(Value.Member(name: Bytes(name), value: value.routableValue)) }
    }

    /// A copy with a declared cookie parameter, which replaces an earlier value of the parameter; unchanged if the value is nil.
    ///
    /// If the operation does not declare the cookie, building the request fails with `parameter`.
    public func cookie(_ name: String, _ value: (some ValueConvertible)?) -> Endpoint {
        guard let value else { return self }
        return with { $0.set(cookie: Bytes(name), value.routableValue) }
    }

    /// A copy with these undeclared parameters, which replace earlier ones.
    ///
    /// The encoding of the operation determines where they are written (docs/statements.md, U1) and in which order.
    public func parameters(_ parameters: [Value.Member]) -> Endpoint { with { $0.parameters = parameters } }

    /// A copy with a JSON value as the body.
    public func body(_ body: Value) -> Endpoint {
        var call = details?.call ?? Call(operation: Bytes())
        call.body = .value(body)
        return Endpoint(walk, operation, EndpointDetails(call))
    }

    /// A copy whose response is decoded as another type.
    public func returning<Other>(_ type: Other.Type) -> Endpoint<Other> {
        Endpoint<Other>(walk, operation, details)
    }
}

/// The type of an absent body in a request or a response.
public struct NoBody: Sendable, Hashable {
    /// Creates the only value of the type.
    public init() {}
}

/// The type of a result without a declared type, which is the response as received.
public struct Untyped: Sendable {}

extension Router {
    /// Builds the request of an endpoint.
    public func request<Output>(for endpoint: Endpoint<Output>) throws(Failure) -> Request {
        try request(for: endpoint.call)
    }
}
