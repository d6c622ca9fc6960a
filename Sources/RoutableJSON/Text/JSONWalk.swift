// From JSON pointers to offsets, by a walk over the text.  It happens only when an error needs it.

package import RoutableCore

/// A cursor over text that a scan has accepted; over any other text it ends early and never reads outside.
package struct JSONWalk {
    private let text: UnsafeRawBufferPointer
    private var index = 0

    package init(_ text: UnsafeRawBufferPointer) { self.text = text }

    package var position: Int { index }
    package var next: UInt8? { index < text.count ? text[index] : nil }

    /// Where the value at `pointer` begins, and its key when it is a member; nil when there is no such value.
    package static func find(_ pointer: Bytes, in text: UnsafeRawBufferPointer) -> (value: Int, key: Int?)? {
        var walk = JSONWalk(text)
        var key: Int?
        walk.skipSpace()
        for token in JSONPointer.tokens(pointer) {
            switch walk.next {
            case UInt8(ascii: "{"):
                guard let position = walk.enterMember(token) else { return nil }
                key = position
            case UInt8(ascii: "["):
                guard let position = Decimal.parse(token), position >= 0, walk.enterElement(position) else {
                    return nil
                }
                key = nil
            default: return nil
            }
        }
        return (walk.index, key)
    }

    /// The second of two equal keys of one object, the first such pair that the text has.
    package static func firstDuplicate(in text: UnsafeRawBufferPointer) -> (offset: Int, pointer: Bytes, key: Bytes)? {
        struct Frame {
            var keys = Set<Bytes>()
            var isObject: Bool
            var token = Bytes()
            var position = 0
        }
        var walk = JSONWalk(text)
        var frames: [Frame] = []
        var expectsKey = false
        while true {
            walk.skipSpace()
            guard let byte = walk.next else { return nil }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                expectsKey = byte == UInt8(ascii: "{")
                frames.append(Frame(isObject: expectsKey))
                walk.index &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !frames.isEmpty { frames.removeLast() }
                expectsKey = false
                walk.index &+= 1
            case UInt8(ascii: ","):
                expectsKey = frames.last?.isObject ?? false
                // proof: `endIndex - 1` is an index of an array that is not empty.
                if !frames.isEmpty { frames[frames.endIndex &- 1].position &+= 1 }
                walk.index &+= 1
            case UInt8(ascii: "\"") where expectsKey:
                let offset = walk.index
                let key = walk.string()
                guard var frame = frames.popLast() else { return nil }
                frame.token = key
                let isNew = frame.keys.insert(key).inserted
                frames.append(frame)
                if !isNew {
                    var pointer = Bytes()
                    for frame in frames {
                        pointer = JSONPointer.appending(frame.isObject ? frame.token : "\(frame.position)", to: pointer)
                    }
                    return (offset, pointer, key)
                }
                expectsKey = false
            case UInt8(ascii: "\""): walk.skipString()
            default: walk.index &+= 1
            }
        }
    }

    /// Over so many bytes.
    package mutating func skip(_ count: Int) { index &+= count }

    package mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index &+= 1 }
    }

    /// From the `{` at the cursor to the value of the last member of that name (the one that counts).
    private mutating func enterMember(_ name: Bytes) -> Int? {
        var found: (key: Int, value: Int)?
        index &+= 1
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { break }
            let start = index
            let key = string()
            skipSpace()
            guard next == UInt8(ascii: ":") else { break }
            index &+= 1
            skipSpace()
            if key == name { found = (start, index) }
            skipValue()
            skipSpace()
            guard next == UInt8(ascii: ",") else { break }
            index &+= 1
        }
        guard let found else { return nil }
        index = found.value
        return found.key
    }

    private mutating func enterElement(_ position: Int64) -> Bool {
        index &+= 1
        var current: Int64 = 0
        while true {
            skipSpace()
            if next == nil || next == UInt8(ascii: "]") { return false }
            if current == position { return true }
            skipValue()
            skipSpace()
            guard next == UInt8(ascii: ",") else { return false }
            index &+= 1
            current &+= 1
        }
    }

    package mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth &+= 1
                index &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth &-= 1
                index &+= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: index &+= 1
            }
            if depth == 0 && byte == UInt8(ascii: "\"") { return }
        }
    }

    private mutating func skipString() {
        index &+= 1
        while let byte = next {
            index &+= 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { index &+= 1 }
        }
    }

    /// The text of the string at the cursor, which moves behind it.
    package mutating func string() -> Bytes {
        let start = index &+ 1
        skipString()
        let end = min(max(index &- 1, start), text.count)
        guard start <= end else { return Bytes() }
        return Self.unescaped(UnsafeRawBufferPointer(rebasing: text[start..<end]))
    }

    /// A lone surrogate is U+FFFD.
    package static func unescaped(_ text: UnsafeRawBufferPointer) -> Bytes {
        guard text.contains(UInt8(ascii: "\\")) else { return Bytes(text) }
        var result = Bytes()
        var high: UInt32 = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            guard byte == UInt8(ascii: "\\"), index &+ 1 < text.count else {
                result.append(byte)
                index &+= 1
                continue
            }
            let letter = text[index &+ 1]
            index &+= 2
            switch letter {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var unit: UInt32 = 0
                var digits = 0
                while digits < 4, index < text.count, let digit = ASCII.hexValue(text[index]) {
                    unit = unit << 4 | UInt32(digit)
                    index &+= 1
                    digits &+= 1
                }
                if unit & 0xFC00 == 0xD800, isLowSurrogate(text, index) {
                    high = unit
                } else if unit & 0xFC00 == 0xDC00 && high != 0 {
                    result.append(scalar: 0x10000 &+ (high & 0x3FF) << 10 &+ (unit & 0x3FF))
                    high = 0
                } else {
                    result.append(scalar: unit & 0xF800 == 0xD800 ? 0xFFFD : unit)
                }
            default: result.append(letter)
            }
        }
        return result
    }
}

extension JSONWalk {
    /// Whether the escape of a low surrogate stands at `index`.
    private static func isLowSurrogate(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        text.has("\\u", at: index) && index &+ 3 < text.count && text[index &+ 2] | 0x20 == UInt8(ascii: "d")
            && (ASCII.hexValue(text[index &+ 3]) ?? 0) >= 0xC
    }
}

extension Bytes {
    /// Appends a Unicode scalar value as UTF-8.
    package mutating func append(scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar), let units = UTF8.encode(scalar) else { return }
        for unit in units { append(unit) }
    }
}
