// Determines whether the values of a route can make a path that matches another route.
//
// Computed once for each plan, so that plans of routes that nothing can shadow have no cost when they are
// used.  If it is undecided, the result is that they can: then each written path is matched once.

struct ShadowAnalysis {
    /// One segment of the route of the plan.  A plain struct: all fields always have a value.
    private struct Step {
        enum Kind { case literal, parameter, mixed, catchAll }

        let kind: Kind
        /// The text of a literal.
        var text = Bytes()
        /// The scalar of a parameter.
        var scalar = Scalar()
        /// The number of parameters in a mixed segment.
        var count = 0
        /// Whether the value of a parameter may be empty.
        var allowsEmpty = false
        /// Whether the style of a parameter writes delimiters unescaped.
        var isStyled = false

        static func literal(_ text: Bytes) -> Step { Step(kind: .literal, text: text) }
        static func parameter(_ description: ParameterDescription) -> Step {
            description.takesSegments
                ? .catchAll
                : Step(
                    kind: .parameter, scalar: description.scalar, allowsEmpty: description.allowsEmpty,
                    isStyled: description.style != nil)
        }
        static func mixed(_ count: Int) -> Step { Step(kind: .mixed, count: count) }
        static var catchAll: Step { Step(kind: .catchAll) }
    }

    private let table: MatchTable
    private let scalars: [Scalar]
    private var steps: [Step] = []
    private var budget = 4000

    init(_ router: Router, _ walk: ResolvedRoute) {
        table = router.table
        scalars = router.matcher.scalars
        // The parameters of an operation begin with the ids of the place of the operation.
        var parameter = 0
        for (position, index) in walk.resources.enumerated() {
            let resource = router.resources[index]
            for segment in resource.segments { steps.append(.literal(segment)) }
            let isLast = position == walk.resources.count &- 1
            let ids = resource.ids(to: isLast ? walk.operation.description.place : .member)
            for id in ids { steps.append(.parameter(id.description)) }
            parameter = ids.count
        }
        for segment in walk.operation.template.segments {
            if let literal = segment.literal {
                steps.append(.literal(literal))
                continue
            }
            let count = segment.parameterCount
            if case .catchAll? = segment.pieces.first {
                steps.append(.catchAll)
            } else if segment.pieces.count > 1 {
                steps.append(.mixed(count))
            } else {
                let parameters = walk.operation.parameters
                steps.append(
                    parameters.indices.contains(parameter)
                        ? .parameter(parameters[parameter].description) : Step(kind: .parameter))
            }
            parameter &+= count
        }
        if walk.operation.template.hasTrailingSlash { steps.append(.literal(Bytes())) }
    }

    /// The number of segments of the route; a catch-all counts as one.
    var segmentCount: Int { steps.count }

    /// Whether the values may be parsed differently: several are in one segment, or one has several segments.
    var hasLooseValues: Bool {
        steps.contains { $0.count > 1 || $0.kind == .catchAll }
    }

    /// Whether some values may lead to another route.
    mutating func isNeeded() -> Bool {
        for (index, step) in steps.enumerated()
        where step.count > 1 || step.allowsEmpty || step.kind == .catchAll && index &+ 1 < steps.count {
            return true
        }
        var slot = table.root
        for index in steps.indices {
            guard let next = own(slot, index) else { return true }
            if isContested(slot, index, by: next) { return true }
            slot = next
        }
        return false
    }

    /// The slot that continues the route itself.
    private func own(_ slot: Slot, _ index: Int) -> Slot? {
        let children = slot.children
        let step = steps[index]
        switch step.kind {
        case .literal: return child(slot, step.text)
        case .parameter:
            if slot.flags & MatchTable.Flag.anyParameter != 0 { return children }
            return branches(slot).first {
                ($0.kind == .plain || $0.kind == .constrained) && isSame(step.scalar, Int($0.detail))
            }.map { table.slot(at: $0.slot) }
        case .mixed, .catchAll:
            // Only matching can distinguish these from other patterns.
            let all = branches(slot)
            guard all.count == 1, let only = all.first, !only.goesOn else { return nil }
            return table.slot(at: only.slot)
        }
    }

    private func isSame(_ scalar: Scalar, _ index: Int) -> Bool {
        guard scalars.indices.contains(index) else { return false }
        return scalars[index].isSame(as: scalar) || scalars[index].isPlain && scalar.isPlain
    }

    /// Whether an edge that is tried before that of the route may match its segment and lead to an operation.
    private mutating func isContested(_ slot: Slot, _ index: Int, by own: Slot) -> Bool {
        if steps[index].kind == .literal { return false }
        if steps[index].kind == .catchAll, slot.flags & MatchTable.Flag.branches == 0 || hasLiterals(slot) { return true }
        if reaches(literalsOf: slot, index) { return true }
        for branch in branches(slot) {
            if table.slot(at: branch.slot).address == own.address { return false }
            if reaches(branch, index) { return true }
        }
        return false
    }

    private mutating func reaches(literalsOf slot: Slot, _ index: Int) -> Bool {
        var place: UInt32 = 0
        while true {
            let child = slot.children.at(place)
            if child.length != MatchTable.noLength && child.length > 0 && isTaken(child, steps[index])
                && reaches(child, index &+ 1)
            {
                return true
            }
            if place >= slot.mask { return false }
            place &+= UInt32(MatchTable.slotBytes)
        }
    }

    private func isTaken(_ child: Slot, _ step: Step) -> Bool {
        if step.kind != .parameter { return true }
        let text = table.literalText(of: child)
        // A value is written with escaped delimiters, so that it differs from this text.
        if !step.isStyled && PathLiteral.hasDelimiter(text) { return false }
        return step.scalar.isPlain || step.scalar.accepts(PathLiteral.decoded(text))
    }

    private mutating func reaches(_ branch: MatchTable.Branch, _ index: Int) -> Bool {
        if branch.kind == .catchAll || branch.kind == .constrainedCatchAll { return true }
        return reaches(table.slot(at: branch.slot), index &+ 1)
    }

    /// Whether the rest of the route may lead from a state to an operation.
    private mutating func reaches(_ slot: Slot, _ index: Int) -> Bool {
        budget &-= 1
        if budget < 0 { return true }
        guard index < steps.count else { return slot.hanging != 0 }
        let step = steps[index]
        switch step.kind {
        case .literal:
            if let child = child(slot, step.text), reaches(child, index &+ 1) { return true }
            if step.text.isEmpty {
                // An empty segment is matched by the literal, and otherwise only by a value that may be empty.
                for branch in branches(slot) where branch.kind == .empty && reaches(branch, index) { return true }
                return false
            }
        case .parameter, .mixed: if reaches(literalsOf: slot, index) { return true }
        case .catchAll: return true
        }
        if slot.flags & MatchTable.Flag.anyParameter != 0 { return reaches(slot.children, index &+ 1) }
        for branch in branches(slot) where branch.kind != .empty && reaches(branch, index) { return true }
        return false
    }

    private func hasLiterals(_ slot: Slot) -> Bool {
        var place: UInt32 = 0
        while true {
            if slot.children.at(place).length != MatchTable.noLength { return true }
            if place >= slot.mask { return false }
            place &+= UInt32(MatchTable.slotBytes)
        }
    }

    private func child(_ slot: Slot, _ text: Bytes) -> Slot? {
        text.isEmpty
            ? table.literal(UnsafeRawBufferPointer(start: table.pool, count: 0), below: slot)
            : text.storage.withUnsafeBytes { table.literal($0, below: slot) }
    }

    private func branches(_ slot: Slot) -> [MatchTable.Branch] {
        guard slot.flags & MatchTable.Flag.branches != 0 else { return [] }
        var result: [MatchTable.Branch] = []
        var index = slot.children.firstBranch
        while true {
            result.append(table.branches[index])
            if table.branches[index].isLast { return result }
            index &+= 1
        }
    }
}

extension Template.Segment {
    /// The number of parameters.
    var parameterCount: Int {
        pieces.reduce(0) { if case .literal = $1 { $0 } else { $0 &+ 1 } }
    }
}
