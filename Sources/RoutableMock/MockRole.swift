// What an operation does with the store, found by the shape of its path and by the methods of its neighbours: `/pets` with
// `/pets/{petId}` is a collection with members.

internal import RoutableCore
internal import RoutableService

/// What an operation does.
enum MockRole {
    /// Of a collection.
    case list, create, clear
    /// The GET of a path below a collection that finds some of its members, such as `/pets/findByStatus`.
    case search
    /// Of a member.
    case read, replace, change, remove
    /// Of one thing without members, such as `/user` or `/pets/7/photo`.
    case readThing, replaceThing, changeThing, removeThing
    /// Anything else: a generated response.
    case action
}

/// The methods of a collection and of its members, and the operation that shows what a member is: the same for all requests of an
/// operation.
struct MockNeighbours {
    /// The plan of the GET of a member, or of the GET of the collection.
    let reader: Plan?
    let isReaderOfMembers: Bool
    let methods: [Bytes]
    let memberMethods: [Bytes]
}

/// The collection that a request belongs to.
struct MockCollection {
    /// The target of the collection, percent-encoded, with the base path.
    let target: Bytes
    let path: MockPath
    let neighbours: MockNeighbours

    var reader: Plan? { neighbours.reader }
    var isReaderOfMembers: Bool { neighbours.isReaderOfMembers }
    var methods: [Bytes] { neighbours.methods }
    var memberMethods: [Bytes] { neighbours.memberMethods }
    /// Whether requests can create members.
    var canGrow: Bool { methods.contains("POST") || memberMethods.contains("PUT") }
    var hasMembers: Bool { !memberMethods.isEmpty }
}

extension Mock {
    /// Ids that a path of a member may have: the first one that the description matches.
    private static let candidates: [Bytes] = ["1", "a", "00000000-0000-4000-8000-000000000000", "a@example.com", "2020-01-01"]

    /// The collection at a target; without members if the description has none below it.
    ///
    /// - Parameter plan: of the operation whose path the target begins.
    func collection(_ target: Bytes, of plan: Plan) throws(Failure) -> MockCollection {
        let target = target.hasSuffix("/") ? Bytes(target.storage.dropLast()) : target
        let path = MockPath(target)
        let key: Bytes = "\(plan.route.bytes) \(plan.operation.name.bytes) \(path.segments.count)"
        if let known = neighbours[key] { return MockCollection(target: target, path: path, neighbours: known) }
        let found = try findNeighbours(target)
        try Memory.check()
        neighbours.set(found, for: key)
        return MockCollection(target: target, path: path, neighbours: found)
    }

    private func findNeighbours(_ target: Bytes) throws(Failure) -> MockNeighbours {
        let own = try place(target)
        for candidate in Self.candidates {
            let member = try place("\(target)/\(candidate)")
            guard let method = member.methods.first else { continue }
            var plan = member.plan
            if plan == nil {
                plan = try router.place("\(target)/\(candidate)", method: method, basePath: options.basePath).plan
            }
            // A literal segment that is spelled like the candidate, or a part of one, is no id.
            guard let plan, plan.endsInId else { continue }
            return MockNeighbours(
                reader: member.plan ?? own.plan, isReaderOfMembers: member.plan != nil, methods: own.methods,
                memberMethods: member.methods)
        }
        return MockNeighbours(reader: own.plan, isReaderOfMembers: false, methods: own.methods, memberMethods: [])
    }

    /// With or without a slash at the end, as the description has it.
    func place(_ target: Bytes) throws(Failure) -> (methods: [Bytes], plan: Plan?) {
        let found = try router.place(target.isEmpty ? "/" : target, basePath: options.basePath)
        return found.methods.isEmpty ? try router.place("\(target)/", basePath: options.basePath) : found
    }

    /// The role of an operation, which is the same for all its requests.
    func role(of plan: Plan, _ target: Bytes) throws(Failure) -> MockRole {
        let key: Bytes = "\(plan.route.bytes) \(plan.operation.name.bytes)"
        if let known = roles[key] { return known }
        let role = try findRole(plan, target)
        try Memory.check()
        roles.set(role, for: key)
        return role
    }

    private func findRole(_ plan: Plan, _ target: Bytes) throws(Failure) -> MockRole {
        let method = plan.method.bytes
        if plan.endsInId {
            let methods = try place(target).methods
            switch method {
            case "GET": return .read
            case "PUT": return .replace
            case "PATCH": return .change
            case "DELETE": return .remove
            case "POST":
                return methods.contains("GET") && !methods.contains("PUT") && !methods.contains("PATCH") ? .change : .action
            default: return .action
            }
        }
        let own = try collection(target, of: plan)
        if own.hasMembers {
            switch method {
            case "GET": return .list
            case "POST": return .create
            case "DELETE": return .clear
            // The body has the id.
            case "PUT": return own.memberMethods.contains("GET") && !own.memberMethods.contains("PUT") ? .replace : .action
            default: return .action
            }
        }
        let above = Self.parent(of: own.target)
        if method == "GET", own.methods == ["GET"], !above.isEmpty, !plan.pathTemplate.isEmpty {
            let collection = try collection(above, of: plan)
            if collection.hasMembers { return .search }
        }
        switch method {
        case "GET": return .readThing
        case "PUT": return .replaceThing
        case "PATCH": return .changeThing
        case "DELETE": return .removeThing
        default: return .action
        }
    }

    /// `/pets` of `/pets/7`.
    static func parent(of target: Bytes) -> Bytes {
        let end = target.storage.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return Bytes(target.storage[..<end])
    }
}

extension Plan {
    /// Whether the last segment of the path is an id alone.
    var endsInId: Bool {
        guard let last = idLabels.last, let segment = pathTemplate.split(on: UInt8(ascii: "/")).last(where: { !$0.isEmpty })
        else {
            return false
        }
        return segment == ":\(last)"
    }
}
