// Transfers: submitting, waiting and cancelling.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

/// A transfer and how its completion is reported.
final class HostTransfer: Transfer, @unchecked Sendable {
    private let callback: routable_transfer_fn?
    let userData: UnsafeMutableRawPointer?
    private let release: routable_release_fn?

    init(
        _ request: Request, _ callback: routable_transfer_fn?, _ userData: UnsafeMutableRawPointer?,
        _ release: routable_release_fn?
    ) {
        self.callback = callback
        self.userData = userData
        self.release = release
        super.init(request, wantsCall: callback != nil)
    }

    deinit { release?(userData) }

    override func call() { callback?(Handle.borrow(self), userData) }
}

@_cdecl("routable_client_submit") @implementation
public func routable_client_submit(
    _ client: OpaquePointer?, _ request: OpaquePointer?, _ policy: UnsafePointer<routable_policy>?,
    _ on_end: routable_transfer_fn?, _ user_data: UnsafeMutableRawPointer?, _ release: routable_release_fn?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        guard let target = request.map({ Handle.object($0, Request.self) }) else {
            release?(user_data)
            _ = try RequestPolicy.read(policy)  // releases the credential
            throw .null("request")
        }
        let transfer = HostTransfer(target, on_end, user_data, release)
        let policy = try RequestPolicy.read(policy)  // first: it takes over the credential
        let client = try Handle.required(client, ClientCore.self, "client")
        try Memory.check()
        try client.submit(transfer, target, policy)
        out?.pointee = Handle.make(transfer)
    }
}

@_cdecl("routable_client_submit_many") @implementation
public func routable_client_submit_many(
    _ client: OpaquePointer?, _ requests: UnsafePointer<OpaquePointer?>?, _ count: Int,
    _ policy: UnsafePointer<routable_policy>?, _ on_end: routable_transfer_fn?,
    _ user_data: UnsafePointer<UnsafeMutableRawPointer?>?, _ release: routable_release_fn?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        // Each transfer releases its own user data; that of requests without a transfer is released here.
        var owned = 0
        defer { if let release { while owned < count { release(user_data?[owned]); owned &+= 1 } } }
        let changes = try RequestPolicy.read(policy)  // first: it takes over the credential
        let client = try Handle.required(client, ClientCore.self, "client")
        if count == 0 { return }
        guard let requests else { throw .null("requests") }
        // This must precede the allocation of memory for the transfers.
        if count < 0 || count > client.options.maximumPending {
            throw Failure(.limit, "at most \(client.options.maximumPending) transfers can be in progress; submit fewer at once")
        }
        var transfers: [SubmittedTransfer] = []
        transfers.reserveCapacity(count)
        for index in 0..<count {
            let request = try Handle.required(requests[index], Request.self, "a request")
            let transfer = HostTransfer(request, on_end, user_data?[index], release)
            owned &+= 1
            try client.prepare(transfer, request, changes)
            transfers.append(transfer)
        }
        try Memory.check()
        try client.submit(prepared: transfers)
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
    attemptTaking(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        switch try client.next(milliseconds: timeout_ms) {
        case .transfer(let transfer):
            out.pointee = Handle.make(transfer)
            return .ok
        case .pending: return .pending
        case .idle: return .idle
        case .interrupted: return .interrupted
        }
    }
}

extension HostTransfer {
    /// A new reference with the results of the transfer.
    var ended: routable_completion {
        let status = failure?.status ?? .ok
        return routable_completion(
            transfer: Handle.make(self), user_data: userData, status: status.code, reserved0: 0,
            parts: routable_response_parts(response ?? failure?.fields.response))
    }
}

@_cdecl("routable_client_next_many") @implementation
public func routable_client_next_many(
    _ client: OpaquePointer?, _ timeout_ms: Int64, _ ended: UnsafeMutablePointer<routable_completion>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let client = try Handle.required(client, ClientCore.self, "client")
        let ended = try required(ended, "completions")
        let count = try required(count, "count")
        if capacity <= 0 { throw Failure(.argument, "the capacity must be from 1 to SSIZE_MAX") }
        var status = Status.ok
        var taken = 0
        while taken < capacity, status == .ok {
            switch try client.next(milliseconds: timeout_ms, drives: taken == 0) {
            case .transfer(let transfer):
                // proof: a client of this interface submits no other transfers.
                ended[taken] = unsafeDowncast(transfer, to: HostTransfer.self).ended
                taken &+= 1
            case .pending: status = .pending
            case .idle: status = .idle
            case .interrupted: status = .interrupted
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
    attemptTaking(error) { () throws(Failure) -> Status in
        let client = try Handle.required(client, ClientCore.self, "client")
        guard let left = try client.drive(milliseconds: timeout_ms) else { return .interrupted }
        pending?.pointee = left
        return .ok
    }
}

@_cdecl("routable_client_interrupt") @implementation
public func routable_client_interrupt(_ client: OpaquePointer?) {
    guard let client else { return }
    Handle.read(client, ClientCore.self) { $0.interrupt() }
}

@_cdecl("routable_client_descriptor") @implementation
public func routable_client_descriptor(
    _ client: OpaquePointer?, _ out: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let out = try required(out, "out")
        out.pointee = try Handle.required(client, ClientCore.self, "client").descriptor()
    }
}

@_cdecl("routable_client_start") @implementation
public func routable_client_start(
    _ client: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try Handle.required(client, ClientCore.self, "client").start()
    }
}

@_cdecl("routable_transfer_free") @implementation
public func routable_transfer_free(_ transfer: OpaquePointer?) { Handle.free(transfer, HostTransfer.self) }

@_cdecl("routable_transfer_free_many") @implementation
public func routable_transfer_free_many(_ transfers: UnsafePointer<OpaquePointer?>?, _ count: Int) {
    guard let transfers, count > 0 else { return }
    for index in 0..<count { Handle.free(transfers[index], HostTransfer.self) }
}

@_cdecl("routable_transfer_cancel") @implementation
public func routable_transfer_cancel(_ transfer: OpaquePointer?) -> Int32 {
    guard let transfer else { return 0 }
    return Handle.object(transfer, HostTransfer.self).cancel() ? 1 : 0
}

@_cdecl("routable_transfer_wait") @implementation
public func routable_transfer_wait(
    _ transfer: OpaquePointer?, _ timeout_ms: Int64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        try Handle.required(transfer, HostTransfer.self, "transfer").waitOnce(milliseconds: timeout_ms)?.status ?? .interrupted
    }
}

@_cdecl("routable_transfer_result") @implementation
public func routable_transfer_result(
    _ transfer: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in
        let out = try required(out, "out")
        let transfer = try Handle.required(transfer, HostTransfer.self, "transfer")
        let (response, status) = try transfer.result()
        if let response { try Handle.give(response, out) }
        return status
    }
}

@_cdecl("routable_transfer_user_data") @implementation
public func routable_transfer_user_data(_ transfer: OpaquePointer?) -> UnsafeMutableRawPointer? {
    transfer.flatMap { Handle.object($0, HostTransfer.self).userData }
}
