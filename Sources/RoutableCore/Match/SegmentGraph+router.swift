// From the entries of a router to its segment graph, by the rules of Walk.swift: the two must agree on which
// routes exist, which the property tests of building and matching hold.

extension SegmentGraph {
    /// The nodes of one resource; those that no way leads to are never made.
    private struct Nodes {
        var member = -1
        /// Collection with members, as roots and ordinary children have it.
        var whole = -1
        /// Collection alone: a shallow child below its parent.
        var collection = -1
        /// Members alone: a nested resource whose members stand at the root.
        var passage = -1
    }

    /// Operations are numbered: those of resources in declaration order, then the free ones.
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
        // Entries are made on the way: each kind of collection when the first edge leads to it.
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
            let resource = resources[start.resource]
            let place = places[resource.index]
            var entry = start.kind == 0 ? place.whole : start.kind == 1 ? place.collection : place.passage
            let isNew = entry < 0
            var literals: [SymbolID] = []
            for segment in resource.segments { literals.append(try literalSymbol(segment, resource.description.pointer)) }
            guard let first = literals.first else { continue }
            if isNew { entry = addNode() }
            link(start.parent, first, to: entry)
            guard isNew else { continue }
            switch start.kind {
            case 0: places[resource.index].whole = entry
            case 1: places[resource.index].collection = entry
            default: places[resource.index].passage = entry
            }
            var node = entry
            for literal in literals.dropFirst() {
                let next = addNode()
                link(node, literal, to: next)
                node = next
            }
            if start.kind != 2 {
                try hang(resource, .collection, firstOperation[resource.index], on: node)
            }
            if start.kind != 1 {
                let symbol = symbols.symbol(parameter: resource.description.id.scalar)
                let identity = CaptureIdentity(resource: Int32(truncatingIfNeeded: resource.index), parameter: -1)
                link(node, symbol, to: place.member, identity)
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
            // The parameters of a member's operation begin with the id of the member.
            try hang(operation, number: first &+ index, on: node, firstParameter: place == .member ? 1 : 0)
        }
    }

    private mutating func hang(
        _ operation: OperationEntry, number: Int, on start: Int, firstParameter: Int
    ) throws(Failure) {
        var node = start
        var parameter = firstParameter
        let template = operation.template
        let parameters = operation.parameters
        var index = 0
        while index < template.parts.count {
            let part = template.parts[index]
            if part.kind == .literal && part.isLast {
                // The whole of a segment.
                if part.range.count > Limits.literalBytes { throw longLiteral(operation.description.pointer) }
                node = descend(node, symbols.symbol(literalIn: template.text, part.range), .none)
                index &+= 1
                continue
            }
            let identity = CaptureIdentity(resource: -1, parameter: Int32(truncatingIfNeeded: parameter))
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
                parameter &+= 1
                index &+= 1
            } else {
                symbol = try mixedSymbol(operation, &index, &parameter)
            }
            node = descend(node, symbol, identity)
        }
        if template.hasTrailingSlash { node = descend(node, symbols.symbol(literal: []), .none) }
        if template.segmentCount > Limits.segmentsPerRoute {
            throw Failure(.limit, "the path \"\(operation.path.bytes.printable)\" has more than \(Limits.segmentsPerRoute) segments")
                .at(operation.description.pointer)
        }
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
