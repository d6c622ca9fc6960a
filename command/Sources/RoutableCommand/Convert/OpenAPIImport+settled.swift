// The last steps of an import: conflicting routes get an order, and the operations are moved into their resources.

import RoutableCore
import RoutableDocuments
import RoutableJSON

extension OpenAPIImport {
    /// The document with resources, if its paths describe any.
    mutating func arranged(_ flat: RouterDescription) throws(Failure) -> Bytes {
        let derived = isFlat ? nil : try source.graph?.derive(source.operations)
        let names = source.operations.map { renamed[$0.name] }
        var resources = ImportedResources(flat, derived ?? DerivedDescription(), names: names)
        let made = try resources.run(&remarks)
        let kept = Set(flat.operations.map { $0.name })
        for (index, operation) in source.operations.enumerated() {
            guard let name = names[index], name != operation.name, kept.contains(name) else { continue }
            if !resources.keepsName(index) { continue }
            remarks.add(
                "\(operation.method) \(operation.path)",
                "the operationId \"\(operation.name.printable)\" has a dot: the name is \"\(name.printable)\"")
        }
        return RouteDocument.write(made)
    }

    // MARK: Refusals of the route document

    /// Orders conflicting routes, and removes operations that a route document refuses.
    mutating func settled() throws(Failure) -> RouterDescription {
        var demoted: [Bytes: Int] = [:]
        var edited = EditedText(RouteDocument.write(result))
        for _ in 0..<(4 * result.operations.count + 400) {
            do throws(Failure) {
                _ = try Opening().open(edited.text)
                return try edited.text.withBuffer { (buffer) throws(Failure) in
                    try RouteDocument.read(buffer, limit: Limits.documentBytes)
                }
            } catch {
                let pointer = error.fields.pointer ?? Bytes()
                if settle(error, &demoted) {
                    edited = EditedText(RouteDocument.write(result))
                    continue
                }
                guard error.status != .json, let offset = error.fields.offset,
                    let range = JSONPlaces(edited.text).range(ofItemAt: offset)
                else { throw error }
                remarks.add(pointer, error.message)
                edited.blank(range)
            }
        }
        throw Failure(.limit, "the routes of the document cannot be distinguished")
    }

    /// Gives operations of conflicts a lower priority, or removes them; false if there is no such operation.  A change can resolve other
    /// conflicts of the same operation: those are left for the next refusal.
    private mutating func settle(_ refusal: Failure, _ demoted: inout [Bytes: Int]) -> Bool {
        var changed: Set<Bytes> = []
        var hasDemoted = false
        for failure in refusal.chain {
            let pointer = failure.fields.pointer ?? Bytes()
            let name = pointer.hasPrefix("/operations/") ? JSONPointer.tokens(pointer)[1] : Bytes()
            if changed.contains(name) || failure.fields.allowed.contains(where: { changed.contains($0) }) { continue }
            guard failure.status == .conflict, let index = result.operations.firstIndex(where: { $0.name == name }) else {
                break
            }
            let isSame = failure.message.range(of: "same method and path") != nil
            if isSame || demoted[name] ?? 0 >= 3 {
                // Remarks are added in the order of the conflicts.
                if hasDemoted { break }
                remarks.add(
                    "\(result.operations[index].method) \(result.operations[index].path)",
                    "the operation \"\(name.printable)\": \(failure.message)")
                result.operations.remove(at: index)
            } else {
                demoted[name, default: 0] += 1
                result.operations[index].priority -= 1
                hasDemoted = true
            }
            changed.insert(name)
        }
        return !changed.isEmpty
    }
}
