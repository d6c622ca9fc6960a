// The functions of the builder, which make the same description as a document, and reject an invalid argument as early as possible.

/// Builds a description.  Only one thread at a time may use it.
package final class DescriptionBuilder {
    package private(set) var description = RouterDescription()
    private var nests: [(parent: Bytes, child: Bytes)] = []
    private var onResources: [(resource: Bytes, operation: OperationDescription)] = []
    private var resourceNames = TextPool()
    private var operationNames = TextPool()

    /// If `base` is nil, each call must have a base.  Failures: `url`.
    package static func make(name: Bytes, base: Bytes?) throws(Failure) -> DescriptionBuilder {
        if let base { _ = try Base(base) }
        return DescriptionBuilder(name, base)
    }

    private init(_ name: Bytes, _ base: Bytes?) {
        description.name = name
        description.base = base
    }

    /// Sets the encoding of all operations without their own encoding.
    package func set(_ encoding: FormEncoding) { description.encoding = encoding }

    package func add(_ resource: ResourceDescription) throws(Failure) {
        if resource.name.isEmpty { throw Failure(.document, "a resource must have a name") }
        _ = try Template(resource.path)
        if !resourceNames.add(resource.name).isNew {
            throw Failure(.conflict, "the resource \"\(resource.name.printable)\" is declared twice")
        }
        description.resources.append(resource)
    }

    /// Nests a resource in another one.  Both may be added before or after this call.
    package func nest(_ child: Bytes, in parent: Bytes) throws(Failure) {
        if nests.contains(where: { $0.parent == parent && $0.child == child }) {
            throw Failure(.conflict, "the resource \"\(parent.printable)\" nests \"\(child.printable)\" twice")
        }
        nests.append((parent, child))
    }

    /// Adds an operation to a resource, or a standalone operation if `resource` is nil.
    package func add(_ operation: consuming OperationDescription, to resource: Bytes?) throws(Failure) {
        if operation.name.isEmpty { throw Failure(.document, "an operation must have a name") }
        operation.template = try Template(operation.path)
        guard let resource else {
            if !operationNames.add(operation.name).isNew {
                throw Failure(.conflict, "the operation \"\(operation.name.printable)\" is declared twice")
            }
            description.operations.append(operation)
            return
        }
        if operation.place == .root {
            throw Failure(.argument, "the operation \"\(operation.name.printable)\" of a resource cannot be at the root")
        }
        onResources.append((resource, operation))
    }

    /// The description, with nested resources and operations added to their resources.  Failures: `document` for names that were not
    /// added, with the nearest name.
    package func build() throws(Failure) -> RouterDescription {
        var result = description
        result.operationNames = operationNames
        var indices: [Bytes: Int] = [:]
        for (index, resource) in result.resources.enumerated() { indices[resource.name] = index }
        for nest in nests {
            guard let parent = indices[nest.parent] else { throw unknown(nest.parent) }
            if indices[nest.child] == nil { throw unknown(nest.child) }
            result.resources[parent].children.append(nest.child)
        }
        for item in onResources {
            guard let index = indices[item.resource] else { throw unknown(item.resource) }
            result.resources[index].operations.append(item.operation)
        }
        return result
    }

    private func unknown(_ name: Bytes) -> Failure {
        Failure.unknownName(.document, "no resource", name, among: description.resources.map { $0.name })
    }
}
