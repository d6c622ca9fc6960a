// The members that a mock stores, by their paths.

internal import RoutableCore
internal import RoutableJSON

/// The path of a collection or a member: its segments, without the base path.
struct MockPath {
    let segments: [Bytes]

    init(_ segments: [Bytes]) { self.segments = segments }

    /// From the path of a collection or a member, `/v1/users/ann`, percent-encoded; a slash at its end is ignored.
    init(_ text: Bytes) {
        segments = text.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }.map {
            $0.storage.withUnsafeBytes { PercentCoding.decode($0) }
        }
    }

    /// From `text` of a path.  One thing without an id ends with a slash: its last segment is empty.
    init(stored text: Bytes) {
        let path = MockPath(text)
        segments = text.hasSuffix("/") ? path.segments + [Bytes()] : path.segments
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
    /// Unique among all members.
    let number: Int
}

/// All collections.  A collection below a member that was removed is empty.
struct MockStore {
    private struct Collection {
        /// The member that it is below; 0 for none.
        var owner = 0
        /// In the order of creation; nil for a member that was removed.
        var entries: [(id: Bytes, member: MockMember?)] = []
        /// The places of the ids in the entries.
        var places: [Bytes: Int] = [:]
        var removed = 0
        /// The highest integer that was an id.
        var lastNumber: Int64 = 0

        func place(of id: Bytes) -> Int? {
            guard let place = places[id], place < entries.count, entries[place].id == id else { return nil }
            return place
        }

        func member(_ id: Bytes) -> MockMember? { place(of: id).flatMap { entries[$0].member } }

        /// Forgets the members that were removed, if they are the most.
        mutating func compact() {
            if removed < 16 || removed &* 2 < entries.count { return }
            let kept = entries.filter { $0.member != nil }
            entries = []
            places = [:]
            removed = 0
            for entry in kept {
                places[entry.id] = entries.count
                entries.append(entry)
            }
        }
    }

    /// What a change replaced.
    private struct Change {
        let collection: Int
        let path: MockPath
        let old: MockMember?
        let lastNumber: Int64
        var id: Bytes { path.last }
    }

    private var collections = KeyedValues<Bytes, Collection>()
    private var created = 0
    private(set) var count = 0
    /// The changes of the current request, so that a request that fails has none.
    private var changes: [Change] = []

    /// Begins a request.
    mutating func begin() { changes = [] }

    /// Takes back the changes of the current request.
    mutating func rollBack() {
        while let change = changes.popLast() {
            let place = change.collection
            if let old = change.old {
                guard let entry = collections.values[place].place(of: change.id) else { continue }
                if collections.values[place].entries[entry].member == nil {
                    count &+= 1
                    collections.values[place].removed &-= 1
                }
                collections.values[place].entries[entry].member = old
            } else {
                // It is the last of its collection.
                _ = collections.values[place].entries.popLast()
                created &-= 1
                count &-= 1
            }
            collections.values[place].lastNumber = change.lastNumber
        }
    }

    /// Reports the changes of the current request: each member that it has changed, with its value now.
    func report(to journal: MockOptions.Journal) throws(Failure) {
        if changes.isEmpty { return }
        var reported: [MockChange] = []
        for change in changes {
            guard let member = collections.values[change.collection].member(change.id) else {
                reported.append(MockChange(path: change.path.text, json: nil, version: 0))
                continue
            }
            var writer = JSONWriter()
            try writer.value(member.value)
            reported.append(MockChange(path: change.path.text, json: writer.text, version: member.version))
        }
        try Memory.check()
        try journal(reported)
    }

    /// The number of the nearest member above a collection; 0 for none.
    private func owner(_ path: MockPath) -> Int {
        var owner = 0
        for end in path.segments.indices {
            let above = MockPath(Array(path.segments[..<end]))
            if let found = collections[above.text], found.owner == owner, let member = found.member(path.segments[end]) {
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
        path.segments.isEmpty ? nil : collection(path.parent)?.member(path.last)
    }

    /// The members of a collection with their ids, in the order of creation.
    func members(_ path: MockPath) -> [(id: Bytes, member: MockMember)] {
        var result: [(id: Bytes, member: MockMember)] = []
        for entry in collection(path)?.entries ?? [] {
            if let member = entry.member { result.append((entry.id, member)) }
        }
        return result
    }

    /// The highest integer id of a collection so far.
    func lastNumber(_ path: MockPath) -> Int64 { collection(path)?.lastNumber ?? 0 }

    /// Adds or replaces a member.
    mutating func put(_ path: MockPath, _ value: Value) {
        let owner = owner(path.parent)
        let id = path.last
        let place = collections.place(of: path.parent.text, adding: Collection(owner: owner))
        if collections.values[place].owner != owner {
            count &-= collections.values[place].entries.count &- collections.values[place].removed
            collections.values[place] = Collection(owner: owner)
        }
        collections.values[place].compact()
        let old = collections.values[place].member(id)
        changes.append(Change(collection: place, path: path, old: old, lastNumber: collections.values[place].lastNumber))
        if let old, let entry = collections.values[place].place(of: id) {
            let changed = MockMember(value: value, version: old.version &+ 1, number: old.number)
            collections.values[place].entries[entry].member = changed
            return
        }
        created &+= 1
        count &+= 1
        collections.values[place].places[id] = collections.values[place].entries.count
        collections.values[place].entries.append((id, MockMember(value: value, number: created)))
        if let number = Decimal.parse(id) {
            collections.values[place].lastNumber = max(collections.values[place].lastNumber, number)
        }
    }

    mutating func setVersion(of path: MockPath, _ version: Int) {
        let place = collections.place(of: path.parent.text, adding: Collection())
        guard let entry = collections.values[place].place(of: path.last) else { return }
        collections.values[place].entries[entry].member?.version = version
    }

    /// Removes a member, and with it everything below it.
    mutating func remove(_ path: MockPath) {
        guard let old = member(path) else { return }
        let place = collections.place(of: path.parent.text, adding: Collection())
        guard let entry = collections.values[place].place(of: path.last) else { return }
        changes.append(
            Change(collection: place, path: path, old: old, lastNumber: collections.values[place].lastNumber))
        collections.values[place].entries[entry].member = nil
        collections.values[place].removed &+= 1
        count &-= 1
    }

    /// Removes all members of a collection.
    mutating func removeAll(_ path: MockPath) {
        for (id, _) in members(path) { remove(path.appending(id)) }
    }
}
