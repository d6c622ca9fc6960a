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

    /// The resources of a router that derives them, in its order; none for another.  `actions` are its standalone operations.
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

    /// Gives each id the type that the operations at its resource and below declare for it, which only some of them may do at the
    /// resource itself; any value if they declare different types.
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
    /// The order in which their routes become names: `repos.issues.comments` comes before `repos.issues/comments`, the comments of all
    /// issues, which then has a number.
    var namingOrder: [Int] {
        indices.filter { !self[$0].route.contains("/") } + indices.filter { self[$0].route.contains("/") }
    }

    /// The ids that a call at a place has, of all resources on the way to it.
    func ids(of index: Int, at place: ActionPlace) -> [Parameter] {
        let own = place == .member ? self[index].ids : []
        guard let parent = self[index].parent else { return own }
        return ids(of: parent, at: self[index].place) + own
    }
}

extension Shape {
    /// The same without the values that are allowed, which operations at one place may declare differently.
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
