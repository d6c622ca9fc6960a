// Moves the operations of an imported document into the resources that its paths describe (docs/openapi.md, "The graph of a
// document").  A route document can express less than paths can: operations that it cannot express keep their operationId, with a remark.

import RoutableCore
import RoutableDocuments
import RoutableJSON

struct ImportedResources {
    /// The resource of an operation in the result, and its properties there.
    private struct Spot {
        var resource: Int
        var place: Place
        var name: Bytes
        var capability: Capability?
        /// The part of its path after the path of the resource.
        var path: Bytes
        /// The number of parameters of its path that are ids of resources.
        var idCount: Int
        /// The reason why the operation differs from the one that its path describes.
        var reason: Bytes?
    }

    /// A segment of the path of a resource.
    private enum Step: Equatable {
        case literal(Bytes)
        case id
    }

    private let flat: RouterDescription
    private let derived: DerivedDescription
    /// The operations of `flat` by their index in the document; nil for those that are omitted.
    private let operations: [OperationDescription?]
    private let templates: [Template]
    /// For each resource, the resource whose members contain it.
    private var bases: [Int?] = []
    /// For each resource, the resources that have it as their base.
    private var children: [[Int]] = []
    /// For each resource, the number of resources above it.
    private var depths: [Int] = []
    /// The literal segments after the path of the base; empty for a resource whose path is not used, as in the next two.
    private var paths: [[Bytes]] = []
    private var collections: [[Step]] = []
    private var members: [[Step]] = []
    /// The number of ids in the path of the collection of a resource.
    private var idCounts: [Int] = []
    private var spots: [Spot?] = []
    /// The names of the operations of each resource.
    private var taken: [Set<Bytes>] = []
    private var names: [Bytes?] = []
    /// Resources with an id that operations declare with different types.
    private var relaxed: Set<Int> = []
    private var lines: [(place: Bytes, what: Bytes)] = []

    /// - Parameters:
    ///   - names: The names of the operations of `flat`, by their index in the document.
    init(_ flat: RouterDescription, _ derived: DerivedDescription, names: [Bytes?]) {
        self.flat = flat
        self.derived = derived
        var known: [Bytes: OperationDescription] = [:]
        for operation in flat.operations { known[operation.name] = operation }
        operations = names.map { $0.flatMap { known[$0] } }
        templates = operations.map { operation in operation.flatMap { $0.template ?? (try? Template($0.path)) } ?? Template() }
        let count = derived.resources.count
        children = Array(repeating: [], count: count)
        var isRead = derived.resources.map { !$0.operations.isEmpty }
        for (number, resource) in derived.resources.enumerated() {
            let parent = resource.parent
            let base = isBelowMember(number) ? parent : parent.flatMap { bases[$0] }
            bases.append(base)
            depths.append(parent.map { depths[$0] + 1 } ?? 0)
            idCounts.append(base.map { idCounts[$0] + derived.resources[$0].ids.count } ?? 0)
            if let base { children[base].append(number) }
        }
        for number in (0..<count).reversed() where isRead[number] { if let base = bases[number] { isRead[base] = true } }
        for (number, resource) in derived.resources.enumerated() {
            let path = isRead[number] ? path(of: number) : []
            let collection = isRead[number] ? (bases[number].map { members[$0] } ?? []) + path.map { Step.literal($0) } : []
            paths.append(path)
            collections.append(collection)
            members.append(isRead[number] ? collection + resource.ids.map { _ in .id } : [])
        }
    }

    /// Whether a resource is below the members of its parent.
    private func isBelowMember(_ number: Int) -> Bool {
        let resource = derived.resources[number]
        return resource.place == .member && resource.parent.map { !derived.resources[$0].ids.isEmpty } ?? false
    }

    /// The literal segments of a resource after the path of its base.
    private func path(of number: Int) -> [Bytes] {
        var path: [Bytes] = []
        var next = number
        while true {
            let own = derived.resources[next].path
            if !own.isEmpty { path.append(contentsOf: own.split(on: UInt8(ascii: "/")).reversed()) }
            if isBelowMember(next) { return path.reversed() }
            guard let parent = derived.resources[next].parent else { return derived.prefix + path.reversed() }
            next = parent
        }
    }

    /// The number of ids in the path of a member or a collection.
    private func idCount(of number: Int, _ place: Place) -> Int {
        idCounts[number] + (place == .member ? derived.resources[number].ids.count : 0)
    }

    /// The route document with resources; adds the remarks about it.
    mutating func run(_ remarks: inout Remarks) throws(Failure) -> RouterDescription {
        var excluded = Set(flat.authSchemes.map { $0.refresh }.filter { !$0.isEmpty })
        var tried = 0
        while true {
            let result = grouped(excluded)
            do throws(Failure) {
                _ = try Opening().open(RouteDocument.write(result))
                say(&remarks)
                return result
            } catch {
                tried += 1
                let others = refused(at: error.fields.pointer ?? Bytes()).subtracting(excluded)
                if others.isEmpty || tried > 200 {
                    remarks.add("#/paths", "their resources: \(error.message)")
                    return flat
                }
                excluded.formUnion(others)
            }
        }
    }

    /// The operations at a pointer into the result; for a pointer to no resource, the operations of resources with an id of several types.
    private func refused(at pointer: Bytes) -> Set<Bytes> {
        let tokens = JSONPointer.tokens(pointer)
        let resource = tokens.count > 1 && tokens[0] == "resources" ? names.firstIndex { $0 == tokens[1] } : nil
        var result: Set<Bytes> = []
        for (index, spot) in spots.enumerated() {
            guard let spot, let operation = operations[index] else { continue }
            if let resource {
                if spot.resource == resource && (tokens.count < 4 || spot.name == tokens[3]) { result.insert(operation.name) }
            } else if relaxed.contains(spot.resource) {
                result.insert(operation.name)
            }
        }
        return result
    }

    // MARK: Resources of operations

    private mutating func grouped(_ excluded: Set<Bytes>) -> RouterDescription {
        spots = [Spot?](repeating: nil, count: operations.count)
        taken = derived.resources.map { _ in [] }
        lines = []
        for (index, reason) in derived.omitted where operations.indices.contains(index) { tellStandalone(index, reason) }
        for (number, resource) in derived.resources.enumerated() {
            for operation in resource.operations where operations.indices.contains(operation.index) {
                guard let own = operations[operation.index] else { continue }
                if excluded.contains(own.name) {
                    tellStandalone(operation.index, "it would not be distinguished from others, or a scheme refreshes with it")
                    continue
                }
                place(operation, of: number, own)
            }
        }
        nameResources()
        return description()
    }

    private mutating func place(_ operation: DerivedOperation, of number: Int, _ own: OperationDescription) {
        let resource = derived.resources[number]
        let template = templates[operation.index]
        var reason = Bytes()
        if let capability = operation.capability {
            let isThere = operation.place == capability.place && own.method == capability.method
            let steps = operation.place == .member ? members[number] : collections[number]
            if !isThere || operation.place == .collection && resource.ids.count > 1 {
                reason =
                    isThere
                    ? "the collection of a resource with several ids has all but the last in its path"
                    : own.method != capability.method
                        ? "\"\(capability.name)\" is a \(capability.method)"
                        : "only a resource with an id can have \"\(capability.name)\""
            } else if let rest = rest(of: template, behind: steps), rest.isEmpty, !template.hasTrailingSlash {
                return take(
                    operation.index,
                    Spot(
                        resource: number, place: operation.place, name: capability.name, capability: capability, path: Bytes(),
                        idCount: idCount(of: number, operation.place)))
            } else {
                reason = "the path of a resource consists of whole segments, and has no slash at its end"
            }
        }
        // The nearest resource whose path is a prefix of the operation's path.
        var next: Int? = number
        var isFirst = true
        while let host = next {
            for place in [Place.member, .collection] {
                if place == .member && (derived.resources[host].ids.isEmpty || isFirst && operation.place == .collection) {
                    continue
                }
                if place == .collection && derived.resources[host].ids.count > 1 { continue }
                let steps = place == .member ? members[host] : collections[host]
                guard let rest = rest(of: template, behind: steps), !(rest.isEmpty && template.hasTrailingSlash) else {
                    continue
                }
                let isOwn = isFirst && place == operation.place && Capability.named(operation.name) == nil
                let wanted = isOwn ? operation.name : own.name
                let name = [wanted, own.name].first { Capability.named($0) == nil && isName($0) && !taken[host].contains($0) }
                guard let name else { continue }
                if reason.isEmpty && !(isFirst && name == operation.name) {
                    reason = "its path continues that of this resource"
                }
                return take(
                    operation.index,
                    Spot(
                        resource: host, place: place, name: name, path: path(rest, template.hasTrailingSlash),
                        idCount: idCount(of: host, place), reason: reason.isEmpty ? nil : reason))
            }
            isFirst = false
            next = bases[host]
        }
        tellStandalone(operation.index, reason.isEmpty ? "no path of a resource begins its path" : reason)
    }

    private mutating func take(_ index: Int, _ spot: Spot) {
        taken[spot.resource].insert(spot.name)
        spots[index] = spot
    }

    private func isName(_ name: Bytes) -> Bool {
        !name.isEmpty && !name.storage.contains { $0 == UInt8(ascii: ".") || ASCII.isControl($0) }
    }

    /// The segments of a path after those of a resource; nil if the path does not begin with them.
    private func rest(of template: Template, behind steps: [Step]) -> ArraySlice<Template.Segment>? {
        let segments = template.segments
        guard segments.count >= steps.count else { return nil }
        for (step, segment) in zip(steps, segments) {
            switch step {
            case .literal(let text): if segment.literal != text { return nil }
            case .id:
                guard segment.pieces.count == 1, case .parameter? = segment.pieces.first else { return nil }
            }
        }
        return segments[steps.count...]
    }

    private func path(_ rest: ArraySlice<Template.Segment>, _ hasSlash: Bool) -> Bytes {
        let path = rest.isEmpty ? "/" : OpenAPIImport.path(rest)
        return hasSlash ? "\(path)/" : path
    }

    // MARK: Resources

    /// Names are unique in a route document: if a name is used, the names of parent resources are prepended to the next one.
    private mutating func nameResources() {
        var isUsed = Array(repeating: false, count: derived.resources.count)
        for case let spot? in spots { isUsed[spot.resource] = true }
        for number in derived.resources.indices.reversed() where isUsed[number] {
            if let base = bases[number] { isUsed[base] = true }
        }
        // Resources with fewer parents come first.
        let order = derived.resources.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
        var all: Set<Bytes> = []
        // The next number for a name that is already used.
        var counts: [Bytes: Int] = [:]
        names = derived.resources.map { _ in nil }
        for number in order where isUsed[number] {
            let resource = derived.resources[number]
            var name = Bytes(resource.name.storage.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 })
            var parent = resource.parent
            while all.contains(name), let next = parent {
                name = "\(derived.resources[next].name)_\(name)"
                parent = derived.resources[next].parent
            }
            let first = name
            while !all.insert(name).inserted {
                let count = counts[first, default: 2]
                name = "\(first)_\(count)"
                counts[first] = count + 1
            }
            names[number] = name
        }
    }

    private mutating func description() -> RouterDescription {
        var result = flat
        var resources = derived.resources.indices.map { number -> ResourceDescription? in
            guard let name = names[number] else { return nil }
            let segments = paths[number].map { Template.Segment(pieces: [.literal($0)]) }
            var resource = ResourceDescription(name: name, path: Bytes(OpenAPIImport.path(segments[...]).storage.dropFirst()))
            resource.isNested = bases[number] != nil
            resource.children = children[number].compactMap { names[$0] }
            return resource
        }
        relaxed = []
        let below = operationsBelow()
        for number in resources.indices where resources[number] != nil && !derived.resources[number].ids.isEmpty {
            resources[number]?.ids = ids(of: number, below[number])
        }
        var moved: Set<Bytes> = []
        for (index, spot) in spots.enumerated() {
            guard let spot, var operation = operations[index] else { continue }
            moved.insert(operation.name)
            tell(spot, operation)
            let rest = templates[index].parameterNames.dropFirst(spot.idCount)
            operation.ids = operation.ids.filter { rest.contains($0.name) }
            operation.name = spot.name
            operation.place = spot.place
            operation.capability = spot.capability
            operation.path = spot.path
            operation.template = nil
            resources[spot.resource]?.operations.append(operation)
            if let capability = spot.capability { resources[spot.resource]?.capabilities.insert(Capabilities(capability)) }
        }
        result.operations.removeAll { moved.contains($0.name) }
        for case var resource? in resources {
            resource.type = type(of: resource)
            result.resources.append(resource)
        }
        return result
    }

    /// The operations of each resource and of the resources below its members, by their index in the document.
    private func operationsBelow() -> [[Int]] {
        var result: [[Int]] = Array(repeating: [], count: derived.resources.count)
        for (index, spot) in spots.enumerated() where operations[index] != nil {
            var next = spot?.resource
            while let number = next {
                result[number].append(index)
                next = bases[number]
            }
        }
        return result
    }

    /// The ids with the properties that all operations declare for them.
    private mutating func ids(of number: Int, _ below: [Int]) -> [ParameterDescription] {
        let before = idCounts[number]
        var result: [ParameterDescription] = []
        for (position, id) in derived.resources[number].ids.enumerated() {
            var name = Bytes(id.name.storage.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 })
            while ParameterDescription.refusal(ofIdName: name) != nil || result.contains(where: { $0.name == name }) {
                name.append("_")
            }
            var made = ParameterDescription(id: name)
            made.summary = id.summary
            var first: Bytes?
            var isDeclaredDifferently = false
            for index in below {
                guard let spot = spots[index], let operation = operations[index] else { continue }
                let names = templates[index].parameterNames
                guard before + position < min(spot.idCount, names.count) else { continue }
                let own = operation.ids.first { $0.name == names[before + position] }
                let scalar = own?.scalar ?? Scalar()
                made.scalar = scalar
                let text = Self.text(of: scalar)
                isDeclaredDifferently = first.map { $0 != text } ?? false
                if isDeclaredDifferently { break }
                first = text
            }
            if isDeclaredDifferently {
                made.scalar = Scalar()
                relaxed.insert(number)
                lines.append(
                    (
                        "resource \((names[number] ?? id.name).printable)",
                        "the type of the id \"\(id.name.printable)\", which its operations declare differently"
                    ))
            }
            result.append(made)
        }
        return result
    }

    private static func text(of scalar: Scalar) -> Bytes {
        var description = RouterDescription()
        var operation = OperationDescription(name: "a", method: "GET", path: "/{a}", place: .root)
        var id = ParameterDescription(name: "a", location: .path, isRequired: true)
        id.scalar = scalar
        operation.ids = [id]
        description.operations = [operation]
        return RouteDocument.write(description)
    }

    /// The type of the members of a resource, if declaring it changes none of its operations.
    private func type(of resource: ResourceDescription) -> Int? {
        var found: Int?
        for operation in resource.operations {
            guard let capability = operation.capability, capability != .patch, capability != .delete else { continue }
            if operation.bodyType == nil && (capability == .create || capability == .update) { return nil }
            guard let success = operation.results.first(where: { !$0.isError }) else { return nil }
            if found == nil && capability != .list { found = success.type }
        }
        return found.flatMap { flat.types.indices.contains($0) && !flat.types[$0].name.isEmpty ? $0 : nil }
    }

    // MARK: Remarks

    private mutating func tellStandalone(_ index: Int, _ reason: Bytes) {
        guard let operation = operations[index] else { return }
        lines.append(
            (
                "\(operation.method) \(operation.path)",
                "its resource: it stays the operation \"\(operation.name.printable)\": \(reason)"
            ))
    }

    private mutating func tell(_ spot: Spot, _ operation: OperationDescription) {
        guard let reason = spot.reason else { return }
        let name = names[spot.resource] ?? Bytes()
        lines.append(
            (
                "\(operation.method) \(operation.path)",
                "its name by the path: it is \"\(spot.name.printable)\" of \(name.printable): \(reason)"
            ))
    }

    private func say(_ remarks: inout Remarks) {
        for line in lines { remarks.add(line.place, line.what) }
        for (number, name) in names.enumerated() {
            guard let name, name != derived.resources[number].name else { continue }
            remarks.count("a resource is named after what it stands below, too, because names are unique in a route document")
        }
    }

    /// Whether the operation with this index in the document keeps its name of `flat`.
    func keepsName(_ index: Int) -> Bool {
        guard spots.indices.contains(index), let spot = spots[index] else { return true }
        return spot.name == operations[index]?.name
    }
}
