// Stores the function that receives the events of a client: read without a lock for each request.

internal import CSystem
package import RoutableCore

/// The hook of one client, which is set at most once.
package final class HookPlace<Hook: AnyObject>: @unchecked Sendable {
    private let lock = csystem_lock_new()
    // Set once and then constant, so that it can be read without the lock.
    private let place: UnsafeMutablePointer<UnsafeRawPointer?>

    package init() {
        place = .allocate(capacity: 1)
        place.initialize(to: nil)
    }

    deinit {
        if let hook = place.pointee { Unmanaged<Hook>.fromOpaque(hook).release() }
        place.deallocate()
        csystem_lock_free(lock)
    }

    package var hook: Hook? { csystem_load(place).map { Unmanaged<Hook>.fromOpaque($0).takeUnretainedValue() } }

    package func set(_ hook: Hook) throws(Failure) {
        csystem_lock_acquire(lock)
        let isFirst = place.pointee == nil
        if isFirst { csystem_store(place, UnsafeRawPointer(Unmanaged.passRetained(hook).toOpaque())) }
        csystem_lock_release(lock)
        if !isFirst { throw Failure(.argument, "the client already has a hook") }
    }
}
