// Classes of characters.  Half of a surrogate pair, which patterns for UTF-16 can contain, matches no text: PCRE2 has no such character,
// and UTF-8 has none, so that a range ends before the halves or begins after them.

internal import RoutableCore

extension ECMAPattern {
    /// Whether a code is half of a surrogate pair.
    static func isHalf(_ code: UInt32) -> Bool { code & 0xFFFF_F800 == 0xD800 }

    mutating func bracket() throws(Failure) {
        index &+= 1
        let negates = next == UInt8(ascii: "^")
        if negates { index &+= 1 }
        let opening = translated.count
        put(negates ? "[^" : "[")
        let start = translated.count
        var wasSet = false
        var first: UInt32?  // the character before the cursor, with which a range may begin
        while true {
            guard let byte = next else { throw fault("a \"[\" without its \"]\"") }
            if byte == UInt8(ascii: "]") { break }
            if byte == UInt8(ascii: "-"), let low = first, !isBeforeSet, index &+ 1 < text.count,
                text[index &+ 1] != UInt8(ascii: "]")
            {
                index &+= 1
                try range(from: low)
                (wasSet, first) = (false, nil)
            } else {
                wasSet = try atom()
                first = wasSet ? nil : character
            }
        }
        if translated.count == start {
            cut(opening)
            put(negates ? "[\\x{0}-\\x{10FFFF}]" : "(?!)")
        } else {
            put("]")
        }
        index &+= 1
        canRepeat = true
    }

    /// The rest of a range, after its `-`.
    private mutating func range(from low: UInt32) throws(Failure) {
        let end = translated.count
        if Self.isHalf(low) { put("\\x{E000}-") } else { put("-") }
        _ = try atom()
        // An escaped character that is not ASCII is not read yet: it is read next, as the end of the range.
        guard let high = character else { return }
        if low > high {
            // A pair, and half of another pair as the upper end: without Unicode mode, these are two ranges of halves.
            guard low > 0xFFFF && Self.isHalf(high) else { throw fault("a range is out of order") }
            cut(end)
        } else if Self.isHalf(high) {
            if Self.isHalf(low) { cut(end) } else { put("\\x{D7FF}") }
        }
    }

    private mutating func cut(_ count: Int) { translated.storage.removeLast(translated.count &- count) }

    /// Reads one character, which is stored in `character`, or an escape for several characters; then the result is true.
    private mutating func atom() throws(Failure) -> Bool {
        guard let byte = next else { return false }
        if byte == UInt8(ascii: "\\") { return try escape(inClass: true) }
        if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "^") {
            literal(byte)
        } else {
            copy(byte, repeats: true)
        }
        character = UInt32(byte)
        guard byte >= 0xC0 else { return false }
        // The text is UTF-8: the first byte of a character has as many leading ones as the character has bytes.
        var code = UInt32(byte) & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07)
        while let following = next, following & 0xC0 == 0x80 {
            copy(following, repeats: true)
            code = code << 6 | UInt32(following & 0x3F)
        }
        character = code
        return false
    }

    /// Whether the byte after the next one begins an escape for several characters.
    private var isBeforeSet: Bool {
        guard index &+ 2 < text.count, text[index &+ 1] == UInt8(ascii: "\\") else { return false }
        switch text[index &+ 2] | 0x20 {
        case UInt8(ascii: "d"), UInt8(ascii: "s"), UInt8(ascii: "w"), UInt8(ascii: "p"): return true
        default: return false
        }
    }
}
