// Whether bytes are UTF-8.

/// Well-formed UTF-8 as Unicode table 3-7 defines it: no surrogates, no overlong forms, at most U+10FFFF.
public enum UTF8Check {
    public static func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isValid($0) } }
    public static func isValid(_ text: Bytes) -> Bool { isValid(text.storage) }

    public static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool { firstInvalid(bytes) == nil }

    /// The offset of the first byte that does not belong, or nil.
    public static func firstInvalid(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        let count = bytes.count
        while index < count {
            // Eight ASCII bytes at a time.
            while index &+ 8 <= count
                && bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index &+= 8
            }
            guard index < count else { return nil }
            let length = sequenceLength(bytes, at: index)
            if length == 0 { return index }
            index &+= length
        }
        return nil
    }

    /// The length of the well-formed sequence that starts at `index`, or 0.
    static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
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
        let second = bytes[index &+ 1]
        if second < low || second > high { return 0 }
        var offset = 2
        while offset < length {
            if bytes[index &+ offset] & 0xC0 != 0x80 { return 0 }
            offset &+= 1
        }
        return length
    }

    /// How many characters (Unicode scalars) well-formed text has.
    public static func characterCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }
}
