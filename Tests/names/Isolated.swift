// flags: -default-isolation MainActor
// Compiles a program whose declarations are isolated to the MainActor, as those of an application are by default.

import Foundation
import Routable

enum Social: RootedAPI {
    static let name = "social"
    static let base = "https://social.example"
    struct Resources: ResourceList {
        let user = Child<User>()
        let note = Child<Note>()
    }
}

enum User: Listable, Readable, Creatable, Updatable, HasChildren {
    typealias ID = ResourceID<User>
    static let name = "user"
    static let path = "users"
    static var id: ParameterDescription { id(named: "username") }
    struct Model: Codable, Sendable { var username: String }
    struct Children: ResourceList { let notes = Child<Note>() }
}

enum Note: Readable, Deletable, HasTags {
    typealias ID = UUID
    static let name = "note"
    static let path = "notes"
    static var children: [AnyResource] { [AnyResource(Tag.self)] }
}

enum Tag: Listable {
    static let name = "tag"
    static let path = "tags"
}

nonisolated protocol HasTags: Resource {}
extension ResourceMember where Kind: HasTags { var tags: ResourceCollection<Tag> { child() } }

extension Social: MatchableAPI {
    enum Matched { case user(User.ID), note(User.ID, UUID) }
    static let cases: [MatchCase<Matched>] = [
        .member(User.self) { .user($0) }, .member(User.self, Note.self) { .note($0, $1) },
    ]
}

enum Sort: String, ValueConvertible { case newest, oldest }

struct GetTodo: Route {
    typealias Response = User.Model
    static let path: RoutePath = "todos/{id}"
    let id: Int
    var pathParameters: PathParameters { [id] }
    var queryParameters: Parameters { ["sort": Sort.newest] }
}

enum Calls: EnumRouter {
    case user(Int)
    static let base = "https://social.example"
    var method: HTTPMethod { .get }
    var path: RoutePath? {
        switch self {
        case .user(let number): "users/\(number)"
        }
    }
}

struct Item: Fetchable, Decodable, Sendable { var id: Int }

// A model without conformances of Routable.
struct Part: Codable { var text: String }

enum PartResult: StatusResult {
    case s200(Part)
    case undocumented(APIResponse)

    init(_ response: APIResponse) throws(Routable.Failure) {
        switch response.status {
        case 200: self = .s200(try response.decoded(as: Part.self))
        default: self = .undocumented(response)
        }
    }
}

final class ViewModel {
    var name = ""
    let client: Client

    init(_ client: Client) { self.client = client }

    func load() async {
        do {
            name = try await client.perform(Social.user.get("ann")).username
            name = try await client.perform(GetTodo(id: 7)).username
            _ = try await client.response(to: Social.user("ann").notes(UUID()).tags.list())
            for try await item in client.lines(of: Calls.user(3)) { name += item.text }
            for try await part in client.events(of: Calls.user(3)).values(as: Part.self) { name += part.text }
            for try await part in client.items(of: Social.user.list().returning([Part].self)) { name += part.text }
            if case .s200(let part) = try await client.perform(Calls.user(3), as: PartResult.self) { name = part.text }
            name = try await client.perform(Calls.user(3), as: Part.self).text
            name = try await client.perform(Social.user.get("ann").returning(Part.self)).text
            try client.observe { event in self.name = event.url ?? "" }
            _ = try await client.response(to: Calls.user(3).reportingProgress { self.name = "\($0.received)" })
            if case .asSelf(let item) = try await Item.fetch(Calls.user(3), over: client) { name = "\(item.id)" }
            switch try Social.match("/users/ann") {
            case .user(let id): name = id.text
            case .note(_, let id): name = id.uuidString
            }
        } catch { name = "\(error)" }
    }
}
