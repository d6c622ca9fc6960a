// The literal text of a path, as the author of a template wrote it, in a normal form.
//
// A delimiter (`:` `@` `$` `&` and so on) that is written as itself differs from its escape: RFC 3986,
// section 2.2.  Values escape every delimiter, and literal text keeps it, so that a value never matches literal text.
//
// In this form, a "%" always begins an escape of two upper-case digits.  Escapes of delimiters, of "%" and of control
// characters stay; all others are decoded, because they mean the same as the bytes that they encode.

package enum PathLiteral {
    /// Whether the escape of a byte differs from the byte itself.
    @inline(__always)
    static func keepsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") || isDelimiter(byte)
    }

    /// The bytes of a segment that values escape and literal text does not: sub-delims, `:` and `@`.
    @inline(__always)
    static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: "@"):
            return true
        default: return false
        }
    }

    /// Whether the text has a byte that no value without a style contains: then no value matches it.
    static func hasDelimiter(_ text: Bytes) -> Bool { text.storage.contains(where: isDelimiter) }

    /// The text of a template in normal form.  A "%" without two hexadecimal digits is literal.
    package static func canonical(_ written: Bytes) -> Bytes {
        guard written.storage.contains(UInt8(ascii: "%")) else { return written }
        var result = Bytes()
        written.storage.withUnsafeBytes { text in
            var index = 0
            while index < text.count {
                let (byte, width) = PercentCoding.decodedByte(text, index, text.count)
                if width == 3 ? keepsEscape(byte) : byte == UInt8(ascii: "%") {
                    appendEscape(of: byte, to: &result)
                } else {
                    result.append(byte)
                }
                index &+= width
            }
        }
        return result
    }

    /// The decoded bytes of the text.
    package static func decoded(_ text: Bytes) -> Bytes {
        guard text.storage.contains(UInt8(ascii: "%")) else { return text }
        return text.storage.withUnsafeBytes { PercentCoding.decode($0) }
    }

    /// The text as it is sent: bytes that RFC 3986 does not allow in a segment are escaped.
    static func append(_ text: Bytes, to output: inout [UInt8]) {
        var written = Bytes()
        for byte in text.storage {
            // Every "%" already begins an escape.
            if byte == UInt8(ascii: "%") {
                written.append(byte)
            } else {
                PercentCoding.append(byte, PercentCoding.literal, to: &written)
            }
        }
        output.append(contentsOf: written.storage)
    }

    private static func appendEscape(of byte: UInt8, to output: inout Bytes) {
        output.append(UInt8(ascii: "%"))
        output.append(ASCII.hexDigit(byte >> 4))
        output.append(ASCII.hexDigit(byte & 15))
    }
}
