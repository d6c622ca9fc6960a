// Compiles a resolved route into the steps of a plan.

struct PlanProgram {
    private let router: Router
    private let walk: ResolvedRoute
    private(set) var ids: [Plan.IdSlot] = []
    private(set) var steps: [Plan.Step] = []
    private(set) var literals: [UInt8] = []
    private(set) var queryNames: [Plan.QueryName] = []
    private(set) var pathLiteralBytes = 0
    private var pending: [UInt8] = []

    init(_ router: Router, _ walk: ResolvedRoute) {
        self.router = router
        self.walk = walk
    }

    mutating func compile() {
        for (position, index) in walk.resources.enumerated() {
            let resource = router.resources[index]
            for segment in resource.segments { addLiteralSegment(segment) }
            let isLast = position == walk.resources.count &- 1
            let ids = resource.ids(to: isLast ? walk.operation.description.place : .member)
            for (id, names) in zip(ids, resource.idNames) { add(id, names, of: resource, isLast: isLast) }
        }
        for segment in walk.operation.template.segments { add(segment) }
        // In OpenAPI, the path "/" is a slash after the server; a route document has no path at all in this case.
        let isSlash = walk.operation.template.segmentCount == 0 && walk.operation.template.isMade
        if walk.operation.template.hasTrailingSlash || isSlash { pending.append(UInt8(ascii: "/")) }
        flush()
        pathLiteralBytes = literals.count
        for parameter in walk.operation.query { addQuery(parameter) }
    }

    private mutating func addLiteralSegment(_ text: Bytes) {
        pending.append(UInt8(ascii: "/"))
        PathLiteral.append(text, to: &pending)
    }

    private mutating func add(_ id: ParameterEntry, _ known: IdNames, of resource: ResourceEntry, isLast: Bool) {
        let label = isLast ? id.description.name : known.label
        // The ids of a resource that occurs twice are given by position.  If another id already has the name, position decides, too.
        let occurrences = walk.resources.reduce(0) { $0 &+ ($1 == resource.index ? 1 : 0) }
        var names = occurrences > 1 ? [] : isLast ? known.own : known.outer
        if names.contains(where: { isTaken($0) }) { names = names.filter { !isTaken($0) } }
        pending.append(UInt8(ascii: "/"))
        flush()
        addSlot(id, names: names, label: label, id.description.takesSegments ? .catchAll : .segment, isParent: !isLast)
    }

    private mutating func add(_ segment: Template.Segment) {
        pending.append(UInt8(ascii: "/"))
        let isWhole = segment.pieces.count == 1
        for piece in segment.pieces {
            switch piece {
            case .literal(let text): PathLiteral.append(text, to: &pending)
            case .parameter(let name): addTemplateSlot(name, isWhole ? .segment : .piece)
            case .catchAll(let name): addTemplateSlot(name, .catchAll)
            }
        }
        if !isWhole {
            flush()
            steps.append(Plan.Step(kind: .endOfPieces, slot: 0, offset: 0, count: 0))
        }
    }

    private mutating func addTemplateSlot(_ name: Bytes, _ kind: Plan.Step.Kind) {
        flush()
        let parameters = walk.operation.parameters
        let parameter =
            parameters.first { $0.description.location == .path && $0.description.name == name }
            ?? ParameterEntry(ParameterDescription(name: name, location: .path, isRequired: true))
        // An id of the walk may already have the name: then position decides.
        addSlot(parameter, names: isTaken(name) ? [] : [name], label: name, kind)
    }

    private func isTaken(_ name: Bytes) -> Bool { ids.contains { $0.names.contains(name) } }

    private mutating func addSlot(
        _ parameter: ParameterEntry, names: [Bytes], label: Bytes, _ kind: Plan.Step.Kind, isParent: Bool = false
    ) {
        steps.append(Plan.Step(kind: kind, slot: UInt32(truncatingIfNeeded: ids.count), offset: 0, count: 0))
        ids.append(
            Plan.IdSlot(
                parameter: parameter, names: names, label: label, isCatchAll: kind == .catchAll, isWhole: kind != .piece,
                isParent: isParent,
                isPlain: parameter.description.scalar.isPlain, allowsEmpty: parameter.description.allowsEmpty))
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        steps.append(
            Plan.Step(
                kind: .literal, slot: 0, offset: UInt32(truncatingIfNeeded: literals.count),
                count: UInt32(truncatingIfNeeded: pending.count)))
        literals.append(contentsOf: pending)
        pending = []
    }

    private mutating func addQuery(_ parameter: ParameterEntry) {
        let start = literals.count
        literals.append(contentsOf: PercentCoding.encode(parameter.name.bytes, .unreserved).storage)
        literals.append(UInt8(ascii: "="))
        let end = literals.count
        if let text = parameter.description.defaultValue?.scalarText, !parameter.description.isArray {
            literals.append(contentsOf: literals[start..<end])
            literals.append(contentsOf: PercentCoding.encode(text, .unreserved).storage)
        }
        queryNames.append(
            Plan.QueryName(
                offset: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: end &- start),
                isPlain: parameter.description.scalar.isPlain && !parameter.description.isArray
                    && parameter.description.style == nil,
                isRequired: parameter.description.isRequired, defaultOffset: UInt32(truncatingIfNeeded: end),
                defaultCount: UInt32(truncatingIfNeeded: literals.count &- end)))
    }
}
