// The plans with which requests of a router were made, for any number of threads: reading takes no lock.

internal import CSystem

/// A plan and the data from which its requests are written, as plain fields: reading it needs no retain.
final class PlannedOperation {
    let hash: UInt64
    /// The capability of an endpoint; nil for operations that are found by name.
    let capability: Capability?
    let plan: Plan
    let unmanaged: Unmanaged<Plan>
    // Borrowed from the plan.
    let route: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer
    let idCount: Int
    /// Nil if the general code must write the URL: values other than ids are required, or the ids are not usual ones.
    let quick: QuickPlan?
    let pathStart: Int
    /// The length of the URL after the path.
    let suffixCount: Int
    /// Whether the operation may be called without a body.
    let takesNoBody: Bool
    /// The headers of a request without other headers: those of the router, and Accept.
    let headers: HeaderBlock
    let fields: [HeaderField]
    /// The way to send a body of JSON text; nil if the general code must determine it.
    let json: JSONBody?

    struct JSONBody {
        /// The type against which it is validated; nil for any JSON.
        let type: Int?
        /// The headers of the router, Accept, and the Content-Type.
        let headers: HeaderBlock
    }

    /// - Parameter own: the headers of the router.
    init(_ hash: UInt64, _ capability: Capability?, _ plan: Plan, _ own: HeaderBlock) {
        self.hash = hash
        self.capability = capability
        self.plan = plan
        unmanaged = .passUnretained(plan)
        route = plan.route.buffer
        name = plan.operation.name.buffer
        idCount = plan.idCount
        let operation = plan.operation.description
        let isBare = operation.headers.isEmpty && operation.cookies.isEmpty
        let base = plan.router.base(of: plan.operation)
        quick = isBare && base != nil ? plan.quick : nil
        pathStart = base?.prefix.count ?? 0
        suffixCount = base.map { $0.query.isEmpty ? 0 : $0.query.count &+ 1 } ?? 0
        takesNoBody = operation.isBodyRequired != true && operation.bodyType == nil
        var (headers, fields) = (own, plan.router.headers)
        if let accept = plan.accept {
            headers.append(accept)
            fields.append(accept)
        }
        self.headers = headers
        self.fields = fields
        json = Self.json(plan, fields)
    }

    /// The same as in RequestAssembly for a call with neither content type nor parameters.
    private static func json(_ plan: Plan, _ fields: [HeaderField]) -> JSONBody? {
        let operation = plan.operation.description
        var headers = fields
        guard plan.operation.allowsBody, headers.value(of: "Content-Type") == nil else { return nil }
        if let body = operation.bodies.first {
            guard body.form == .json, operation.bodyForm != .multipart else { return nil }
            headers.append(
                HeaderField("Content-Type", BodyWriter.isRange(body.mediaType) ? "application/json" : body.mediaType))
            return JSONBody(type: body.type, headers: HeaderBlock(headers))
        }
        guard operation.bodyForm == .json else { return nil }
        headers.append(HeaderField("Content-Type", "application/json"))
        return JSONBody(type: operation.bodyType, headers: HeaderBlock(headers))
    }
}

/// Operations by a hash.  Operations are only added.
final class PlanTable: @unchecked Sendable {
    /// An open-addressing table: a power of two of slots, at most half full.  Each slot is a retained operation, stored once.
    private final class Places {
        let mask: Int
        let start: UnsafeMutablePointer<UnsafeRawPointer?>
        /// The previous table, which another thread may still read.
        let previous: Places?

        init(_ capacity: Int, after previous: Places?) {
            mask = capacity &- 1
            self.previous = previous
            start = .allocate(capacity: capacity)
            start.initialize(repeating: nil, count: capacity)
        }

        deinit { start.deallocate() }

        func insert(_ operation: UnsafeRawPointer, _ hash: UInt64) {
            var index = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
            while start[index] != nil { index = (index &+ 1) & mask }
            csystem_store(start + index, operation)
        }
    }

    private let lock: OpaquePointer
    /// Read without the lock; changed with it.  The object that it points to exists as long as this object.
    private let current: UnsafeMutablePointer<UnsafeRawPointer?>
    private var places: Places
    private var operations: [PlannedOperation] = []

    /// A cyclic graph has any number of walks; plans beyond the maximum are resolved each time.
    private static let maximumPlans = 4096

    init() {
        lock = csystem_lock_new()
        places = Places(64, after: nil)
        current = .allocate(capacity: 1)
        current.initialize(to: UnsafeRawPointer(Unmanaged.passUnretained(places).toOpaque()))
    }

    deinit {
        current.deallocate()
        csystem_lock_free(lock)
    }

    /// The number of stored plans.
    var count: Int {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return operations.count
    }

    /// Finds an operation, which exists as long as the table.
    @inline(__always)
    func find(_ hash: UInt64, _ isIt: (PlannedOperation) -> Bool) -> Unmanaged<PlannedOperation>? {
        guard let pointer = csystem_load(current) else { return nil }
        return Unmanaged<Places>.fromOpaque(pointer)._withUnsafeGuaranteedRef { places in
            var index = Int(truncatingIfNeeded: hash ^ hash >> 32) & places.mask
            while let place = csystem_load(places.start + index) {
                let operation = Unmanaged<PlannedOperation>.fromOpaque(place)
                if operation._withUnsafeGuaranteedRef({ $0.hash == hash && isIt($0) }) { return operation }
                index = (index &+ 1) & places.mask
            }
            return nil
        }
    }

    /// Stores an operation; if two threads store the same one, both are kept, and the first one is found.
    @inline(never)
    func insert(_ operation: PlannedOperation) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if operations.count >= Self.maximumPlans { return }
        operations.append(operation)
        if operations.count &* 2 <= places.mask {
            places.insert(UnsafeRawPointer(Unmanaged.passUnretained(operation).toOpaque()), operation.hash)
            return
        }
        let larger = Places((places.mask &+ 1) &* 2, after: places)
        for operation in operations {
            larger.insert(UnsafeRawPointer(Unmanaged.passUnretained(operation).toOpaque()), operation.hash)
        }
        places = larger
        csystem_store(current, UnsafeRawPointer(Unmanaged.passUnretained(larger).toOpaque()))
    }
}
