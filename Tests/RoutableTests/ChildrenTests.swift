import Routable
import Testing

private enum App: RootedAPI {
    static let name = "app"
    static let base = "https://app.example"
    struct Resources: ResourceList {
        let author = Child<Author>()
        let repository = ScopedChild<Repository>()
    }
}

private enum Author: Readable, Creatable, Updatable, HasChildren {
    typealias ID = ResourceID<Author>
    static let name = "author"
    static let path = "authors"
    struct Children: ResourceList {
        let articles = Child<Article>()
        let repositories = ScopedChild<Repository>()
    }
}

private enum Article: Listable, Readable, HasChildren {
    typealias ID = IntegerID<Article>
    static let name = "article"
    static let path = "articles"
    // The children form a cycle.
    struct Children: ResourceList { let authors = Child<Author>() }
}

private enum Repository: Scoped, Readable {
    typealias Scope = String
    static let name = "repository"
    static let path = "repos"
    static var scope: [ParameterDescription] { [id(named: "owner", of: String.self)] }
    static var id: ParameterDescription { id(named: "repo") }
}

@Suite("Children that are said once")
struct ChildrenTests {
    @Test("the members of the struct are the accessors, and their list is what nests")
    func accessors() throws {
        func url(_ endpoint: some RequestConvertible) throws -> String { try endpoint.makeRequest().url.bytes.string }
        #expect(try url(App.author.get("a")) == "https://app.example/authors/a")
        #expect(try url(App.author("a").articles.list()) == "https://app.example/authors/a/articles")
        #expect(try url(App.author("a").articles(7).authors.get("b")) == "https://app.example/authors/a/articles/7/authors/b")
        #expect(try url(App.repository("o", "r").read()) == "https://app.example/repos/o/r")
        #expect(try url(App.author("a").repositories("o", "r").read()) == "https://app.example/authors/a/repos/o/r")
        #expect(try App.author("a").update(parameters: ["n": 1]).makeRequest().body?.bytes == "n=1")
        #expect(Author.children.count == 2 && Repository.children.isEmpty && App.resources.count == 2)
    }
}

private enum Router: API {
    static let name = "router"
    static let base = "https://private-85a46-routable.apiary-mock.com/"
    static var resources: [AnyResource] { [AnyResource(User.self)] }

    enum User: Readable, Creatable, Deletable, Updatable {
        static let name = "user"
        static let path = "users"
        struct Model: Codable, Sendable { var name: String }
    }
}

@Suite("A client of an API")
struct ClientOfAnAPITests {
    let transport = TestTransport(body: #"{"name": "Ann"}"#)
    var client: Client { Client(Router.self, transport: transport) }

    @Test("performs calls that begin at a resource, in the article's spelling, too")
    func resources() async throws {
        #expect(try await client.perform(Router.User.get("2")).name == "Ann")
        #expect(try await client.perform(Router.User.get(params: "3")).name == "Ann")
        _ = try await client.perform(Router.User.update(params: "4", parameters: ["a": 1]))
        _ = try await client.perform(Router.User.create(parameters: ["a": 1]))
        try await client.perform(Router.User.delete(params: "5"))
        let status = try await client.response(to: Router.User.get("6").acceptingEveryStatus).status
        let configured = Router.User.get("7").configured { (request) throws(Failure) in try request.setHeader("X-One", "1") }
        #expect(try await client.response(to: configured).status == status)
        let sent = transport.requests.map { "\($0.method) \($0.url.suffix(7)) \($0.body?.string ?? "")" }
        #expect(
            sent == [
                "GET users/2 ", "GET users/3 ", "PUT users/4 a=1", "POST m/users a=1", "DELETE users/5 ", "GET users/6 ",
                "GET users/7 ",
            ])
        #expect(transport.requests.last?.header("X-One") == "1")
    }

    @Test("without one the error says how to name the API")
    func without() async {
        do throws(Failure) {
            _ = try await Client(transport: transport).perform(Router.User.get("2"))
            Issue.record("performed")
        } catch { #expect(error.status == .argument && error.message.string.contains("Client(Social.self)")) }
    }
}
