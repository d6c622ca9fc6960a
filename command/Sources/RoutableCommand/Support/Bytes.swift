// What the command does with bytes that the library has no need of.

import RoutableCore

extension Bytes {
    /// The bytes, for the length of a call.
    func withBuffer<Result>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = storage.withUnsafeBytes { buffer -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    static func spaces(_ count: Int) -> Bytes { Bytes([UInt8](repeating: 0x20, count: max(0, count))) }

    /// Whether it contains the other, ASCII case folded.
    func containsIgnoringCase(_ other: Bytes) -> Bool {
        if other.isEmpty { return true }
        let text = lowercased.storage
        let wanted = other.lowercased.storage
        if wanted.count > text.count { return false }
        return (0...(text.count - wanted.count)).contains { text[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
