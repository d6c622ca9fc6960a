// Makes the segment graph from the entries of a router, by the rules of ResolvedRoute.swift.  Both must define the same
// routes; the property tests of building and matching verify that.

extension SegmentGraph {
    /// The nodes of one resource; nodes that no route leads to are not made.
    private struct Nodes {
        var member = -1
        /// The collection with the members: for roots and ordinary children.
        var whole = -1
        /// The collection alone: for a shallow child below its parent.
        var collection = -1
        /// The members alone: for a nested resource whose members are at the root.
        var passage = -1
    }

    /// Operations are numbered: first those of resources in declaration order, then the standalone ones.
    init(_ resources: [ResourceEntry], _ operations: [OperationEntry]) throws(Failure) {
        self.init()
        var places = [Nodes](repeating: Nodes(), count: resources.count)
        var firstOperation: [Int] = []
        var total = 0
        for resource in resources {
            firstOperation.append(total)
            total &+= resource.operations.count
        }
        for resource in resources { places[resource.index].member = addNode() }
        // The collection nodes are made on demand: each kind when the first edge leads to it.
        var starts: [(resource: Int, parent: Int, kind: Int)] = []
        for resource in resources {
            if resource.isRoot {
                starts.append((resource.index, Self.root, 0))
            } else if resource.hasRootMembers {
                starts.append((resource.index, Self.root, 2))
            }
            for child in resource.children {
                let kind = resources[child].description.isShallow ? 1 : 0
                starts.append((child, places[resource.index].member, kind))
            }
        }
        for start in starts {
            try Memory.check()
            let resource = resources[start.resource]
            let place = places[resource.index]
            var entry = start.kind == 0 ? place.whole : start.kind == 1 ? place.collection : place.passage
            let isNew = entry < 0
            // The edges of the first step lead to one node from all parents; the rest of the path follows it.
            var steps: [[Step]] = []
            for segment in resource.segments {
                steps.append([Step(symbol: try literalSymbol(segment, resource.description.pointer))])
            }
            let idsFirst = steps.count
            let ids = start.kind == 1 ? resource.ids.dropLast() : resource.ids[...]
            for (index, id) in zip(ids.indices, ids) {
                steps.append(
                    symbols(of: id.description).map {
                        Step(symbol: $0, identity: CaptureIdentity(resource: resource.index, parameter: index))
                    })
            }
            let collectionDepth = idsFirst &+ resource.ids.count &- 1
            var node = start.parent
            for (depth, step) in steps.enumerated() {
                if depth == collectionDepth && start.kind != 2 {
                    try hang(resource, .collection, firstOperation[resource.index], on: node)
                }
                let isMember = start.kind != 1 && depth == steps.count &- 1
                let next = isMember ? place.member : depth == 0 && !isNew ? entry : addNode()
                for way in step { link(node, way.symbol, to: next, way.identity) }
                if depth == 0 { entry = next }
                if depth == 0 && !isNew { break }
                node = next
            }
            if collectionDepth == steps.count && start.kind != 2 && (isNew || steps.isEmpty) {
                try hang(resource, .collection, firstOperation[resource.index], on: node)
            }
            if !isNew || steps.isEmpty { continue }
            switch start.kind {
            case 0: places[resource.index].whole = entry
            case 1: places[resource.index].collection = entry
            default: places[resource.index].passage = entry
            }
        }
        for resource in resources {
            try hang(resource, .member, firstOperation[resource.index], on: places[resource.index].member)
        }
        isHangingFree = true
        reserve(operations.count)
        for (index, operation) in operations.enumerated() where !operation.description.isUnmatched {
            try hang(operation, number: total &+ index, on: Self.root, firstParameter: 0)
        }
    }

    private mutating func hang(_ resource: ResourceEntry, _ place: Place, _ first: Int, on node: Int) throws(Failure) {
        for (index, operation) in resource.operations.enumerated() where operation.description.place == place {
            // The parameters of an operation begin with the ids of the place of the operation.
            try hang(operation, number: first &+ index, on: node, firstParameter: resource.ids(to: place).count)
        }
    }

    /// One of the symbols of a step.
    private struct Step {
        var symbol: SymbolID
        var identity = CaptureIdentity.none
    }

    /// The symbols that match the value of a whole segment, or of several segments.
    private mutating func symbols(of parameter: ParameterDescription) -> [SymbolID] {
        let symbol = symbols.symbol(parameter: parameter.matchScalar, isCatchAll: parameter.takesSegments)
        return parameter.allowsEmpty ? [symbol, symbols.emptySymbol()] : [symbol]
    }

    private mutating func hang(
        _ operation: OperationEntry, number: Int, on start: Int, firstParameter: Int
    ) throws(Failure) {
        // Several nodes if a value may be empty: each such value has two alternatives.
        var others: [Int] = []
        var node = start
        var parameter = firstParameter
        let template = operation.template
        let parameters = operation.parameters
        var index = 0
        while index < template.parts.count {
            let part = template.parts[index]
            if part.kind == .literal && part.isLast {
                // A literal of a whole segment.
                if part.range.count > Limits.literalBytes { throw longLiteral(operation.description.pointer) }
                let symbol = symbols.symbol(literalIn: template.text, part.range)
                for other in others.indices { others[other] = descend(others[other], symbol, .none) }
                node = descend(node, symbol, .none)
                index &+= 1
                continue
            }
            let identity = CaptureIdentity(resource: -1, parameter: parameter)
            var isEmptied = false
            let symbol: SymbolID
            if part.isLast {
                let isCatchAll = part.kind == .catchAll
                let isDeclared = parameter < parameters.count
                if !isCatchAll && (!isDeclared || parameters[parameter].takesAnyText) {
                    symbol = symbols.plainSymbol()
                } else {
                    let scalar = isDeclared ? parameters[parameter].description.matchScalar : Scalar()
                    symbol = symbols.symbol(parameter: scalar, isCatchAll: isCatchAll)
                }
                isEmptied = isDeclared && parameters[parameter].description.allowsEmpty
                parameter &+= 1
                index &+= 1
            } else {
                symbol = try mixedSymbol(operation, &index, &parameter)
            }
            let origins = isEmptied ? others + [node] : []
            for other in others.indices { others[other] = descend(others[other], symbol, identity) }
            if isEmptied {
                let empty = symbols.emptySymbol()
                for before in origins { others.append(descend(before, empty, identity)) }
            }
            node = descend(node, symbol, identity)
        }
        if template.hasTrailingSlash {
            let slash = symbols.symbol(literal: [])
            for other in others.indices { others[other] = descend(others[other], slash, .none) }
            node = descend(node, slash, .none)
        }
        if template.segmentCount > Limits.segmentsPerRoute {
            throw Failure(
                .limit, "the path \"\(operation.path.bytes.printable)\" has more than \(Limits.segmentsPerRoute) segments"
            )
            .at(operation.description.pointer)
        }
        for other in others { hang(number, on: other) }
        hang(number, on: node)
    }

    /// The symbol of a segment of several pieces.
    private mutating func mixedSymbol(
        _ operation: OperationEntry, _ index: inout Int, _ parameter: inout Int
    ) throws(Failure) -> SymbolID {
        var pieces: [SegmentPattern.Piece] = []
        let template = operation.template
        var isLast = false
        while !isLast {
            let part = template.parts[index]
            if part.kind == .literal {
                let text = Bytes(template.text[part.range])
                _ = try literalSymbol(text, operation.description.pointer)
                pieces.append(.literal(text))
            } else {
                let scalar =
                    operation.parameters.indices.contains(parameter)
                    ? operation.parameters[parameter].description.matchScalar : Scalar()
                pieces.append(.parameter(symbols.index(of: scalar)))
                parameter &+= 1
            }
            isLast = part.isLast
            index &+= 1
        }
        return symbols.symbol(.mixed, pieces)
    }

    private func longLiteral(_ pointer: Bytes) -> Failure {
        Failure(.limit, "a segment of the path is over \(Limits.literalBytes) bytes").at(pointer)
    }

    private mutating func literalSymbol(_ text: Bytes, _ pointer: Bytes) throws(Failure) -> SymbolID {
        if text.count > Limits.literalBytes {
            throw longLiteral(pointer)
        }
        return symbols.symbol(literal: text.storage)
    }
}
