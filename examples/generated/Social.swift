// social: made by `routable generate swift` from social.json.  Do not edit it: generate it again.

public import Routable

public enum Social: API {
    public static let name = "social"
    public static let base = "https://api.example.com/v1"
    public static var resources: [AnyResource] {
        [
            AnyResource(User.self),
            AnyResource(Status.self),
            AnyResource(Picture.self),
            AnyResource(Comment.self),
            AnyResource(Post.self),
        ]
    }

    public static var user: ResourceCollection<User> { collection() }

    public static var status: ResourceCollection<Status> { collection() }

    public static var picture: ResourceCollection<Picture> { collection() }

    public static var comment: ResourceCollection<Comment> { collection() }

    public static var post: ResourceCollection<Post> { collection() }

    /// GET /search
    public static func search(q: String, page: Int64? = nil) -> Endpoint<Untyped> {
        endpoint("search", returning: Untyped.self)
            .query("q", q)
            .query("page", page)
    }

    /// The description that this file was generated from.
    public static var document: String {
        """
        {"routable":1,"name":"social","base":"https://api.example.com/v1","types":{"Status":{"type":"object"\
        ,"required":["text"],"properties":{"text":{"type":"string","maxLength":280}}}},"resources":{"user":{\
        "path":"users","id":"username","can":["list","read","create","update"],"has":["status","picture","po\
        st"]},"status":{"path":"statuses","can":["read","create","delete"],"has":["comment"],"type":"Status"\
        },"picture":{"path":"pictures","can":["read","create","update","delete"],"has":["comment"]},"comment\
        ":{"path":"comments","can":["read","create","update","delete"],"has":["user"]},"post":{"path":"posts\
        ","can":["read","create","update","delete"],"has":["comment"]}},"operations":{"search":{"get":"/sear\
        ch","query":{"q":{"type":"string","required":true},"page":{"type":"integer","default":1}}}}}
        """
    }

    public enum User: Listable, Readable, Creatable, Updatable, HasStatus, HasPicture, HasPost {
        public typealias ID = ResourceID<User>
        public static let name = "user"
        public static let path = "users"
        public static var id: ParameterDescription { id(named: "username") }
        public static var children: [AnyResource] {
            [
                AnyResource(Status.self),
                AnyResource(Picture.self),
                AnyResource(Post.self),
            ]
        }
    }

    /// A resource that contains User.
    public protocol HasUser: Resource {}

    public enum Status: Readable, Creatable, Deletable, HasComment {
        public typealias ID = ResourceID<Status>
        public typealias Model = StatusModel
        public static let name = "status"
        public static let path = "statuses"
        public static var children: [AnyResource] { [AnyResource(Comment.self)] }
    }

    /// A resource that contains Status.
    public protocol HasStatus: Resource {}

    public enum Picture: Readable, Creatable, Updatable, Deletable, HasComment {
        public typealias ID = ResourceID<Picture>
        public static let name = "picture"
        public static let path = "pictures"
        public static var children: [AnyResource] { [AnyResource(Comment.self)] }
    }

    /// A resource that contains Picture.
    public protocol HasPicture: Resource {}

    public enum Comment: Readable, Creatable, Updatable, Deletable, HasUser {
        public typealias ID = ResourceID<Comment>
        public static let name = "comment"
        public static let path = "comments"
        public static var children: [AnyResource] { [AnyResource(User.self)] }
    }

    /// A resource that contains Comment.
    public protocol HasComment: Resource {}

    public enum Post: Readable, Creatable, Updatable, Deletable, HasComment {
        public typealias ID = ResourceID<Post>
        public static let name = "post"
        public static let path = "posts"
        public static var children: [AnyResource] { [AnyResource(Comment.self)] }
    }

    /// A resource that contains Post.
    public protocol HasPost: Resource {}

    public struct StatusModel: Codable, Sendable {
        public var text: String

        public init(text: String) {
            self.text = text
        }

        enum CodingKeys: String, CodingKey {
            case text = "text"
        }
    }

    /// The response of read, by status.
    public enum StatusReadResult: StatusResult {
        case s2xx(status: Int, StatusModel)
        /// A status that the description does not declare.
        case undocumented(APIResponse)

        public init(_ response: APIResponse) throws(Failure) {
            switch response.status {
            case 200...299: self = .s2xx(status: Int(response.status), try response.decoded(as: StatusModel.self))
            default: self = .undocumented(response)
            }
        }
    }

    /// The response of create, by status.
    public enum StatusCreateResult: StatusResult {
        case s2xx(status: Int, StatusModel)
        /// A status that the description does not declare.
        case undocumented(APIResponse)

        public init(_ response: APIResponse) throws(Failure) {
            switch response.status {
            case 200...299: self = .s2xx(status: Int(response.status), try response.decoded(as: StatusModel.self))
            default: self = .undocumented(response)
            }
        }
    }
}

extension ResourceMember where Kind: Social.HasUser {
    public var user: ResourceCollection<Social.User> { child() }
}

extension ResourceMember where Kind: Social.HasStatus {
    public var status: ResourceCollection<Social.Status> { child() }
}

extension ResourceMember where Kind: Social.HasPicture {
    public var picture: ResourceCollection<Social.Picture> { child() }
}

extension ResourceMember where Kind: Social.HasComment {
    public var comment: ResourceCollection<Social.Comment> { child() }
}

extension ResourceMember where Kind: Social.HasPost {
    public var post: ResourceCollection<Social.Post> { child() }
}
