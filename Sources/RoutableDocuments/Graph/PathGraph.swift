// Derives resources from the paths of an OpenAPI or Swagger document.

internal import RoutableCore

/// Derives resources from paths by the rules in docs/openapi.md, "The graph of a document".
final class PathGraph: GraphSource {
    private let schemas: OpenAPISchemas
    private let keys: GraphKeys

    init(_ schemas: OpenAPISchemas, _ keys: GraphKeys) {
        self.schemas = schemas
        self.keys = keys
    }

    func derive(_ operations: [OperationDescription]) throws(Failure) -> DerivedDescription {
        var result = DerivedDescription()
        var paths: [(index: Int, steps: PathSteps)] = []
        var moved: [Int] = []
        for (index, operation) in operations.enumerated() {
            try Memory.check()
            if let key = keys.operations[operation.name], key.isHidden || !key.route.isEmpty {
                if !key.isHidden { moved.append(index) }
                if key.isHidden { result.omitted.append((index, "\"x-routable-resource\" is false")) }
                continue
            }
            let steps = PathSteps(operation.template ?? Template())
            if let reason = steps.reason { result.omitted.append((index, reason)) } else { paths.append((index, steps)) }
        }
        let prefix = Self.prefixLength(paths.map { $0.steps })
        if let first = paths.first {
            for case .literal(_, let text) in first.steps.steps.prefix(prefix) { result.prefix.append(text) }
        }
        var tree = PathTree()
        for path in paths {
            let verb = path.steps.verb ?? PathNames.fragment(operations[path.index])
            try tree.add(keys.named(path.steps.steps).dropFirst(prefix), verb: verb, operation: path.index)
        }
        try tree.foldVerbs(operations)
        try tree.foldWrittenIDs(operations)
        var resources = PathResources(tree.nodes, operations, schemas.shapes, keys)
        try resources.run()
        try resources.move(moved)
        result.warnings = resources.warnings
        result.resources = resources.resources
        result.omitted += resources.omitted
        result.omitted = result.omitted.ordered { $0.index < $1.index }
        return result
    }

    /// The number of segments at the start of all paths that are a prefix of the API, such as a version.
    private static func prefixLength(_ paths: [PathSteps]) -> Int {
        var length = 0
        while true {
            var common: Bytes?
            for path in paths where path.steps.count > length {
                guard case .literal(let name, let text) = path.steps[length], ResourceName.isPrefix(text) else { return length }
                if let common, common != name { return length }
                common = name
            }
            if common == nil { return length }
            length &+= 1
        }
    }
}
