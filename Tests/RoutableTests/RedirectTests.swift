// Redirects over every transport: the client follows them by its own rules, and no secret is sent to another origin.

import FaultService
import Foundation
import FoundationNetworking
import Routable
import Testing

private let first = Result { try FaultService(script: "auth_service.py") }
private let second = Result { try FaultService.shared.get() }

/// A redirect of the first service.
private struct Redirect: Route {
    static let path: RoutePath = "redirect"
    let target: String
    var queryParameters: Parameters { ["to": target] }
    var headers: Parameters { ["Cookie": "id=secret"] }
}

private struct Faults: Route {
    static let path: RoutePath = "faults"
    let name: String
    var pathParameters: PathParameters { [name] }
}

private struct Moved: Route {
    typealias RequestBody = String
    static let method = HTTPMethod.post
    static let path: RoutePath = "moved/{status}/echo"
    let status: Int
    var pathParameters: PathParameters { ["status": status] }
    var requestBody: String? { "tea" }
}

/// A delegate that would follow every redirect.
private final class Follows: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(request) }
}

/// Responds with another URL than the requested one.
private final class Elsewhere: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = URL(string: "http://other.example/"),
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("{}".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

private func transports() throws -> [any Transport] {
    [
        try EngineTransport.make(), URLSessionTransport(),
        URLSessionTransport(URLSession(configuration: .ephemeral, delegate: Follows(), delegateQueue: nil)),
    ]
}

@Suite("Redirects over the engine and over URLSession")
struct RedirectTests {
    @Test("Another origin sees neither the credential nor a cookie", arguments: ["Authorization", "X-Team-Key"])
    func otherOrigin(_ header: String) async throws {
        let target = try second.get().base + "/echo"
        for transport in try transports() {
            let client = Client(base: try first.get().base, transport: transport, credential: .header(header, "secret"))
            let response = try await client.response(to: Redirect(target: target))
            #expect(response.status == 200 && response.url.bytes.string == target, "\(transport)")
            #expect(response.body.bytes.string.contains("/echo") && !response.body.bytes.string.contains("secret"))
        }
    }

    @Test("No message shows the header of a credential, whatever its name")
    func masked() async throws {
        let client = Client(base: "http://h.example", transport: TestTransport(), credential: .header("X-Team-Key", "secret"))
        try await client.with { (request, next) async throws(Failure) in
            #expect(request.headers["X-Team-Key"] == "secret")
            #expect(String(reflecting: request).contains("X-Team-Key: ***"), "\(String(reflecting: request))")
            return try await next(request)
        }.response(to: Faults(name: "ok"))
    }

    @Test("The same origin sees the credential")
    func sameOrigin() async throws {
        for transport in try transports() {
            let base = try first.get().base
            let client = Client(base: base, transport: transport, credential: .bearer("secret"))
            let response = try await client.response(to: Redirect(target: base + "/echo"))
            #expect(response.body.bytes.string.contains("Bearer secret"), "\(transport)")
        }
    }

    @Test("A client that does not follow redirects returns the redirect as an error, and asks nobody else")
    func notFollowed() async throws {
        for transport in try transports() {
            let client = Client(base: try second.get().base, transport: transport).overriding { $0.followsRedirects = false }
            let error = await failure { () throws(Failure) in try await client.response(to: Faults(name: "redirect")) }
            #expect(
                error?.status == .httpStatus && error?.fields.httpStatus == 302, "\(transport): \(String(describing: error))")
            #expect(error?.fields.response?.headers.value(of: "Location") == "/faults/ok")
        }
    }

    @Test("The number of redirects is bounded, by the same error")
    func bounded() async throws {
        var errors: [String] = []
        for transport in try transports() {
            let client = Client(base: try second.get().base, transport: transport).overriding { $0.maximumRedirects = 3 }
            let error = await failure { () throws(Failure) in try await client.response(to: Faults(name: "redirect-loop")) }
            errors.append(error?.description ?? "none")
        }
        #expect(Set(errors).count == 1 && errors[0].contains("3"), "\(errors)")
    }

    @Test("A session that follows a redirect in a way of its own is an error")
    func ownWay() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Elsewhere.self]
        let transport = URLSessionTransport(URLSession(configuration: configuration))
        let client = Client(base: "http://elsewhere.example", transport: transport, credential: .bearer("secret"))
        let error = await failure { () throws(Failure) in try await client.response(to: Faults(name: "ok")) }
        #expect(error?.status == .unsupported, "\(String(describing: error))")
    }

    @Test("307 repeats the method and the body, 302 and 303 become GET")
    func methods() async throws {
        for transport in try transports() {
            let client = Client(base: try second.get().base, transport: transport)
            for (status, method) in [(302, "GET"), (303, "GET"), (307, "POST")] {
                let echo = try await client.response(to: Moved(status: status)).body.bytes.string
                #expect(echo.contains("\"method\": \"\(method)\""), "\(transport) \(status) \(echo)")
                #expect(echo.contains("tea") == (method == "POST"))
            }
        }
    }
}
