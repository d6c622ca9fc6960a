// Text that requests, transfers and answers pass on without a copy, and that a host may borrow.

/// Bytes with a NUL after them.  Copies of the value share them; nothing changes them.
public struct SharedText: Sendable {
    /// The bytes and their NUL: never empty.
    private let storage: [UInt8]

    public static let empty = SharedText(terminated: [0])

    @inline(never) public init(_ bytes: Bytes) {
        var storage: [UInt8] = []
        storage.reserveCapacity(bytes.count &+ 1)
        storage.append(contentsOf: bytes.storage)
        storage.append(0)
        self.storage = storage
    }

    @inline(never) public init(_ buffer: UnsafeRawBufferPointer) {
        var storage: [UInt8] = []
        storage.reserveCapacity(buffer.count &+ 1)
        storage.append(contentsOf: buffer)
        storage.append(0)
        self.storage = storage
    }

    /// A text that `write` puts, with its NUL, into so much memory; it returns the length without the NUL, or -1 for none.
    @inline(__always) init?(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        var length = -1
        storage = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            if let start = buffer.baseAddress { length = write(start) }
            count = length &+ 1
        }
        if length < 0 { return nil }
    }

    /// Bytes that end in a NUL already; an empty array stands for the empty text.
    public init(terminated storage: [UInt8]) { self.storage = storage.isEmpty ? [0] : storage }

    public var count: Int { storage.count &- 1 }
    public var isEmpty: Bool { storage.count <= 1 }

    /// Valid while a copy of this value lives: an array that nobody changes keeps its storage where it is.
    public var start: UnsafePointer<UInt8> {
        storage.withUnsafeBufferPointer { $0.baseAddress } ?? Self.nowhere
    }

    /// As long as `start`.
    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    public var bytes: Bytes { @inline(never) get { Bytes(buffer) } }

    /// The bytes with their NUL, for whom takes them over.
    public var terminated: [UInt8] { storage }

    /// Whether both are the same bytes; at once when they share them.
    public func isSame(as other: SharedText) -> Bool { storage == other.storage }

    // Never read: an array that is not empty has storage.
    nonisolated(unsafe) private static let nowhere: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
}

extension SharedText: ExpressibleByStringLiteral {
    @inline(never) public init(stringLiteral text: StaticString) { self.init(Bytes(stringLiteral: text)) }
}
