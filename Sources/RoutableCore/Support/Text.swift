// Immutable text at an address that does not move, for hosts that borrow it.

/// Bytes with a NUL after them, allocated once and never changed: what a borrowed `routable_str` points at.
public final class Text: Sendable {
    // Owned: allocated in `init`, freed in `deinit`, written only in between by `init` itself.
    nonisolated(unsafe) public let start: UnsafePointer<UInt8>
    public let count: Int

    @inline(never) public init(_ bytes: Bytes) {
        count = bytes.count
        let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count &+ 1)
        var index = 0
        for byte in bytes.storage {
            storage[index] = byte
            index &+= 1
        }
        storage[index] = 0
        start = UnsafePointer(storage)
    }

    /// A copy of bytes that lie elsewhere.
    @inline(never) public init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        let storage = UnsafeMutableRawPointer.allocate(byteCount: bytes.count &+ 1, alignment: 1)
        if let from = bytes.baseAddress { storage.copyMemory(from: from, byteCount: bytes.count) }
        storage.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        start = UnsafePointer(storage.assumingMemoryBound(to: UInt8.self))
    }

    deinit { start.deallocate() }

    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    public var bytes: Bytes { @inline(never) get { Bytes(buffer) } }
    public var isEmpty: Bool { count == 0 }
}

/// A part of a text, which it keeps alive.  No NUL follows it.
public struct TextSlice: Sendable {
    public let text: Text
    public let offset: Int
    public let count: Int

    /// Nothing when the range is not within the text.
    public init?(_ text: Text, _ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= text.count else { return nil }
        self.text = text
        offset = range.lowerBound
        count = range.count
    }

    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text.start + offset, count: count) }
}
