// Percent-encoding (RFC 3986 section 2.1): one table for each place, without a branch for each byte.

/// The bytes that are not escaped.
package enum BareSet: Sendable {
    /// RFC 3986 unreserved: path segments and declared query parameters.
    case unreserved
    /// Alamofire's set for parameters: unreserved and `/` `?` (statement U12).
    case form
    /// The WHATWG form rules: `A-Z a-z 0-9 * - . _`, and a space is `+`.
    case whatwgForm
    /// Unreserved and reserved characters: `{+x}` of a URI template.
    case reserved
    /// The reserved bytes of a value in a query or a form: all except `#[]`, except `&`, which ends the value, and
    /// except `+`, which is read as a space.
    case reservedQuery
    /// The same for a name, without `=`, which ends it.
    case reservedName
    /// Literal text of a path: all bytes that RFC 3986 allows in a segment (pchar).  An escape stays.
    case literal
    /// The reserved bytes that a segment of a path can contain: all except `/?#[]`.
    case reservedSegment

    @inlinable func isBare(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): return true
        case UInt8(ascii: "~"): return self != .whatwgForm
        case UInt8(ascii: "/"), UInt8(ascii: "?"): return self == .form || self == .reserved || isQuery
        case UInt8(ascii: "*"): return self == .whatwgForm || isReserved
        case UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "]"): return self == .reserved
        case UInt8(ascii: "&"), UInt8(ascii: "+"): return isReserved && !isQuery
        case UInt8(ascii: "="): return isReserved && self != .reservedName
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"):
            return isReserved
        default: return false
        }
    }

    @usableFromInline var isQuery: Bool { self == .reservedQuery || self == .reservedName }

    @usableFromInline var isReserved: Bool {
        switch self {
        case .reserved, .reservedQuery, .reservedName, .reservedSegment, .literal: true
        case .unreserved, .form, .whatwgForm: false
        }
    }
}

/// Writes and reads percent-encoded strings.
package enum PercentCoding {
    /// 256 entries: up to three bytes of text, low byte first, and their number in the top byte.
    package typealias Table = UnsafePointer<UInt32>

    // Made once and never freed or changed.
    nonisolated(unsafe) package static let unreserved: Table = makeTable(.unreserved)
    nonisolated(unsafe) package static let form: Table = makeTable(.form)
    nonisolated(unsafe) package static let whatwgForm: Table = makeTable(.whatwgForm)
    nonisolated(unsafe) static let reserved: Table = makeTable(.reserved)
    nonisolated(unsafe) static let reservedQuery: Table = makeTable(.reservedQuery)
    nonisolated(unsafe) static let reservedName: Table = makeTable(.reservedName)
    nonisolated(unsafe) static let reservedSegment: Table = makeTable(.reservedSegment)
    nonisolated(unsafe) static let literal: Table = makeTable(.literal)

    package static func table(_ set: BareSet) -> Table {
        switch set {
        case .unreserved: unreserved
        case .form: form
        case .whatwgForm: whatwgForm
        case .reserved: reserved
        case .reservedQuery: reservedQuery
        case .reservedName: reservedName
        case .reservedSegment: reservedSegment
        case .literal: literal
        }
    }

    private static func makeTable(_ set: BareSet) -> Table {
        let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
        for index in 0..<256 {
            let byte = UInt8(truncatingIfNeeded: index)
            let entry: UInt32
            if set.isBare(byte) {
                entry = UInt32(byte) | 1 << 24
            } else if set == .whatwgForm && byte == 0x20 {
                entry = 0x2B | 1 << 24
            } else {
                entry = 0x25 | UInt32(ASCII.hexDigit(byte >> 4)) << 8 | UInt32(ASCII.hexDigit(byte)) << 16 | 3 << 24
            }
            table[index] = entry
        }
        return UnsafePointer(table)
    }

    /// Appends `text`; all bytes outside the set as `%XX`, in upper case.
    package static func append(_ text: Bytes, _ set: BareSet, to output: inout Bytes) {
        let table = table(set)
        output.storage.reserveCapacity(output.count &+ text.count)
        for byte in text.storage { append(byte, table, to: &output) }
    }

    /// Appends one byte, escaped as the table says.
    static func append(_ byte: UInt8, _ table: Table, to output: inout Bytes) {
        let entry = table[Int(byte)]
        output.append(UInt8(truncatingIfNeeded: entry))
        if entry >> 24 == 3 {
            output.append(UInt8(truncatingIfNeeded: entry >> 8))
            output.append(UInt8(truncatingIfNeeded: entry >> 16))
        }
    }

    package static func encode(_ text: Bytes, _ set: BareSet) -> Bytes {
        var output = Bytes()
        append(text, set, to: &output)
        return output
    }

    /// The decoded bytes of percent-encoded text; a `%` without two hexadecimal digits stays as it is.
    package static func decode(_ text: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> Bytes {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), index &+ 2 < text.count, let high = ASCII.hexValue(text[index &+ 1]),
                let low = ASCII.hexValue(text[index &+ 2])
            {
                output.append(high << 4 | low)
                index &+= 3
            } else {
                output.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                index &+= 1
            }
        }
        return Bytes(output)
    }

    /// The decoded byte at an index, and the number of bytes of its encoding.
    @inline(__always)
    static func decodedByte(_ path: UnsafeRawBufferPointer, _ index: Int, _ end: Int) -> (byte: UInt8, width: Int) {
        let byte = path[index]
        if byte == UInt8(ascii: "%"), index &+ 2 < end, let high = ASCII.hexValue(path[index &+ 1]),
            let low = ASCII.hexValue(path[index &+ 2])
        {
            return (high << 4 | low, 3)
        }
        return (byte, 1)
    }
}
