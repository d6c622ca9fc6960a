// The authentication that a description declares: credentials by scheme, refreshed once for all waiting requests
// (docs/auth.md).

public import RoutableClient
public import RoutableCore

// A client has its own credentials and its own function for events, with every transport; its copies share them.

extension Client {
    /// Sets or replaces the credential of a declared scheme, for this client and its copies.  Other clients over the same transport
    /// have their own credentials.
    ///
    /// The credential belongs to the API of the client or, if the client has none, to the API of its first request.  Requests of
    /// another API never receive it, even if this API declares a scheme with the same name.
    ///
    ///     try client.setCredential("session", .token("abc").refreshing { old in try await renew(old) })
    ///
    /// After a 401 response, the client refreshes the credential, once for all waiting requests, and sends these requests
    /// again.
    ///
    /// - Throws: `argument` and `url` for a credential that cannot be sent; `argument` for a scheme that the API of the client does not
    ///   declare.
    public func setCredential(_ scheme: String, _ credential: Credential) throws(Failure) {
        if let home { return try setCredential(scheme, credential, of: home.api) }
        try connected().setCredential(Bytes(scheme), credential)
    }

    /// Sets or replaces the credential of a scheme of one API, also if the client has another API.
    public func setCredential(_ scheme: String, _ credential: Credential, of api: any API.Type) throws(Failure) {
        try setCredential(scheme, credential, of: try OpenedAPIs.planned(api).router)
    }

    /// Sets or replaces the credential of a scheme of a router that was opened from a document.
    public func setCredential(_ scheme: String, _ credential: Credential, of router: APIRouter) throws(Failure) {
        try connected().setCredential(Bytes(scheme), credential, of: router)
    }

    /// Removes the credentials of a scheme, of all APIs.
    public func removeCredential(_ scheme: String) throws(Failure) { try connected().removeCredential(Bytes(scheme)) }

    /// Returns the credential of a scheme with its current tokens, so that a program can store it; nil if none is set.  The
    /// credential is that of the API of the client or, if it has none, of the only API that has one.
    ///
    /// - Throws: `argument` if several other APIs have one: use `storedCredential(_:of:)`.
    public func storedCredential(_ scheme: String) throws(Failure) -> Credential? {
        try connected().credential(Bytes(scheme))
    }

    /// Returns the credential of a scheme of one API with its current tokens; nil if none is set.
    public func storedCredential(_ scheme: String, of api: any API.Type) throws(Failure) -> Credential? {
        try connected().credential(Bytes(scheme), of: try OpenedAPIs.planned(api).router)
    }
}

extension Credential {
    /// A credential with a token or a key.
    public static func token(_ token: String, expiresIn: Duration? = nil) -> Credential {
        var credential = Credential()
        credential.token = token
        credential.lifetime = expiresIn
        return credential
    }

    /// A credential with a user name and a password.
    public static func user(_ user: String, password: String) -> Credential {
        var credential = Credential()
        credential.user = user
        credential.password = password
        return credential
    }

    /// A credential for OAuth 2, with a refresh token, or with a client id and a client secret.
    public static func oauth2(refreshToken: String = "", clientID: String = "", clientSecret: String = "") -> Credential {
        var credential = Credential()
        credential.refreshToken = refreshToken
        credential.clientID = clientID
        credential.clientSecret = clientSecret
        return credential
    }

    /// A copy of the credential with a function that obtains a new token from the old token.
    public func refreshing(_ refresh: @escaping @Sendable (_ old: String) async throws -> String) -> Credential {
        obtaining { NewToken(try await refresh($0.oldToken.string)) }
    }

    /// A copy of the credential with a function that obtains a new token, its lifetime and the next refresh token from the old
    /// token.
    @_disfavoredOverload
    public func refreshing(_ refresh: @escaping @Sendable (_ old: String) async throws -> NewToken) -> Credential {
        obtaining { try await refresh($0.oldToken.string) }
    }

    /// A copy of the credential with a function that obtains a new token.  The parameter of the function describes the request
    /// and contains the WWW-Authenticate headers of the 401 response.
    public func renewing(_ renew: @escaping @Sendable (Renewal) async throws -> String) -> Credential {
        obtaining { NewToken(try await renew(Renewal($0))) }
    }

    /// A copy of the credential with a function that obtains a new token, its lifetime and the next refresh token.
    @_disfavoredOverload
    public func renewing(_ renew: @escaping @Sendable (Renewal) async throws -> NewToken) -> Credential {
        obtaining { try await renew(Renewal($0)) }
    }

    private func obtaining(_ obtain: @escaping @Sendable (CredentialRefresh) async throws -> NewToken) -> Credential {
        var credential = self
        credential.refresher = Refresher { job in
            Task {
                do {
                    let new = try await obtain(job)
                    try job.finish(
                        Bytes(new.token), lifetimeMilliseconds: new.expiresIn?.milliseconds,
                        refreshToken: new.refreshToken.map { Bytes($0) })
                } catch {
                    job.fail(Bytes(String(describing: error)).printable)
                }
            }
        }
        return credential
    }

    /// A copy of the credential with a function that receives the tokens of each refresh, to store them.  The thread that performs the
    /// refresh calls the function.
    public func notifying(_ notify: @escaping @Sendable (Tokens) -> Void) -> Credential {
        var credential = self
        credential.observer = TokenObserver { notify(Tokens($0)) }
        return credential
    }

    /// A copy of the credential with a function that adds headers to each request, such as a signature.
    public func signing(_ sign: @escaping @Sendable (Signing) throws(Failure) -> Void) -> Credential {
        var credential = self
        credential.signer = Signer(sign)
        return credential
    }
}

extension Credential {
    /// The result of a function of the program that obtains a token.  If only the token is known, the function can return it as a
    /// `String`.
    public struct NewToken: Sendable {
        /// The token.
        public var token: String
        /// The lifetime of the token, after which the client obtains the next one before it sends a request; nil if it is
        /// unknown.
        public var expiresIn: Duration?
        /// The refresh token that replaces that of the credential; nil to keep it.
        public var refreshToken: String?

        /// Creates a new token.
        public init(_ token: String, expiresIn: Duration? = nil, refreshToken: String? = nil) {
            self.token = token
            self.expiresIn = expiresIn
            self.refreshToken = refreshToken
        }
    }
}

/// The tokens of a credential after a refresh.  Its description contains no secret.
public struct Tokens: Sendable, CustomStringConvertible {
    /// The name of the scheme.
    public let scheme: String
    /// The new token.
    public let token: String
    /// The refresh token for the next refresh; empty if there is none.
    public let refreshToken: String
    /// The lifetime of the token; nil if it is unknown.
    public let expiresIn: Duration?
    /// Whether the service replaced the refresh token, and may no longer accept the old one.
    public let hasRotated: Bool

    /// The name of the scheme.
    public var description: String { "Tokens(\(scheme))" }

    init(_ tokens: RefreshedTokens) {
        scheme = tokens.scheme.string
        token = tokens.token.string
        refreshToken = tokens.refreshToken.string
        expiresIn = tokens.lifetimeMilliseconds.map { .milliseconds($0) }
        hasRotated = tokens.hasRotated
    }
}

/// The reason for a refresh.
public struct Renewal: Sendable {
    /// The name of the scheme.
    public let scheme: String
    /// The token that the service rejected, or that expired; empty if there was none.
    public let oldToken: String
    /// The refresh token of the credential; empty if there is none.
    public let refreshToken: String
    /// The URL of the request that requires the token.
    public let url: String
    /// The route of the request that requires the token; empty for a standalone operation.
    public let route: String
    /// The operation of the request that requires the token.
    public let operation: String
    /// The WWW-Authenticate headers of the 401 response, joined by commas; empty if the service sent none.
    public let challenge: String

    init(_ job: CredentialRefresh) {
        scheme = job.scheme.string
        oldToken = job.oldToken.string
        refreshToken = job.refreshToken.string
        url = job.url.bytes.string
        route = job.plan?.route.bytes.string ?? ""
        operation = job.plan?.operation.name.bytes.string ?? ""
        challenge = job.challenge.string
    }

    /// Returns a parameter of the challenge of a scheme, such as the `realm` of `bearer`.
    public func parameter(_ name: String, of scheme: String) -> String? {
        Array(challenge.utf8).withUnsafeBytes { ChallengeHeader.find(Bytes(scheme), Bytes(name), in: $0) }?.string
    }
}

extension RequestPolicy {
    /// The deadline for all attempts.
    public var deadline: Duration? {
        get { deadlineMilliseconds.flatMap { $0 < 0 ? nil : .milliseconds($0) } }
        set { deadlineMilliseconds = newValue?.milliseconds }
    }
}
