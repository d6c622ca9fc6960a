// Immutable text at an address that does not move, for hosts that borrow it.

/// Bytes with a NUL after them, allocated once and never changed: what a borrowed `routable_str` points at.
public struct Text: Sendable {
    /// The count, and the bytes right behind it: a router has tens of thousands of texts.
    private final class Storage: ManagedBuffer<Int, UInt8> {}

    // Written only in `init`, before anybody else has it.  Nil without bytes: most summaries are empty.
    nonisolated(unsafe) private let storage: Storage?

    public static var empty: Text { Text() }

    private init(_ storage: Storage? = nil) { self.storage = storage }

    @inline(never) public init(_ bytes: Bytes) {
        if bytes.isEmpty {
            self = Text()
            return
        }
        let count = bytes.count
        let storage = unsafeDowncast(Storage.create(minimumCapacity: count &+ 1) { _ in count }, to: Storage.self)
        storage.withUnsafeMutablePointerToElements { target in
            bytes.storage.withUnsafeBytes {
                if let from = $0.baseAddress { UnsafeMutableRawPointer(target).copyMemory(from: from, byteCount: $0.count) }
            }
            (target + count).initialize(to: 0)
        }
        self = Text(storage)
    }

    /// A copy of bytes that lie elsewhere.
    @inline(never) public init(copying bytes: UnsafeRawBufferPointer) { self.init(Bytes(bytes)) }

    public var count: Int { storage?.header ?? 0 }
    public var start: UnsafePointer<UInt8> { storage?.withUnsafeMutablePointerToElements { UnsafePointer($0) } ?? Self.nothing }
    public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    public var bytes: Bytes { @inline(never) get { Bytes(buffer) } }
    public var isEmpty: Bool { storage == nil }

    /// One NUL that lives as long as the process.
    nonisolated(unsafe) private static let nothing: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
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
