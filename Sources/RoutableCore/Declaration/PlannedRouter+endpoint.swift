// Requests of endpoints: found by the walk through the resources, without the text of their route.

internal import CSystem

extension Endpoint {
    /// Builds the request of the endpoint.
    ///
    /// After the first endpoint of a route and an operation, a further one allocates only the URL and the request.
    // It reads only members: generic code that copies the endpoint must look its type up at run time.
    @_optimize(speed)
    package func request(of router: PlannedRouter) throws(Failure) -> Request {
        if details == nil, let request = router.quickRequest(operation, walk) { return request }
        return try router.slowRequest(call, walk, operation)
    }

    /// The same for a router that exists as long as the process: it is not retained.
    @_optimize(speed)
    package func request(of router: Unmanaged<PlannedRouter>) throws(Failure) -> Request {
        if details == nil, let request = router._withUnsafeGuaranteedRef({ $0.quickRequest(operation, walk) }) {
            return request
        }
        return try router.takeUnretainedValue().slowRequest(call, walk, operation)
    }
}

extension PlannedRouter {
    // Not generic, like the functions below: a type parameter costs time even if it is only passed on.
    @_optimize(speed) @inline(never)
    fileprivate func quickRequest(_ operation: EndpointOperation, _ walk: ResourceChain) -> Request? {
        guard case .capability(let capability) = operation,
            let known = known(walk, operation.number, nil, capability)
        else { return nil }
        return known._withUnsafeGuaranteedRef { quickRequest($0, walk) }
    }

    @_optimize(speed) @inline(__always)
    private func quickRequest(_ operation: PlannedOperation, _ walk: ResourceChain) -> Request? {
        guard operation.takesNoBody, let quick = operation.quick, walk.idCount == operation.idCount,
            walk.idCount <= Limits.idsPerRoute
        else { return nil }
        return withUnsafeTemporaryAllocation(of: ValueView.self, capacity: Limits.idsPerRoute) { views -> Request? in
            guard let first = views.baseAddress else { return nil }
            var index = 0
            var room = quick.fixedBytes
            // The strings of the views are those of the walk, which is not changed and is retained by the caller.
            walk.forEach { kind, bytes in
                guard let view = ValueView(kind, bytes) else { return true }
                (first + index).initialize(to: view)
                index &+= 1
                // proof: the text is in memory, and each byte needs at most three.
                room &+= kind == .text ? bytes.count &* 3 : QuickPlan.integerBytes
                return true
            }
            return withExtendedLifetime(walk) {
                request(operation, UnsafeBufferPointer(start: first, count: index), room, operation.headers, nil)
            }
        }
    }

    @inline(never)
    fileprivate func slowRequest(_ call: Call, _ walk: ResourceChain, _ operation: EndpointOperation) throws(Failure) -> Request
    {
        let number = operation.number
        let capability = operation.capability
        if let known = known(walk, number, call.operation, capability) {
            return try request(for: call, known.takeUnretainedValue())
        }
        let plan = try router.plan(for: call, isReused: true)
        let planned = PlannedOperation(UInt64(walk.hash) ^ number, capability, plan, headers)
        declared.insert(planned)
        return try request(for: call, planned)
    }

    @_optimize(speed) @inline(__always)
    private func known(
        _ walk: ResourceChain, _ number: UInt64, _ name: Bytes?, _ capability: Capability?
    ) -> Unmanaged<PlannedOperation>? {
        declared.find(UInt64(walk.hash) ^ number) { operation in
            operation.capability == capability && walk.isRoute(operation.route)
                && (capability != nil || operation.plan.operation.name.bytes == name)
        }
    }
}

extension EndpointOperation {
    /// A hash; for a capability, computed from its number.
    fileprivate var number: UInt64 {
        switch self {
        case .capability(let capability):
            return UInt64(truncatingIfNeeded: capability.rawValue &+ 1) &* 0x9E37_79B9_7F4A_7C15
        case .named(let name):
            var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
            for byte in name.storage { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash
        }
    }
}

extension ValueView {
    /// The value of one record of a walk; nil for a name.
    @inline(__always)
    fileprivate init?(_ kind: ResourceChain.Kind, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case .name: return nil
        case .null: self = .absent
        case .boolean: self.init(kind: Kind.boolean, first: bytes.loadUnaligned(as: UInt64.self), second: 0)
        case .integer: self.init(kind: Kind.integer, first: bytes.loadUnaligned(as: UInt64.self), second: 0)
        case .real: self.init(kind: Kind.real, first: bytes.loadUnaligned(as: UInt64.self), second: 0)
        case .text:
            self.init(kind: Kind.text, first: UInt64(UInt(bitPattern: bytes.baseAddress)), second: UInt64(bytes.count))
        case .tree: self.init(kind: Kind.json, first: 0, second: 0)
        }
    }
}
