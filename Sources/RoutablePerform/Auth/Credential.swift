// A credential of a host: what its requests contain, and how a new token is obtained.

public import RoutableCore

/// The credential of one scheme.  An empty string is absent, except for a password.
public struct Credential: Sendable {
    /// The name of the user.
    public var user = Bytes()
    /// The password of the user.
    public var password = Bytes()
    /// The token, or the key.
    public var token = Bytes()
    /// The lifetime of the token, in milliseconds; nil if it is unknown.
    public var lifetimeMilliseconds: Int64?
    /// The refresh token of OAuth 2.
    public var refreshToken = Bytes()
    /// The client id of OAuth 2.
    public var clientId = Bytes()
    /// The client secret of OAuth 2.
    public var clientSecret = Bytes()
    /// The token URL of OAuth 2; empty for the URL in the description.
    public var tokenURL = Bytes()
    /// The scope of OAuth 2; empty for the scope in the description.
    public var scope = Bytes()
    /// The JSON body of the refresh operation; empty for a body that contains the refresh token.
    public var refreshBody = Bytes()
    /// Whether the client secret is sent in the body of a token request instead of a header.
    public var sendsSecretInBody = false
    /// The only origin that receives the credential; nil for the origin of each request.
    public var origin: Bytes?
    /// The program's function that obtains a new token.
    package var refresher: Refresher?
    /// The program's function that signs each request.
    package var signer: Signer?

    /// Creates a credential without values; set those that its scheme uses.
    public init() {}
}

/// A function of the program that obtains a new token.  Called without a lock; may finish later, from any thread.
package final class Refresher: Sendable {
    let call: @Sendable (CredentialRefresh) -> Void
    package init(_ call: @escaping @Sendable (CredentialRefresh) -> Void) { self.call = call }
}

/// A function of the program that adds headers to a request.
package final class Signer: Sendable {
    let call: @Sendable (Signing) throws(Failure) -> Void
    package init(_ call: @escaping @Sendable (Signing) throws(Failure) -> Void) { self.call = call }
}

/// A request that is about to be sent, for the function that signs it.
public final class Signing {
    /// The method of the request.
    public let method: Bytes
    package let url: Text
    package let body: Text?
    package private(set) var headers: HeaderBlock
    private(set) var secretHeaders: [Bytes] = []

    init(_ exchange: Exchange) {
        method = exchange.method
        url = exchange.url
        body = exchange.body
        headers = exchange.headers
    }

    /// Sets a header.  The library treats its value as a secret.
    public func set(_ name: Bytes, _ value: Bytes) throws(Failure) {
        headers.set(try HeaderField.checked(name, value))
        secretHeaders.append(name)
    }
}

extension Credential {
    /// Whether there is something to go out with.
    var hasToken: Bool { !token.isEmpty || !user.isEmpty || signer != nil }

    /// Whether the credential can obtain a new token without the description.
    var canRefresh: Bool {
        refresher != nil || !refreshBody.isEmpty || !tokenURL.isEmpty && (!refreshToken.isEmpty || !clientId.isEmpty)
    }

    /// The same with what the description says.
    func canRefresh(_ scheme: AuthScheme) -> Bool {
        if refresher != nil { return true }
        if scheme.kind == .oauth2 || !tokenURL.isEmpty {
            return !(tokenURL.isEmpty && scheme.tokenURL.isEmpty) && (!refreshToken.isEmpty || !clientId.isEmpty)
        }
        return !scheme.refresh.isEmpty && (!refreshBody.isEmpty || !refreshToken.isEmpty)
    }
}

extension Credential {
    /// Validates the credential.  Failures: `argument`; `url` for its token URL and its origin.
    public func validate(_ name: Bytes) throws(Failure) {
        func refused(_ why: Bytes) -> Failure {
            Failure(.argument, "the credential \"\(name.printable)\": \(why)") { $0.parameter = name }
        }
        if name.isEmpty { throw refused("its scheme has no name") }
        for text in [token, refreshToken, clientId, clientSecret] where !HeaderField.isValidValue(text) {
            throw refused("its token, key or secret has a control character")
        }
        if user.storage.contains(UInt8(ascii: ":")) {
            throw refused("the user name contains a colon, which basic authentication does not allow")
        }
        if !HeaderField.isValidValue(user) || !HeaderField.isValidValue(password) {
            throw refused("the user name or password has a control character")
        }
        if !hasToken && !canRefresh && refreshToken.isEmpty && clientId.isEmpty {
            throw refused("it has no token, no user, and no way to obtain a token")
        }
        if !tokenURL.isEmpty && !Origin.isValid(Text(tokenURL)) {
            throw Failure(.url, "the token URL must be an http or https URL without credentials") { $0.parameter = name }
        }
        if let origin, !Origin.isValid(Text(origin)) {
            throw Failure(.url, "the origin of a credential must be like https://api.example.com") { $0.parameter = name }
        }
    }
}
