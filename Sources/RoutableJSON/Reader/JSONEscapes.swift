// Decodes the escapes of strings.

internal import CSystem
package import RoutableCore

package enum JSONEscapes {
    /// Decodes the text between the quotes of a string; an escape that is only half of a surrogate pair becomes U+FFFD.
    package static func decoded(_ raw: UnsafeRawBufferPointer) -> Bytes {
        guard let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return Bytes() }
        // The decoded text is never longer.
        return Bytes(
            [UInt8](unsafeUninitializedCapacity: raw.count) { buffer, count in
                if let target = buffer.baseAddress { count = decode(start, raw.count, target) }
            })
    }

    /// Like `decoded`, with memory for `count` bytes; returns the number of bytes that were written.
    @_optimize(speed)
    static func decode(_ text: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) -> Int {
        var written = 0
        var index = 0
        while index < count {
            let byte = text[index]
            guard byte == UInt8(ascii: "\\"), index &+ 1 < count else {
                target[written] = byte
                written &+= 1
                index &+= 1
                continue
            }
            var character: UInt32
            switch text[index &+ 1] {
            case UInt8(ascii: "b"): character = 0x08
            case UInt8(ascii: "f"): character = 0x0C
            case UInt8(ascii: "n"): character = 0x0A
            case UInt8(ascii: "r"): character = 0x0D
            case UInt8(ascii: "t"): character = 0x09
            case UInt8(ascii: "u"):
                let unit = unit(text, index, count)
                if unit < 0 { return written }  // readers reject such an escape
                character = UInt32(bitPattern: unit)
                index &+= 4
                if character & 0xFC00 == 0xD800 {
                    let low = self.unit(text, index &+ 2, count)
                    if low & 0x7FFF_FC00 == 0xDC00 {
                        character = 0x10000 &+ (character & 0x3FF) &<< 10 &+ UInt32(low & 0x3FF)
                        index &+= 6
                    }
                }
                if character & 0x1F_F800 == 0xD800 { character = 0xFFFD }
            default: character = UInt32(text[index &+ 1])
            }
            index &+= 2
            written &+= encode(character, target + written)
        }
        return written
    }

    @inline(__always)
    private static func encode(_ character: UInt32, _ target: UnsafeMutablePointer<UInt8>) -> Int {
        if character < 0x80 {
            target[0] = UInt8(truncatingIfNeeded: character)
            return 1
        }
        let length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4
        var rest = character
        var index = length &- 1
        while index > 0 {
            target[index] = 0x80 | UInt8(truncatingIfNeeded: rest & 0x3F)
            rest &>>= 6
            index &-= 1
        }
        target[0] = UInt8(truncatingIfNeeded: rest) | (length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0)
        return length
    }

    /// The value of `\u` and four hexadecimal digits at an offset; -1 for anything else.
    static func unit(_ text: UnsafePointer<UInt8>, _ place: Int, _ count: Int) -> Int32 {
        guard place >= 0, place &+ 5 < count, text[place] == UInt8(ascii: "\\"), text[place &+ 1] == UInt8(ascii: "u") else {
            return -1
        }
        var unit: Int32 = 0
        for index in 2..<6 {
            guard let digit = ASCII.hexValue(text[place &+ index]) else { return -1 }
            unit = unit &<< 4 | Int32(digit)
        }
        return unit
    }
}

/// A buffer for one decoded string at a time.
package final class DecodedText {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0

    package init() {}

    deinit { csystem_free(memory) }

    /// The characters of a string, valid until the next call; nil if memory cannot be allocated.
    package func read(_ value: JSONView) -> UnsafeRawBufferPointer? {
        let raw = value.plainText
        if capacity < raw.count || memory == nil {
            guard let larger = csystem_resize(memory, raw.count) else { return nil }
            memory = larger
            capacity = raw.count
        }
        guard let memory, let start = raw.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let count = JSONEscapes.decode(start, raw.count, memory.assumingMemoryBound(to: UInt8.self))
        return UnsafeRawBufferPointer(start: memory, count: count)
    }
}

extension Bytes {
    /// Appends a Unicode scalar value as UTF-8.
    package mutating func append(scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar), let units = UTF8.encode(scalar) else { return }
        for unit in units { append(unit) }
    }
}
