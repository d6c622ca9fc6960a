// Derives literal prefixes and suffixes from a pattern.
//
// Most routes of a host are plain texts, and most patterns begin with one: comparing bytes first is what makes a walk
// over a thousand routes cost microseconds.

internal import RoutableCore

/// The strings with which every match of a pattern begins and ends.
struct LiteralText {
    /// The bytes at the start.
    var prefix = Bytes()
    /// The bytes at the end, none of which are among those at the start.
    var suffix = Bytes()
    /// Whether the pattern is that text and nothing else.
    var isWhole = false

    /// Reads a pattern as far as it is a text: errs on the side of knowing less.
    @inline(never) init(_ pattern: Bytes) {
        let bytes = pattern.storage
        // An alternative could begin otherwise.
        if bytes.contains(UInt8(ascii: "|")) { return }
        defer { if !isWhole { suffix = Self.end(of: bytes) } }
        var index = bytes.first == UInt8(ascii: "^") ? 1 : 0
        var lastStart = 0
        while index < bytes.count {
            var byte = bytes[index]
            var width = 1
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
                // The character before it may be absent.
                prefix.storage.removeSubrange(lastStart...)
                return
            case UInt8(ascii: "$"):
                isWhole = index &+ 1 == bytes.count
                return
            case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "^"):
                return
            case UInt8(ascii: "\\"):
                // An escaped sign stands for itself; letters and digits have meanings.
                guard index &+ 1 < bytes.count else { return }
                byte = bytes[index &+ 1]
                width = 2
                if byte >= 0x80 || ASCII.isLetter(byte) || ASCII.isDigit(byte) { return }
            default: break
            }
            if byte & 0xC0 != 0x80 { lastStart = prefix.count }
            prefix.append(byte)
            index &+= width
        }
        isWhole = true
    }

    /// What a pattern without alternatives ends with, when all in front of it is of the plainest kind; nothing for a
    /// pattern whose last character may repeat.
    private static func end(of bytes: [UInt8]) -> Bytes {
        var end = Bytes()
        var index = 0
        var open = 0
        // proof of all indices: each is below the count when it is used, and `index` only grows, by at most two.
        while index < bytes.count {
            let byte = bytes[index]
            let next = index &+ 1 < bytes.count ? bytes[index &+ 1] : 0
            index &+= 1
            switch byte {
            case UInt8(ascii: "("):
                // Not what may change the meaning of the signs behind it; a name stands for itself and is no text.
                open &+= 1
                end = Bytes()
                if next == UInt8(ascii: "*") { return end }
                guard next == UInt8(ascii: "?") else { continue }
                guard index &+ 1 < bytes.count else { return end }
                switch bytes[index &+ 1] {
                case UInt8(ascii: ":"): index &+= 2
                case UInt8(ascii: "<"):
                    guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else { return end }
                    index = close &+ 1
                default: return end
                }
            case UInt8(ascii: ")"):
                open &-= 1
                end = Bytes()
            case UInt8(ascii: "["):
                // A class within a class, and a bracket as its first member, are left alone.
                end = Bytes()
                if next == UInt8(ascii: "^") { index &+= 1 }  // and still at most the count, as for a slice
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")), close > index,
                    !bytes[index..<close].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\") })
                else { return end }
                index = close &+ 1
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"):
                end = Bytes()
            case UInt8(ascii: "{"):
                end = Bytes()
                // Not a brace that stands for itself.
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
                    bytes[index..<close].allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ",") })
                else { return end }
                index = close &+ 1
            case UInt8(ascii: "$"):
                if index < bytes.count { return Bytes() }
            case UInt8(ascii: "\\"):
                index &+= 1
                switch next {
                case UInt8(ascii: "d"), UInt8(ascii: "w"), UInt8(ascii: "s"), UInt8(ascii: "D"), UInt8(ascii: "W"),
                    UInt8(ascii: "S"):
                    end = Bytes()
                default:
                    if next >= 0x80 || next == 0 || ASCII.isLetter(next) || ASCII.isDigit(next) { return Bytes() }
                    end.append(next)
                }
            default: end.append(byte)
            }
        }
        return open == 0 ? end : Bytes()
    }

    /// A text as a pattern that matches it alone.
    @inline(never) static func escaped(_ text: Bytes) -> Bytes {
        var result = Bytes()
        for byte in text.storage {
            let isPlain = byte >= 0x80 || ASCII.isIdentifier(byte) || ASCII.isControl(byte) || byte == 0x20
            if !isPlain { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        return result
    }
}
