// Compiles a program that uses Foundation, RegexBuilder and the replacement modules together with Routable: each name has the meaning
// that it has without Routable.

import Combine
import Foundation
import RegexBuilder
import Routable
import SwiftUI
import Vapor

// --- Foundation ---

let price: Decimal = 9.5
let progress: Progress = Progress(totalUnitCount: 3)
let words = Data("words".utf8)

// --- Vapor ---

func answer(_ request: Request) -> Response {
    print(request.application)
    return Response()
}

// --- SwiftUI ---

struct Row: View {
    let user: Person.Model
    var body: Text { Text(user.name) }
}

// --- Combine and RegexBuilder ---

func nothing() -> Empty<Int, Never> { Empty() }
let word = Regex { Capture { OneOrMore(.word) } }

// --- Routable ---

enum People: API {
    static let name = "people"
    static let base = "https://people.example"
    static var resources: [AnyResource] { [AnyResource(Person.self)] }
    static var person: ResourceCollection<Person> { collection() }
}

enum Person: Readable, Listable, Creatable, Deletable {
    static let name = "person"
    static let path = "people"
    struct Model: Codable, Sendable { var name: String }
}

struct Rename: Route {
    struct RequestBody: Codable, Sendable { var name: String }
    static let method = HTTPMethod.put
    static let path: RoutePath = "people/{id}"
    let id: UUID
    let name: String
    var requestBody: RequestBody? { RequestBody(name: name) }
    var pathParameters: PathParameters { [id] }
}

struct Remove: Route {
    typealias RequestBody = Empty
    typealias Response = Empty
    static let method = HTTPMethod.delete
    static let path: RoutePath = "people"

    func makeRequest(base: String?) throws(Routable.Failure) -> APIRequest {
        let request = try standardRequest(base: base)
        let header = "X-Reason"
        try request.setHeader(header, "gone")
        return request
    }
}

func use(_ client: Client) async throws {
    let person: Person.Model = try await client.perform(People.person.get("1"))
    print(Row(user: person).body.content)
    let response: APIResponse = try await client.response(to: People.person.list())
    print(response.status, response.body, response.headers)
    let router: APIRouter = try People.opened()
    print(router.name)
    let form = ["name": "Ann"]
    _ = try await client.perform(People.person.create(parameters: form))
    try await client.perform(Rename(id: UUID(), name: "Ann"))
    try await client.perform(Remove())
    do { try await client.perform(People.person.delete("1")) } catch {
        let failure: RoutableError = error
        let status: RoutableError.Status = failure.status
        print(status == .unknown, failure)
    }
}
