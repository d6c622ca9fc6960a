// Responses in pages, and their items, as asynchronous sequences.

import FaultService
import Routable
import Testing

private enum Shop: EnumRouter {
    case things(query: String), order

    static let base = "http://shop.example/v1"
    var method: HTTPMethod { if case .order = self { .post } else { .get } }
    var path: RoutePath? { "things" }
    var parameters: Parameters? { if case .things(let query) = self { ["q": query] } else { nil } }
}

/// Seven items, two on a page, in the pagination that the path's query selects.
private func service() -> TestTransport {
    TestTransport { (request) throws(Failure) in
        let items = request.url.split(separator: "?", maxSplits: 1).dropFirst().joined().split(separator: "&")
        func value(_ name: String) -> Int? {
            items.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        let first = value("offset") ?? value("cursor") ?? ((value("page") ?? 1) - 1) * 2
        let page = (first..<max(first, min(first + 2, 7))).map { "\($0)" }.joined(separator: ",")
        let isLast = first + 2 >= 7
        let link = HeaderField("Link", "</v1/things?q=a&page=\(Bytes("\((value("page") ?? 1) + 1)"))>; rel=\"next\"")
        return Answer(
            status: 200, headers: isLast ? [] : [link],
            body: #"{"d":[\#(page)],"n":\#(isLast ? "null" : "\(first + 2)")}"#)
    }
}

@Suite("Pages in Swift: a sequence of responses")
struct PagesTests {
    @Test(
        "all ways",
        arguments: [
            (Pagination.link(), 4), (.cursor(at: "/n", parameter: "cursor"), 4), (.page(parameter: "page", items: "/d"), 5),
            (.offset(parameter: "offset", items: "/d"), 5),
        ])
    func allWays(_ pagination: Pagination, _ count: Int) async throws {
        let transport = service()
        let client = Client(transport: transport)
        var bodies: [String] = []
        for try await page in client.pages(of: Shop.things(query: "a"), by: pagination) {
            bodies.append(page.body.bytes.string)
        }
        #expect(bodies.count == count, "\(bodies)")
        #expect(bodies.first?.hasPrefix(#"{"d":[0,1]"#) == true)
        #expect(bodies[3].hasPrefix(#"{"d":[6]"#))
        #expect(transport.requests.allSatisfy { $0.url.hasPrefix("http://shop.example/v1/things?q=a") })
    }

    @Test("bounds, and what is refused")
    func bounds() async throws {
        let client = Client(transport: service())
        var count = 0
        for try await _ in client.pages(of: Shop.things(query: "a"), by: .link(), maximumPages: 2) { count += 1 }
        #expect(count == 2)
        for try await _ in client.pages(of: Shop.things(query: "a"), by: .link(), maximumPages: 0) { count += 1 }
        #expect(count == 2)
        await #expect { for try await _ in client.pages(of: Shop.order, by: .link()) {} } throws: {
            ($0 as? Failure)?.status == .document
        }
        let circle = Client(transport: TestTransport(headers: [HeaderField("Link", "<?q=a>; rel=next")], body: "[]"))
        await #expect { for try await _ in circle.pages(of: Shop.things(query: "a"), by: .link()) { count += 1 } } throws: {
            ($0 as? Failure)?.status == .response
        }
        #expect(count == 3)
    }
}

/// The service of the pages as a declared API, with the pagination of its description.
private enum Things: API {
    static let name = "things"
    static let base = "http://things.example"
    static var resources: [AnyResource] { [AnyResource(Thing.self)] }
    static let document = #"""
        {"routable": 1, "name": "things", "base": "http://things.example",
         "auth": {"key": {"scheme": "bearer", "default": true}},
         "resources": {"thing": {"path": "link", "can": ["list"],
                                 "operations": {"list": {"pagination": {"by": "link"}}}}},
         "operations": {
           "cursor": {"get": "/cursor", "query": {"cursor": {}},
                      "pagination": {"by": "cursor", "at": "/meta/next", "parameter": "cursor", "items": "/data"}},
           "offset": {"get": "/offset", "query": {"offset": {}, "limit": {"type": "integer", "maximum": 100}},
                      "pagination": {"by": "offset", "parameter": "offset", "size": "limit", "items": "/items"}},
           "elsewhere": {"get": "/elsewhere", "pagination": {"by": "link"}},
           "seen": {"get": "/seen/{key}"}}}
        """#

    static func list(_ name: String) -> Endpoint<[Thing.Model]> { endpoint(name, returning: [Thing.Model].self) }
}

private enum Thing: Listable {
    static let name = "thing"
    static let path = "link"
    struct Model: Codable, Sendable, Equatable { var id: Int }
}

private let pagesService = Result { try FaultService(script: "pages_service.py") }

@Suite("Pages and items with the pagination of the description")
struct DescribedPagesTests {
    private func client() throws -> Client {
        let client = try Client(Things.self, base: pagesService.get().base)
        try client.setCredential("key", .token("secret"))
        return client
    }

    private func ids(_ items: PagedItems<Thing.Model>) async throws(Failure) -> [Int] {
        var ids: [Int] = []
        for try await item in items { ids.append(item.id) }
        return ids
    }

    @Test("Items are at the pointer of the pagination, of the description or of the call")
    func pointer() async throws {
        let client = try client()
        #expect(try await ids(client.items(of: Things.list("cursor"))) == [1, 2, 3, 4, 5, 6, 7])
        let given = Pagination.cursor(at: "/meta/next", parameter: "cursor", items: "/data")
        #expect(try await ids(client.items(of: Things.list("cursor"), by: given)) == [1, 2, 3, 4, 5, 6, 7])
        #expect(try await ids(client.items(of: Things.list("cursor").header("X-A", 1), as: Thing.Model.self)).count == 7)
    }

    @Test("A call that begins at a resource goes to the API of the client")
    func placed() async throws {
        let client = try client()
        #expect(try await ids(client.items(of: Thing.list())) == [1, 2, 3, 4, 5, 6, 7])
        var pages = 0
        for try await page in client.pages(of: Thing.list().configured { (_) throws(Failure) in }) {
            pages += page.status == 200 ? 1 : 0
        }
        #expect(pages == 4)
    }

    @Test("The size of a page and the maximum of items are kept")
    func sizes() async throws {
        let client = try client()
        #expect(try await ids(client.items(of: Things.list("offset"), maximumItems: 5, pageSize: 3)) == [1, 2, 3, 4, 5])
        #expect(try await ids(client.items(of: Things.list("offset"), maximumItems: 0)) == [])
        var queries: [String] = []
        for try await page in client.pages(of: Things.list("offset"), maximumItems: 5, pageSize: 3) {
            queries.append(page.url.bytes.string.split(separator: "?").last.map { String($0) } ?? "")
        }
        #expect(queries == ["limit=3", "limit=3&offset=3"])
        for size in [101, 0, -1] {
            let refusal = await failure { () throws(Failure) in
                try await ids(client.items(of: Things.list("offset"), pageSize: size))
            }
            #expect(refusal?.status == .value)
        }
    }

    @Test("A page at another origin is refused, or read without credentials")
    func otherOrigin() async throws {
        let client = try client()
        let endpoint = Things.list("elsewhere").parameters([.init(name: "key", value: .text("swift-elsewhere"))])
        let refusal = await failure { () throws(Failure) in try await ids(client.items(of: endpoint)) }
        #expect(refusal?.status == .url)
        #expect(try await ids(client.items(of: endpoint, followsOtherOrigins: true)) == [1, 2, 3, 4, 5, 6, 7])
        let seen: Endpoint<[[String?]]> = Things.endpoint("seen", "swift-elsewhere", returning: [[String?]].self)
        let authorizations = try await client.perform(seen).map { $0[1] }
        #expect(authorizations == ["Bearer secret", "Bearer secret", nil, nil, nil])
    }

    @Test("A page without the array, and an item of another type, are errors with the response")
    func misfits() async throws {
        for (body, word) in [(#"{"data": 7}"#, "array"), (#"{"data": [{"id": "x"}]}"#, "Model")] {
            let client = Client(Things.self, transport: TestTransport(body: body))
            try client.setCredential("key", .token("secret"))
            let refusal = await failure { () throws(Failure) in try await ids(client.items(of: Things.list("cursor"))) }
            #expect(refusal?.status == .response && refusal?.fields.response?.text == body)
            #expect(refusal?.message.string.contains(word) == true, "\(String(describing: refusal))")
        }
    }
}
