// Restricts a search to the operations that one server serves.

/// The operations that one server of a router serves.
struct ServerFilter {
    let router: Router
    let servers: ServerTable
    let number: Int

    func serves(operation: UInt32) -> Bool { servers.serves(number, operation) }

    @inline(never)
    func serves(node: UInt32) -> Bool { router.matcher.operations(ofNode: node).contains { serves(operation: $0) } }
}
