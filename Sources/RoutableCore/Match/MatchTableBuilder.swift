// From states to the table that is searched.

struct MatchTableBuilder {
    private let states: StateGraph
    private let operations: [OperationEntry]

    private var words: [UInt64] = []
    private(set) var hangings: [MatchTable.Hanging] = []
    private(set) var branches: [MatchTable.Branch] = []
    private(set) var pieces: [MatchTable.Piece] = []
    private(set) var checks: [ScalarCheck] = []
    private(set) var ranges: [UInt32] = []
    private(set) var pool: [UInt8] = []
    private(set) var longKeys: [MatchTable.LongKey] = []
    private(set) var isAmbiguous = false
    /// The state that each slot leads to, where walks have to be traced.
    private(set) var slotStates: [UInt32] = []

    /// What a slot says of the state that it leads to.
    private struct Header {
        var shift: UInt8 = 0
        var flags: UInt8 = 0
        var mask: UInt32 = 0
        var children: UInt32 = UInt32(MatchTable.slotBytes)
        var hanging: UInt32 = 0
    }
    private var headers: [Header]

    /// The words of all slots.
    var slotWords: [UInt64] { words }

    init(_ states: StateGraph, _ operations: [OperationEntry]) {
        self.states = states
        self.operations = operations
        headers = [Header](repeating: Header(), count: states.count)
    }

    mutating func run() {
        let symbols = states.graph.symbols
        pool = symbols.pool
        for scalar in symbols.scalars { addCheck(scalar) }
        // The root, and the slot without a key that states without children share.
        words.reserveCapacity(states.edges.count &* 8 &+ 16)
        addSlots(2)
        for state in 0..<states.count { hang(state) }
        var isPlaced = [Bool](repeating: false, count: states.count)
        var pending = [0]
        isPlaced[0] = true
        // Depth first, so that what is walked together lies together.
        while let state = pending.popLast() {
            place(state, symbols)
            for edge in states.edges[states.edgeRange(state)] where !isPlaced[Int(edge.target)] {
                isPlaced[Int(edge.target)] = true
                pending.append(Int(edge.target))
            }
        }
        writeHeaders()
        longKeys.sort { $0.slot < $1.slot }
    }

    private mutating func addSlots(_ count: Int) {
        for _ in 0..<count { words.append(contentsOf: [0, 0, UInt64(MatchTable.noLength), 0]) }
        slotTargets.append(contentsOf: repeatElement(UInt32.max, count: count))
    }

    /// The state whose header each slot holds.
    private var slotTargets: [UInt32] = []

    // MARK: - States

    private mutating func hang(_ state: Int) {
        let found = states.operations[states.operationRange(state)]
        guard !found.isEmpty else { return }
        headers[state].hanging = UInt32(truncatingIfNeeded: hangings.count &+ 1)
        var sorted = found.map { Int($0) }
        if sorted.count > 1 {
            sorted.sort {
                let (left, right) = (operations[$0].description.method, operations[$1].description.method)
                if left == right { return $0 < $1 }
                // What "any method" answers first.
                if left == "GET" || right == "GET" { return left == "GET" }
                return left < right
            }
        }
        for operation in sorted {
            var flags: UInt32 = operation == sorted.last ? MatchTable.Hanging.last : 0
            if operations[operation].resource == nil {
                if states.hasTwoIdentities { flags |= MatchTable.Hanging.renumber }
            } else if states.isTraced[state] {
                flags |= MatchTable.Hanging.trace
            }
            hangings.append(
                MatchTable.Hanging(
                    method: MatchTable.methodKey(operations[operation].method.buffer),
                    operation: UInt32(truncatingIfNeeded: operation), flags: flags))
        }
    }

    private mutating func place(_ state: Int, _ symbols: SymbolTable) {
        let range = states.edgeRange(state)
        if range.isEmpty { return }
        var literals: [StateGraph.Edge] = []
        var others: [StateGraph.Edge] = []
        for edge in states.edges[range] {
            if edge.symbol.isLiteral { literals.append(edge) } else { others.append(edge) }
        }
        if range.count > 1 && !others.isEmpty { isAmbiguous = true }
        let reserved = others.isEmpty ? 0 : 1
        let layout = HashLayout(literals.map { Self.key(symbols, $0.symbol) }, reserved: reserved)
        let first = slotTargets.count
        addSlots(layout.slotCount)
        headers[state].shift = layout.shift
        headers[state].mask = UInt32(truncatingIfNeeded: (layout.slotCount &- 1) &* MatchTable.slotBytes)
        headers[state].children = UInt32(truncatingIfNeeded: first &* MatchTable.slotBytes)
        var isProbed = !layout.movedHomes.isEmpty
        for (index, edge) in literals.enumerated() {
            let slot = first &+ layout.slots[index]
            let (firstWord, lastWord, length) = Self.key(symbols, edge.symbol)
            words[slot &* 4] = firstWord
            words[slot &* 4 &+ 1] = lastWord
            setLength(slot, UInt16(truncatingIfNeeded: length) | (length > 16 ? MatchTable.longLength : 0))
            isProbed = isProbed || length > 16
            slotTargets[slot] = edge.target
            if length > 16 {
                longKeys.append(
                    MatchTable.LongKey(
                        slot: UInt32(truncatingIfNeeded: slot &* MatchTable.slotBytes),
                        start: symbols.literalStart[edge.symbol.index]))
            }
        }
        for home in layout.movedHomes { setFlag(first &+ home, MatchTable.Flag.moved) }
        placeOthers(others, at: first, of: state, symbols, isProbed: isProbed)
    }

    private mutating func placeOthers(
        _ others: [StateGraph.Edge], at first: Int, of state: Int, _ symbols: SymbolTable, isProbed: Bool
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
            }
            branches.append(
                MatchTable.Branch(
                    kind: kind, isLast: index == others.count &- 1, detail: UInt32(truncatingIfNeeded: detail),
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
            words[slot &* 4 &+ 3] = UInt64(header.children) | UInt64(header.hanging) << 32
        }
        for slot in slotTargets.indices where slotTargets[slot] == UInt32.max {
            words[slot &* 4 &+ 3] = UInt64(MatchTable.slotBytes)
        }
        if states.hasTwoIdentities { slotStates = slotTargets }
    }

    private static func key(_ symbols: SymbolTable, _ symbol: SymbolID) -> (UInt64, UInt64, Int) {
        let range = symbols.literalRange(symbol.index)
        var first: UInt64 = 0
        var last: UInt64 = 0
        for (index, byte) in symbols.pool[range].prefix(8).enumerated() { first |= UInt64(byte) << UInt64(8 &* index) }
        if range.count >= 8 {
            for (index, byte) in symbols.pool[range].suffix(8).enumerated() { last |= UInt64(byte) << UInt64(8 &* index) }
        }
        return (first, last, range.count)
    }
}

extension MatchTable {
    /// The first eight bytes of a method, zero padded; a longer one has no zero byte in it.
    static func methodKey(_ method: UnsafeRawBufferPointer) -> UInt64 {
        var key: UInt64 = 0
        for (index, byte) in method.prefix(8).enumerated() { key |= UInt64(byte) << UInt64(8 &* index) }
        return key
    }
}

/// Where the keys of one state go.
struct HashLayout {
    private(set) var slotCount = 1
    private(set) var shift: UInt8 = 0
    /// Per key.
    private(set) var slots: [Int] = []
    /// Slots that a key hashes to that is elsewhere.
    private(set) var movedHomes: [Int] = []

    /// Sizes up to this many times the least are tried for a hash without collisions.
    private static let searchedKeys = 24

    init(_ keys: [(UInt64, UInt64, Int)], reserved: Int) {
        let needed = keys.count &+ reserved
        while slotCount < needed { slotCount &*= 2 }
        if keys.isEmpty { return }
        let hashes = keys.map { MatchTable.hash($0.0, $0.1) }
        if needed == 1 {
            slots = [0]
            return
        }
        let limit = keys.count <= Self.searchedKeys ? slotCount &* 4 : slotCount
        while keys.count > Self.searchedKeys && slotCount < needed &* 3 { slotCount &*= 2 }
        while true {
            if let found = Self.search(hashes, slotCount, reserved) {
                shift = found
                break
            }
            if slotCount >= limit {
                shift = Self.best(hashes, slotCount, reserved)
                break
            }
            slotCount &*= 2
        }
        fill(hashes, reserved)
    }

    /// A shift that gives each key a slot of its own.
    private static func search(_ hashes: [UInt64], _ slotCount: Int, _ reserved: Int) -> UInt8? {
        guard slotCount <= 64 else { return nil }
        for shift in shifts(slotCount) {
            var taken: UInt64 = reserved == 0 ? 0 : 1
            var isGood = true
            for hash in hashes {
                let bit: UInt64 = 1 << UInt64(place(hash, shift, slotCount))
                if taken & bit != 0 {
                    isGood = false
                    break
                }
                taken |= bit
            }
            if isGood { return shift }
        }
        return nil
    }

    /// The shift that leaves the fewest keys without a slot of their own.
    private static func best(_ hashes: [UInt64], _ slotCount: Int, _ reserved: Int) -> UInt8 {
        var best: UInt8 = 0
        var fewest = Int.max
        var taken = [UInt8](repeating: 0, count: slotCount)
        for (round, shift) in shifts(slotCount).enumerated() {
            let mark = UInt8(truncatingIfNeeded: round &+ 1)
            if reserved != 0 { taken[0] = mark }
            var collisions = 0
            for hash in hashes {
                let slot = place(hash, shift, slotCount)
                if taken[slot] == mark { collisions &+= 1 }
                taken[slot] = mark
            }
            if collisions < fewest {
                fewest = collisions
                best = shift
            }
        }
        return best
    }

    private mutating func fill(_ hashes: [UInt64], _ reserved: Int) {
        var isTaken = [Bool](repeating: false, count: slotCount)
        if reserved != 0 { isTaken[0] = true }
        slots = [Int](repeating: -1, count: hashes.count)
        var late: [Int] = []
        for (index, hash) in hashes.enumerated() {
            let slot = Self.place(hash, shift, slotCount)
            if isTaken[slot] {
                late.append(index)
                movedHomes.append(slot)
            } else {
                isTaken[slot] = true
                slots[index] = slot
            }
        }
        for index in late {
            var slot = Self.place(hashes[index], shift, slotCount)
            while isTaken[slot] { slot = (slot &+ 1) & (slotCount &- 1) }
            isTaken[slot] = true
            slots[index] = slot
        }
    }

    /// From the well mixed high bits down.
    private static func shifts(_ slotCount: Int) -> [UInt8] {
        var logarithm = 0
        while 1 << logarithm < slotCount { logarithm &+= 1 }
        return stride(from: 64 &- logarithm &- 5, through: 12, by: -1).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static func place(_ hash: UInt64, _ shift: UInt8, _ slotCount: Int) -> Int {
        // The mask is in bytes, so that the number of the slot begins at bit 5.
        Int(truncatingIfNeeded: hash >> (UInt64(shift) &+ 5)) & (slotCount &- 1)
    }
}
