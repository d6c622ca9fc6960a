// A resource without its type, for lists of children and roots.

/// A resource without its type.
public struct AnyResource {
    let name: Bytes
    // Asked only when the graph is walked: a cyclic declaration stays finite.
    let describe: () -> ResourceDescription
    let children: () -> [AnyResource]

    #if !hasFeature(Embedded)
    private let type: any Any.Type
    #endif

    /// The resource of this type.
    public init<Kind: Resource>(_ resource: Kind.Type) {
        name = Bytes(Kind.name)
        describe = { Kind.description }
        children = { Kind.children }
        #if !hasFeature(Embedded)
        type = Kind.self
        #endif
    }

    /// Whether another one is the same.  In Embedded Swift, which has no types as values, those of one description are.
    func isSame(_ other: AnyResource) -> Bool {
        #if hasFeature(Embedded)
        let own = describe(), others = other.describe()
        return own.path == others.path && own.capabilities == others.capabilities && own.children == others.children
            && own.ids.map { $0.spelling } == others.ids.map { $0.spelling }
        #else
        return type == other.type
        #endif
    }

    /// What a message calls it.
    var label: Bytes {
        #if hasFeature(Embedded)
        return "the one with the path \"\(describe().path.printable)\""
        #else
        return Bytes(Array(String(reflecting: type).utf8))
        #endif
    }
}

/// An API that is declared in Swift.
public protocol API: SendableMetatype {
    /// The name of the API.
    static var name: String { get }
    /// The URL before every path; empty if each client or call has its own.
    static var base: String { get }
    /// The resources to begin with; what nests in them follows.
    static var resources: [AnyResource] { get }
    /// Standalone operations.
    static var operations: [OperationDescription] { get }
    /// A route document that says it all, with types and queries, or an OpenAPI document of standalone operations; empty where
    /// the declaration is all there is.
    static var document: String { get }
    /// OpenAPI Overlays, applied to an OpenAPI document in this order.
    static var overlays: [String] { get }
    /// Only these operations, standalone ones by name, others as `resource.operation`; nil for all.
    static var only: [String]? { get }
    /// All operations but these.  An API has `only` or `except`, not both.
    static var except: [String] { get }
}

extension API {
    public static var operations: [OperationDescription] { [] }
    public static var document: String { "" }
    public static var overlays: [String] { [] }
    public static var only: [String]? { nil }
    public static var except: [String] { [] }

    /// The declaration as a description: each resource once, in the order in which it is met.  Ends on cycles.
    ///
    /// - Throws: `conflict` for two resources of one name.
    package static func described() throws(Failure) -> RouterDescription {
        var result = RouterDescription()
        result.name = Bytes(name)
        let base = Bytes(base)
        if !base.isEmpty { result.base = base }
        result.operations = operations
        var seen = KeyedValues<Bytes, AnyResource>()
        var waiting = resources
        var next = 0
        while next < waiting.count {
            let resource = waiting[next]
            next &+= 1
            if let known = seen[resource.name] {
                if known.isSame(resource) { continue }
                throw Failure(
                    .conflict, "two resources are named \"\(resource.name.printable)\": \(known.label) and \(resource.label)")
            }
            seen.set(resource, for: resource.name)
            result.resources.append(resource.describe())
            waiting.append(contentsOf: resource.children())
        }
        return result
    }

    /// Opens the declaration as a router.
    public static func router() throws(Failure) -> Router { try router(codec: nil) }

    package static func router(codec: (any BodyCodec)?) throws(Failure) -> Router {
        try Router.open(try described(), codec: codec)
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
        _ operation: String, _ ids: [Value] = [], returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { Endpoint(ids.reduce(start) { $0.with($1) }, .named(Bytes(operation))) }

    @inlinable static var start: ResourceChain {
        #if hasFeature(Embedded)
        ResourceChain()
        #else
        ResourceChain(Self.self)
        #endif
    }
}
