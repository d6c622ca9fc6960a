// Texts by number, for declarations of tens of thousands of them: all bytes in one array, and an open hash of numbers.

internal import CSystem

/// Each text once; the first that was added is number 0.
///
/// Whoever writes a declaration cannot know which texts meet in it: the hash has keys of the process.
package struct TextPool: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each text begins, and one more at the end.
    private(set) var starts: [UInt32] = [0]
    /// Numbers plus one; 0 is free.
    private var slots = [UInt32](repeating: 0, count: 16)
    /// Of each text, so that growing and comparing need not read them.
    private var hashes: [UInt32] = []

    package init() {}

    package var count: Int { hashes.count }

    func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index &+ 1]) }

    package mutating func reserve(_ texts: Int) {
        hashes.reserveCapacity(texts)
        starts.reserveCapacity(texts &+ 1)
        var size = slots.count
        while size < texts &* 2 { size &*= 2 }
        if size > slots.count { grow(to: size) }
    }

    /// The number of a text, or nil.
    func index(of text: Bytes) -> Int? {
        let found = slots[slot(of: text.storage, 0..<text.count, csystem_hash(text.storage, 0, text.count))]
        return found == 0 ? nil : Int(found) &- 1
    }

    /// The number of a text, added when it is new.
    package mutating func add(_ text: Bytes) -> (index: Int, isNew: Bool) { add(text.storage, 0..<text.count) }

    /// The number of a part of some bytes, added when it is new.
    @_optimize(speed)
    mutating func add(_ text: [UInt8], _ range: Range<Int>) -> (index: Int, isNew: Bool) {
        if slots.count < count &* 2 &+ 2 { grow(to: slots.count &* 4) }
        let hash = csystem_hash(text, range.lowerBound, range.upperBound)
        let slot = slot(of: text, range, hash)
        let found = slots[slot]
        if found != 0 { return (Int(found) &- 1, false) }
        slots[slot] = UInt32(truncatingIfNeeded: count &+ 1)
        hashes.append(hash)
        bytes.append(contentsOf: text[range])
        starts.append(UInt32(truncatingIfNeeded: bytes.count))
        return (count &- 1, true)
    }

    /// Where a text is, or would be.
    @inline(__always)
    private func slot(of text: [UInt8], _ range: Range<Int>, _ hash: UInt32) -> Int {
        let mask = slots.count &- 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) &- 1
            if hashes[index] == hash && isEqual(index, text, range) { return slot }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    /// Whether the text of that number is this one.
    func isText(_ index: Int, _ text: [UInt8]) -> Bool { isEqual(index, text, 0..<text.count) }

    @inline(__always)
    private func isEqual(_ index: Int, _ text: [UInt8], _ range: Range<Int>) -> Bool {
        let start = Int(starts[index])
        guard Int(starts[index &+ 1]) &- start == range.count else { return false }
        return csystem_equal_ranges(bytes, start, text, range.lowerBound, range.count) != 0
    }

    private mutating func grow(to size: Int) {
        let mask = size &- 1
        var grown = [UInt32](repeating: 0, count: size)
        for (index, hash) in hashes.enumerated() {
            var slot = Int(hash) & mask
            while grown[slot] != 0 { slot = (slot &+ 1) & mask }
            grown[slot] = UInt32(truncatingIfNeeded: index &+ 1)
        }
        slots = grown
    }
}
