// A router with a cache of plans: each route and operation is resolved once, and then only written.

internal import CSystem

/// Builds requests.  Any number of threads may use it at the same time.
package final class PlannedRouter: Sendable {
    package let router: Router
    /// The same and its table, read by matches without counting a reference.
    package let unmanaged: Unmanaged<Router>
    nonisolated(unsafe) package let matchTable: UnsafeRawPointer
    /// Those of the router.
    let headers: HeaderBlock
    /// By the text of route and operation.
    private let named = PlanTable()
    /// By the walk and the capability of an endpoint (Declaration/PlannedRouter+endpoint.swift).
    let declared = PlanTable()
    /// By the number of the operation.
    package let notes: OperationNotes

    package init(_ router: Router) {
        self.router = router
        unmanaged = .passUnretained(router)
        matchTable = router.matchTable
        headers = HeaderBlock(router.headers)
        notes = OperationNotes(router.operationCount)
    }

    /// The number of plans that are kept.
    package var planCount: Int { named.count &+ declared.count }

    // MARK: Any call

    /// Builds a request, or says why it cannot be built.  Pointers are those of the call JSON.
    package func request(for call: Call) throws(Failure) -> Request {
        let known = call.route.storage.withUnsafeBytes { route in
            call.operation.storage.withUnsafeBytes { find(route, $0) }
        }
        if let known { return try request(for: call, known.takeUnretainedValue()) }
        return try request(for: call, try kept(call))
    }

    func request(for call: Call, _ operation: PlannedOperation) throws(Failure) -> Request {
        try router.request(for: call, operation.plan, operation)
    }

    private func kept(_ call: Call) throws(Failure) -> PlannedOperation {
        let plan = try router.plan(for: call, isReused: true)
        let operation = PlannedOperation(Self.hash(plan.route.buffer, plan.operation.name.buffer), nil, plan, headers)
        named.insert(operation)
        return operation
    }

    /// The plan of a route, which is empty for a standalone operation, and an operation.
    package func plan(route: Bytes, operation: Bytes) throws(Failure) -> Plan {
        let known = route.storage.withUnsafeBytes { route in operation.storage.withUnsafeBytes { find(route, $0) } }
        if let known { return known._withUnsafeGuaranteedRef { $0.plan } }
        var call = Call(operation: operation)
        call.route = route
        return try kept(call).plan
    }

    // MARK: The usual call

    /// A call whose values are ids by position and at most a body of JSON text; all of it is borrowed.
    package struct UsualCall {
        var route: UnsafeRawBufferPointer
        var operation: UnsafeRawBufferPointer
        var ids: UnsafeBufferPointer<ValueView>
        var json: UnsafeRawBufferPointer?

        package init(
            route: UnsafeRawBufferPointer, operation: UnsafeRawBufferPointer, ids: UnsafeBufferPointer<ValueView>,
            json: UnsafeRawBufferPointer?
        ) {
            self.route = route
            self.operation = operation
            self.ids = ids
            self.json = json
        }
    }

    /// The request of a usual call, in a few allocations; nil when `request(for:)` has to build it, or to say why not.
    @_optimize(speed)
    package func request(for call: UsualCall) -> Request? {
        find(call.route, call.operation)?._withUnsafeGuaranteedRef { operation in
            guard let quick = operation.quick else { return nil }
            var room = quick.fixedBytes
            for index in call.ids.indices {
                guard let more = call.ids[index].room else { return nil }
                room &+= more
            }
            var headers = operation.headers
            var body: Text?
            if let json = call.json {
                guard let form = operation.json else { return nil }
                let text = Text(copying: json)
                guard fits(text.bytes, form.type) else { return nil }
                headers = form.headers
                body = text
            } else if !operation.takesNoBody {
                return nil
            }
            return request(operation, call.ids, room, headers, body)
        }
    }

    private func fits(_ json: Bytes, _ type: Int?) -> Bool {
        guard let codec = router.codec else { return false }
        do throws(Failure) {
            if let type { try codec.check(body: json, against: type) } else { try codec.check(json: json) }
            return true
        } catch { return false }
    }

    /// - Parameter room: bytes that the URL may take; what is beyond the limit is left to the general way.
    @_optimize(speed) @inline(never)
    func request(
        _ operation: PlannedOperation, _ ids: UnsafeBufferPointer<ValueView>, _ room: Int, _ headers: HeaderBlock,
        _ body: Text?
    ) -> Request? {
        guard let quick = operation.quick, ids.count == operation.idCount, room <= Limits.urlBytes else { return nil }
        let url = Text(capacity: room) { start in quick.write(ids.baseAddress, ids.count, nil, 0, start, room) }
        guard let url else { return nil }
        return Request(
            operation.unmanaged.takeUnretainedValue(), url, pathStart: operation.pathStart, suffixCount: operation.suffixCount,
            headers: headers, body: body)
    }

    @_optimize(speed) @inline(never)
    private func find(_ route: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Unmanaged<PlannedOperation>? {
        named.find(Self.hash(route, name)) { Self.isSame($0.route, route) && Self.isSame($0.name, name) }
    }

    @inline(__always)
    private static func isSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let start = one.baseAddress, let otherStart = other.baseAddress, one.count > 0 else { return one.count == 0 }
        return csystem_equal(start, otherStart, one.count) != 0
    }

    /// Eight bytes at a time.  What is found is compared byte by byte.
    @_optimize(speed) @inline(__always)
    private static func hash(_ route: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> UInt64 {
        mixed(name, mixed(route, 0x9E37_79B9_7F4A_7C15))
    }

    @_optimize(speed) @inline(never)
    private static func mixed(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
        var result = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        guard let start = bytes.baseAddress else { return result }
        var index = 0
        while index &+ 8 <= bytes.count {
            result = (result ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xBF58_476D_1CE4_E5B9
            result ^= result >> 31
            index &+= 8
        }
        while index < bytes.count {
            result = (result ^ UInt64(start.load(fromByteOffset: index, as: UInt8.self))) &* 0x100_0000_01B3
            index &+= 1
        }
        return result ^ result >> 29
    }
}

extension ValueView {
    /// The bytes that a URL has room for it with; nil for values that are no usual id.
    @inline(__always) fileprivate var room: Int? {
        if kind == Kind.integer { return QuickPlan.integerBytes }
        // proof: a text of at most the limit, three bytes for each of its own.
        guard kind == Kind.text, !isNullText, second <= UInt64(Limits.urlBytes) else { return nil }
        return Int(truncatingIfNeeded: second) &* 3
    }
}
