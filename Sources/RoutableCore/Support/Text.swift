// Immutable strings at a fixed address, which a host borrows, and which requests, transfers and responses share.
//
// The three kinds of text, and why there are three.  `Bytes` is text that changes: an array, compared byte by byte.
// `Text` is text that does not change: shared by its copies, with a NUL after it, so that C can read it in place.  `TextRange` is
// a part of a `Text`, for documents that are stored as they were received; no NUL follows it.

internal import CSystem

/// Bytes with a NUL after them, allocated once and never changed: the memory of a borrowed `routable_str`.
public struct Text: Sendable {
    /// The bytes; the NUL follows them, in the spare capacity of the array.  So `bytes` needs no copy: a router has
    /// tens of thousands of strings, each of which is also a name or a path of its description.
    private let storage: [UInt8]

    /// The empty string.
    public static var empty: Text { Text(storage: []) }

    private init(storage: [UInt8]) { self.storage = storage }

    /// Creates a string of these bytes.
    @inline(never) public init(_ bytes: Bytes) { self = bytes.storage.withUnsafeBytes { Text(copying: $0) } }

    /// A copy of bytes in other memory.
    @inline(never) package init(copying bytes: UnsafeRawBufferPointer) {
        guard let from = bytes.baseAddress, bytes.count > 0, Memory.has(bytes.count) else {
            self = .empty
            return
        }
        storage = [UInt8](unsafeUninitializedCapacity: bytes.count &+ 1) { target, count in
            guard let start = target.baseAddress else { return }
            UnsafeMutableRawPointer(start).copyMemory(from: from, byteCount: bytes.count)
            (start + bytes.count).initialize(to: 0)
            count = bytes.count
        }
    }

    @inline(never) package init(_ bytes: UnsafeRawBufferPointer) { self.init(copying: bytes) }

    /// A string that `write` writes, with its NUL, into memory of this size; it returns the length without the NUL, or -1 for none.
    @inline(__always) init?(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        #if hasFeature(Embedded)
        var length = -1
        storage = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            if let start = buffer.baseAddress { length = write(start) }
            count = max(length, 0)
        }
        if length < 0 { return nil }
        #else
        // The initialiser of the standard library for elements of any type costs 500 instructions; this one is
        // compiled for bytes.
        let written = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer -> [UInt8]? in
            guard let start = buffer.baseAddress else { return nil }
            let length = write(start)
            return length < 0 ? nil : [UInt8](UnsafeBufferPointer(start: start, count: length &+ 1))
        }
        guard var written else { return nil }
        written.removeLast()
        storage = written
        #endif
    }

    /// The bytes of an array without a copy: a NUL is written after them, into its spare capacity.  If the array is changed
    /// while this text exists, the array is copied, as with any array.
    @inline(never) package init(sharing bytes: inout [UInt8]) {
        bytes.append(0)
        bytes.removeLast()
        storage = bytes
    }

    /// A copy of a NUL-terminated string.
    package init(cString: UnsafePointer<CChar>) {
        self.init(copying: UnsafeRawBufferPointer(start: cString, count: csystem_length(cString)))
    }

    /// The number of bytes.
    public var count: Int { storage.count }
    /// Valid while a copy of this value lives: an unchanged array keeps the address of its storage.
    public var start: UnsafePointer<UInt8> {
        if isEmpty { return Self.nothing }
        return storage.withUnsafeBufferPointer { $0.baseAddress } ?? Self.nothing
    }
    /// The bytes, valid as long as `start`.
    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    /// The same bytes without a copy.
    public var bytes: Bytes { Bytes(storage) }
    /// Whether there are no bytes.
    public var isEmpty: Bool { storage.isEmpty }

    /// Whether both have the same bytes.  Texts in the same memory are not compared.
    public func isSame(as other: Text) -> Bool { storage == other.storage }

    /// A NUL that exists as long as the process.
    nonisolated(unsafe) private static let nothing: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
}

extension Text: ExpressibleByStringLiteral {
    @inline(never) public init(stringLiteral text: StaticString) { self.init(Bytes(static: text)) }
}

/// A range of a `Text`, which it keeps alive.  No NUL follows it.
public struct TextRange: Sendable {
    /// The string that contains the range.
    public let text: Text
    /// The offset of the range, in bytes.
    public let offset: Int
    /// The length of the range, in bytes.
    public let count: Int

    /// Creates a range; nil if the range is not within the text.
    public init?(_ text: Text, _ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= text.count else { return nil }
        self.text = text
        offset = range.lowerBound
        count = range.count
    }

    /// The bytes of the range, valid while the value exists.
    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text.start + offset, count: count) }
}

extension Text {
    /// The range without a byte order mark at its beginning.
    package var withoutMark: Text {
        let bytes = buffer
        guard bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF else { return self }
        return Text(copying: UnsafeRawBufferPointer(rebasing: bytes[3...]))
    }
}
