// The resources that the paths of an OpenAPI document describe, for navigation in generated code.

internal import RoutableCore

/// A resource that is derived from paths.
struct WalkPlan {
    /// The name in calls.
    var name: String
    var route: String
    /// The index of its parent, which comes before it in the list.
    var parent: Int?
    /// The location of the resource below its parent; the root without one.
    var place: ActionPlace
    /// The ids; empty for a single resource.
    var ids: [Parameter]
    /// The number of ids of the resources above it.
    var idCount: Int
    var steps: [Step] = []

    /// An operation, which refers to a standalone operation.
    struct Step {
        var name: String
        /// The index of the standalone operation.
        var action: Int
        var place: ActionPlace
    }

    /// The number of ids of an operation at a location.
    func count(at place: ActionPlace) -> Int { place == .member ? idCount + ids.count : idCount }

    /// The resources of a router that derives them, in its order; empty for other routers.  `actions` are its standalone operations.
    static func read(
        _ router: Router, _ actions: [Action], _ parameter: (ParameterDescription) -> Parameter
    ) throws(Failure) -> [WalkPlan] {
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
        typeIds(&result, actions)
        return result
    }

    /// Sets the type of each id to the type that the operations at its resource and below declare for it, because not all operations at the
    /// resource itself declare one.  If they declare different types, the type is any value.
    private static func typeIds(_ walks: inout [WalkPlan], _ actions: [Action]) {
        var shapes = walks.map { [Shape?](repeating: nil, count: $0.ids.count) }
        for (index, walk) in walks.enumerated() {
            for step in walk.steps {
                let declared = actions[step.action].pathParameters
                if declared.count != walk.count(at: step.place) { continue }
                var owner: Int? = index, isMember = step.place == .member
                while let place = owner {
                    let first = walks[place].idCount
                    for order in walks[place].ids.indices where isMember {
                        let shape = declared[first + order].type.shape.ofId
                        let known = shapes[place][order] ?? shape
                        shapes[place][order] = known == shape ? shape : .any
                    }
                    isMember = walks[place].place == .member
                    owner = walks[place].parent
                }
            }
        }
        for (index, own) in shapes.enumerated() {
            for (order, shape) in own.enumerated() {
                walks[index].ids[order].type.shape = shape ?? walks[index].ids[order].type.shape.ofId
            }
        }
    }
}

extension [WalkPlan] {
    /// The order in which the routes get their names: `repos.issues.comments` comes before `repos.issues/comments`, the comments of all
    /// issues, whose name then ends in a number.
    var namingOrder: [Int] {
        indices.filter { !self[$0].route.contains("/") } + indices.filter { self[$0].route.contains("/") }
    }

    /// The ids of a call at a location, of the resource and all resources above it.
    func ids(of index: Int, at place: ActionPlace) -> [Parameter] {
        let own = place == .member ? self[index].ids : []
        guard let parent = self[index].parent else { return own }
        return ids(of: parent, at: self[index].place) + own
    }
}

extension Shape {
    /// The shape without the allowed values, which operations at one location can declare differently.
    fileprivate var ofId: Shape {
        switch self {
        case .text: .text([])
        case .integer: .integer([])
        case .list(let element): .list(Typing(shape: element.shape.ofId))
        default: self
        }
    }
}

extension Action {
    var pathParameters: [Parameter] { parameters.filter { $0.spot == .path } }
}
