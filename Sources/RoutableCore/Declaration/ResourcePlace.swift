// Places on a walk through a declared graph: collections and members, as values (BEHAVIOUR R13).

/// What can be put into a path or a parameter.
public protocol ValueConvertible {
    var routableValue: Value { get }
}

extension Value: ValueConvertible { public var routableValue: Value { self } }
extension String: ValueConvertible { public var routableValue: Value { .text(Bytes(self)) } }
extension Bytes: ValueConvertible { public var routableValue: Value { .text(self) } }
extension Int: ValueConvertible { public var routableValue: Value { .integer(Int64(self)) } }
extension Int64: ValueConvertible { public var routableValue: Value { .integer(self) } }
extension Double: ValueConvertible { public var routableValue: Value { .real(self) } }
extension Bool: ValueConvertible { public var routableValue: Value { .boolean(self) } }

/// The names and ids from the root down.  A value: using one twice, or branching from it, changes nothing.
struct WalkSoFar {
    var route = Bytes()
    var ids: [Value] = []

    func into(_ name: Bytes) -> WalkSoFar {
        var longer = self
        longer.route = route.isEmpty ? name : "\(route).\(name)"
        return longer
    }

    func with(_ id: Value) -> WalkSoFar {
        var longer = self
        longer.ids.append(id)
        return longer
    }

    func call(_ capability: Capability) -> Call {
        var call = Call(operation: capability.name)
        call.route = route
        call.ids = .positional(ids)
        return call
    }
}

/// A collection: at the root, or below a member.
public struct ResourceCollection<Kind: Resource> {
    let walk: WalkSoFar

    /// At the root.
    public init() { walk = WalkSoFar().into(Kind.name) }
    init(below walk: WalkSoFar) { self.walk = walk.into(Kind.name) }

    /// One of its members.
    public func callAsFunction(_ id: some ValueConvertible) -> ResourceMember<Kind> {
        ResourceMember(walk: walk.with(id.routableValue))
    }
}

/// A member: where its own verbs are, and what nests in it.
public struct ResourceMember<Kind: Resource> {
    let walk: WalkSoFar

    /// The collection of a child, for the accessors that a declaration adds: `var comments: ... { child() }`.
    /// A child that the declaration does not nest here is refused when the request is built.
    public func child<Child: Resource>() -> ResourceCollection<Child> { ResourceCollection(below: walk) }
}

// MARK: - Verbs: only where the protocol is conformed to

extension ResourceCollection where Kind: Listable {
    public func list() -> Call { walk.call(.list) }
}

extension ResourceCollection where Kind: Creatable {
    /// Free parameters: a form, unless the operation says otherwise (BEHAVIOUR R3, R12).
    public func create(parameters: [Value.Member]) -> Call { walk.call(.create).with(parameters) }
    /// A JSON body.
    public func create(body: Value) -> Call { walk.call(.create).with(body) }
}

extension ResourceCollection where Kind: Readable {
    public func get(_ id: some ValueConvertible) -> Call { self(id).read() }
}

extension ResourceCollection where Kind: Updatable {
    public func update(_ id: some ValueConvertible, parameters: [Value.Member]) -> Call {
        self(id).update(parameters: parameters)
    }
}

extension ResourceCollection where Kind: Deletable {
    public func delete(_ id: some ValueConvertible) -> Call { self(id).delete() }
}

extension ResourceMember where Kind: Readable {
    public func read() -> Call { walk.call(.read) }
}

extension ResourceMember where Kind: Updatable {
    public func update(parameters: [Value.Member]) -> Call { walk.call(.update).with(parameters) }
    public func update(body: Value) -> Call { walk.call(.update).with(body) }
}

extension ResourceMember where Kind: Patchable {
    public func patch(body: Value) -> Call { walk.call(.patch).with(body) }
}

extension ResourceMember where Kind: Deletable {
    public func delete() -> Call { walk.call(.delete) }
}

// MARK: - The article's spelling: verbs on the resource itself, from the root.
// On `Resource` with a condition, so that the compiler's error names the protocol that is missing.

extension Resource where Self: Listable {
    public static func list() -> Call { ResourceCollection<Self>().list() }
}

extension Resource where Self: Readable {
    public static func get(_ id: some ValueConvertible) -> Call { ResourceCollection<Self>().get(id) }
}

extension Resource where Self: Creatable {
    public static func create(parameters: [Value.Member]) -> Call {
        ResourceCollection<Self>().create(parameters: parameters)
    }
    public static func create(body: Value) -> Call { ResourceCollection<Self>().create(body: body) }
}

extension Resource where Self: Updatable {
    public static func update(_ id: some ValueConvertible, parameters: [Value.Member]) -> Call {
        ResourceCollection<Self>().update(id, parameters: parameters)
    }
}

extension Resource where Self: Deletable {
    public static func delete(_ id: some ValueConvertible) -> Call { ResourceCollection<Self>().delete(id) }
}

extension Call {
    func with(_ parameters: [Value.Member]) -> Call {
        var call = self
        call.parameters = parameters
        return call
    }

    func with(_ body: Value) -> Call {
        var call = self
        call.body = .value(body)
        return call
    }
}
