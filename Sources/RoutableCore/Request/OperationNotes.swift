// What the layers above prepare once for an operation of a router, such as how its usual requests are read: reading it takes no lock.

internal import CSystem

/// Something that was prepared for an operation.  Its subclass is what a layer keeps.
open class OperationNote: @unchecked Sendable {
    /// Of the same operation, added before; set before the note is published.
    fileprivate var next: OperationNote?
    fileprivate var depth = 1

    package init() {}
}

/// The notes of all operations of a router, which are only added.
package final class OperationNotes: @unchecked Sendable {
    private let lock: OpaquePointer
    /// The table of the first notes, allocated with the first note.  Read without the lock; changed with it.
    private let table: UnsafeMutablePointer<UnsafeRawPointer?>
    private var owned: UnsafeMutablePointer<UnsafeRawPointer?>?
    private let count: Int

    /// An operation that more routes lead to than this is prepared for the first ones.
    private static let maximumPerOperation = 8

    init(_ count: Int) {
        self.count = count
        lock = csystem_lock_new()
        table = .allocate(capacity: 1)
        table.initialize(to: nil)
    }

    deinit {
        if let owned {
            for index in 0..<count {
                if let first = owned[index] { Unmanaged<OperationNote>.fromOpaque(first).release() }
            }
            owned.deallocate()
        }
        table.deallocate()
        csystem_lock_free(lock)
    }

    /// Finds a note, which lives as long as the router.
    @inline(__always)
    package func find(_ operation: UInt32, _ isIt: (OperationNote) -> Bool) -> Unmanaged<OperationNote>? {
        guard let places = csystem_load(table), Int(operation) < count else { return nil }
        // proof: the table has a place for each operation.
        let place = places.assumingMemoryBound(to: UnsafeRawPointer?.self) + Int(operation)
        guard let first = csystem_load(place) else { return nil }
        var note = Unmanaged<OperationNote>.fromOpaque(first)
        while true {
            if note._withUnsafeGuaranteedRef(isIt) { return note }
            guard let next = note._withUnsafeGuaranteedRef({ $0.next.map { Unmanaged.passUnretained($0) } }) else { return nil }
            note = next
        }
    }

    /// Keeps a note; two threads that add the same one keep both, and find the last.
    @inline(never)
    package func add(_ note: OperationNote, to operation: UInt32) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        guard Int(operation) < count, !Memory.hasFailed else { return }
        if owned == nil {
            guard Memory.has(count &* MemoryLayout<UnsafeRawPointer?>.stride) else { return }
            let places = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: count)
            places.initialize(repeating: nil, count: count)
            // What lives as long as the router is not in the reserve.
            if Memory.hasFailed { return places.deallocate() }
            owned = places
            csystem_store(table, UnsafeRawPointer(places))
        }
        guard let places = owned else { return }
        if let first = places[Int(operation)] {
            let known = Unmanaged<OperationNote>.fromOpaque(first).takeUnretainedValue()
            if known.depth >= Self.maximumPerOperation { return }
            note.depth = known.depth &+ 1
            // The reference of the table passes to the note.
            note.next = Unmanaged<OperationNote>.fromOpaque(first).takeRetainedValue()
        }
        csystem_store(places + Int(operation), UnsafeRawPointer(Unmanaged.passRetained(note).toOpaque()))
    }
}
