// The timers of transfers, earliest first.

/// A binary heap of times and the transfers to wake at them.  Entries of ended transfers remain until they are half of the heap, so that
/// the cost of removing an entry is low and no entry remains for long.
struct Alarms {
    private struct Entry {
        var moment: Int64
        var transfer: SubmittedTransfer
    }

    private var heap: [Entry] = []
    private var forgotten = 0

    /// The earliest time; Int64.max if there is none.
    var next: Int64 { heap.first?.moment ?? .max }
    var count: Int { heap.count }

    mutating func add(_ transfer: SubmittedTransfer, at moment: Int64) {
        transfer.alarms &+= 1
        push(Entry(moment: moment, transfer: transfer))
    }

    /// Called when a transfer has ended.
    mutating func forget(_ transfer: SubmittedTransfer) {
        if transfer.alarms == 0 { return }
        forgotten &+= transfer.alarms
        transfer.alarms = 0
        if forgotten < 64 || forgotten &* 2 < heap.count { return }
        let entries = heap
        heap = []
        forgotten = 0
        for entry in entries where entry.transfer.alarms > 0 { push(entry) }
    }

    /// The next transfer whose time has come.
    mutating func pop(by now: Int64) -> SubmittedTransfer? {
        guard let first = heap.first, first.moment <= now, let last = heap.popLast() else { return nil }
        if first.transfer.alarms > 0 { first.transfer.alarms &-= 1 } else { forgotten = max(0, forgotten &- 1) }
        if heap.isEmpty { return first.transfer }
        heap[0] = last
        var parent = 0
        while true {
            var child = parent &* 2 &+ 1
            if child >= heap.count { break }
            if child &+ 1 < heap.count && heap[child &+ 1].moment < heap[child].moment { child &+= 1 }
            if heap[parent].moment <= heap[child].moment { break }
            heap.swapAt(parent, child)
            parent = child
        }
        return first.transfer
    }

    mutating func removeAll() {
        heap.removeAll()
        forgotten = 0
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count &- 1
        while child > 0 {
            let parent = (child &- 1) / 2
            if heap[parent].moment <= heap[child].moment { return }
            heap.swapAt(parent, child)
            child = parent
        }
    }
}
