// The events of a transfer: read after it has ended, or reported when they happen.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

private func trace(_ handle: OpaquePointer?) -> Trace? { handle.map { Handle.object($0, Trace.self) } }

extension Failure {
    fileprivate var trace: Trace? { fields.trace ?? fields.response?.trace }
}

@_cdecl("routable_response_trace") @implementation
public func routable_response_trace(_ response: OpaquePointer?) -> OpaquePointer? {
    response.flatMap { Handle.object($0, Response.self).trace }.map { Handle.borrow($0) }
}

@_cdecl("routable_error_trace") @implementation
public func routable_error_trace(_ error: OpaquePointer?) -> OpaquePointer? {
    ErrorObject.at(error)?.failure.trace.map { Handle.borrow($0) }
}

@_cdecl("routable_transfer_trace") @implementation
public func routable_transfer_trace(_ transfer: OpaquePointer?) -> OpaquePointer? {
    guard let object = transfer.map({ Handle.object($0, HostTransfer.self) }), object.status == .ok else { return nil }
    return (object.response?.trace ?? object.failure?.trace).map { Handle.borrow($0) }
}

@_cdecl("routable_trace_timings") @implementation
public func routable_trace_timings(_ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_timings>?) -> Int32 {
    guard let out, let timings = trace(handle)?.timings else { return 0 }
    var whole = routable_timings()
    whole.queued_us = timings.queued
    whole.name_lookup_us = timings.nameLookup
    whole.connect_us = timings.connect
    whole.tls_us = timings.tls
    whole.first_byte_us = timings.firstByte
    whole.attempt_us = timings.attempt
    whole.elapsed_us = timings.elapsed
    whole.connections = timings.connections
    return write(whole, out)
}

@_cdecl("routable_trace_attempt_count") @implementation
public func routable_trace_attempt_count(_ handle: OpaquePointer?) -> Int { trace(handle)?.steps.count ?? 0 }

@_cdecl("routable_trace_attempt_at") @implementation
public func routable_trace_attempt_at(
    _ handle: OpaquePointer?, _ index: Int, _ out: UnsafeMutablePointer<routable_attempt>?
) -> Int32 {
    guard let out, let steps = trace(handle)?.steps, steps.indices.contains(index) else { return 0 }
    let step = steps[index]
    var whole = routable_attempt()
    whole.kind = routable_event_kind(rawValue: step.reason.rawValue)
    whole.http_status = step.httpStatus
    whole.curl_code = step.curlCode
    whole.drops_credentials = step.dropsCredentials ? 1 : 0
    whole.wait_ms = step.waitMilliseconds
    whole.url = routable_str(step.url)  // the trace retains the string
    return write(whole, out)
}

extension routable_event {
    /// Valid as long as the event.
    fileprivate init(_ event: Event) {
        self.init()
        size = MemoryLayout<routable_event>.size
        kind = routable_event_kind(rawValue: event.kind.rawValue)
        attempt = event.attempt
        transfer = event.transfer
        route = event.plan.map { routable_str($0.route) } ?? .empty
        operation = event.plan.map { routable_str($0.operation.name) } ?? .empty
        method = routable_str(event.methodText)
        url = routable_str(event.urlText)
        scheme = routable_str(event.schemeText)
        status = event.status.code
        http_status = event.httpStatus
        curl_code = event.curlCode
        drops_credentials = event.dropsCredentials ? 1 : 0
        wait_ms = event.waitMilliseconds
        trace = event.trace.map { Handle.borrow($0) }
        path_template = routable_str(event.pathTemplateText)
    }
}

@_cdecl("routable_client_set_hook") @implementation
public func routable_client_set_hook(
    _ client: OpaquePointer?, _ function: routable_event_fn?, _ user: UnsafeMutableRawPointer?,
    _ release: routable_release_fn?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let data = HostData(user, release)
        guard let function else { throw .null("hook") }
        let hook = Hook { event in
            var told = routable_event(event)
            function(&told, data.pointer)
            withExtendedLifetime(event) {}
        }
        let client = try Handle.required(client, ClientCore.self, "client")
        try Memory.check()
        try client.setHook(hook)
    }
}
