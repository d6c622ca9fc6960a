// The walk that answers nearly every match: forward only, no stack, nothing allocated, nothing retained.
//
// It takes at each level the first edge that fits.  When that ends in an operation it is the answer, since
// the full search would have found the same path first.  When it ends in nothing, and the table has places
// where another edge could have been taken, the full search decides (`PathSearch`).
//
// The loop is there three times, from one source: for paths of up to 64 bytes, for those of two chunks of 64, and
// for all there is.  The first two know literals and plain parameters: no call is in them, so that what they have
// stays in registers.  Where they do not know on, the third goes on from the same place.
//
// Every load stays inside the caller's bytes: a word is loaded so that it ends with the segment, and shifted; near the
// start of the path from a copy of its first word.

internal import CSystem

/// Where a walk ended.
struct WalkEnd {
    enum Outcome {
        case found
        /// Nothing on the way taken.
        case nothing
        /// An escape, a query or a fragment, or too long: not for this walk.
        case special
        /// Not for the first loop.
        case unfinished
    }
    var outcome: Outcome
    var slot: Slot
    var captureCount: Int
}

extension MatchTable {
    /// Walks a path of 8 to 64 bytes that begins with a slash.
    ///
    /// - Parameter captures: room for `Limits.idsPerRoute`.
    @inline(__always)
    static func walk(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let found = csystem_scan(start, count)
        let root = Slot(address: table.pointee.slots)
        if found.others != 0 { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        // The first byte is the slash that the first segment stands behind.
        let place = Place(slot: root, slashes: found.slashes & ~1, chunk: 0, position: 1, captureCount: 0)
        return loop(table, start, count, captures, place, rest: 0, .short)
    }

    /// The longest path of two chunks.
    static let twoChunks = 128

    /// The same for 65 to 128 bytes; the second chunk ends with the path.
    @inline(never) @_optimize(speed)
    static func walkTwoChunks(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let found = csystem_scan(start, 64)
        let last = csystem_scan(start + (count &- 64), 64)
        let root = Slot(address: table.pointee.slots)
        if found.others | last.others != 0 { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        let place = Place(slot: root, slashes: found.slashes & ~1, chunk: 0, position: 1, captureCount: 0)
        // What the first chunk has is cleared.
        let rest = last.slashes & (UInt64.max &<< UInt64(truncatingIfNeeded: 128 &- count))
        return loop(table, start, count, captures, place, rest: rest, .twoChunks)
    }

    /// The same for paths that are shorter than a word, or longer than two chunks.
    @_optimize(speed)
    static func walkOdd(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let root = Slot(address: table.pointee.slots)
        // A long path may have more segments than the search goes down; it decides.
        if count >= 2 &* Limits.segmentsPerRoute { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        if count >= 8 { return walkWhole(table, start, count, captures, root) }
        // Into one word, so that the loads have their eight bytes.
        var word: UInt64 = 0
        var index = count
        while index > 0 {
            index &-= 1
            word = word &<< 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
        }
        return withUnsafeBytes(of: &word) { buffer in
            guard let start = buffer.baseAddress else { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
            return walkWhole(table, start, count, captures, root)
        }
    }

    @inline(__always)
    private static func walkWhole(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ root: Slot
    ) -> WalkEnd {
        let found = csystem_scan(start, min(max(count, 8), 64))
        var others = found.others
        var chunk = 64
        while chunk < count {
            // All of it: a catch-all takes what lies ahead.
            others |= csystem_scan(start + min(chunk, count &- 64), 64).others
            chunk &+= 64
        }
        if others != 0 { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        let place = Place(slot: root, slashes: found.slashes & ~1, chunk: 0, position: 1, captureCount: 0)
        return goOn(table, start, count, captures, place)
    }

    /// The third loop.
    @inline(never) @_optimize(speed)
    private static func goOn(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ place: Place
    ) -> WalkEnd {
        loop(table, start, count, captures, place, rest: 0, .whole)
    }

    /// Where a loop is.
    private struct Place {
        var slot: Slot
        /// Slashes that are still ahead, from `chunk` on.
        var slashes: UInt64
        var chunk: Int
        /// Where the segment begins.
        var position: Int
        var captureCount: Int
    }

    private enum Kind { case short, twoChunks, whole }

    /// `start` has at least eight bytes, of which `count` are the path's.
    ///
    /// - Parameter rest: slashes of the second chunk.
    @inline(__always)
    private static func loop(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ place: Place, rest: UInt64, _ kind: Kind
    ) -> WalkEnd {
        // Nothing is written behind its end: a check of that would cost as much as a segment.
        _withUnprotectedUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { room in
            let room = room.baseAddress ?? UnsafeMutableRawPointer(captures)
            csystem_pad_first_word(start, room)
            return loop(table, start, UnsafeRawPointer(room + 8), count, captures, place, rest: rest, kind)
        }
    }

    /// `padded` has the first word once more, with eight bytes before it, so that all words can be loaded by their ends.
    @inline(__always)
    private static func loop(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ padded: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ place: Place, rest: UInt64, _ kind: Kind
    ) -> WalkEnd {
        var slot = place.slot
        var slashes = place.slashes
        var chunk = place.chunk
        var position = place.position
        var capture = captures + place.captureCount
        var rest = rest
        while true {
            var end = count
            if kind == .twoChunks && slashes == 0 && rest != 0 {
                slashes = rest
                rest = 0
                chunk = count &- 64
            }
            if kind == .whole && slashes == 0 && count &- chunk > 64 {
                let found = nextChunk(start, count, chunk)
                chunk = found.start
                slashes = found.slashes
            }
            if slashes != 0 { end = chunk &+ slashes.trailingZeroBitCount }
            let length = end &- position
            // The first and the last eight bytes of the segment, or all of it and nothing.
            let tail = end &- 8
            let from = min(position, tail)
            let bytes = end < 8 ? padded : start
            // In two halves: the shift of an empty segment is 64.
            let half = UInt64(truncatingIfNeeded: (position &- from) &* 4)
            let first = (bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self) &>> half) &>> half
            let lastWord = bytes.loadUnaligned(fromByteOffset: tail, as: UInt64.self)
            let last = position > tail ? 0 : lastWord
            let children = slot.children
            let offset = UInt32(truncatingIfNeeded: hash(first, last) &>> UInt64(slot.shift)) & slot.mask
            let candidate = children.at(offset)
            if candidate.first == first && candidate.last == last && Int(candidate.length) == length {
                slot = candidate
            } else if _fastPath(
                // In 64 bytes there are no more than 32 captures of one byte and a slash.
                slot.flags & Flag.parameter != 0 && length > 0 && (kind == .short || capture < captures + Limits.idsPerRoute))
            {
                store(capture, position, length, children.identity)
                capture += 1
                slot = children
            } else if kind != .whole {
                if let found = table.pointee.probe(
                    slot, offset, first, last, UnsafeRawBufferPointer(start: start + position, count: length))
                {
                    slot = found
                } else if slot.flags & ~Flag.moved == 0 {
                    // Literals alone, and none of them is it.
                    return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0)
                } else {
                    let place = Place(
                        slot: slot, slashes: slashes, chunk: chunk, position: position, captureCount: Self.taken(captures, capture))
                    return goOn(table, start, count, captures, place)
                }
            } else {
                let step = table.pointee.step(
                    slot, offset, first, last, UnsafeRawBufferPointer(start: start, count: count), position, end, captures,
                    Self.taken(captures, capture))
                guard let found = step.slot else { return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0) }
                slot = found
                end = step.end
                capture = captures + step.captureCount
            }
            if end == count { break }
            slashes &= slashes &- 1
            position = end &+ 1
        }
        return WalkEnd(outcome: slot.hanging != 0 ? .found : .nothing, slot: slot, captureCount: Self.taken(captures, capture))
    }

    /// How many captures are before one: never less than none.
    @inline(__always)
    private static func taken(_ captures: UnsafeMutablePointer<Capture>, _ capture: UnsafeMutablePointer<Capture>) -> Int {
        Int(bitPattern: (UInt(bitPattern: capture) &- UInt(bitPattern: captures)) / UInt(MemoryLayout<Capture>.stride))
    }

    @inline(__always)
    static func store(_ capture: UnsafeMutablePointer<Capture>, _ offset: Int, _ length: Int, _ identity: UInt64) {
        let raw = UnsafeMutableRawPointer(capture)
        raw.storeBytes(
            of: UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32, as: UInt64.self)
        raw.storeBytes(of: identity, toByteOffset: 8, as: UInt64.self)
    }

    // MARK: - Separators

    private struct Chunk {
        var start: Int
        var slashes: UInt64
    }

    /// The next chunk of a path over 64 bytes that has a slash, or the last one.
    @inline(never) @_optimize(speed)
    private static func nextChunk(_ start: UnsafeRawPointer, _ count: Int, _ chunk: Int) -> Chunk {
        var result = Chunk(start: chunk, slashes: 0)
        while result.slashes == 0 && count &- result.start > 64 {
            // The last chunk ends with the path; what was seen already is cleared.
            let next = min(result.start &+ 64, count &- 64)
            let seen = UInt64(truncatingIfNeeded: result.start &+ 64 &- next)
            let found = csystem_scan(start + next, 64)
            result = Chunk(start: next, slashes: found.slashes & (seen >= 64 ? 0 : UInt64.max &<< seen))
        }
        return result
    }
}
