// Responses in pages as an asynchronous sequence.

import Routable
import Testing

private enum Shop: EnumRouter {
    case things(query: String), order

    static let base = "http://shop.example/v1"
    var method: HTTPMethod { if case .order = self { .post } else { .get } }
    var path: RoutePath? { "things" }
    var parameters: Parameters? { if case .things(let query) = self { ["q": query] } else { nil } }
}

/// Seven things, two on a page, by the way that the path's query asks for.
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
        for try await _ in client.pages(of: Shop.things(query: "a"), by: .link(), maximum: 2) { count += 1 }
        #expect(count == 2)
        for try await _ in client.pages(of: Shop.things(query: "a"), by: .link(), maximum: 0) { count += 1 }
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
