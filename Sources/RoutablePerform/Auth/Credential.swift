// A credential of the program: the secrets that its requests contain, and how a new token is obtained.

package import RoutableCore

/// The credential of one scheme.
public struct Credential: Sendable {
    // The members for Swift programs, with strings, are in the module Routable.  An empty string is absent, except for a password.
    package var userBytes = Bytes()
    package var passwordBytes = Bytes()
    /// The token, or the key.
    package var tokenBytes = Bytes()
    /// nil if it is unknown.
    package var lifetimeMilliseconds: Int64?
    package var refreshTokenBytes = Bytes()
    package var clientIdBytes = Bytes()
    package var clientSecretBytes = Bytes()
    /// Empty for the URL in the description.
    package var tokenURLBytes = Bytes()
    /// Empty for the scope in the description.
    package var scopeBytes = Bytes()
    /// The audience of the token, by the parameter of some services and by that of RFC 8707; empty for the value in the description.
    package var audienceBytes = Bytes()
    package var resourceBytes = Bytes()
    /// The JSON body of the refresh operation; empty for a body that contains the refresh token.
    package var refreshBodyBytes = Bytes()
    /// Whether the client secret is sent in the body of a token request instead of a header.
    public var sendsSecretInBody = false
    /// The only origin that receives the credential; nil for the origin of each request.
    package var originBytes: Bytes?
    /// The program's function that obtains a new token.
    package var refresher: Refresher?
    /// The program's function that signs each request.
    package var signer: Signer?
    /// The program's function that receives the tokens of each refresh.
    package var observer: TokenObserver?

    /// Creates a credential without values; set those that its scheme uses.
    public init() {}
}

/// A function of the program that obtains a new token.  Called without a lock; may finish later, from any thread.
package final class Refresher: Sendable {
    let call: @Sendable (CredentialRefresh) -> Void
    package init(_ call: @escaping @Sendable (CredentialRefresh) -> Void) { self.call = call }
}

/// A function of the program that is called after each successful refresh.  Called without a lock.
package final class TokenObserver: Sendable {
    let call: @Sendable (RefreshedTokens) -> Void
    package init(_ call: @escaping @Sendable (RefreshedTokens) -> Void) { self.call = call }
}

/// The tokens of a credential after a refresh.
package struct RefreshedTokens: Sendable {
    package var scheme: Bytes
    package var token: Bytes
    /// The refresh token for the next refresh; empty for none.
    package var refreshToken: Bytes
    /// Whether the refresh token replaced another one.
    package var hasRotated: Bool
    /// nil if it is unknown.
    package var lifetimeMilliseconds: Int64?
}

/// A function of the program that adds headers to a request.
package final class Signer: Sendable {
    let call: @Sendable (Signing) throws(Failure) -> Void
    package init(_ call: @escaping @Sendable (Signing) throws(Failure) -> Void) { self.call = call }
}

/// A request that is about to be sent, for the function that signs it.  It is valid only during the call of that function.
public final class Signing {
    // The members for Swift programs, with strings, are in the module Routable.
    package let methodText: Bytes
    package let urlText: Text
    /// nil if there is none, or if it is not in memory.
    package let bodyText: Text?
    package private(set) var headerBlock: HeaderBlock
    private(set) var secretHeaders: [Bytes] = []

    init(_ exchange: Exchange) {
        methodText = exchange.method
        urlText = exchange.url
        bodyText = exchange.body
        headerBlock = exchange.headers
    }

    /// Sets a header.  The library treats its value as a secret.
    package func set(_ name: Bytes, _ value: Bytes) throws(Failure) {
        headerBlock.set(try HeaderField.checked(name, value))
        secretHeaders.append(name)
    }
}

extension Credential {
    /// Whether the credential has something to send.
    var hasToken: Bool { !tokenBytes.isEmpty || !userBytes.isEmpty || signer != nil }

    /// Whether the credential can obtain a new token without the description.
    var canRefresh: Bool { refresher != nil || !refreshBodyBytes.isEmpty || !tokenURLBytes.isEmpty && hasGrant }

    /// Whether a token endpoint can issue a token for this credential.
    private var hasGrant: Bool { !refreshTokenBytes.isEmpty || !clientIdBytes.isEmpty || !userBytes.isEmpty }

    /// Whether the tokens come from an OAuth 2 token endpoint: then the user and the password are only for that endpoint.
    func usesTokenEndpoint(_ scheme: AuthScheme) -> Bool {
        scheme.kind == .oauth2 || !tokenURLBytes.isEmpty && scheme.kind != .basic && scheme.kind != .digest
    }

    /// Whether the credential has something to send to a service with this scheme.
    func hasToken(_ scheme: AuthScheme) -> Bool {
        if usesTokenEndpoint(scheme) { return !tokenBytes.isEmpty || signer != nil }
        return hasToken
    }

    /// Like `canRefresh`, with the declarations of the description.
    func canRefresh(_ scheme: AuthScheme) -> Bool {
        if refresher != nil { return true }
        if usesTokenEndpoint(scheme) { return !tokenURL(scheme).isEmpty && hasGrant }
        return !scheme.refresh.isEmpty && (!refreshBodyBytes.isEmpty || !refreshTokenBytes.isEmpty)
    }
}

extension Credential {
    /// The token endpoint; empty if it is not known.
    package func tokenURL(_ scheme: AuthScheme) -> Bytes {
        if !tokenURLBytes.isEmpty { return tokenURLBytes }
        // A document has an endpoint for each flow.
        if !userBytes.isEmpty, let url = scheme.passwordURL, Origin.isValid(Text(url)) { return url }
        return scheme.tokenURL
    }

    /// The secrets, which are masked in responses and messages.
    package var secrets: [Bytes] { [passwordBytes, tokenBytes, refreshTokenBytes, clientSecretBytes] }

    /// Validates the credential.  Failures: `argument`; `url` for its token URL and its origin.
    package func validate(_ name: Bytes) throws(Failure) {
        func refused(_ why: Bytes) -> Failure {
            Failure(.argument, "the credential \"\(name.printable)\" is not valid: \(why)") { $0.parameter = name }
        }
        if name.isEmpty { throw refused("its scheme has no name") }
        for text in [tokenBytes, refreshTokenBytes, clientIdBytes, clientSecretBytes] where !HeaderField.isValidValue(text) {
            throw refused("its token, key or secret has a control character")
        }
        if userBytes.storage.contains(UInt8(ascii: ":")) {
            throw refused("the user name contains a colon, which basic authentication does not allow")
        }
        if !HeaderField.isValidValue(userBytes) || !HeaderField.isValidValue(passwordBytes) {
            throw refused("the user name or password has a control character")
        }
        if !hasToken && !canRefresh && refreshTokenBytes.isEmpty && clientIdBytes.isEmpty {
            throw refused("it has no token, no user, and no way to obtain a token")
        }
        if !tokenURLBytes.isEmpty && !Origin.isValid(Text(tokenURLBytes)) {
            throw Failure(.url, "the token URL must be an http or https URL without a user name") { $0.parameter = name }
        }
        if let originBytes, !Origin.isValid(Text(originBytes)) {
            throw Failure(.url, "the origin of a credential must be an http or https URL, such as https://api.example.com") {
                $0.parameter = name
            }
        }
    }
}

/// A user and a password for the response to a Digest challenge.
struct DigestLogin: Sendable, Equatable {
    var user: Bytes
    var password: Bytes
}
