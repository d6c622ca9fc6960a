// A resource without its type, for lists of children and roots.

/// A resource without its type.
public struct AnyResource {
    let name: Bytes
    // Called only when the graph is walked, so that cyclic declarations are possible.
    let describe: () -> ResourceDescription
    let children: () -> [AnyResource]

    #if !hasFeature(Embedded)
    private let type: any Any.Type
    #endif

    /// Creates the resource of this type.
    public init<Kind: Resource>(_ resource: Kind.Type) {
        name = Bytes(Kind.name)
        describe = { Kind.description }
        children = { Kind.children }
        #if !hasFeature(Embedded)
        type = Kind.self
        #endif
    }

    /// Whether both are the same resource.  Embedded Swift has no metatypes as values; there, the descriptions are compared.
    func isSame(_ other: AnyResource) -> Bool {
        #if hasFeature(Embedded)
        let own = describe(), others = other.describe()
        return own.path == others.path && own.capabilities == others.capabilities && own.children == others.children
            && own.ids.map { $0.spelling } == others.ids.map { $0.spelling }
        #else
        return type == other.type
        #endif
    }

    /// The name of the resource in messages.
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
    /// The base URL, to which every path is appended; empty if each client or call sets its own.
    static var base: String { get }
    /// The resources at the root.  The library finds nested resources through the `children` of these resources.
    static var resources: [AnyResource] { get }
    /// The standalone operations.
    static var operations: [OperationDescription] { get }
    /// A route document that describes the whole API, with types and queries, or an OpenAPI document of standalone operations;
    /// empty if the API has no document.
    static var document: String { get }
    /// The path of a document that is used instead of `document`, in JSON or YAML; references in an OpenAPI document lead to files
    /// below its folder.  nil if the API has no such file.
    static var documentPath: String? { get }
    /// Returns the document at a URI to which an OpenAPI document refers, in JSON or YAML; nil if there is none.  The library calls
    /// the function for references of `document`; references of the file at `documentPath` lead to files.
    static func load(_ uri: String) -> String?
    /// The OpenAPI Overlays that the library applies to an OpenAPI document, in this order.
    static var overlays: [String] { get }
    /// The operations to include: standalone operations by name, the others as `resource.operation`; nil includes all.
    static var only: [String]? { get }
    /// The operations to exclude.  An API must not set both `only` and `except`.
    static var except: [String] { get }
}

extension API {
    public static var operations: [OperationDescription] { [] }
    public static var document: String { "" }
    public static var documentPath: String? { nil }
    public static func load(_ uri: String) -> String? { nil }
    public static var overlays: [String] { [] }
    public static var only: [String]? { nil }
    public static var except: [String] { [] }

    /// The description of the API: each resource once, in the order in which the search from the root finds it.
    ///
    /// - Throws: `conflict` for two resources with the same name.
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

    /// Opens a router for the declared resources and operations.  This function does not read `document`.
    public static func router() throws(Failure) -> Router { try router(codec: nil) }

    package static func router(codec: (any BodyCodec)?) throws(Failure) -> Router {
        try Router.open(try described(), codec: codec)
    }

    /// Returns the collection of a root resource.
    @inlinable public static func collection<Kind: Resource>(_ resource: Kind.Type = Kind.self) -> ResourceCollection<Kind> {
        ResourceCollection(start)
    }

    /// Returns a root resource with several ids.
    @inlinable public static func collection<Kind: Scoped>(_ resource: Kind.Type = Kind.self) -> ResourceScoped<Kind> {
        ResourceScoped(start)
    }

    /// Returns a standalone operation, with the values of its path.
    @inlinable public static func endpoint<each ID: ValueConvertible, Output>(
        _ operation: String, _ ids: repeat each ID, returning type: Output.Type = Untyped.self
    ) -> Endpoint<Output> { start.endpoint(operation, repeat each ids) }

    @inlinable static var start: ResourceChain {
        #if hasFeature(Embedded)
        ResourceChain()
        #else
        ResourceChain(Self.self)
        #endif
    }
}
