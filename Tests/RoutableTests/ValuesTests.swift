import Foundation
import Routable
import Testing

private enum Shop: API {
    static let name = "shop"
    static let base = "https://shop.example"
    static var resources: [AnyResource] { [AnyResource(Order.self)] }
    static var order: ResourceCollection<Order> { collection() }
    static let document = #"""
        {"routable": 1, "name": "shop", "base": "https://shop.example", "auth": {"key": {"scheme": "key", "in": "query", "name": "key"}},
         "resources": {"order": {"path": "orders", "can": ["list", "read", "create", "update"]}},
         "operations": {"search": {"get": "/search", "query": {"since": {}, "state": {}, "link": {}, "most": {}, "key": {}}}}}
        """#
}

private enum Order: Listable, Readable, Creatable, Updatable {
    typealias ID = UUID
    static let name = "order"
    static let path = "orders"
}

private enum Archive: API {
    static let base = "https://archive.example"
    static var resources: [AnyResource] { [AnyResource(Repository.self)] }
    static var repositories: ResourceCollection<Repository> { collection() }
}

private enum Repository: Creatable, Updatable {
    struct New: Encodable { let name: String }
    struct Change: Encodable { let comment: String }
    typealias Body = New
    typealias UpdateBody = Change
    static let path = "repos"
}

private enum Search: API {
    static let name = "search"
    static let base = "https://shop.example"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "search", "version": "1"}, "servers": [{"url": "https://shop.example"}],
         "paths": {"/search": {"get": {"operationId": "search", "responses": {},
          "parameters": [{"name": "filter", "in": "query", "style": "deepObject", "schema": {"type": "object"}}]}}}}
        """#
}

private enum State: String, ValueConvertible { case open, closed }
private enum Level: Int, ValueConvertible { case low = 1 }
private struct Filter: Encodable, Sendable {
    var price: Decimal
    var colour: String?
    var size = 3
}

private let id = UUID(uuidString: "0E984725-C51C-4BF4-9960-E1C80E27ABA0") ?? UUID()

@Suite("Types of Swift and Foundation as values")
struct ValuesTests {
    @Test("a UUID is an id")
    func ids() throws {
        #expect(
            try Shop.order.get(id).makeRequest().url.bytes == "https://shop.example/orders/0E984725-C51C-4BF4-9960-E1C80E27ABA0"
        )
    }

    @Test("create and update have bodies of different types")
    func bodies() throws {
        let new = try Archive.repositories.create(Repository.New(name: "a"))
        #expect(try new.makeRequest().body?.bytes == #"{"name":"a"}"#)
        let change = try Archive.repositories.update("a", Repository.Change(comment: "c"))
        #expect(try change.makeRequest().body?.bytes == #"{"comment":"c"}"#)
    }

    @Test("dates, URLs, enums and decimals are query parameters")
    func query() throws {
        let endpoint = Shop.endpoint("search").query("since", Date(timeIntervalSince1970: 0)).query("state", State.open)
            .query("link", URL(string: "https://a/b?c")).query("most", Decimal(string: "12345678901234567890.5"))
        #expect(
            try endpoint.makeRequest().url.bytes
                == "https://shop.example/search?since=1970-01-01T00%3A00%3A00Z&state=open&link=https%3A%2F%2Fa%2Fb%3Fc&most=12345678901234567890.5"
        )
    }

    @Test("a second value of a query parameter replaces the first one")
    func again() throws {
        let endpoint = Shop.endpoint("search").query("state", "a").query("state", "b")
        #expect(try endpoint.makeRequest().url.bytes == "https://shop.example/search?state=b")
        let router = try Shop.opened()
        #expect(
            try router.call(operation: "search").query("state", "a").query("state", "b").makeRequest().url.bytes
                == "https://shop.example/search?state=b")
    }

    @Test("a Codable value and a dictionary are query parameters")
    func objects() throws {
        let encoded = try Search.endpoint("search").query("filter", encoding: Filter(price: 9.5))
        #expect(try encoded.makeRequest().url.bytes == "https://shop.example/search?filter%5Bprice%5D=9.5&filter%5Bsize%5D=3")
        let dictionary = Search.endpoint("search").query("filter", ["b": 2, "a": 1])
        #expect(try dictionary.makeRequest().url.bytes == "https://shop.example/search?filter%5Ba%5D=1&filter%5Bb%5D=2")
    }

    @Test("dictionaries of strings and Codable values are parameters, by name")
    func parameters() throws {
        let form = ["b": "2", "a": "x y"]
        #expect(try Shop.order.create(parameters: form).makeRequest().body?.bytes == "a=x%20y&b=2")
        #expect(try Order.update(id, parameters: form).makeRequest(in: Shop.self).body?.bytes == "a=x%20y&b=2")
        #expect(try Shop.order(id).update(parameters: form).makeRequest().body?.bytes == "a=x%20y&b=2")
        #expect(try Shop.order.create(parameters: ["b": "2", "a": 1]).makeRequest().body?.bytes == "a=1&b=2")
        #expect(
            try Shop.order.create(parameters: Parameters(encoding: Filter(price: 1, colour: "red"))).makeRequest().body?.bytes
                == "colour=red&price=1&size=3")
        let levels: [String: Level] = ["l": .low]
        #expect(try Shop.order.create(parameters: levels).makeRequest().body?.bytes == "l=1")
        let error = #expect(throws: Failure.self) { try Parameters(encoding: [1, 2]) }
        #expect(error?.status == .body && error?.message.string.contains("Array<Int>") == true)
    }

    @Test("numbers of every width")
    func numbers() {
        #expect(
            "\(UInt64.max.routableValue) \(UInt(7).routableValue) \(Int32.min.routableValue) \(Float(0.1).routableValue)"
                == "18446744073709551615 7 -2147483648 0.1")
        #expect(
            "\(Optional<Int>.none.routableValue) \("ab".dropFirst().routableValue) \(true.routableValue)" == #"null "b" true"#)
    }
}

@Suite("How values print")
struct PrintingTests {
    @Test("requests, URLs and endpoints")
    func requests() throws {
        let endpoint = Shop.order(id).endpoint("read")
        #expect("\(endpoint)" == #"order.read("0E984725-C51C-4BF4-9960-E1C80E27ABA0")"#)
        #expect("\(Shop.order.list())" == "order.list()")
        #expect("\(Shop.endpoint("search"))" == "search()")
        let request = try Shop.order.list().makeRequest()
        #expect("\(request)" == "GET https://shop.example/orders")
        #expect("\(request.url)" == "https://shop.example/orders")
        #expect("\(HTTPMethod.get) \("users/\("a b")/x" as RoutePath)" == "GET users/a b/x")
    }

    @Test("no secret is printed")
    func secrets() throws {
        let request = try Shop.endpoint("search").query("key", "hidden").makeRequest()
        #expect("\(request)" == "GET https://shop.example/search?key=***")
        let name = "Authorization"
        try request.setHeader(name, "Bearer hidden")
        try request.setHeader("Cookie", "hidden")
        for text in ["\(request)", String(reflecting: request), "\(request.headerFields)"] {
            #expect(!text.contains("hidden"), "\(text)")
        }
        let response = APIResponse(
            status: 200, headers: [HeaderField("Set-Cookie", "hidden"), HeaderField("X-One", "1")], body: "{}")
        #expect("\(response)" == "200, 2 bytes")
        #expect(String(reflecting: response) == "200\nSet-Cookie: ***\nX-One: 1\n\n{}")
        let sent = TransportRequest(method: "GET", url: "https://h/p?key=hidden", headers: [HeaderField(name, "hidden")])
        #expect("\(sent)" == "GET https://h/p?***")
        let names = ["X-Team-Key": "***", "Session": "***", "X-Keyboard": "1", "WWW-Authenticate": "1"]
        for (name, shown) in names { #expect("\(HeaderField(Bytes(name), "1"))" == "\(name): \(shown)") }
        #expect("\(Credential.token("hidden"))\(HeaderCredential.bearer("hidden"))" == "Credential(***)HeaderCredential(***)")
        #expect(!String(reflecting: Credential.token("hidden")).contains("hidden"))
        var text = ""
        dump(Credential.token("hidden"), to: &text)
        #expect(!text.contains("hidden"), "\(text)")
    }

    @Test("errors")
    func errors() {
        let error = Failure(.unknown, "there is no such route")
        #expect("\(error)" == "unknown: there is no such route")
        #expect("\(Failure(.notAllowed, "no"))" == "not_allowed: no")
    }
}
