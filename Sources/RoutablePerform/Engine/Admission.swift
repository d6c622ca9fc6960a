// Limits the number of transfers that run at the same time, in total and for each origin; first in, first out.

internal import CCurl
import RoutableCore

/// The queue of waiting transfers.  Used by the driving thread.
struct Admission<Waiting: AnyObject> {
    private struct Host {
        var prefix: [UInt8]
        var active = 0
        var queue = Queue<Waiting>()
        /// The number of transfers that ended in the queue since it was last cleaned; some of them may already have been removed.
        var gone = 0
        var isReady = false

        /// Cleans the queue if at least half of it may have ended, so that the amortized cost of each ended transfer is constant.
        /// Returns the number of removed transfers.
        @inline(never) mutating func forget(_ waits: (Waiting) -> Bool) -> Int {
            gone &+= 1
            if gone < 64 || gone &* 2 < queue.count { return 0 }
            gone = 0
            let count = queue.count
            queue.keep(waits)
            return count &- queue.count
        }
    }

    private let maximum: Int
    private let maximumPerHost: Int
    private(set) var active = 0
    private(set) var waiting = 0
    private var hosts: [Host] = []
    /// The hosts with a transfer that may begin, in order.
    private var ready = Queue<Int>()
    private var free: [Int] = []
    private var last = 0
    /// The index of the host of the transfer that `next` returned.
    private(set) var lastBegun = 0

    init(maximum: Int, maximumPerHost: Int) {
        self.maximum = maximum
        self.maximumPerHost = maximumPerHost
    }

    /// Appends a transfer to the queue of its origin.  Returns the index of the host, for `leave`.
    mutating func enter(_ transfer: Waiting, _ prefix: UnsafeRawBufferPointer) -> Int { enter(transfer, at: host(prefix)) }

    /// Like the function above, with a URL: most have the origin of the previous one, so that they need not be parsed.
    mutating func enter(_ transfer: Waiting, url: Text) -> Int {
        enter(transfer, at: isOfLast(url.buffer) ? last : host(Origin.prefix(of: url)))
    }

    private func isOfLast(_ url: UnsafeRawBufferPointer) -> Bool {
        guard hosts.indices.contains(last) else { return false }
        return hosts[last].prefix.withUnsafeBytes { prefix in
            guard let start = url.baseAddress, let known = prefix.baseAddress, url.count > prefix.count,
                ccurl_same(start, known, prefix.count) != 0
            else { return false }
            let next = url[prefix.count]
            return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") || next == UInt8(ascii: "#")
        }
    }

    private mutating func enter(_ transfer: Waiting, at index: Int) -> Int {
        hosts[index].queue.append(transfer)
        waiting &+= 1
        announce(index)
        return index
    }

    /// The next transfer; it is active from then on.
    mutating func next() -> Waiting? {
        while active < maximum, let index = ready.popFirst() {
            guard hosts.indices.contains(index) else { continue }
            hosts[index].isReady = false
            guard hosts[index].active < maximumPerHost, let transfer = hosts[index].queue.popFirst() else { continue }
            hosts[index].active &+= 1
            active &+= 1
            waiting &-= 1
            lastBegun = index
            announce(index)
            return transfer
        }
        return nil
    }

    /// Ends the activity of a transfer.
    mutating func leave(_ index: Int) {
        guard hosts.indices.contains(index), hosts[index].active > 0 else { return }
        hosts[index].active &-= 1
        active &-= 1
        announce(index)
        if hosts[index].active == 0, hosts[index].queue.isEmpty, hosts.count > 64 {
            // The entry is freed: otherwise there would be one for every origin that was ever used.
            hosts[index].prefix = []
            free.append(index)
        }
    }

    /// Called when a transfer has ended while it was in the queue.
    mutating func forget(_ index: Int, _ waits: (Waiting) -> Bool) {
        guard hosts.indices.contains(index) else { return }
        // proof: the index is in the range of the array.
        let count = hosts.withUnsafeMutableBufferPointer { $0[index].forget(waits) }
        waiting &-= count
    }

    private mutating func announce(_ index: Int) {
        guard !hosts[index].isReady, hosts[index].active < maximumPerHost, !hosts[index].queue.isEmpty else { return }
        hosts[index].isReady = true
        ready.append(index)
    }

    private mutating func host(_ prefix: UnsafeRawBufferPointer) -> Int {
        if hosts.indices.contains(last), prefix.elementsEqual(hosts[last].prefix) { return last }
        if let index = hosts.firstIndex(where: { prefix.elementsEqual($0.prefix) }) {
            last = index
        } else if let index = free.popLast() {
            hosts[index].prefix = Array(prefix)
            last = index
        } else {
            hosts.append(Host(prefix: Array(prefix)))
            last = hosts.count &- 1
        }
        return last
    }
}

/// A queue: first in, first out.
struct Queue<Element> {
    private var items: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count &- head }

    var first: Element? { head < items.count ? items[head] : nil }

    mutating func append(_ item: Element) { items.append(item) }

    /// Removes all other elements; the order does not change.
    mutating func keep(_ isKept: (Element) -> Bool) {
        var kept: [Element?] = []
        for item in items { if let item, isKept(item) { kept.append(item) } }  // elements that were popped are nil
        items = kept
        head = 0
    }

    mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let item = items[head]
        items[head] = nil
        head &+= 1
        if head == items.count {
            items.removeAll(keepingCapacity: head <= 4096)
            head = 0
        } else if head >= 1024 && head &* 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return item
    }
}
