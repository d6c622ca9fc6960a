// What a service wants to see of who asks: schemes by name, and which of them an operation needs.

/// How a credential goes into a request, and where a new one comes from.
public struct AuthScheme: Sendable {
    public enum Kind: Sendable {
        /// `Authorization: WORD TOKEN`, of a host that has one, or of a refresh.
        case bearer
        /// `Authorization: Basic ...` of a name and a password.
        case basic
        /// A key in a header, the query or a cookie.
        case key
        /// A bearer token of an OAuth 2 token endpoint.
        case oauth2
        /// The client's own TLS certificate: nothing goes into the request.
        case certificate
        /// Whatever the host's function makes of it.
        case custom
    }

    public var name: Bytes
    public var kind: Kind
    /// Where a key goes, and what it is called there.
    public var location = ParameterLocation.header
    public var parameter = Bytes()
    /// Before the token: "Bearer".
    public var word: Bytes = "Bearer"
    /// The free operation that answers with a new token; empty for none.
    public var refresh = Bytes()
    /// Of OAuth 2; the scopes stand with spaces between.
    public var tokenURL = Bytes()
    public var scope = Bytes()
    /// JSON pointers into what a refresh answers with.
    public var tokenPointer: Bytes = "/access_token"
    public var lifetimePointer: Bytes = "/expires_in"
    public var refreshTokenPointer: Bytes = "/refresh_token"
    /// Operations that say nothing of their own need it.
    public var isDefault = false
    /// JSON pointer of its declaration, for errors.
    public var pointer = Bytes()

    public init(name: Bytes, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What an operation needs: one of several sets of schemes, by their numbers.  No set at all: nothing is sent.  An empty
/// set: the request may go without.
public final class AuthRequirement: Sendable {
    public let alternatives: [[Int]]
    public init(_ alternatives: [[Int]]) { self.alternatives = alternatives }
}

/// What a refresh brings.
public struct Token: Sendable {
    public var value: Bytes
    /// nil for as long as the service accepts it.
    public var lifetimeMilliseconds: Int64?
    /// Instead of the refresh token at hand.
    public var refresh: Bytes?

    public init(_ value: Bytes, lifetimeMilliseconds: Int64? = nil, refresh: Bytes? = nil) {
        self.value = value
        self.lifetimeMilliseconds = lifetimeMilliseconds
        self.refresh = refresh
    }
}
