// A replacement of Vapor: names that a server program uses together with Routable.

public final class Request: Sendable {
    public init() {}
    public var application: String { "vapor" }
}

public final class Response: Sendable {
    public init() {}
    public var content: String { "vapor" }
}
