// Authentication of a description: schemes by name, and the schemes that each operation requires.

/// How a credential is sent with a request, and how it is refreshed.
package struct AuthScheme: Sendable {
    package enum Kind: Sendable {
        /// `Authorization: WORD TOKEN`, with a token from the program or from a refresh.
        case bearer
        /// `Authorization: Basic ...` with a name and a password.
        case basic
        /// The response to a challenge of the service, computed from a name and a password (RFC 7616) by libcurl.
        case digest
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
    /// The location of a key, and its name there.
    package var location = ParameterLocation.header
    package var parameter = Bytes()
    /// The word before the token: "Bearer"; for a key in a header: empty, if none is declared.
    package var word: Bytes = "Bearer"
    /// The standalone operation that responds with a new token; empty for none.
    package var refresh = Bytes()
    /// For OAuth 2; scopes are separated by spaces.
    package var tokenURL = Bytes()
    package var scope = Bytes()
    /// For OAuth 2: the recipient of the token, in the parameter of some services, and in that of RFC 8707.
    package var audience = Bytes()
    package var resource = Bytes()
    /// For OAuth 2: the page at which the user logs in (RFC 6749 section 3.1), the endpoint from which a device requests a code (RFC 8628),
    /// and the metadata of the service (RFC 8414, OpenID Connect Discovery): an issuer, or the URL of the document.
    package var authorizationURL = Bytes()
    package var deviceURL = Bytes()
    package var issuer = Bytes()
    /// The token endpoint of the flow `password` of OpenAPI, for messages; nil without this flow.
    package var passwordURL: Bytes?
    /// JSON pointers into the response to a refresh.
    package var tokenPointer: Bytes = "/access_token"
    package var lifetimePointer: Bytes = "/expires_in"
    package var refreshTokenPointer: Bytes = "/refresh_token"
    /// The responses by which the service rejects the token.
    package var refreshOn = Rejections()
    /// Whether operations without a declared requirement need it.
    package var isDefault = false
    /// Whether a requirement of the document contains it.
    package var isRequired = false
    /// The JSON pointer of its declaration, for errors.
    package var pointer = Bytes()

    package init(name: Bytes, kind: Kind) {
        self.name = name
        self.kind = kind
        if kind == .key { word = Bytes() }
    }
}

/// The responses that reject a token: by their status alone, or by a value in the body.
package struct Rejections: Sendable, Equatable {
    package struct Rule: Sendable, Equatable {
        /// 0 for any status.
        package var status: Int32 = 0
        /// A JSON pointer into the body, and the text or number there; nil for the status alone.
        package var code: Code?

        package init(status: Int32 = 0, code: Code? = nil) {
            self.status = status
            self.code = code
        }
    }

    package struct Code: Sendable, Equatable {
        package var pointer: Bytes
        /// A string, or the digits of a number.
        package var value: Bytes
        package init(_ pointer: Bytes, _ value: Bytes) {
            self.pointer = pointer
            self.value = value
        }
    }

    package var rules: [Rule] = [Rule(status: 401)]

    package init() {}

    /// Whether the description declares no rules.
    package var isDefault: Bool { rules.count == 1 && rules.first?.status == 401 && rules.first?.code == nil }

    /// Whether a response with this status may reject the token.
    package func concerns(_ status: Int32) -> Bool { rules.contains { $0.status == 0 || $0.status == status } }

    /// Whether the body must be read to decide.
    package func needsBody(_ status: Int32) -> Bool {
        concerns(status) && !rules.contains { $0.code == nil && ($0.status == 0 || $0.status == status) }
    }
}

/// The requirement of an operation: one of several sets of schemes, by their numbers.  Without any set, no credentials are sent.  An empty
/// set: the request may be sent without credentials.
package final class AuthRequirement: Sendable {
    package let alternatives: [[Int]]
    /// Whether each alternative contains a scheme that the description does not have: then no request meets the requirement.
    package let isUnknown: Bool
    package init(_ alternatives: [[Int]], isUnknown: Bool = false) {
        self.alternatives = alternatives
        self.isUnknown = isUnknown
    }
}

/// The members of the response to a refresh.
package struct Token: Sendable {
    package var value: Bytes
    /// nil if the token is valid until the service rejects it.
    package var lifetimeMilliseconds: Int64?
    /// A refresh token that replaces the current one.
    package var refresh: Bytes?

    package init(_ value: Bytes, lifetimeMilliseconds: Int64? = nil, refresh: Bytes? = nil) {
        self.value = value
        self.lifetimeMilliseconds = lifetimeMilliseconds
        self.refresh = refresh
    }
}
