// The walk that handles nearly every match: forward only, without a stack, an allocation or a retain.
//
// At each level it follows the first edge that matches.  If it ends at an operation, that is the result, because
// the full search would have found the same path first.  If it finds nothing, and the table has states in which another
// edge could have been followed, the full search decides (`PathSearch`).
//
// The loop is compiled three times, from one source: for paths of up to 63 bytes, for paths of up to 127, and for all
// paths.  The first two handle only literals and plain parameters: they contain no call, so that their variables stay in
// registers.  For all other cases, the third one continues from the same position.
//
// A bit for each slash, and in the first two loops one for the end of the path, marks the ends of the segments.  Every load
// stays within the caller's bytes: the word at the start of a segment is loaded at most from the last offset that has
// eight bytes after it, shifted, and masked.

internal import CSystem

/// The result of a walk.
struct WalkEnd {
    enum Ending {
        case found
        /// No edge matched, or the walk ended at a state without an operation.
        case nothing
        /// The path has an escape, a query or a fragment, or is too long for this walk.
        case special
    }
    var outcome: Ending
    var slot: Slot
    var captureCount: Int
}

extension MatchTable {
    /// Walks a path of up to 63 bytes that begins with a slash; eight bytes must be readable.
    ///
    /// - Parameter captures: memory for `Limits.idsPerRoute` captures.
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

    /// The longest path of one chunk and of two chunks, with one bit for its end.
    static let oneChunk = 63
    static let twoChunks = 127

    /// The same for 64 to 127 bytes; the second chunk is the last 64 bytes of the path.
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
        // The slashes of the first chunk are shifted out: all 64 bits if the second chunk adds no bytes.
        let rest = (last.slashes &>> 1) &>> UInt64(truncatingIfNeeded: 127 &- count)
        return loop(table, start, count, captures, place(root, found.slashes), rest: rest | endBit(count &- 64), .twoChunks)
    }

    /// The same for 2 to 7 bytes: from a word on the stack, so that loads of eight bytes are valid.
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
        // A long path may have more segments than the maximum depth of the search, which then decides.
        if count >= 2 &* Limits.segmentsPerRoute { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        let found = csystem_scan(start, 64)
        var others = found.others
        var chunk = 64
        while chunk < count {
            // The whole path is scanned, because a catch-all matches the rest of it.
            others |= csystem_scan(start + min(chunk, count &- 64), 64).others
            chunk &+= 64
        }
        if others != 0 && hasOther(start, count) { return WalkEnd(outcome: .special, slot: root, captureCount: 0) }
        return goOn(table, start, count, captures, place(root, found.slashes))
    }

    /// Whether the path has a '%', a '?' or a '#': the scan also reports '!' and '\''.
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

    /// The position after the first byte, which is the slash before the first segment.
    @inline(__always)
    private static func place(_ root: Slot, _ slashes: UInt64) -> Place {
        Place(slot: root, ends: slashes & ~1, chunk: 0, position: 1, captureCount: 0)
    }

    /// Continues with the third loop.
    @inline(never) @_optimize(speed)
    private static func goOn(
        _ table: UnsafePointer<MatchTable>, _ start: UnsafeRawPointer, _ count: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ place: Place
    ) -> WalkEnd {
        loop(table, start, count, captures, place, rest: 0, .whole)
    }

    /// The position of a loop.
    private struct Place {
        var slot: Slot
        /// The ends of the segments that follow, from `chunk` on.
        var ends: UInt64
        var chunk: Int
        /// The offset of the current segment.
        var position: Int
        var captureCount: Int
    }

    private enum Kind { case short, twoChunks, whole }

    /// `start` points to at least eight bytes; the first `count` are the path.
    ///
    /// - Parameter rest: the ends in the second chunk; not 0 in the loop for two chunks.
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
        // The last offset from which eight bytes can be loaded.
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
            // The first and the last eight bytes of the segment; for a shorter one, the whole segment and 0.
            let masks = csystem_masks(length)
            let from = min(position, limit)
            let word = start.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            // The shift of an empty segment may be 64; then the mask is 0.
            let first = word &>> UInt64(truncatingIfNeeded: (position &- from) &* 8) & masks.first
            let last = start.loadUnaligned(fromByteOffset: max(end &- 8, 0), as: UInt64.self) & masks.last
            let children = slot.children
            let offset = UInt32(truncatingIfNeeded: hash(first, last) &>> UInt64(slot.shift)) & slot.mask
            let candidate = children.at(offset)
            // In paths of up to two chunks, a length has no more bits than the field of the slot.
            let isLength =
                kind == .whole ? Int(candidate.length) == length : candidate.length == UInt16(truncatingIfNeeded: length)
            if candidate.first == first && candidate.last == last && isLength {
                slot = candidate
            } else if _fastPath(
                // One chunk has at most 32 captures, of one byte and a slash each.
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
                    // The state has only literals, and none of them matches.
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

    /// The number of captures before a pointer.  Unsigned, because it is never negative.
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

    /// The next chunk of a path over 64 bytes that contains a slash, or the last chunk.
    @inline(never) @_optimize(speed)
    private static func nextChunk(_ start: UnsafeRawPointer, _ count: Int, _ chunk: Int) -> Chunk {
        var result = Chunk(start: chunk, slashes: 0)
        while result.slashes == 0 && count &- result.start > 64 {
            // The last chunk ends at the end of the path; the bits of bytes that were already scanned are cleared.
            let next = min(result.start &+ 64, count &- 64)
            let seen = UInt64(truncatingIfNeeded: result.start &+ 64 &- next)
            let found = csystem_scan(start + next, 64)
            result = Chunk(start: next, slashes: found.slashes & (seen >= 64 ? 0 : UInt64.max &<< seen))
        }
        return result
    }
}
