// Strings by number, for declarations with tens of thousands of them: all bytes in one array, and an open hash of numbers.

internal import CSystem

/// Stores each string once; the first one has the number 0.
///
/// The keys of the hash are random for each process, so that a declaration cannot be constructed whose strings collide.
package struct TextPool: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The offset of each text, and the end of the last one.
    private(set) var starts: [UInt32] = [0]
    /// The numbers plus one in the low half, the hash of the text above, so that growing and comparing do not read the text; 0 is free.
    private var slots = [UInt64](repeating: 0, count: 16)

    package init() {}

    package var count: Int { starts.count &- 1 }

    func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index &+ 1]) }

    package mutating func reserve(_ texts: Int) {
        starts.reserveCapacity(texts &+ 1)
        var size = slots.count
        while size < texts &* 2 { size &*= 2 }
        if size > slots.count { grow(to: size) }
    }

    /// The number of a text, or nil.
    func index(of text: Bytes) -> Int? {
        let found = slots[slot(of: text.storage, 0..<text.count, csystem_hash(text.storage, 0, text.count))]
        return found == 0 ? nil : Self.number(found)
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
        if found != 0 { return (Self.number(found), false) }
        slots[slot] = UInt64(hash) &<< 32 | UInt64(UInt32(truncatingIfNeeded: count &+ 1))
        bytes.append(contentsOf: text[range])
        starts.append(UInt32(truncatingIfNeeded: bytes.count))
        return (count &- 1, true)
    }

    /// The slot of a string, or the slot where it can be added.
    @inline(__always)
    private func slot(of text: [UInt8], _ range: Range<Int>, _ hash: UInt32) -> Int {
        let mask = slots.count &- 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            if slots[slot] &>> 32 == UInt64(hash) && isEqual(Self.number(slots[slot]), text, range) { return slot }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    /// The number of the text in a slot that is taken.
    @inline(__always)
    private static func number(_ slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) &- 1 }

    /// Whether the text of that number, which exists, is equal to this one.
    func isText(_ index: Int, _ text: [UInt8]) -> Bool { isEqual(index, text, 0..<text.count) }

    @inline(__always)
    private func isEqual(_ index: Int, _ text: [UInt8], _ range: Range<Int>) -> Bool {
        let start = Int(starts[index])
        guard Int(starts[index &+ 1]) &- start == range.count else { return false }
        return csystem_equal_ranges(bytes, start, text, range.lowerBound, range.count) != 0
    }

    private mutating func grow(to size: Int) {
        let mask = size &- 1
        var grown = [UInt64](repeating: 0, count: size)
        for taken in slots where taken != 0 {
            var slot = Int(taken &>> 32) & mask
            while grown[slot] != 0 { slot = (slot &+ 1) & mask }
            grown[slot] = taken
        }
        slots = grown
    }
}
