// The functions of the builder, which make the same description as a document, and reject a fault as early as possible.

/// Builds a description.  One thread at a time.
package final class DescriptionBuilder {
    package private(set) var description = RouterDescription()
    private var nests: [(parent: Bytes, child: Bytes)] = []
    private var onResources: [(resource: Bytes, operation: OperationDescription)] = []
    private var resourceNames = TextPool()
    private var operationNames = TextPool()

    /// `base` nil: each call names one.  Failures: `url`.
    package static func make(name: Bytes, base: Bytes?) throws(Failure) -> DescriptionBuilder {
        if let base { _ = try Base(base) }
        return DescriptionBuilder(name, base)
    }

    private init(_ name: Bytes, _ base: Bytes?) {
        description.name = name
        description.base = base
    }

    /// For all operations without one of their own.
    package func set(_ encoding: FormEncoding) { description.encoding = encoding }

    package func add(_ resource: ResourceDescription) throws(Failure) {
        if resource.name.isEmpty { throw Failure(.document, "a resource must have a name") }
        _ = try Template(resource.path)
        if !resourceNames.add(resource.name).isNew {
            throw Failure(.conflict, "the resource \"\(resource.name.printable)\" is declared twice")
        }
        description.resources.append(resource)
    }

    /// Parent and child may be added before or after.
    package func nest(_ child: Bytes, in parent: Bytes) throws(Failure) {
        if nests.contains(where: { $0.parent == parent && $0.child == child }) {
            throw Failure(.conflict, "the resource \"\(parent.printable)\" nests \"\(child.printable)\" twice")
        }
        nests.append((parent, child))
    }

    /// `resource` nil: a standalone operation.
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

    /// The description with its nests and operations in place.  Failures: `document` for names that were never
    /// added, with the nearest.
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
