// Base64 (RFC 4648 section 4), for bodies that are not UTF-8.

/// The padded alphabet with `+` and `/`.
package enum Base64 {
    private static func letter(_ value: UInt8) -> UInt8 {
        switch value & 63 {
        case let low where low < 26: UInt8(ascii: "A") &+ low
        case let low where low < 52: UInt8(ascii: "a") &+ low &- 26
        case let low where low < 62: UInt8(ascii: "0") &+ low &- 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(_ letter: UInt8) -> UInt8? {
        if ASCII.isUpper(letter) { return letter &- UInt8(ascii: "A") }
        if ASCII.isLower(letter) { return letter &- UInt8(ascii: "a") &+ 26 }
        if ASCII.isDigit(letter) { return letter &- UInt8(ascii: "0") &+ 52 }
        return letter == UInt8(ascii: "+") ? 62 : letter == UInt8(ascii: "/") ? 63 : nil
    }

    package static func encode(_ bytes: UnsafeRawBufferPointer) -> Bytes {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 3 &* 4 &+ 4)
        var index = 0
        while index < bytes.count {
            let first = bytes[index]
            let second = index &+ 1 < bytes.count ? bytes[index &+ 1] : 0
            let third = index &+ 2 < bytes.count ? bytes[index &+ 2] : 0
            result.append(letter(first >> 2))
            result.append(letter(first << 4 | second >> 4))
            result.append(index &+ 1 < bytes.count ? letter(second << 2 | third >> 6) : UInt8(ascii: "="))
            result.append(index &+ 2 < bytes.count ? letter(third) : UInt8(ascii: "="))
            index &+= 3
        }
        return Bytes(result)
    }

    /// The bytes, or the offset of the first byte of the text that is not valid base64.
    package static func decode(_ text: Bytes) -> (bytes: Bytes, fault: Int?) {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 &* 3)
        var buffer: UInt32 = 0
        var position = 0
        var padding = 0
        for byte in text.storage {
            if byte == UInt8(ascii: "="), position & 3 >= 2 {
                padding &+= 1
                buffer <<= 6
            } else if padding == 0, let value = value(byte) {
                buffer = buffer << 6 | UInt32(value)
            } else {
                return (Bytes(), position)
            }
            position &+= 1
            guard position & 3 == 0 else { continue }
            // Unused bits must be zero, so that each body has exactly one text.
            if padding == 1 && buffer & 0xFF != 0 || padding == 2 && buffer & 0xFFFF != 0 {
                return (Bytes(), position &- padding &- 1)
            }
            result.append(UInt8(truncatingIfNeeded: buffer >> 16))
            if padding < 2 { result.append(UInt8(truncatingIfNeeded: buffer >> 8)) }
            if padding < 1 { result.append(UInt8(truncatingIfNeeded: buffer)) }
            buffer = 0
            if padding > 0 && position < text.count { return (Bytes(), position) }
        }
        return position & 3 == 0 ? (Bytes(result), nil) : (Bytes(), position)
    }

    /// With the URL-safe alphabet, without padding (RFC 4648 section 5).
    package static func encodeForURL(_ bytes: Bytes) -> Bytes {
        Bytes(
            bytes.storage.withUnsafeBytes { encode($0) }.storage.filter { $0 != UInt8(ascii: "=") }.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            })
    }
}
