// Validates URIs (RFC 3986), IRIs (RFC 3987) and addresses.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

/// A string that is validated as a URI or an IRI.
struct URIFormat {
    private let text: UnsafeRawBufferPointer
    private let isInternational: Bool

    init(_ text: UnsafeRawBufferPointer, international: Bool) {
        self.text = text
        isInternational = international
    }

    /// Whether the text is a URI with a scheme, or if `relative` is true, also one without a scheme.
    func isURI(relative: Bool) -> Bool {
        var index = 0
        let colon = text.firstIndex { !(ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E) }
        let hasScheme: Bool
        if let colon, text[colon] == UInt8(ascii: ":"), colon > 0, ASCII.isLetter(text[0]) {
            hasScheme = true
            index = colon &+ 1
        } else {
            hasScheme = false
            if !relative { return false }
        }
        if text.has("//", at: index) {
            index &+= 2
            let start = index
            while index < text.count && !text.contains(text[index], in: "/?#") { index &+= 1 }
            guard isAuthority(start..<index) else { return false }
        } else if !hasScheme {
            // The first segment must not have a colon, which would end a scheme.
            for byte in text {
                if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
                if byte == UInt8(ascii: ":") { return false }
            }
        }
        let query = text[index...].firstIndex(of: UInt8(ascii: "?"))
        let hash = text[index...].firstIndex(of: UInt8(ascii: "#"))
        let hasQuery = query.map { $0 < hash ?? Int.max } ?? false
        let pathEnd = hasQuery ? query ?? text.count : hash ?? text.count
        guard has(index..<pathEnd, ":@/") else { return false }
        if hasQuery, let query, !has((query &+ 1)..<(hash ?? text.count), ":@/?", isQuery: true) { return false }
        if let hash, !has((hash &+ 1)..<text.count, ":@/?") { return false }
        return true
    }

    /// Whether a range has only unreserved and percent-encoded characters, sub-delimiters, and the characters of `more`.
    private func has(_ range: Range<Int>, _ more: StaticString, isQuery: Bool = false) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte >= 0x80 {
                let length = UTF8Check.length(text, at: index)
                guard isInternational, length > 0, index &+ length <= range.upperBound else { return false }
                if !isUnicode(index, isQuery: isQuery) { return false }
                index &+= length
                continue
            }
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < range.upperBound, text.isHexadecimal(at: index &+ 1), text.isHexadecimal(at: index &+ 2)
                else { return false }
                index &+= 3
                continue
            }
            if !(ASCII.isLetter(byte) || ASCII.isDigit(byte) || text.contains(byte, in: "-._~!$&'()*+,;=")
                || text.contains(byte, in: more))
            {
                return false
            }
            index &+= 1
        }
        return true
    }

    /// Whether a character is ucschar, or in a query iprivate.
    private func isUnicode(_ index: Int, isQuery: Bool) -> Bool {
        let code = UTF8Check.scalar(text, at: index)
        if code < 0xA0 || code & 0xFFFE == 0xFFFE || code >= 0xFDD0 && code <= 0xFDEF { return false }
        if code >= 0xE000 && code <= 0xF8FF || code >= 0xF0000 { return isQuery }
        return code < 0xFFF0 || code > 0xFFFF && !(code >= 0xE0000 && code < 0xE1000)
    }

    private func isAuthority(_ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        if let at = text[range].firstIndex(of: UInt8(ascii: "@")) {
            guard has(start..<at, ":") else { return false }
            start = at &+ 1
        }
        var end = range.upperBound
        if start < end, text[start] == UInt8(ascii: "[") {
            guard let close = text[start..<end].firstIndex(of: UInt8(ascii: "]")) else { return false }
            guard isLiteral(UnsafeRawBufferPointer(rebasing: text[(start &+ 1)..<close])) else { return false }
            if close &+ 1 == end { return true }
            guard text[close &+ 1] == UInt8(ascii: ":") else { return false }
            start = close &+ 2
            return text[start..<end].allSatisfy { ASCII.isDigit($0) }
        }
        if let colon = text[start..<end].lastIndex(of: UInt8(ascii: ":")) {
            guard text[(colon &+ 1)..<end].allSatisfy({ ASCII.isDigit($0) }) else { return false }
            end = colon
        }
        return has(start..<end, "")
    }

    /// Whether an address is an IPv6 address, or one of a later version: `v1.fe`.
    private func isLiteral(_ address: UnsafeRawBufferPointer) -> Bool {
        guard let first = address.first, first | 0x20 == UInt8(ascii: "v") else { return Self.isIPv6(address) }
        guard let dot = address.firstIndex(of: UInt8(ascii: ".")), dot > 1, dot &+ 1 < address.count,
            address[1..<dot].allSatisfy({ ASCII.hexValue($0) != nil })
        else { return false }
        return URIFormat(UnsafeRawBufferPointer(rebasing: address[(dot &+ 1)...]), international: false)
            .has(0..<(address.count &- dot &- 1), ":") && !address.contains(UInt8(ascii: "%"))
    }

    // MARK: Addresses

    /// Whether a string is an IPv4 address: four numbers up to 255, without leading zeros.
    static func isIPv4(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.count > 15 { return false }
        var parts = 1
        var value = 0
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: ".") {
                if digits == 0 { return false }
                parts &+= 1
                (value, digits) = (0, 0)
            } else {
                guard ASCII.isDigit(byte), digits == 0 || value > 0 else { return false }
                value = value &* 10 &+ Int(byte &- 0x30)
                digits &+= 1
                if value > 255 { return false }
            }
        }
        return parts == 4 && digits > 0
    }

    static func isIPv6(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, text.count >= 2, text.count <= 45 else { return false }
        // The syntax that C libraries accept for the IPv4 part differs between systems.
        if let colon = text.lastIndex(of: UInt8(ascii: ":")), text.contains(UInt8(ascii: ".")),
            !isIPv4(UnsafeRawBufferPointer(rebasing: text[(colon &+ 1)...]))
        {
            return false
        }
        return csystem_is_ipv6(start.assumingMemoryBound(to: UInt8.self), text.count) != 0
    }
}
