// The match engine of one router: built when the router is opened, then immutable.

/// Owns the match table of a router, and the data that only some functions of a match need.
final class Matcher: RouteIndex, @unchecked Sendable {
    /// Owned; at a fixed address, so that a match need not copy it.
    nonisolated(unsafe) let tablePointer: UnsafePointer<MatchTable>
    var table: MatchTable { tablePointer.pointee }
    /// The scalars by the number that branches of the table have for them.
    let scalars: [Scalar]
    let warnings: [RouteWarning]
    let warningTexts: [Text]
    /// Nil unless captures must be traced.
    let trace: TraceMap?

    /// Compiles the routes.
    ///
    /// A function and not an `init`: in the Embedded mode, an object whose `init` throws is leaked.
    ///
    /// Failures: `conflict` for routes that cannot be distinguished, one failure per conflict, unless conflicts are
    /// warnings; `limit`.
    static func compile(
        _ resources: [ResourceEntry], _ standaloneOperations: [OperationEntry], conflictsAreWarnings: Bool = false,
        constants: OperationConstants = OperationConstants([], nil)
    ) throws(Failure) -> Matcher {
        let operations = resources.isEmpty ? standaloneOperations : resources.flatMap { $0.operations } + standaloneOperations
        let graph = try SegmentGraph(resources, standaloneOperations)
        var states = StateGraph(graph)
        var order = EdgeOrder(operations, resources, graph, constants)
        if let state = states.overflow {
            order.reportOverflow(state, states)
            throw limit(order.unfinished)
        }
        states.prune()
        order.run(&states)
        if !conflictsAreWarnings, let failure = failure(order.conflicts) { throw failure }
        if !conflictsAreWarnings, let warning = order.unfinished { throw limit(warning) }
        var builder = MatchTableBuilder(states, operations)
        builder.run()
        return Matcher(
            operations, states.graph.symbols.scalars, order.conflicts + (order.unfinished.map { [$0] } ?? []) + order.warnings,
            states.hasTwoIdentities ? TraceMap(states, builder.slotStates) : nil, table(builder))
    }

    private init(
        _ operations: [OperationEntry], _ scalars: [Scalar], _ warnings: [RouteWarning], _ trace: TraceMap?,
        _ table: MatchTable
    ) {
        self.scalars = scalars
        self.warnings = warnings
        warningTexts = warnings.map { Text($0.message) }
        self.trace = trace
        let pointer = UnsafeMutablePointer<MatchTable>.allocate(capacity: 1)
        pointer.initialize(to: table)
        tablePointer = UnsafePointer(pointer)
        super.init(operations)
    }

    deinit {
        table.deallocate()
        tablePointer.deallocate()
    }

    private static func limit(_ warning: RouteWarning?) -> Failure {
        Failure(.limit, warning?.message ?? "the routes overlap in too many ways to compare") {
            $0.pointer = warning?.pointer ?? Bytes()
            $0.allowed = (warning?.routes ?? []).ordered()
        }
    }

    /// The failure of the first conflict, with the other conflicts chained after it.
    private static func failure(_ conflicts: [RouteWarning]) -> Failure? {
        Failure.chained(
            conflicts.map { conflict in
                Failure(.conflict, conflict.message) {
                    $0.pointer = conflict.pointer
                    $0.allowed = conflict.routes.ordered()
                }
            })
    }

    private static func table(_ builder: MatchTableBuilder) -> MatchTable {
        let words = builder.slotWords
        // Slots begin at a cache line.
        let slots = UnsafeMutableRawPointer.allocate(byteCount: words.count &* 8, alignment: 64)
        words.withUnsafeBytes { if let from = $0.baseAddress { slots.copyMemory(from: from, byteCount: $0.count) } }
        let pool = UnsafeMutableRawPointer.allocate(byteCount: builder.pool.count &+ 1, alignment: 1)
        builder.pool.withUnsafeBytes { if let from = $0.baseAddress { pool.copyMemory(from: from, byteCount: $0.count) } }
        var byteCount = words.count &* 8
        byteCount &+= builder.pool.count
        byteCount &+= bytes(builder.hangings)
        byteCount &+= bytes(builder.branches)
        byteCount &+= bytes(builder.pieces)
        byteCount &+= bytes(builder.checks)
        byteCount &+= bytes(builder.ranges)
        byteCount &+= bytes(builder.methods)
        return MatchTable(
            slots: UnsafeRawPointer(slots), hangings: copy(builder.hangings),
            hangingCount: UInt32(truncatingIfNeeded: builder.hangings.count),
            methods: copy(builder.methods), branches: copy(builder.branches),
            pieces: copy(builder.pieces), checks: copy(builder.checks), ranges: copy(builder.ranges),
            pool: UnsafeRawPointer(pool),
            isAmbiguous: builder.isAmbiguous, byteCount: byteCount)
    }

    private static func bytes<Element>(_ elements: [Element]) -> Int {
        elements.count &* MemoryLayout<Element>.stride
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let storage = UnsafeMutablePointer<Element>.allocate(capacity: elements.count &+ 1)
        var index = 0
        for element in elements {
            (storage + index).initialize(to: element)
            index &+= 1
        }
        return UnsafePointer(storage)
    }
}

extension MatchTable {
    /// Frees the memory that `Matcher` allocated; all of it is trivial.
    fileprivate func deallocate() {
        slots.deallocate()
        hangings.deallocate()
        branches.deallocate()
        pieces.deallocate()
        checks.deallocate()
        ranges.deallocate()
        pool.deallocate()
        methods.deallocate()
    }
}

/// Determines the resources of captures if they depend on the end of the walk.
struct TraceMap: Sendable {
    private let states: TraceStates
    private let slotStates: [UInt32]

    private final class TraceStates: Sendable {
        let graph: StateGraph
        init(_ graph: StateGraph) { self.graph = graph }
    }

    init(_ states: StateGraph, _ slotStates: [UInt32]) {
        self.states = TraceStates(states)
        self.slotStates = slotStates
    }

    /// The identities of the captures on a walk to an operation, from left to right; one for each edge that captures.
    ///
    /// All edges to a node have one symbol, and two walks never end at one node (that is a conflict), so
    /// that the way back from the operation's node is unique.
    func identities(_ trail: UnsafeBufferPointer<UInt32>, operation: UInt32) -> [CaptureIdentity] {
        let graph = states.graph
        guard let last = trail.last, let lastState = state(last) else { return [] }
        var node = graph.members[graph.memberRange(lastState)].first {
            graph.graph.operations(of: Int($0)).contains(Int(operation))
        }
        var result: [CaptureIdentity] = []
        for position in trail.indices.reversed() {
            let before = position == 0 ? 0 : state(trail[position &- 1])
            guard let target = node, let before else { return [] }
            node = nil
            for member in graph.members[graph.memberRange(before)] where node == nil {
                graph.graph.forEachEdge(of: Int(member)) { edge in
                    guard edge.target == target, node == nil else { return }
                    node = member
                    if edge.symbol.isLiteral { return }
                    let count = graph.graph.symbols.patterns[edge.symbol.index].captureCount
                    for piece in (0..<count).reversed() {
                        var identity = edge.identity
                        if identity.parameter >= 0 { identity.parameter &+= Int32(truncatingIfNeeded: piece) }
                        result.append(identity)
                    }
                }
            }
        }
        return result.reversed()
    }

    private func state(_ slot: UInt32) -> Int? {
        let index = Int(slot) / MatchTable.slotBytes
        guard slotStates.indices.contains(index), slotStates[index] != UInt32.max else { return nil }
        return Int(slotStates[index])
    }
}
