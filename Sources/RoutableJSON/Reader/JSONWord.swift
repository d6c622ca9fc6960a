// The layout of one word of a tape.
//
//     bits 0-31    where the value begins in the text
//     bits 32-35   its kind
//     bits 36-63   bytes of a string, of a number or of a word; elements or members of a container
//
// A container has a second word: in its low half how many words it takes with all it holds, in its high half where it ends
// in the text.  A key with escapes has its length without them in a second word, and behind it its bytes.  Everything else
// has one word: a container takes two for at least three bytes of text, an element one for at least two.

/// Kinds of words, of which the lower three bits are those of `JSONView.bit`.
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
    /// A key that another one of the same name follows, without and with escapes.
    static let deadKey: UInt64 = 9
    static let deadEscapedKey: UInt64 = 12  // differs from `escapedKey` in one bit
    /// A string with escapes.
    static let escaped: UInt64 = 10
    /// A number beyond 64 bits or beyond a double.
    static let wide: UInt64 = 11

    /// Bytes, elements and members are fewer.
    static let countLimit = 1 << 28

    @inline(__always) static func make(_ offset: Int, _ kind: UInt64, _ count: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: offset) | kind &<< 32 | UInt64(truncatingIfNeeded: count) &<< 36
    }

    @inline(__always) static func kind(_ word: UInt64) -> UInt64 { word &>> 32 & 15 }
    @inline(__always) static func offset(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }
    @inline(__always) static func count(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 36) }

    /// The words of a key.
    @inline(__always) static func keyWidth(_ word: UnsafePointer<UInt64>) -> Int {
        // proof: a key with escapes has a second word.
        kind(word[0]) & 0b1011 == escapedKey ? escapedWidth(word) : 1
    }

    @inline(never) static func escapedWidth(_ word: UnsafePointer<UInt64>) -> Int {
        2 &+ (Int(truncatingIfNeeded: word[1]) &+ 7) &>> 3
    }

    /// The words of a value, with all it holds.
    @inline(__always) static func width(_ word: UnsafePointer<UInt64>) -> Int {
        // proof: a container has a second word.
        kind(word[0]) < 2 ? Int(truncatingIfNeeded: word[1] & 0xFFFF_FFFF) : 1
    }
}
