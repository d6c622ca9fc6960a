// Functions on bytes that only the command needs.

import RoutableCore

extension Bytes {
    /// The bytes with some of them replaced; nil keeps a byte.
    func replacing(_ replacement: (UInt8) -> Bytes?) -> Bytes {
        var result = Bytes()
        for byte in storage {
            if let other = replacement(byte) { result.append(other) } else { result.append(byte) }
        }
        return result
    }

    static func spaces(_ count: Int) -> Bytes { Bytes([UInt8](repeating: 0x20, count: max(0, count))) }

    /// Whether it contains the other, ASCII case folded.
    func containsIgnoringCase(_ other: Bytes) -> Bool {
        if other.isEmpty { return true }
        let text = lowercased.storage
        let wanted = other.lowercased.storage
        if wanted.count > text.count { return false }
        return (0...(text.count - wanted.count)).contains { text[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
