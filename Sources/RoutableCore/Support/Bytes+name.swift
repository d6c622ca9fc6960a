// Compares bytes with names in the source without copying either.

internal import CSystem

extension StaticString {
    /// The bytes of a literal.  `utf8Start` ends the process for a literal that is a single character and not a string; the library
    /// has no such literal, and here it would be empty.
    @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> {
        hasPointerRepresentation
            ? UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) : UnsafeBufferPointer(start: nil, count: 0)
    }

    @inline(__always) package var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
}

extension UnsafeRawBufferPointer {
    /// The bytes from `start` to `end`, which are within the text; empty if `end` is before `start`.  Slicing would end the process.
    @inline(__always)
    package func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        guard let address = baseAddress, end > start else { return UnsafeRawBufferPointer(start: baseAddress, count: 0) }
        return UnsafeRawBufferPointer(start: address + start, count: end &- start)
    }

    /// The text without spaces and tabs at both ends.
    package var trimmedOfBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start &+= 1 }
        while end > start, self[end &- 1] == 0x20 || self[end &- 1] == 0x09 { end &-= 1 }
        return part(start, end)
    }

    /// Whether the string is equal to a string in lower case, without regard to ASCII case.
    @_optimize(speed)
    package func isName(_ lower: StaticString) -> Bool {
        let other = lower.rawBytes
        guard count == other.count else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != other[index] { return false }
        return true
    }

    /// Whether both are equal without regard to ASCII case.
    package func isName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard count == name.count else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != ASCII.lowercased(name[index]) { return false }
        return true
    }

    package func equals(_ text: StaticString) -> Bool { equals(UnsafeRawBufferPointer(text.bytes)) }

    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let other = other.baseAddress else { return true }
        return csystem_equal_ranges(
            start.assumingMemoryBound(to: UInt8.self), 0, other.assumingMemoryBound(to: UInt8.self), 0, count) != 0
    }
}

extension Bytes {
    /// Whether the bytes are equal to a string in lower case, without regard to ASCII case.
    package func isName(_ lower: StaticString) -> Bool { storage.withUnsafeBytes { $0.isName(lower) } }

    /// Whether the bytes are those of the literal.
    package func equals(_ text: StaticString) -> Bool {
        count == text.bytes.count && storage.withUnsafeBytes { $0.equals(text) }
    }
}
