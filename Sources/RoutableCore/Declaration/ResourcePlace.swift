// Places in a declared graph: collections and members, as values (statement R13).

/// The collection of a resource, at the root or below a member.
public struct ResourceCollection<Kind: Resource>: Sendable {
    @usableFromInline let walk: ResourceChain

    /// Creates the collection at the root.
    @inlinable public init() { walk = ResourceChain().into(Kind.name) }
    @inlinable init(_ walk: consuming ResourceChain) { self.walk = walk.into(Kind.name) }
    @inlinable init(inside walk: consuming ResourceChain) { self.walk = walk }

    /// Returns the member with this id.
    @inlinable public consuming func callAsFunction(_ id: Kind.ID) -> Kind._Member { Kind._Member(_walk: id._step(walk)) }

    /// Returns the member with this id, as a type without accessors for its children.
    @inlinable public consuming func _member(_ id: Kind.ID) -> ResourceMember<Kind> { ResourceMember(walk: id._step(walk)) }

    /// Returns an additional operation, with the values of the operation's own path.
    @inlinable public func endpoint<each ID: ValueConvertible, Output>(
        _ operation: String, _ ids: repeat each ID, returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { walk.endpoint(operation, repeat each ids) }
}

/// A resource with several ids, before its ids are given.
public struct ResourceScoped<Kind: Scoped>: Sendable {
    @usableFromInline let walk: ResourceChain

    @inlinable init(_ walk: consuming ResourceChain) { self.walk = walk.into(Kind.name) }

    /// Returns the collection below these ids, which are all ids except the last.
    @inlinable public consuming func callAsFunction(_ scope: Kind.Scope) -> ResourceCollection<Kind> {
        ResourceCollection(inside: walk.with(scope.scopeIds))
    }

    /// Returns the member with these ids.
    @inlinable public consuming func callAsFunction(_ scope: Kind.Scope, _ id: Kind.ID) -> Kind._Member {
        self(scope)(id)
    }
}

/// A member of a resource, with its operations and the resources that are nested below it.
public struct ResourceMember<Kind: Resource>: _MemberOfResource, Sendable {
    @usableFromInline let walk: ResourceChain

    @inlinable init(walk: consuming ResourceChain) { self.walk = walk }
    /// Creates the member at the end of a chain of resources.
    @inlinable public init(_walk walk: consuming ResourceChain) { self.walk = walk }

    /// Returns the collection of a child, for an accessor that a declaration adds: `var comments: ... { child() }`.
    ///
    /// If the declaration does not nest the child here, building the request fails.
    @inlinable public consuming func child<Child: Resource>(_ child: Child.Type = Child.self) -> ResourceCollection<Child> {
        ResourceCollection(walk)
    }

    /// Returns a child with several ids, for an accessor that a declaration adds.
    @inlinable public consuming func child<Child: Scoped>(_ child: Child.Type = Child.self) -> ResourceScoped<Child> {
        ResourceScoped(walk)
    }

    /// Returns an additional operation, with the values of the operation's own path.
    @inlinable public func endpoint<each ID: ValueConvertible, Output>(
        _ operation: String, _ ids: repeat each ID, returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { walk.endpoint(operation, repeat each ids) }
}

extension ResourceChain {
    @usableFromInline func with(_ ids: [Value]) -> ResourceChain { ids.reduce(self) { $0.with($1) } }

    /// The operation with this name at the end of the chain, with the values of the operation's own path.
    @inlinable func endpoint<each ID: ValueConvertible, Output>(_ operation: String, _ ids: repeat each ID) -> Endpoint<Output>
    {
        var walk = self
        for id in repeat each ids { walk = id._step(walk) }
        return Endpoint(walk, .named(Bytes(operation)))
    }
}

// MARK: - Operations, only for resources that conform to their protocols

extension ResourceCollection where Kind: Listable {
    /// GET on the collection.
    @inlinable public consuming func list() -> Endpoint<[Kind.Model]> { Endpoint(walk, .capability(.list)) }
}

extension ResourceCollection where Kind: Creatable {
    /// POST on the collection, without a body; a body can be added.
    @inlinable public func create() -> Endpoint<Kind.Model> { Endpoint(walk, .capability(.create)) }
    /// POST on the collection with undeclared parameters: a form, unless the operation sets another encoding.
    @inlinable public func create(parameters: [Value.Member]) -> Endpoint<Kind.Model> { create().parameters(parameters) }
    /// POST on the collection with a JSON body.
    @inlinable public func create(body: Value) -> Endpoint<Kind.Model> { create().body(body) }
}

extension ResourceCollection where Kind: Readable {
    /// GET on the member with this id.
    @inlinable public consuming func get(_ id: Kind.ID) -> Endpoint<Kind.Model> { _member(id).read() }
}

extension ResourceCollection where Kind: Updatable {
    /// PUT on the member with this id, with undeclared parameters.
    @inlinable public func update(_ id: Kind.ID, parameters: [Value.Member]) -> Endpoint<Kind.Model> {
        _member(id).update(parameters: parameters)
    }
}

extension ResourceCollection where Kind: Deletable {
    /// DELETE on the member with this id.
    @inlinable public consuming func delete(_ id: Kind.ID) -> Endpoint<NoBody> { _member(id).delete() }
}

extension ResourceMember where Kind: Readable {
    /// GET on the member.
    @inlinable public consuming func read() -> Endpoint<Kind.Model> { Endpoint(walk, .capability(.read)) }
}

extension ResourceMember where Kind: Updatable {
    /// PUT on the member, without a body; a body can be added.
    @inlinable public func update() -> Endpoint<Kind.Model> { Endpoint(walk, .capability(.update)) }
    /// PUT on the member with undeclared parameters.
    @inlinable public func update(parameters: [Value.Member]) -> Endpoint<Kind.Model> { update().parameters(parameters) }
    /// PUT on the member with a JSON body.
    @inlinable public func update(body: Value) -> Endpoint<Kind.Model> { update().body(body) }
}

extension ResourceMember where Kind: Patchable {
    /// PATCH on the member, without a body; a body can be added.
    @inlinable public func patch() -> Endpoint<Kind.Model> { Endpoint(walk, .capability(.patch)) }
    /// PATCH on the member with a JSON body.
    @inlinable public func patch(body: Value) -> Endpoint<Kind.Model> { patch().body(body) }
}

extension ResourceMember where Kind: Deletable {
    /// DELETE on the member.
    @inlinable public consuming func delete() -> Endpoint<NoBody> { Endpoint(walk, .capability(.delete)) }
}

// MARK: - The spelling of the article: operations of the resource itself, from the root.
// Declared on `Resource` with a condition, so that the error of the compiler names the missing protocol.

extension Resource where Self: Listable {
    /// GET on the collection at the root.
    @inlinable public static func list() -> Endpoint<[Model]> { ResourceCollection<Self>().list() }
}

extension Resource where Self: Readable {
    /// GET on the member with this id, at the root.
    @inlinable public static func get(_ id: ID) -> Endpoint<Model> { ResourceCollection<Self>().get(id) }
}

extension Resource where Self: Creatable {
    /// POST on the collection at the root, without a body; a body can be added.
    @inlinable public static func create() -> Endpoint<Model> { ResourceCollection<Self>().create() }
    /// POST on the collection at the root with undeclared parameters.
    @inlinable public static func create(parameters: [Value.Member]) -> Endpoint<Model> {
        ResourceCollection<Self>().create(parameters: parameters)
    }
    /// POST on the collection at the root with a JSON body.
    @inlinable public static func create(body: Value) -> Endpoint<Model> { ResourceCollection<Self>().create(body: body) }
}

extension Resource where Self: Updatable {
    /// PUT on the member with this id, at the root, with undeclared parameters.
    @inlinable public static func update(_ id: ID, parameters: [Value.Member]) -> Endpoint<Model> {
        ResourceCollection<Self>().update(id, parameters: parameters)
    }
}

extension Resource where Self: Deletable {
    /// DELETE on the member with this id, at the root.
    @inlinable public static func delete(_ id: ID) -> Endpoint<NoBody> { ResourceCollection<Self>().delete(id) }
}
