// Derives resources from the paths of an OpenAPI or Swagger document.

internal import RoutableCore

/// The rules by which paths become resources (docs/openapi.md, "The graph of a document").
final class PathGraph: GraphSource {
    private let schemas: OpenAPISchemas

    init(_ schemas: OpenAPISchemas) { self.schemas = schemas }

    func derive(_ operations: [OperationDescription]) throws(Failure) -> DerivedDescription {
        var result = DerivedDescription()
        var paths: [(index: Int, steps: PathSteps)] = []
        for (index, operation) in operations.enumerated() {
            try Memory.check()
            let steps = PathSteps(operation.template ?? Template())
            if let reason = steps.reason { result.omitted.append((index, reason)) } else { paths.append((index, steps)) }
        }
        let prefix = Self.prefixLength(paths.map { $0.steps })
        var tree = PathTree()
        for path in paths {
            try tree.add(path.steps.steps.dropFirst(prefix), verb: path.steps.verb, operation: path.index)
        }
        var resources = PathResources(tree.nodes, operations, schemas)
        try resources.run()
        result.resources = resources.resources
        result.omitted += resources.omitted
        result.omitted = result.omitted.ordered { $0.index < $1.index }
        return result
    }

    /// How many segments before all paths say where the API is.
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
