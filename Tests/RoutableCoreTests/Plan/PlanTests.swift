// Plans write the same bytes in the quick case, in the general case, and into buffers of every size.

import TestSupport
import Testing

@testable import RoutableCore

@Suite("A plan")
struct PlanTests {
    private func plan() throws -> Plan {
        var description = RouterDescription()
        description.base = "https://h/v1?k=1"
        var operation = OperationDescription(name: "find", method: "GET", path: "a/{x}/b/{y}", place: .root)
        operation.query = [ParameterDescription(name: "q", location: .query)]
        description.operations = [operation]
        return try Plan.make(try Router.open(description), route: "", operation: "find")
    }

    private func write(_ plan: Plan, _ ids: [Value], _ query: [Value], capacity: Int) throws -> (text: String?, length: Int) {
        var arena = ValueArena()
        for value in ids { _ = arena.add(value) }
        var more = ValueArena()
        for value in query { _ = more.add(value) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { buffer.deallocate() }
        let end = try arena.withViews { ids throws(Failure) in
            try more.withViews { query throws(Failure) in try plan.write(ids: ids, query: query, into: buffer) }
        }
        return (end.fits ? Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<end.length])).string : nil, end.length)
    }

    @Test("says the same length for every size of the buffer, and fits where it does")
    func sizes() throws {
        let plan = try plan()
        let expected = "https://h/v1/a/x%2Fy/b/7?k=1&q=%C3%A9%20"
        for capacity in 0...expected.utf8.count + 200 {
            let (text, length) = try write(plan, [.text("x/y"), .integer(7)], [.text("\u{E9} ")], capacity: capacity)
            #expect(length == expected.utf8.count)
            #expect(text == (capacity > length ? expected : nil), "\(capacity)")
        }
    }

    @Test("refuses what is no segment", arguments: ["", ".", ".."])
    func segments(value: String) throws {
        let plan = try plan()
        let found = failure { _ = try write(plan, [.text(Bytes(text: value)), .integer(7)], [], capacity: 200) }
        #expect(found?.status == .value)
    }

    @Test("refuses too few ids, and too many")
    func counts() throws {
        let plan = try plan()
        for ids in [[], [.integer(1)], [.integer(1), .integer(2), .integer(3)]] as [[Value]] {
            #expect(failure { _ = try write(plan, ids, [], capacity: 200) }?.status == .id)
        }
    }
}
