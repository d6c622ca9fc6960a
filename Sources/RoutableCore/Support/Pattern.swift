// Regular expressions: a wrapper of PCRE2.
//
// Matching a hostile value takes a limited time and then fails; it never blocks.  The match limit and the length
// of the subject limit the time, because the JIT ignores the depth limit.

internal import CPCRE2

/// A compiled pattern that must match a whole text, or a part of it if it was made by `search`.  Immutable; any number of threads may use it.
package final class Pattern: Sendable {
    package enum Verdict: Sendable { case matches, differs, limitReached }

    /// The source of the pattern.
    package let source: Bytes

    // Owned: made in `init`, freed in `deinit`, and not changed in between, so that PCRE2 allows sharing it.
    nonisolated(unsafe) private let code: OpaquePointer

    package static let matchLimit: UInt32 = 1_000_000

    /// Compiles a pattern.
    ///
    /// - Throws: a failure of status `document` with the message of PCRE2 and the offset in the pattern.
    package static func compile(_ source: Bytes) throws(Failure) -> Pattern { try compile(source, source, isWhole: true) }

    /// A pattern that may match any part of a string.  `translated` is the pattern in the syntax of PCRE2.
    ///
    /// - Throws: like `compile`.
    package static func search(_ source: Bytes, translated: Bytes) throws(Failure) -> Pattern {
        try compile(source, translated, isWhole: false)
    }

    private static func compile(_ source: Bytes, _ given: Bytes, isWhole: Bool) throws(Failure) -> Pattern {
        var error: Int32 = 0
        var offset = 0
        let compiled = given.storage.withUnsafeBufferPointer {
            routable_pcre2_compile($0.baseAddress ?? empty, $0.count, isWhole ? 1 : 0, &error, &offset)
        }
        guard let compiled else {
            throw Failure(
                .document,
                "the pattern \"\(source.printable)\" is not valid at byte \(offset): \(sentence(error))")
        }
        return Pattern(source, compiled)
    }

    /// The size of the compiled pattern, which can be many times larger than its source.
    package var bytes: Int { Int(routable_pcre2_size(code)) }

    private init(_ source: Bytes, _ code: OpaquePointer) {
        self.source = source
        self.code = code
    }

    deinit { routable_pcre2_free(code) }

    /// Whether the whole of `text` matches, which must be valid UTF-8.
    package func matches(_ text: UnsafeRawBufferPointer) -> Verdict { matches(text, limit: Self.matchLimit) }

    /// The same with a limit of the steps of PCRE2.
    package func matches(_ text: UnsafeRawBufferPointer, limit: UInt32) -> Verdict {
        guard text.count <= Limits.patternSubjectBytes else { return .limitReached }
        let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Self.empty
        let result = routable_pcre2_matches(code, start, text.count, limit)
        return result == 1 ? .matches : result == 0 ? .differs : .limitReached
    }

    /// The range of each group of a string that matches, beginning with the whole match; nil for a group without a match.
    ///
    /// - Returns: the verdict, and for `.matches` the ranges: one more than the number of groups.
    @inline(never) package func groups(of text: UnsafeRawBufferPointer) -> (verdict: Verdict, ranges: [Range<Int>?]) {
        guard text.count <= Limits.patternSubjectBytes else { return (.limitReached, []) }
        let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Self.empty
        var offsets = [Int](repeating: -1, count: 2 &* (Int(routable_pcre2_group_count(code)) &+ 1))
        let result = offsets.withUnsafeMutableBufferPointer { buffer -> Int32 in
            // proof: an array that is not empty has an address.
            guard let first = buffer.baseAddress else { return -1 }
            return routable_pcre2_groups(code, start, text.count, Self.matchLimit, first, buffer.count)
        }
        guard result == 1 else { return (result == 0 ? .differs : .limitReached, []) }
        var ranges: [Range<Int>?] = []
        var index = 0
        while index &+ 1 < offsets.count {
            let (low, high) = (offsets[index], offsets[index &+ 1])
            ranges.append(low >= 0 && low <= high && high <= text.count ? low..<high : nil)
            index &+= 2
        }
        return (.matches, ranges)
    }

    /// The named groups with their numbers, in the order of the numbers.
    package var groupNames: [(name: Bytes, group: Int)] {
        @inline(never) get {
            var result: [(name: Bytes, group: Int)] = []
            var group: UInt32 = 0
            while let name = routable_pcre2_group_name_at(code, UInt32(truncatingIfNeeded: result.count), &group) {
                let text = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
                result.append((Bytes(cString: text), Int(group)))
            }
            return result.ordered { $0.group < $1.group }
        }
    }

    // PCRE2 requires an address even for an empty text.  A byte that exists as long as the process.
    nonisolated(unsafe) private static let empty: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()

    private static func sentence(_ error: Int32) -> Bytes {
        Bytes(
            [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
                count = buffer.baseAddress.map { routable_pcre2_message(error, $0, 256) } ?? 0
            })
    }
}

/// The memory limit of the patterns of one document.
package final class PatternBudget {
    private var left = Limits.patternBytes

    package init() {}

    @inline(never) package func take(_ pattern: Pattern) throws(Failure) {
        left &-= pattern.bytes
        if left < 0 { throw Failure(.limit, "the compiled patterns are over \(Limits.patternBytes) bytes") }
    }
}
