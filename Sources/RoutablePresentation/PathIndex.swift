// Finds the routes that a path may match by comparing bytes, in one sequential pass over plain memory.

internal import RoutableCore

/// The routes of a tree, in the order in which they are tried.
struct PathIndex {
    /// The way in which a node of the tree accepts a path.
    private enum Way: UInt8 {
        /// The node has no route.
        case never
        /// The path must be equal to the text.
        case whole
        /// The path must begin with the text; then the route's matcher decides.
        case start
        /// A predicate of the host decides.
        case asks
    }

    private struct Slot {
        let way: Way
        /// Whether the path may contain the text escaped or after a slash, as with templates.
        let isDecoded: Bool
        /// The offset of the prefix in the pool; the suffix follows it.
        let start: Int32
        let count: Int32
        let endCount: Int32
        /// The number of nodes of the subtree.
        let size: Int32
        /// The last eight bytes of a whole text; there, the routes of a list usually differ.
        let tail: UInt64

        init(
            _ way: Way, size: Int, isDecoded: Bool = false, start: Int = 0, count: Int = 0, endCount: Int = 0,
            tail: UInt64 = 0
        ) {
            self.tail = tail
            self.way = way
            self.isDecoded = isDecoded
            self.start = Int32(truncatingIfNeeded: start)
            self.count = Int32(truncatingIfNeeded: count)
            self.endCount = Int32(truncatingIfNeeded: endCount)
            self.size = Int32(truncatingIfNeeded: size)
        }
    }

    private var slots: [Slot] = []
    private var pool: [UInt8] = []

    func size(at place: Int) -> Int { Int(slots[place].size) }

    mutating func appendNone(size: Int) { slots.append(Slot(.never, size: size)) }
    mutating func appendPredicate(size: Int) { slots.append(Slot(.asks, size: size)) }

    mutating func append(_ route: TextRoute, size: Int) {
        var way = Way.start
        if case .literal = route.matcher { way = .whole }
        slots.append(
            Slot(
                way, size: size, isDecoded: route.isTemplate, start: pool.count, count: route.prefix.count,
                endCount: route.suffix.count, tail: route.prefix.storage.withUnsafeBytes { Self.tail(of: $0) }))
        pool.append(contentsOf: route.prefix.storage)
        pool.append(contentsOf: route.suffix.storage)
    }

    /// The next node from `first` on that may match, or nil.
    ///
    /// - Parameter path: nil if it is not UTF-8 or is not a string, so that only predicates may match.
    @_optimize(speed)
    func next(from first: Int, _ path: Bytes?) -> Int? {
        // No function of the host is called while the memory is borrowed.
        slots.withUnsafeBufferPointer { slots -> Int? in
            pool.withUnsafeBytes { pool -> Int? in
                guard let path else {
                    var index = first
                    while index < slots.count {
                        if slots[index].way == .asks { return index }
                        index &+= 1
                    }
                    return nil
                }
                return path.storage.withUnsafeBytes { text -> Int? in
                    let isHidden = text.first == UInt8(ascii: "/") || text.contains(UInt8(ascii: "%"))
                    let tail = Self.tail(of: text)
                    var index = first
                    while index < slots.count {
                        if slots[index].way == .whole && slots[index].tail != tail {
                            index &+= 1
                            continue
                        }
                        if Self.mayMatch(slots[index], text, pool, isHidden) { return index }
                        index &+= 1
                    }
                    return nil
                }
            }
        }
    }

    /// The last bytes of a text in one word, at most eight.
    @inline(__always)
    private static func tail(of text: UnsafeRawBufferPointer) -> UInt64 {
        var result: UInt64 = 0
        for byte in text.suffix(8) { result = result << 8 | UInt64(byte) }
        return result
    }

    @inline(__always)
    private static func mayMatch(
        _ slot: Slot, _ text: UnsafeRawBufferPointer, _ pool: UnsafeRawBufferPointer, _ isHidden: Bool
    ) -> Bool {
        let count = Int(slot.count)
        switch slot.way {
        case .never: return false
        case .asks: return true
        case .whole: if count != text.count { return false }
        case .start:
            if slot.isDecoded && isHidden { return true }
            if count &+ Int(slot.endCount) > text.count { return false }
        }
        // proof: the text is long enough for both parts, as was just checked, and the pool contains both.
        guard let left = text.baseAddress, let right = pool.baseAddress else { return true }
        let start = Int(slot.start)
        let endCount = Int(slot.endCount)
        return equal(left + (text.count &- endCount), right + (start &+ count), endCount)
            && equal(left, right + start, count)
    }

    /// Compares eight bytes at a time, the last ones first, because the routes of a list usually differ there.
    @inline(__always)
    private static func equal(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = count
        while offset >= 8 {
            offset &-= 8
            if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
        }
        while offset > 0 {
            offset &-= 1
            if left.load(fromByteOffset: offset, as: UInt8.self) != right.load(fromByteOffset: offset, as: UInt8.self) {
                return false
            }
        }
        return true
    }
}
