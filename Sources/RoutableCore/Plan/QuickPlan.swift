// The usual case of writing a URL: texts for plain parameters and integers, in whole segments, with room to
// spare.  It is a few copies and one table lookup per byte, and touches no object.
//
// Whatever is not usual (an empty text, a dot segment, a value with a condition, bytes that are not UTF-8, a
// small buffer) is left to the general way, which writes the same bytes or explains the refusal.

/// A plan as literals with values between them, in plain memory.
struct QuickPlan: @unchecked Sendable {
    /// What stands before a value, and which values it takes.
    private struct Piece {
        var offset: UInt32
        var count: UInt32
        var takesText: Bool
        var takesIntegers: Bool
        /// A dot segment and no text at all are refused: in a path.
        var isSegment: Bool
    }

    // Owned by the plan: made in `init`, freed by `deallocate`, never changed in between.
    private let pieces: UnsafeBufferPointer<Piece>
    private let pool: UnsafePointer<UInt8>
    private let poolCount: Int
    private let idCount: Int
    /// Declared query parameters.
    private let queryCount: Int
    /// None of them has to be there, and none has a default.
    private let isQueryOptional: Bool

    /// Bytes that copies of 16 may store, and read, behind the last one that counts.
    private static let slack = 32
    /// Bytes of the longest integer.
    private static let integerBytes = 20

    /// Nil for plans that are not usual as such.
    init?(
        _ base: Base?, _ operation: OperationEntry, _ ids: [Plan.IdSlot], _ steps: UnsafeBufferPointer<Plan.Step>,
        _ literals: UnsafeBufferPointer<UInt8>, _ queryNames: UnsafeBufferPointer<Plan.QueryName>
    ) {
        guard let base, !operation.hasEncodedQuery else { return nil }
        var pieces: [Piece] = []
        var pool = base.prefix.storage
        var start = 0
        func add(_ isPlain: Bool, _ scalar: Scalar, isSegment: Bool) {
            pieces.append(
                Piece(
                    offset: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: pool.count &- start),
                    takesText: isPlain, takesIntegers: isPlain || scalar.takesEveryInteger, isSegment: isSegment))
            start = pool.count
        }
        for step in steps {
            switch step.kind {
            case .literal:
                let from = Int(step.offset)
                pool.append(contentsOf: literals[from..<(from &+ Int(step.count))])
            case .segment:
                let slot = ids[Int(step.slot)]
                add(slot.isPlain, slot.parameter.description.scalar, isSegment: true)
            case .piece, .catchAll, .endOfPieces: return nil
            }
        }
        // The end of the path, and the query that the base brings.
        if !base.query.isEmpty {
            pool.append(UInt8(ascii: "?"))
            pool.append(contentsOf: base.query.storage)
        }
        let end = Piece(
            offset: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: pool.count &- start),
            takesText: false, takesIntegers: false, isSegment: false)
        idCount = pieces.count
        var separator = UInt8(ascii: base.query.isEmpty ? "?" : "&")
        for (index, name) in queryNames.enumerated() {
            pool.append(separator)
            separator = UInt8(ascii: "&")
            let from = Int(name.offset)
            pool.append(contentsOf: literals[from..<(from &+ Int(name.count))])
            add(name.isPlain, operation.query[index].description.scalar, isSegment: false)
        }
        queryCount = queryNames.count
        isQueryOptional = queryNames.allSatisfy { !$0.isRequired && $0.defaultCount == 0 }
        // Without any query values the path's end follows the ids.
        pieces.append(end)
        let storage = UnsafeMutableBufferPointer<Piece>.allocate(capacity: pieces.count)
        _ = storage.initialize(from: pieces)
        self.pieces = UnsafeBufferPointer(storage)
        poolCount = pool.count
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: pool.count &+ Self.slack)
        bytes.initialize(repeating: 0, count: pool.count &+ Self.slack)
        for (index, byte) in pool.enumerated() { bytes[index] = byte }
        self.pool = UnsafePointer(bytes)
    }

    func deallocate() {
        pieces.deallocate()
        pool.deallocate()
    }

    /// Writes the URL and a NUL; returns its length, or -1 when the general way has to.
    @_optimize(speed)
    func write(
        _ ids: UnsafePointer<ValueView>?, _ idCount: Int, _ query: UnsafePointer<ValueView>?, _ queryCount: Int,
        _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int {
        guard idCount == self.idCount, queryCount == self.queryCount || queryCount == 0 && isQueryOptional else { return -1 }
        // What values may take: the literals have their room, and so has what is stored behind the end.
        var left = capacity &- poolCount &- Self.slack
        guard left >= 0 else { return -1 }
        var next = UnsafeMutableRawPointer(buffer)
        if !write(ids, pieces.startIndex, idCount, &next, &left) { return -1 }
        if queryCount > 0 {
            if !write(query, idCount, queryCount, &next, &left) { return -1 }
        } else {
            next = copy(pieces[pieces.count &- 1], to: next)
        }
        next.storeBytes(of: 0, as: UInt8.self)
        return next - UnsafeMutableRawPointer(buffer)
    }

    @inline(__always)
    private func write(
        _ views: UnsafePointer<ValueView>?, _ first: Int, _ count: Int, _ next: inout UnsafeMutableRawPointer,
        _ left: inout Int
    ) -> Bool {
        guard count > 0 else { return true }
        guard let views else { return false }
        let table = PercentCoding.unreserved
        var index = 0
        while index < count {
            let piece = pieces[first &+ index]
            next = copy(piece, to: next)
            let view = (views + index).pointee
            index &+= 1
            let start = next
            if view.kind == ValueView.Kind.text && piece.takesText {
                guard let text = UnsafeRawPointer(bitPattern: UInt(view.first)), view.second <= UInt64(left) else { return false }
                let length = Int(truncatingIfNeeded: view.second)
                guard length &* 3 <= left else { return false }
                if length < 3 && piece.isSegment && Self.isShort(text, length) { return false }
                var seen: UInt8 = 0
                var offset = 0
                while offset < length {
                    let byte = text.load(fromByteOffset: offset, as: UInt8.self)
                    let entry = table[Int(byte)]
                    next.storeBytes(of: entry, as: UInt32.self)
                    next += Int(entry &>> 24)
                    seen |= byte
                    offset &+= 1
                }
                if seen >= 0x80 && !UTF8Check.isValid(UnsafeRawBufferPointer(start: text, count: length)) { return false }
            } else {
                guard view.kind == ValueView.Kind.integer, piece.takesIntegers, left >= Self.integerBytes else { return false }
                next = UnsafeMutableRawPointer(Plan.writeDecimal(view.integer, to: next.assumingMemoryBound(to: UInt8.self)))
            }
            left &-= next - start
        }
        return true
    }

    /// No text, or one or two dots.
    @inline(__always)
    private static func isShort(_ text: UnsafeRawPointer, _ length: Int) -> Bool {
        if length == 0 { return true }
        let dot = UInt8(ascii: ".")
        return text.load(as: UInt8.self) == dot && (length == 1 || text.load(fromByteOffset: 1, as: UInt8.self) == dot)
    }

    /// 16 bytes at a time: both sides have room for that behind their end.
    @inline(__always)
    private func copy(_ piece: Piece, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let source = UnsafeRawPointer(pool + Int(piece.offset))
        let count = Int(piece.count)
        var offset = 0
        while offset < count {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self), toByteOffset: offset,
                as: SIMD2<UInt64>.self)
            offset &+= 16
        }
        return target + count
    }
}
