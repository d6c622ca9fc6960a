// Validates UTF-8.

/// Well-formed UTF-8 as Unicode table 3-7 defines it: no surrogates, no overlong forms, at most U+10FFFF.
package enum UTF8Check {
    package static func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isValid($0) } }
    package static func isValid(_ text: Bytes) -> Bool { isValid(text.storage) }

    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool { firstInvalid(bytes) == nil }

    /// The offset of the first byte that is not valid, or nil.
    @_optimize(speed)
    package static func firstInvalid(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        let count = bytes.count
        while index < count {
            // Eight bytes at a time up to the next one that is not ASCII; the last word ends at the end of the text.
            if count >= 8 {
                let from = min(index, count &- 8)
                let word =
                    bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self)
                    &>> UInt64(truncatingIfNeeded: (index &- from) &* 8)
                let others = word & 0x8080_8080_8080_8080
                if others == 0 {
                    index = from &+ 8
                    continue
                }
                index &+= others.trailingZeroBitCount &>> 3
            }
            let length = sequenceLength(bytes, at: index)
            if length == 0 { return index }
            index &+= length
        }
        return nil
    }

    /// The length of the well-formed sequence that starts at `index`, or 0.
    @_optimize(speed)
    package static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, high) = (4, 0x8F)
        default: return 0
        }
        guard length <= bytes.count &- index else { return 0 }
        // Most sequences have two bytes.
        if length == 2 { return bytes[index &+ 1] & 0xC0 == 0x80 ? 2 : 0 }
        let second = bytes[index &+ 1]
        if second < low || second > high { return 0 }
        var offset = 2
        while offset < length {
            if bytes[index &+ offset] & 0xC0 != 0x80 { return 0 }
            offset &+= 1
        }
        return length
    }

    /// The number of characters (Unicode scalars) of well-formed text.
    package static func characterCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }
}
