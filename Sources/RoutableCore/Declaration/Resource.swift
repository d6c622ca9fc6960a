// Declaring an API in Swift: protocols say what a resource may do, so that an undeclared verb does not compile.
//
//     enum Status: Readable, Creatable, Deletable, HasComments {
//         static let name = "status"
//         static let path = "statuses"
//         static var children: [AnyResource] { [AnyResource(Comment.self)] }
//     }
//     protocol HasComments: Resource {}
//     extension ResourceMember where Kind: HasComments {
//         var comments: ResourceCollection<Comment> { child() }
//     }
//
//     Status.get("3")                        // GET statuses/3
//     Status.update("3", parameters: [])     // error: 'update' requires that 'Status' conform to 'Updatable'
//     Social.user("a").comments              // error: 'comments' requires that 'User' conform to 'HasComments'

/// A resource of an API: a collection with a path, and members with an id.
///
/// The type has no instances: it is the declaration of the resource.
///
/// `name` and `path` are read for each part of each route: declare them as constants.
///
/// A resource has no state.  It is therefore not isolated to an actor, even if types are isolated to the MainActor by default.
public protocol Resource: SendableMetatype {
    /// What stands for a member in a path.  With `ResourceID<Self>` the id of another resource does not compile.
    associatedtype ID: ValueConvertible = String
    /// What read, create and update answer with, and list in an array.
    associatedtype Model = Untyped
    /// What create and update send.
    associatedtype Body = Model
    /// A member as a value; a type with accessors for the children that the resource lists, where there is such a type.
    associatedtype _Member: _MemberOfResource = ResourceMember<Self>

    /// What dotted routes call it: `status`.
    static var name: String { get }
    /// The literals of the collection below its parent: `statuses`; empty for none.
    static var path: String { get }
    /// The member's id; by default of the kind of `ID` and named `id`.  With several ids (`Scoped`) the last of them.
    static var id: ParameterDescription { get }
    /// What nests below a member.
    static var children: [AnyResource] { get }
    /// Whether it is reachable through a parent only.
    static var isNested: Bool { get }

    // What the protocols below say, for a walk over the whole declaration.  A conformance picks the witness of
    // the most refined protocol, so that conforming is all it takes; no cast at run time is needed, which the
    // Embedded mode does not have.
    static var _scope: [ParameterDescription] { get }
    static var _lists: Bool { get }
    static var _reads: Bool { get }
    static var _creates: Bool { get }
    static var _updates: Bool { get }
    static var _patches: Bool { get }
    static var _deletes: Bool { get }
}

extension Resource {
    public static var id: ParameterDescription { id(named: "id") }
    public static var children: [AnyResource] { [] }
    public static var isNested: Bool { false }
    public static var _scope: [ParameterDescription] { [] }
    public static var _lists: Bool { false }
    public static var _reads: Bool { false }
    public static var _creates: Bool { false }
    public static var _updates: Bool { false }
    public static var _patches: Bool { false }
    public static var _deletes: Bool { false }

    /// The id's parameter under another name; `name...` for an id of one segment or more.
    public static func id(named name: String) -> ParameterDescription { id(named: name, of: ID.self) }

    /// The parameter of an additional id of the resource.
    public static func id<Value: ValueConvertible>(named name: String, of type: Value.Type) -> ParameterDescription {
        var id = ParameterDescription(id: Bytes(name))
        id.scalar = Value.routableScalar
        return id
    }

    /// The resource as a description, whose capabilities are the protocols it conforms to.
    static var description: ResourceDescription {
        var description = ResourceDescription(name: Bytes(name), path: Bytes(path))
        description.ids = _scope + [id]
        description.isNested = isNested
        if _lists { description.capabilities.insert(.list) }
        if _reads { description.capabilities.insert(.read) }
        if _creates { description.capabilities.insert(.create) }
        if _updates { description.capabilities.insert(.update) }
        if _patches { description.capabilities.insert(.patch) }
        if _deletes { description.capabilities.insert(.delete) }
        description.children = children.map { $0.name }
        return description
    }
}

/// A type of members of a resource.
public protocol _MemberOfResource {
    /// The member at the end of a walk.
    init(_walk: consuming ResourceChain)
}

/// A resource with several ids, `repos/{owner}/{repo}`.  Its collection has all ids except the last.
///
///     enum Repository: Scoped, Readable {
///         static let name = "repository"
///         static let path = "repos"
///         typealias Scope = String
///         static var scope: [ParameterDescription] { [id(named: "owner", of: String.self)] }
///         static var id: ParameterDescription { id(named: "repo") }
///     }
///     GitHub.collection(Repository.self)("octocat", "hello").read()     // GET repos/octocat/hello
public protocol Scoped: Resource {
    /// What stands before the last id: one value, or a type that has them all.
    associatedtype Scope: ResourceScope
    /// The ids before the last one, from left to right.
    static var scope: [ParameterDescription] { get }
}

extension Scoped { public static var _scope: [ParameterDescription] { scope } }

/// GET on the collection.
public protocol Listable: Resource {}
/// GET on a member.
public protocol Readable: Resource {}
/// POST on the collection.
public protocol Creatable: Resource {}
/// PUT on a member.
public protocol Updatable: Resource {}
/// PATCH on a member.
public protocol Patchable: Resource {}
/// DELETE on a member.
public protocol Deletable: Resource {}

extension Listable { public static var _lists: Bool { true } }
extension Readable { public static var _reads: Bool { true } }
extension Creatable { public static var _creates: Bool { true } }
extension Updatable { public static var _updates: Bool { true } }
extension Patchable { public static var _patches: Bool { true } }
extension Deletable { public static var _deletes: Bool { true } }
