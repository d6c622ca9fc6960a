// OAuth 2 logins in a browser or with a code (docs/auth.md).

internal import Foundation
internal import RoutableClient
public import RoutableCore

/// An OAuth 2 login with a user; `Client.login` returns it.
///
///     let login = try await client.login("service", clientID: "app", redirectURL: "http://127.0.0.1:8765/")
///     print("open", try login.begin())
///     try await login.finish(redirected: url)     // the URL of the redirect
///
/// The library does not open a browser or listen for the redirect.
public final class OAuthLogin: @unchecked Sendable {
    /// The code and the URL that a program shows to the user of a device.
    public struct DeviceCode: Sendable {
        /// The code that the user enters.
        public let code: String
        /// The URL at which the user enters the code.
        public let url: String
        /// The URL that contains the code, for a QR code; nil if the service sends none.
        public let completeURL: String?
        /// The lifetime of the code.
        public let expiresIn: Duration
        /// The time between two calls of `poll`.
        public let interval: Duration
    }

    // Only used in the queue, because its calls block until the service responds.
    private let login: Login
    private let queue: DispatchQueue

    fileprivate init(_ login: Login, _ queue: DispatchQueue) {
        self.login = login
        self.queue = queue
    }

    /// Returns the URL for the browser, with a new state and a new PKCE challenge.  Each call begins a new login.
    public func begin() throws(Failure) -> String {
        try queue.sync { Result { () throws(Failure) in try login.begin() } }.get().string
    }

    /// Checks the state in the URL of the redirect, or in its query, exchanges the code for tokens, and sets the credential.
    ///
    /// - Throws: `credential` for a wrong state and for a refusal, with the response of the service; errors of the transfer.
    public func finish(redirected: String) async throws(Failure) {
        try await Self.run(queue) { () throws(Failure) in try self.login.finish(Bytes(redirected)) }
    }

    /// Requests a code that the user enters on another device (RFC 8628).  Each call begins a new login.
    public func device() async throws(Failure) -> DeviceCode {
        try await Self.run(queue) { () throws(Failure) in
            let made = try self.login.beginDevice()
            return DeviceCode(
                code: made.userCode.bytes.string, url: made.url.bytes.string,
                completeURL: made.completeURL.bytes.isEmpty ? nil : made.completeURL.bytes.string,
                expiresIn: .milliseconds(made.lifetimeMilliseconds), interval: .milliseconds(made.intervalMilliseconds))
        }
    }

    /// Requests the token once.  Returns nil if the credential is set, and otherwise the delay until the
    /// next call.
    public func poll() async throws(Failure) -> Duration? {
        try await Self.run(queue) { () throws(Failure) in try self.login.poll().map { .milliseconds($0) } }
    }

    /// Polls until the user has entered the code.
    ///
    /// - Throws: `credential` for a refusal and for an expired code; `cancelled` if the task is cancelled; errors of the transfer.
    public func wait() async throws(Failure) {
        while let time = try await poll() {
            do { try await Task.sleep(for: time) } catch { throw Failure(.cancelled, "the login was cancelled") }
        }
    }

    fileprivate static func run<Value: Sendable>(
        _ queue: DispatchQueue, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }

    fileprivate static func make(_ client: ClientCore, _ options: LoginOptions) async throws(Failure) -> OAuthLogin {
        let queue = DispatchQueue(label: "routable.login")
        return try await run(queue) { () throws(Failure) in OAuthLogin(try Login.make(client, options), queue) }
    }
}

extension Client {
    /// Creates an OAuth 2 login in a browser or with a code, for a scheme of the API of the client, or of `router`.  The login sets the
    /// credential of the scheme.
    ///
    /// - Parameters:
    ///   - clientID: the client id of the program.
    ///   - clientSecret: the client secret of the program; empty for a program that cannot keep a secret.
    ///   - redirectURL: the URL to which the service redirects the browser after the login, for `OAuthLogin.begin`.
    ///   - scope: replaces the scope in the description, as `audience` and `resource` do.
    ///   - issuer: reads the metadata of this issuer (OpenID Connect Discovery, RFC 8414), or at this URL.
    ///   - discovers: whether to read the metadata of the issuer that the description names.
    ///   - authorizationURL: replaces the URL of the metadata and the description, as `deviceURL` and `tokenURL` do.
    ///   - sendsSecretInBody: whether the secret is sent in the body of token requests.
    /// - Throws: `argument`, `url`; `credential` and errors of the transfer for the metadata.
    public func login(
        _ scheme: String, clientID: String, clientSecret: String = "", redirectURL: String = "", scope: String = "",
        audience: String = "", resource: String = "", issuer: String = "", discovers: Bool = false,
        authorizationURL: String = "", deviceURL: String = "", tokenURL: String = "", sendsSecretInBody: Bool = false,
        of router: APIRouter? = nil
    ) async throws(Failure) -> OAuthLogin {
        var options = LoginOptions()
        options.scheme = Bytes(scheme)
        options.router = router
        options.values.clientIdBytes = Bytes(clientID)
        options.values.clientSecretBytes = Bytes(clientSecret)
        options.values.scopeBytes = Bytes(scope)
        options.values.audienceBytes = Bytes(audience)
        options.values.resourceBytes = Bytes(resource)
        options.values.tokenURLBytes = Bytes(tokenURL)
        options.values.sendsSecretInBody = sendsSecretInBody
        options.redirectURL = Bytes(redirectURL)
        options.authorizationURL = Bytes(authorizationURL)
        options.deviceURL = Bytes(deviceURL)
        options.issuer = Bytes(issuer)
        options.discovers = discovers
        return try await OAuthLogin.make(try connected(), options)
    }
}
