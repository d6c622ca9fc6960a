// The formats of JSON Schema, by name.

internal import CSystem
internal import RoutableCore

/// A format that can be asserted.
enum SchemaFormat: UInt8 {
    case dateTime, date, time, duration, email, idnEmail, hostname, idnHostname, ipv4, ipv6
    case uri, uriReference, iri, iriReference, uuid, uriTemplate, jsonPointer, relativeJSONPointer, regex

    /// The names in the order of the cases.
    private static let words: [StaticString] = [
        "date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
        "uri", "uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer",
        "regex",
    ]

    static func of(_ name: UnsafeRawBufferPointer) -> SchemaFormat? {
        for (index, word) in words.enumerated() where name.equals(word) {
            return SchemaFormat(rawValue: UInt8(truncatingIfNeeded: index))
        }
        return nil
    }

    var word: StaticString { Int(rawValue) < Self.words.count ? Self.words[Int(rawValue)] : "" }

    /// Whether a text, which is UTF-8, has the format.
    func accepts(_ text: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .dateTime: return ScalarText.isDateTime(text)
        case .date: return ScalarText.isDate(text)
        case .time: return TimeFormat.isTime(text)
        case .duration: return TimeFormat.isDuration(text)
        case .email: return HostFormat.isEmail(text, international: false)
        case .idnEmail: return HostFormat.isEmail(text, international: true)
        case .hostname: return HostFormat.isHostname(text, international: false)
        case .idnHostname: return HostFormat.isHostname(text, international: true)
        case .ipv4: return URIFormat.isIPv4(text)
        case .ipv6: return URIFormat.isIPv6(text)
        case .uri: return URIFormat(text, international: false).isURI(relative: false)
        case .uriReference: return URIFormat(text, international: false).isURI(relative: true)
        case .iri: return URIFormat(text, international: true).isURI(relative: false)
        case .iriReference: return URIFormat(text, international: true).isURI(relative: true)
        case .uuid: return ScalarText.isUUID(text)
        case .uriTemplate: return Self.isTemplate(text)
        case .jsonPointer: return Self.isPointer(text)
        case .relativeJSONPointer: return Self.isRelativePointer(text)
        case .regex:
            do throws(Failure) {
                _ = try ECMAPattern(text)
                return true
            } catch { return false }
        }
    }

    // MARK: Pointers (RFC 6901, draft-bhutton-relative-json-pointer)

    private static func isPointer(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.isEmpty { return true }
        guard text[0] == UInt8(ascii: "/") else { return false }
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "~") {
            guard index &+ 1 < text.count, text[index &+ 1] == 0x30 || text[index &+ 1] == 0x31 else { return false }
        }
        return true
    }

    private static func isRelativePointer(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < text.count && ASCII.isDigit(text[index]) { index &+= 1 }
        if index == 0 || index > 1 && text[0] == UInt8(ascii: "0") { return false }
        if index &+ 1 == text.count && text[index] == UInt8(ascii: "#") { return true }
        return isPointer(UnsafeRawBufferPointer(rebasing: text[index...]))
    }

    // MARK: URI templates (RFC 6570 section 2)

    private static func isTemplate(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < text.count {
            let byte = text[index]
            index &+= 1
            switch byte {
            case UInt8(ascii: "{"):
                guard let end = expressionEnd(text, index) else { return false }
                index = end
            case UInt8(ascii: "%"):
                guard text.isHexadecimal(at: index), text.isHexadecimal(at: index &+ 1) else { return false }
                index &+= 2
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            default: break
            }
        }
        return true
    }

    /// The offset after the brace that closes an expression.
    private static func expressionEnd(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var index = start
        if index < text.count, text.contains(text[index], in: "+#./;?&=,!@|") { index &+= 1 }
        while true {
            let first = index
            while index < text.count {
                if ASCII.isIdentifier(text[index]) {
                    index &+= 1
                } else if text[index] == UInt8(ascii: "."), index > first, text[index &- 1] != UInt8(ascii: ".") {
                    index &+= 1
                } else if text[index] == UInt8(ascii: "%"), text.isHexadecimal(at: index &+ 1),
                    text.isHexadecimal(at: index &+ 2)
                {
                    index &+= 3
                } else {
                    break
                }
            }
            guard index > first, text[index &- 1] != UInt8(ascii: "."), index < text.count else { return nil }
            if text[index] == UInt8(ascii: "*") {
                index &+= 1
            } else if text[index] == UInt8(ascii: ":") {
                let digits = index &+ 1
                index = digits
                while index < text.count && ASCII.isDigit(text[index]) { index &+= 1 }
                if index == digits || index &- digits > 4 || text[digits] == UInt8(ascii: "0") { return nil }
            }
            guard index < text.count else { return nil }
            if text[index] == UInt8(ascii: "}") { return index &+ 1 }
            guard text[index] == UInt8(ascii: ",") else { return nil }
            index &+= 1
        }
    }
}

extension UnsafeRawBufferPointer {
    func isHexadecimal(at index: Int) -> Bool { index < count && ASCII.hexValue(self[index]) != nil }

    /// Whether a byte is in a set.
    func contains(_ byte: UInt8, in set: StaticString) -> Bool {
        for each in set.bytes where each == byte { return true }
        return false
    }
}

/// Times of RFC 3339.
enum TimeFormat {
    /// Whether a string is a full-time: the part of a date-time after the `T`.
    static func isTime(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.count < 9 || text.count > 200 { return false }
        return withUnsafeTemporaryAllocation(byteCount: 211, alignment: 1) { buffer in
            // The result does not depend on the day.
            let day: StaticString = "2001-01-01T"
            for index in 0..<11 { buffer[index] = day.utf8Start[index] }
            for index in 0..<text.count { buffer[index &+ 11] = text[index] }
            return ScalarText.isDateTime(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(text.count &+ 11)]))
        }
    }

    /// Whether a string is a duration (RFC 3339, appendix A): consecutive units of years, months and days, the same for hours, minutes and
    /// seconds, or only weeks.
    static func isDuration(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 2, text[0] == UInt8(ascii: "P") else { return false }
        var index = 1
        let units: StaticString = "YMDHMS"
        var unit = 0
        var isTime = false
        var parts = 0
        var last = -1
        while index < text.count {
            if text[index] == UInt8(ascii: "T") {
                if isTime { return false }
                isTime = true
                (unit, last) = (3, -1)
                index &+= 1
                if index == text.count { return false }
            }
            let start = index
            while index < text.count && ASCII.isDigit(text[index]) { index &+= 1 }
            if index == start || index == text.count { return false }
            if text[index] == UInt8(ascii: "W") { return parts == 0 && !isTime && index &+ 1 == text.count }
            let end = isTime ? 6 : 3
            while unit < end && units.utf8Start[unit] != text[index] { unit &+= 1 }
            // A unit is missing between two parts, as in P1Y2D.
            if unit == end || last >= 0 && unit != last &+ 1 { return false }
            last = unit
            unit &+= 1
            parts &+= 1
            index &+= 1
        }
        return parts > 0
    }
}
