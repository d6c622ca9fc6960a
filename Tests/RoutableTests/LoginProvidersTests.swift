// Each grant of OAuth 2 in Swift against two providers, authlib and django-oauth-toolkit (A5).  If they are not installed, the tests
// return at once.

import FaultService
import Foundation
import FoundationNetworking
import Routable
import Testing

private let service = Result { try FaultService(script: "oauth_service.py") }

private enum Guarded: API {
    static let name = "provided"
    static let base = "http://127.0.0.1:1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "base": "http://127.0.0.1:1",
         "auth": {"service": {"scheme": "oauth2", "scope": "read", "default": true}},
         "operations": {"me": {"get": "/me"}}}
        """#

    static var me: Endpoint<Untyped> { endpoint("me", returning: Untyped.self) }
}

/// A provider, and a client of its service.
private struct Provider {
    let name: String
    let places: [String: String]
    let client: Client

    /// An action or a value of the user of the providers; nil if they are not installed.
    static func ask(_ path: String, _ query: [String: String] = [:]) async throws -> [String: String]? {
        var parts = try #require(URLComponents(string: "\(try service.get().base)/\(path)"))
        parts.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        let (data, response) = try await URLSession.shared.data(from: try #require(parts.url))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { return nil }
        return try JSONDecoder().decode([String: String].self, from: data)
    }

    init?(_ name: String) async throws {
        guard let places = try await Self.ask(name) else { return nil }
        self.name = name
        self.places = places
        client = try Client(Guarded.self, base: places["base"])
    }

    /// The client id for a grant, because the toolkit allows only one grant for each client.
    func identity(_ grant: String) -> String { name == "authlib" ? "app" : "app-\(grant)" }

    func set(_ credential: Credential) throws {
        var credential = credential
        credential.tokenURL = places["token_url"] ?? ""
        try client.setCredential("service", credential)
    }

    func last(_ parameter: String) async throws -> String? { try await Self.ask("\(name)/last")?[parameter] }

    func me() async throws(Failure) -> String { try await client.response(to: Guarded.me).text }
}

@Suite("Logins at two providers", .serialized)
struct LoginProvidersTests {
    @Test("the credentials of the client itself", arguments: ["authlib", "django"])
    func clientCredentials(_ name: String) async throws {
        guard let provider = try await Provider(name) else { return }
        try provider.set(.oauth2(clientID: "robot", clientSecret: "robot-secret"))
        #expect(try await provider.me().contains("ann"))
        #expect(try await provider.last("grant_type") == "client_credentials")
        try provider.set(.oauth2(clientID: "robot", clientSecret: "another"))
        await #expect { try await provider.me() } throws: { "\($0)".contains("invalid_client") && !"\($0)".contains("another") }
    }

    @Test("a password, and the refresh token, which is replaced", arguments: ["authlib", "django"])
    func password(_ name: String) async throws {
        guard let provider = try await Provider(name) else { return }
        var credential = Credential.user("ann", password: "pass word")
        credential.clientID = provider.identity("password")
        try provider.set(credential)
        #expect(try await provider.me().contains("ann"))
        #expect(try await provider.last("grant_type") == "password")
        let first = try #require(try provider.client.storedCredential("service")?.refreshToken)
        var next = Credential.oauth2(refreshToken: first, clientID: provider.identity("password"))
        next.token = "expired"
        try provider.set(next)
        #expect(try await provider.me().contains("ann"))
        #expect(try await provider.last("refresh_token") == first)
        #expect(try provider.client.storedCredential("service")?.refreshToken != first)
        next.refreshToken = "no-such-refresh-token"
        try provider.set(next)
        await #expect { try await provider.me() } throws: { "\($0)".contains("invalid_grant") && !"\($0)".contains("no-such") }
    }

    @Test("a browser, with PKCE", arguments: ["authlib", "django"])
    func browser(_ name: String) async throws {
        guard let provider = try await Provider(name) else { return }
        let login = try await provider.client.login(
            "service", clientID: "app", redirectURL: "http://127.0.0.1:8765/callback", issuer: provider.places["issuer"] ?? "")
        let url = try login.begin()
        let redirected = try #require(try await Provider.ask("\(name)/agree", ["url": url])?["location"])
        try await login.finish(redirected: redirected)
        #expect(try await provider.last("code_verifier")?.count == 43)
        #expect(try await provider.me().contains("ann"))
    }

    @Test("a code that the user enters", arguments: ["authlib", "django"])
    func device(_ name: String) async throws {
        guard let provider = try await Provider(name) else { return }
        let login = try await provider.client.login(
            "service", clientID: provider.identity("device"), issuer: provider.places["issuer"] ?? "",
            deviceURL: provider.places["device_url"] ?? "")
        let code = try await login.device()
        _ = try await Provider.ask("\(name)/enter", ["code": code.code])
        try await login.wait()
        #expect(try await provider.me().contains("ann"))
    }
}
