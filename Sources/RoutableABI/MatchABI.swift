// Matches: the hot path of routing, and the functions that read a match.

public import CRoutable
internal import RoutableCore

@_cdecl("routable_router_match") @implementation @_optimize(speed)
public func routable_router_match(
    _ router: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ path: routable_str, _ flags: UInt32,
    _ out: UnsafeMutablePointer<routable_match>?
) -> routable_status {
    guard let router else { return Status.argument.code }
    // Borrowed without retaining: the caller has a reference to the router.
    let (unmanaged, table) = Unmanaged<PlannedRouter>.fromOpaque(UnsafeRawPointer(router))._withUnsafeGuaranteedRef {
        ($0.unmanaged, $0.matchTable)
    }
    return routable_status(rawValue: Router.match(unmanaged, table, method, path.ptr, path.len, flags, out))
}

@_cdecl("routable_match_operation") @implementation
public func routable_match_operation(
    _ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?
) -> OpaquePointer? {
    guard let router, let match else { return nil }
    return Handle.knownRouter(router).operation(numbered: number(match)).map { Handle.borrow($0) }
}

@_cdecl("routable_match_parameter") @implementation
public func routable_match_parameter(
    _ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?, _ index: Int
) -> OpaquePointer? {
    guard let router, let match, let capture = capture(match, index) else { return nil }
    return Handle.knownRouter(router).parameter(of: capture, operation: number(match)).map {
        Handle.borrow($0)
    }
}

@_cdecl("routable_match_method_count") @implementation
public func routable_match_method_count(_ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?) -> Int {
    guard let router, let match else { return 0 }
    return Handle.knownRouter(router).methods(ofNode: match.pointee.node).count
}

@_cdecl("routable_match_method_at") @implementation
public func routable_match_method_at(
    _ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?, _ index: Int
) -> routable_str {
    guard let router, let match else { return .empty }
    let methods = Handle.knownRouter(router).methods(ofNode: match.pointee.node)
    return methods.indices.contains(index) ? routable_str(methods[index]) : .empty
}

@_cdecl("routable_match_alternative_count") @implementation
public func routable_match_alternative_count(_ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?) -> Int {
    guard let router, let match else { return 0 }
    return Handle.knownRouter(router).alternatives(ofNode: match.pointee.node, to: number(match)).count
}

@_cdecl("routable_match_alternative_at") @implementation
public func routable_match_alternative_at(
    _ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?, _ index: Int
) -> OpaquePointer? {
    guard let router, let match else { return nil }
    let others = Handle.knownRouter(router).alternatives(ofNode: match.pointee.node, to: number(match))
    return others.indices.contains(index) ? Handle.borrow(others[index]) : nil
}

@_cdecl("routable_match_route") @implementation
public func routable_match_route(
    _ router: OpaquePointer?, _ match: UnsafePointer<routable_match>?, _ out: UnsafeMutablePointer<routable_string>?
) -> routable_status {
    guard let router, let match, let out else { return Status.argument.code }
    var captures: [Capture] = []
    var index = 0
    while let next = capture(match, index) {
        captures.append(next)
        index += 1
    }
    guard
        let route = Handle.knownRouter(router)
            .route(of: captures, operation: number(match), node: match.pointee.node)
    else { return Status.noMatch.code }
    return attempt(nil) { () throws(Failure) in try give(route, out) }
}

@_cdecl("routable_match_value") @implementation
public func routable_match_value(
    _ match: UnsafePointer<routable_match>?, _ path: routable_str, _ index: Int,
    _ out: UnsafeMutablePointer<routable_string>?
) -> routable_status {
    let length = path.len
    guard let match, let path = path.ptr, let out, length >= 0 else { return Status.argument.code }
    guard let capture = capture(match, index) else { return Status.noMatch.code }
    let end = Int(capture.offset) + Int(capture.length)
    guard end <= length else { return Status.argument.code }
    let text = UnsafeRawBufferPointer(start: path + Int(capture.offset), count: Int(capture.length))
    return attempt(nil) { () throws(Failure) in try give(PercentCoding.decode(text), out) }
}

/// The index of the operation in the type of the core.
private func number(_ match: UnsafePointer<routable_match>) -> UInt32 { UInt32(bitPattern: match.pointee.operation) }

/// A capture whose index is below the count in the match.
private func capture(_ match: UnsafePointer<routable_match>, _ index: Int) -> Capture? {
    guard index >= 0, index < Int(match.pointee.capture_count), index < Limits.idsPerRoute else { return nil }
    let raw = UnsafeRawPointer(match) + MatchLayout.captures
    return raw.load(fromByteOffset: index * MemoryLayout<Capture>.stride, as: Capture.self)
}

@_cdecl("routable_router_match_bytes") @implementation
public func routable_router_match_bytes(_ router: OpaquePointer?) -> Int {
    router.map { Handle.knownRouter($0).matchTableBytes } ?? 0
}
