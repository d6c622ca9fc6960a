// Converts the tree of paths to resources, and names their operations.

internal import RoutableCore

struct PathResources {
    private let nodes: [PathNode]
    private let operations: [OperationDescription]
    private var shapes: SchemaShapes
    private let keys: GraphKeys
    /// The names of segments at the beginning of paths that are followed by an id.
    private var rootsWithIDs: Set<Bytes> = []
    private(set) var resources: [DerivedResource] = []
    /// Operations that no walk leads to, with the reasons.
    private(set) var omitted: [(index: Int, reason: Bytes)] = []
    /// Warnings about declarations without an effect.
    private(set) var warnings: [Bytes] = []
    /// The names of the operations of each resource.
    private var names: [Set<Bytes>] = []
    /// The length of the route of each resource, in bytes.
    private var routeBytes: [Int] = []
    private var total = 0
    /// Nodes whose children have not been converted yet.
    private var pending: [Visit] = []

    private struct Visit {
        let node: Int
        /// The resource that the node belongs to, or that is its parent; nil at the root.
        let resource: Int?
        let place: Place
        /// The names of the segments with ids that are siblings of the ids of a member.
        var besideIDs: Set<Bytes> = []
        /// Whether the resource of the node must be created first.
        var isNew = false
    }

    init(_ nodes: [PathNode], _ operations: [OperationDescription], _ shapes: SchemaShapes, _ keys: GraphKeys) {
        self.nodes = nodes
        self.operations = operations
        self.shapes = shapes
        self.keys = keys
        for place in nodes[0].literals where nodes[place].id != nil { rootsWithIDs.insert(nodes[place].name) }
    }

    /// - Throws: `limit`, `memory`.
    mutating func run() throws(Failure) {
        for operation in nodes[0].operations { omitted.append((operation.index, Self.rootReason)) }
        pending = [Visit(node: 0, resource: nil, place: .root)]
        while let visit = pending.popLast() {
            try Memory.check()
            try descend(visit)
        }
    }

    private static let rootReason: Bytes = "the path is that of the API itself: the operation stands at the root"

    /// Creates the resources below a node: those of its segments, then those of its members.  A parent precedes its children.
    private mutating func descend(_ visit: Visit) throws(Failure) {
        if visit.isNew {
            let node = nodes[visit.node]
            let resource = try add(DerivedResource(name: node.name, path: node.text), below: visit.resource, visit.place)
            addCollectionOperations(of: node, to: resource)
            pending.append(Visit(node: visit.node, resource: resource, place: .collection))
            return
        }
        let node = nodes[visit.node]
        var next: [Visit] = []
        // The capabilities of the members are named before any action.
        var members: Visit?
        if let place = node.id { members = try self.members(place, of: node, visit) }
        let written = node.literals.filter { nodes[$0].isLeaf && PathNames.isNumber(nodes[$0].text) }
        for place in node.literals {
            let child = nodes[place]
            guard let owner = visit.resource else {
                next.append(Visit(node: place, resource: nil, place: visit.place, isNew: true))
                continue
            }
            if let only = action(child, of: visit) {
                add(only, named: child.name, to: owner, visit.place)
            } else if written == [place] {
                // An id as a literal segment: the root folder is `/folders/0`.
                for operation in child.operations {
                    let name = operation.verb ?? Self.capability(onMember: operations[operation.index].method)?.name
                    add(operation.index, named: name, to: owner, visit.place)
                }
            } else {
                next.append(Visit(node: place, resource: visit.resource, place: visit.place, isNew: true))
            }
        }
        if let members { next.append(members) }
        pending.append(contentsOf: next.reversed())
    }

    /// The only operation of a segment, if it is an action on the resource before it: `POST /jobs/{id}/retry`, `GET /pets/search`.
    private mutating func action(_ child: PathNode, of visit: Visit) -> Int? {
        if let only = otherKey(child) { return only }
        guard child.isLeaf, child.operations.count == 1, child.operations[0].verb == nil else { return nil }
        let index = child.operations[0].index
        let node = nodes[visit.node]
        let isGroup = visit.place == .collection && node.id == nil && node.operations.isEmpty
        switch operations[index].method {
        case "POST", "PUT":
            if PathNames.isNumber(child.text) { return nil }
            let isNoun = rootsWithIDs.contains(child.name) || visit.besideIDs.contains(child.name)
            return isNoun || PathNames.makes(operations[index], child.name) ? nil : index
        case "GET":
            if visit.place == .collection && node.id != nil { return index }
            return !isGroup && shape(operations[index]).kind == .scalar ? index : nil
        default: return nil
        }
    }

    /// The only operation after a segment that means another key: `GET /pets/by-name/{name}`.
    private func otherKey(_ child: PathNode) -> Int? {
        guard PathNames.isKey(child.text), child.operations.isEmpty, child.literals.isEmpty, let id = child.id,
            nodes[id].isLeaf, nodes[id].operations.count == 1, nodes[id].operations[0].verb == nil,
            operations[nodes[id].operations[0].index].method == "GET"
        else { return nil }
        return nodes[id].operations[0].index
    }

    /// Adds the members of a resource.  If ids follow the ids of a member, or begin the path, a resource without a segment is created.
    private mutating func members(_ first: Int, of node: PathNode, _ visit: Visit) throws(Failure) -> Visit {
        var place = first
        var ids = [nodes[place].name]
        var shorter: [(operation: Int, name: Bytes)] = []
        while let further = nodes[place].id {
            if nodes[place].isStop {
                guard visit.place == .collection, let name = nameOfShorter(nodes[place], node) else { break }
                shorter.append((nodes[place].operations[0].index, name))
            }
            place = further
            ids.append(nodes[place].name)
        }
        var owner = visit.resource
        if visit.place != .collection {
            var name = ResourceName.cut(ids[0])
            var taken = Set(node.literals.map { nodes[$0].name })
            if let known = owner.flatMap({ names.indices.contains($0) ? names[$0] : nil }) { taken.formUnion(known) }
            while taken.contains(name) { name.append("_") }
            owner = try add(DerivedResource(name: name, path: Bytes()), below: visit.resource, visit.place)
        }
        guard let owner else { return Visit(node: place, resource: nil, place: .root) }
        resources[owner].ids = describe(ids, place)
        for each in shorter { add(each.operation, named: each.name, to: owner, .collection) }
        let isAlone = nodes[place].operations.count == 1 && resources[owner].operations.isEmpty
        for operation in nodes[place].operations {
            let name = operation.verb ?? nameOfMember(operation.index, place, node, isAlone)
            add(operation.index, named: name, to: owner, .member)
        }
        let besideIDs = Set(node.literals.filter { nodes[$0].id != nil }.map { nodes[$0].name })
        return Visit(node: place, resource: owner, place: .member, besideIDs: besideIDs)
    }

    /// The name of the only operation with fewer ids than the resource has: a list, or the reading of a thing with a different id.
    /// nil if the further ids belong to another resource.
    private mutating func nameOfShorter(_ place: PathNode, _ node: PathNode) -> Bytes? {
        guard place.literals.isEmpty, place.operations.count == 1, place.operations[0].verb == nil,
            operations[place.operations[0].index].method == "GET"
        else { return nil }
        if shape(operations[place.operations[0].index]).isList(of: node.name) { return "list" }
        return place.operations[0].id == place.innerName ? nil : "read"
    }

    /// The name of an operation on a member by its method; nil if the method does not define it.
    private mutating func nameOfMember(_ index: Int, _ place: Int, _ node: PathNode, _ isAlone: Bool) -> Bytes? {
        let entry = operations[index]
        if entry.method == "GET" { return isAlone && shape(entry).kind == .array ? "list" : "read" }
        guard entry.method == "POST" else { return Self.capability(onMember: entry.method)?.name }
        let others = nodes[place].operations.map { operations[$0.index].method }
        if others.contains("PUT") || others.contains("PATCH") { return nil }
        if others.contains("GET") || PathNames.changes(entry) { return "update" }
        return isAlone ? "create" : nil
    }

    /// The ids, as declared by the first operation that has them.
    private func describe(_ ids: [Bytes], _ place: Int) -> [ParameterDescription] {
        let declared = nodes[place].operations.first.map { operations[$0.index].ids } ?? []
        var result: [ParameterDescription] = []
        for id in ids {
            let found = declared.first { $0.name == id }
            var description = found ?? ParameterDescription(name: id, location: .path, isRequired: true)
            description.name = id
            // Two ids of a path may have the same name.
            while result.contains(where: { $0.name == description.name }) { description.name.append("_") }
            result.append(description)
        }
        return result
    }

    private mutating func add(_ resource: DerivedResource, below parent: Int?, _ place: Place) throws(Failure) -> Int {
        var resource = resource
        resource.parent = parent
        resource.place = parent == nil ? .root : place
        let parentBytes = parent.map { routeBytes[$0] &+ 1 } ?? 0
        routeBytes.append(parentBytes &+ resource.name.count)
        total &+= parentBytes &+ resource.name.count
        if total > Limits.tableBytes {
            throw Failure(.limit, "the routes of all resources have more than \(Limits.tableBytes) bytes")
        }
        resources.append(resource)
        names.append([])
        return resources.count &- 1
    }

    private mutating func addCollectionOperations(of node: PathNode, to resource: Int) {
        for operation in node.operations {
            var name = operation.verb
            let entry = operations[operation.index]
            if name == nil {
                switch (entry.method, node.id != nil) {
                case ("GET", true): name = "list"
                case ("GET", false): name = shape(entry).isList(of: node.name) ? "list" : "read"
                case ("POST", _): name = "create"
                case ("DELETE", true): name = isAboutOne(node) ? nil : "delete_all"
                case ("PUT", true): name = replacesAll(entry) ? "replace_all" : nil
                case (_, true): break
                case (let method, false): name = Self.capability(onMember: method)?.name
                }
            }
            add(operation.index, named: name, to: resource, .collection)
        }
    }

    /// Whether the GET of a collection does not return a collection, so that its DELETE does not delete one.
    private mutating func isAboutOne(_ node: PathNode) -> Bool {
        let read = node.operations.first { $0.verb == nil && operations[$0.index].method == "GET" }
        return read.map { shape(operations[$0.index]).kind == .scalar } ?? false
    }

    /// Whether the body of a PUT is the whole collection, and not one thing with its id.
    private mutating func replacesAll(_ operation: OperationDescription) -> Bool {
        guard let type = operation.bodyType ?? operation.bodies.first?.type else { return false }
        return shapes.shape(of: type).isMany
    }

    private static func capability(onMember method: Bytes) -> Capability? {
        switch method {
        case "GET": .read
        case "PUT": .update
        case "PATCH": .patch
        case "DELETE": .delete
        default: nil
        }
    }

    /// The shape of the first declared success.
    private mutating func shape(_ operation: OperationDescription) -> SchemaShape {
        for result in operation.results where !result.isError && result.lowest >= 200 && result.lowest < 300 {
            return result.type.map { shapes.shape(of: $0) } ?? SchemaShape()
        }
        return SchemaShape()
    }

    /// Adds an operation; if it has no name or the name exists already, it has the name from the document.
    private mutating func add(_ index: Int, named wanted: Bytes?, to resource: Int, _ place: Place) {
        let operation = operations[index]
        let key = keys.operations[operation.name]
        let own = key?.name.isEmpty ?? true ? nil : key?.name
        var name = own ?? wanted ?? Bytes()
        if name.isEmpty || names[resource].contains(name) {
            if let own {
                warnings.append(
                    "\(operation.name.printable): \"x-routable-name\": \"\(resources[resource].name.printable)\" has another operation named \"\(own)\""
                )
            }
            name = PathNames.free(operation, operation.template?.segments ?? [])
            if names[resource].contains(name) { name = operation.name }
        }
        guard names[resource].insert(name).inserted else {
            omitted.append((index, "the resource has another operation named \"\(name.printable)\""))
            return
        }
        let capability = Capability.named(name).flatMap { $0.isMethod(operation.method) ? $0 : nil }
        if capability == .list { resources[resource].elementType = shape(operation).element }
        resources[resource].operations.append(
            DerivedOperation(index: index, name: name, place: place, capability: capability))
    }

    // MARK: Operations of other resources

    private struct Child: Hashable {
        let parent: Int
        let name: Bytes
        let place: Place
    }

    /// Adds operations to the resources that the document declares for them.
    mutating func move(_ moved: [Int]) throws(Failure) {
        if moved.isEmpty { return }
        var children: [Child: Int] = [:]
        // The number of ids before those of each resource.
        var counts: [Int] = []
        for (index, resource) in resources.enumerated() {
            try Memory.check()
            children[Child(parent: resource.parent ?? -1, name: resource.name, place: resource.place)] = index
            let isBelowMember = resource.place == .member
            counts.append(resource.parent.map { counts[$0] &+ (isBelowMember ? resources[$0].ids.count : 0) } ?? 0)
        }
        for index in moved {
            try Memory.check()
            let operation = operations[index]
            let route = keys.operations[operation.name]?.route ?? Bytes()
            var reason: Bytes = "there is no resource \"\(route)\""
            if let owner = Self.find(route, children) {
                let count = operation.template?.parameterCount ?? 0
                let most = counts[owner] &+ resources[owner].ids.count
                if count == counts[owner] || count == most {
                    add(index, named: nil, to: owner, count == counts[owner] ? .collection : .member)
                    continue
                }
                let takes: Bytes = most == counts[owner] ? "\(most)" : "\(counts[owner]) or \(most)"
                reason = "the path has \(count) parameter\(count == 1 ? "" : "s"), and \"\(route)\" has \(takes)"
            }
            reason = "\"x-routable-resource\": \(reason)"
            omitted.append((index, reason))
            warnings.append("\(operation.name.printable): \(reason)")
        }
    }

    private static func find(_ route: Bytes, _ children: [Child: Int]) -> Int? {
        var owner = -1
        var places: [Place] = [.root]
        var name = Bytes()
        for byte in route.storage + [UInt8(ascii: ".")] {
            if byte != UInt8(ascii: ".") && byte != UInt8(ascii: "/") {
                name.append(byte)
                continue
            }
            var found: Int?
            for place in places where found == nil { found = children[Child(parent: owner, name: name, place: place)] }
            guard let found else { return nil }
            owner = found
            places = byte == UInt8(ascii: "/") ? [.collection] : [.member, .collection]
            name = Bytes()
        }
        return owner
    }
}
