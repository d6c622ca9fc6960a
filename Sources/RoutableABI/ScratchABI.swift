// Answers as C strings in memory that is used again.

public import CRoutable
internal import RoutableCore

@_cdecl("routable_scratch_new") @implementation
public func routable_scratch_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try required(out, "out").pointee = Handle.make(Scratch()) }
}

@_cdecl("routable_scratch_free") @implementation
public func routable_scratch_free(_ scratch: OpaquePointer?) { Handle.free(scratch, Scratch.self) }

@_cdecl("routable_scratch_url") @implementation
public func routable_scratch_url(
    _ scratch: OpaquePointer?, _ plan: OpaquePointer?, _ ids: UnsafePointer<CChar>?, _ length: Int
) -> UnsafePointer<CChar>? {
    guard let scratch, let plan else { return nil }
    // Borrowed without counting: the host keeps both alive.
    let url = Unmanaged<Scratch>.fromOpaque(UnsafeRawPointer(scratch))._withUnsafeGuaranteedRef { scratch in
        Unmanaged<Plan>.fromOpaque(UnsafeRawPointer(plan))._withUnsafeGuaranteedRef {
            scratch.url($0, ids.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }, length)
        }
    }
    return url.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}

@_cdecl("routable_scratch_match") @implementation
public func routable_scratch_match(
    _ scratch: OpaquePointer?, _ router: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?,
    _ length: Int, _ flags: UInt32
) -> UnsafePointer<CChar>? {
    guard let scratch, let router else { return nil }
    let found = Unmanaged<Scratch>.fromOpaque(UnsafeRawPointer(scratch))._withUnsafeGuaranteedRef { scratch in
        Unmanaged<Router>.fromOpaque(UnsafeRawPointer(router))._withUnsafeGuaranteedRef {
            scratch.match($0, method, path, length, flags)
        }
    }
    return found.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}
