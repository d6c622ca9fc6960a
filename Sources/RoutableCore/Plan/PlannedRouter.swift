// A router with the plans that requests of it were made with: an endpoint is resolved once, and then only written.

internal import CSystem

/// Builds requests of endpoints.  Any number of threads may use it at once.
public final class PlannedRouter: @unchecked Sendable {
    private struct Entry {
        let hash: UInt64
        let plan: Plan
        /// Nothing but ids may be wanted: then the URL is all there is to write.
        let isBare: Bool
    }

    public let router: Router
    private let headers: HeaderBlock
    private let lock: OpaquePointer
    // Guarded by the lock.  Open addressing: a power of two, at most half full.
    private var slots = [Entry?](repeating: nil, count: 64)
    private var count = 0

    /// A cyclic graph has walks without number; what is beyond is resolved anew each time.
    private static let most = 4096
    /// Longer URLs are written by way of memory of their own.
    private static let quickBytes = 2048

    public init(_ router: Router) {
        self.router = router
        headers = HeaderBlock(router.headers)
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    /// Builds a request, or says why it cannot be built.
    ///
    /// Allocates the URL and the request, once it has seen an endpoint of the same route and operation.
    public func request<Output>(for endpoint: Endpoint<Output>) throws(Failure) -> Request {
        switch endpoint.operation {
        case .capability(let capability):
            if endpoint.isBare {
                let number = UInt64(truncatingIfNeeded: capability.rawValue &+ 1)
                if let entry = known(endpoint.walk, number &* 0x9E37_79B9_7F4A_7C15, nil, capability), entry.isBare,
                    let request = quickRequest(entry.plan, endpoint.walk)
                {
                    return request
                }
            }
        case .named: break
        }
        return try slowRequest(endpoint.call, endpoint.walk, endpoint.operation.number, endpoint.operation.capability)
    }

    /// The number of plans that are kept.
    public var planCount: Int {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return count
    }

    // MARK: Requests

    private func quickRequest(_ plan: Plan, _ walk: ResourceWalk) -> Request? {
        guard let base = plan.operation.base ?? router.base, walk.idCount == plan.idCount else { return nil }
        // A stack's worth of room: both hold what nearly every walk needs, and the general way takes the others.
        return withUnsafeTemporaryAllocation(of: ValueView.self, capacity: Limits.idsPerRoute) { views -> Request? in
            guard let first = views.baseAddress, walk.idCount <= Limits.idsPerRoute else { return nil }
            return withUnsafeTemporaryAllocation(byteCount: Self.quickBytes, alignment: 16) { buffer -> Request? in
                guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
                var index = 0
                var length = -1
                // The texts of the views are the walk's, which nothing changes and the caller holds.
                walk.forEach { kind, bytes in
                    guard let view = ValueView(kind, bytes) else { return true }
                    (first + index).initialize(to: view)
                    index &+= 1
                    return true
                }
                withExtendedLifetime(walk) { length = plan.writeQuickly(first, index, nil, 0, start, Self.quickBytes) }
                guard length >= 0 else { return nil }
                let url = SharedText(UnsafeRawBufferPointer(start: start, count: length))
                return Request(plan, url, base, headers: headers)
            }
        }
    }

    @inline(never)
    private func slowRequest(
        _ call: Call, _ walk: ResourceWalk, _ number: UInt64, _ capability: Capability?
    ) throws(Failure) -> Request {
        if let entry = known(walk, number, capability == nil ? call.operation : nil, capability) {
            return try router.request(for: call, entry.plan)
        }
        let plan = try router.plan(for: call, isReused: true)
        remember(plan, walk.hash ^ number)
        return try router.request(for: call, plan)
    }

    // MARK: Plans

    @_optimize(speed)
    private func known(_ walk: ResourceWalk, _ number: UInt64, _ name: Bytes?, _ capability: Capability?) -> Entry? {
        let hash = walk.hash ^ number
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while let entry = slots[index] {
            if entry.hash == hash && walk.isRoute(entry.plan.route.buffer) {
                let operation = entry.plan.operation.description
                if capability != nil ? operation.capability == capability : name == operation.name && operation.capability == nil {
                    return entry
                }
            }
            index = (index &+ 1) & mask
        }
        return nil
    }

    private func remember(_ plan: Plan, _ hash: UInt64) {
        let operation = plan.operation.description
        let isBare = operation.headers.isEmpty && operation.cookies.isEmpty && operation.isBodyRequired != true
            && operation.bodyType == nil
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if count >= Self.most { return }
        if count &* 2 >= slots.count {
            var larger = [Entry?](repeating: nil, count: slots.count &* 2)
            for case let entry? in slots { Self.insert(entry, &larger) }
            slots = larger
        }
        Self.insert(Entry(hash: hash, plan: plan, isBare: isBare), &slots)
        count &+= 1
    }

    private static func insert(_ entry: Entry, _ slots: inout [Entry?]) {
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: entry.hash ^ entry.hash >> 32) & mask
        while slots[index] != nil { index = (index &+ 1) & mask }
        slots[index] = entry
    }
}

extension Endpoint.Operation {
    fileprivate var capability: Capability? {
        if case .capability(let capability) = self { capability } else { nil }
    }

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
    fileprivate init?(_ kind: ResourceWalk.Kind, _ bytes: UnsafeRawBufferPointer) {
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
