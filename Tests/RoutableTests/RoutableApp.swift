// The app of article 000, as a handwritten declaration (statement R14).

import Routable

enum Social: API {
    static let name = "social"
    static let base = "https://private-85a46-routable.apiary-mock.com/"
    static var resources: [AnyResource] { [AnyResource(User.self)] }

    static var user: ResourceCollection<User> { collection() }
    static var status: ResourceCollection<Status> { collection() }
    static var picture: ResourceCollection<Picture> { collection() }
    static var post: ResourceCollection<Post> { collection() }
    static var comment: ResourceCollection<Comment> { collection() }
}

enum User: Listable, Readable, Creatable, Updatable, HasStatuses, HasPictures, HasPosts {
    typealias ID = ResourceID<User>
    static let name = "user"
    static let path = "users"
    static var id: ParameterDescription { id(named: "username") }
    static var children: [AnyResource] { [AnyResource(Status.self), AnyResource(Picture.self), AnyResource(Post.self)] }

    struct Model: Codable, Equatable, Sendable {
        var username: String
        var age: Int?
    }
}

enum Status: Readable, Creatable, Deletable, HasComments {
    typealias ID = ResourceID<Status>
    static let name = "status"
    static let path = "statuses"
    static var children: [AnyResource] { [AnyResource(Comment.self)] }
}

enum Picture: Readable, Creatable, Updatable, Deletable, HasComments {
    static let name = "picture"
    static let path = "pictures"
    static var children: [AnyResource] { [AnyResource(Comment.self)] }
}

enum Comment: Readable, Creatable, Updatable, Deletable, HasUsers {
    static let name = "comment"
    static let path = "comments"
    static var children: [AnyResource] { [AnyResource(User.self)] }
}

enum Post: Readable, Creatable, Updatable, Deletable, HasComments {
    static let name = "post"
    static let path = "posts"
    static var children: [AnyResource] { [AnyResource(Comment.self)] }
}

// The children of several resources, declared once for all parents.
protocol HasStatuses: Resource {}
protocol HasPictures: Resource {}
protocol HasPosts: Resource {}
protocol HasComments: Resource {}
protocol HasUsers: Resource {}
extension ResourceMember where Kind: HasStatuses { var statuses: ResourceCollection<Status> { child() } }
extension ResourceMember where Kind: HasPictures { var pictures: ResourceCollection<Picture> { child() } }
extension ResourceMember where Kind: HasPosts { var posts: ResourceCollection<Post> { child() } }
extension ResourceMember where Kind: HasComments { var comments: ResourceCollection<Comment> { child() } }
extension ResourceMember where Kind: HasUsers { var users: ResourceCollection<User> { child() } }
