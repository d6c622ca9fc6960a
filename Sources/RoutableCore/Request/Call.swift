// What a host asks for, before it is held against the graph: the same from C, JSON and Swift.

/// An operation of a route with its values.
public struct Call: Sendable {
    /// The path's values.
    public enum Ids: Sendable {
        /// From left to right.
        case positional([Value])
        /// By name; positions may not be mixed in.
        case named([Value.Member])
    }

    public enum Body: Sendable {
        case none
        /// A JSON value, written by the codec.
        case value(Value)
        /// JSON as text: held against the type, and sent byte for byte.
        case json(Bytes)
        /// Bytes as they are.
        case bytes(Bytes)
    }

    /// A walk through the graph, `user.status`; empty for a standalone operation.
    public var route = Bytes()
    public var operation: Bytes
    public var ids = Ids.positional([])
    /// Any value of the path that is a whole segment may be no text at all.
    public var allowsEmptyIds = false
    /// Declared query parameters.
    public var query: [Value.Member] = []
    /// Free parameters; nil for none at all, which differs from an empty object (statement U2).
    public var parameters: [Value.Member]?
    public var headers: [Value.Member] = []
    public var cookies: [Value.Member] = []
    public var body = Body.none
    /// Parts of a multipart body beside those of `body`: what a user supplies goes there, and can name no file.
    package var files: [Multipart.Part] = []
    /// Instead of the operation's.
    public var contentType: Bytes?
    /// Instead of the router's.
    public var base: Bytes?

    public init(operation: Bytes) { self.operation = operation }
}
