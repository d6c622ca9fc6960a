// A resource without its type, for lists of children and roots.

/// A resource without its type.
public struct AnyResource {
    let name: Bytes
    // Asked only when the graph is walked: a cyclic declaration stays finite.
    let describe: () -> ResourceDescription
    let children: () -> [AnyResource]

    public init<Kind: Resource>(_ resource: Kind.Type) {
        name = Kind.name
        describe = { Kind.description }
        children = { Kind.children }
    }
}

/// An API that is declared in Swift.
public protocol API {
    static var name: Bytes { get }
    static var base: Bytes { get }
    /// The resources to begin with; what nests in them follows.
    static var resources: [AnyResource] { get }
    /// Standalone operations.
    static var operations: [OperationDescription] { get }
    /// A route document that says it all, with types and queries; empty where the declaration is all there is.
    static var document: Bytes { get }
}

extension API {
    public static var operations: [OperationDescription] { [] }
    public static var document: Bytes { Bytes() }

    /// The declaration as a description: each resource once, in the order in which it is met.  Ends on cycles.
    package static var description: RouterDescription {
        var result = RouterDescription()
        result.name = name
        result.base = base
        result.operations = operations
        var seen = Set<Bytes>()
        var waiting = resources
        var next = 0
        while next < waiting.count {
            let resource = waiting[next]
            next &+= 1
            guard seen.insert(resource.name).inserted else { continue }
            result.resources.append(resource.describe())
            waiting.append(contentsOf: resource.children())
        }
        return result
    }

    /// Opens the declaration as a router.
    public static func router() throws(Failure) -> Router { try router(codec: nil) }

    package static func router(codec: (any BodyCodec)?) throws(Failure) -> Router {
        try Router.open(description, codec: codec)
    }

    /// The collection of a root resource.
    @inlinable public static func collection<Kind: Resource>(_ resource: Kind.Type = Kind.self) -> ResourceCollection<Kind> {
        ResourceCollection(start)
    }

    /// A root resource of several ids.
    @inlinable public static func collection<Kind: Scoped>(_ resource: Kind.Type = Kind.self) -> ResourceScoped<Kind> {
        ResourceScoped(start)
    }

    /// A standalone operation, with the values of its path.
    @inlinable public static func endpoint<Output>(
        _ operation: Bytes, _ ids: [Value] = [], returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { Endpoint(ids.reduce(start) { $0.with($1) }, .named(operation)) }

    @inlinable static var start: ResourceChain {
        #if hasFeature(Embedded)
        ResourceChain()
        #else
        ResourceChain(Self.self)
        #endif
    }
}
