// An API declared in Swift.  `make ROUTES=examples/Social.swift` makes a C library and a Python module of it; a Swift package
// compiles the same file with the product Routable (docs/swift-to-c.md).

import Routable

public enum Social: API {
    public static let name = "social"
    public static let base = "https://private-85a46-routable.apiary-mock.com/"
    public static var resources: [AnyResource] { [AnyResource(User.self)] }

    public static var user: ResourceCollection<User> { collection() }
    public static var status: ResourceCollection<Status> { collection() }
    public static var post: ResourceCollection<Post> { collection() }
}

public enum User: Listable, Readable, Creatable, Updatable, HasStatuses, HasPictures, HasPosts {
    public typealias ID = ResourceID<User>
    public static let name = "user"
    public static let path = "users"
    public static var id: ParameterDescription { id(named: "username") }
    public static var children: [AnyResource] {
        [AnyResource(Status.self), AnyResource(Picture.self), AnyResource(Post.self)]
    }
}

public enum Status: Readable, Creatable, Deletable, HasComments {
    public typealias ID = ResourceID<Status>
    public static let name = "status"
    public static let path = "statuses"
    public static var children: [AnyResource] { [AnyResource(Comment.self)] }

    // Swift programs read and write this; in C and Python a body is JSON.
    public struct Model: Codable, Sendable { public var text: String }
}

public enum Picture: Readable, Creatable, Updatable, Deletable, HasComments {
    public typealias ID = ResourceID<Picture>
    public static let name = "picture"
    public static let path = "pictures"
    public static var children: [AnyResource] { [AnyResource(Comment.self)] }
}

public enum Comment: Readable, Creatable, Updatable, Deletable, HasUsers {
    public typealias ID = ResourceID<Comment>
    public static let name = "comment"
    public static let path = "comments"
    public static var children: [AnyResource] { [AnyResource(User.self)] }
}

public enum Post: Readable, Creatable, Updatable, Deletable, HasComments {
    public typealias ID = ResourceID<Post>
    public static let name = "post"
    public static let path = "posts"
    public static var children: [AnyResource] { [AnyResource(Comment.self)] }
}

// Each child has its name once, for all its parents.  `nonisolated` is needed only in a target whose types are isolated to the
// MainActor by default.
nonisolated public protocol HasStatuses: Resource {}
nonisolated public protocol HasPictures: Resource {}
nonisolated public protocol HasPosts: Resource {}
nonisolated public protocol HasComments: Resource {}
nonisolated public protocol HasUsers: Resource {}
extension ResourceMember where Kind: HasStatuses { public var statuses: ResourceCollection<Status> { child() } }
extension ResourceMember where Kind: HasPictures { public var pictures: ResourceCollection<Picture> { child() } }
extension ResourceMember where Kind: HasPosts { public var posts: ResourceCollection<Post> { child() } }
extension ResourceMember where Kind: HasComments { public var comments: ResourceCollection<Comment> { child() } }
extension ResourceMember where Kind: HasUsers { public var users: ResourceCollection<User> { child() } }
