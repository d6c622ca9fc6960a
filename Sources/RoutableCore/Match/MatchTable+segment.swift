// Matches one segment with a branch: parameters with a condition, mixed segments, values of several segments.
//
// Captures are ranges of the original bytes.  Conditions apply to the decoded bytes; literals are compared in the spelling of
// `PathLiteral`, so that `/%75sers` and `/users` are one path, and `/a%3Ab` and `/a:b` are two.

extension MatchTable {
    /// Matches the segment from `start` to `end` with one branch and appends its captures.
    ///
    /// - Returns: the offset at which the walk continues: `end`, the end of the path for a catch-all, or nil if the
    ///   segment does not match; then no capture was appended.
    @inline(never) @_optimize(speed)
    func take(
        _ branch: Branch, _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ captureCount: inout Int, mergesSlashes: Bool = false
    ) -> Int? {
        guard end > start || branch.kind == .empty, captureCount < Limits.idsPerRoute else { return nil }
        let identity = slot(at: branch.slot).identity
        var stop = end
        switch branch.kind {
        case .plain: break
        case .empty: if end > start { return nil }
        case .constrained:
            guard accepts(Int(branch.detail), path, start, end) else { return nil }
        case .catchAll, .constrainedCatchAll:
            stop = path.count
            guard mergesSlashes || !hasEmptySegment(path, start) else { return nil }
            if branch.kind == .constrainedCatchAll {
                guard accepts(Int(branch.detail), path, start, stop) else { return nil }
            }
        case .mixed:
            return takeMixed(Int(branch.detail), identity, path, start, end, captures, &captureCount) ? end : nil
        }
        Self.store(captures + captureCount, start, stop &- start, identity)
        captureCount &+= 1
        return stop
    }

    private func hasEmptySegment(_ path: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var isAfterSlash = true
        var index = start
        while index < path.count {
            let isSlash = path[index] == UInt8(ascii: "/")
            if isSlash && isAfterSlash { return true }
            isAfterSlash = isSlash
            index &+= 1
        }
        return isAfterSlash
    }

    /// Whether a part of the path, once decoded, is a value of a scalar.
    func accepts(_ scalar: Int, _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        let text = path.part(start, end)
        if !text.contains(UInt8(ascii: "%")) { return checks[scalar].accepts(text, pool, ranges) }
        return Self.withDecoded(text) { checks[scalar].accepts($0, pool, ranges) }
    }

    /// Calls `body` with the decoded bytes of a part of a path; they are on the stack, unless they are many.
    ///
    /// - Parameter asLiteral: decodes to the spelling of `PathLiteral`, in which the escapes of delimiters remain.
    static func withDecoded<Result>(
        _ text: UnsafeRawBufferPointer, asLiteral: Bool = false, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if text.count > 1024 {
            let decoded = asLiteral ? PathLiteral.canonical(Bytes(text)) : PercentCoding.decode(text)
            return decoded.storage.withUnsafeBytes(body)
        }
        return withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
            var count = 0
            var index = 0
            while index < text.count {
                let (byte, width) = PercentCoding.decodedByte(text, index, text.count)
                if asLiteral && width == 3 && PathLiteral.keepsEscape(byte) {
                    buffer[count] = UInt8(ascii: "%")
                    buffer[count &+ 1] = ASCII.hexDigit(byte >> 4)
                    buffer[count &+ 2] = ASCII.hexDigit(byte & 15)
                    count &+= 2
                } else {
                    buffer[count] = byte
                }
                count &+= 1
                index &+= width
            }
            return body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
        }
    }

    /// Matches a mixed segment: each literal at the leftmost offset that leaves each parameter at least one byte; the last literal ends the segment.
    @_optimize(speed)
    private func takeMixed(
        _ first: Int, _ identity: UInt64, _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int,
        _ captures: UnsafeMutablePointer<Capture>, _ captureCount: inout Int
    ) -> Bool {
        let before = captureCount
        var identity = identity
        var position = start
        var index = first
        var isFitting = true
        while isFitting {
            let piece = pieces[index]
            index &+= 1
            if !piece.isParameter {
                // Only the first literal: each other literal is matched together with the parameter before it.
                position = literalEnd(piece, path, position, end)
                isFitting = position >= 0
                if piece.isLast { break }
                continue
            }
            var stop = end
            var next = end
            let isFollowed = !piece.isLast
            if isFollowed {
                let literal = pieces[index]
                index &+= 1
                stop = find(literal, path, position, end)
                next = stop < 0 ? -1 : literalEnd(literal, path, stop, end)
                if next < 0 {
                    isFitting = false
                    break
                }
            }
            isFitting =
                stop > position && captureCount < Limits.idsPerRoute && accepts(Int(piece.scalar), path, position, stop)
            if !isFitting { break }
            Self.store(captures + captureCount, position, stop &- position, identity)
            captureCount &+= 1
            identity &+= 1 << 32
            position = next
            if piece.isLast || pieces[index &- 1].isLast { break }
        }
        if isFitting && position == end { return true }
        captureCount = before
        return false
    }

    /// The offset in the path at which a literal piece that begins at `start` ends, or -1 if it does not match.
    @_optimize(speed)
    private func literalEnd(_ piece: Piece, _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int {
        var index = start
        var offset = Int(piece.start)
        while offset < Int(piece.end) {
            guard index < end else { return -1 }
            let (byte, width) = PercentCoding.decodedByte(path, index, end)
            if width == 3 && PathLiteral.keepsEscape(byte) {
                // Only the same escape matches: the delimiter itself is a different text.
                guard offset &+ 2 < Int(piece.end), pool.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "%"),
                    pool.load(fromByteOffset: offset &+ 1, as: UInt8.self) == ASCII.hexDigit(byte >> 4),
                    pool.load(fromByteOffset: offset &+ 2, as: UInt8.self) == ASCII.hexDigit(byte & 15)
                else { return -1 }
                offset &+= 2
            } else if byte != pool.load(fromByteOffset: offset, as: UInt8.self) {
                return -1
            }
            index &+= width
            offset &+= 1
        }
        return index
    }

    /// The offset at which a literal piece begins: the leftmost one after at least one more byte, or for the last piece the one
    /// from which it ends the segment; -1 if there is none.
    @_optimize(speed)
    private func find(_ piece: Piece, _ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int {
        guard start < end else { return -1 }
        var index = start &+ PercentCoding.decodedByte(path, start, end).width
        var found = -1
        while index < end {
            let stop = literalEnd(piece, path, index, end)
            if stop >= 0 {
                if !piece.isLast { return index }
                if stop == end { found = index }
            }
            index &+= PercentCoding.decodedByte(path, index, end).width
        }
        return found
    }
}
