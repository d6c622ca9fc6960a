// Child resources that are declared once: the members of a struct are the accessors and also the list of children.
//
// A separate type instead of `ResourceMember`, so that an operation that a resource without such a list does not allow is still reported with
// the missing protocol.  A declaration for `make ROUTES=`, which has no reflection, lists `children` and `resources`.

public import RoutableCore

/// The resources below a member, or at the root of an API: a struct whose members are `Child`.
///
///     struct Children: ResourceList { let statuses = Child<Status>() }
///
/// If the struct is public, it requires a public `init`.
public protocol ResourceList {
    /// Creates the list with its members.
    init()
}

/// A member of a `ResourceList`.  Its name is the name of the accessor.
public struct Child<Kind: Resource>: Sendable {
    /// Declares a child of this type.
    public init() {}
}

/// A member of a `ResourceList` that is a resource with several ids.
public struct ScopedChild<Kind: Scoped>: Sendable {
    /// Declares a child of this type.
    public init() {}
}

/// A resource whose children are declared once, in its `Children`.
///
///     enum User: Readable, HasChildren {
///         static let name = "user"
///         static let path = "users"
///         struct Children: ResourceList { let statuses = Child<Status>() }
///     }
///     Social.user("a").statuses.get("3")
public protocol HasChildren: Resource where _Member == ParentMember<Self> {
    /// The children, as members of a struct.
    associatedtype Children: ResourceList
}

extension HasChildren {
    /// The children that `Children` declares.
    public static var children: [AnyResource] { Children.resources }
}

/// An API whose resources are declared once, in its `Resources`.
///
///     enum Social: RootedAPI {
///         static let name = "social"
///         static let base = "https://api.example.com/v1"
///         struct Resources: ResourceList { let user = Child<User>() }
///     }
///     Social.user.list()
@dynamicMemberLookup
public protocol RootedAPI: API {
    /// The resources at the root, as members of a struct.
    associatedtype Resources: ResourceList
}

extension RootedAPI {
    /// The resources that `Resources` declares.
    public static var resources: [AnyResource] { Resources.resources }

    /// The collection of a resource that `Resources` declares.
    public static subscript<Root: Resource>(dynamicMember resource: KeyPath<Resources, Child<Root>>)
        -> ResourceCollection<Root>
    {
        collection()
    }

    /// The collection of a resource with several ids that `Resources` declares.
    public static subscript<Root: Scoped>(dynamicMember resource: KeyPath<Resources, ScopedChild<Root>>)
        -> ResourceScoped<Root>
    {
        collection()
    }
}

/// A `Child` with its type erased.
private protocol AnyChild { var resource: AnyResource { get } }
extension Child: AnyChild { fileprivate var resource: AnyResource { AnyResource(Kind.self) } }
extension ScopedChild: AnyChild { fileprivate var resource: AnyResource { AnyResource(Kind.self) } }

extension ResourceList {
    /// The resources that the members declare, in the order of declaration.
    fileprivate static var resources: [AnyResource] {
        Mirror(reflecting: Self()).children.compactMap { ($0.value as? any AnyChild)?.resource }
    }
}

/// A member of a resource that has `Children`: its operations and its children.
@dynamicMemberLookup
public struct ParentMember<Kind: HasChildren>: _MemberOfResource, Sendable {
    let member: ResourceMember<Kind>

    /// Creates the member at the end of a chain of resources.
    public init(_walk walk: consuming ResourceChain) { member = ResourceMember(_walk: walk) }

    /// The collection of a child that `Children` declares.
    public subscript<Nested: Resource>(dynamicMember child: KeyPath<Kind.Children, Child<Nested>>)
        -> ResourceCollection<Nested>
    {
        member.child()
    }

    /// The collection of a child with several ids that `Children` declares.
    public subscript<Nested: Scoped>(dynamicMember child: KeyPath<Kind.Children, ScopedChild<Nested>>)
        -> ResourceScoped<Nested>
    {
        member.child()
    }

    /// GET on the member.
    public func read() -> Endpoint<Kind.Model> where Kind: Readable { member.read() }

    /// PUT on the member, without a body; a body can be added.
    public func update() -> Endpoint<Kind.Model> where Kind: Updatable { member.update() }
    /// PUT on the member with undeclared parameters.
    public func update(parameters: Parameters) -> Endpoint<Kind.Model> where Kind: Updatable {
        member.update(parameters: parameters)
    }
    /// PUT on the member with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public func update(parameters: [String: some ValueConvertible]) -> Endpoint<Kind.Model> where Kind: Updatable {
        member.update(parameters: parameters)
    }
    /// PUT on the member with a JSON body.
    public func update(body: Value) -> Endpoint<Kind.Model> where Kind: Updatable { member.update(body: body) }
    /// PUT on the member with a value as the JSON body.
    public func update(_ body: Kind.UpdateBody) throws(Failure) -> Endpoint<Kind.Model>
    where Kind: Updatable, Kind.UpdateBody: Encodable {
        try member.update(body)
    }

    /// PATCH on the member, without a body; a body can be added.
    public func patch() -> Endpoint<Kind.Model> where Kind: Patchable { member.patch() }
    /// PATCH on the member with a JSON body.
    public func patch(body: Value) -> Endpoint<Kind.Model> where Kind: Patchable { member.patch(body: body) }
    /// PATCH with any value as the JSON body: the members of the value replace those of the resource.
    public func patch(_ changes: some Encodable) throws(Failure) -> Endpoint<Kind.Model> where Kind: Patchable {
        try member.patch(changes)
    }

    /// DELETE on the member.
    public func delete() -> Endpoint<NoBody> where Kind: Deletable { member.delete() }

    /// An additional operation of the member, with the values of the operation's path.
    public func endpoint<each ID: ValueConvertible, Output>(
        _ operation: String, _ ids: repeat each ID, returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { member.endpoint(operation, repeat each ids, returning: type) }
}
