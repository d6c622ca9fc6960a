// A caller-defined format for the keys of array elements: "{key}.{index}".

enum ArrayFormat {
    /// A format contains `{key}` once, `{index}` at most once, and no other braces.
    static func isValid(_ format: Bytes) -> Bool {
        var keys = 0
        var indexes = 0
        var isSound = true
        read(format) { (name: Bytes) in
            switch name {
            case "key": keys &+= 1
            case "index": indexes &+= 1
            default: isSound = false
            }
        } other: {
            if $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") { isSound = false }
        }
        return isSound && keys == 1 && indexes <= 1
    }

    static func fill(_ format: Bytes, key: Bytes, index: Int) -> Bytes {
        var result = Bytes()
        read(format) {
            result.append($0 == "key" ? key : "\(index)")
        } other: {
            result.append($0)
        }
        return result
    }

    /// The prefix and the suffix of the index of an element; the suffix is empty for formats without an index.
    static func parts(_ format: Bytes, key: Bytes) -> (before: Bytes, after: Bytes?) {
        var before = Bytes()
        var after: Bytes?
        func add(_ text: Bytes) { if after == nil { before.append(text) } else { after?.append(text) } }
        read(format) {
            if $0 == "key" { add(key) } else { after = Bytes() }
        } other: {
            add(Bytes([$0]))
        }
        return (before, after)
    }

    /// The text between braces is a name; a brace that is not closed is an ordinary byte.
    private static func read(_ format: Bytes, name: (Bytes) -> Void, other: (UInt8) -> Void) {
        var open: Bytes?
        for byte in format.storage {
            if byte == UInt8(ascii: "{") && open == nil {
                open = Bytes()
            } else if byte == UInt8(ascii: "}"), let closed = open {
                name(closed)
                open = nil
            } else if open != nil {
                open?.append(byte)
            } else {
                other(byte)
            }
        }
        if open != nil { other(UInt8(ascii: "{")) }
    }
}
