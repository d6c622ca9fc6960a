// The list of tools of a router: the name, the operation and the hints of each.

package import RoutableCore
internal import RoutableJSON

/// An operation as a tool.
package struct ToolEntry {
    package let name: Bytes
    /// Empty for a standalone operation.
    package let route: Bytes
    package let path: Bytes
    package let operation: OperationEntry

    /// The hints follow from the method (RFC 9110 section 9.2) and the capability; `x-` keys of the operation replace them.
    package var isReadOnly: Bool {
        let method = operation.method.bytes
        let isSafe = method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE" || method == "QUERY"
        return hint("x-read-only") ?? isSafe
    }
    package var isDestructive: Bool {
        hint("x-destructive") ?? !(isReadOnly || operation.description.capability == .create)
    }
    package var isIdempotent: Bool {
        let method = operation.method.bytes
        return hint("x-idempotent") ?? (isReadOnly || method == "PUT" || method == "DELETE")
    }

    private func hint(_ key: Bytes) -> Bool? {
        switch operation.userData.value(of: key)?.bytes {
        case "true"?: true
        case "false"?: false
        default: nil
        }
    }
}

/// Makes the list.
package enum ToolList {
    /// The operations of the resources of a route document, then the standalone ones.
    ///
    /// - Throws: `limit`, `memory`.
    package static func entries(_ router: Router) throws(Failure) -> [ToolEntry] {
        var entries: [ToolEntry] = []
        var taken = Set<Bytes>()
        func add(_ operation: OperationEntry, _ route: Bytes, _ path: Bytes) {
            let name = operation.name.bytes
            let unique = ToolName.tool(route.isEmpty ? name : "\(route).\(name)", &taken)
            entries.append(ToolEntry(name: unique, route: route, path: path, operation: operation))
        }
        if !router.isDerived {
            for row in try router.routeRows where !row.isRepeat && !row.route.isEmpty {
                add(try router.walk(route: row.route, operation: row.operation).operation, row.route, row.pattern)
            }
        }
        for operation in router.operations {
            try Memory.check()
            add(operation, Bytes(), operation.path.bytes)
        }
        return entries
    }

    /// The list as JSON.
    package static func json(_ router: Router) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        writer.open("[")
        for entry in try entries(router) {
            try Memory.check()
            writer.open("{")
            writer.member("name", entry.name)
            writer.optionalMember("route", entry.route)
            writer.member("operation", entry.operation.name.bytes)
            writer.member("method", entry.operation.method.bytes)
            writer.member("path", entry.path)
            writer.optionalMember("description", entry.operation.summary.bytes)
            writer.hints([
                ("read_only", entry.isReadOnly), ("destructive", entry.isDestructive), ("idempotent", entry.isIdempotent),
            ])
            writer.close("}")
        }
        writer.close("]")
        return writer.text
    }
}

extension JSONWriter {
    /// Writes members whose values are booleans.
    package mutating func hints(_ hints: [(StaticString, Bool)]) {
        for (name, value) in hints {
            key(name)
            boolean(value)
        }
    }
}
