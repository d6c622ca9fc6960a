// Opens an API that is declared in Swift, with the types of its route document if it has one.

package import RoutableCore
internal import RoutableJSON

extension API {
    /// The router of the declaration, or of its document.  A document must have the declared resources with their operations,
    /// ids and children: CONFLICT reports the first difference.
    package static func openedRouter(base: Bytes? = nil) throws(Failure) -> Router {
        var choices = OpenAPIDocument.Choices()
        var text = Bytes(document)
        if let path = documentPath.map({ Bytes($0) }) {
            let source = try DocumentSource.folder(of: path)
            guard let read = try source.load(source.document, Limits.documentBytes) else {
                throw Failure(.file, "\(path.printable): there is no such file")
            }
            text = read
            choices.source = source
        } else if !text.isEmpty {
            choices.source = DocumentSource.loader(uri: Bytes()) { (uri: Bytes) throws(Failure) -> Bytes? in
                load(uri.string).map { Bytes($0) }
            }
        }
        let name = documentPath.map { Bytes($0) } ?? Bytes()
        let yaml = try text.withBuffer { (buffer) throws(Failure) in
            try DescriptionText.yaml(buffer, name: name, limit: Limits.documentBytes)
        }
        if let yaml {
            text = yaml.json
            choices.places = yaml.places
        }
        var description = try described()
        let except = except.map { Bytes($0) }
        choices.selection = try OperationSelection(
            only: only.map { $0.map { Bytes($0) } }, except: except.isEmpty ? nil : except)
        let overlays = overlays.map { Text(Bytes($0)) }
        defer { withExtendedLifetime(overlays) {} }
        choices.overlays = overlays.map { UnsafeRawBufferPointer(start: $0.start, count: $0.count) }
        choices.base = base
        if !text.isEmpty, text.storage.withUnsafeBytes({ OpenAPIDocument.recognises($0) }) {
            let read = try text.withBuffer { (text) throws(Failure) in try OpenAPIDocument.read(text, choices) }
            try description.agree(with: read.description)
            return try Router.open(read.description, codec: read.codec)
        }
        if !overlays.isEmpty { throw Failure(.argument, "overlays require an OpenAPI document; the API has none") }
        if !text.isEmpty {
            let read = try text.withBuffer { (text) throws(Failure) in try RouteDocument.read(text, limit: Limits.documentBytes)
            }
            try description.agree(with: read)
            description = read
        }
        description = try choices.selection.narrowed(description)
        if let base { description.base = base }
        return try Router.open(withTypesOf: description)
    }
}

extension RouterDescription {
    /// Checks that the declaration in Swift agrees with a document.
    fileprivate func agree(with document: RouterDescription) throws(Failure) {
        for declared in resources {
            guard let described = document.resources.first(where: { $0.name == declared.name }) else {
                throw Failure(
                    .conflict, "resource \"\(declared.name.printable)\" is declared in Swift, but not in the document"
                )
            }
            let ofBoth: [(StaticString, (ResourceDescription) -> [Bytes])] = [
                ("path", { [$0.path] }), ("operations", { $0.capabilities.members.map { $0.name } }),
                ("ids", { $0.ids.map { $0.name } }),
                ("children", { Array(Set($0.children)).sorted() }),
            ]
            for (what, names) in ofBoth where names(declared) != names(described) {
                throw Failure(
                    .conflict,
                    "resource \"\(declared.name.printable)\" in Swift differs from the document in its \(Bytes(static: what)): \(Self.list(names(declared))) in Swift, \(Self.list(names(described))) in the document"
                )
            }
        }
    }

    private static func list(_ names: [Bytes]) -> Bytes {
        names.isEmpty ? "none" : names.joined(by: ", ").printable
    }
}
