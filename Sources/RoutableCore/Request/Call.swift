// A call of a host before it is validated against the description: the same from C, JSON and Swift.

/// An operation of a route with its values.
public struct Call: Sendable {
    /// The values of the path.
    public enum Ids: Sendable {
        /// From left to right.
        case positional([Value])
        /// By name; names and positions cannot be combined.
        case named([Value.Member])
    }

    /// The body of a call.
    public enum Body: Sendable {
        /// No body.
        case none
        /// A JSON value, written by the codec.
        case value(Value)
        /// Serialized JSON: validated against the type, and sent unchanged.
        case json(Bytes)
        /// Bytes, sent unchanged.
        case bytes(Bytes)
    }

    /// A path through the graph, `user.status`; empty for a standalone operation.
    public var route = Bytes()
    /// The name of the operation.
    public var operation: Bytes
    /// The values of the path.
    public var ids = Ids.positional([])
    /// Whether each value of the path that is a whole segment may be the empty string.
    public var allowsEmptyIds = false
    /// Declared query parameters.
    public var query: [Value.Member] = []
    /// Undeclared parameters; nil for none, which differs from an empty object (docs/statements.md, U2).
    public var parameters: [Value.Member]?
    /// The headers.
    public var headers: [Value.Member] = []
    /// The cookies.
    public var cookies: [Value.Member] = []
    /// The body.
    public var body = Body.none
    /// Parts of a multipart body in addition to those of `body`, which can contain data of users and therefore cannot name files.
    package var files: [Multipart.Part] = []
    /// The content type; nil for the content type of the operation.
    public var contentType: Bytes?
    /// The base; nil for the base of the router.
    public var base: Bytes?

    /// Creates a call of an operation, without a route and values.
    public init(operation: Bytes) { self.operation = operation }
}

extension Call {
    /// Sets a declared query parameter, and replaces an earlier value.
    package mutating func set(query name: Bytes, _ value: Value) {
        query.removeAll { $0.name == name }
        query.append(Value.Member(name: name, value: value))
    }

    /// Sets a declared cookie parameter, and replaces an earlier value.
    package mutating func set(cookie name: Bytes, _ value: Value) {
        cookies.removeAll { $0.name == name }
        cookies.append(Value.Member(name: name, value: value))
    }
}
