// Reads x-routable-resource and x-routable-name, which change the derived resources.

internal import RoutableCore
internal import RoutableJSON

extension OpenAPIReader {
    static let resourceKey: StaticString = "x-routable-resource"
    static let nameKey: StaticString = "x-routable-name"

    /// Reads the key of a path item: the name of the resource of its path, or false.  Returns whether the operations of the path are hidden.
    mutating func readResourceKey(_ node: TapeNode, _ template: Template) throws(Failure) -> Bool {
        if node.kind == .boolean && !node.isTrue { return true }
        guard node.kind == .text else { throw wrongKind(node, "\"x-routable-resource\"", "the name of a resource, or false") }
        let name = node.string
        try check(name, "a resource", node)
        let steps = PathSteps(template)
        if let reason = steps.reason { throw failure(node, "the path has no resource: \(reason)") }
        if !steps.steps.contains(where: { if case .literal = $0 { true } else { false } }) {
            throw failure(node, "the path has no resource that could be named: it has no literal segment")
        }
        if let other = graphKeys.name(steps.steps, name) {
            throw failure(node, "another path names this resource \"\(other)\"; a resource has one name")
        }
        return false
    }

    /// Reads the keys of an operation: its resource, or false, and its name there.
    mutating func readGraphKeys(_ operation: OperationDescription, _ node: TapeNode) throws(Failure) {
        // Few operations have such a key.
        if !operation.userData.contains(where: { $0.key.hasPrefix("x-routable-") }) { return }
        let (resource, name) = (node.member(Self.resourceKey), node.member(Self.nameKey))
        if resource == nil && name == nil { return }
        var key = GraphKeys.OperationKey()
        if let name {
            guard name.kind == .text else { throw wrongKind(name, "\"x-routable-name\"", "a string") }
            key.name = name.string
            try check(key.name, "an operation", name)
            if let capability = Capability.named(key.name), !capability.isMethod(operation.method) {
                throw failure(
                    name, "\"\(key.name)\" is the name of a \(capability.method), and the operation is a \(operation.method)")
            }
        }
        if let resource {
            if resource.kind == .boolean && !resource.isTrue {
                key.isHidden = true
                if let name { throw failure(name, "an operation that belongs to no resource has its operationId as its name") }
            } else if resource.kind == .text {
                key.route = resource.string
                for name in key.route.split(on: UInt8(ascii: ".")) {
                    for name in name.split(on: UInt8(ascii: "/")) { try check(name, "a resource", resource) }
                }
            } else {
                throw wrongKind(resource, "\"x-routable-resource\"", "the route of a resource, or false")
            }
        }
        graphKeys.set(key, for: operation.name)
    }

    private func check(_ name: Bytes, _ subject: Bytes, _ node: TapeNode) throws(Failure) {
        if name.isEmpty || name != ResourceName.cut(name) {
            throw failure(
                node,
                "\"\(name.printable)\" is not a name of \(subject): letters, digits, \"-\", \"_\" and \"~\" are allowed")
        }
    }
}
