// The walk that answers nearly every match: forward only, no stack, nothing allocated, nothing retained.
//
// It takes at each level the first edge that fits.  When that ends in an operation it is the answer, since
// the full search would have found the same path first.  When it ends in nothing, and the table has places
// where another edge could have been taken, the full search decides (`MatchTable+search.swift`).
//
// Every load stays inside the caller's bytes: near the end a word is loaded so that it ends with the path,
// and shifted.  Paths below eight bytes are copied into one word.

internal import CSystem

/// Where a walk ended.
struct WalkEnd {
    enum Outcome {
        case found
        /// Nothing on the way taken.
        case nothing
        /// An escape, a query or a fragment: not for this walk.
        case special
    }
    var outcome: Outcome
    var slot: Slot
    var captureCount: Int
}

extension MatchTable {
    /// Walks a path that begins with a slash.
    ///
    /// - Parameter captures: room for `Limits.idsPerRoute`.
    @inline(__always)
    func walk(_ path: UnsafeRawBufferPointer, _ captures: UnsafeMutablePointer<Capture>) -> WalkEnd {
        // A long path may have more segments than the search goes down; it decides.
        guard let start = path.baseAddress, path.count < 2 &* Limits.segmentsPerRoute else {
            return WalkEnd(outcome: .special, slot: root, captureCount: 0)
        }
        if path.count >= 8 { return walk(start, path.count, captures) }
        var word = Self.shortWord(start, path.count)
        return withUnsafeBytes(of: &word) { buffer in
            guard let start = buffer.baseAddress else { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
            return walk(start, path.count, captures)
        }
    }

    /// Up to seven bytes, zero padded.
    @inline(__always)
    private static func shortWord(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        if count >= 4 {
            let low = UInt64(start.loadUnaligned(as: UInt32.self))
            let high = UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return low | high &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
        }
        var word: UInt64 = 0
        var index = 0
        while index < count {
            word |= UInt64(start.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(truncatingIfNeeded: index &* 8)
            index &+= 1
        }
        return word
    }

    /// `start` has at least eight bytes, of which `count` are the path's.
    @inline(__always)
    private func walk(
        _ start: UnsafeRawPointer, _ count: Int, _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        var slot = root
        var captureCount = 0
        var chunk = 0
        let scanned = Self.scan(start, count)
        if scanned.special != 0 { return WalkEnd(outcome: .special, slot: slot, captureCount: 0) }
        // The first byte is the slash that `position` stands behind.
        var slashes = scanned.slashes & ~1
        var position = 1
        let lastWord = max(count, 8) &- 8
        while true {
            var end = count
            if slashes != 0 {
                end = chunk &+ slashes.trailingZeroBitCount
                slashes &= slashes &- 1
            } else if count &- chunk > 64 {
                let next = Self.rescan(start, count, &chunk)
                if next.special != 0 { return WalkEnd(outcome: .special, slot: slot, captureCount: 0) }
                slashes = next.slashes
                if slashes != 0 {
                    end = chunk &+ slashes.trailingZeroBitCount
                    slashes &= slashes &- 1
                }
            }
            let length = end &- position
            // The first and the last eight bytes of the segment, or all of it and nothing.
            let clipped = UInt64(truncatingIfNeeded: min(length, 8))
            let lastMask = 0 &- (clipped &>> 3)
            let firstMask = ((1 &<< (clipped &* 8)) &- 1) | lastMask
            let from = min(position, lastWord)
            let shifted =
                start.loadUnaligned(fromByteOffset: from, as: UInt64.self)
                &>> UInt64(truncatingIfNeeded: (position &- from) &* 8)
            let first = shifted & firstMask
            let last = start.loadUnaligned(fromByteOffset: max(end, 8) &- 8, as: UInt64.self) & lastMask
            let place = UInt32(truncatingIfNeeded: Self.hash(first, last) &>> UInt64(slot.shift)) & slot.mask
            let children = self.slot(at: slot.children)
            let candidate = Slot(address: children.address + Int(place))
            let difference =
                (candidate.first ^ first) | (candidate.last ^ last)
                | UInt64(truncatingIfNeeded: Int(candidate.length) ^ length)
            if difference == 0 && length <= 16 {
                slot = candidate
            } else if difference == 0 || candidate.flags & Flag.moved != 0,
                let found = probe(slot, place, first, last, start + position, length)
            {
                slot = found
            } else if slot.flags & Flag.parameter != 0 {
                if length <= 0 || captureCount >= Limits.idsPerRoute {
                    return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0)
                }
                Self.store(captures + captureCount, position, length, children.identity)
                captureCount &+= 1
                slot = children
            } else {
                if slot.flags & Flag.branches == 0 { return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0) }
                guard
                    let next = branch(
                        children.firstBranch, start, position, &end, count, captures, &captureCount)
                else { return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0) }
                slot = next
            }
            if end == count { break }
            position = end &+ 1
        }
        return WalkEnd(
            outcome: slot.hanging != 0 ? .found : .nothing, slot: slot, captureCount: captureCount)
    }

    @inline(__always)
    static func store(_ capture: UnsafeMutablePointer<Capture>, _ offset: Int, _ length: Int, _ identity: UInt64) {
        let raw = UnsafeMutableRawPointer(capture)
        raw.storeBytes(
            of: UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32, as: UInt64.self)
        raw.storeBytes(of: identity, toByteOffset: 8, as: UInt64.self)
    }

    // MARK: - Separators

    private struct Scan {
        var slashes: UInt64
        var special: UInt64
    }

    /// The slashes of the first 64 bytes, as bits, and whether some byte is special.
    @inline(__always)
    private static func scan(_ start: UnsafeRawPointer, _ count: Int) -> Scan {
        if count < 16 {
            let low = start.loadUnaligned(as: UInt64.self)
            // Bytes 8 to 15: none for a path of up to eight bytes.
            let high =
                count <= 8
                ? 0
                : start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
                    &>> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
            let found = csystem_scan_words(low, high)
            return Scan(slashes: found & 0xFFFF, special: found &>> 32)
        }
        return scan64(start, min(count, 64))
    }

    /// Of 16 to 64 bytes.  Blocks overlap at the end: the same bits are set twice.
    @inline(__always)
    private static func scan64(_ start: UnsafeRawPointer, _ count: Int) -> Scan {
        let last = count &- 16
        var result = block(start, 0)
        add(block(start, min(16, last)), &result)
        if count > 32 {
            add(block(start, min(32, last)), &result)
            add(block(start, last), &result)
        }
        return result
    }

    @inline(__always)
    private static func add(_ other: Scan, _ result: inout Scan) {
        result.slashes |= other.slashes
        result.special |= other.special
    }

    @inline(__always)
    private static func block(_ start: UnsafeRawPointer, _ offset: Int) -> Scan {
        let found = csystem_scan(start + offset)
        return Scan(slashes: (found & 0xFFFF) &<< UInt64(truncatingIfNeeded: offset), special: found &>> 32)
    }

    /// The next chunk of a path over 64 bytes that has a slash, or the last one.
    @inline(never)
    private static func rescan(_ start: UnsafeRawPointer, _ count: Int, _ chunk: inout Int) -> Scan {
        var result = Scan(slashes: 0, special: 0)
        while result.slashes == 0 && result.special == 0 && count &- chunk > 64 {
            // The last chunk ends with the path; what was seen already is cleared.
            let next = min(chunk &+ 64, count &- 64)
            let seen = UInt64(truncatingIfNeeded: chunk &+ 64 &- next)
            chunk = next
            result = scan64(start + next, 64)
            result.slashes &= seen >= 64 ? 0 : UInt64.max &<< seen
        }
        return result
    }

    // MARK: - Rare

    /// A literal over 16 bytes, or one that had to move.
    @inline(never)
    func probe(
        _ slot: Slot, _ place: UInt32, _ first: UInt64, _ last: UInt64, _ segment: UnsafeRawPointer, _ length: Int
    ) -> Slot? {
        let mask = slot.mask
        let children = slots + Int(slot.children)
        var place = place
        var left = mask / UInt32(Self.slotBytes) &+ 1
        while left > 0 {
            let candidate = Slot(address: children + Int(place))
            if Int(candidate.length) == length && candidate.first == first && candidate.last == last {
                if length <= 16 || isLongKey(candidate, segment, length) { return candidate }
            }
            place = (place &+ UInt32(Self.slotBytes)) & mask
            left &-= 1
        }
        return nil
    }

    private func isLongKey(_ slot: Slot, _ segment: UnsafeRawPointer, _ length: Int) -> Bool {
        guard let key = longKey(of: slot, length) else { return false }
        return key.elementsEqual(UnsafeRawBufferPointer(start: segment, count: length))
    }

    func longText(of slot: Slot, _ length: Int) -> Bytes { longKey(of: slot, length).map { Bytes($0) } ?? Bytes() }

    private func longKey(of slot: Slot, _ length: Int) -> UnsafeRawBufferPointer? {
        let offset = self.offset(of: slot)
        var low = 0
        var high = longKeys.count
        while low < high {
            let middle = (low &+ high) / 2
            if longKeys[middle].slot < offset { low = middle &+ 1 } else { high = middle }
        }
        guard low < longKeys.count, longKeys[low].slot == offset else { return nil }
        return UnsafeRawBufferPointer(start: pool + Int(longKeys[low].start), count: length)
    }

    /// The first branch that fits the segment.  A catch-all moves `end` to the end of the path.
    @inline(never)
    private func branch(
        _ firstBranch: Int, _ path: UnsafeRawPointer, _ position: Int, _ end: inout Int, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ captureCount: inout Int
    ) -> Slot? {
        let text = UnsafeRawBufferPointer(start: path, count: count)
        var index = firstBranch
        while true {
            let branch = branches[index]
            if let taken = take(branch, text, position, end, captures, &captureCount) {
                end = taken
                return slot(at: branch.slot)
            }
            if branch.isLast { return nil }
            index &+= 1
        }
    }
}
