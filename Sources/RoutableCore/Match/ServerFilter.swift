// Restricts a search to the operations that one server serves.

/// One server of a router, as a search sees it.
struct ServerFilter {
    let router: Router
    let servers: ServerTable
    let number: Int

    func serves(operation: UInt32) -> Bool { servers.serves(number, operation) }

    func serves(node: UInt32) -> Bool { router.matcher.operations(ofNode: node).contains { serves(operation: $0) } }
}
