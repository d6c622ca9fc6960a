// Parses a received form, which is a query or a body, by the rules of WHATWG.

package enum FormDecoding {
    /// The pairs in order: `+` is a space, `%XX` is a byte, and bytes that are not UTF-8 become U+FFFD; an item
    /// without `=` is a name, and empty items are skipped.
    package static func pairs(_ form: UnsafeRawBufferPointer) -> [(name: Bytes, value: Bytes)] {
        var result: [(name: Bytes, value: Bytes)] = []
        for item in Bytes(form).split(on: UInt8(ascii: "&")) where !item.isEmpty {
            guard Memory.hasRoom(result) else { return result }
            let name = item.storage.prefix { $0 != UInt8(ascii: "=") }
            result.append((text(name), text(item.storage.dropFirst(name.count &+ 1))))
        }
        return result
    }

    private static func text(_ encoded: ArraySlice<UInt8>) -> Bytes {
        let bytes = encoded.withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
        return UTF8Check.isValid(bytes) ? bytes : Bytes(bytes.string)
    }
}
