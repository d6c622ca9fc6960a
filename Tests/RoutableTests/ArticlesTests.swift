// The code of the five articles, each with the call site of the article, or a similar one if its libraries require it, and with the one of
// this library.  docs/from-the-articles.md shows both.

import Foundation
import FoundationNetworking
import Routable
import RoutablePresentation
import Testing

// --- 000: Rethinking routers with protocols ---

/// The spelling of the article: nested types, `get(params:)`, `create(parameters:)`.
private enum Router: API {
    static let base = "https://private-85a46-routable.apiary-mock.com/"
    static var resources: [AnyResource] { [AnyResource(User.self), AnyResource(Status.self)] }

    enum User: Readable, Creatable, Deletable, Updatable {
        static let path = "users"
    }

    enum Status: Readable, Creatable, Deletable {
        static let path = "statuses"
    }
}

/// The spelling of this library: children and accessors are declared once.
private enum Network: RootedAPI {
    static let name = "social"
    static let base = "https://private-85a46-routable.apiary-mock.com/"
    struct Resources: ResourceList { let user = Child<Person>() }
}

private enum Person: Readable, Creatable, Deletable, Updatable, HasChildren {
    static let name = "user"
    static let path = "users"
    struct Children: ResourceList { let statuses = Child<Router.Status>() }
}

private func written(_ request: some RequestConvertible) throws -> String {
    let request = try request.makeRequest()
    return "\(request)\(request.body.map { " \($0)" } ?? "")"
}

@Suite("Article 000: Rethinking routers with protocols")
struct ProtocolArticle {
    let transport = TestTransport(body: "{}")

    @Test("Alamofire.request(Router.User.get(params: \"2\")): get, create, update and delete of the article")
    func article() async throws {
        let client = Client(Router.self, transport: transport)
        try await client.perform(Router.User.get(params: "2"))
        try await client.perform(Router.User.create(parameters: ["a": 1]))
        try await client.perform(Router.User.update(params: "2", parameters: ["a": "b"]))
        try await client.perform(Router.Status.delete(params: "3"))
        let sent = transport.requests.map {
            "\($0.method) \($0.url.split(separator: "/").suffix(2).joined(separator: "/")) \($0.body?.string ?? "-")"
        }
        // In the article, the method is always GET, and create ignores its parameters.
        #expect(
            sent == [
                "GET users/2 -", "POST private-85a46-routable.apiary-mock.com/users a=1", "PUT users/2 a=b",
                "DELETE statuses/3 -",
            ])
    }

    @Test("[String: Any] of the article, a dictionary of one type, or a literal of several")
    func parameters() throws {
        let any: [String: Any] = ["name": "Ann", "age": 7, "on": true, "tags": ["a", "b"], "place": ["city": "Köln"]]
        #expect(
            try Router.User.create(parameters: any).makeRequest(in: Router.self).body?.bytes
                == "age=7&name=Ann&on=1&place%5Bcity%5D=K%C3%B6ln&tags%5B%5D=a&tags%5B%5D=b")
        let read = try JSONSerialization.jsonObject(with: Data(#"{"n":1,"r":1.5,"t":true,"s":"x","none":null}"#.utf8))
        let members = try Parameters(any: #require(read as? [String: Any])).members
        #expect(members.map(\.name) == ["n", "none", "r", "s", "t"])
        #expect("\(members.map(\.value))" == "\([1, .null, 1.5, "x", true] as [Value])")
        #expect(throws: Failure.self) { _ = try Parameters(any: ["queue": DispatchQueue.main]) }
        let wrong: [String: Any] = ["queue": DispatchQueue.main]
        #expect(throws: Failure.self) { _ = try Router.User.create(parameters: wrong) }
        #expect(throws: Failure.self) { _ = try Router.User.update(params: "2", parameters: wrong) }
        let typed = ["name": "Ann", "city": "Köln"]
        #expect(try Router.User.create(parameters: typed).makeRequest(in: Router.self).body?.bytes == "city=K%C3%B6ln&name=Ann")
        #expect(
            try Router.User.create(parameters: ["n": 1, "on": true]).makeRequest(in: Router.self).body?.bytes == "n=1&on=1")
    }

    @Test("nested routes, which the article announces: /posts/:post_id/comments/:comment_id")
    func nested() throws {
        #expect(
            try written(Network.user("initFabian").statuses.get("2"))
                == "GET https://private-85a46-routable.apiary-mock.com/users/initFabian/statuses/2")
    }

    @Test("any value of an id is accepted, as it is at compile time in the article")
    func ids() throws {
        for id in ["a/b", "ä", "a b", "%", "?", "#", "a.b", "~"] {
            #expect(throws: Never.self) { try Network.user.get(id).makeRequest() }
        }
    }
}

// --- 001: A router enum for URLRequests ---

private enum NumberRouter: EnumRouter {
    case testCall
    case generalPost([String: any Sendable])
    case getUserData(Int)
    case deleteSomething(Int)

    static let base = "https://example.com/api"

    var method: HTTPMethod {
        switch self {
        case .testCall, .getUserData: .get
        case .generalPost: .post
        case .deleteSomething: .delete
        }
    }

    var path: RoutePath? {
        switch self {
        case .testCall: nil
        case .generalPost: "generalPostPath"
        case .getUserData(let number): "getUserDataPath/\(number)"
        case .deleteSomething(let number): "deleteSomethingPath/\(number)"
        }
    }

    var parameters: Parameters? {
        get throws(Failure) { if case .generalPost(let values) = self { try Parameters(any: values) } else { nil } }
    }
}

@Suite("Article 001: A router enum for URLRequests")
struct EnumArticle {
    @Test("var urlRequest = try Router.testCall.asURLRequest(), whose body is set afterwards")
    func article() throws {
        var urlRequest = try NumberRouter.testCall.asURLRequest()
        urlRequest.httpBody = Data("set afterwards".utf8)
        #expect(urlRequest.url?.absoluteString == "https://example.com/api" && urlRequest.httpMethod == "GET")
        #expect(
            try NumberRouter.getUserData(5).asURLRequest().url?.absoluteString == "https://example.com/api/getUserDataPath/5")
        #expect(try NumberRouter.deleteSomething(7).asURLRequest().httpMethod == "DELETE")
        #expect(
            try written(NumberRouter.generalPost(["token": "x y"]))
                == "POST https://example.com/api/generalPostPath token=x%20y")
        let values: [String: any Sendable] = ["token": "x y", "tries": 3]
        #expect(
            try written(NumberRouter.generalPost(values))
                == "POST https://example.com/api/generalPostPath token=x%20y&tries=3")
        #expect(throws: Failure.self) { try NumberRouter.generalPost(["queue": DispatchQueue.main]).makeRequest() }
    }
}

// --- 002: Typed routes ---

private struct ArticleTodo: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

private struct GetTodoRoute: Route {
    typealias RequestBody = Empty
    typealias Response = ArticleTodo
    static let method = HTTPMethod.get
    static let path: RoutePath = "todos"
    let todo: ArticleTodo
    var pathParameters: PathParameters { [todo.id] }
}

private let articleVersion = 2

private struct PutArticleTodo: Route {
    typealias Response = ArticleTodo
    static let method = HTTPMethod.put
    // An interpolated path with a parameter.
    static let path: RoutePath = "api/\(articleVersion)/todos/{id}"
    let todo: ArticleTodo
    var requestBody: ArticleTodo? { todo }
    var pathParameters: PathParameters { ["id": todo.id] }
}

private struct Placed: Route {
    typealias Response = ArticleTodo
    // The parameter is before the interpolated value.
    static let path: RoutePath = "{id}/api/\(articleVersion)"
    let ids: [Int]
    var pathParameters: PathParameters { PathParameters(ids) }
}

private struct TodoService {
    let client: Client
    func getTodo(_ todo: ArticleTodo) async throws(Failure) -> ArticleTodo {
        try await client.perform(GetTodoRoute(todo: todo))
    }
}

@Suite("Article 002: Typed routes")
struct TypedArticle {
    let transport = TestTransport(body: #"{"id": 7, "title": "tea"}"#)

    @Test("the service asks the router for a todo, and its type is that of the route")
    func article() async throws {
        let service = TodoService(client: Client(base: "https://example.com", transport: transport))
        #expect(try await service.getTodo(ArticleTodo(id: 7, title: "?")) == ArticleTodo(id: 7, title: "tea"))
        #expect(transport.requests.map { "\($0)" } == ["GET https://example.com/todos/7"])
    }

    @Test("a static path with an interpolated value takes parameters by name and by position")
    func paths() async throws {
        let client = Client(base: "https://example.com", transport: transport)
        _ = try await client.perform(PutArticleTodo(todo: ArticleTodo(id: 7, title: "tea")))
        _ = try await client.perform(Placed(ids: [7]))
        _ = try await client.perform(Placed(ids: [7, 8]))
        #expect(
            transport.requests.suffix(2).map { $0.url } == ["https://example.com/7/api/2", "https://example.com/7/api/2/8"])
        #expect(
            transport.requests.prefix(1).map { "\($0) \($0.body?.string ?? "")" } == [
                #"PUT https://example.com/api/2/todos/7 {"id":7,"title":"tea"}"#
            ])
    }
}

// --- 003: Featherweight router ---

@Suite("Article 003: Featherweight router")
struct ScreensArticle {
    @Test("a junction of a stack and a route; the initial path selects the screens")
    func article() throws {
        nonisolated(unsafe) var calls: [String] = []
        func presenter(_ name: Bytes) -> Presenter<String, String> {
            Presenter(
                name, presentable: { () throws(Failure) in name.string },
                setChild: { (child: String) throws(Failure) in calls.append("\(name) shows \(child)") },
                setChildren: { (children: [String]) throws(Failure) in
                    calls.append("\(name) has \(children.joined(separator: " "))")
                })
        }
        func router(_ name: Bytes) -> Presentation<String, String> { Presentation(presenter(name)) }
        let app = try router("tabs").junction([
            router("navigation").stack([
                router("welcome").route(
                    "welcome", children: [router("register").route("welcome/register"), router("login").route("welcome/login")])
            ]),
            router("about").route("about"),
        ])
        _ = try app.set("welcome/login")
        #expect(calls == ["tabs has navigation about", "navigation has welcome login", "tabs shows navigation"])
        #expect(try app.handles("about") && !app.handles("nothing"))
        // Patterns, as in the article.
        let animals = try router("animal").route("animal", children: [router("kind").route("animal/\\w+")])
        #expect(try animals.stack("animal/mammal") == ["animal", "kind"])
    }
}

// --- 004: Fetchable and MappingResult ---

private struct UserModel: Fetchable, Decodable, Sendable, Equatable {
    let firstName: String
    enum CodingKeys: String, CodingKey { case firstName = "first_name" }
}

private enum Users: EnumRouter {
    case getUser(id: Int)
    static let base = "http://www.example.com"
    var method: HTTPMethod { .get }
    var path: RoutePath? {
        switch self {
        case .getUser(let id): "api/user/\(id)"
        }
    }
}

@Suite("Article 004: Fetchable and MappingResult")
struct FetchableArticle {
    @Test(
        "the four cases",
        arguments: [
            (#"{"first_name": "Ann"}"#, "asSelf"), (#"{"a": {"first_name": "Ann"}}"#, "asDictionary"),
            (#"[{"first_name": "Ann"}]"#, "asArray"),
            (#"{"error": 1}"#, "raw"),
        ])
    func cases(body: String, name: String) async throws {
        let client = Client(transport: TestTransport(body: body))
        let found = Locker("")
        await UserModel.fetch(
            Users.getUser(id: 1200), over: client,
            onSuccess: { result in
                if case let .asSelf(model) = result { #expect(model.firstName == "Ann") }
                found.set(String("\(result)".prefix { $0 != "(" }))
            }, onError: { error in Issue.record("\(error)") }
        ).value
        #expect(found.value == name)
    }
}

private final class Locker: @unchecked Sendable {
    private let lock = NSLock()
    private var text: String
    init(_ text: String) { self.text = text }
    var value: String { lock.withLock { text } }
    func set(_ text: String) { lock.withLock { self.text = text } }
}
