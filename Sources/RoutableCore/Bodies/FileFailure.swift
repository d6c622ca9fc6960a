// Failures of file operations, made from errno.

internal import CSystem

extension Failure {
    /// The failure of a file operation.  `what` is "read" or "written"; `code` is the errno.
    @inline(never) package static func file(_ what: StaticString, _ path: Bytes, _ code: Int32) -> Failure {
        let reason = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count =
                buffer.baseAddress.map { start in
                    csystem_error_text(code, UnsafeMutableRawPointer(start).assumingMemoryBound(to: CChar.self), 128)
                } ?? 0
        }
        return Failure(.file, "\(path.printable) cannot be \(Bytes(static: what)): \(Bytes(reason))")
    }
}
