// A resolved route and operation: writing a URL only copies literals and encodes values.

/// A route and an operation, resolved once to write many URLs.  Immutable: any number of threads may use it.
public final class Plan: Sendable {
    /// One value of the path.
    struct IdSlot: Sendable {
        let parameter: ParameterEntry
        /// The names of the value: its own name and `id`, or `<resource>_id`.  Empty: given by position only.
        let names: [Bytes]
        /// The name of the value in messages and errors.
        let label: Bytes
        let isCatchAll: Bool
        /// The value is a whole segment.
        let isWhole: Bool
        /// The value belongs to a resource above the last one of the walk.
        let isParent: Bool
        /// Any text is valid, so that only its form is checked.
        let isPlain: Bool
        /// The empty text is valid, too.
        let allowsEmpty: Bool
    }

    /// One step of writing the path.
    struct Step {
        enum Kind: UInt8 {
            /// Copies bytes that are already encoded.
            case literal
            /// Encodes a value as the whole of a segment.
            case segment
            /// Encodes a value as a part of a segment.
            case piece
            /// Encodes a value as one or more segments.
            case catchAll
            /// Checks whether the text since the last slash is a dot segment.
            case endOfPieces
        }
        let kind: Kind
        let slot: UInt32
        let offset: UInt32
        let count: UInt32
    }

    /// The router that resolved the route.
    public let router: Router
    package let route: Text
    package let operation: OperationEntry
    package let method: Text
    /// The header Accept of its requests, unless a call has one; nil for none.
    package let accept: HeaderField?
    let ids: [IdSlot]
    let resources: [Int]
    /// Some values make a path that matches another route; then each path is matched when it is written.
    let mayBeShadowed: Bool
    /// The values may be read back differently: several share a segment, or one spans several segments before the end of the path.
    let hasLooseValues: Bool

    // Owned: made in `init`, freed in `deinit`, never changed in between.
    nonisolated(unsafe) let steps: UnsafeBufferPointer<Step>
    nonisolated(unsafe) let literals: UnsafeBufferPointer<UInt8>
    nonisolated(unsafe) let queryNames: UnsafeBufferPointer<QueryName>
    /// Bytes of all literals of the path.
    let literalBytes: Int
    /// The usual case in plain memory; for plans that are used more than once.
    let quick: QuickPlan?

    /// One declared query parameter: the position of its encoded `name=` in the literals.
    struct QueryName {
        let offset: UInt32
        let count: UInt32
        let isPlain: Bool
        let isRequired: Bool
        /// The position of the encoded `name=default`; no bytes without a default.
        let defaultOffset: UInt32
        let defaultCount: UInt32
    }

    /// The number of values in the path.
    public var idCount: Int { ids.count }
    package var query: [ParameterEntry] { operation.query }
    /// The names of the values of the path in messages, with their parameters.
    package var labelledIDs: [(label: Bytes, parameter: ParameterDescription)] {
        ids.map { ($0.label, $0.parameter.description) }
    }

    /// Resolves a route, empty for a standalone operation, and an operation.
    ///
    /// Failures: `unknown`, `notAllowed`, `limit`.
    public static func make(
        _ router: Router, route: Bytes, operation: Bytes, isReused: Bool = false
    ) throws(Failure) -> Plan {
        let walk = try router.walk(route: route, operation: operation)
        let analysis = ShadowAnalysis(router, walk)
        let plan = Plan(router, route: route, walk, analysis, isReused: isReused)
        // A built path must match again.
        if plan.ids.count > Limits.idsPerRoute || analysis.segmentCount > Limits.segmentsPerRoute {
            throw Failure(.limit, "the route has more than \(Limits.idsPerRoute) ids or \(Limits.segmentsPerRoute) segments")
                .about(route: route, operation: operation)
        }
        return plan
    }

    init(_ router: Router, route: Bytes, _ walk: ResolvedRoute, _ analysis: ShadowAnalysis, isReused: Bool) {
        var analysis = analysis
        hasLooseValues = analysis.hasLooseValues
        var program = PlanProgram(router, walk)
        program.compile()
        self.router = router
        self.route = Text(route)
        operation = walk.operation
        method = walk.operation.method
        accept = Self.accept(router, walk.operation)
        resources = walk.resources
        ids = program.ids
        mayBeShadowed = !ids.isEmpty && !walk.operation.description.isShadowingAllowed && analysis.isNeeded()
        literalBytes = program.pathLiteralBytes
        steps = Self.copy(program.steps)
        literals = Self.copy(program.literals)
        queryNames = Self.copy(program.queryNames)
        quick =
            isReused && !mayBeShadowed
            ? QuickPlan(router.base(of: walk.operation), walk.operation, program.ids, steps, literals, queryNames) : nil
    }

    deinit {
        steps.deallocate()
        literals.deallocate()
        queryNames.deallocate()
        quick?.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let storage = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = storage.initialize(from: elements)
        return UnsafeBufferPointer(storage)
    }

    /// For errors: `user.status read`, or the name of the standalone operation.
    package var label: Bytes { route.isEmpty ? operation.name.bytes : "\(route.bytes) \(operation.name.bytes)" }
}
