// The last steps of an import: routes that cannot be told apart get an order, and the operations go into their resources.

import RoutableCore
import RoutableDocuments
import RoutableJSON

extension OpenAPIImport {
    /// The document with resources, where its paths describe some.
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

    // MARK: What a route document refuses

    /// Routes that cannot be told apart get an order, and what is refused is left out.
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
                let name = pointer.hasPrefix("/operations/") ? JSONPointer.tokens(pointer)[1] : Bytes()
                if error.status == .conflict, let index = result.operations.firstIndex(where: { $0.name == name }) {
                    let isSame = error.message.range(of: "same method and path") != nil
                    if isSame || demoted[name] ?? 0 >= 3 {
                        remarks.add(
                            "\(result.operations[index].method) \(result.operations[index].path)",
                            "the operation \"\(name.printable)\": \(error.message)")
                        result.operations.remove(at: index)
                    } else {
                        demoted[name, default: 0] += 1
                        result.operations[index].priority -= 1
                    }
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
}
