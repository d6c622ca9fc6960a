// Escapes that jansson refuses a whole text for, as U+FFFD: halves of surrogate pairs, and U+0000 in a key.

package import RoutableCore

package enum JSONMending {
    /// The text with `\ufffd` in the place of each such escape, which has the same length: offsets stay.
    /// Without `names` U+0000 in a key stays, and is refused later.
    package static func mended(_ text: Bytes, names: Bool = true) -> Bytes {
        guard text.contains("\\u") else { return text }
        var result = text
        var places: [Int] = []
        result.storage.withUnsafeBytes { places = find($0, names) }
        for place in places {
            for (offset, byte) in Bytes("ufffd").storage.enumerated() { result.storage[place &+ 1 &+ offset] = byte }
        }
        return result
    }

    /// Where the backslashes of such escapes stand.
    private static func find(_ text: UnsafeRawBufferPointer, _ names: Bool) -> [Int] {
        var places: [Int] = []
        var nulls: [Int] = []
        var index = 0
        var isString = false
        while index < text.count {
            let byte = text[index]
            if !isString {
                isString = byte == UInt8(ascii: "\"")
                if isString { nulls = [] }
                index &+= 1
                continue
            }
            if byte == UInt8(ascii: "\"") {
                isString = false
                index &+= 1
                if names && !nulls.isEmpty && isKey(text, index) { places += nulls }
                continue
            }
            guard byte == UInt8(ascii: "\\") else {
                index &+= 1
                continue
            }
            guard let unit = unit(text, index) else {
                index &+= 2
                continue
            }
            if unit == 0 { nulls.append(index) }
            if unit & 0xFC00 == 0xD800, let low = self.unit(text, index &+ 6), low & 0xFC00 == 0xDC00 {
                index &+= 12
                continue
            }
            if unit & 0xF800 == 0xD800 { places.append(index) }
            index &+= 6
        }
        return places
    }

    /// What stands for a character at `index`, `\u` and four hexadecimal digits; nil for anything else.
    private static func unit(_ text: UnsafeRawBufferPointer, _ index: Int) -> UInt32? {
        guard text.has("\\u", at: index), index &+ 5 < text.count else { return nil }
        var unit: UInt32 = 0
        var place = index &+ 2
        while place < index &+ 6 {
            guard let digit = ASCII.hexValue(text[place]) else { return nil }
            unit = unit << 4 | UInt32(digit)
            place &+= 1
        }
        return unit
    }

    private static func isKey(_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var index = start
        while index < text.count, text[index] == 0x20 || text[index] == 0x0A || text[index] == 0x0D || text[index] == 0x09 {
            index &+= 1
        }
        return index < text.count && text[index] == UInt8(ascii: ":")
    }
}
