// Authentication of a description: schemes by name, and the schemes that each operation requires.

/// How a credential is sent with a request, and how it is refreshed.
package struct AuthScheme: Sendable {
    package enum Kind: Sendable {
        /// `Authorization: WORD TOKEN`, with a token from the program or from a refresh.
        case bearer
        /// `Authorization: Basic ...` with a name and a password.
        case basic
        /// A key in a header, the query or a cookie.
        case key
        /// A bearer token of an OAuth 2 token endpoint.
        case oauth2
        /// The TLS certificate of the client; the request is not changed.
        case certificate
        /// Headers that a function of the program adds.
        case custom
    }

    package var name: Bytes
    package var kind: Kind
    /// Where a key goes, and what it is called there.
    package var location = ParameterLocation.header
    package var parameter = Bytes()
    /// Before the token: "Bearer".
    package var word: Bytes = "Bearer"
    /// The standalone operation that answers with a new token; empty for none.
    package var refresh = Bytes()
    /// Of OAuth 2; the scopes stand with spaces between.
    package var tokenURL = Bytes()
    package var scope = Bytes()
    /// The token endpoint of the flow `password` of OpenAPI, for messages; nil without this flow.
    package var passwordURL: Bytes?
    /// JSON pointers into what a refresh answers with.
    package var tokenPointer: Bytes = "/access_token"
    package var lifetimePointer: Bytes = "/expires_in"
    package var refreshTokenPointer: Bytes = "/refresh_token"
    /// Operations that say nothing of their own need it.
    package var isDefault = false
    /// Whether a requirement of the document names it.
    package var isRequired = false
    /// JSON pointer of its declaration, for errors.
    package var pointer = Bytes()

    package init(name: Bytes, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What an operation needs: one of several sets of schemes, by their numbers.  No set at all: nothing is sent.  An empty
/// set: the request may go without.
package final class AuthRequirement: Sendable {
    package let alternatives: [[Int]]
    package init(_ alternatives: [[Int]]) { self.alternatives = alternatives }
}

/// The members of the response to a refresh.
package struct Token: Sendable {
    package var value: Bytes
    /// nil for as long as the service accepts it.
    package var lifetimeMilliseconds: Int64?
    /// Instead of the refresh token at hand.
    package var refresh: Bytes?

    package init(_ value: Bytes, lifetimeMilliseconds: Int64? = nil, refresh: Bytes? = nil) {
        self.value = value
        self.lifetimeMilliseconds = lifetimeMilliseconds
        self.refresh = refresh
    }
}
