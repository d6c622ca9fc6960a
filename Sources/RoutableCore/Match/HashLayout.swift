// The layout of the literals of one state: a hash whose shift is selected when the table is built.

/// The slots of the keys of one state.
struct HashLayout {
    private(set) var slotCount = 1
    private(set) var shift: UInt8 = 0
    /// The slot of each key.
    private(set) var slots: [Int] = []
    /// The hash slots of the keys that are stored in another slot.
    private(set) var movedHomes: [Int] = []

    /// For states with more keys, or that would need more slots, no hash without collisions is searched.
    private static let searchedKeys = 24
    private static let searchedSlots = 64
    /// States with more keys use the first shift; states with fewer keys use the shift that displaces the fewest keys.
    private static let comparedKeys = 256

    /// Places the keys with these hashes; `reserved` is 1 if the first slot is already used.
    ///
    /// - Parameter second: returns the number at which a key begins to search for a free slot if its own is used, even if all hashes are equal.
    mutating func place(_ hashes: [UInt64], reserved: Int, second: (Int) -> Int) {
        slotCount = 1
        shift = 0
        slots.removeAll(keepingCapacity: true)
        movedHomes.removeAll(keepingCapacity: true)
        let needed = hashes.count &+ reserved
        while slotCount < needed { slotCount &*= 2 }
        if hashes.isEmpty { return }
        if needed == 1 {
            slots.append(0)
            return
        }
        if hashes.count <= Self.searchedKeys {
            let limit = min(slotCount &* 4, Self.searchedSlots)
            while slotCount <= limit {
                if let found = Self.search(hashes, slotCount, reserved) {
                    shift = found
                    for hash in hashes { slots.append(Self.place(hash, shift, slotCount)) }
                    return
                }
                slotCount &*= 2
            }
        }
        fill(hashes, reserved, second)
    }

    /// A shift without collisions.
    private static func search(_ hashes: [UInt64], _ slotCount: Int, _ reserved: Int) -> UInt8? {
        var shift = highestShift(slotCount) &+ 1
        while shift > lowestShift {
            shift &-= 1
            var taken: UInt64 = reserved == 0 ? 0 : 1
            var isGood = true
            for hash in hashes {
                let bit: UInt64 = 1 << UInt64(place(hash, shift, slotCount))
                if taken & bit != 0 {
                    isGood = false
                    break
                }
                taken |= bit
            }
            if isGood { return shift }
        }
        return nil
    }

    /// The shift with the fewest collisions.
    @inline(never)
    private static func best(_ hashes: [UInt64], _ slotCount: Int, _ reserved: Int) -> UInt8 {
        var best: UInt8 = 0
        var fewest = Int.max
        var taken = [UInt8](repeating: 0, count: slotCount)
        var shift = highestShift(slotCount) &+ 1
        while shift > lowestShift {
            shift &-= 1
            // The mark is different in each round, so that the array need not be cleared.
            let mark = shift
            if reserved != 0 { taken[0] = mark }
            var collisions = 0
            for hash in hashes {
                let slot = place(hash, shift, slotCount)
                if taken[slot] == mark { collisions &+= 1 }
                taken[slot] = mark
            }
            if collisions < fewest {
                fewest = collisions
                best = shift
            }
        }
        return best
    }

    /// Uses a larger table, so that few keys are displaced, and only by a few slots.
    private mutating func fill(_ hashes: [UInt64], _ reserved: Int, _ second: (Int) -> Int) {
        slotCount = 1
        while slotCount < (hashes.count &+ reserved) &* 3 { slotCount &*= 2 }
        shift = hashes.count > Self.comparedKeys ? Self.highestShift(slotCount) : Self.best(hashes, slotCount, reserved)
        var isTaken = [Bool](repeating: false, count: slotCount)
        if reserved != 0 { isTaken[0] = true }
        var late: [Int] = []
        for (index, hash) in hashes.enumerated() {
            let slot = Self.place(hash, shift, slotCount)
            slots.append(slot)
            if isTaken[slot] {
                late.append(index)
                movedHomes.append(slot)
            } else {
                isTaken[slot] = true
            }
        }
        for index in late {
            var slot = second(index) & (slotCount &- 1)
            while isTaken[slot] { slot = (slot &+ 1) & (slotCount &- 1) }
            isTaken[slot] = true
            slots[index] = slot
        }
    }

    /// Shifts are tried in descending order, from the well-mixed high bits.
    private static let lowestShift: UInt8 = 12

    private static func highestShift(_ slotCount: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: 64 &- slotCount.trailingZeroBitCount &- 5)
    }

    private static func place(_ hash: UInt64, _ shift: UInt8, _ slotCount: Int) -> Int {
        // The mask is in bytes, so that the index of the slot begins at bit 5.
        Int(truncatingIfNeeded: hash >> (UInt64(shift) &+ 5)) & (slotCount &- 1)
    }
}
