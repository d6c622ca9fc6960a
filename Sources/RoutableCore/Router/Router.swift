// The opened description: validated, immutable, shared by any number of threads.

/// An opened description.
public final class Router: Sendable {
    package let description: RouterDescription
    /// The name of the API.
    public let name: Text
    package let base: Base?
    package let baseText: Text
    /// nil if the base is the only server.
    let servers: ServerTable?
    package let resources: [ResourceEntry]
    /// Standalone operations.
    package let operations: [OperationEntry]
    /// Named types.
    package let types: [TypeEntry]
    package let userData: [UserDataEntry]
    package let codec: (any BodyCodec)?
    /// For a document that declares only operations.
    let lazyGraph: LazyGraph?

    /// Warnings about the description and its routes: sentences at addresses that do not change.
    package let warningTexts: [Text]
    package let headers: [HeaderField]
    private let resourceNames: TextPool
    private let operationNames: TextPool
    let index: RouteIndex
    /// The memory of the match engine, which matches read without touching the object that owns it.  Its type is known in Match, which
    /// opens routers (Match/Router+open.swift).
    nonisolated(unsafe) let matchTable: UnsafeRawPointer

    /// For a checked description.  `matchTable` exists as long as `index`.
    init(
        _ description: RouterDescription, _ base: Base?, _ servers: ServerTable?, _ headers: [HeaderField],
        _ assembly: RouterAssembly,
        _ index: RouteIndex, _ matchTable: UnsafeRawPointer, _ matchWarnings: [Text],
        _ codec: (any BodyCodec)?
    ) {
        // Texts that are parts of a document are not stored twice.
        var kept = description
        if kept.source != nil { kept.operations = [] }
        self.description = kept
        warningTexts = description.warnings.map { Text($0) } + assembly.warnings + matchWarnings
        self.codec = codec
        lazyGraph = description.graph.map { LazyGraph($0) }
        self.base = base
        self.servers = servers
        self.headers = headers
        name = Text(description.name)
        baseText = Text(description.base ?? Bytes())
        resources = assembly.resources
        operations = assembly.operations
        resourceNames = assembly.resourceNames
        operationNames = assembly.operationNames
        self.index = index
        self.matchTable = matchTable
        var types: [TypeEntry] = []
        for type in description.types where !type.name.isEmpty && Memory.hasRoom(types) { types.append(TypeEntry(type)) }
        self.types = types
        userData = description.userData.map { UserDataEntry($0) }
    }

    /// The base of the requests of an operation; nil if none is declared, or if the servers of the operation cannot be used.
    package func base(of operation: OperationEntry) -> Base? {
        operation.base ?? (operation.description.baseProblem.isEmpty ? base : nil)
    }

    /// The failure of a request without a base.
    @inline(never)
    package func noBaseFailure(_ label: Bytes, _ operation: OperationEntry) -> Failure {
        let own = operation.description.baseProblem
        let problem = own.isEmpty ? description.baseProblem : own
        let reason: Bytes = problem.isEmpty ? "the router has no base" : "no server can be used: \(problem)"
        return Failure(.url, "\(label): \(reason); set a base when you open the router, or in the call") {
            $0.pointer = "/base"
        }
    }

    package func resource(named name: Bytes) -> ResourceEntry? {
        resourceNames.index(of: name).flatMap { resources.indices.contains($0) ? resources[$0] : nil }
    }

    package func operation(named name: Bytes) -> OperationEntry? {
        operationIndex(named: name).map { operations[$0] }
    }

    /// The position of a standalone operation.
    package func operationIndex(named name: Bytes) -> Int? {
        operationNames.index(of: name).flatMap { operations.indices.contains($0) ? $0 : nil }
    }
}

extension Bytes {
    /// The text as a reference token of a JSON pointer (RFC 6901 section 3).
    public var pointerEscaped: Bytes {
        var result = Bytes()
        for byte in storage {
            switch byte {
            case UInt8(ascii: "~"): result.append("~0")
            case UInt8(ascii: "/"): result.append("~1")
            default: result.append(byte)
            }
        }
        return result
    }
}
