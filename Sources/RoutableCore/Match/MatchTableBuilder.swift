// Builds the match table from the states.

internal import CSystem

struct MatchTableBuilder {
    private let states: StateGraph
    private let operations: [OperationEntry]
    /// The method key of each operation, in one array: the states refer to operations in any order, and entries are far apart in memory.
    private var methodKeys: [UInt64] = []
    /// The number of the first standalone operation; the operations of resources precede it.
    private var firstFree = 0

    private var words: [UInt64] = []
    private(set) var hangings: [MatchTable.Hanging] = []
    private(set) var branches: [MatchTable.Branch] = []
    private(set) var pieces: [MatchTable.Piece] = []
    private(set) var checks: [ScalarCheck] = []
    private(set) var ranges: [UInt32] = []
    private(set) var pool: [UInt8] = []
    private(set) var methods: [UInt64] = []
    private(set) var isAmbiguous = false
    /// The state that each slot leads to, if walks must be traced.
    private(set) var slotStates: [UInt32] = []

    /// The fields of a slot that describe the state that it leads to.
    private struct Header {
        var shift: UInt8 = 0
        var flags: UInt8 = 0
        var mask: UInt32 = 0
        var children: UInt32 = UInt32(MatchTable.slotBytes)
        var hanging: UInt32 = 0
    }
    private var headers: [Header]
    /// The slot that is reserved for the only edge of a state, next to the literal that leads to it; 0 for other states.
    private var keptSlots: [UInt32]
    // Reused for each state.
    private var hashes: [UInt64] = []
    private var layout = HashLayout()

    /// The contents of all slots, as words.
    var slotWords: [UInt64] { words }

    init(_ states: StateGraph, _ operations: [OperationEntry]) {
        self.states = states
        self.operations = operations
        headers = [Header](repeating: Header(), count: states.count)
        keptSlots = [UInt32](repeating: 0, count: states.count)
        methodKeys.reserveCapacity(operations.count)
        for operation in operations {
            methodKeys.append(MatchTable.methodKey(operation.method))
            if operation.resource != nil { firstFree = methodKeys.count }
        }
    }

    mutating func run() {
        let symbols = states.graph.symbols
        pool = symbols.pool
        for scalar in symbols.scalars { addCheck(scalar) }
        // The root, and the slot without a key that is shared by states without children.
        words.reserveCapacity(states.edges.count &* 8 &+ 16)
        addSlots(2)
        for state in 0..<states.count { hang(state) }
        let beyond = UInt32(truncatingIfNeeded: hangings.count) &+ 1
        for state in 0..<states.count where headers[state].hanging & Self.onlyGet != 0 {
            headers[state].hanging = (headers[state].hanging & ~Self.onlyGet) &+ beyond
        }
        var isPlaced = [Bool](repeating: false, count: states.count)
        var pending = [0]
        isPlaced[0] = true
        // Depth first, so that slots that one walk reads are close to each other.
        while let state = pending.popLast() {
            place(state, symbols)
            for edge in states.edgeRange(state) {
                let target = Int(states.edges[edge].target)
                if isPlaced[target] { continue }
                isPlaced[target] = true
                pending.append(target)
            }
        }
        writeHeaders()
    }

    private mutating func addSlots(_ count: Int) {
        for _ in 0..<count {
            words.append(0)
            words.append(0)
            words.append(UInt64(MatchTable.noLength))
            words.append(0)
            slotTargets.append(UInt32.max)
        }
    }

    /// The state whose header each slot contains.
    private var slotTargets: [UInt32] = []

    // MARK: - States

    /// A mark for nodes with only one operation, with GET, until the number of the other operations is known.
    private static let onlyGet: UInt32 = 1 << 31

    private mutating func hang(_ state: Int) {
        let range = states.operationRange(state)
        if range.isEmpty { return }
        headers[state].hanging = UInt32(truncatingIfNeeded: hangings.count &+ 1)
        if range.count == 1 {
            let only = states.operations[range.lowerBound]
            if flags(of: Int(only), state) == 0 && methodKeys[Int(only)] == MatchTable.getKey {
                headers[state].hanging = Self.onlyGet | only
            } else {
                hang(Int(only), state, isLast: true)
            }
            return
        }
        let sorted = states.operations[range].map { Int($0) }.ordered {
            let (left, right) = (operations[$0].description.method, operations[$1].description.method)
            if left == right { return $0 < $1 }
            // GET is first, because a match of any method selects it.
            if left == "GET" || right == "GET" { return left == "GET" }
            return left < right
        }
        for (index, operation) in sorted.enumerated() { hang(operation, state, isLast: index == sorted.count &- 1) }
    }

    private mutating func hang(_ operation: Int, _ state: Int, isLast: Bool) {
        let flags = flags(of: operation, state) | (isLast ? MatchTable.Hanging.last : 0)
        let method = number(of: methodKeys[operation])
        hangings.append(MatchTable.Hanging(operation, method: method, flags: flags))
    }

    private func flags(of operation: Int, _ state: Int) -> UInt32 {
        if operation >= firstFree { return states.hasTwoIdentities ? MatchTable.Hanging.renumber : 0 }
        return states.isTraced[state] ? MatchTable.Hanging.trace : 0
    }

    /// The number of a method.  Only the first 16 methods are searched, so that further ones may be stored more than once.
    private mutating func number(of method: UInt64) -> Int {
        var number = 0
        for known in methods {
            if known == method { return number }
            number &+= 1
            if number == 16 { break }
        }
        methods.append(method)
        return methods.count &- 1
    }

    private mutating func place(_ state: Int, _ symbols: SymbolTable) {
        let range = states.edgeRange(state)
        if range.isEmpty { return }
        if range.count == 1 {
            placeOnly(states.edges[range.lowerBound], of: state, symbols)
            return
        }
        // The literals precede the other edges.
        var middle = range.upperBound
        while middle > range.lowerBound && !states.edges[middle &- 1].symbol.isLiteral { middle &-= 1 }
        let literals = states.edges[range.lowerBound..<middle]
        let others = states.edges[middle..<range.upperBound]
        if range.count > 1 && !others.isEmpty { isAmbiguous = true }
        let reserved = others.isEmpty ? 0 : 1
        hashes.removeAll(keepingCapacity: true)
        for edge in literals {
            let key = Self.key(symbols, edge.symbol)
            hashes.append(MatchTable.hash(key.0, key.1))
        }
        let stride = stride(literals, symbols)
        layout.place(hashes, reserved: reserved) { index in
            // proof: there is a hash for each literal.
            let (first, last, count) = Self.key(symbols, literals[literals.startIndex &+ index].symbol)
            let start = Int(symbols.literalStart[literals[literals.startIndex &+ index].symbol.index])
            let hash = symbols.pool.withUnsafeBytes { pool in
                pool.baseAddress.map { MatchTable.secondHash(first, last, $0 + start, count) } ?? 0
            }
            return Int(truncatingIfNeeded: (hash & 0xFFFF_FFFF) / UInt64(MatchTable.slotBytes &* stride))
        }
        let first = startOfSlots(stride)
        addSlots(layout.slotCount &* stride)
        // The mask is in bytes: with twice the stride, the same bits of the hash are shifted one position higher.
        headers[state].shift = layout.slotCount == 1 ? 0 : layout.shift &- UInt8(truncatingIfNeeded: stride &- 1)
        headers[state].mask = UInt32(truncatingIfNeeded: (layout.slotCount &- 1) &* stride &* MatchTable.slotBytes)
        headers[state].children = UInt32(truncatingIfNeeded: first &* MatchTable.slotBytes)
        var isProbed = !layout.movedHomes.isEmpty
        for (index, edge) in literals.enumerated() {
            let slot = first &+ layout.slots[index] &* stride
            if stride > 1 { keep(slot &+ 1, for: edge, symbols) }
            let isLong = setLiteral(slot, edge, symbols)
            isProbed = isProbed || isLong
        }
        for home in layout.movedHomes { setFlag(first &+ home &* stride, MatchTable.Flag.moved) }
        placeOthers(others, at: first, of: state, symbols, isProbed: isProbed)
    }

    /// Places the only edge of a state, which most states have: it uses the first slot.
    private mutating func placeOnly(_ edge: StateGraph.Edge, of state: Int, _ symbols: SymbolTable) {
        var first = Int(keptSlots[state])
        if first == 0 {
            let stride = edge.symbol.isLiteral && isPaired(edge, symbols) ? 2 : 1
            first = startOfSlots(stride)
            addSlots(stride)
            if stride > 1 { keep(first &+ 1, for: edge, symbols) }
        }
        headers[state].children = UInt32(truncatingIfNeeded: first &* MatchTable.slotBytes)
        if edge.symbol.isLiteral {
            _ = setLiteral(first, edge, symbols)
        } else {
            placeOthers(states.edges[states.edgeRange(state)], at: first, of: state, symbols, isProbed: false)
        }
    }

    // MARK: - Pairs
    //
    // Most literals lead to one plain parameter.  Its slot is reserved next to the slot of the literal, in the same cache line: the
    // slots that requests use in a table of 20,000 routes do not fit into the caches, and each line less saves one cache miss.

    /// Whether a literal leads to one plain parameter whose slot is not placed yet.
    private func isPaired(_ edge: StateGraph.Edge, _ symbols: SymbolTable) -> Bool {
        let target = Int(edge.target)
        let range = states.edgeRange(target)
        guard range.count == 1, let only = states.edges[range].first, !only.symbol.isLiteral else { return false }
        return symbols.patterns[only.symbol.index].rank == .plain && keptSlots[target] == 0
            && headers[target].children == UInt32(MatchTable.slotBytes)
    }

    /// The number of slots for each literal: two if at least half of the literals are paired.
    private func stride(_ literals: ArraySlice<StateGraph.Edge>, _ symbols: SymbolTable) -> Int {
        var count = 0
        for edge in literals where isPaired(edge, symbols) { count &+= 1 }
        return count > 0 && count &* 2 >= literals.count ? 2 : 1
    }

    /// The index of the next slots: pairs begin at the start of a cache line.
    private mutating func startOfSlots(_ stride: Int) -> Int {
        if stride > 1 && slotTargets.count % 2 != 0 { addSlots(1) }
        return slotTargets.count
    }

    private mutating func keep(_ slot: Int, for edge: StateGraph.Edge, _ symbols: SymbolTable) {
        if isPaired(edge, symbols) { keptSlots[Int(edge.target)] = UInt32(truncatingIfNeeded: slot) }
    }

    // MARK: - Edges

    /// Writes the literal of a slot; returns whether it is longer than the words of the slot.
    private mutating func setLiteral(_ slot: Int, _ edge: StateGraph.Edge, _ symbols: SymbolTable) -> Bool {
        let (firstWord, lastWord, length) = Self.key(symbols, edge.symbol)
        words[slot &* 4] = firstWord
        words[slot &* 4 &+ 1] = length > 16 ? UInt64(symbols.literalStart[edge.symbol.index]) : lastWord
        setLength(slot, UInt16(truncatingIfNeeded: length) | (length > 16 ? MatchTable.longLength : 0))
        slotTargets[slot] = edge.target
        return length > 16
    }

    private mutating func placeOthers(
        _ others: ArraySlice<StateGraph.Edge>, at first: Int, of state: Int, _ symbols: SymbolTable, isProbed: Bool
    ) {
        guard let only = others.first else { return }
        if others.count == 1 && symbols.patterns[only.symbol.index].rank == .plain {
            headers[state].flags = isProbed ? MatchTable.Flag.probedParameter : MatchTable.Flag.parameter
            setIdentity(first, only.identity)
            slotTargets[first] = only.target
            return
        }
        headers[state].flags = MatchTable.Flag.branches
        words[first &* 4 &+ 1] = UInt64(truncatingIfNeeded: branches.count)
        for (index, edge) in others.enumerated() {
            let slot = slotTargets.count
            addSlots(1)
            setIdentity(slot, edge.identity)
            slotTargets[slot] = edge.target
            let pattern = symbols.patterns[edge.symbol.index]
            let kind: MatchTable.Branch.Kind
            var detail = 0
            if case .parameter(let scalar)? = pattern.onlyPiece { detail = scalar }
            switch pattern.rank {
            case .mixed:
                kind = .mixed
                detail = pieces.count
                addPieces(pattern)
            case .constrained: kind = .constrained
            case .plain: kind = .plain
            case .constrainedCatchAll: kind = .constrainedCatchAll
            case .catchAll: kind = .catchAll
            case .empty: kind = .empty
            }
            let goesOn = pattern.isCatchAll && !states.edgeRange(Int(edge.target)).isEmpty
            if goesOn { isAmbiguous = true }
            branches.append(
                MatchTable.Branch(
                    kind: kind, isLast: index == others.count &- 1, goesOn: goesOn, detail: UInt32(truncatingIfNeeded: detail),
                    slot: UInt32(truncatingIfNeeded: slot &* MatchTable.slotBytes)))
        }
    }

    private mutating func addPieces(_ pattern: SegmentPattern) {
        for (index, piece) in pattern.pieces.enumerated() {
            var result = MatchTable.Piece(
                start: 0, end: 0, scalar: 0, isParameter: true, isLast: index == pattern.pieces.count &- 1)
            switch piece {
            case .literal(let text):
                result.isParameter = false
                result.start = UInt32(truncatingIfNeeded: pool.count)
                pool.append(contentsOf: text.storage)
                result.end = UInt32(truncatingIfNeeded: pool.count)
            case .parameter(let scalar): result.scalar = UInt32(truncatingIfNeeded: scalar)
            }
            pieces.append(result)
        }
    }

    private mutating func addCheck(_ scalar: Scalar) {
        let first = ranges.count / 2
        for value in scalar.values {
            ranges.append(UInt32(truncatingIfNeeded: pool.count))
            pool.append(contentsOf: value.storage)
            ranges.append(UInt32(truncatingIfNeeded: pool.count))
        }
        checks.append(ScalarCheck(scalar, values: (first, scalar.values.count)))
    }

    // MARK: - Slots

    private mutating func setIdentity(_ slot: Int, _ identity: CaptureIdentity) {
        words[slot &* 4] =
            UInt64(UInt32(bitPattern: identity.resource)) | UInt64(UInt32(bitPattern: identity.parameter)) << 32
    }

    private mutating func setLength(_ slot: Int, _ length: UInt16) {
        words[slot &* 4 &+ 2] = words[slot &* 4 &+ 2] & ~0xFFFF | UInt64(length)
    }

    private mutating func setFlag(_ slot: Int, _ flag: UInt8) { words[slot &* 4 &+ 2] |= UInt64(flag) << 24 }

    private mutating func writeHeaders() {
        slotTargets[0] = 0
        for (slot, target) in slotTargets.enumerated() where target != UInt32.max {
            let header = headers[Int(target)]
            words[slot &* 4 &+ 2] |= UInt64(header.shift) << 16 | UInt64(header.flags) << 24 | UInt64(header.mask) << 32
            words[slot &* 4 &+ 3] =
                UInt64(header.children &- UInt32(truncatingIfNeeded: slot &* MatchTable.slotBytes)) | UInt64(header.hanging)
                << 32
        }
        if states.hasTwoIdentities { slotStates = slotTargets }
    }

    /// The words of a literal's slot, and its length.
    private static func key(_ symbols: SymbolTable, _ symbol: SymbolID) -> (UInt64, UInt64, Int) {
        let range = symbols.literalRange(symbol.index)
        let first = csystem_word(symbols.pool, range.lowerBound, min(range.lowerBound &+ 8, range.upperBound))
        let last = range.count < 8 ? 0 : csystem_word(symbols.pool, range.upperBound &- 8, range.upperBound)
        return (first, last, range.count)
    }
}

extension MatchTable {
    static let getKey: UInt64 = 0x54_4547

    /// The first eight bytes of a method, zero padded; a longer method has no zero byte in its key.
    static func methodKey(_ method: Text) -> UInt64 {
        let start = method.start
        var key: UInt64 = 0
        var index = min(method.count, 8)
        while index > 0 {
            index &-= 1
            key = key &<< 8 | UInt64(start[index])
        }
        // The caller's reference may be the last one.
        withExtendedLifetime(method) {}
        return key
    }
}
