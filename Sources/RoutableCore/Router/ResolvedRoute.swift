// Resolves a dotted route and the name of an operation to their entries, with a reason for every rejection.

/// A resolved route: the resources from the root, and the operation at its end.
package struct ResolvedRoute {
    /// Indices of resources, the outermost first; empty for a standalone operation.
    package var resources: [Int]
    package var operation: OperationEntry
}

extension Router {
    /// Resolves `user.status` and `create`, or a standalone operation if the route is empty.
    ///
    /// Failures: `unknown` for names that do not exist, `notAllowed` for an operation that the resource does
    /// not have at that place, `limit` for a walk that is too long.
    package func walk(route: Bytes, operation: Bytes) throws(Failure) -> ResolvedRoute {
        if route.isEmpty { return ResolvedRoute(resources: [], operation: try standaloneOperation(operation)) }
        if let graph = try derivedGraph { return try walk(route: route, operation: operation, in: graph) }
        let names = route.split(on: UInt8(ascii: "."))
        // Each resource but the last has an id; a plan counts the ids.
        if names.count > Limits.idsPerRoute &+ 1 {
            throw Failure(.limit, "the route has \(names.count) resources; at most \(Limits.idsPerRoute &+ 1) are allowed")
        }
        var path: [ResourceEntry] = []
        for name in names { path.append(try next(name, after: path, route)) }
        guard let last = path.last else { throw Failure(.unknown, "the route is empty") }
        guard let entry = last.operation(operation) else { throw refusal(of: operation, by: last, route) }
        let place = entry.description.place
        if path.count == 1 && !last.isRoot && place == .collection {
            throw Failure(
                .notAllowed, "\(last.name.bytes): \(operation) is only available below a parent: \(parents(of: last))"
            ) {
                $0.route = route
                $0.operation = operation
                $0.allowed = parents(of: last)
            }
        }
        if path.count > 1 && last.description.isShallow && place == .member {
            throw shallowRefusal(last, route, operation)
        }
        return ResolvedRoute(resources: path.map { $0.index }, operation: entry)
    }

    private func standaloneOperation(_ name: Bytes) throws(Failure) -> OperationEntry {
        if let entry = operation(named: name) { return entry }
        if Capability.named(name) != nil, let first = resources.first {
            throw Failure(.unknown, "\(name) requires a route, such as \"\(first.name.bytes)\"") {
                $0.operation = name
                $0.allowed = resources.filter { $0.isRoot }.map { $0.name.bytes }.ordered()
            }
        }
        throw Failure.unknownName(.unknown, "no standalone operation", name, among: operations.map { $0.name.bytes })
            .about(route: "", operation: name)
    }

    private func next(_ name: Bytes, after path: [ResourceEntry], _ route: Bytes) throws(Failure) -> ResourceEntry {
        guard let parent = path.last else {
            guard let resource = resource(named: name) else {
                if operation(named: name) != nil {
                    throw Failure(
                        .unknown, "\(name) is a standalone operation: pass its name as the operation, without a route"
                    ) {
                        $0.route = route
                        $0.suggestion = name
                    }
                }
                throw Failure.unknownName(
                    .unknown, "no resource", name, among: resources.filter { $0.isRoot }.map { $0.name.bytes }
                ).about(route: route, operation: "")
            }
            if !resource.hasRootMembers {
                throw Failure(.unknown, "\(name) is only available below another resource: \(parents(of: resource))") {
                    $0.route = route
                    $0.allowed = parents(of: resource)
                }
            }
            return resource
        }
        if path.count > 1 && parent.description.isShallow { throw shallowRefusal(parent, route, "") }
        if let child = parent.children.first(where: { resources[$0].description.name == name }) {
            return resources[child]
        }
        throw unknownChild(name, of: parent, resources, route)
    }

    /// The failure of a walk to a resource that is not a child: a walk can continue only to children (statement R16).
    func unknownChild(_ name: Bytes, of parent: ResourceEntry, _ resources: [ResourceEntry], _ route: Bytes) -> Failure {
        let allowed = parent.children.map { resources[$0].name.bytes }.ordered()
        let suggestion = NearestName.find(name, among: allowed)
        var message: Bytes = "\(parent.name.bytes): no nested resource \"\(name.printable)\"; allowed: \(allowed)"
        if let suggestion { message.append("; did you mean \"\(suggestion)\"?") }
        if allowed.isEmpty { message = "\(parent.name.bytes): no nested resource \"\(name.printable)\"; it has none" }
        return Failure(.unknown, message) {
            $0.route = route
            $0.allowed = allowed
            $0.suggestion = suggestion ?? Bytes()
        }
    }

    /// statement R15: the failure names the resource, the operation and the allowed operations.
    func refusal(of operation: Bytes, by resource: ResourceEntry, _ route: Bytes) -> Failure {
        let allowed = resource.operations.map { $0.name.bytes }.ordered()
        let suggestion = NearestName.find(operation, among: allowed)
        let name = resource.name.bytes
        let isCapability = Capability.named(operation) != nil
        var message: Bytes
        if isCapability {
            message = "\(name): \(operation) not allowed; allowed: \(allowed)"
        } else if let suggestion {
            message = "\(name): no operation \"\(operation.printable)\"; did you mean \"\(suggestion)\"? allowed: \(allowed)"
        } else {
            message = "\(name): no operation \"\(operation.printable)\"; allowed: \(allowed)"
        }
        if allowed.isEmpty { message = "\(name): \(operation.printable) not allowed; it has no operations" }
        return Failure(.notAllowed, message) {
            $0.route = route
            $0.operation = operation
            $0.allowed = allowed
            $0.suggestion = isCapability ? Bytes() : suggestion ?? Bytes()
        }
    }

    private func shallowRefusal(_ resource: ResourceEntry, _ route: Bytes, _ operation: Bytes) -> Failure {
        let name = resource.name.bytes
        return Failure(.notAllowed, "\(name) is shallow: its members are at the root; use the route \"\(name)\"") {
            $0.route = route
            $0.operation = operation
            $0.allowed = [name]
            $0.suggestion = name
        }
    }

    private func parents(of resource: ResourceEntry) -> [Bytes] {
        resources.filter { $0.children.contains(resource.index) }.map { $0.name.bytes }.ordered()
    }
}
