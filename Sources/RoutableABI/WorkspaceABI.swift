// URLs and matches as C strings in reused memory, for bindings.

public import CRoutable
internal import RoutableCore

@_cdecl("routable_workspace_new") @implementation
public func routable_workspace_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try Handle.give(Workspace(), try required(out, "out")) }
}

@_cdecl("routable_workspace_free") @implementation
public func routable_workspace_free(_ workspace: OpaquePointer?) { Handle.free(workspace, Workspace.self) }

@_cdecl("routable_workspace_url") @implementation
public func routable_workspace_url(
    _ workspace: OpaquePointer?, _ plan: OpaquePointer?, _ ids: UnsafePointer<CChar>?, _ length: Int
) -> UnsafePointer<CChar>? {
    guard let workspace, let plan else { return nil }
    // Borrowed without retaining: the caller has references to both.
    let url = Unmanaged<Workspace>.fromOpaque(UnsafeRawPointer(workspace))._withUnsafeGuaranteedRef { workspace in
        Unmanaged<Plan>.fromOpaque(UnsafeRawPointer(plan))._withUnsafeGuaranteedRef {
            workspace.url($0, ids.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }, length)
        }
    }
    return url.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}

@_cdecl("routable_workspace_match") @implementation
public func routable_workspace_match(
    _ workspace: OpaquePointer?, _ router: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?,
    _ length: Int, _ flags: UInt32
) -> UnsafePointer<CChar>? {
    guard let workspace, let router else { return nil }
    let found = Unmanaged<Workspace>.fromOpaque(UnsafeRawPointer(workspace))._withUnsafeGuaranteedRef { workspace in
        Unmanaged<PlannedRouter>.fromOpaque(UnsafeRawPointer(router))._withUnsafeGuaranteedRef {
            workspace.match($0.router, method, path, length, flags)
        }
    }
    return found.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}
