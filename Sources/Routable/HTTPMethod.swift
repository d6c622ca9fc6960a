// HTTP methods, as strings that are sent unchanged (statement A8).

/// An HTTP method, which is sent unchanged.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral method: String) { rawValue = method }

    /// The method GET.
    public static let get: HTTPMethod = "GET"
    /// The method POST.
    public static let post: HTTPMethod = "POST"
    /// The method PUT.
    public static let put: HTTPMethod = "PUT"
    /// The method PATCH.
    public static let patch: HTTPMethod = "PATCH"
    /// The method DELETE.
    public static let delete: HTTPMethod = "DELETE"
    /// The method HEAD.
    public static let head: HTTPMethod = "HEAD"
    /// The method OPTIONS.
    public static let options: HTTPMethod = "OPTIONS"
    /// The method QUERY.
    public static let query: HTTPMethod = "QUERY"
}
