// Memory that could not be had (docs/safety.md, "Memory").
//
// Small allocations never fail where they are made: a reserve serves them, and the thread remembers it.  Here is what looks at
// that: loops, where they count their steps, and calls, before they hand anything over.

internal import CSystem

package enum Memory {
    /// Whether memory failed since the call began.
    package static var hasFailed: Bool { @inline(__always) get { csystem_memory_failed() } }

    /// Whether memory failed, for a loop that ends then without a word: what it leaves out is lost, and the call fails.
    @inline(__always) package static func cuts() -> Bool { hasFailed && loses() }

    @inline(never) private static func loses() -> Bool {
        csystem_memory_fail()
        return true
    }

    /// Fails when it did.
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

    /// Whether memory failed; then it is forgotten, and the reserve filled again, for what comes next in the same call.
    @inline(never) package static func recovers() -> Bool {
        guard csystem_memory_failed() else { return false }
        _ = csystem_call_end(0)
        _ = csystem_call_begin()
        return true
    }

    /// Fails unless so many bytes can be had now, which is asked before what outside data sizes is made of many pieces.
    @inline(never) package static func admit(_ byteCount: Int) throws(Failure) {
        if byteCount >= 1 << 20 && csystem_memory_admits(byteCount) == 0 { throw fail() }
    }

    /// How many bytes opening takes for each byte of a document, and other readers for each byte of JSON, beside their tables, which
    /// are allocated by functions that can fail.
    package static let perDocumentByte = 24
    package static let perJSONByte = 4

    /// Room for a list that outside data sizes.
    @inline(__always) package static func reserve<Element>(_ list: inout [Element], _ count: Int) throws(Failure) {
        guard has(count &* MemoryLayout<Element>.stride) else { throw failure }
        list.reserveCapacity(count)
    }

    /// Whether a list that outside data sizes can take one more; false when memory failed, so that its loop ends.
    @inline(__always) package static func hasRoom<Element>(_ list: [Element]) -> Bool {
        !cuts() && (list.count < list.capacity || has(2 &* list.capacity &* MemoryLayout<Element>.stride))
    }

    /// Makes sure of one large allocation that comes next.  When there is no memory for it, what is made will not be handed
    /// over: it may as well be empty.
    @inline(__always) package static func has(_ byteCount: Int) -> Bool { csystem_memory_prepare(byteCount) }
}
