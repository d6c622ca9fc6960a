// Data that upper layers prepare once for an operation of a router, such as the way to read its usual requests; reading it takes no lock.

internal import CSystem

/// Prepared data of an operation.  Each layer stores its own subclass.
open class OperationNote: @unchecked Sendable {
    /// An earlier note of the same operation; set before this note is published.
    fileprivate var next: OperationNote?
    fileprivate var depth = 1

    package init() {}
}

/// The notes of all operations of a router.  Notes are only added.
package final class OperationNotes: @unchecked Sendable {
    private let lock: OpaquePointer
    /// The table of the first notes, allocated with the first note.  Read without the lock; changed with it.
    private let table: UnsafeMutablePointer<UnsafeRawPointer?>
    private var owned: UnsafeMutablePointer<UnsafeRawPointer?>?
    private let count: Int

    /// The maximum number of notes of an operation; further routes to it are not prepared.
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

    /// Finds a note, which exists as long as the router.
    @inline(__always)
    package func find(_ operation: UInt32, _ isIt: (OperationNote) -> Bool) -> Unmanaged<OperationNote>? {
        guard let places = csystem_load(table), Int(operation) < count else { return nil }
        // proof: the table has an entry for each operation.
        let place = places.assumingMemoryBound(to: UnsafeRawPointer?.self) + Int(operation)
        guard let first = csystem_load(place) else { return nil }
        var note = Unmanaged<OperationNote>.fromOpaque(first)
        while true {
            if note._withUnsafeGuaranteedRef(isIt) { return note }
            guard let next = note._withUnsafeGuaranteedRef({ $0.next.map { Unmanaged.passUnretained($0) } }) else { return nil }
            note = next
        }
    }

    /// Adds a note; if two threads add the same one, both are stored, and the last one is found.
    @inline(never)
    package func add(_ note: OperationNote, to operation: UInt32) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        guard Int(operation) < count, !Memory.hasFailed else { return }
        if owned == nil {
            guard Memory.has(count &* MemoryLayout<UnsafeRawPointer?>.stride) else { return }
            let places = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: count)
            places.initialize(repeating: nil, count: count)
            // Memory that exists as long as the router must not be part of the reserve.
            if Memory.hasFailed { return places.deallocate() }
            owned = places
            csystem_store(table, UnsafeRawPointer(places))
        }
        guard let places = owned else { return }
        if let first = places[Int(operation)] {
            let known = Unmanaged<OperationNote>.fromOpaque(first).takeUnretainedValue()
            if known.depth >= Self.maximumPerOperation { return }
            note.depth = known.depth &+ 1
            // The reference that the table owned is now owned by the note.
            note.next = Unmanaged<OperationNote>.fromOpaque(first).takeRetainedValue()
        }
        csystem_store(places + Int(operation), UnsafeRawPointer(Unmanaged.passRetained(note).toOpaque()))
    }
}
