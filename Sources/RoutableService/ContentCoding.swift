// The content coding of a request body (RFC 9110 section 8.4): gzip and deflate are decoded, up to the limit of the body.

internal import CSystem
internal import CZlib
internal import RoutableCore

enum ContentCoding {
    /// The pointer of a failure that the coding caused; its `allowed` contains the codings that the library decodes.
    static var pointer: Bytes { "/content_encoding" }

    /// The body after the content coding is removed.
    ///
    /// - Throws: `body` with the pointer for another coding, and without one for bytes that are not valid in the coding; `limit`, `memory`.
    static func decode(_ body: Bytes, _ coding: Bytes, limit: Int) throws(Failure) -> Bytes {
        let isGzip = coding.isName("gzip") || coding.isName("x-gzip")
        guard isGzip || coding.isName("deflate") else {
            throw refusal("the content coding \(coding.printable) is not supported; gzip and deflate are", ["gzip", "deflate"])
        }
        var memory: UnsafeMutableRawPointer?
        var count = 0
        let result = body.storage.withUnsafeBytes {
            czlib_decode($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, isGzip ? 1 : 0, limit, &memory, &count)
        }
        defer { csystem_free(memory) }
        switch Int(result) {
        case CZLIB_OK:
            let decoded = Bytes(UnsafeRawBufferPointer(start: memory, count: count))
            try Memory.check()
            return decoded
        case CZLIB_LIMIT: throw Failure(.limit, "the body of the request is over \(limit) bytes without its content coding")
        case CZLIB_MEMORY: throw Memory.failure
        case CZLIB_ABSENT:
            throw refusal("the content coding \(coding.printable) requires zlib, which cannot be opened", ["identity"])
        default: throw Failure(.body, "the body is not in the content coding \(coding.printable)")
        }
    }

    private static func refusal(_ reason: Bytes, _ allowed: [Bytes]) -> Failure {
        Failure(.body, reason) {
            $0.pointer = pointer
            $0.allowed = allowed
        }
    }
}
