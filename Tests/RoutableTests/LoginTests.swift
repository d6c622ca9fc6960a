// Logins of OAuth 2 in Swift, the password grant, and the tokens of each refresh.

import FaultService
import Foundation
import Routable
import Testing

private let service = Result { try FaultService(script: "auth_service.py") }

private enum Guarded: API {
    static let name = "guarded"
    static let base = "http://127.0.0.1:1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "base": "http://127.0.0.1:1",
         "auth": {"app": {"scheme": "oauth2", "scope": "read", "default": true}},
         "operations": {"report": {"get": "/secret/{realm}"}, "count": {"get": "/count/{realm}", "auth": false}}}
        """#

    static func call(_ name: String, _ realm: String) -> Endpoint<Untyped> { endpoint(name, realm, returning: Untyped.self) }
}

@Suite("Logins")
struct LoginTests {
    @Test("a login by a browser sets the credential, and rejects another state")
    func browser() async throws {
        let base = try service.get().base
        let client = try Client(Guarded.self, base: base)
        let login = try await client.login(
            "app", clientID: "me", redirectURL: "http://127.0.0.1:2/done", issuer: "\(base)/issuer/swift-login")
        let url = try login.begin()
        let parts = URLComponents(string: url)
        let state = try #require(parts?.queryItems?.first { $0.name == "state" }?.value)
        #expect(parts?.queryItems?.first { $0.name == "code_challenge" }?.value?.count == 43)
        await #expect(throws: Failure.self) { try await login.finish(redirected: "?code=c&state=other") }
        try await login.finish(redirected: "http://127.0.0.1:2/done?code=c&state=\(state)")
        #expect(try await client.response(to: Guarded.call("report", "swift-login")).status == 200)
        #expect(try client.storedCredential("app")?.token == "swift-login-2")
    }

    @Test("a login by a code waits for the user")
    func device() async throws {
        let base = try service.get().base
        let client = try Client(Guarded.self, base: base)
        let login = try await client.login("app", clientID: "me", issuer: "\(base)/issuer/swift-device")
        let code = try await login.device()
        #expect(code.code == "ABCD-EFGH" && code.completeURL == nil && code.interval == .seconds(1))
        try await login.wait()
        #expect(try await client.response(to: Guarded.call("report", "swift-device")).status == 200)
    }

    @Test("a user and a password are sent to the token endpoint, and the tokens of the refresh are told")
    func password() async throws {
        let base = try service.get().base
        let client = try Client(Guarded.self, base: base)
        let told = Told()
        var credential = Credential.user("ann", password: "p w").notifying { told.add($0) }
        credential.tokenURL = "\(base)/token/swift-password?rotate&life=60"
        credential.audience = "api"
        try client.setCredential("app", credential)
        #expect(try await client.response(to: Guarded.call("report", "swift-password")).status == 200)
        let count = try await client.response(to: Guarded.call("count", "swift-password")).text
        #expect(count.contains("audience=api grant_type=password password=p w scope=read username=ann"))
        #expect(told.all.map { [$0.scheme, $0.token, $0.refreshToken] } == [["app", "swift-password-2", "swift-password-r2"]])
        #expect(told.all.first?.hasRotated == true && told.all.first?.expiresIn == .seconds(60))
        #expect(!told.all.map { "\($0)" }.joined().contains("swift-password"))
    }
}

private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var tokens: [Tokens] = []
    func add(_ one: Tokens) { lock.withLock { tokens.append(one) } }
    var all: [Tokens] { lock.withLock { tokens } }
}
