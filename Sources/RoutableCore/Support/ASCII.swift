// Tests of single bytes, and integers as decimal digits.

/// ASCII characters of the grammars of this library.
package enum ASCII {
    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    @inlinable package static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
    @inlinable package static func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
    @inlinable package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    @inlinable package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether the byte is allowed in a name of programming languages.
    @inlinable package static func isIdentifier(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }

    /// RFC 9110 section 5.6.2: a byte of a token, such as a method or a header name.
    @inlinable package static func isToken(_ byte: UInt8) -> Bool {
        // A bit for each byte: letters, digits and !#$%&'*+-.^_`|~ below 64 and from 64 to 127.
        let bits: UInt64 = byte & 0x40 == 0 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 0x80 && bits &>> UInt64(byte & 0x3F) & 1 != 0
    }

    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
    @inlinable package static func uppercased(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }

    /// The value of a hexadecimal digit.
    @inlinable package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let lower = byte | 0x20
        return lower &- 0x61 < 6 ? lower &- 0x57 : nil
    }

    /// The upper-case hexadecimal digit of the low four bits.
    @inlinable package static func hexDigit(_ value: UInt8) -> UInt8 {
        let low = value & 15
        return low < 10 ? 0x30 &+ low : 0x37 &+ low
    }
}

/// Integers as decimal digits, independent of the locale (statement E6).
package enum Decimal {
    package static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        appendMagnitude(number.magnitude, to: &bytes)
    }

    /// Writes the digits into memory of 24 bytes; returns their number.
    package static func print(_ number: Int64, _ start: UnsafeMutablePointer<UInt8>) -> Int {
        var rest = number.magnitude
        var digits = 1
        var power = rest
        while power >= 10 {
            power /= 10
            digits &+= 1
        }
        let first = number < 0 ? 1 : 0
        if number < 0 { start[0] = UInt8(ascii: "-") }
        for index in stride(from: first &+ digits &- 1, through: first, by: -1) {
            start[index] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
            rest /= 10
        }
        return first &+ digits
    }

    static func appendMagnitude(_ number: UInt64, to bytes: inout [UInt8]) {
        var divisor: UInt64 = 1
        var rest = number
        while rest >= 10 {
            rest /= 10
            divisor &*= 10
        }
        while divisor > 0 {
            bytes.append(UInt8(truncatingIfNeeded: 0x30 &+ number / divisor % 10))
            divisor /= 10
        }
    }

    /// The value of decimal digits with an optional sign; nil beyond 64 bits.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < text.count else { return nil }
        var result: Int64 = 0
        while index < text.count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = product.subtractingReportingOverflow(Int64(digit))
            if overflow || overflow2 { return nil }
            result = sum
            index &+= 1
        }
        if isNegative { return result }
        return result == Int64.min ? nil : 0 &- result
    }

    package static func parse(_ text: Bytes) -> Int64? { text.storage.withUnsafeBytes { parse($0) } }
}
