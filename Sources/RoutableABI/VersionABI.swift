// The version, the names of statuses, and freeing of strings.

public import CRoutable
internal import CSystem
internal import RoutableCore

@_cdecl("routable_version") @implementation
public func routable_version() -> UInt32 {
    UInt32(ROUTABLE_VERSION_MAJOR) << 16 | UInt32(ROUTABLE_VERSION_MINOR) << 8 | UInt32(ROUTABLE_VERSION_PATCH)
}

@_cdecl("routable_version_string") @implementation
public func routable_version_string() -> UnsafePointer<CChar>? { staticText(Version.text) }

@_cdecl("routable_status_name") @implementation
public func routable_status_name(_ status: routable_status) -> UnsafePointer<CChar>? {
    staticText(Status(rawValue: status.rawValue)?.name ?? "unknown_status")
}

@_cdecl("routable_outcome_name") @implementation
public func routable_outcome_name(_ outcome: routable_outcome) -> UnsafePointer<CChar>? {
    staticText(Outcome(rawValue: outcome.rawValue)?.staticName ?? "unknown_outcome")
}

@_cdecl("routable_set_memory_limit") @implementation
public func routable_set_memory_limit(_ bytes: Int) { csystem_memory_limit(bytes) }

@_cdecl("routable_memory_used") @implementation
public func routable_memory_used() -> Int { csystem_memory_used() }

@_cdecl("routable_string_free") @implementation
public func routable_string_free(_ string: UnsafeMutablePointer<routable_string>?) {
    guard let string else { return }
    string.pointee.ptr?.deallocate()
    string.pointee = routable_string(ptr: nil, len: 0)
}

/// Literals end with a NUL and are valid as long as the library is loaded.
private func staticText(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
