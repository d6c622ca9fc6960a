// The resources that the paths of an OpenAPI document describe, as generated code walks through them.

internal import RoutableCore

/// A resource that is derived from paths.
struct WalkPlan {
    /// As a call names it.
    var name: String
    var route: String
    /// The place of its parent among the walks, which comes before it.
    var parent: Int?
    /// Where it stands below its parent; the root without one.
    var place: ActionPlace
    /// None for a resource that is one thing.
    var ids: [Parameter]
    /// How many ids the resources before it have.
    var idCount: Int
    var steps: [Step] = []

    /// An operation, which is one of the standalone operations.
    struct Step {
        var name: String
        /// The place among the standalone operations.
        var action: Int
        var place: ActionPlace
    }

    /// How many ids an operation at a place has.
    func count(at place: ActionPlace) -> Int { place == .member ? idCount + ids.count : idCount }

    /// The resources of a router that derives them, in its order; none for another.
    static func read(_ router: Router, _ parameter: (ParameterDescription) -> Parameter) throws(Failure) -> [WalkPlan] {
        guard let graph = try router.derivedGraph else { return [] }
        var indexes: [Bytes: Int] = [:]
        for (index, operation) in router.operations.enumerated() { indexes[operation.name.bytes] = index }
        var result: [WalkPlan] = []
        for resource in graph.resources {
            let isBelowMember = resource.place == .member
            var walk = WalkPlan(
                name: resource.name.bytes.string, route: resource.route.bytes.string, parent: resource.parent,
                place: resource.parent == nil ? .root : isBelowMember ? .member : .collection,
                ids: resource.ids.map { parameter($0.description) },
                idCount: resource.parent.map { result[$0].count(at: isBelowMember ? .member : .collection) } ?? 0)
            for operation in resource.operations {
                guard let index = indexes[operation.standaloneName.bytes] else { continue }
                walk.steps.append(
                    Step(
                        name: operation.name.bytes.string, action: index,
                        place: operation.description.place == .member ? .member : .collection))
            }
            result.append(walk)
        }
        return result
    }
}
