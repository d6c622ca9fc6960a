// A router with a cache of plans: each endpoint is resolved once, and then only written.

internal import CSystem

/// Builds requests of endpoints.  Any number of threads may use it at the same time.
package final class PlannedRouter: @unchecked Sendable {
    /// A plan with what its requests are written from, each in plain sight: what is read here is counted nowhere.
    private final class Entry {
        let hash: UInt64
        let capability: Capability?
        let plan: Plan
        let unmanaged: Unmanaged<Plan>
        /// Of the plan.
        let route: UnsafeRawBufferPointer
        /// Nil where more than ids may be wanted, or the usual way does not do.
        let quick: QuickPlan?
        let idCount: Int
        let pathStart: Int
        /// What stands behind the path.
        let suffixCount: Int

        init(_ hash: UInt64, _ capability: Capability?, _ plan: Plan, _ router: Router) {
            self.hash = hash
            self.capability = capability
            self.plan = plan
            unmanaged = .passUnretained(plan)
            route = plan.route.buffer
            idCount = plan.idCount
            let operation = plan.operation.description
            let isBare = operation.headers.isEmpty && operation.cookies.isEmpty && operation.isBodyRequired != true
                && operation.bodyType == nil
            let base = plan.operation.base ?? router.base
            quick = isBare && base != nil ? plan.quick : nil
            pathStart = base?.prefix.count ?? 0
            suffixCount = base.map { $0.query.isEmpty ? 0 : $0.query.count &+ 1 } ?? 0
        }
    }

    /// Open addressing: a power of two of places, at most half full.  Each is a retained entry, stored once.
    private final class Table {
        let mask: Int
        let places: UnsafeMutablePointer<UnsafeRawPointer?>
        /// Of the table before it, which somebody may still read.
        let previous: Table?

        init(_ capacity: Int, after previous: Table?) {
            mask = capacity &- 1
            self.previous = previous
            places = .allocate(capacity: capacity)
            places.initialize(repeating: nil, count: capacity)
        }

        deinit { places.deallocate() }

        func insert(_ entry: UnsafeRawPointer, _ hash: UInt64) {
            var index = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
            while places[index] != nil { index = (index &+ 1) & mask }
            csystem_store(places + index, entry)
        }
    }

    package let router: Router
    private let headers: HeaderBlock
    private let lock: OpaquePointer
    /// Read without the lock; changed with it.  What it points at lives as long as this does.
    private let current: UnsafeMutablePointer<UnsafeRawPointer?>
    private var table: Table
    private var entries: [Entry] = []

    /// A cyclic graph has walks without number; what is beyond is resolved anew each time.
    private static let maximumPlans = 4096

    package init(_ router: Router) {
        self.router = router
        headers = HeaderBlock(router.headers)
        lock = csystem_lock_new()
        table = Table(64, after: nil)
        current = .allocate(capacity: 1)
        current.initialize(to: UnsafeRawPointer(Unmanaged.passUnretained(table).toOpaque()))
    }

    deinit {
        current.deallocate()
        csystem_lock_free(lock)
    }

    /// Builds a request, or says why it cannot be built.
    ///
    /// Allocates the URL and the request, once it has seen an endpoint of the same route and operation.
    @_optimize(speed)
    package func request<Output>(for endpoint: Endpoint<Output>) throws(Failure) -> Request {
        if endpoint.isBare, let request = quickRequest(endpoint.operation, endpoint.walk) { return request }
        return try slowRequest(endpoint.call, endpoint.walk, endpoint.operation)
    }

    // Not generic, like all below: a type parameter that is only handed on costs time all the same.
    @_optimize(speed) @inline(never)
    private func quickRequest(_ operation: EndpointOperation, _ walk: ResourceChain) -> Request? {
        guard case .capability(let capability) = operation, let entry = known(walk, operation.number, nil, capability) else { return nil }
        return entry._withUnsafeGuaranteedRef { quickRequest($0, walk) }
    }

    /// The number of plans that are kept.
    package var planCount: Int {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return entries.count
    }

    // MARK: Requests

    @_optimize(speed) @inline(__always)
    private func quickRequest(_ entry: Entry, _ walk: ResourceChain) -> Request? {
        guard let quick = entry.quick, walk.idCount == entry.idCount, walk.idCount <= Limits.idsPerRoute else { return nil }
        return withUnsafeTemporaryAllocation(of: ValueView.self, capacity: Limits.idsPerRoute) { views -> Request? in
            guard let first = views.baseAddress else { return nil }
            var index = 0
            var room = quick.fixedBytes
            // The texts of the views are the walk's, which nothing changes and the caller holds.
            walk.forEach { kind, bytes in
                guard let view = ValueView(kind, bytes) else { return true }
                (first + index).initialize(to: view)
                index &+= 1
                // proof: it lies in memory three times at most.
                room &+= kind == .text ? bytes.count &* 3 : QuickPlan.integerBytes
                return true
            }
            let url = Text(capacity: room) { start in
                withExtendedLifetime(walk) { quick.write(first, index, nil, 0, start, room) }
            }
            guard let url else { return nil }
            return Request(
                entry.unmanaged.takeUnretainedValue(), url, pathStart: entry.pathStart, suffixCount: entry.suffixCount,
                headers: headers)
        }
    }

    @inline(never)
    private func slowRequest(_ call: Call, _ walk: ResourceChain, _ operation: EndpointOperation) throws(Failure) -> Request {
        let number = operation.number
        let capability = operation.capability
        if let entry = known(walk, number, call.operation, capability) {
            return try router.request(for: call, entry._withUnsafeGuaranteedRef { $0.plan })
        }
        let plan = try router.plan(for: call, isReused: true)
        remember(plan, walk.hash ^ number, capability)
        return try router.request(for: call, plan)
    }

    // MARK: Plans

    @_optimize(speed) @inline(__always)
    private func known(_ walk: ResourceChain, _ number: UInt64, _ name: Bytes?, _ capability: Capability?) -> Unmanaged<Entry>? {
        let hash = walk.hash ^ number
        guard let pointer = csystem_load(current) else { return nil }
        return Unmanaged<Table>.fromOpaque(pointer)._withUnsafeGuaranteedRef { table in
            var index = Int(truncatingIfNeeded: hash ^ hash >> 32) & table.mask
            while let place = csystem_load(table.places + index) {
                let entry = Unmanaged<Entry>.fromOpaque(place)
                let isIt = entry._withUnsafeGuaranteedRef { entry in
                    entry.hash == hash && entry.capability == capability && walk.isRoute(entry.route)
                        && (capability != nil || entry.plan.operation.name.bytes == name)
                }
                if isIt { return entry }
                index = (index &+ 1) & table.mask
            }
            return nil
        }
    }

    private func remember(_ plan: Plan, _ hash: UInt64, _ capability: Capability?) {
        let entry = Entry(hash, capability, plan, router)
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if entries.count >= Self.maximumPlans { return }
        entries.append(entry)
        if entries.count &* 2 <= table.mask {
            table.insert(UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque()), hash)
            return
        }
        let larger = Table((table.mask &+ 1) &* 2, after: table)
        for entry in entries { larger.insert(UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque()), entry.hash) }
        table = larger
        csystem_store(current, UnsafeRawPointer(Unmanaged.passUnretained(larger).toOpaque()))
    }
}

extension EndpointOperation {
    /// A hash, which is that of the capability where it is one.
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
    /// One record of a walk; nil for a name.
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
