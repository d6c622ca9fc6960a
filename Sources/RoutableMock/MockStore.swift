// The members that a mock stores: a tree of the segments of their paths.

internal import RoutableCore
internal import RoutableService

/// The path of a collection or a member, as its segments, with the base path.
struct MockPath {
    var segments: [Bytes]

    init(_ segments: [Bytes]) { self.segments = segments }

    /// Parses the path of a collection or a member, `/v1/users/ann`, percent-encoded; a slash at its end is ignored.
    init(_ text: Bytes) {
        segments = text.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }.map {
            $0.storage.withUnsafeBytes { PercentCoding.decode($0) }
        }
    }

    /// Parses the `text` of a path.  The path of a single resource without an id ends with a slash: its last segment is empty.
    init(stored text: Bytes) {
        self.init(text)
        if text.hasSuffix("/") { segments.append(Bytes()) }
    }

    var last: Bytes { segments.last ?? Bytes() }
    var parent: MockPath { MockPath(segments.dropLast()) }

    func appending(_ segment: Bytes) -> MockPath { MockPath(segments + [segment]) }

    /// The segments, percent-encoded and joined by slashes, so that the text can be split again.
    var text: Bytes { segments.map { PercentCoding.encode($0, .unreserved) }.joined(by: "/") }
}

/// A segment of a path, with the member at that path.
final class MockNode {
    let id: Bytes
    /// nil for a segment without a member.
    fileprivate(set) var value: Value?
    /// The number of changes since the node was created, for its ETag.
    fileprivate(set) var version = 0
    /// The members in the order of their creation, and segments without a member.
    fileprivate var children = KeyedValues<Bytes, MockNode>()
    /// The number of children that were removed or moved to the end.
    fileprivate var removed = 0
    /// The highest id that is an integer.
    fileprivate(set) var lastNumber: Int64 = 0

    fileprivate init(_ id: Bytes) { self.id = id }

    var etag: Bytes { "\"\(version)\"" }

    func child(_ id: Bytes) -> MockNode? { children[id] }

    /// The members of a collection.
    var members: [MockNode] { children.values.filter { $0.value != nil && !$0.id.isEmpty } }

    /// The number of members in this node and below it.
    fileprivate var count: Int {
        // proof: the recursion ends at the limit of segments.
        children.values.reduce(value == nil ? 0 : 1) { $0 &+ $1.count }
    }

    /// Removes the entries of removed children if they are at least half of all entries.
    fileprivate func compact() {
        if removed < 16 || removed &* 2 < children.values.count { return }
        var kept = KeyedValues<Bytes, MockNode>()
        for child in children.values where child.value != nil || !child.children.isEmpty { kept.set(child, for: child.id) }
        (children, removed) = (kept, 0)
    }
}

/// The stored members.  Removing a member also removes everything below it.
struct MockStore {
    /// The state of a node before a change.
    private struct Change {
        let path: MockPath
        let node: MockNode
        let value: Value?
        let version: Int
        let children: KeyedValues<Bytes, MockNode>
        let lastNumber: Int64
    }

    private(set) var root = MockNode(Bytes())
    /// The number of members that were created.
    private(set) var created = 0
    /// The changes of the current request, which are reverted if the request fails.
    private var changes: [Change] = []
    /// The maximum number of segments of a path.
    static let pathLimit = 256

    /// The number of members.
    var count: Int { root.count }

    /// Begins a request: clears the list of changes.
    mutating func begin() { changes = [] }

    /// Reverts the changes of the current request.
    mutating func rollBack() {
        while let change = changes.popLast() {
            change.node.value = change.value
            change.node.version = change.version
            change.node.children = change.children
            node(change.path.parent)?.lastNumber = change.lastNumber
        }
    }

    /// Reports the changes of the current request: each changed member with its current value.
    func report(to journal: MockOptions.Journal) throws(Failure) {
        if changes.isEmpty { return }
        var reported: [MockChange] = []
        for change in changes {
            var json: Bytes?
            if let value = change.node.value { json = try Reply.json(of: value) }
            reported.append(MockChange(path: change.path.text, json: json, version: change.node.version))
        }
        try Memory.check()
        try journal(reported)
    }

    /// The node at a path; nil if no member is stored there or below.
    func node(_ path: MockPath) -> MockNode? {
        var node = root
        for segment in path.segments {
            guard let next = node.child(segment) else { return nil }
            node = next
        }
        return node
    }

    /// The member at a path; nil if there is none.
    func member(_ path: MockPath) -> MockNode? { node(path).flatMap { $0.value == nil ? nil : $0 } }

    /// Sets the version of a stored member.
    func setVersion(of path: MockPath, _ version: Int) { member(path)?.version = version }

    /// Adds or replaces a member; with nil, removes one and everything below it.
    @discardableResult
    mutating func set(_ path: MockPath, _ value: Value?) -> MockNode {
        var (node, parent) = (root, root)
        for segment in path.segments {
            parent = node
            if value != nil { parent.compact() }
            let place = node.children.place(of: segment, adding: MockNode(segment))
            node = node.children.values[place]
        }
        if value != nil, node.value == nil {
            created &+= 1
            if parent.children.values.last !== node {
                // The new member must be the last child, so it gets a new node.
                let new = MockNode(node.id)
                (new.version, new.children) = (node.version, node.children)
                node.children = KeyedValues()
                parent.children.append(new, for: node.id)
                parent.removed &+= 1
                node = new
            }
        }
        if changes.last?.node !== node {
            changes.append(
                Change(
                    path: path, node: node, value: node.value, version: node.version, children: node.children,
                    lastNumber: parent.lastNumber))
        }
        if value == nil {
            if node.value != nil { parent.removed &+= 1 }
            node.children = KeyedValues()
        }
        node.value = value
        node.version &+= 1
        if value != nil, let number = Decimal.parse(path.last) { parent.lastNumber = max(parent.lastNumber, number) }
        return node
    }
}
