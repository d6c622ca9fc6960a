// The request for a URL from a response: for the operation that the URL matches, or without one.

extension Router {
    /// - Parameter path: the path of the URL after the base; nil for a URL with another base.
    package func request(following url: Bytes, path: Bytes?, _ method: Bytes, isElsewhere: Bool) throws(Failure) -> Request {
        if method.isEmpty || !method.storage.allSatisfy(ASCII.isToken) {
            throw Failure(.argument, "the method \"\(method.printable)\" is not a valid HTTP token")
        }
        let plan = try path.flatMap { (path) throws(Failure) in try matched(path, method) } ?? plan(of: method)
        var fields = HeaderBlock(headers)
        for parameter in plan.operation.description.headers {
            if let value = parameter.defaultValue?.scalarText { fields.set(try HeaderField.checked(parameter.name, value)) }
        }
        if let accept = plan.accept { fields.append(accept) }
        return Request(plan, Text(url), pathStart: 0, suffixCount: 0, headers: fields, body: nil)
            .following(url, isElsewhere: isElsewhere)
    }

    /// The plan of the operation with this path; nil if there is none.
    private func matched(_ path: Bytes, _ method: Bytes) throws(Failure) -> Plan? {
        var found: (route: Bytes, operation: OperationEntry)?
        withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) { room in
            guard let result = room.baseAddress else { return }
            var name = method.storage.map { CChar(bitPattern: $0) }
            name.append(0)
            let status = path.storage.withUnsafeBytes { match(name, $0.baseAddress, $0.count, 0, result) }
            guard status == Status.ok.rawValue else { return }
            let number = result.load(as: UInt32.self)
            let count = min(Int(result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)), Limits.idsPerRoute)
            var captures: [Capture] = []
            for index in 0..<count {
                captures.append(
                    result.load(fromByteOffset: MatchLayout.captures &+ index &* MemoryLayout<Capture>.stride, as: Capture.self)
                )
            }
            let node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
            guard let entry = operation(numbered: number), let route = route(of: captures, operation: number, node: node) else {
                return
            }
            found = (route, entry)
        }
        guard let found else { return nil }
        return try Plan.make(self, route: found.route, operation: found.operation.name.bytes)
    }

    /// The plan of a request without an operation: its success is raw, and it has the credentials that the document declares for all operations.
    private func plan(of method: Bytes) -> Plan {
        var description = OperationDescription(name: "follow", method: method, path: Bytes(), place: .root)
        description.auth = self.description.auth
        var shared = KeyedValues<Int, ParameterEntry>()
        let entry = OperationEntry(
            description, path: .empty, method: Text(method), resource: nil, pathParameters: [], types: [],
            defaultEncoding: FormEncoding(), rules: self.description.rules?.completing(nil, of: description), shared: &shared)
        let walk = ResolvedRoute(resources: [], operation: entry)
        return Plan(self, route: Bytes(), walk, ShadowAnalysis(self, walk), isReused: false)
    }
}
