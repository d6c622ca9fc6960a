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

    deinit { start.deallocate() }

    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    public var bytes: Bytes { @inline(never) get { Bytes(buffer) } }
    public var isEmpty: Bool { count == 0 }
}
