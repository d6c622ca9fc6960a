// Writes a URL into a buffer of the caller.

extension Plan {
    /// Writes the URL and a NUL in the usual case; -1 if `write` must write it.
    @inline(__always)
    package func writeQuickly(
        _ ids: UnsafePointer<ValueView>?, _ idCount: Int, _ query: UnsafePointer<ValueView>?, _ queryCount: Int,
        _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int {
        guard let quick else { return -1 }
        return quick.write(ids, idCount, query, queryCount, buffer, capacity)
    }

    /// Writes the URL and a NUL.  If they do not fit, the content of the buffer is unspecified, and `length` is
    /// the length that is needed, without the NUL.
    ///
    /// Allocates only if the buffer is smaller than the longest URL that values of these lengths can have.
    @_optimize(speed)
    package func write(
        ids: UnsafeBufferPointer<ValueView>, query: UnsafeBufferPointer<ValueView>, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (length: Int, fits: Bool) {
        if operation.hasEncodedValues { return try writeEncoded(ids: ids, query: query, into: buffer) }
        return try writePlain(ids: ids, query: query, into: buffer)
    }

    @_optimize(speed)
    func writePlain(
        ids: UnsafeBufferPointer<ValueView>, query: UnsafeBufferPointer<ValueView>, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (length: Int, fits: Bool) {
        guard let base = router.base(of: operation) else { throw router.noBaseFailure(label, operation) }
        guard let bound = bound(base, ids, query) else {
            throw urlLimitFailure
        }
        if bound <= buffer.count, let start = buffer.baseAddress {
            let output = start.assumingMemoryBound(to: UInt8.self)
            let end = try write(base, ids, query, to: output).end
            output[end] = 0
            return (end, true)
        }
        return try writeThroughCopy(base, ids, query, bound, buffer)
    }

    @inline(never)
    private func writeThroughCopy(
        _ base: Base, _ ids: UnsafeBufferPointer<ValueView>, _ query: UnsafeBufferPointer<ValueView>, _ bound: Int,
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (length: Int, fits: Bool) {
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: bound)
        defer { output.deallocate() }
        let end = try write(base, ids, query, to: output).end
        guard end >= 0, end < buffer.count, let start = buffer.baseAddress else { return (end, false) }
        start.copyMemory(from: output, byteCount: end)
        start.storeBytes(of: 0, toByteOffset: end, as: UInt8.self)
        return (end, true)
    }
}
