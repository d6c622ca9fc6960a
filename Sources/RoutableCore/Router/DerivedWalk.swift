// Resolves routes through derived resources, with the same explanations as for declared ones.
//
// The names of children are unique only within one place.  `repos.issues.comments` are the comments of an issue, and
// `repos.issues/comments` those directly below all issues; a dot is accepted for both if only one of them exists.

extension Router {
    /// Failures: `unknown`, `notAllowed`, `limit`.
    func walk(route: Bytes, operation: Bytes, in graph: DerivedGraph) throws(Failure) -> ResolvedRoute {
        let last = try resource(route, in: graph)
        guard let entry = last.operation(operation) else { throw refusal(of: operation, by: last, route) }
        // The plan is that of the standalone operation.
        return ResolvedRoute(resources: [], operation: entry)
    }

    /// The resource that a route leads to.
    ///
    /// Failures: `unknown`, `limit`.
    package func resource(route: Bytes) throws(Failure) -> ResourceEntry? {
        guard let graph = try derivedGraph else { return resource(named: route) }
        return try resource(route, in: graph)
    }

    private func resource(_ route: Bytes, in graph: DerivedGraph) throws(Failure) -> ResourceEntry {
        var last: ResourceEntry?
        var start = 0
        var isBelowCollection = false
        var count = 0
        while start <= route.count {
            count &+= 1
            if count > Limits.segmentsPerRoute {
                throw Failure(.limit, "the route has more than \(Limits.segmentsPerRoute) resources")
            }
            var end = start
            while end < route.count, route.storage[end] != UInt8(ascii: "."), route.storage[end] != UInt8(ascii: "/") {
                end &+= 1
            }
            let name = Bytes(route.storage[start..<end])
            last = try next(name, below: last, isBelowCollection: isBelowCollection, route, graph)
            isBelowCollection = end < route.count && route.storage[end] == UInt8(ascii: "/")
            start = end &+ 1
        }
        guard let last else { throw Failure(.unknown, "the route is empty") }
        return last
    }

    private func next(
        _ name: Bytes, below parent: ResourceEntry?, isBelowCollection: Bool, _ route: Bytes, _ graph: DerivedGraph
    ) throws(Failure) -> ResourceEntry {
        guard let parent else {
            if let found = graph.root(name) { return found }
            throw unknownRoot(name, route, graph)
        }
        var found: ResourceEntry?
        for index in parent.children where graph.resources.indices.contains(index) {
            let child = graph.resources[index]
            guard child.description.name == name else { continue }
            if child.place == .collection { found = found ?? child }
            if child.place == .member && !isBelowCollection { found = child }
        }
        if let found { return found }
        throw unknownChild(name, of: parent, graph.resources, route)
    }

    private func unknownRoot(_ name: Bytes, _ route: Bytes, _ graph: DerivedGraph) -> Failure {
        if operation(named: name) != nil {
            return Failure(
                .unknown, "\(name) is a standalone operation: pass its name as the operation, without a route"
            ) {
                $0.route = route
                $0.suggestion = name
            }
        }
        let routes = graph.resources.filter { $0.description.name == name }.map { $0.route.bytes }.ordered()
        if !routes.isEmpty {
            return Failure(.unknown, "\(name) is only available below another resource: \(routes)") {
                $0.route = route
                $0.allowed = routes
                $0.suggestion = routes.count == 1 ? routes[0] : Bytes()
            }
        }
        return Failure.unknownName(
            .unknown, "no resource", name, among: graph.resources.filter { $0.isRoot }.map { $0.name.bytes }
        ).about(route: route, operation: "")
    }
}
