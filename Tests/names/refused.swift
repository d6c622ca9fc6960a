// swift-format-ignore-file
// Each line with `// error:` does not compile, and the error of the line, with its notes, matches this regular expression.

import Routable

enum Social: RootedAPI {
    static let name = "social"
    static let base = "https://social.example"
    struct Resources: ResourceList { let user = Child<User>(), status = Child<Status>() }
}

enum User: Readable, HasChildren {
    typealias ID = ResourceID<User>
    static let name = "user"
    static let path = "users"
    struct Model: Codable, Sendable { var name: String }
    struct Children: ResourceList { let statuses = Child<Status>() }
}

enum Status: Readable, Creatable {
    typealias ID = ResourceID<Status>
    static let name = "status"
    static let path = "statuses"
}

enum Wrong: Readable, HasChildren {  // error: does not conform to protocol 'HasChildren'
    static let name = "wrong"
    static let path = "wrong"
    struct Children { let statuses = Child<Status>() }
}

enum Entry: Readable, Creatable, Deletable {
    typealias ID = IntegerID<Entry>
    static let name = "entry"
    static let path = "entries"
    struct Model: Codable, Sendable { var text: String }
}

enum Plain: Creatable {
    static let name = "plain"
    static let path = "plain"
    struct Model: Sendable { var text: String }
}

struct Entries: ResourceHandler {
    typealias Kind = Entry
    func read(_ id: Entry.ID, _ received: Received) async throws -> Entry.Model { Entry.Model(text: "\(id)") }
    func create(_ body: Entry.Model, _ received: Received) async throws -> Entry.Model { body }
    func delete(_ id: Entry.ID, _ received: Received) async throws {}
}

struct WithoutCreate: ResourceHandler {  // error: does not conform to protocol 'ResourceHandler'(?s:.)*requires function 'create' with type
    typealias Kind = Entry
    func read(_ id: Entry.ID, _ received: Received) async throws -> Entry.Model { Entry.Model(text: "\(id)") }
    func delete(_ id: Entry.ID, _ received: Received) async throws {}
}

struct WithoutDelete: ResourceHandler {  // error: does not conform to protocol 'ResourceHandler'(?s:.)*requires function 'delete' with type
    typealias Kind = Entry
    func read(_ id: Entry.ID, _ received: Received) async throws -> Entry.Model { Entry.Model(text: "\(id)") }
    func create(_ body: Entry.Model, _ received: Received) async throws -> Entry.Model { body }
}

actor WithWrongTypes: ResourceHandler {  // error: does not conform to protocol 'ResourceHandler'(?s:.)*requires function 'read'(?s:.)*requires function 'create'
    typealias Kind = Entry
    func read(_ id: User.ID, _ received: Received) async throws -> Entry.Model { Entry.Model(text: "\(id)") }
    func create(_ body: Entry.Model, _ received: Received) async throws -> User.Model { User.Model(name: body.text) }
    func delete(_ id: Entry.ID, _ received: Received) async throws {}
}

struct WithoutCodable: ResourceHandler {  // error: does not conform to protocol 'ResourceHandler'(?s:.)*would match if 'Plain.Model' conformed to 'Decodable'
    typealias Kind = Plain
    func create(_ body: Plain.Model, _ received: Received) async throws -> Plain.Model { body }
}

struct GetUser: Route {
    typealias Response = User.Model
    static let path: RoutePath = "user"
}

func declared(_ client: Client, _ id: User.ID) async throws {
    _ = Social.user("a").delete()  // error: 'delete\(\)' requires that 'User' conform to 'Deletable'
    _ = Social.user("a").update(parameters: [:])  // error: 'update\(parameters:\)' requires that 'User' conform to 'Updatable'
    _ = Social.user.list()  // error: 'list\(\)' .*requires that 'User' conform to 'Listable'
    _ = Social.user("a").comments  // error: no dynamic member 'comments' using key path from root type 'User.Children'
    _ = Social.user("a").statuses.list()  // error: requires that 'Status' conform to 'Listable'
    _ = Social.user("a").statuses("3").delete()  // error: requires that 'Status' conform to 'Deletable'
    _ = Social.posts  // error: no dynamic member 'posts' using key path from root type 'Social.Resources'
    _ = Social.status(id)  // error: cannot convert value of type 'User.ID' .* to expected argument type 'Status.ID'
    _ = Status.update("3", parameters: [:])  // error: requires that 'Status' conform to 'Updatable'
    let _: Int = try await client.perform(Social.user.get("a"))  // error: cannot convert value of type 'User.Model' to specified type 'Int'
    let _: String = try await client.perform(GetUser())  // error: cannot convert value of type 'GetUser.Response' .*to specified type 'String'
    let _: Int = try await client.perform(User.get("a"))  // error: cannot convert value of type 'User.Model' to specified type 'Int'
}
