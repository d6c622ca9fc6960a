// Finds property names by their bytes: sorted, compared eight bytes at a time, without hashing.
//
// The time of a lookup is the logarithm of the size of the table, for any names.

internal import CSystem
internal import RoutableCore

/// One name of a table, and the schema of the property.
struct NameSlot {
    /// The first and the last bytes: together with the length, they determine a name of up to 16 bytes.
    var head: UInt64
    var tail: UInt64
    /// The offset of the name in the pool.
    var offset: UInt32
    var length: UInt32
    /// The schema of the property; -1 if it is only required.
    var child: Int32 = -1
    /// The slot of the name that was declared next.
    var next: Int32 = 0
    /// 1 if the property is required.
    var required: Int32 = 0
}

/// The bytes of a name as numbers.
struct NameKey {
    let head: UInt64
    let tail: UInt64

    @_optimize(speed) @inline(__always)
    init(_ name: UnsafeRawPointer, _ length: Int) {
        // proof: each load is within the first `length` bytes.
        if length >= 8 {
            head = name.loadUnaligned(as: UInt64.self)
            tail = name.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        } else if length >= 4 {
            let low = UInt64(name.loadUnaligned(as: UInt32.self))
            head = low | UInt64(name.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)) << 32
            tail = 0
        } else if length > 0 {
            let first = UInt64(name.load(as: UInt8.self))
            let middle = UInt64(name.load(fromByteOffset: length >> 1, as: UInt8.self))
            head = first | middle << 8 | UInt64(name.load(fromByteOffset: length &- 1, as: UInt8.self)) << 16
            tail = 0
        } else {
            head = 0
            tail = 0
        }
    }
}

/// Sorted slots, and the pool of their names.
struct NameTable {
    let slots: UnsafePointer<NameSlot>
    let count: Int
    let pool: UnsafeRawPointer

    @_optimize(speed) @inline(__always)
    func matches(_ slot: Int, _ key: NameKey, _ name: UnsafeRawPointer, _ length: Int) -> Bool {
        let found = slots + slot
        return found.pointee.head == key.head && found.pointee.tail == key.tail
            && Int(found.pointee.length) == length
            && (length <= 16 || csystem_equal(pool + Int(found.pointee.offset), name, length) != 0)
    }

    /// The slot of a name, or -1.
    @_optimize(speed) @inline(never)
    func find(_ key: NameKey, _ name: UnsafeRawPointer, _ length: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) >> 1
            if Self.precedes(slots + middle, pool, key, name, length) { low = middle &+ 1 } else { high = middle }
        }
        return low < count && matches(low, key, name, length) ? low : -1
    }

    func find(_ name: UnsafeRawBufferPointer) -> Int {
        guard let start = name.baseAddress else { return -1 }
        return find(NameKey(start, name.count), start, name.count)
    }

    private static func precedes(
        _ slot: UnsafePointer<NameSlot>, _ pool: UnsafeRawPointer, _ key: NameKey, _ name: UnsafeRawPointer,
        _ length: Int
    ) -> Bool {
        if Int(slot.pointee.length) != length { return Int(slot.pointee.length) < length }
        if slot.pointee.head != key.head { return slot.pointee.head < key.head }
        if slot.pointee.tail != key.tail { return slot.pointee.tail < key.tail }
        return length > 16 && csystem_order(pool + Int(slot.pointee.offset), name, length) < 0
    }

    /// Sorts slots that are in declaration order, and links each to the one declared after it; returns the index of the
    /// first declared one.
    static func arrange(_ slots: inout [NameSlot], _ pool: UnsafeRawPointer) -> Int32 {
        for index in slots.indices { slots[index].next = Int32(truncatingIfNeeded: index) }
        slots = slots.ordered { left, right in
            let name = pool + Int(right.offset), length = Int(right.length)
            return withUnsafePointer(to: left) { precedes($0, pool, NameKey(name, length), name, length) }
        }
        var places = [Int32](repeating: 0, count: slots.count)
        for (place, slot) in slots.enumerated() { places[Int(slot.next)] = Int32(truncatingIfNeeded: place) }
        for index in slots.indices {
            let following = Int(slots[index].next) &+ 1
            slots[index].next = places[following < places.count ? following : 0]
        }
        return places.first ?? 0
    }
}
