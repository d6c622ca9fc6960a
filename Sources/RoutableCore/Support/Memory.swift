// Memory that could not be had (docs/safety.md, "Memory").
//
// Small allocations never fail where they are made: a reserve serves them, and the thread remembers it.  Here is what looks at
// that: loops, where they count their steps, and calls, before they hand anything over.

internal import CSystem

package enum Memory {
    /// Whether memory failed since the call began.
    package static var hasFailed: Bool { @inline(__always) get { csystem_memory_failed() } }

    /// Fails when it did.
    @inline(never) package static func check() throws(Failure) {
        if csystem_memory_failed() { throw failure }
    }

    @inline(never) package static func fail() -> Failure {
        csystem_memory_fail()
        return failure
    }

    package static var failure: Failure {
        @inline(never) get { Failure(.memory, "memory cannot be allocated; free some, or raise the limit") }
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

    /// Makes sure of one large allocation that comes next.  When there is no memory for it, what is made will not be handed
    /// over: it may as well be empty.
    @inline(__always) package static func has(_ byteCount: Int) -> Bool { csystem_memory_prepare(byteCount) }
}
