// The keys of array elements in a spelling of the caller's own: "{key}.{index}".

enum ArrayFormat {
    private static let key: Bytes = "{key}"
    private static let index: Bytes = "{index}"

    /// `{key}` once, `{index}` at most once, and no other braces.
    static func isValid(_ format: Bytes) -> Bool {
        var keys = 0
        var indexes = 0
        var others = 0
        read(format, key: { keys &+= 1 }, index: { indexes &+= 1 }) { byte in
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { others &+= 1 }
        }
        return keys == 1 && indexes <= 1 && others == 0
    }

    static func fill(_ format: Bytes, key: Bytes, index: Int) -> Bytes {
        var result = Bytes()
        read(format, key: { result.append(key) }, index: { result.append("\(index)") }) { result.append($0) }
        return result
    }

    private static func read(_ format: Bytes, key: () -> Void, index: () -> Void, other: (UInt8) -> Void) {
        var rest = format.storage[...]
        while let byte = rest.first {
            if rest.starts(with: Self.key.storage) {
                key()
                rest = rest.dropFirst(Self.key.count)
            } else if rest.starts(with: Self.index.storage) {
                index()
                rest = rest.dropFirst(Self.index.count)
            } else {
                other(byte)
                rest = rest.dropFirst()
            }
        }
    }
}
