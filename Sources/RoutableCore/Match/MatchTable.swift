// The compiled router: all states in one block of memory that is never written after it is built.
//
// A slot of 32 bytes is an edge and the header of the state that it leads to, so that a level of the walk
// costs one dependent load:
//
//      0  8   first eight bytes of the literal, zero padded      | of a parameter: resource, parameter
//      8  8   last eight bytes of it, 0 for literals below eight | of branches: the first of them
//             above 16 bytes where it begins in the pool
//     16  2   length of the literal, with bit 15 above 16 bytes; 0xFFFF: none
//     18  1   shift of the hash of the state's children
//     19  1   flags
//     20  4   mask of that hash, as bytes
//     24  4   where the children begin, as bytes from this slot on
//     28  4   0; one more than the first of the operations that hang here; or beyond all these, the only one, by GET
//
// Children are found by a hash whose shift was searched when the table was made, so that in small states no
// two keys meet; in big ones, which have room, a key that has to move is in the next free slot.  A state with
// parameters keeps the first slot of its children for them.  Where most literals of a state lead to one parameter each,
// every other slot is kept for these (MatchTableBuilder.swift).  The keys come from the declaration, so that no peer
// can choose them to collide: the hash is not seeded.

struct MatchTable: @unchecked Sendable {
    static let slotBytes = 32
    static let noLength: UInt16 = 0xFFFF
    /// Set in the length of a literal that two words cannot hold: the second one says where it begins in the pool.
    static let longLength: UInt16 = 0x8000

    /// The flags of a slot.
    enum Flag {
        /// The state has one plain parameter, in the first slot of its children, and all its literals are short and
        /// where their hash says: what is not there is the parameter.
        static let parameter: UInt8 = 1
        /// The state has branches; the first slot of its children says where.
        static let branches: UInt8 = 2
        /// The state has one plain parameter, in the first slot of its children, and some literal is long or moved.
        static let probedParameter: UInt8 = 4
        static let anyParameter: UInt8 = parameter | probedParameter
        /// A key that hashes to this very slot is in another one.
        static let moved: UInt8 = 0x80
    }

    /// What an operation is found by at its node.  Small: a match reads one of as many as there are operations.
    struct Hanging {
        var operation: UInt32
        /// Flags in the lowest bits, the number of the method behind them.
        private let word: UInt32

        init(_ operation: Int, method: Int, flags: UInt32) {
            self.operation = UInt32(truncatingIfNeeded: operation)
            word = UInt32(truncatingIfNeeded: method) &<< 3 | flags
        }

        @inline(__always) var flags: UInt32 { word & 7 }
        /// Its place in `methods`.
        @inline(__always) var method: Int { Int(word &>> 3) }

        static let last: UInt32 = 1
        /// All captures are parameters of the operation, numbered from the left.
        static let renumber: UInt32 = 2
        /// The walk has to be traced to know whose ids the captures are.
        static let trace: UInt32 = 4
    }

    /// An edge that is not a literal, in a state that has several of them or one with a condition.
    struct Branch {
        enum Kind: UInt8 { case plain, constrained, mixed, catchAll, constrainedCatchAll, empty }
        var kind: Kind
        var isLast: Bool
        /// A value of several segments with more behind it: how far it goes, the full search finds out.
        var goesOn: Bool
        /// Index of the scalar, or of the first piece.
        var detail: UInt32
        /// Where its slot begins, as bytes.
        var slot: UInt32
    }

    /// A piece of a mixed segment: a literal in the pool, or a parameter.
    struct Piece {
        var start: UInt32
        var end: UInt32
        var scalar: UInt32
        var isParameter: Bool
        var isLast: Bool
    }

    // All owned by `Matcher`, which frees them; never written after it was made.
    let slots: UnsafeRawPointer
    let hangings: UnsafePointer<Hanging>
    let hangingCount: UInt32
    /// First eight bytes of each method, zero padded.
    let methods: UnsafePointer<UInt64>
    let branches: UnsafePointer<Branch>
    let pieces: UnsafePointer<Piece>
    let checks: UnsafePointer<ScalarCheck>
    /// Start and end in the pool of each value that a scalar lists.
    let ranges: UnsafePointer<UInt32>
    let pool: UnsafeRawPointer
    /// Whether a walk that ends in nothing may have passed by one that does not.
    let isAmbiguous: Bool
    /// Bytes of everything that a match reads.
    let byteCount: Int

    @inline(__always)
    static func hash(_ first: UInt64, _ last: UInt64) -> UInt64 {
        (first ^ (last &<< 29 | last &>> 35)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The hash of a whole literal, for those that share their first one: long names may differ in the middle only.
    @_optimize(speed)
    static func secondHash(_ first: UInt64, _ last: UInt64, _ text: UnsafeRawPointer, _ length: Int) -> UInt64 {
        var result = (first ^ UInt64(truncatingIfNeeded: length)) &* 0xBF58_476D_1CE4_E5B9
        result = (result ^ result >> 31 ^ last) &* 0x94D0_49BB_1331_11EB
        var at = 8
        while at < length &- 8 {
            result = (result ^ result >> 29 ^ text.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0xBF58_476D_1CE4_E5B9
            at &+= 8
        }
        return result ^ result >> 32
    }
}

/// One slot of the table.
struct Slot {
    let address: UnsafeRawPointer

    @inline(__always) var first: UInt64 { address.load(as: UInt64.self) }
    @inline(__always) var last: UInt64 { address.load(fromByteOffset: 8, as: UInt64.self) }
    @inline(__always) var length: UInt16 { address.load(fromByteOffset: 16, as: UInt16.self) }
    @inline(__always) var shift: UInt8 { address.load(fromByteOffset: 18, as: UInt8.self) }
    @inline(__always) var flags: UInt8 { address.load(fromByteOffset: 19, as: UInt8.self) }
    @inline(__always) var mask: UInt32 { address.load(fromByteOffset: 20, as: UInt32.self) }
    /// From one of the children to the next, where there are several: the lowest bit of the mask.
    @inline(__always) var stride: UInt32 { mask & (0 &- mask) }
    /// The first slot of the children.
    @inline(__always) var children: Slot { Slot(address: address + Int(address.load(fromByteOffset: 24, as: Int32.self))) }
    @inline(__always) var hanging: UInt32 { address.load(fromByteOffset: 28, as: UInt32.self) }
    @inline(__always) var identity: UInt64 { first }
    /// Bytes of the literal.
    var literalCount: Int { Int(length & ~MatchTable.longLength) }
    @inline(__always) var firstBranch: Int { Int(truncatingIfNeeded: last) }
    /// So many bytes behind this one.
    @inline(__always) func at(_ place: UInt32) -> Slot { Slot(address: address + Int(place)) }
}

extension MatchTable {
    /// The slot that begins at so many bytes.
    @inline(__always)
    func slot(at offset: UInt32) -> Slot { Slot(address: slots + Int(offset)) }

    @inline(__always)
    func offset(of slot: Slot) -> UInt32 { UInt32(truncatingIfNeeded: slot.address - slots) }

    /// The child for a literal, wherever it is: it may have more than 16 bytes, or had to move.  Nil when there is none.
    ///
    /// - Parameters:
    ///   - place: where the hash puts the literal among the children, as bytes.
    ///   - first: the first eight bytes of the segment, zero padded; `last` the last eight, or zero.
    @inline(never) @_optimize(speed)
    static func probe(
        _ slot: Slot, _ place: UInt32, _ first: UInt64, _ last: UInt64, _ text: UnsafeRawBufferPointer,
        _ pool: UnsafeRawPointer
    ) -> Slot? {
        let length = text.count
        guard length <= Limits.literalBytes, let segment = text.baseAddress else { return nil }
        let children = slot.children
        var candidate = children.at(place)
        let hasMoved = candidate.flags & Flag.moved != 0
        // By its bytes: those of a slot are counted by it and its stride.
        var next: UInt32?
        while true {
            if candidate.first == first {
                if length > 16 {
                    if Int(candidate.length) == length | Int(longLength) && isText(segment, candidate, length, pool) {
                        return candidate
                    }
                } else if candidate.last == last && Int(candidate.length) == length {
                    return candidate
                }
            }
            if !hasMoved { return nil }
            let place = next ?? UInt32(truncatingIfNeeded: secondHash(first, last, segment, length)) & slot.mask
            candidate = children.at(place)
            // What moved is before the next free slot; the first one may be the parameter's, which has no length either.
            if candidate.length == noLength && place != 0 { return nil }
            next = (place &+ slot.stride) & slot.mask
        }
    }

    /// Whether a segment of more than 16 bytes, of which the first eight are, is the literal of a slot.
    @inline(__always)
    private static func isText(_ segment: UnsafeRawPointer, _ slot: Slot, _ length: Int, _ pool: UnsafeRawPointer) -> Bool {
        let text = pool + Int(truncatingIfNeeded: slot.last)
        let last = length &- 8
        var at = 8
        while at < last {
            if segment.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                != text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return segment.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == text.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }

    /// The number of the only operation of a node, where that is one by GET without flags; nil for other nodes.
    @inline(__always)
    func onlyGet(_ node: UInt32) -> UInt32? { node > hangingCount ? node &- hangingCount &- 1 : nil }

    @inline(__always) var root: Slot { Slot(address: slots) }
}
