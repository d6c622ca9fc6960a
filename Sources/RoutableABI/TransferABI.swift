// Transfers: submitted, waited for, cancelled.

public import CRoutable
internal import RoutableCore
internal import RoutablePerform

/// A submitted request with what the host wants of its end.
final class TransferObject: Job, @unchecked Sendable {
    private let plan: Plan
    private let sent: HeaderBlock
    private let callback: routable_transfer_fn?
    let userData: UnsafeMutableRawPointer?
    // Written once by the thread that drives, before it tells the end.
    private(set) var response: Response?
    private(set) var failure: Failure?

    init(_ request: Request, _ callback: routable_transfer_fn?, _ userData: UnsafeMutableRawPointer?) {
        plan = request.plan
        sent = request.headers
        self.callback = callback
        self.userData = userData
        super.init(wantsCall: callback != nil)
    }

    override func answered(_ answer: consuming Answer) {
        do { response = try plan.router.map(answer, to: plan, sent) } catch { failure = error }
    }

    override func failed(_ failure: Failure) {
        self.failure = failure.about(route: plan.route.bytes, operation: plan.operation.name.bytes)
    }

    override func call() { callback?(Handle.borrow(self), userData) }
}

extension ClientObject {
    /// A transfer of a request as it is now.
    @inline(never) func transfer(
        _ request: Request, _ changes: PolicyChanges?, _ onEnd: routable_transfer_fn?, _ userData: UnsafeMutableRawPointer?
    ) throws(Failure) -> TransferObject {
        let changes = PolicyChanges.of(request, changes)
        let transfer = TransferObject(request, onEnd, userData)
        var exchange = exchange(request)
        transfer.authorization = try authorization(request, &exchange, changes)
        try client.prepare(transfer, exchange, changes, of: request.plan)
        return transfer
    }
}

@_cdecl("routable_client_submit") @implementation
public func routable_client_submit(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?,
    _ on_end: routable_transfer_fn?, _ user_data: UnsafeMutableRawPointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientObject.self, "client")
        let request = try Handle.required(request, Request.self, "request")
        let transfer: TransferObject
        do throws(Failure) {
            transfer = try client.transfer(request, try .read(policy), on_end, user_data)
            try client.client.engine().submit(transfer)
        } catch { throw error.about(route: request.route.bytes, operation: request.operation.bytes) }
        out?.pointee = Handle.make(transfer)
    }
}

@_cdecl("routable_client_submit_many") @implementation
public func routable_client_submit_many(
    _ client: OpaquePointer?, _ requests: UnsafePointer<OpaquePointer?>?, _ count: Int,
    _ policy: UnsafePointer<routable_policy>?, _ on_end: routable_transfer_fn?,
    _ user_data: UnsafePointer<UnsafeMutableRawPointer?>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientObject.self, "client")
        if count == 0 { return }
        guard let requests else { throw .null("requests") }
        let engine = try client.client.engine()
        // Before memory is taken for them.
        if count < 0 || count > client.client.options.maximumPending {
            throw Failure(.limit, "\(client.client.options.maximumPending) transfers may be under way; submit fewer at once")
        }
        let changes = try PolicyChanges.read(policy)
        var transfers: [Job] = []
        transfers.reserveCapacity(count)
        for index in 0..<count {
            let request = try Handle.required(requests[index], Request.self, "a request")
            do throws(Failure) { transfers.append(try client.transfer(request, changes, on_end, user_data?[index])) } catch {
                throw error.about(route: request.route.bytes, operation: request.operation.bytes)
            }
        }
        try engine.submit(transfers)
        guard var out else { return }
        for transfer in transfers {
            out.pointee = Handle.make(transfer)
            out += 1
        }
    }
}

@_cdecl("routable_client_next") @implementation
public func routable_client_next(
    _ client: OpaquePointer?, _ timeout_ms: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientObject.self, "client")
        switch try client.client.engine().next(milliseconds: timeout_ms) {
        case .job(let job):
            out.pointee = Handle.make(job)
            return .ok
        case .pending: return .pending
        case .idle: return .idle
        }
    }
}

extension TransferObject {
    /// A new reference with all that is known.
    var record: routable_ended {
        let status = failure?.status ?? .ok
        return routable_ended(
            transfer: Handle.make(self), user_data: userData, status: status.code, has_trace: response?.trace == nil ? 0 : 1,
            parts: routable_response_parts(response ?? failure?.fields.response))
    }
}

@_cdecl("routable_client_take") @implementation
public func routable_client_take(
    _ client: OpaquePointer?, _ timeout_ms: Int64, _ ended: UnsafeMutablePointer<routable_ended>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        let client = try Handle.required(client, ClientObject.self, "client")
        let ended = try required(ended, "ended")
        let count = try required(count, "count")
        if capacity <= 0 { throw Failure(.argument, "the capacity is 0") }
        let engine = try client.client.engine()
        var status = Status.ok
        var taken = 0
        while taken < capacity, status == .ok {
            switch try engine.next(milliseconds: timeout_ms, drives: taken == 0) {
            case .job(let job):
                // Every job of this engine is one of ours.
                ended[taken] = unsafeDowncast(job, to: TransferObject.self).record
                taken &+= 1
            case .pending: status = .pending
            case .idle: status = .idle
            }
        }
        count.pointee = taken
        return taken > 0 ? .ok : status
    }
}

@_cdecl("routable_client_drive") @implementation
public func routable_client_drive(
    _ client: OpaquePointer?, _ timeout_ms: Int64, _ pending: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientObject.self, "client")
        let left = try client.client.engine().drive(milliseconds: timeout_ms)
        pending?.pointee = left
    }
}

@_cdecl("routable_client_descriptor") @implementation
public func routable_client_descriptor(
    _ client: OpaquePointer?, _ out: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try Handle.required(client, ClientObject.self, "client").client.engine().descriptor()
    }
}

@_cdecl("routable_client_start") @implementation
public func routable_client_start(
    _ client: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        try Handle.required(client, ClientObject.self, "client").client.engine().start()
    }
}

@_cdecl("routable_transfer_free") @implementation
public func routable_transfer_free(_ transfer: OpaquePointer?) { Handle.free(transfer, TransferObject.self) }

@_cdecl("routable_transfer_free_many") @implementation
public func routable_transfer_free_many(_ transfers: UnsafePointer<OpaquePointer?>?, _ count: Int) {
    guard let transfers, count > 0 else { return }
    for index in 0..<count { Handle.free(transfers[index], TransferObject.self) }
}

@_cdecl("routable_transfer_cancel") @implementation
public func routable_transfer_cancel(_ transfer: OpaquePointer?) -> Int32 {
    guard let transfer else { return 0 }
    return Handle.object(transfer, TransferObject.self).cancel() ? 1 : 0
}

extension Job.State {
    var status: Status {
        switch self {
        case .running: .pending
        case .cancelled: .cancelled
        case .calling, .ended: .ok
        }
    }
}

@_cdecl("routable_transfer_wait") @implementation
public func routable_transfer_wait(
    _ transfer: OpaquePointer?, _ timeout_ms: Int64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        try Handle.required(transfer, TransferObject.self, "transfer").wait(milliseconds: timeout_ms).status
    }
}

@_cdecl("routable_transfer_result") @implementation
public func routable_transfer_result(
    _ transfer: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let transfer = try Handle.required(transfer, TransferObject.self, "transfer")
        let status = transfer.currentState.status
        if status != .ok { return status }
        if let failure = transfer.failure { throw failure }
        guard let response = transfer.response else { throw Failure(.internal, "a transfer ended without an outcome") }
        out.pointee = Handle.make(response)
        return .ok
    }
}

@_cdecl("routable_transfer_user_data") @implementation
public func routable_transfer_user_data(_ transfer: OpaquePointer?) -> UnsafeMutableRawPointer? {
    transfer.flatMap { Handle.object($0, TransferObject.self).userData }
}
