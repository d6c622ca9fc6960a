// Plans: the hot path of building.

public import CRoutable
internal import RoutableCore

@_cdecl("routable_plan_new") @implementation
public func routable_plan_new(
    _ router: OpaquePointer?, _ route: UnsafePointer<CChar>?, _ operation: UnsafePointer<CChar>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        try Handle.give(
            try Plan.make(
                router, route: optionalName(route) ?? Bytes(), operation: try nameText(operation, "operation"), isReused: true),
            out)
    }
}

@_cdecl("routable_plan_free") @implementation
public func routable_plan_free(_ plan: OpaquePointer?) { Handle.free(plan, Plan.self) }

@_cdecl("routable_plan_method") @implementation
public func routable_plan_method(_ plan: OpaquePointer?) -> routable_str {
    plan.map { routable_str(Handle.object($0, Plan.self).method) } ?? .empty
}

@_cdecl("routable_plan_id_count") @implementation
public func routable_plan_id_count(_ plan: OpaquePointer?) -> Int { plan.map { Handle.object($0, Plan.self).idCount } ?? 0 }

@_cdecl("routable_plan_query_count") @implementation
public func routable_plan_query_count(_ plan: OpaquePointer?) -> Int {
    plan.map { Handle.object($0, Plan.self).query.count } ?? 0
}

@_cdecl("routable_plan_query_name_at") @implementation
public func routable_plan_query_name_at(_ plan: OpaquePointer?, _ index: Int) -> routable_str {
    guard let query = plan.map({ Handle.object($0, Plan.self).query }), query.indices.contains(index) else { return .empty }
    return routable_str(query[index].name)
}

@_cdecl("routable_plan_write") @implementation @_optimize(speed)
public func routable_plan_write(
    _ plan: OpaquePointer?, _ ids: UnsafePointer<routable_value>?, _ idCount: Int, _ query: UnsafePointer<routable_value>?,
    _ queryCount: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    // The usual case, without reference counting: the caller has a reference to the plan.
    if let plan, let buffer, let length {
        let quick = Unmanaged<Plan>.fromOpaque(UnsafeRawPointer(plan))._withUnsafeGuaranteedRef {
            $0.writeQuickly(
                views(ids), idCount, views(query), queryCount,
                UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UInt8.self),
                capacity)
        }
        if quick >= 0 {
            length.pointee = quick
            error?.pointee = nil
            return Status.ok.code
        }
    }
    return writeInGeneral(plan, ids, idCount, query, queryCount, buffer, capacity, length, error)
}

/// All other cases, and the error of a failure.
@inline(never)
private func writeInGeneral(
    _ plan: OpaquePointer?, _ ids: UnsafePointer<routable_value>?, _ idCount: Int, _ query: UnsafePointer<routable_value>?,
    _ queryCount: Int, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    var missing = 0
    let status = attempt(error) { () throws(Failure) in
        let plan = try Handle.required(plan, Plan.self, "plan")
        let length = try required(length, "length")
        if buffer == nil && capacity != 0 { throw .null("buffer") }
        let result = try plan.write(
            ids: try views(ids, idCount, "ids"), query: try views(query, queryCount, "query"),
            into: UnsafeMutableRawBufferPointer(start: buffer, count: buffer == nil ? 0 : max(0, capacity)))
        try Memory.check()
        length.pointee = result.length
        if !result.fits { missing = result.length }
    }
    // A program that ignores the status gets the empty string, and not a part of a URL.
    if let buffer, capacity > 0, missing > 0 || status != Status.ok.code { buffer.pointee = 0 }
    if missing == 0 { return status }
    if error == nil { return Status.buffer.code }
    return report(Failure(.buffer, "the URL and its NUL have \(missing &+ 1) bytes; the buffer has \(capacity)"), error)
}

private func views(_ start: UnsafePointer<routable_value>?) -> UnsafePointer<ValueView>? {
    start.map { UnsafeRawPointer($0).assumingMemoryBound(to: ValueView.self) }
}

/// The values without a copy: `ValueView` has the layout of `routable_value`, which a test checks.
private func views(
    _ start: UnsafePointer<routable_value>?, _ count: Int, _ what: StaticString
) throws(Failure) -> UnsafeBufferPointer<ValueView> {
    if count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
    guard let start else { throw .null(what) }
    guard count > 0, count <= 1 << 16 else { throw Failure(.limit, "at most \(1 << 16) values are allowed") }
    return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: ValueView.self), count: count)
}
