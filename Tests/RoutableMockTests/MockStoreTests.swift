// The store of a mock: order, removal of a member with its descendants, and undoing changes.

import RoutableCore
import Testing

@testable import RoutableMock

@Suite struct MockStoreTests {
    private func ids(_ store: MockStore, _ path: Bytes) -> [String] {
        (store.node(MockPath(path))?.members ?? []).map { $0.id.string }
    }

    @Test func membersAreInTheOrderOfTheirCreation() {
        var store = MockStore()
        for id in ["b", "a", "c"] { store.set(MockPath("users/\(Bytes(id))"), .null) }
        store.set(MockPath("users/a"), .boolean(true))
        #expect(ids(store, "users") == ["b", "a", "c"])
        #expect(store.member(MockPath("users/a"))?.version == 2)
        store.set(MockPath("users/b"), nil)
        store.set(MockPath("users/b"), .null)
        #expect(ids(store, "users") == ["a", "c", "b"])
        #expect(store.count == 3)
    }

    @Test func whatIsBelowARemovedMemberIsGone() {
        var store = MockStore()
        store.set(MockPath("users/ann"), .null)
        store.set(MockPath("users/ann/notes/1"), .null)
        #expect(ids(store, "users/ann/notes") == ["1"])
        store.set(MockPath("users/ann"), nil)
        store.set(MockPath("users/ann"), .null)
        #expect(ids(store, "users/ann/notes") == [])
        store.set(MockPath("users/ann/notes/2"), .null)
        #expect(ids(store, "users/ann/notes") == ["2"])
    }

    @Test func whatIsFarBelowARemovedMemberIsGone() {
        var store = MockStore()
        for path in ["users/ann", "users/ann/notes/1", "users/ann/notes/1/lines/1"] { store.set(MockPath(Bytes(path)), .null) }
        store.set(MockPath("users/ann"), nil)
        store.set(MockPath("users/ann"), .null)
        #expect(ids(store, "users/ann/notes/1/lines") == [])
        store.set(MockPath("users/ann/notes/1"), .null)
        #expect(ids(store, "users/ann/notes/1/lines") == [])
    }

    @Test func onePathOfAThingWithoutAnId() {
        #expect(MockPath(stored: "v1/me/").text == "v1/me/")
        #expect(MockPath("/v1/me/").text == "v1/me")
    }

    @Test func aFailedRequestHasNoChanges() {
        var store = MockStore()
        store.set(MockPath("users/7"), .boolean(false))
        store.set(MockPath("users/7/notes/1"), .null)
        store.begin()
        store.set(MockPath("users/7"), .boolean(true))
        store.set(MockPath("users/9"), .null)
        store.set(MockPath("users/7"), nil)
        store.rollBack()
        #expect(ids(store, "users") == ["7"])
        #expect(ids(store, "users/7/notes") == ["1"])
        #expect(store.member(MockPath("users/7"))?.version == 1)
        #expect(store.count == 2)
        #expect(store.node(MockPath("users"))?.lastNumber == 7)
    }

    @Test func manyAreRemoved() {
        var store = MockStore()
        for round in 0..<3 {
            for number in 0..<100 { store.set(MockPath("a/\(number)"), .integer(Int64(round))) }
            for number in 0..<100 { store.set(MockPath("a/\(number)"), nil) }
            #expect(store.count == 0)
        }
        store.set(MockPath("a/x"), .null)
        #expect(ids(store, "a") == ["x"])
    }

    @Test func pathsOfSegmentsWithSlashes() {
        let path = MockPath("users/a%2Fb")
        #expect(path.segments == ["users", "a/b"])
        #expect(path.text == "users/a%2Fb")
    }
}
