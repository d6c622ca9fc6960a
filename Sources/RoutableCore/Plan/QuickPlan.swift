// Writes URLs in the usual case: strings without constraints and integers as whole segments, into a large buffer.  It copies
// bytes and uses no objects.
//
// Everything else (an empty text, a dot segment, a value with a condition, bytes that are not UTF-8, a
// small buffer) is left to Plan+write, which writes the same bytes or explains the refusal.

internal import CSystem

/// A plan as literals with values between them, in plain memory.
struct QuickPlan: @unchecked Sendable {
    /// The literal before a value, and which values are allowed.
    private typealias Piece = csystem_piece

    // Owned by the plan, with its pieces and their literals after it: made in `init`, freed by `deallocate`, never changed
    // in between.
    private let plan: UnsafePointer<csystem_plan>

    /// The bytes after the last valid one that copies may overwrite, and those that reads of 16 bytes may touch.
    private static let slack = Int(CSYSTEM_SLACK)
    /// The length of the longest integer.
    static let integerBytes = 20

    /// Nil for plans that are not the usual case.
    init?(
        _ base: Base?, _ operation: OperationEntry, _ ids: [Plan.IdSlot], _ steps: UnsafeBufferPointer<Plan.Step>,
        _ literals: UnsafeBufferPointer<UInt8>, _ queryNames: UnsafeBufferPointer<Plan.QueryName>
    ) {
        // With the base "/", Plan+write has more to check.
        guard let base, !base.prefix.isEmpty, !operation.hasEncodedValues else { return nil }
        var pieces: [Piece] = []
        var pool = base.prefix.storage
        var start = 0
        func add(_ flags: UInt16) {
            pieces.append(
                Piece(
                    offset: UInt32(truncatingIfNeeded: start), count: UInt16(truncatingIfNeeded: pool.count &- start),
                    flags: flags))
            start = pool.count
        }
        func kinds(_ isPlain: Bool, _ scalar: Scalar) -> UInt16 {
            isPlain ? Piece.text | Piece.integer : scalar.takesEveryInteger ? Piece.integer : 0
        }
        for step in steps {
            switch step.kind {
            case .literal:
                let from = Int(step.offset)
                pool.append(contentsOf: literals[from..<(from &+ Int(step.count))])
            case .segment:
                let slot = ids[Int(step.slot)]
                add(kinds(slot.isPlain, slot.parameter.description.scalar) | Piece.segment)
            case .piece, .catchAll, .endOfPieces: return nil
            }
        }
        let idCount = pieces.count
        if !base.query.isEmpty {
            pool.append(UInt8(ascii: "?"))
            pool.append(contentsOf: base.query.storage)
        }
        add(0)
        var requiredCount = 0
        for (index, name) in queryNames.enumerated() {
            pool.append(UInt8(ascii: "&"))
            let from = Int(name.offset)
            pool.append(contentsOf: literals[from..<(from &+ Int(name.count))])
            let isOptional = !name.isRequired && name.defaultCount == 0
            if !isOptional { requiredCount = index &+ 1 }
            add(kinds(name.isPlain, operation.query[index].description.scalar) | (isOptional ? Piece.optional : 0))
        }
        // Offsets and counts in their stored types.
        guard pool.count <= Int(UInt16.max) else { return nil }
        // One allocation: the plan, its pieces, the literals.
        let piecesStart = MemoryLayout<csystem_plan>.stride
        let poolStart = piecesStart &+ pieces.count &* MemoryLayout<Piece>.stride
        let count = poolStart &+ pool.count &+ Self.slack
        let block = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: MemoryLayout<csystem_plan>.alignment)
        block.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        for (index, piece) in pieces.enumerated() {
            block.storeBytes(of: piece, toByteOffset: piecesStart &+ index &* MemoryLayout<Piece>.stride, as: Piece.self)
        }
        for (index, byte) in pool.enumerated() { block.storeBytes(of: byte, toByteOffset: poolStart &+ index, as: UInt8.self) }
        let encoder = csystem_best_encoder()
        block.storeBytes(
            of: csystem_plan(
                write: csystem_writer_of(encoder), pool: (block + poolStart).assumingMemoryBound(to: UInt8.self),
                table: PercentCoding.unreserved, pool_count: UInt32(truncatingIfNeeded: pool.count),
                id_count: UInt32(truncatingIfNeeded: idCount), query_count: UInt32(truncatingIfNeeded: queryNames.count),
                required_count: UInt32(truncatingIfNeeded: requiredCount), encoder: encoder,
                separator: UInt8(ascii: base.query.isEmpty ? "?" : "&")),
            as: csystem_plan.self)
        plan = UnsafePointer(block.assumingMemoryBound(to: csystem_plan.self))
    }

    /// The space that `write` needs beside three bytes for each byte of a string, and the space for each integer.
    var fixedBytes: Int { Int(plan.pointee.pool_count) &+ Self.slack }

    func deallocate() { plan.deallocate() }

    /// Writes the URL and a NUL; returns its length, or -1 if Plan+write must write it.
    @inline(__always)
    func write(
        _ ids: UnsafePointer<ValueView>?, _ idCount: Int, _ query: UnsafePointer<ValueView>?, _ queryCount: Int,
        _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int {
        guard idCount == Int(plan.pointee.id_count) else { return -1 }
        let written = plan.pointee.write(plan, Self.raw(ids), Self.raw(query), queryCount, buffer, capacity)
        return written >= 0 ? Int(written) : writeOneByOne(ids, query, queryCount, buffer, capacity)
    }

    /// The same for values of all kinds.
    @inline(never) @_optimize(speed)
    private func writeOneByOne(
        _ ids: UnsafePointer<ValueView>?, _ query: UnsafePointer<ValueView>?, _ queryCount: Int,
        _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int
    ) -> Int {
        let idCount = Int(plan.pointee.id_count)
        guard queryCount <= Int(plan.pointee.query_count), queryCount >= Int(plan.pointee.required_count) else { return -1 }
        // The space for values: the literals and the bytes that copies overwrite are subtracted.
        var left = capacity &- fixedBytes
        guard left >= 0 else { return -1 }
        var next = UnsafeMutableRawPointer(buffer)
        var piece = UnsafeRawPointer(plan + 1).assumingMemoryBound(to: Piece.self)
        if idCount > 0 {
            guard var view = ids else { return -1 }
            let end = view + idCount
            repeat {
                next = copy(piece, to: next)
                guard let written = write(view, piece.pointee.flags, next, &left) else { return -1 }
                next = written
                piece += 1
                view += 1
            } while view != end
        }
        next = copy(piece, to: next)
        if queryCount > 0 {
            guard var view = query else { return -1 }
            let end = view + queryCount
            var separator = plan.pointee.separator
            repeat {
                piece += 1
                if view.pointee.kind == ValueView.Kind.null {
                    if piece.pointee.flags & Piece.optional == 0 { return -1 }
                } else {
                    let start = next
                    next = copy(piece, to: next)
                    start.storeBytes(of: separator, as: UInt8.self)
                    separator = UInt8(ascii: "&")
                    guard let written = write(view, piece.pointee.flags, next, &left) else { return -1 }
                    next = written
                }
                view += 1
            } while view != end
        }
        next.storeBytes(of: 0, as: UInt8.self)
        return next - UnsafeMutableRawPointer(buffer)
    }

    /// The views as the C interface has them: both have the layout of `routable_value`.
    @inline(__always)
    private static func raw(_ views: UnsafePointer<ValueView>?) -> UnsafePointer<csystem_view>? {
        views.map { UnsafeRawPointer($0).assumingMemoryBound(to: csystem_view.self) }
    }

    /// Writes one value; nil if Plan+write must write it.
    @inline(__always)
    private func write(
        _ view: UnsafePointer<ValueView>, _ flags: UInt16, _ next: UnsafeMutableRawPointer, _ left: inout Int
    ) -> UnsafeMutableRawPointer? {
        let kind = view.pointee.kind
        if kind == ValueView.Kind.text && flags & Piece.text != 0 {
            let length = view.pointee.second
            // At most three bytes for each byte; the bytes that the value does not use stay unused.
            guard length <= UInt64(UInt32.max), let text = UnsafePointer<UInt8>(bitPattern: UInt(view.pointee.first)) else {
                return nil
            }
            let count = Int(truncatingIfNeeded: length)
            left &-= count &* 3
            if left < 0 || count < 3 && flags & Piece.segment != 0 && Self.isShort(text, count) { return nil }
            if plan.pointee.encoder != CSYSTEM_ENCODES_BYTES {
                var isDoubtful: Int32 = 0
                let end = csystem_encode(
                    text, count, plan.pointee.table, next.assumingMemoryBound(to: UInt8.self), &isDoubtful)
                if isDoubtful != 0 && !Self.isValid(text, count) { return nil }
                return UnsafeMutableRawPointer(end)
            }
            // One table lookup for each byte: the bytes to store, and the number of them that count.
            var seen: UInt32 = 0
            var end = next
            var from = text
            let last = text + count
            while from != last {
                let byte = UInt32(from.pointee)
                let entry = plan.pointee.table[Int(byte)]
                end.storeBytes(of: entry, as: UInt32.self)
                end += Int(entry &>> 24)
                seen |= byte
                from += 1
            }
            if seen >= 0x80 && !Self.isValid(text, count) { return nil }
            return end
        }
        left &-= Self.integerBytes
        guard kind == ValueView.Kind.integer, flags & Piece.integer != 0, left >= 0 else { return nil }
        return Self.writeDecimal(view.pointee.integer, to: next)
    }

    // In separate functions, so that the loop around them stays small.
    @inline(never)
    private static func isValid(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        UTF8Check.isValid(UnsafeRawBufferPointer(start: text, count: count))
    }

    @inline(never)
    private static func writeDecimal(_ number: Int64, to next: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(Plan.writeDecimal(number, to: next.assumingMemoryBound(to: UInt8.self)))
    }

    /// An empty text, or one or two dots.
    @inline(__always)
    private static func isShort(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count == 0 { return true }
        return text[0] == UInt8(ascii: ".") && (count == 1 || text[1] == UInt8(ascii: "."))
    }

    /// 16 bytes at a time: source and destination have this much memory after their end.
    @inline(__always)
    private func copy(_ piece: UnsafePointer<Piece>, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let source = UnsafeRawPointer(plan.pointee.pool + Int(piece.pointee.offset))
        let count = Int(piece.pointee.count)
        var offset = 0
        repeat {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self), toByteOffset: offset,
                as: SIMD2<UInt64>.self)
            offset &+= 16
        } while offset < count
        return target + count
    }
}

extension csystem_piece {
    fileprivate static var text: UInt16 { 1 }
    fileprivate static var integer: UInt16 { 2 }
    /// In a path: a dot segment and an empty text are refused.
    fileprivate static var segment: UInt16 { 4 }
    /// May be absent: then nothing is written.
    fileprivate static var optional: UInt16 { 8 }
}
