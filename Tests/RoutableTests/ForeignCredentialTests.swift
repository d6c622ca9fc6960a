// A credential belongs to one API and its origins: three APIs, three services and schemes with the same names, with redirects, links,
// pages, middleware and bases between them.  Tests/service/origins_service.py checks every request.

import FaultService
import Foundation
import Routable
import Testing

private struct Services: Sendable {
    let first: FaultService
    let hosts: [String]
    let documents: [String]

    static let shared = Result { try Services() }

    init() throws {
        first = try FaultService(script: "origins_service.py")
        let base = first.base
        func get(_ path: String) throws -> Data {
            guard let url = URL(string: base + path) else { throw CocoaError(.fileReadUnknown) }
            return try Data(contentsOf: url)
        }
        hosts = try JSONDecoder().decode([String].self, from: get("/hosts"))
        documents = try (0..<3).map { String(decoding: try get("/description/\($0)"), as: UTF8.self) }
    }

    struct Verdict: Decodable {
        let leaks: Int
        let own: Int
        let found: [String]
    }

    static func verdict() throws -> Verdict {
        guard let url = URL(string: try shared.get().first.base + "/verdict") else { throw CocoaError(.fileReadUnknown) }
        return try JSONDecoder().decode(Verdict.self, from: Data(contentsOf: url))
    }

    static func document(_ number: Int) -> String { (try? shared.get().documents[number]) ?? "" }
    static func base(_ number: Int) -> String { (try? shared.get().hosts[number]) ?? "" }
}

private protocol Numbered: API {
    static var number: Int { get }
}

extension Numbered {
    static var name: String { "service\(number)" }
    static var base: String { Services.base(number) }
    static var document: String { Services.document(number) }
    static var resources: [AnyResource] { [] }

    static func call(_ name: String) -> Endpoint<Untyped> { endpoint(name, returning: Untyped.self) }
    static func call(_ name: String, _ host: Int, _ other: Int) -> Endpoint<Untyped> {
        endpoint(name, host, other, returning: Untyped.self)
    }
}

private enum Zero: Numbered { static let number = 0 }
private enum One: Numbered { static let number = 1 }
private enum Two: Numbered { static let number = 2 }

private let apis: [any Numbered.Type] = [Zero.self, One.self, Two.self]
private let schemes = ["session", "key", "query", "cookie", "login", "signed", "service"]

private func credential(_ scheme: String, _ number: Int) -> Credential {
    let secret = "SECRET-\(number)"
    switch scheme {
    case "login": return .user("\(secret)-user", password: "\(secret)-password")
    case "service": return .oauth2(refreshToken: "\(secret)-again", clientID: "\(secret)-id", clientSecret: "\(secret)-secret")
    case "signed":
        return Credential().signing { (signing) throws(RoutableError) in
            try signing.setHeader("X-Signature", "\(secret)-signature")
        }
    default: return .token("\(secret)-\(scheme)")
    }
}

/// The way in which the API of a client's credentials is determined.
private enum Way: String, CaseIterable {
    case api, named, first, header, headerOfFirst
}

private func make(_ way: Way, _ own: any Numbered.Type, base: String? = nil) async throws -> Client {
    func typed<Service: Numbered>(_ api: Service.Type, _ header: HeaderCredential? = nil) throws -> Client {
        try Client(api, base: base, credential: header)
    }
    let header = HeaderCredential.bearer("SECRET-\(own.number)-header")
    let next = apis[(own.number + 1) % 3]
    let client: Client
    switch way {
    case .api: client = try typed(own)
    case .named: client = try typed(next)
    case .first: client = try Client(base: base)
    case .header: return try typed(own, header)
    case .headerOfFirst:
        client = try Client(base: base, credential: header)
        try await client.response(to: own.call("public"))
        return client
    }
    for scheme in schemes {
        if way == .named {
            try client.setCredential(scheme, credential(scheme, own.number), of: own)
        } else {
            try client.setCredential(scheme, credential(scheme, own.number))
        }
    }
    if way == .first { try await client.response(to: own.call("public")) }
    return client
}

@Suite("Credentials of other APIs", .serialized)
struct ForeignCredentialTests {
    /// Whether the request was refused for its credential.
    private func perform(_ client: Client, _ call: some RequestConvertible) async throws -> Bool {
        do { try await client.response(to: call) } catch {
            #expect(!"\(error)".contains("SECRET"))
            if error.status == .credential { return true }
            if error.status != .httpStatus { throw error }
        }
        return false
    }

    @Test("no request of another API, and no other host, gets a credential", arguments: Way.allCases)
    private func matrix(way: Way) async throws {
        let before = try Services.verdict()
        // A client without an API and a base cannot follow a link without an API.
        let followsLinks = way != .first && way != .headerOfFirst
        var combinations = 0
        var refused = 0
        for own in apis {
            let client = try await make(way, own)
            for asked in apis {
                for name in schemes + ["optional", "public"] {
                    if try await perform(client, asked.call(name)) { refused += 1 }
                    combinations += 1
                }
                for host in 0..<3 {
                    for other in 0..<3 {
                        for name in ["to", "keyed", "refused"] {
                            if try await perform(client, asked.call(name, host, other)) { refused += 1 }
                        }
                        var links = client
                        try links.policy.setCredential("session", .token("SECRET-\(own.number)-given"))
                        let found = try await links.response(to: own.call("links", host, other))
                        if try await perform(client, asked.follow(.relation("next"), of: found)) { refused += 1 }
                        if followsLinks {
                            if try await perform(client, FollowedLink(.pointer("/next"), of: found)) { refused += 1 }
                            combinations += 1
                        }
                        do {
                            for try await _ in client.pages(of: asked.call("pages", host, other), followsOtherOrigins: true) {}
                        } catch { #expect(error.status == .credential) }
                        combinations += 5
                    }
                }
            }
        }
        let after = try Services.verdict()
        #expect(after.found == before.found)
        #expect(combinations == 3 * 3 * (9 + 9 * (followsLinks ? 6 : 5)))
        #expect(refused > 0)
        #expect(after.own > before.own)
    }

    @Test("a base of the program receives the credentials of one API", arguments: Way.allCases)
    private func bases(way: Way) async throws {
        let before = try Services.verdict()
        for own in apis {
            for host in 0..<3 {
                let client = try await make(way, own, base: Services.base(host) + "/trusted")
                for asked in apis {
                    for name in schemes + ["public"] { _ = try await perform(client, asked.call(name)) }
                }
            }
        }
        let after = try Services.verdict()
        #expect(after.found == before.found)
        #expect(after.own > before.own)
    }

    @Test("the header of a client with a base goes to this base alone, also with a request that was made before")
    func madeBefore() async throws {
        let before = try Services.verdict()
        for own in apis {
            for asked in apis {
                let client = try Client(base: own.base, credential: .bearer("SECRET-\(own.number)-header"))
                try await client.response(to: own.call("public"))
                let request = try asked.call("public").makeRequest(base: nil)
                try await client.perform(request)
                try await client.perform(own.call("public").makeRequest(base: Services.base((own.number + 1) % 3)))
            }
        }
        #expect(try Services.verdict().found == before.found)
    }

    @Test("a middleware that performs a request of another API has none of the credentials")
    func middleware() async throws {
        let before = try Services.verdict()
        var refused = 0
        for own in apis {
            for asked in apis {
                let request = try asked.call("session").makeRequest(base: nil)
                nonisolated(unsafe) let other = request
                let client = try await make(.api, own).with { (_, next) async throws(RoutableError) in try await next(other) }
                    .overriding { try? $0.setCredential("session", .token("SECRET-\(own.number)-given")) }
                if try await perform(client, own.call("session")) { refused += 1 }
            }
        }
        #expect(refused == 6)
        #expect(try Services.verdict().found == before.found)
    }

    @Test("the error names the scheme and both APIs")
    func names() async throws {
        let client = try Client(Zero.self)
        try client.setCredential("session", .token("SECRET-0-token"))
        var message = ""
        do { try await client.response(to: One.call("session")) } catch { message = "\(error)" }
        #expect(message.contains(#""session" belongs to the description "service0""#), "\(message)")
        #expect(message.contains(#""service1""#), "\(message)")
        #expect(throws: RoutableError.self) { try client.setCredential("sesion", .token("x")) }
        try client.setCredential("session", .token("SECRET-1-token"), of: One.self)
        #expect(try await client.response(to: One.call("session")).status == 200)
        #expect(try client.storedCredential("session")?.token == "SECRET-0-token")
        #expect(try client.storedCredential("session", of: One.self)?.token == "SECRET-1-token")
        try client.removeCredential("session")
        #expect(try client.storedCredential("session", of: One.self) == nil)
    }

    @Test("a route that requires a credential is refused at another base")
    func routes() async throws {
        struct Private: Route {
            static let path: RoutePath = "d1/public"
            static var base: String? { Services.base(1) }
            static let requiresAuth = true
        }
        let client = try Client(Zero.self, credential: .bearer("SECRET-0-header"))
        #expect(try await perform(client, Private()))
        let own = try Client(credential: .bearer("SECRET-1-header"))
        #expect(try await !perform(own, Private()))
        #expect(try Services.verdict().found == [])
    }

    @Test("a user and a password for an OAuth 2 scheme are for its token endpoint, and never sent to the API")
    func passwords() async throws {
        enum Guarded: API {
            static let name = "guarded"
            static let base = "http://127.0.0.1:1"
            static var resources: [AnyResource] { [] }
            static let document = #"""
                {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "http://127.0.0.1:1"}],
                 "security": [{"login": []}],
                 "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {
                   "password": {"tokenUrl": "/auth/token", "scopes": {}}}}}},
                 "paths": {"/me": {"get": {"operationId": "me", "responses": {"200": {"description": "x"}}}}}}
                """#
        }
        let router = try Guarded.opened()
        let client = try Client()
        try client.setCredential("login", .user("ada", password: "SECRET"), of: router)
        var message = ""
        do { try await client.perform(router.call(operation: "me")) } catch { message = "\(error)" }
        #expect(message.hasPrefix("credential: "), "\(message)")
        #expect(message.contains("could not be refreshed"), "\(message)")
        #expect(!message.contains("SECRET"))
    }
}
