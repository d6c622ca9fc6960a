// Links: URLs of responses as requests of their operations, with credentials only for the same origin.

import Routable
import Testing

private enum Shop: API {
    static let name = "shop"
    static let base = "https://shop.example/v1"
    static var resources: [AnyResource] { [AnyResource(Tea.self)] }
    static var tea: ResourceCollection<Tea> { collection() }
}

private enum Tea: Readable, Listable, Creatable {
    static let name = "tea"
    static let path = "teas"
    struct Model: Codable, Sendable { var name: String }
}

private let response = APIResponse(
    status: 201,
    headers: [
        HeaderField("Location", "/v1/teas/7"),
        HeaderField("Link", "</v1/teas?page=2>; rel=next, <https://cdn.example/x>; rel=image"),
    ],
    body: #"{"find":"/v1/teas/{id}","self":"7"}"#, outcome: .raw, typeName: "", url: "https://shop.example/v1/teas")

@Suite("Links in Swift")
struct LinksTests {
    @Test(
        "matched to their operations",
        arguments: [
            (LinkPlace.location, "https://shop.example/v1/teas/7", "tea", "read"),
            (.relation("next"), "https://shop.example/v1/teas?page=2", "tea", "list"),
            (.relation("image"), "https://cdn.example/x", "", "follow"),
            (.pointer("/self"), "https://shop.example/v1/7", "", "follow"),
            (.url("/v1/teas"), "https://shop.example/v1/teas", "tea", "list"),
        ])
    func matched(_ place: LinkPlace, _ url: String, _ route: String, _ operation: String) throws {
        let request = try Shop.follow(place, of: response).makeRequest()
        #expect(request.url.bytes.string == url)
        #expect(request.route.bytes.string == route)
        #expect(request.operation.bytes.string == operation)
    }

    @Test("of templates, with other methods, and without an API")
    func others() throws {
        var link = Shop.follow(.pointer("/find"), of: response)
        link.values = ["id": "a b"]
        #expect(try link.makeRequest().url.bytes == "https://shop.example/v1/teas/a%20b")
        var create = Shop.follow(.url("/v1/teas"))
        create.method = .post
        #expect(try create.makeRequest().operation.bytes == "create")
        let bare = try FollowedLink(.location, of: response).makeRequest(base: "https://shop.example")
        #expect(bare.url.bytes == "https://shop.example/v1/teas/7")
        #expect(!bare.isElsewhere)
    }

    @Test(
        "refused with a sentence",
        arguments: [
            (LinkPlace.relation("last"), "response", "the response has no Link header with the relation \"last\""),
            (.pointer("/none"), "response", "the response has no URL at /none"),
            (.url("ftp://x/"), "url", "not an http or https URL"),
        ])
    func refused(_ place: LinkPlace, _ status: String, _ message: String) {
        do throws(Failure) {
            _ = try Shop.follow(place, of: response).makeRequest()
            Issue.record("it was made")
        } catch {
            #expect("\(error.status)" == status)
            #expect(error.message.string.contains(message), "\(error.message.string)")
        }
    }

    @Test("the credential stays within the origin")
    func credential() async throws {
        let transport = TestTransport(body: #"{"name":"oolong"}"#)
        let client = Client(transport: transport, credential: .bearer("s3cret"))
        #expect(try await client.perform(Shop.follow(.location, of: response), as: Tea.Model.self).name == "oolong")
        try await client.response(to: Shop.follow(.relation("image"), of: response))
        #expect(transport.requests.map { $0.header("Authorization") != nil } == [true, false])
    }
}
