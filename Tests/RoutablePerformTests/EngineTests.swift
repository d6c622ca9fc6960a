// The parts of the engine without a network: admission and timers.

import RoutableCore
import Testing

@testable import RoutablePerform

private final class Name {
    let text: String
    init(_ text: String) { self.text = text }
}

@Suite("So many at once in all, so many to one origin, first come first served")
struct AdmissionTests {
    private var admission = Admission<Name>(maximum: 3, maximumPerHost: 2)

    private mutating func enter(_ text: String, _ host: String) -> Int {
        Array(host.utf8).withUnsafeBytes { admission.enter(Name(text), $0) }
    }

    private mutating func all() -> [String] {
        var names: [String] = []
        while let next = admission.next() { names.append(next.text) }
        return names
    }

    @Test("turns")
    mutating func turns() {
        let a = enter("a1", "a")
        #expect(enter("a2", "a") == a && enter("a3", "a") == a)
        let b = enter("b1", "b")
        _ = enter("b2", "b")
        #expect(all() == ["a1", "b1", "a2"] && admission.waiting == 2)
        admission.leave(b)
        #expect(all() == ["b2"])
        admission.leave(a)
        #expect(all() == ["a3"] && admission.active == 3 && admission.waiting == 0)
        for host in [a, a, b] { admission.leave(host) }
        admission.leave(b)
        admission.leave(99)
        #expect(admission.active == 0 && all() == [])
    }

    @Test("who ends in the queue leaves nothing behind")
    mutating func forgotten() {
        for number in 0..<4 { _ = enter("\(number)", "a") }
        #expect(all() == ["0", "1"])
        var waits = Set(["2", "3"])
        var host = 0
        for number in 4..<10_000 {
            host = enter("\(number)", "a")
            if number % 1000 == 0 { waits.insert("\(number)") } else { admission.forget(host) { waits.contains($0.text) } }
            #expect(admission.waiting < 160, "after \(number)")
        }
        var kept: [String] = []
        for _ in 0..<200 {
            admission.leave(host)
            while let next = admission.next() {
                if waits.contains(next.text) { kept.append(next.text) } else { admission.leave(admission.lastBegun) }
            }
        }
        #expect(kept == ["2", "3"] + (4..<10_000).filter { $0 % 1000 == 0 }.map { "\($0)" })
        #expect(admission.waiting == 0 && admission.active == 0)
    }

    @Test("many origins leave nothing behind, and an order that random leaving keeps")
    mutating func many() {
        var random = SystemRandomNumberGenerator()
        var active: [Int] = []
        var entered = 0
        var begun = 0
        for step in 0..<20_000 {
            if Bool.random(using: &random) && entered < 10_000 {
                _ = enter("x", "host\(step % 500)")
                entered += 1
            } else if let index = active.indices.randomElement(using: &random) {
                admission.leave(active.remove(at: index))
            }
            while let next = admission.next() {
                #expect(next.text == "x")
                begun += 1
                active.append(admission.lastBegun)
            }
            #expect(admission.active == active.count && admission.active <= 3)
        }
        #expect(begun + admission.waiting == entered)
    }
}

@Suite("First in, first out")
struct QueueTests {
    @Test("many")
    func many() {
        var queue = Queue<Int>()
        var next = 0
        for value in 0..<10_000 {
            queue.append(value)
            if value % 3 == 0 {
                #expect(queue.popFirst() == next)
                next += 1
            }
        }
        while let value = queue.popFirst() {
            #expect(value == next)
            next += 1
        }
        #expect(next == 10_000 && queue.isEmpty && queue.count == 0)
    }
}

@Suite("What is to happen, soonest first")
struct AlarmTests {
    @Test("order")
    func order() {
        var alarms = Alarms()
        let transfers = (0..<500).map { _ in SubmittedTransfer(wantsCall: false) }
        for transfer in transfers {
            transfer.wakeAt = Int64.random(in: 0..<1000)
            alarms.add(transfer, at: transfer.wakeAt)
        }
        var last: Int64 = 0
        while alarms.next < 600, let transfer = alarms.pop(by: 599) {
            #expect(transfer.wakeAt >= last)
            last = transfer.wakeAt
        }
        #expect(alarms.pop(by: 599) == nil && alarms.next >= 600)
    }

    @Test("what is forgotten goes before its time")
    func forgotten() {
        var alarms = Alarms()
        for _ in 0..<100_000 {
            let transfer = SubmittedTransfer(wantsCall: false)
            alarms.add(transfer, at: 1_000_000)
            alarms.forget(transfer)
        }
        #expect(alarms.count < 200)
    }
}
