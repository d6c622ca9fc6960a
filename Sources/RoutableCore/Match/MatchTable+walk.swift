// The walk that decides nearly every match: forward only, without a stack, an allocation or a retain.
//
// It takes at each level the first edge that fits.  When that ends in an operation it is the answer, since
// the full search would have found the same path first.  When it ends in nothing, and the table has places
// where another edge could have been taken, the full search decides (`PathSearch`).
//
// The loop is there three times, from one source: for paths of up to 63 bytes, for those of up to 127, and for all
// there is.  The first two know literals and plain parameters: no call is in them, so that what they have stays in
// registers.  Where they do not know on, the third goes on from the same place.
//
// A bit for each slash, and in the first two one for the end of the path, say where the segments end.  Every load stays
// inside the caller's bytes: the word at the start of a segment is loaded from no later than the last place that has
// eight bytes, shifted, and masked.

internal import CSystem

/// The end of a walk.
struct WalkEnd {
    enum Ending {
        case found
        /// Nothing on the way taken.
        case nothing
        /// An escape, a query or a fragment, or too long: not for this walk.
        case special
    }
    var outcome: Ending
    var slot: Slot
    var captureCount: Int
}

extension MatchTable {
    /// Walks a path of up to 63 bytes that begins with a slash; eight can be read.
    ///
    /// - Parameter captures: room for `Limits.idsPerRoute`.
    @inline(__always)
    static func walk(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let found = csystem_scan(start, max(count, 8))
        let root = Slot(address: table.pointee.slots)
        if found.others != 0 && hasOther(start, count) { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        return loop(table, start, count, captures, place(root, found.slashes | endBit(count)), rest: 0, .short)
    }

    /// The longest path of one chunk, and of two: with the bit for its end.
    static let oneChunk = 63
    static let twoChunks = 127

    /// The same for 64 to 127 bytes; the last 64 of them are looked through with the path's end.
    @inline(never) @_optimize(speed)
    static func walkTwoChunks(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let found = csystem_scan(start, 64)
        let last = csystem_scan(start + (count &- 64), 64)
        let root = Slot(address: table.pointee.slots)
        if found.others | last.others != 0 && hasOther(start, count) {
            return WalkEnd(outcome: .special, slot: root, captureCount: 0)
        }
        // What the first chunk has is shifted out: 64 bits of it when there is no more.
        let rest = (last.slashes &>> 1) &>> UInt64(truncatingIfNeeded: 127 &- count)
        return loop(table, start, count, captures, place(root, found.slashes), rest: rest | endBit(count &- 64), .twoChunks)
    }

    /// The same for 2 to 7 bytes: from a word of its own, so that the loads have their eight bytes.
    @inline(never) @_optimize(speed)
    static func walkShort(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        var word = csystem_word(start.assumingMemoryBound(to: UInt8.self), 0, count)
        return withUnsafePointer(to: &word) { walk(table, UnsafeRawPointer($0), count, captures) }
    }

    /// The same for more than two chunks.
    @_optimize(speed)
    static func walkLong(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>
    ) -> WalkEnd {
        let root = Slot(address: table.pointee.slots)
        // A long path may have more segments than the search goes down; it decides.
        if count >= 2 &* Limits.segmentsPerRoute { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        let found = csystem_scan(start, 64)
        var others = found.others
        var chunk = 64
        while chunk < count {
            // All of it: a catch-all takes what lies ahead.
            others |= csystem_scan(start + min(chunk, count &- 64), 64).others
            chunk &+= 64
        }
        if others != 0 && hasOther(start, count) { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        return goOn(table, start, count, captures, place(root, found.slashes))
    }

    /// Whether there is a '%', a '?' or a '#': the scan takes a '!' and a '\'' for one.
    @inline(never)
    private static func hasOther(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
        for byte in UnsafeRawBufferPointer(start: start, count: count)
        where byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
            return true
        }
        return false
    }

    @inline(__always)
    private static func endBit(_ count: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: count) }

    /// Behind the first byte, the slash that the first segment stands behind.
    @inline(__always)
    private static func place(_ root: Slot, _ slashes: UInt64) -> Place {
        Place(slot: root, ends: slashes & ~1, chunk: 0, position: 1, captureCount: 0)
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
        /// Where segments end that are still ahead, from `chunk` on.
        var ends: UInt64
        var chunk: Int
        /// Where the segment begins.
        var position: Int
        var captureCount: Int
    }

    private enum Kind { case short, twoChunks, whole }

    /// `start` has at least eight bytes, of which `count` are the path's.
    ///
    /// - Parameter rest: the ends of the second chunk, not 0 in the loop of two.
    @inline(__always)
    private static func loop(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ place: Place, rest: UInt64, _ kind: Kind
    ) -> WalkEnd {
        var slot = place.slot
        var ends = place.ends
        var chunk = place.chunk
        var position = place.position
        var capture = captures + place.captureCount
        var rest = rest
        // Where the last word begins.
        let limit = max(count, 8) &- 8
        walk: while true {
            var end = count
            switch kind {
            case .short:
                end = csystem_lowest_bit(ends)
            case .twoChunks:
                if ends == 0 {
                    ends = rest
                    rest = 0
                    chunk = 64
                }
                end = chunk &+ csystem_lowest_bit(ends)
            case .whole:
                if ends == 0 && count &- chunk > 64 {
                    let found = nextChunk(start, count, chunk)
                    chunk = found.start
                    ends = found.slashes
                }
                if ends != 0 { end = chunk &+ csystem_lowest_bit(ends) }
            }
            let length = end &- position
            // The first and the last eight bytes of the segment, or all of it and nothing.
            let masks = csystem_masks(length)
            let from = min(position, limit)
            let word = start.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            // The shift of an empty segment may be 64: then nothing is kept anyway.
            let first = word &>> UInt64(truncatingIfNeeded: (position &- from) &* 8) & masks.first
            let last = start.loadUnaligned(fromByteOffset: max(end &- 8, 0), as: UInt64.self) & masks.last
            let children = slot.children
            let offset = UInt32(truncatingIfNeeded: hash(first, last) &>> UInt64(slot.shift)) & slot.mask
            let candidate = children.at(offset)
            // The number of a length of up to two chunks has no more bits than a slot has for it.
            let isLength =
                kind == .whole ? Int(candidate.length) == length : candidate.length == UInt16(truncatingIfNeeded: length)
            if candidate.first == first && candidate.last == last && isLength {
                slot = candidate
            } else if _fastPath(
                // In one chunk there are no more than 32 captures of one byte and a slash.
                slot.flags & Flag.parameter != 0 && length > 0 && (kind == .short || capture < captures + Limits.idsPerRoute))
            {
                store(capture, position, length, children.identity)
                capture += 1
                slot = children
            } else if kind != .whole {
                if let found = probe(
                    slot, offset, first, last, UnsafeRawBufferPointer(start: start + position, count: length),
                    table.pointee.pool)
                {
                    slot = found
                } else if slot.flags & ~Flag.moved == 0 {
                    // Literals alone, and none of them is it.
                    return WalkEnd(outcome: .nothing, slot: slot, captureCount: 0)
                } else {
                    let place = Place(
                        slot: slot, ends: ends, chunk: chunk, position: position, captureCount: Self.taken(captures, capture))
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
            ends &= ends &- 1
            switch kind {
            case .short: if ends == 0 { break walk }
            case .twoChunks: if ends | rest == 0 { break walk }
            case .whole: if end == count { break walk }
            }
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
