// Interrupts the waits of a client from any thread or from a signal handler.

internal import CCurl
import RoutableCore

/// Counts interruptions, and wakes the loop that refers to it.  The client and its engine retain it, since either may live longer.
final class Interruption: @unchecked Sendable {
    let pointer: OpaquePointer

    static func make() throws(Failure) -> Interruption {
        guard let made = ccurl_interruption_new() else { throw .outOfMemory }
        return Interruption(made)
    }

    private init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { ccurl_interruption_free(pointer) }

    var count: UInt32 { ccurl_interruption_count(pointer) }

    func raise() { ccurl_interruption_raise(pointer) }
}
