// docs/statements.md, L: the typed routes of article 002.

import FaultService
import Foundation
import Routable
import Testing

struct Todo: Codable, Equatable, Sendable {
    var id: Int
    var title: String
}

struct GetTodo: Route {
    typealias Response = Todo
    static let path: RoutePath = "todos"
    let todo: Todo
    var pathParameters: PathParameters { [todo.id] }
}

struct CreateTodo: Route {
    typealias RequestBody = Todo
    typealias Response = Todo
    static let method = HTTPMethod.post
    static let path: RoutePath = "todos"
    static let requiresAuth = true
    var requestBody: Todo?
    var queryParameters: Parameters { ["notify": true] }
}

struct DeleteTodo: Route {
    static let method = HTTPMethod.delete
    static let path: RoutePath = "todos/{id}"
    let id: Int
    var pathParameters: PathParameters { ["id": id] }
}

struct PutPicture: Route {
    static let method = HTTPMethod.put
    static let path: RoutePath = "users/{user}/pictures/{number}"
    let values: PathParameters
    var pathParameters: PathParameters { values }

    func makeRequest(base: String?) throws(Failure) -> APIRequest {
        let request = try standardRequest(base: base)
        try request.setBody(Bytes([0x89, 0x50]), contentType: "image/png")
        return request
    }
}

struct Payment: Codable, Equatable, Sendable {
    var amount: Foundation.Decimal
}

struct Pay: Route {
    typealias RequestBody = Payment
    typealias Response = Payment
    static let method = HTTPMethod.post
    static let path: RoutePath = "payments"
    let amount: String
    var requestBody: Payment? { Foundation.Decimal(string: amount).map { Payment(amount: $0) } }
}

private let base = "https://h/v1"
private let todo = Todo(id: 7, title: "tea")

/// The failure of a call that must fail.
func failure<Success>(_ call: () async throws(Failure) -> Success) async -> Failure? {
    do throws(Failure) {
        _ = try await call()
        return nil
    } catch { return error }
}

private enum Shelves: API {
    static let name = "shelves"
    static let base = "https://api.test"
    static let resources = [AnyResource(Book.self), AnyResource(Page.self)]
    static var book: ResourceCollection<Book> { collection(Book.self) }
    static var page: ResourceCollection<Page> { collection(Page.self) }

    enum Book: Resource, Listable, Readable, Deletable {
        static let name = "book"
        static let path = "books"
        struct Model: Codable, Sendable { var title: String }
    }
    enum Page: Resource, Readable {
        static let name = "page"
        static let path = "pages"
    }
}

@Suite("Typed routes say what goes out and what comes back")
struct RouteTests {
    @Test("L1, L6: GetTodo has a path parameter from the todo, no query and no body")
    func L1_L6_get() throws {
        #expect(line(GetTodo(todo: todo), base: base) == "GET https://h/v1/todos/7")
        #expect(GetTodo.method == .get && !GetTodo.requiresAuth)
    }

    @Test("A10: a route or a resource whose model is decoded from JSON asks for JSON; a text, data, and no body are not JSON")
    func A10_models() async throws {
        struct GetText: Route {
            typealias Response = String
            static let path: RoutePath = "text"
        }
        struct GetData: Route {
            typealias Response = Data
            static let path: RoutePath = "text"
        }
        struct GetOwn: Route {
            typealias Response = Todo
            static let path: RoutePath = "text"
            var headers: Parameters { ["Accept": "application/vnd.todo+json"] }
        }
        func accept(_ convertible: some RequestConvertible) throws -> String? {
            try convertible.makeRequest(base: "https://api.test").headerFields.first { $0.name == "Accept" }?.value.string
        }
        #expect(try accept(GetTodo(todo: Todo(id: 1, title: ""))) == "application/json")
        #expect(try accept(DeleteTodo(id: 1)) == nil)
        #expect(try accept(GetText()) == nil)
        #expect(try accept(GetData()) == nil)
        #expect(try accept(GetOwn()) == "application/vnd.todo+json")
        #expect(try accept(Shelves.book.list()) == "application/json")
        #expect(try accept(Shelves.book("1").read()) == "application/json")
        #expect(try accept(Shelves.book("1").delete()) == nil)
        #expect(try accept(Shelves.page("1").read()) == nil)
        // What comes is compared with nothing, as without a header.
        let transport = TestTransport { _ in
            Answer(status: 200, headers: [HeaderField("Content-Type", "text/html")], body: #"{"title": "a"}"#)
        }
        let response = try await Client(transport: transport).response(to: Shelves.book("1").read())
        #expect(response.deviations.isEmpty)
    }

    @Test("L2: NoBody sends no body, and of such an answer no byte is read")
    func L2_empty() async throws {
        #expect(line(DeleteTodo(id: 3), base: base) == "DELETE https://h/v1/todos/3")
        let transport = TestTransport(body: "this is not JSON")
        try await Client(base: base, transport: transport).perform(DeleteTodo(id: 3))
        #expect(transport.requests.map { $0.body } == [nil])
        struct Nothing: Route {
            typealias RequestBody = NoBody
            static let method = HTTPMethod.post
            static let path: RoutePath = "nothing"
            var requestBody: NoBody? { NoBody() }
        }
        #expect(line(Nothing(), base: base) == "POST https://h/v1/nothing")
        let error = await failure { () throws(Failure) in
            try await Client(base: base, transport: TestTransport(status: 500, body: "x")).perform(DeleteTodo(id: 3))
        }
        #expect(error?.status == .httpStatus && error?.fields.httpStatus == 500)
    }

    @Test(
        "a Decimal keeps its digits, out and in",
        arguments: ["99999999999999.99", "12345678901234567890.123456789", "0.1", "7"])
    func decimals(amount: String) async throws {
        let request = try Pay(amount: amount).makeRequest(base: base)
        #expect(request.body?.bytes.string == "{\"amount\":\(amount)}")
        let transport = TestTransport(body: "{\"amount\":\(amount)}")
        let answer = try await Client(base: base, transport: transport).perform(Pay(amount: amount))
        #expect(answer.amount == Foundation.Decimal(string: amount))
    }

    @Test("L3: without a request object there is no body and no Content-Type")
    func L3_nil() { #expect(line(CreateTodo(requestBody: nil), base: base) == "POST https://h/v1/todos?notify=1") }

    @Test("L4: path and query parameters may be left out")
    func L4_defaults() {
        struct All: Route {
            typealias Response = [Todo]
            static let path: RoutePath = "todos"
        }
        #expect(line(All(), base: base) == "GET https://h/v1/todos")
    }

    @Test("L5: path, then query, then a JSON body; a route may make its own")
    func L5_request() {
        #expect(
            line(CreateTodo(requestBody: todo), base: base)
                == #"POST https://h/v1/todos?notify=1 Content-Type: application/json; {"id":7,"title":"tea"}"#)
        let picture = PutPicture(values: ["number": 2, "user": "a/b"])
        let request = try? picture.makeRequest(base: base)
        #expect(request?.url.bytes.string == "https://h/v1/users/a%2Fb/pictures/2")
        #expect(request?.body?.bytes.storage == [0x89, 0x50])
        #expect(request?.headerFields.map { "\($0.name): \($0.value)" } == ["Content-Type: image/png"])
    }

    @Test("L7: perform needs no code for each route, decodes, and has one type of error")
    func L7_perform() async throws {
        let transport = TestTransport(body: #"{"id":7,"title":"tea"}"#)
        let client = Client(base: base, transport: transport)
        #expect(try await client.perform(GetTodo(todo: todo)) == todo)
        #expect(transport.requests.map { "\($0.method) \($0.url)" } == ["GET https://h/v1/todos/7"])
        let wrong = await failure { () throws(Failure) in
            try await Client(base: base, transport: TestTransport(body: #"{"id":"x","title":"tea"}"#)).perform(
                GetTodo(todo: todo))
        }
        #expect(wrong?.status == .response && wrong?.fields.pointer == "/id")
        #expect(wrong?.fields.response?.body.bytes.string == #"{"id":"x","title":"tea"}"#)
        let empty = await failure { () throws(Failure) in
            try await Client(base: base, transport: TestTransport()).perform(GetTodo(todo: todo))
        }
        #expect(empty?.status == .response)
        let refused = await failure { () throws(Failure) in try await Client(transport: transport).perform(GetTodo(todo: todo))
        }
        #expect(refused?.status == .url)
        #expect(transport.requests.count == 1)
    }

    @Test("L8: a route that requires auth fails before the network without a credential")
    func L8_auth() async throws {
        let transport = TestTransport(body: #"{"id":7,"title":"tea"}"#)
        let error = await failure { () throws(Failure) in
            try await Client(base: base, transport: transport).perform(CreateTodo(requestBody: todo))
        }
        #expect(error?.status == .credential && transport.requests.isEmpty)
        let client = Client(base: base, transport: transport, credential: .bearer("secret"))
        #expect(try await client.perform(CreateTodo(requestBody: todo)) == todo)
        #expect(transport.requests.map { $0.header("authorization") } == ["Bearer secret"])
        let basic = Client(base: base, transport: transport, credential: .basic(user: "Aladdin", password: "open sesame"))
        _ = try await basic.perform(GetTodo(todo: todo))
        #expect(transport.requests.last?.header("Authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let broken = Client(base: base, transport: transport, credential: .bearer("a\r\nX: y"))
        #expect(await failure { () throws(Failure) in try await broken.perform(GetTodo(todo: todo)) }?.status == .header)
        #expect(transport.requests.count == 2)
    }

    @Test("L9: path parameters are appended in order, or bound by name; missing and unknown names are refused")
    func L9_names() {
        struct Three: Route {
            static let path: RoutePath = "a/{x}"
            let pathParameters: PathParameters
        }
        #expect(line(Three(pathParameters: [1, "b c", "d"]), base: base) == "GET https://h/v1/a/1/b%20c/d")
        #expect(line(Three(pathParameters: ["x": 1]), base: base) == "GET https://h/v1/a/1")
        #expect(line(Three(pathParameters: [:]), base: base) == "id: perform: id missing: x; expected: x")
        #expect(line(Three(pathParameters: ["y": 1]), base: base) == "id: perform: no id \"y\"; did you mean \"x\"?")
        #expect(line(Three(pathParameters: []), base: base).hasPrefix("id: perform: "))
    }
}

@Suite("Transports carry requests and are cancelled")
struct TransportTests {
    private func clients() throws -> [Client] {
        let base = try FaultService.shared.get().base
        return [
            Client(base: base, transport: try EngineTransport.make()), Client(base: base, transport: URLSessionTransport()),
        ]
    }

    private struct Faults: Route {
        struct Response: Decodable, Equatable, Sendable { var name: String }
        static let path: RoutePath = "faults"
        let pathParameters: PathParameters
    }

    @Test("L7: engine and URLSession give the same outcomes")
    func L7_outcomes() async throws {
        for client in try clients() {
            #expect(try await client.perform(Faults(pathParameters: ["ok"])) == .init(name: "a"))
            let missing = await failure { () throws(Failure) in try await client.perform(Faults(pathParameters: ["not-found"]))
            }
            #expect(missing?.status == .httpStatus && missing?.fields.httpStatus == 404)
            #expect(missing?.fields.response?.body.bytes == #"{"name":"gone"}"#)
            let broken = await failure { () throws(Failure) in try await client.perform(Faults(pathParameters: ["nothing"])) }
            #expect(broken?.status == .transfer)
        }
    }

    @Test("What goes out is what was built")
    func echo() async throws {
        for client in try clients() {
            let endpoint = Social.user("a b").statuses.create(parameters: ["t": "é"]).header("X-One", "1")
            let response = try await client.response(to: endpoint)
            let echo = try JSONSerialization.jsonObject(with: Data(response.body.buffer)) as? [String: Any]
            #expect(echo?["method"] as? String == "POST")
            #expect(echo?["target"] as? String == "/users/a%20b/statuses")
            #expect((echo?["body"] as? String) == "t=%C3%A9")
        }
    }

    @Test("A cancelled task ends at once, and the next request works")
    func cancelled() async throws {
        for client in try clients() {
            let begun = AsyncStream<Void>.makeStream()
            try client.observe { event in if event.kind == .attempt { begun.continuation.yield() } }
            let task = Task {
                await failure { () throws(Failure) in try await client.perform(Faults(pathParameters: ["never"])) }
            }
            for await _ in begun.stream { break }
            task.cancel()
            #expect(await task.value?.status == .cancelled)
            #expect(try await client.perform(Faults(pathParameters: ["ok"])) == .init(name: "a"))
        }
    }

    @Test("Many at once do not wait for a thread each")
    func many() async throws {
        struct Busiest: Route {
            typealias Response = Int
            static let path: RoutePath = "busiest"
        }
        let client = try clients()[0]
        _ = try await client.perform(Busiest())  // starts the counter
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { try await client.perform(Faults(pathParameters: ["slow", 200])).name } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(names == Array(repeating: "a", count: 32))
        // With a blocked thread for each request, there would be at most one request for each processor at a time.
        let atOnce = try await client.perform(Busiest())
        #expect(atOnce > 16)
    }

    @Test("A deadline is a timeout")
    func deadline() async throws {
        for var client in try clients() {
            client.deadline = .milliseconds(200)
            let error = await failure { () throws(Failure) in try await client.perform(Faults(pathParameters: ["never"])) }
            #expect(error?.status == .timeout)
        }
    }

    @Test("Models of resources: what is sent and what is read")
    func models() async throws {
        let transport = TestTransport { (request) throws(Failure) in
            if request.method == "DELETE" { return Answer(status: 204) }
            if request.url.hasSuffix("/users") && request.method == "GET" {
                return Answer(status: 200, body: #"[{"username":"a"},{"username":"b","age":3}]"#)
            }
            return Answer(status: 200, body: request.body?.string ?? #"{"username":"read"}"#)
        }
        let client = Client(transport: transport)
        #expect(try await client.perform(Social.user.list()) == [.init(username: "a"), .init(username: "b", age: 3)])
        #expect(try await client.perform(Social.user("x").read()) == .init(username: "read"))
        #expect(try await client.perform(Social.user.create(.init(username: "c", age: 4))) == .init(username: "c", age: 4))
        try await client.perform(Social.post("1").delete())
        let response = try await client.perform(Social.post.get("1"))
        #expect(response.status == 200)
        #expect(
            transport.requests.map { "\($0.method) \($0.url.dropFirst(Social.base.count)) \($0.body?.string ?? "-")" } == [
                "GET users -", "GET users/x -", #"POST users {"age":4,"username":"c"}"#, "DELETE posts/1 -", "GET posts/1 -",
            ])
    }
}
