// What can be said of a pattern without running it.
//
// Most routes of a host are plain texts, and most patterns begin with one: comparing bytes first is what makes a walk
// over a thousand routes cost microseconds.

internal import RoutableCore

/// The text that every match of a pattern begins with.
struct LiteralText {
    /// The bytes at the start.
    var prefix = Bytes()
    /// Whether the pattern is that text and nothing else.
    var isWhole = false

    /// Reads a pattern as far as it is a text: errs on the side of knowing less.
    @inline(never) init(_ pattern: Bytes) {
        let bytes = pattern.storage
        // An alternative could begin otherwise.
        if bytes.contains(UInt8(ascii: "|")) { return }
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
