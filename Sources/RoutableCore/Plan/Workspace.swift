// Reused memory for results as C strings, for bindings in which a call with few arguments that returns a string is fastest.

internal import CSystem

/// The memory of the last result.  One thread at a time.
package final class Workspace {
    // Owned; grows, never shrinks.
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = 2048
    private let record: UnsafeMutableRawPointer

    package init() {
        buffer = .allocate(capacity: capacity)
        record = .allocate(byteCount: MatchLayout.byteCount, alignment: 8)
    }

    deinit {
        buffer.deallocate()
        record.deallocate()
    }

    private func grow(to count: Int) {
        buffer.deallocate()
        capacity = count
        buffer = .allocate(capacity: count)
    }

    // MARK: - Plans

    /// The URL for ids that are strings, separated by NUL, without query values; nil if it is refused.
    @_optimize(speed)
    package func url(_ plan: Plan, _ ids: UnsafePointer<UInt8>?, _ count: Int) -> UnsafePointer<UInt8>? {
        guard count >= 0, ids != nil || count == 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: ValueView.self, capacity: Limits.idsPerRoute) { views in
            guard let views = views.baseAddress else { return nil }
            var found = 0
            if let ids, plan.idCount > 0 {
                var start = 0
                while start <= count {
                    guard found < Limits.idsPerRoute else { return nil }
                    let length = csystem_index(ids + start, count &- start, 0)
                    (views + found).initialize(
                        to: ValueView(
                            kind: ValueView.Kind.text, first: UInt64(UInt(bitPattern: ids + start)),
                            second: UInt64(truncatingIfNeeded: length)))
                    found &+= 1
                    start &+= length &+ 1
                }
            } else if count > 0 {
                return nil
            }
            guard found == plan.idCount else { return nil }
            if plan.writeQuickly(views, found, nil, 0, buffer, capacity) >= 0 { return UnsafePointer(buffer) }
            return write(plan, UnsafeBufferPointer(start: views, count: found))
        }
    }

    @inline(never)
    private func write(_ plan: Plan, _ ids: UnsafeBufferPointer<ValueView>) -> UnsafePointer<UInt8>? {
        let none = UnsafeBufferPointer<ValueView>(start: nil, count: 0)
        do throws(Failure) {
            var result = try plan.write(
                ids: ids, query: none, into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            if !result.fits {
                grow(to: result.length &+ 1)
                result = try plan.write(
                    ids: ids, query: none, into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }
            return result.fits ? UnsafePointer(buffer) : nil
        } catch {
            return nil
        }
    }

    // MARK: - Matches

    /// The numbers of a match in decimal, separated by spaces: operation, number of captures, node, slash, and for each
    /// capture the offset, length, resource and parameter.  Empty if nothing matches; nil for any other status.
    @_optimize(speed)
    package func match(
        _ router: Router, _ method: UnsafePointer<CChar>?, _ path: UnsafeRawPointer?, _ count: Int, _ flags: UInt32
    ) -> UnsafePointer<UInt8>? {
        let status = router.match(method, path, count, flags, record)
        if status != Status.ok.rawValue {
            buffer.pointee = 0
            return status == Status.noMatch.rawValue ? UnsafePointer(buffer) : nil
        }
        let numbers = record.assumingMemoryBound(to: Int32.self)
        // At most 12 bytes for each of 4 + 4 * 32 numbers: the first buffer is large enough.
        csystem_write_numbers(
            numbers, 4 &+ 4 &* Int(numbers[1]), UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: CChar.self))
        return UnsafePointer(buffer)
    }
}
