// Declares an API in Swift: protocols declare the operations of a resource, so that a call of an undeclared operation does not compile.
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
//     Status.update("3", parameters: [])     // error: ... requires that 'Status' conform to 'Updatable'
//     Social.user("a").comments              // error: ... requires that 'User' conform to 'HasComments'

/// A resource of an API: a collection with a path, and members with an id.
///
/// The type has no instances: it is the declaration of the resource.
///
/// Declare `name` and `path` as constants, because the library reads them for each part of each route.
///
/// A resource has no state.  It is therefore not isolated to an actor, even if types are isolated to the MainActor by default.
public protocol Resource: SendableMetatype {
    /// The type of the id of a member.  If it is `ResourceID<Self>`, a call with the id of another resource does not compile.
    associatedtype ID: ValueConvertible = String
    /// The type of the value that read, create, update and patch return; list returns an array of it.
    associatedtype Model = Untyped
    /// The type of the body that create sends.
    associatedtype Body = Model
    /// The type of the body that update sends.
    associatedtype UpdateBody = Body
    /// The type of a member.  For a resource that conforms to `HasChildren`, it has an accessor for each child.
    associatedtype _Member: _MemberOfResource = ResourceMember<Self>
    // Whether the resource has the operation: `_Absent`, and `_Declared` in the protocols below.  A type that handles the requests of
    // a resource needs no function for an absent operation, and does not compile without one for any other.
    associatedtype _List = _Absent
    associatedtype _Read = _Absent
    associatedtype _Create = _Absent
    associatedtype _Update = _Absent
    associatedtype _Patch = _Absent
    associatedtype _Delete = _Absent

    /// The name of the resource in dotted routes: `status`.
    static var name: String { get }
    /// The path of the collection, relative to its parent: `statuses`.  It may be empty.
    static var path: String { get }
    /// The parameter of the member's id; by default it is named `id` and has the type of `ID`.  For a resource with several ids
    /// (`Scoped`), it is the last id.
    static var id: ParameterDescription { get }
    /// The resources that are nested below a member.  They are also reachable at the root, unless they set `isNested`.
    static var children: [AnyResource] { get }
    /// Whether the resource is reachable only below a parent, and not at the root; false by default.
    static var isNested: Bool { get }

    // The declarations of the protocols below, for a walk over the whole declaration.  A conformance uses the witness of
    // the most refined protocol, so that conforming is sufficient; no dynamic cast is needed, which the
    // Embedded mode does not support.
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

    /// The parameter of the id with this name; `name...` is an id of one or more segments.
    public static func id(named name: String) -> ParameterDescription { id(named: name, of: ID.self) }

    /// The parameter of an additional id of the resource.
    public static func id<Value: ValueConvertible>(named name: String, of type: Value.Type) -> ParameterDescription {
        var id = ParameterDescription(id: Bytes(name))
        id.scalar = Value.routableScalar
        return id
    }

    /// The description of the resource.  The protocols that the resource conforms to determine its capabilities.
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
        // Embedded Swift has no types as values.
        #if !hasFeature(Embedded)
        description.hasModel = Model.self is any Decodable.Type && !(Model.self is any RawBody.Type)
        #endif
        return description
    }
}

/// A type of bodies that are not decoded from JSON, such as a string.
package protocol RawBody {}
extension Bytes: RawBody {}
extension NoBody: RawBody {}
extension String: RawBody {}
extension Optional: RawBody where Wrapped: RawBody {}

/// The operation of a resource that conforms to its protocol.
public enum _Declared {}
/// The operation of a resource that does not conform to its protocol.
public enum _Absent {}

/// A type whose values are members of a resource.
public protocol _MemberOfResource {
    /// Creates the member at the end of a chain of resources.
    init(_walk: consuming ResourceChain)
}

/// A resource with several ids, such as `repos/{owner}/{repo}`.  The path of its collection contains all ids except the last.
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
    /// The type of the ids before the last one: a single value, or a type that contains all of these ids.
    associatedtype Scope: ResourceScope
    /// The parameters of the ids before the last one, from left to right.
    static var scope: [ParameterDescription] { get }
}

extension Scoped { public static var _scope: [ParameterDescription] { scope } }

/// A resource that has the operation `list`: GET on the collection.
public protocol Listable: Resource where _List == _Declared {}
/// A resource that has the operation `read`: GET on a member.
public protocol Readable: Resource where _Read == _Declared {}
/// A resource that has the operation `create`: POST on the collection.
public protocol Creatable: Resource where _Create == _Declared {}
/// A resource that has the operation `update`: PUT on a member.
public protocol Updatable: Resource where _Update == _Declared {}
/// A resource that has the operation `patch`: PATCH on a member.
public protocol Patchable: Resource where _Patch == _Declared {}
/// A resource that has the operation `delete`: DELETE on a member.
public protocol Deletable: Resource where _Delete == _Declared {}

extension Listable { public static var _lists: Bool { true } }
extension Readable { public static var _reads: Bool { true } }
extension Creatable { public static var _creates: Bool { true } }
extension Updatable { public static var _updates: Bool { true } }
extension Patchable { public static var _patches: Bool { true } }
extension Deletable { public static var _deletes: Bool { true } }
