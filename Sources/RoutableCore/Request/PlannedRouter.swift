// A router with a cache of plans: each route and operation is resolved once.

internal import CSystem

/// Builds requests.  Any number of threads may use it at the same time.
package final class PlannedRouter: Sendable {
    package let router: Router
    /// The router and its table, which matches read without a retain.
    package let unmanaged: Unmanaged<Router>
    nonisolated(unsafe) package let matchTable: UnsafeRawPointer
    /// The headers of the router.
    let headers: HeaderBlock
    /// The plans by the text of route and operation.
    private let named = PlanTable()
    /// The plans by the walk and the capability of an endpoint (Declaration/PlannedRouter+endpoint.swift).
    let declared = PlanTable()
    /// The notes by the number of the operation.
    package let notes: OperationNotes
    /// The notes about the flat objects of calls, by a hash of the route and the operation.
    package let toolNotes: OperationNotes

    package init(_ router: Router) {
        self.router = router
        unmanaged = .passUnretained(router)
        matchTable = router.matchTable
        headers = HeaderBlock(router.headers)
        notes = OperationNotes(router.operationCount)
        toolNotes = OperationNotes(router.operationCount)
    }

    /// The number of stored plans.
    package var planCount: Int { named.count &+ declared.count }

    // MARK: Any call

    /// Builds a request, or throws the reason why it cannot be built.  Pointers are those of the call JSON.
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

    /// The plan of a route and an operation; the route is empty for a standalone operation.
    package func plan(route: Bytes, operation: Bytes) throws(Failure) -> Plan {
        let known = route.storage.withUnsafeBytes { route in operation.storage.withUnsafeBytes { find(route, $0) } }
        if let known { return known._withUnsafeGuaranteedRef { $0.plan } }
        var call = Call(operation: operation)
        call.route = route
        return try kept(call).plan
    }

    // MARK: The usual call

    /// A call whose only values are ids by position and optionally a body of JSON text; all of it is borrowed.
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

    /// The request of a usual call, in a few allocations; nil if `request(for:)` must build it or report the failure.
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

    /// - Parameter room: the maximum length of the URL in bytes; with more than the limit, the general code is used.
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

    /// Hashes eight bytes at a time.  A result is compared byte by byte.
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
    /// The space that a URL needs for the value, in bytes; nil for values that are no usual ids.
    @inline(__always) fileprivate var room: Int? {
        if kind == Kind.integer { return QuickPlan.integerBytes }
        // proof: the text has at most the maximum length, and each byte needs at most three.
        guard kind == Kind.text, !isNullText, second <= UInt64(Limits.urlBytes) else { return nil }
        return Int(truncatingIfNeeded: second) &* 3
    }
}
