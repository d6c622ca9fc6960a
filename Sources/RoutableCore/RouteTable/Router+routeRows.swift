// The rows of the route table: `rake routes` for clients (the rules are in docs/route-table.md).

extension Router {
    /// The rows of the route table: roots, nested resources, standalone operations.
    ///
    /// Failures: `limit` if they have more bytes than `Limits.tableBytes`.
    package var routeRows: [RouteRow] {
        get throws(Failure) {
            var rows = RouteRows(self)
            try rows.collect()
            return rows.rows
        }
    }
}

private struct RouteRows {
    private let router: Router
    private(set) var rows: [RouteRow] = []
    /// Pairs of parent and child whose rows exist: each pair has one row.
    private var printed = Set<NumberPair>()
    /// The number of bytes of the rows so far.
    private var byteCount = 0

    /// The memory of a row in addition to the bytes of its cells.
    private static let rowBytes = 64

    init(_ router: Router) { self.router = router }

    mutating func collect() throws(Failure) {
        for resource in router.resources where resource.hasRootMembers { try addRows(of: resource, walk: [resource]) }
        for resource in router.resources where resource.hasRootMembers { try addChildren(of: resource, walk: [resource]) }
        let walks = try router.derivedGraph
        for (index, operation) in router.operations.enumerated() {
            var row = RouteRow()
            row.prefix = operation.name.bytes
            row.method = operation.method.bytes
            row.pattern = "/\(Self.pattern(operation.template))"
            row.operation = operation.name.bytes
            if let walks, walks.walks.indices.contains(index), let walk = walks.walks[index], let resource = walk.resource {
                row.route = walks.resources[resource].route.bytes
                row.resource = walks.resources[resource].name.bytes
                row.operation = walk.name.bytes
                row.standaloneName = operation.name.bytes
            }
            try append(row)
        }
    }

    private mutating func append(_ row: RouteRow) throws(Failure) {
        try Memory.check()
        byteCount &+= Self.rowBytes &+ row.prefix.count &+ row.pattern.count &+ row.route.count
        if byteCount > Limits.tableBytes { throw Failure(.limit, "the route table has more than \(Limits.tableBytes) bytes") }
        rows.append(row)
    }

    // Recursion is bounded by the length of a route.
    private mutating func addChildren(of parent: ResourceEntry, walk: [ResourceEntry]) throws(Failure) {
        if walk.count >= Limits.idsPerRoute { return }
        if walk.count > 1 && parent.description.isShallow { return }
        for index in parent.children {
            let child = router.resources[index]
            guard printed.insert(NumberPair(parent.index, index)).inserted else { continue }
            let longer = walk + [child]
            if walk.contains(where: { $0 === child }) {
                var row = RouteRow()
                row.pattern = Self.collectionPattern(longer)
                row.route = Self.route(longer)
                row.resource = child.name.bytes
                row.isRepeat = true
                try append(row)
                continue
            }
            try addRows(of: child, walk: longer)
            try addChildren(of: child, walk: longer)
        }
    }

    /// Adds list, create, further operations of the collection, read, update, patch, delete, and further operations of the member.
    private mutating func addRows(of resource: ResourceEntry, walk: [ResourceEntry]) throws(Failure) {
        let isRoot = walk.count == 1
        let hasCollection = !isRoot || resource.isRoot
        let hasMember = isRoot || !resource.description.isShallow
        let onCollection = resource.operations.filter { $0.description.place == .collection }
        let onMember = resource.operations.filter { $0.description.place == .member }
        if hasCollection { for operation in onCollection { try add(operation, resource, walk) } }
        if hasMember { for operation in onMember { try add(operation, resource, walk) } }
    }

    private mutating func add(_ operation: OperationEntry, _ resource: ResourceEntry, _ walk: [ResourceEntry]) throws(Failure) {
        let member = walk.map { $0.name.bytes }.joined(by: "_")
        let collectionName = resource.segments.isEmpty ? resource.name.bytes : resource.segments.joined(by: "_")
        var collection = (walk.dropLast().map { $0.name.bytes } + [collectionName]).joined(by: "_")
        if collection == member { collection.append("_index") }
        let isOnMember = operation.description.place == .member
        var row = RouteRow()
        row.prefix = isOnMember ? member : collection
        if operation.description.capability == nil { row.prefix = "\(operation.name.bytes)_\(row.prefix)" }
        row.method = operation.method.bytes
        row.pattern = Self.collectionPattern(walk)
        for id in resource.ids(to: operation.description.place) {
            row.pattern.append(Self.placeholder(id.name.bytes, id))
        }
        if row.pattern.isEmpty && operation.template.segmentCount == 0 { row.pattern = "/" }
        let rest = Self.pattern(operation.template)
        if !rest.isEmpty { row.pattern.append("/\(rest)") }
        row.route = Self.route(walk)
        row.resource = resource.name.bytes
        row.operation = operation.name.bytes
        try append(row)
    }

    private static func route(_ walk: [ResourceEntry]) -> Bytes { walk.map { $0.name.bytes }.joined(by: ".") }

    /// `/users/:user_id/statuses`
    private static func collectionPattern(_ walk: [ResourceEntry]) -> Bytes {
        var pattern = Bytes()
        for (position, resource) in walk.enumerated() {
            for segment in resource.segments { pattern.append("/\(segment)") }
            if position &+ 1 < walk.count {
                for (id, names) in zip(resource.ids, resource.idNames) { pattern.append(placeholder(names.label, id)) }
            }
        }
        return pattern
    }

    /// `/:number`, `/*name` for a value of several segments.
    private static func placeholder(_ name: Bytes, _ id: ParameterEntry) -> Bytes {
        "/\(id.description.takesSegments ? "*" : ":")\(name)"
    }

    private static func pattern(_ template: Template) -> Bytes {
        var segments: [Bytes] = []
        for segment in template.segments {
            var text = Bytes()
            for piece in segment.pieces {
                switch piece {
                case .literal(let literal): text.append(literal)
                case .parameter(let name): text.append(":\(name)")
                case .catchAll(let name): text.append("*\(name)")
                }
            }
            segments.append(text)
        }
        var pattern = segments.joined(by: "/")
        if template.hasTrailingSlash { pattern.append("/") }
        return pattern
    }
}
