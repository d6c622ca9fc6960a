// The effect of an operation on the store, found by the form of its path and by the methods of the neighbouring paths: `/pets` and
// `/pets/{petId}` are a collection and its members.

internal import RoutableCore
internal import RoutableService

/// The effect of an operation, which is the same for all its requests.
final class MockRole {
    enum Kind: UInt8 {
        /// Operations of a collection.  `search` has a path below a collection and finds some of its members, such as `/pets/findByStatus`.
        case list, search, create, clear
        /// Operations of a member, or of a single resource without an id, such as `/user` or `/pets/7/photo`.
        case read, replace, change, remove
        /// Any other operation: its response is generated.
        case action
    }

    enum Subject: UInt8 {
        /// A member whose id is the last segment of the path.
        case member
        /// A member whose id is in the body of a request to its collection.
        case memberInBody
        case thing
        case other
    }

    let kind: Kind
    let subject: Subject
    /// The text after the id in the last segment of the path of a member, and after the name of the collection in its path: `.json`; `/`
    /// for a path that ends with a slash.
    let suffix: Bytes
    /// The plan of the GET operation of a member or of the single resource, or of the collection if members have no GET operation.
    let reader: Plan
    let isReaderOfMembers: Bool
    /// The name of the id parameter of a member.
    let idName: Bytes
    /// Whether requests can create members of the collection, and whether POST does.
    let canGrow: Bool
    let hasPost: Bool
    /// The numbers of segments of the paths of the outer members that must exist: those in collections that can grow.
    let parents: [Int]

    fileprivate init(
        _ kind: Kind, _ subject: Subject, _ suffix: Bytes, _ plan: Plan, _ collection: MockNeighbours, _ parents: [Int]
    ) {
        self.kind = kind
        self.subject = subject
        self.suffix = suffix
        reader = collection.reader ?? plan
        isReaderOfMembers = collection.isReaderOfMembers
        idName = collection.idName
        canGrow = collection.canGrow
        hasPost = collection.methods.has("POST")
        self.parents = parents
    }

}

/// The cached role and shapes of an operation, found at its first request.
final class MockKnown {
    var role: MockRole?
    /// The shapes of the bodies of the usual status and of 201.
    var shape: MockShape?
    var createdShape: MockShape?
}

/// The methods of a collection and of its members.
private final class MockNeighbours {
    let reader: Plan?
    let isReaderOfMembers: Bool
    let methods: [Bytes]
    let memberMethods: [Bytes]
    let idName: Bytes

    /// - Parameter member: the plan of an operation of a member, with any method.
    init(_ own: (methods: [Bytes], plan: Plan?), _ members: (methods: [Bytes], plan: Plan?), _ member: Plan?) {
        reader = members.plan ?? own.plan
        isReaderOfMembers = members.plan != nil
        idName = member?.idLabels.last ?? "id"
        methods = own.methods
        memberMethods = members.methods
    }

    var canGrow: Bool { methods.has("POST") || memberMethods.has("PUT") }
    var hasMembers: Bool { !memberMethods.isEmpty }
}

extension Mock {
    /// The role of an operation.
    func role(of plan: Plan, _ path: MockPath) throws(Failure) -> MockRole {
        let place = known.place(of: Self.key(plan), adding: MockKnown())
        if let role = known.values[place].role { return role }
        let role = try findRole(plan, path)
        try Memory.check()
        known.values[place].role = role
        return role
    }

    static func key(_ plan: Plan) -> Bytes { "\(plan.route.bytes) \(plan.operation.name.bytes)" }

    private func findRole(_ plan: Plan, _ path: MockPath) throws(Failure) -> MockRole {
        let method = plan.method.bytes
        let template = plan.pathTemplate
        let pieces = template.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }
        let last = pieces.last ?? Bytes()
        var suffix = Bytes()
        let ending = plan.idSuffix(of: last)
        let isMember = ending != nil
        if let ending {
            suffix = ending
        } else if let dot = last.storage.lastIndex(of: UInt8(ascii: ".")), !last.storage.contains(UInt8(ascii: ":")) {
            suffix = Bytes(last.storage[dot...])
        }
        if suffix.isEmpty && template.hasSuffix("/") { suffix = "/" }
        let own = path.without(suffix)
        var parents: [Int] = []
        // The segments of the template correspond to the last segments of the path.
        let base = own.segments.count &- pieces.count
        let hasCatchAll = template.storage.contains(UInt8(ascii: "*"))
        for end in own.segments.indices where end > 1 {
            let piece = end &- 1 &- base
            if !hasCatchAll, !pieces.indices.contains(piece) || !pieces[piece].storage.contains(UInt8(ascii: ":")) { continue }
            let above = try neighbours(MockPath(Array(own.segments[..<(end &- 1)])), suffix)
            if above.isReaderOfMembers && above.canGrow { parents.append(end) }
        }
        func made(_ kind: MockRole.Kind, _ subject: MockRole.Subject, _ neighbours: MockNeighbours) -> MockRole {
            MockRole(kind, subject, suffix, plan, neighbours, parents)
        }
        let isGet = method.equals("GET"), isPut = method.equals("PUT"), isPost = method.equals("POST")
        let isDelete = method.equals("DELETE")
        var usual = MockRole.Kind.action
        if isGet { usual = .read } else if isPut { usual = .replace } else if isDelete { usual = .remove }
        if method.equals("PATCH") { usual = .change }
        if isMember {
            let above = try neighbours(own.parent, suffix)
            let isAction = above.memberMethods.has("PUT") || above.memberMethods.has("PATCH") || !above.isReaderOfMembers
            return made(isPost && !isAction ? .change : usual, .member, above)
        }
        let collection = try neighbours(own, suffix)
        if collection.hasMembers {
            if isPut && collection.isReaderOfMembers && !collection.memberMethods.has("PUT") {
                return made(.replace, .memberInBody, collection)
            }
            return made(isGet ? .list : isPost ? .create : isDelete ? .clear : .action, .other, collection)
        }
        let here = try place(path, "")
        if isGet, here.methods.count == 1, path.segments.count > 1, !template.isEmpty {
            let above = try neighbours(path.parent, suffix)
            if above.hasMembers { return made(.search, .other, above) }
        }
        return MockRole(usual, .thing, Bytes(), plan, MockNeighbours(here, ([], nil), nil), parents)
    }

    /// Candidates for an id in the path of a member; the first one that the description matches is used.
    private static let candidates = Bytes("1 a 00000000-0000-4000-8000-000000000000 a@example.com 2020-01-01")

    /// The methods of a collection and of its members; no member methods if the description has no members below the path.
    private func neighbours(_ path: MockPath, _ suffix: Bytes) throws(Failure) -> MockNeighbours {
        let own = try place(path, suffix)
        for candidate in Self.candidates.split(on: UInt8(ascii: " ")) {
            let below = path.appending(candidate)
            var member = try place(below, suffix)
            guard let method = member.methods.first else { continue }
            let get = member.plan
            if get == nil { member = try place(below, suffix, method) }
            // A literal segment that is equal to the candidate, or that contains it, is not an id.
            guard let plan = member.plan, plan.endsInId else { continue }
            return MockNeighbours(own, (member.methods, get), plan)
        }
        return MockNeighbours(own, ([], nil), nil)
    }

    /// The methods and the plan at a path: with the suffix, without it, or with a slash at the end.
    func place(
        _ path: MockPath, _ suffix: Bytes, _ method: Bytes = "GET"
    ) throws(Failure) -> (methods: [Bytes], plan: Plan?) {
        for end in [suffix, "", "/"] {
            let found = try router.place("/\(path.text)\(end)", method: method, basePath: options.basePath)
            if !found.methods.isEmpty { return found }
        }
        return ([], nil)
    }
}

extension MockPath {
    /// The path without the suffix after the id or after the name of the collection.
    func without(_ suffix: Bytes) -> MockPath {
        var path = self
        if !suffix.isEmpty, last.hasSuffix(suffix), last.count > suffix.count, let end = segments.indices.last {
            path.segments[end] = Bytes(last.storage.dropLast(suffix.count))
        }
        return path
    }
}

extension Plan {
    /// Whether the last segment of the path begins with its last id.
    var endsInId: Bool {
        let last = pathTemplate.split(on: UInt8(ascii: "/")).last { !$0.isEmpty }
        return last.map { idSuffix(of: $0) != nil } ?? false
    }

    /// The text after the last id in the last segment of the template; nil if the segment does not begin with the id.
    func idSuffix(of segment: Bytes) -> Bytes? {
        guard let label = idLabels.last else { return nil }
        let id: Bytes = ":\(label)"
        if !segment.hasPrefix(id) || segment.storage[id.count...].contains(UInt8(ascii: ":")) { return nil }
        return Bytes(segment.storage[id.count...])
    }
}
