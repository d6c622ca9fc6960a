// Selects the operations of a document that the router contains.

package import RoutableCore

/// `only` and `except`: names of operations; at most one of the lists is given.
package struct OperationSelection: Sendable {
    private var listed = Set<Bytes>()
    private var isOnly = false
    private var isGiven = false

    package init() {}

    /// - Throws: `argument` if both are given.
    package init(only: [Bytes]?, except: [Bytes]?) throws(Failure) {
        if only != nil && except != nil {
            throw Failure(.argument, "\"only\" and \"except\" exclude each other: use one of them")
        }
        guard let names = only ?? except else { return }
        listed = Set(names)
        isOnly = only != nil
        isGiven = true
    }

    /// Whether neither list is given.
    package var isEmpty: Bool { !isGiven }

    func names(_ name: Bytes) -> Bool { listed.contains(name) }

    func allows(_ name: Bytes) -> Bool { !isGiven || listed.contains(name) == isOnly }

    /// - Throws: `unknown` for a name that no operation has.
    func check(_ found: Set<Bytes>, _ known: Set<Bytes>) throws(Failure) {
        guard isGiven, let missing = listed.filter({ !found.contains($0) }).ordered().first else { return }
        throw Failure.unknownName(
            .unknown, "\(isOnly ? "only" : "except"): there is no operation", missing, among: Array(known))
    }

    /// The description of a route document with only the selected operations: standalone operations by name, others as `resource.operation`.
    package func narrowed(_ description: RouterDescription) throws(Failure) -> RouterDescription {
        if !isGiven { return description }
        var result = description
        var known = Set<Bytes>()
        var found = Set<Bytes>()
        func isKept(_ name: Bytes) -> Bool {
            known.insert(name)
            if names(name) { found.insert(name) }
            return allows(name)
        }
        result.resources = result.resources.map { resource in
            var resource = resource
            let name = resource.name
            let dropped = resource.capabilities.members.filter { !isKept("\(name).\($0.name)") }
            for capability in dropped { resource.capabilities.remove(Capabilities(capability)) }
            resource.operations = resource.operations.filter { operation in
                operation.capability.map { !dropped.contains($0) } ?? isKept("\(name).\(operation.name)")
            }
            return resource
        }
        result.operations = result.operations.filter { isKept($0.name) }
        result.operationNames = nil
        try check(found, known)
        for scheme in result.authSchemes where !scheme.refresh.isEmpty {
            if !result.operations.contains(where: { $0.name == scheme.refresh }) {
                throw Failure(
                    .document,
                    "the auth scheme \"\(scheme.name.printable)\" is refreshed by \"\(scheme.refresh.printable)\", which \"\(isOnly ? "only" : "except")\" removes"
                ).at("\(scheme.pointer)/refresh")
            }
        }
        return result
    }
}
