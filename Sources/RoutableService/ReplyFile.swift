// A regular file as the body of a response.

internal import CSystem
internal import RoutableCore

/// An open file and the range of it that is sent.
final class ReplyFile {
    private var descriptor: Int32
    /// The offset of the range.
    let start: Int64
    let length: Int64
    /// Whether this object, and then the response, closes the descriptor.
    let isOwned: Bool

    private init(_ descriptor: Int32, start: Int64, length: Int64, isOwned: Bool) {
        self.descriptor = descriptor
        self.start = start
        self.length = length
        self.isOwned = isOwned
    }

    deinit { if isOwned { Self.close(descriptor) } }

    /// Failures: `file`.
    static func open(_ path: Bytes) throws(Failure) -> ReplyFile {
        var (descriptor, length): (Int32, Int64) = (-1, -1)
        let name = path.storage.map { CChar(bitPattern: $0) } + [0]
        let code = name.withUnsafeBufferPointer { $0.baseAddress.map { csystem_open_soon($0, &descriptor, &length) } ?? 0 }
        if code != 0 { throw .file("read", path, code) }
        let file = ReplyFile(descriptor, start: 0, length: length, isOwned: true)
        if length < 0 { throw Failure(.file, "\(path.printable) is not a regular file, so that its length is not known") }
        return file
    }

    /// Failures: `file`.
    static func rest(of descriptor: Int32) throws(Failure) -> ReplyFile {
        var (start, length): (Int64, Int64) = (0, 0)
        let code = csystem_rest(descriptor, &start, &length)
        if code != 0 { throw .file("read", "the descriptor \(descriptor)", code) }
        return ReplyFile(descriptor, start: start, length: length, isOwned: false)
    }

    /// Returns the descriptor, which the caller must close if it is owned.
    func take() -> Int32 {
        let taken = descriptor
        descriptor = -1
        return taken
    }

    static func close(_ descriptor: Int32) { if descriptor >= 0 { csystem_close(descriptor) } }

    /// The bytes at an offset, at most `maximum`; empty at the end.  Failures: `file`, `memory`.
    static func read(_ descriptor: Int32, at place: Int64, _ maximum: Int64) throws(Failure) -> Text {
        let size = Int(min(maximum, 64 << 10))
        guard Memory.has(2 &* size) else { throw Memory.failure }
        var count: Int64 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
            guard let start = buffer.baseAddress else { return }
            count = csystem_read_at(descriptor, place, start, buffer.count)
            used = Int(max(count, 0))
        }
        if count < 0 { throw .file("read", "the body of the response", Int32(truncatingIfNeeded: -count)) }
        return bytes.withUnsafeBytes { Text(copying: $0) }
    }
}
