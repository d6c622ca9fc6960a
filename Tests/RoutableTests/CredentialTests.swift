// The credentials of a client in Swift: every scheme, new tokens with a lifetime, and the API that they belong to.

import FaultService
import Foundation
import Routable
import Testing

private let service = Result { try FaultService(script: "auth_service.py") }

/// The schemes of a description for the service that issues tokens.
private enum Guarded: API {
    static let name = "guarded"
    static let base = "http://127.0.0.1:1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "base": "http://127.0.0.1:1",
         "auth": {"session": {"scheme": "bearer"}, "login": {"scheme": "basic"}, "page": {"scheme": "oauth2"},
                  "header": {"scheme": "key", "name": "X-Key"}, "query": {"scheme": "key", "in": "query", "name": "key"},
                  "cookie": {"scheme": "key", "in": "cookie", "name": "sid"}},
         "operations": {
           "report": {"get": "/secret/{realm}", "auth": "page"},
           "count": {"get": "/count/{realm}"},
           "session": {"get": "/echo/session", "auth": "session"}, "login": {"get": "/echo/login", "auth": "login"},
           "header": {"get": "/echo/header", "auth": "header"}, "query": {"get": "/echo/query", "auth": "query"},
           "cookie": {"get": "/echo/cookie", "auth": "cookie"}}}
        """#

    static func call(_ name: String, _ realm: String? = nil) -> Endpoint<Untyped> {
        if let realm { return endpoint(name, realm, returning: Untyped.self) }
        return endpoint(name, returning: Untyped.self)
    }
}

@Suite("Credentials of each scheme")
struct SchemeTests {
    @Test("a user, and keys in a header, the query and a cookie, go where the scheme says")
    func places() async throws {
        let client = try Client(Guarded.self, base: service.get().base)
        try client.setCredential("login", .user("ann", password: "p:q"))
        for scheme in ["header", "query", "cookie"] { try client.setCredential(scheme, .token("k-7")) }
        func echo(_ name: String) async throws(Failure) -> String { try await client.response(to: Guarded.call(name)).text }
        let basic = Data("ann:p:q".utf8).base64EncodedString()
        #expect(try await echo("login").contains(#""authorization": "Basic \#(basic)""#))
        #expect(try await echo("header").contains(#""x-key": "k-7""#))
        #expect(try await echo("query").contains(#""target": "/echo/query?key=k-7""#))
        #expect(try await echo("cookie").contains(#""cookie": "sid=k-7""#))
    }

    @Test("OAuth 2 obtains tokens with the client's id and secret, and with a refresh token")
    func oauth2() async throws {
        let base = try service.get().base
        for (realm, credential, grant) in [
            ("swift-client", Credential.oauth2(clientID: "me", clientSecret: "s"), "grant_type=client_credentials"),
            ("swift-refresh", .oauth2(refreshToken: "r", clientID: "me"), "grant_type=refresh_token refresh_token=r"),
        ] {
            let client = try Client(Guarded.self, base: base)
            var credential = credential
            credential.tokenURL = "\(base)/token/\(realm)"
            try client.setCredential("page", credential)
            #expect(try await client.response(to: Guarded.call("report", realm)).status == 200)
            #expect(try client.storedCredential("page")?.token == "\(realm)-2")
            let count = try await client.response(to: Guarded.call("count", realm)).text
            #expect(count.contains(#""refreshes": 1"#) && count.contains(#""grants": ["\#(grant)"]"#), "\(count)")
        }
    }

    @Test("A refresh may give a token with a lifetime and the next refresh token")
    func newToken() async throws {
        let transport = TestTransport(body: "{}")
        let client = Client(Guarded.self, transport: transport)
        let asked = Asked()
        var credential = Credential.oauth2(refreshToken: "r-1")
        credential = credential.renewing { renewal -> Credential.NewToken in
            let number = await asked.next()
            return Credential.NewToken(
                "\(renewal.refreshToken) gave t-\(number)", expiresIn: number == 1 ? .milliseconds(1) : .seconds(3600),
                refreshToken: "r-\(number + 1)")
        }
        try client.setCredential("session", credential)
        // The first token expires at once: the next request obtains the second one before it is sent.
        try await client.response(to: Guarded.call("session"))
        while (try client.storedCredential("session")?.token ?? "") != "r-2 gave t-2" {
            try await client.response(to: Guarded.call("session"))
        }
        try await client.response(to: Guarded.call("session"))
        #expect(await asked.count == 2)
        #expect(try client.storedCredential("session")?.refreshToken == "r-3")
        #expect(transport.requests.last?.header("Authorization") == "Bearer r-2 gave t-2")
        let simple = Credential().refreshing { old in Credential.NewToken("\(old)later") }
        try client.setCredential("session", simple)
        try await client.response(to: Guarded.call("session"))
        #expect(transport.requests.last?.header("Authorization") == "Bearer later")
        #expect("\(Credential.NewToken("secret", refreshToken: "secret"))" == "NewToken(***)")
    }

    @Test("A refresh token that cannot be sent is refused without being told")
    func invalid() async throws {
        let client = Client(Guarded.self, transport: TestTransport(body: "{}"))
        try client.setCredential(
            "session", Credential().refreshing { _ in Credential.NewToken("t", refreshToken: "secret\r\nX: 1") })
        let error = await failure { () throws(Failure) in try await client.response(to: Guarded.call("session")) }
        #expect(error?.status == .credential && error?.message.string.contains("secret") == false)
    }
}

@Suite("A client has credentials and events of its own, whatever its transport")
struct OwnCredentialsTests {
    @Test("Two clients over one transport share neither; copies of a client share both")
    func own() async throws {
        let transports: [any Transport] = [try EngineTransport.make(), URLSessionTransport(), TestTransport(body: "{}")]
        for transport in transports {
            let base = try service.get().base
            let ann = Client(Guarded.self, base: base, transport: transport)
            let bob = Client(Guarded.self, base: base, transport: transport)
            let seenByAnn = Asked(), seenByBob = Asked()
            try ann.observe { if $0.kind == .end { seenByAnn.add() } }
            try bob.observe { if $0.kind == .end { seenByBob.add() } }
            try ann.setCredential("session", .token("of-ann"))
            #expect(try bob.storedCredential("session") == nil, "\(transport)")
            let refusal = await failure { () throws(Failure) in try await bob.response(to: Guarded.call("session")) }
            #expect(refusal?.status == .credential)
            let copy = ann.overriding { $0.retries = 0 }
            let echo = try await copy.response(to: Guarded.call("session")).text
            #expect(transport is TestTransport || echo.contains("Bearer of-ann"))
            #expect(seenByAnn.told == 1 && seenByBob.told == 0)
            #expect(await failure { () throws(Failure) in try copy.observe { _ in } }?.status == .argument)
        }
    }
}

@Suite("Cookies")
struct CookieTests {
    private struct Faults: Route {
        static let path: RoutePath = "faults/{name}"
        let name: String
        var pathParameters: PathParameters { [name] }
    }

    private struct Echo: Route { static let path: RoutePath = "echo" }

    @Test("are kept, saved, and read by the next transport")
    func saved() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("routable-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let base = try FaultService.shared.get().base
        var options = EngineTransport.Options()
        options.cookieFile = file.path
        let transport = try EngineTransport.make(options)
        let client = Client(base: base, transport: transport)
        try await client.perform(Faults(name: "cookie"))
        #expect(try await client.response(to: Echo()).text.contains("id=tea"))
        try transport.saveCookies()
        #expect(try String(contentsOf: file, encoding: .utf8).contains("tea"))
        let next = Client(base: base, transport: try EngineTransport.make(options))
        #expect(try await next.response(to: Echo()).text.contains("id=tea"))
        let none = Client(base: base, transport: try EngineTransport.make())
        try await none.perform(Faults(name: "cookie"))
        #expect(try await none.response(to: Echo()).text.contains("id=tea") == false)
    }
}

private final class Asked: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    var told: Int { lock.withLock { number } }
    var count: Int { get async { told } }
    func add() { lock.withLock { number += 1 } }
    func next() async -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }
}
