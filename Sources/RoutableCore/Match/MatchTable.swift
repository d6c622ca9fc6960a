// The compiled router: all states in one block of memory that is not written after it is built.
//
// A slot of 32 bytes describes an edge and the header of the state that it leads to, so that a level of the walk
// costs one dependent load:
//
//      0  8   first eight bytes of the literal, zero padded      | of a parameter: resource, parameter
//      8  8   last eight bytes of it, 0 for literals below eight | of branches: the index of the first
//             above 16 bytes its offset in the pool
//     16  2   length of the literal, with bit 15 above 16 bytes; 0xFFFF: none
//     18  1   shift of the hash of the state's children
//     19  1   flags
//     20  4   mask of that hash, as bytes
//     24  4   offset of the children from this slot, in bytes
//     28  4   0; one more than the index of the first operation of the state; or, above all these, its only operation, with GET
//
// Children are found by a hash whose shift is selected when the table is built, so that small states have no
// collisions; in large states, which have spare slots, a displaced key is in the next free slot.  A state with
// parameters reserves the first slot of its children for them.  If most literals of a state lead to one parameter each,
// every second slot is reserved for these (MatchTableBuilder.swift).  The keys come from the declaration, so that no peer
// can choose keys that collide: the hash is not seeded.

struct MatchTable: @unchecked Sendable {
    static let slotBytes = 32
    static let noLength: UInt16 = 0xFFFF
    /// Set in the length of a literal of more than 16 bytes: the second word is its offset in the pool.
    static let longLength: UInt16 = 0x8000

    /// The flags of a slot.
    enum Flag {
        /// The state has one plain parameter, in the first slot of its children, and all its literals are short and
        /// in their hash slot: if the literal there differs, the parameter matches.
        static let parameter: UInt8 = 1
        /// The state has branches; the first slot of its children has the index of the first one.
        static let branches: UInt8 = 2
        /// The state has one plain parameter, in the first slot of its children, and some literals are long or displaced.
        static let probedParameter: UInt8 = 4
        static let anyParameter: UInt8 = parameter | probedParameter
        /// A key that hashes to this slot is in another one.
        static let moved: UInt8 = 0x80
    }

    /// An operation of a node, with its method.  Small, because there are as many as operations, and each match reads one.
    struct Hanging {
        var operation: UInt32
        /// The flags in the lowest bits, the index of the method in the others.
        private let word: UInt32

        init(_ operation: Int, method: Int, flags: UInt32) {
            self.operation = UInt32(truncatingIfNeeded: operation)
            word = UInt32(truncatingIfNeeded: method) &<< 3 | flags
        }

        @inline(__always) var flags: UInt32 { word & 7 }
        /// The index in `methods`.
        @inline(__always) var method: Int { Int(word &>> 3) }

        static let last: UInt32 = 1
        /// All captures are parameters of the operation, numbered from left to right.
        static let renumber: UInt32 = 2
        /// The walk must be traced to determine the resources of the captured ids.
        static let trace: UInt32 = 4
    }

    /// An edge that is not a literal, in a state that has several such edges or one with a condition.
    struct Branch {
        enum Kind: UInt8 { case plain, constrained, mixed, catchAll, constrainedCatchAll, empty }
        var kind: Kind
        var isLast: Bool
        /// A value of several segments that other segments follow: the full search determines its length.
        var goesOn: Bool
        /// The index of the scalar, or of the first piece.
        var detail: UInt32
        /// The offset of its slot, in bytes.
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

    // All of this memory is owned by `Matcher`, which frees it; it is not written after it was built.
    let slots: UnsafeRawPointer
    let hangings: UnsafePointer<Hanging>
    let hangingCount: UInt32
    /// The first eight bytes of each method, zero padded.
    let methods: UnsafePointer<UInt64>
    let branches: UnsafePointer<Branch>
    let pieces: UnsafePointer<Piece>
    let checks: UnsafePointer<ScalarCheck>
    /// The start and the end in the pool of each value that a scalar lists.
    let ranges: UnsafePointer<UInt32>
    let pool: UnsafeRawPointer
    /// Whether another edge may lead to an operation after a walk found none.
    let isAmbiguous: Bool
    /// The size in bytes of everything that a match reads.
    let byteCount: Int

    @inline(__always)
    static func hash(_ first: UInt64, _ last: UInt64) -> UInt64 {
        (first ^ (last &<< 29 | last &>> 35)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The hash of a whole literal, for literals with equal first hashes: long names may differ only in the middle.
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
    /// The distance between two children, if there are several: the lowest bit of the mask.
    @inline(__always) var stride: UInt32 { mask & (0 &- mask) }
    /// The first slot of the children.
    @inline(__always) var children: Slot { Slot(address: address + Int(address.load(fromByteOffset: 24, as: Int32.self))) }
    @inline(__always) var hanging: UInt32 { address.load(fromByteOffset: 28, as: UInt32.self) }
    @inline(__always) var identity: UInt64 { first }
    /// The length of the literal in bytes.
    var literalCount: Int { Int(length & ~MatchTable.longLength) }
    @inline(__always) var firstBranch: Int { Int(truncatingIfNeeded: last) }
    /// The slot at this distance in bytes.
    @inline(__always) func at(_ place: UInt32) -> Slot { Slot(address: address + Int(place)) }
}

extension MatchTable {
    /// The slot at this offset in bytes.
    @inline(__always)
    func slot(at offset: UInt32) -> Slot { Slot(address: slots + Int(offset)) }

    @inline(__always)
    func offset(of slot: Slot) -> UInt32 { UInt32(truncatingIfNeeded: slot.address - slots) }

    /// The child for a literal, also if it has more than 16 bytes or is displaced; nil if there is none.
    ///
    /// - Parameters:
    ///   - place: the offset among the children that the hash selects for the literal, in bytes.
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
        // The next offset, in bytes like the stride and the mask.
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
            // A displaced key is before the next free slot; the first slot may be that of the parameter, which has no length either.
            if candidate.length == noLength && place != 0 { return nil }
            next = (place &+ slot.stride) & slot.mask
        }
    }

    /// Whether a segment of more than 16 bytes, whose first eight bytes are equal, is the literal of a slot.
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

    /// The index of the operation of a node whose only operation is one with GET and without flags; nil for other nodes.
    @inline(__always)
    func onlyGet(_ node: UInt32) -> UInt32? { node > hangingCount ? node &- hangingCount &- 1 : nil }

    @inline(__always) var root: Slot { Slot(address: slots) }
}
