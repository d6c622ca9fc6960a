// An OAuth 2 login with a user: in a browser (authorization code with PKCE) or with a code on another device.
//
// The library makes the URLs and the secrets, and sends the requests.  It does not open a browser or listen for the redirect.

internal import CSystem
package import RoutableCore
package import RoutablePerform

/// The options of a login.
package struct LoginOptions: Sendable {
    package var scheme = Bytes()
    /// The description that declares the scheme; nil for the description of the client.
    package var router: Router?
    /// The client id and secret, the scope, the audience, the resource and the token URL; they override those of the description.
    package var values = Credential()
    /// The redirect URL of the browser; required for `authorizationURL`.
    package var redirectURL = Bytes()
    /// The endpoints; empty for those of the description or of the metadata.
    package var authorizationURL = Bytes()
    package var deviceURL = Bytes()
    /// An issuer, or the URL of its metadata; empty for none, or for the issuer of the description.
    package var issuer = Bytes()
    /// Whether the metadata is read.
    package var discovers = false

    package init() {}
}

/// One login.  Only one thread at a time may use it.
package final class Login {
    let client: ClientCore
    let scheme: AuthScheme
    let router: Router
    /// The client id and secret, the scope, the targets, and the token URL.
    var values: Credential
    let redirectURL: Bytes
    let authorizationURL: Bytes
    let deviceURL: Bytes
    /// The issuer in the metadata; empty without metadata.
    let issuer: Bytes
    let requiresIssuer: Bool
    /// The state and the verifier of a browser login; empty after use.
    private var state = Bytes()
    private var verifier = Bytes()
    /// The state of a device login.
    var device = DeviceState()

    /// Creates a login, and reads the metadata of the service if `discovers` is set.
    ///
    /// - Throws: `argument`, `url`; for the metadata `credential` and the failures of performing.
    package static func make(_ client: ClientCore, _ options: LoginOptions) throws(Failure) -> Login {
        guard let router = options.router ?? client.owner.router else {
            throw Failure(.argument, "a login requires a description: name the router that declares the scheme") {
                $0.parameter = "router"
            }
        }
        let schemes = router.description.authSchemes
        guard let scheme = schemes.first(where: { $0.name == options.scheme }) else {
            throw Failure.unknownName(
                .argument, "the description declares no scheme", options.scheme, among: schemes.map { $0.name }
            ).with { $0.parameter = options.scheme }
        }
        if scheme.kind != .oauth2 && scheme.kind != .bearer {
            throw failure(scheme, "only the schemes oauth2 and bearer have logins", .argument)
        }
        if options.values.clientIdBytes.isEmpty { throw failure(scheme, "it requires a client id", .argument) }
        let texts = [options.values.clientIdBytes, options.values.clientSecretBytes]
        if texts.contains(where: { !HeaderField.isValidValue($0) }) {
            throw failure(scheme, "the client id or secret has a control character", .argument)
        }
        var metadata = AuthorizationMetadata()
        if options.discovers || !options.issuer.isEmpty {
            metadata = try client.metadata(of: options.issuer.isEmpty ? scheme.issuer : options.issuer, scheme)
        }
        let made = Login(client, scheme, router, options, metadata)
        for (url, name) in [
            (made.authorizationURL, "authorization URL" as Bytes), (made.deviceURL, "device URL"),
            (made.values.tokenURLBytes, "token URL"),
        ] where !url.isEmpty && EndpointURL.isSecure(url) == nil {
            throw failure(scheme, "the \(name) must be an http or https URL without a user name", .url)
        }
        if made.authorizationURL.storage.contains(UInt8(ascii: "#")) {
            throw failure(scheme, "the authorization URL has a fragment", .url)
        }
        return made
    }

    private init(
        _ client: ClientCore, _ scheme: AuthScheme, _ router: Router, _ options: LoginOptions, _ metadata: AuthorizationMetadata
    ) {
        func first(_ candidates: Bytes...) -> Bytes { candidates.first { !$0.isEmpty } ?? Bytes() }
        self.client = client
        self.scheme = scheme
        self.router = router
        redirectURL = options.redirectURL
        authorizationURL = first(options.authorizationURL, metadata.authorizationURL, scheme.authorizationURL)
        deviceURL = first(options.deviceURL, metadata.deviceURL, scheme.deviceURL)
        issuer = metadata.issuer
        requiresIssuer = metadata.namesIssuer
        values = options.values
        values.tokenURLBytes = first(values.tokenURLBytes, metadata.tokenURL, scheme.tokenURL)
        if values.scopeBytes.isEmpty { values.scopeBytes = scheme.scope }
    }

    static func failure(_ scheme: AuthScheme, _ why: Bytes, _ status: Status = .credential) -> Failure {
        Failure(status, "the login for \"\(scheme.name.printable)\" failed: \(why)") { $0.parameter = scheme.name }
    }

    func failure(_ why: Bytes, _ status: Status = .credential) -> Failure { Self.failure(scheme, why, status) }

    // MARK: Browser

    /// The URL for the browser.  Each call begins a new login with a new state and a new verifier.
    ///
    /// - Throws: `argument` without an authorization URL, a token URL or a redirect URL; `internal` without random numbers.
    package func begin() throws(Failure) -> Bytes {
        if authorizationURL.isEmpty {
            throw failure("the description names no authorization URL: set it, or the issuer", .argument)
        }
        if values.tokenURLBytes.isEmpty {
            throw failure("the description names no token URL: set it, or the issuer", .argument)
        }
        if redirectURL.isEmpty { throw failure("it requires a redirect URL", .argument) }
        state = try Self.random()
        verifier = try Self.random()
        var query: [(Bytes, Bytes)] = [
            ("response_type", "code"), ("client_id", values.clientIdBytes), ("redirect_uri", redirectURL), ("state", state),
            ("code_challenge", Base64.encodeForURL(SHA256.digest(verifier))), ("code_challenge_method", "S256"),
        ]
        if !values.scopeBytes.isEmpty { query.append(("scope", values.scopeBytes)) }
        query += TokenRequest.targets(scheme, values)
        let separator: Bytes = authorizationURL.storage.contains(UInt8(ascii: "?")) ? "&" : "?"
        return "\(authorizationURL)\(separator)\(TokenRequest.encoded(query))"
    }

    /// Exchanges the code for tokens and sets the credential.  `redirected` is the URL of the redirect, or its query.
    ///
    /// - Throws: `credential` for a wrong state, a refusal, or a missing code; the failures of performing.
    package func finish(_ redirected: Bytes) throws(Failure) {
        if state.isEmpty { throw failure("it has not begun, or has ended: begin it again", .argument) }
        let found = Self.parameters(redirected)
        guard let given = found["state"], Self.isSame(given, state) else {
            throw failure(
                "the state in the redirect is not that of this login: the redirect may belong to another login, or be forged")
        }
        let used = verifier
        state = Bytes()
        verifier = Bytes()
        if let named = found["iss"], !issuer.isEmpty, named != issuer {
            throw failure("the redirect comes from another issuer than that of the metadata")
        }
        if requiresIssuer && found["iss"] == nil {
            throw failure("the redirect does not name its issuer, as the metadata promises")
        }
        if let error = found["error"] {
            let isWord = error.count <= 40 && error.storage.allSatisfy { ASCII.isIdentifier($0) }
            throw failure("the service refused it\(isWord ? ": \(error)" as Bytes : "")")
        }
        guard let code = found["code"], !code.isEmpty, code.count <= 16 << 10 else {
            throw failure("the redirect has neither a code nor an error")
        }
        try take(
            TokenRequest.Grant(
                "authorization_code",
                [("code", code), ("redirect_uri", redirectURL), ("code_verifier", used)]
                    + TokenRequest.targets(scheme, values)), [code, used])
    }

    /// Whether a redirect has the state of this login, for a program that also receives other requests.
    package func isOwn(_ redirected: Bytes) -> Bool {
        guard !state.isEmpty, let given = Self.parameters(redirected)["state"] else { return false }
        return Self.isSame(given, state)
    }

    /// The parameters of the query of a URL, or of a query without a URL; the first one of several with the same name.
    private static func parameters(_ redirected: Bytes) -> [Bytes: Bytes] {
        let reference = URIReference(redirected)
        let query = reference.query ?? (reference.scheme == nil ? redirected : Bytes())
        var found: [Bytes: Bytes] = [:]
        for pair in query.split(on: UInt8(ascii: "&")).prefix(100) {
            let end = pair.storage.firstIndex(of: UInt8(ascii: "=")) ?? pair.count
            func decoded(_ part: ArraySlice<UInt8>) -> Bytes {
                Bytes(part).storage.withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
            }
            let name = decoded(pair.storage[..<end])
            if found[name] == nil { found[name] = decoded(pair.storage[min(end &+ 1, pair.count)...]) }
        }
        return found
    }

    // MARK: Password and client credentials

    /// Requests tokens for the user and the password of the options or, without a user, for the client.
    ///
    /// - Throws: `argument` without a token URL; `credential` for a refusal; the failures of performing.
    package func request() throws(Failure) {
        if values.tokenURLBytes.isEmpty {
            throw failure("the description names no token URL: set it, or the issuer", .argument)
        }
        try accept(client.answer(TokenRequest.exchange(scheme, values), scheme), [])
    }

    // MARK: Requests

    /// Sends the grant, and sets the credential of the client.  A failure does not contain any part of the request.
    func take(_ grant: TokenRequest.Grant, _ secrets: [Bytes]) throws(Failure) {
        let answer = try client.answer(TokenRequest.exchange(values.tokenURLBytes, grant, values), scheme)
        try accept(answer, secrets)
    }

    func accept(_ answer: Answer, _ secrets: [Bytes]) throws(Failure) {
        let token: Token
        do throws(Failure) { token = try TokenDocument.read(answer, scheme, secrets + values.secrets) } catch {
            throw error.with {
                let why = $0.message.after("could not be refreshed: ")
                if let why { $0.message = self.failure(why).message }
            }
        }
        var credential = values
        credential.tokenBytes = token.value
        credential.lifetimeMilliseconds = token.lifetimeMilliseconds
        if let refresh = token.refresh { credential.refreshTokenBytes = refresh }
        try client.setCredential(scheme.name, credential, of: router)
    }

    /// 32 random bytes in Base64 for URLs.
    private static func random() throws(Failure) -> Bytes {
        var bytes = [UInt8](repeating: 0, count: 32)
        let code = bytes.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { csystem_random_bytes($0, buffer.count) } ?? 0
        }
        if code != 0 { throw Failure(.internal, "the system has no random numbers (errno \(Int(code)))") }
        return Base64.encodeForURL(Bytes(bytes))
    }

    /// Compares in constant time, so that the duration does not reveal a common prefix.
    private static func isSame(_ one: Bytes, _ other: Bytes) -> Bool {
        if one.count != other.count { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(one.storage, other.storage) { difference |= left ^ right }
        return difference == 0
    }
}

extension Bytes {
    /// The bytes after the first occurrence of a string; nil if it does not occur.
    fileprivate func after(_ part: Bytes) -> Bytes? {
        guard count >= part.count else { return nil }
        for start in 0...(count &- part.count) where storage[start..<(start &+ part.count)].elementsEqual(part.storage) {
            return Bytes(storage[(start &+ part.count)...])
        }
        return nil
    }
}

extension ClientCore {
    /// Performs a request for tokens or metadata, without credentials, retries and redirects, and without hooks, which could record a secret.
    func answer(_ exchange: Exchange, _ scheme: AuthScheme) throws(Failure) -> Answer {
        var policy = pool.policy
        var rules = policy.rules
        rules.retry.limit = 0
        rules.followsRedirects = false
        policy.rules = rules
        if policy.deadlineMilliseconds < 0 { policy.deadlineMilliseconds = ClientOptions.Default.deadlineMilliseconds }
        do { return try pool.perform(exchange, policy) } catch {
            throw Login.failure(scheme, error.message, error.status).with {
                $0.curlCode = error.fields.curlCode
                $0.httpStatus = error.fields.httpStatus
            }
        }
    }
}
