// Memory that cannot be allocated (docs/safety.md, "Memory").
//
// Small allocations never fail at once: a reserve serves them, and the thread records the failure.  This file has the checks:
// loops check when they count their steps, and calls check before they return anything.

internal import CSystem

package enum Memory {
    /// Whether an allocation failed since the call began.
    package static var hasFailed: Bool { @inline(__always) get { csystem_memory_failed() } }

    /// Whether an allocation failed, for a loop that then ends early: its result is incomplete, and the call fails.
    @inline(__always) package static func cuts() -> Bool { hasFailed && loses() }

    @inline(never) private static func loses() -> Bool {
        csystem_memory_fail()
        return true
    }

    /// Fails if an allocation failed.
    @inline(never) package static func check() throws(Failure) {
        if csystem_memory_failed() { throw failure }
    }

    @inline(never) package static func fail() -> Failure {
        csystem_memory_fail()
        return failure
    }

    package static var failure: Failure {
        @inline(never) get { Failure(.memory, "memory cannot be allocated; free memory, or raise the limit") }
    }

    /// Whether an allocation failed; if so, it is forgotten, and the reserve filled again, for the rest of the same call.
    @inline(never) package static func recovers() -> Bool {
        guard csystem_memory_failed() else { return false }
        _ = csystem_call_end(0)
        _ = csystem_call_begin()
        return true
    }

    /// Fails unless so many bytes can be allocated now.  Checked before many objects are made of data from outside.
    @inline(never) package static func admit(_ byteCount: Int) throws(Failure) {
        if byteCount >= 1 << 20 && csystem_memory_admits(byteCount) == 0 { throw fail() }
    }

    /// The memory that opening needs for each byte of a document, and other readers for each byte of JSON, without their tables, which
    /// are allocated by functions that can fail.
    package static let perDocumentByte = 24
    package static let perJSONByte = 4

    /// Reserves memory for a list whose size is determined by data from outside.
    @inline(__always) package static func reserve<Element>(_ list: inout [Element], _ count: Int) throws(Failure) {
        guard has(count &* MemoryLayout<Element>.stride) else { throw failure }
        list.reserveCapacity(count)
    }

    /// Whether a list whose size is determined by data from outside can grow by one; false if an allocation failed, so that its loop ends.
    @inline(__always) package static func hasRoom<Element>(_ list: [Element]) -> Bool {
        !cuts() && (list.count < list.capacity || has(2 &* list.capacity &* MemoryLayout<Element>.stride))
    }

    /// Makes sure that the next large allocation succeeds.  If it cannot, the result is not returned, and
    /// may be empty.
    @inline(__always) package static func has(_ byteCount: Int) -> Bool { csystem_memory_prepare(byteCount) }
}
