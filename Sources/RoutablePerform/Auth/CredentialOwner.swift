// The description that credentials belong to.  Two descriptions can declare schemes with the same name, so
// credentials are never found by the name alone.

internal import CSystem
package import RoutableCore

/// The one description whose requests receive the credentials of a client, or one credential: the description that the program
/// named or, without a name, the description of the first request.  Any thread.
package final class CredentialOwner: @unchecked Sendable {
    private let lock = csystem_lock_new()
    /// A reference to a Router, which this object retains: a router at the same address is the same router.  Written once, under the
    /// lock, and read without it.
    private let place: UnsafeMutablePointer<UnsafeRawPointer?>
    /// The origin of requests without a description.  Guarded by the lock.
    private var origin: Origin?

    /// - Parameter base: the base of the client, which replaces that of a description.
    package init(_ router: Router? = nil, at base: Bytes? = nil) {
        named = router
        origin = base.flatMap { Origin(of: Text($0)) }
        place = .allocate(capacity: 1)
        place.initialize(to: router.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
    }

    deinit {
        if let held = place.pointee { Unmanaged<Router>.fromOpaque(held).release() }
        place.deallocate()
        csystem_lock_free(lock)
    }

    /// The description; nil before it is known.
    package var router: Router? { csystem_load(place).map { Unmanaged<Router>.fromOpaque($0).takeUnretainedValue() } }

    /// The description that the program named; nil for that of the first request.
    package let named: Router?

    /// Names the description, unless it is already known.
    package func name(_ router: Router) { _ = claims(router, at: nil) }

    package static func isSameOrigin(_ one: Text, _ other: Text) -> Bool {
        guard let one = Origin(of: one), let other = Origin(of: other) else { return false }
        return one == other
    }

    /// Whether a request belongs to this description; if no description is set yet, that of the first request is set.
    ///
    /// A request without a description, such as that of a typed route in Swift, belongs to it if the request goes to the origin of
    /// the first one, or of the base of the description.
    ///
    /// - Parameters:
    ///   - url: the URL of the request; nil to check only the description.
    ///   - isFirst: whether the description of the request may be set; otherwise nothing is changed.
    package func claims(_ router: Router, at url: Text?, isFirst: Bool = true) -> Bool {
        let asked = UnsafeRawPointer(Unmanaged.passUnretained(router).toOpaque())
        let known = csystem_load(place)
        if known == asked { return true }
        if router.description.isAnonymous { return claims(url, isFirst) }
        if known != nil { return false }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let known = place.pointee { return known == asked }
        let there = url.flatMap { Origin(of: $0) }
        // The first request had no description, but an origin.
        if let origin, let there, origin != there { return false }
        if !isFirst { return true }
        if origin == nil { origin = there ?? router.base.flatMap { Origin(of: Text($0.prefix)) } }
        csystem_store(place, UnsafeRawPointer(Unmanaged.passRetained(router).toOpaque()))
        return true
    }

    private func claims(_ url: Text?, _ isFirst: Bool) -> Bool {
        guard let url, let there = Origin(of: url) else { return false }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let origin { return origin == there }
        if let base = router?.base { return Origin(of: Text(base.prefix)) == there }
        if isFirst { origin = there }
        return true
    }
}
