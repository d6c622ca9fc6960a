// The members that a mock keeps, by their paths.

internal import RoutableCore

/// The path of a collection or a member: its segments, without the base path.
struct MockPath {
    let segments: [Bytes]

    init(_ segments: [Bytes]) { self.segments = segments }

    /// From `users/ann`, percent-encoded.
    init(_ text: Bytes) {
        segments = text.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }.map {
            $0.storage.withUnsafeBytes { PercentCoding.decode($0) }
        }
    }

    var last: Bytes { segments.last ?? Bytes() }
    var parent: MockPath { MockPath(Array(segments.dropLast())) }

    func appending(_ segment: Bytes) -> MockPath { MockPath(segments + [segment]) }

    /// The segments joined by a slash, percent-encoded, so that it can be split again.
    var text: Bytes {
        var result = Bytes()
        for segment in segments {
            if !result.isEmpty { result.append(UInt8(ascii: "/")) }
            PercentCoding.append(segment, .unreserved, to: &result)
        }
        return result
    }
}

/// A member.
struct MockMember {
    var value: Value
    /// Changes since it was created, for its ETag.
    var version = 1
    /// The place in the order of creation.
    let number: Int
}

/// All collections.  A collection below a member that was removed is empty.
struct MockStore {
    private struct Collection {
        /// The member that it is below; 0 for none.
        var owner = 0
        /// Ids in the order of creation; those of members that were removed have another number.
        var order: [(id: Bytes, number: Int)] = []
        var members: [Bytes: MockMember] = [:]
        /// The highest integer that was an id.
        var lastNumber: Int64 = 0
    }

    private var collections: [Bytes: Collection] = [:]
    private var created = 0
    private(set) var count = 0
    /// The changes of the current request, so that a request that fails has none.
    private var changes: [(collection: Bytes, id: Bytes, old: MockMember?, lastNumber: Int64)] = []

    /// Begins a request.
    mutating func begin() { changes.removeAll(keepingCapacity: true) }

    /// Takes back the changes of the current request.
    mutating func rollBack() {
        while let change = changes.popLast() {
            guard var found = collections.removeValue(forKey: change.collection) else { continue }
            if let old = change.old {
                if found.members[change.id] == nil { count &+= 1 }
                found.members[change.id] = old
            } else if found.members.removeValue(forKey: change.id) != nil {
                found.order.removeLast()
                created &-= 1
                count &-= 1
            }
            found.lastNumber = change.lastNumber
            collections[change.collection] = found
        }
    }

    /// The number of the nearest member above a collection; 0 for none.
    private func owner(_ path: MockPath) -> Int {
        var owner = 0
        for end in path.segments.indices {
            let above = MockPath(Array(path.segments[..<end]))
            if let found = collections[above.text], found.owner == owner, let member = found.members[path.segments[end]] {
                owner = member.number
            }
        }
        return owner
    }

    private func collection(_ path: MockPath) -> Collection? {
        guard let found = collections[path.text], found.owner == owner(path) else { return nil }
        return found
    }

    func member(_ path: MockPath) -> MockMember? {
        if path.segments.isEmpty { return nil }
        return collection(path.parent)?.members[path.last]
    }

    /// The members of a collection with their ids, in the order of creation.
    func members(_ path: MockPath) -> [(id: Bytes, member: MockMember)] {
        guard let found = collection(path) else { return [] }
        return found.order.compactMap { entry in
            guard let member = found.members[entry.id], member.number == entry.number else { return nil }
            return (entry.id, member)
        }
    }

    /// The highest integer id of a collection so far.
    func lastNumber(_ path: MockPath) -> Int64 { collection(path)?.lastNumber ?? 0 }

    /// Adds or replaces a member.
    mutating func put(_ path: MockPath, _ value: Value) {
        let key = path.parent.text
        let owner = owner(path.parent)
        var found = collections.removeValue(forKey: key) ?? Collection(owner: owner)
        if found.owner != owner {
            count &-= found.members.count
            found = Collection(owner: owner)
        }
        // Half of the order is of members that were removed.
        if found.order.count > 16 && found.order.count > 2 &* found.members.count {
            let members = found.members
            found.order = found.order.filter { members[$0.id]?.number == $0.number }
        }
        changes.append((key, path.last, found.members[path.last], found.lastNumber))
        if let old = found.members[path.last] {
            found.members[path.last] = MockMember(value: value, version: old.version &+ 1, number: old.number)
        } else {
            created &+= 1
            count &+= 1
            found.members[path.last] = MockMember(value: value, number: created)
            found.order.append((path.last, created))
            if let number = Decimal.parse(path.last) {
                found.lastNumber = max(found.lastNumber, number)
            }
        }
        collections[key] = found
    }

    /// Removes a member, and with it everything below it.
    mutating func remove(_ path: MockPath) {
        let key = path.parent.text
        guard member(path) != nil, var found = collections.removeValue(forKey: key) else { return }
        changes.append((key, path.last, found.members[path.last], found.lastNumber))
        found.members[path.last] = nil
        count &-= 1
        collections[key] = found
    }

    /// Removes all members of a collection.
    mutating func removeAll(_ path: MockPath) {
        for (id, _) in members(path) { remove(path.appending(id)) }
    }
}
