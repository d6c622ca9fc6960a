// The resources of a document that declares only operations: derived from their paths on first use, so that opening such a
// document stays fast.

internal import CSystem

/// The graph of a router whose document declares only operations.  Immutable.
package final class DerivedGraph: Sendable {
    package let resources: [ResourceEntry]
    /// The operations of resources by the index of the standalone operation; nil if no walk leads to it.
    package let walks: [OperationEntry?]
    /// The reason why no walk leads to an operation.
    package let omitted: [(index: Int, reason: Bytes)]
    /// Declarations of the document about its resources that have no effect.
    package let warnings: [Bytes]
    private let roots: KeyedValues<Bytes, Int>

    fileprivate init(_ entries: DerivedEntries, _ derived: DerivedDescription) {
        resources = entries.resources
        walks = entries.walks
        roots = entries.roots
        omitted = derived.omitted
        warnings = derived.warnings
    }

    /// A resource at the root.
    func root(_ name: Bytes) -> ResourceEntry? {
        roots[name].flatMap { resources.indices.contains($0) ? resources[$0] : nil }
    }
}

/// Makes the entries of derived resources.
private struct DerivedEntries {
    var resources: [ResourceEntry] = []
    var walks: [OperationEntry?]
    var roots = KeyedValues<Bytes, Int>()

    init(_ derived: [DerivedResource], _ operations: [OperationEntry]) throws(Failure) {
        walks = [OperationEntry?](repeating: nil, count: operations.count)
        var children = [[Int]](repeating: [], count: derived.count)
        for (index, resource) in derived.enumerated() {
            try Memory.check()
            guard let parent = resource.parent, children.indices.contains(parent) else {
                roots.set(index, for: resource.name)
                continue
            }
            children[parent].append(index)
        }
        for (index, resource) in derived.enumerated() {
            try Memory.check()
            var route = resource.name
            // A parent precedes its children.
            if let parent = resource.parent, resources.indices.contains(parent) {
                let mark: Bytes = resources[parent].isBesideIDs(resource.place) ? "/" : "."
                route = "\(resources[parent].route.bytes)\(mark)\(resource.name)"
            }
            var description = ResourceDescription(name: resource.name, path: resource.path)
            description.ids = resource.ids
            description.isNested = resource.parent != nil
            var entries: [OperationEntry] = []
            for operation in resource.operations where operations.indices.contains(operation.index) {
                try Memory.check()
                let entry = OperationEntry(operations[operation.index], as: operation, resource: index)
                if let capability = operation.capability { description.capabilities.insert(Capabilities(capability)) }
                walks[operation.index] = entry
                entries.append(entry)
            }
            resources.append(
                ResourceEntry(
                    description, index: index, children: children[index], operations: entries, parent: resource.parent,
                    place: resource.place, route: route, elementType: resource.elementType))
        }
        for resource in resources { resource.link(resources) }
    }
}

/// Makes the graph of a router on first use.  Any thread may call it.
final class LazyGraph: Sendable {
    private let source: any GraphSource
    // Guarded by the lock; the graph never changes once it is made.
    nonisolated(unsafe) private var made: DerivedGraph?
    nonisolated(unsafe) private let lock: OpaquePointer

    init(_ source: any GraphSource) {
        self.source = source
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    func graph(of router: Router) throws(Failure) -> DerivedGraph {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let made { return made }
        let derived = try source.derive(router.operations.map { $0.description })
        let entries = try DerivedEntries(derived.resources, router.operations)
        let graph = DerivedGraph(entries, derived)
        made = graph
        return graph
    }
}

extension Router {
    /// Whether its resources are derived from the paths of its operations.
    package var isDerived: Bool { lazyGraph != nil }

    /// The graph that the paths of its operations define; nil for a document that declares its resources.
    ///
    /// Failures: `limit`, `memory`.
    package var derivedGraph: DerivedGraph? {
        get throws(Failure) { try lazyGraph?.graph(of: self) }
    }

    /// The resources that a route can name, declared or derived.
    ///
    /// Failures: `limit`, `memory`.
    package var graphResources: [ResourceEntry] {
        get throws(Failure) { try derivedGraph?.resources ?? resources }
    }
}
