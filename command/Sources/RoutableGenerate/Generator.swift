// Typed bindings of one description in one language.

public import RoutableCore

public enum Generator {
    /// A part of the first line of every generated file.
    public static let mark: Bytes = ": made by `routable generate "

    public enum Language: String, CaseIterable, Sendable { case c, python, swift }

    /// Returns the content of a generated file.  The same description gives the same bytes.
    ///
    /// - Parameters:
    ///   - source: The filename of the description, which the output states as its source.
    ///   - name: The prefix of names in C, and the name of the API in the other languages; nil for the description's name.
    ///   - library: The name of a library that exports the router (docs/swift-to-c.md), for C and Python; nil if the output
    ///     contains the description.
    ///   - dataclasses: Whether the models of a Python module are dataclasses; otherwise they are TypedDicts.
    ///   - lenient: Whether no member of an object in a response is required.
    ///   - isSelection: Whether the router has a selection of the operations of its document.
    public static func text(
        _ language: Language, of router: Router, source: String, name: String? = nil, library: String? = nil,
        dataclasses: Bool = false, lenient: Bool = false, isSelection: Bool = false
    ) throws(Failure) -> Bytes {
        var blueprint = try BlueprintReader.read(
            router, source: source, isSelection: isSelection, embedsOpenAPI: language == .swift)
        blueprint.library = library
        if lenient { blueprint.makeLenient() }
        switch language {
        case .c: return Bytes(CHeader.text(blueprint, prefix: name))
        case .python: return Bytes(PythonModule.text(blueprint, name: name, dataclasses: dataclasses))
        case .swift: return Bytes(SwiftFile.text(blueprint, name: name))
        }
    }

    /// The names of the operations that have one of these tags, in the order of the description, and the tags that no operation has.
    public static func operations(of router: Router, tags: [String]) throws(Failure) -> (names: [String], unknown: [String]) {
        let document = try SchemaDocument(router)
        var names: [String] = [], unknown = tags
        for operation in router.operations {
            guard case .array(let own)? = document.operation(operation.name.bytes)?.node["tags"] else { continue }
            let found = own.compactMap { $0.string }.filter { tags.contains($0) }
            if !found.isEmpty { names.append(operation.name.bytes.string) }
            unknown.removeAll { found.contains($0) }
        }
        return (names, unknown)
    }

    /// The pointers of the unresolved references of an OpenAPI document, each with the reference.
    public static func missingReferences(of router: Router) throws(Failure) -> [(pointer: String, reference: String)] {
        guard router.description.source != nil else { return [] }
        let document = try SchemaDocument(router)
        let operations = Set(router.operations.compactMap { document.operation($0.name.bytes)?.pointer })
        return MissingReferences(document, operations: operations).found
    }

    /// A report of the values of a description that have types, and of the places and reasons of the values without one.
    public static func report(of router: Router, source: String, json: Bool) throws(Failure) -> Bytes {
        TypeReport(try BlueprintReader.read(router, source: source)).text(json: json)
    }
}
