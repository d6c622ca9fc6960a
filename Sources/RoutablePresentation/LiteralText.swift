// Derives literal prefixes and suffixes from a pattern.
//
// Most routes of a host are plain strings, and most patterns begin with one: because bytes are compared first, a walk
// over a thousand routes takes microseconds.

internal import RoutableCore

/// The strings with which every match of a pattern begins and ends.
struct LiteralText {
    /// The bytes at the start.
    var prefix = Bytes()
    /// The bytes at the end, without bytes of the prefix.
    var suffix = Bytes()
    /// Whether the pattern matches only this text.
    var isWhole = false

    /// Reads a pattern up to the first part that is not a string; in doubt, the prefix and the suffix are shorter.
    @inline(never) init(_ pattern: Bytes) {
        let bytes = pattern.storage
        // An alternative could have another beginning.
        if bytes.contains(UInt8(ascii: "|")) { return }
        defer { if !isWhole { suffix = Self.end(of: bytes) } }
        var index = bytes.first == UInt8(ascii: "^") ? 1 : 0
        var lastStart = 0
        while index < bytes.count {
            var byte = bytes[index]
            var width = 1
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
                // The quantifier may allow zero occurrences of the character before it.
                prefix.storage.removeSubrange(lastStart...)
                return
            case UInt8(ascii: "$"):
                isWhole = index &+ 1 == bytes.count
                return
            case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "^"):
                return
            case UInt8(ascii: "\\"):
                // An escaped punctuation character is literal; escaped letters and digits have other meanings.
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

    /// The text at the end of a pattern without alternatives, if the pattern before it has only simple parts; empty for a
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
                // Groups that can change the meaning of the characters after them end the search; the name of a group is skipped.
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
                // Classes with nested classes, and with a bracket as the first member, are not analysed.
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
                // A literal brace ends the search.
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

    /// A pattern that matches only this text.
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
