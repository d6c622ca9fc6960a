// The operation, the route and the values of a match, computed on request, outside of the hot path.

extension Router {
    /// The operation of a match by its number: those of resources in declaration order, then the free ones.
    package func operation(numbered number: UInt32) -> OperationEntry? { index.operation(number) }

    /// The number of operations, which their numbers are below.
    package var operationCount: Int { index.operations.count }

    /// What a capture is the value of.
    package func parameter(of capture: Capture, operation: UInt32) -> ParameterEntry? {
        if resources.indices.contains(Int(capture.resource)) {
            let ids = resources[Int(capture.resource)].ids
            return ids.indices.contains(Int(capture.parameter)) ? ids[Int(capture.parameter)] : nil
        }
        guard let entry = index.operation(operation), entry.parameters.indices.contains(Int(capture.parameter)) else {
            return nil
        }
        return entry.parameters[Int(capture.parameter)]
    }

    /// The methods of a node, sorted by their bytes.
    package func methods(ofNode node: UInt32) -> [Text] { matcher.methods(ofNode: node) }

    /// The other operations with the path and the method of a match; a declared constant of the request distinguishes them.
    package func alternatives(ofNode node: UInt32, to operation: UInt32) -> [OperationEntry] {
        alternativeNumbers(ofNode: node, to: operation).compactMap { index.operation($0) }
    }

    /// The same as numbers.
    package func alternativeNumbers(ofNode node: UInt32, to operation: UInt32) -> [UInt32] {
        matcher.alternatives(ofNode: node, to: operation)
    }

    /// The dotted route of a walk, `user.status`; empty for a standalone operation, nil without a node.  Where the method is
    /// not allowed, the route that the node has for another one.
    ///
    /// The captures name the resources that the walk went through; a collection at its end has all its ids but the last.
    package func route(of captures: [Capture], operation: UInt32, node: UInt32) -> Bytes? {
        let number = operation == MatchLayout.noOperation ? matcher.firstOperation(ofNode: node) : operation
        guard let entry = index.operation(number) else { return nil }
        guard let resource = entry.resource, resources.indices.contains(resource) else { return Bytes() }
        var names = captures.compactMap { capture -> Bytes? in
            guard resources.indices.contains(Int(capture.resource)), capture.parameter == 0 else { return nil }
            return resources[Int(capture.resource)].name.bytes
        }
        if entry.description.place == .collection && resources[resource].ids.count == 1 {
            names.append(resources[resource].name.bytes)
        }
        return names.joined(by: ".")
    }

    /// What is strange about the routes, but no failure.
    package var warnings: [RouteWarning] { matcher.warnings }
    /// The size in bytes of the table that matches read.
    package var matchTableBytes: Int { table.byteCount }
}

extension Matcher {
    /// What hangs first at a node of a match, or `MatchLayout.noOperation`.
    func firstOperation(ofNode node: UInt32) -> UInt32 {
        operations(ofNode: node).first ?? MatchLayout.noOperation
    }

    func methods(ofNode node: UInt32) -> [Text] {
        var result: [Text] = []
        // Where conflicts are tolerated, two operations may have one method.
        for number in operations(ofNode: node) {
            guard let method = operation(number)?.method else { continue }
            if !result.contains(where: { $0.bytes == method.bytes }) { result.append(method) }
        }
        return result.ordered { $0.bytes < $1.bytes }
    }

    /// The other operations of a node with the same method.
    func alternatives(ofNode node: UInt32, to operation: UInt32) -> [UInt32] {
        guard let own = self.operation(operation) else { return [] }
        return operations(ofNode: node).filter {
            $0 != operation && self.operation($0)?.method.bytes == own.method.bytes
        }
    }

    /// `node` may come from outside.
    func operations(ofNode node: UInt32) -> [UInt32] {
        if let only = table.onlyGet(node) { return [only] }
        var result: [UInt32] = []
        var index = Int(node) &- 1
        while index >= 0 && index < Int(table.hangingCount) {
            result.append(table.hangings[index].operation)
            if table.hangings[index].flags & MatchTable.Hanging.last != 0 { break }
            index &+= 1
        }
        return result
    }

    /// An operation as messages call it.
    func label(_ number: UInt32, _ resources: [ResourceEntry]) -> Bytes {
        guard let entry = operation(number) else { return "no route" }
        guard let resource = entry.resource, resources.indices.contains(resource) else { return entry.name.bytes }
        return "\(resources[resource].name.bytes) \(entry.name.bytes)"
    }
}
