// Finds constants by a hash: the values of a long `enum`, and the names that distinguish the schemas of oneOf and anyOf.
//
// A table is a range of the numbers `lookups` of a program: its mask, then its slots.  A slot is 0 if it is free, and otherwise the
// number of an entry, from 1.  The time of a search does not depend on the number of constants.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

enum ConstantTable {
    /// The maximum number of constants that are compared one after the other, without a table.
    static let few = 16

    /// Appends a free table for a number of entries; returns its place.
    static func append(_ count: Int, to lookups: inout [UInt32]) -> Int32 {
        let place = lookups.count
        let mask = 1 &<< (Int.bitWidth &- count.leadingZeroBitCount &+ 1) &- 1
        guard mask < 1 << 30, place < 1 << 30 else { return -1 }
        lookups.append(UInt32(mask))
        for _ in 0...mask { lookups.append(0) }
        return Int32(place)
    }

    /// A hash of a string, which depends on all of its bytes.
    @_optimize(speed) @inline(__always)
    static func hash(_ text: UnsafeRawPointer, _ length: Int) -> UInt64 {
        // proof: each load is within the first `length` bytes.
        var result = UInt64(UInt(bitPattern: length)) &* 0x9E37_79B9_7F4A_7C15
        var place = 0
        while length &- place > 16 {
            result = (result ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0xBF58_476D_1CE4_E5B9
            result ^= result >> 32
            place &+= 8
        }
        let key = NameKey(text + place, length &- place)
        result = (result ^ key.head) &* 0xBF58_476D_1CE4_E5B9
        result ^= result >> 32 ^ key.tail
        // Strings often differ only in their last bytes, which are the most significant ones of the word.
        result = (result ^ result >> 32) &* 0x94D0_49BB_1331_11EB
        result = (result ^ result >> 29) &* 0xBF58_476D_1CE4_E5B9
        return result ^ result >> 32
    }
}

extension SchemaConstant {
    /// Whether it is this string.
    @_optimize(speed) @inline(__always)
    func isText(_ text: UnsafeRawPointer, _ length: Int, _ pool: UnsafeRawPointer) -> Bool {
        guard kind == SchemaKinds.string.rawValue, Int(self.length) == length else { return false }
        return csystem_equal(pool + Int(offset), text, length) != 0
    }
}

extension SchemaProgram {
    /// Makes the tables of the long lists of constants.  A table in which the entries collide is not used.
    func indexConstants() {
        // proof: the compiler made the constants that an instruction refers to, and `init` a table for each long list.
        var check = SchemaCheck(self, steps: Int.max >> 2)
        for index in 0..<codeCount where code[index].operation == .oneOfConstants {
            let instruction = code + index
            let count = instruction.pointee.constantCount
            if count <= ConstantTable.few { continue }
            let first = constants + Int(instruction.pointee.a)
            let table = first.pointee.table
            if table < 0 { continue }
            var probes = 64 &* count
            for place in 0..<count where probes >= 0 {
                probes &-= check.insert(place, first, lookups + Int(table))
            }
            if probes < 0 || check.halt != .none { first.pointee.table = -1 }
        }
    }
}

extension SchemaCheck {
    /// Adds one of some constants to a table, unless the table contains an equal one; returns the number of slots that were read.
    fileprivate mutating func insert(
        _ place: Int, _ first: UnsafeMutablePointer<SchemaConstant>, _ table: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let constant = first + place
        let value = program.constant(constant)
        let text = UnsafeRawBufferPointer(start: pool + Int(constant.pointee.offset), count: Int(constant.pointee.length))
        let mask = Int(table.pointee)
        var slot = key(of: value, text) & mask
        var probes = 1
        while case let entry = Int(table[slot &+ 1]), entry != 0 {
            if equals(value, text, first + (entry &- 1)) { return probes }
            slot = (slot &+ 1) & mask
            probes &+= 1
        }
        table[slot &+ 1] = UInt32(truncatingIfNeeded: place &+ 1)
        return probes
    }

    /// The place of a value in a table.
    @_optimize(speed) @inline(__always)
    private mutating func key(of value: JSONView, _ text: UnsafeRawBufferPointer) -> Int {
        if value.bit == SchemaKinds.string.rawValue {
            guard let start = text.baseAddress, !text.isEmpty else { return 0 }
            return Int(truncatingIfNeeded: ConstantTable.hash(start, text.count))
        }
        return Int(truncatingIfNeeded: hash(value, 0))
    }

    /// Whether a value is equal to a constant; `text` is the value if it is a string.
    @_optimize(speed) @inline(__always)
    private mutating func equals(
        _ value: JSONView, _ text: UnsafeRawBufferPointer, _ constant: UnsafeMutablePointer<SchemaConstant>
    ) -> Bool {
        let bit = value.bit
        if constant.pointee.kind & bit == 0 { return false }
        if bit == SchemaKinds.string.rawValue {
            guard let start = text.baseAddress else { return constant.pointee.length == 0 }
            return constant.pointee.isText(start, text.count, pool)
        }
        if bit == SchemaKinds.integer.rawValue, constant.pointee.isWhole {
            return constant.pointee.head == UInt64(bitPattern: value.integer)
        }
        return isEqual(value, program.constant(constant), 0)
    }

    /// The index of the constant that is equal to a value; nil if there is none.
    @_optimize(speed) @inline(never)
    mutating func place(of value: JSONView, in instruction: UnsafeMutablePointer<SchemaInstruction>) -> Int? {
        // proof: the compiler made the constants and the table.
        guard instruction.pointee.kindsOfConstants & value.bit != 0 else { return nil }
        let first = constants + Int(instruction.pointee.a)
        let text =
            value.bit == SchemaKinds.string.rawValue ? self.text(of: value) : UnsafeRawBufferPointer(start: nil, count: 0)
        let table = first.pointee.table
        guard table >= 0 else {
            for index in 0..<instruction.pointee.constantCount {
                steps &-= 1
                if equals(value, text, first + index) { return index }
                if halt != .none { return nil }
            }
            return nil
        }
        let slots = lookups + Int(table)
        let mask = Int(slots.pointee)
        steps &-= text.count >> 3
        var slot = key(of: value, text) & mask
        while case let entry = Int(slots[slot &+ 1]), entry != 0 {
            steps &-= 1
            if steps < 0 { _ = stop(.steps) }
            if equals(value, text, first + (entry &- 1)) { return entry &- 1 }
            if halt != .none { return nil }
            slot = (slot &+ 1) & mask
        }
        return nil
    }
}
