// The types that a body is decoded as: none, string, bytes or a model, with the decoder of the client, also in errors.

import Foundation
import Routable
import Testing

private enum Shop: API {
    static let name = "shop"
    static let base = "https://shop.example"
    static var resources: [AnyResource] { [AnyResource(Tea.self)] }
    static var tea: ResourceCollection<Tea> { collection() }
}

private enum Tea: Readable, Deletable {
    static let name = "tea"
    static let path = "teas"
    struct Model: Codable, Sendable { var name: String }
}

private struct Brew: Route {
    static let path: RoutePath = "brew"
}

private struct Taste: Route {
    typealias Response = String
    static let path: RoutePath = "taste"
}

private struct Problem: Codable, Sendable, Equatable { var errorCode: Int }

private enum TeaResult: StatusResult {
    case problem(Problem)
    case undocumented(APIResponse)

    init(_ response: APIResponse) throws(Failure) {
        self = response.status == 404 ? .problem(try response.decoded(as: Problem.self)) : .undocumented(response)
    }
}

private struct Untold: Fetchable, Decodable, Sendable { var errorCode: Int }

private let json = HeaderField("Content-Type", "application/problem+json")

private func client(_ status: Int = 200, _ headers: [HeaderField] = [], body: String = "") -> Client {
    Client(base: "https://shop.example", transport: TestTransport(status: status, headers: headers, body: body))
}

@Suite("A result without a body")
struct NoBodyTests {
    private func run<Output: Decodable>(_ client: Client, _ endpoint: Endpoint<Output>) async throws(Failure) -> Output {
        try await client.perform(endpoint)
    }

    private func go<Called: Route>(_ client: Client, _ route: Called) async throws(Failure) -> Called.Response {
        try await client.perform(route)
    }

    @Test("is a success for code that is generic over the result", arguments: [(204, ""), (200, ""), (200, "no JSON")])
    func generic(_ status: Int, _ body: String) async throws {
        let client = client(status, body: body)
        #expect(try await run(client, Shop.tea("a").delete()) == NoBody())
        #expect(try await go(client, Brew()) == NoBody())
        let request = try Shop.tea("a").delete().makeRequest()
        #expect(try await client.perform(request, as: NoBody.self) == NoBody())
    }
}

@Suite("Bodies that are no models")
struct ContentTests {
    @Test("Text is the body as UTF-8, and the value of a JSON string")
    func text() async throws {
        let endpoint = Shop.tea("a").read().returning(String.self)
        let plain = HeaderField("Content-Type", "text/plain; charset=utf-8")
        for (headers, body, text) in [
            ([plain], "oolong \u{e9}", "oolong \u{e9}"), ([plain], #""oolong""#, #""oolong""#), ([], "oolong", "oolong"),
            ([json], #""a\n""#, "a\n"), ([], #""oolong""#, "oolong"), ([], "", ""), ([json], "{}", "{}"),
        ] {
            #expect(try await client(200, headers, body: body).perform(endpoint) == text)
            #expect(try await client(200, headers, body: body).perform(Taste()) == text)
        }
    }

    @Test("Bytes are the body as it is, and are not text if they are not UTF-8")
    func bytes() async throws {
        let client = Client(
            transport: TestTransport { (_) throws(Failure) in Answer(status: 200, headers: [], body: Bytes([0xFF, 0, 0x22])) })
        #expect(try await client.perform(Shop.tea("a").read().returning(Data.self)) == Data([0xFF, 0, 0x22]))
        #expect(try await client.perform(Shop.tea("a").read().returning(Bytes.self)).storage == [0xFF, 0, 0x22])
        let refusal = await failure { () throws(Failure) in
            try await client.perform(Shop.tea("a").read().returning(String.self))
        }
        #expect(refusal?.status == .response && refusal?.message.string.contains("UTF-8") == true)
        #expect(refusal?.fields.response?.data == Data([0xFF, 0, 0x22]) && refusal?.fields.response?.text == "\u{FFFD}\0\"")
    }

    @Test("A response has its body and its headers as Foundation's types")
    func response() async throws {
        let response = try await client(200, [json, HeaderField("x-a", "1")], body: "tea").response(to: Brew())
        #expect(response.headers["content-type"] == "application/problem+json" && response.headers["X-A"] == "1")
        #expect(response.headers["X-B"] == nil && response.text == "tea" && response.data == Data("tea".utf8))
    }
}

@Suite("A body that is not the model")
struct MismatchTests {
    @Test(
        "is an error with the call, the type, the place and the fault",
        arguments: [
            (#"{}"#, "the response is not Tea.Model: the member \"name\" is missing", ""),
            (#"{"name": null}"#, "the response is not Tea.Model: at /name: null, where String is expected", "/name"),
            (
                #"{"name": 3}"#, "the response is not Tea.Model: at /name: Expected to decode String but found number instead.",
                "/name"
            ),
        ] as [(String, String, Bytes)])
    func mismatch(_ body: String, _ message: String, _ pointer: Bytes) async throws {
        let error = await failure { () throws(Failure) in
            try await client(200, [json], body: body).perform(Shop.tea("a").read())
        }
        #expect(error?.message.string == message)
        #expect(error?.fields.pointer == pointer)
        #expect(error?.fields.route == "tea" && error?.fields.operation == "read")
    }

    @Test("names the type of an array, and the element")
    func list() async throws {
        let error = await failure { () throws(Failure) in
            try await client(200, [json], body: #"[{"name": "a"}, {}]"#).perform(
                Shop.tea("a").read().returning([Tea.Model].self))
        }
        #expect(error?.message == "the response is not Array<Tea.Model>: at /1: the member \"name\" is missing")
    }
}

@Suite("The decoder of the client")
struct OwnDecoderTests {
    private var snake: Client {
        var client = client(404, [json], body: #"{"error_code": 7}"#)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        client.decoder = decoder
        return client
    }

    @Test("decodes the bodies of errors")
    func errors() async throws {
        let error = await failure { () throws(Failure) in try await snake.perform(Shop.tea("a").read()) }
        #expect(error?.body(as: Problem.self) == Problem(errorCode: 7))
        #expect(error?.misfit(as: Problem.self) == nil)
        #expect(try error?.fields.response?.decoded(as: Problem.self) == Problem(errorCode: 7))
    }

    @Test("decodes responses that are decoded later, and results by status")
    func later() async throws {
        let response = try await snake.response(to: Shop.tea("a").read().acceptingEveryStatus)
        #expect(try response.decoded(as: Problem.self) == Problem(errorCode: 7))
        guard case .problem(let problem) = try await snake.perform(Shop.tea("a").read(), as: TeaResult.self) else {
            throw Failure(.internal, "404 is declared")
        }
        #expect(problem.errorCode == 7)
        guard case .asSelf(let model) = try Untold.map(response) else { throw Failure(.internal, "it is the model") }
        #expect(model.errorCode == 7)
    }

    @Test("decodes errors of streams, and what a middleware decodes")
    func streams() async throws {
        let error = await failure { () throws(Failure) in for try await _ in snake.lines(of: Shop.tea("a").read()) {} }
        #expect(error?.body(as: Problem.self)?.errorCode == 7)
        let seen = Seen()
        let client = snake.with { (request, next) async throws(Failure) in
            do throws(Failure) { return try await next(request) } catch {
                await seen.set(error.body(as: Problem.self)?.errorCode)
                return APIResponse(body: #"{"error_code": 8}"#)
            }
        }
        #expect(try await client.response(to: Shop.tea("a").read()).decoded(as: Problem.self).errorCode == 8)
        #expect(await seen.code == 7)
    }
}

private actor Seen {
    var code: Int?
    func set(_ code: Int?) { self.code = code }
}
