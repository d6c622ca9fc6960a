// The layout of one word of a tape.
//
//     bits 0-31    offset of the value in the text
//     bits 32-35   its kind
//     bits 36-63   length of a string, a number or a literal; number of elements or members of a container
//
// A container has a second word: its low half is the number of words of the container with its contents, its high half the offset of the
// end in the text.  A key with escapes has a second word with its decoded length, followed by the decoded bytes.  All other values
// have one word: a container has two words for at least three bytes of text, an element one word for at least two.

/// Kinds of words.  Their lower three bits are the number of the bit in `JSONView.bit`.
enum JSONWord {
    static let object: UInt64 = 0
    static let array: UInt64 = 1
    static let string: UInt64 = 2
    static let integer: UInt64 = 3
    static let real: UInt64 = 4
    static let `true`: UInt64 = 5
    static let `false`: UInt64 = 6
    static let null: UInt64 = 7
    /// A key with escapes.
    static let escapedKey: UInt64 = 8
    /// A key that is followed by another one with the same name, without and with escapes.
    static let deadKey: UInt64 = 9
    static let deadEscapedKey: UInt64 = 12  // differs from `escapedKey` in one bit
    /// A string with escapes.
    static let escaped: UInt64 = 10
    /// A number that exceeds 64 bits or a double.
    static let wide: UInt64 = 11

    /// The limit (exclusive) of the number of bytes, elements and members.
    static let countLimit = 1 << 28

    @inline(__always) static func make(_ offset: Int, _ kind: UInt64, _ count: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: offset) | kind &<< 32 | UInt64(truncatingIfNeeded: count) &<< 36
    }

    @inline(__always) static func kind(_ word: UInt64) -> UInt64 { word &>> 32 & 15 }
    @inline(__always) static func offset(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }
    @inline(__always) static func count(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 36) }

    /// The number of words of a key.
    @inline(__always) static func keyWidth(_ word: UnsafePointer<UInt64>) -> Int {
        // proof: a key with escapes has a second word.
        kind(word[0]) & 0b1011 == escapedKey ? escapedWidth(word) : 1
    }

    @inline(never) static func escapedWidth(_ word: UnsafePointer<UInt64>) -> Int {
        2 &+ (Int(truncatingIfNeeded: word[1]) &+ 7) &>> 3
    }

    /// The number of words of a value, with its contents.
    @inline(__always) static func width(_ word: UnsafePointer<UInt64>) -> Int {
        // proof: a container has a second word.
        kind(word[0]) < 2 ? Int(truncatingIfNeeded: word[1] & 0xFFFF_FFFF) : 1
    }
}
