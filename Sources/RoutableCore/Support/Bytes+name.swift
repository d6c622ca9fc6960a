// Compares bytes with names in the source without copying either.

internal import CSystem

extension StaticString {
    /// Its bytes.  `utf8Start` ends the process for one that is a single character and no text, which the library has nowhere;
    /// here it has none.
    @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> {
        hasPointerRepresentation
            ? UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) : UnsafeBufferPointer(start: nil, count: 0)
    }

    @inline(__always) package var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
}

extension UnsafeRawBufferPointer {
    /// The bytes from `start` to `end`, which lie inside; none where `end` comes first.  Slicing would end the process.
    @inline(__always)
    package func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        guard let address = baseAddress, end > start else { return UnsafeRawBufferPointer(start: baseAddress, count: 0) }
        return UnsafeRawBufferPointer(start: address + start, count: end &- start)
    }

    /// Without spaces and tabs at both ends.
    package var trimmedOfBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start &+= 1 }
        while end > start, self[end &- 1] == 0x20 || self[end &- 1] == 0x09 { end &-= 1 }
        return part(start, end)
    }

    /// Equal to a text in lower case when ASCII case is folded.
    @_optimize(speed)
    package func isName(_ lower: StaticString) -> Bool {
        let other = lower.rawBytes
        guard count == other.count else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != other[index] { return false }
        return true
    }

    /// Equal when ASCII case is folded.
    package func isName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard count == name.count else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != ASCII.lowercased(name[index]) { return false }
        return true
    }

    package func equals(_ text: StaticString) -> Bool {
        let text = text.bytes
        guard count == text.count else { return false }
        guard let start = baseAddress, let other = text.baseAddress else { return true }
        return csystem_equal_ranges(start.assumingMemoryBound(to: UInt8.self), 0, other, 0, count) != 0
    }
}

extension Bytes {
    /// Equal to a text in lower case when ASCII case is folded.
    package func isName(_ lower: StaticString) -> Bool { storage.withUnsafeBytes { $0.isName(lower) } }

    /// Whether the bytes are those of a literal.
    package func equals(_ text: StaticString) -> Bool {
        count == text.bytes.count && storage.withUnsafeBytes { $0.equals(text) }
    }
}
