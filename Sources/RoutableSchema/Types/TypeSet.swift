// The compiled types of one router.

package import RoutableCore
package import RoutableJSON

/// The schemas of the types of a router.  Immutable; any number of threads may use them.
final class TypeSet: Sendable {
    let program: SchemaProgram
    /// The root of the schema of each type.
    let roots: [Int]

    init(_ program: SchemaProgram, _ roots: [Int]) {
        self.program = program
        self.roots = roots
    }

    /// Compiles the types, which refer to each other as in a route document: `#/types/NAME`.
    static func compile(_ types: [TypeDescription]) throws(Failure) -> TypeSet {
        try compile(types) { (compiler, roots) throws(Failure) in TypeSet(try compiler.finish(), roots) }
    }

    /// The points that coverage counts in the types.
    static func survey(_ types: [TypeDescription]) throws(Failure) -> SchemaPlaces {
        try compile(types) { (compiler, roots) throws(Failure) in try compiler.survey(roots) }
    }

    private static func compile<Result>(
        _ types: [TypeDescription], _ use: (SchemaCompiler, [Int]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // All types are in one text, as in a route document; types without a name are in a separate list.
        var text = Bytes("{\"types\":{")
        var inline = Bytes()
        for type in types {
            if type.name.isEmpty {
                inline.append(inline.isEmpty ? "" : ",")
                inline.append(type.schema)
                continue
            }
            if text.storage.last != UInt8(ascii: "{") { text.append(",") }
            var writer = JSONWriter()
            type.name.storage.withUnsafeBytes { writer.string($0) }
            text.append(writer.text)
            text.append(":")
            text.append(type.schema)
        }
        text.append("},\"inline\":[")
        text.append(inline)
        text.append("]}")
        let document = try parsed(text, types)
        defer { withExtendedLifetime(document) {} }
        let compiler = SchemaCompiler(dialect: .routeDocument)
        _ = try compiler.add(document: document.view)
        var roots: [Int] = []
        var anonymous = 0
        let named = document.view.member("types").map { JSONIndex($0) }
        var unnamed = document.view.member("inline")?.elements
        for type in types {
            let isNamed = !type.name.isEmpty
            let pointer: Bytes = isNamed ? JSONPointer.appending(type.name, to: "/types") : "/inline/\(anonymous)"
            let view = isNamed ? type.name.storage.withUnsafeBytes { named?.member($0) } : unnamed?.read()
            if !isNamed { anonymous &+= 1 }
            guard let view else { throw Failure(.document, "the type \"\(type.name.printable)\" occurs twice") }
            roots.append(try compiler.compile(Node(view, pointer)))
        }
        return try use(compiler, roots)
    }

    private static func parsed(_ text: Bytes, _ types: [TypeDescription]) throws(Failure) -> JSONDocument {
        // If the whole text is refused, each type is read by itself, so that the failure has the pointer of the type.
        do { return try text.parsed() } catch {
            for type in types where !type.name.isEmpty {
                do { _ = try type.schema.parsed() } catch { throw error.at(JSONPointer.appending(type.name, to: "/types")) }
            }
            throw error
        }
    }

    func root(_ type: Int) -> Int { type >= 0 && type < roots.count ? roots[type] : -1 }

    /// The reason why an outgoing value is not valid, with pointers into the value and into the schema; nil if it is valid.
    func refusal(of view: JSONView, _ type: Int) -> Failure? { program.refusal(of: view, root(type), direction: .request) }
}

extension Bytes {
    /// Reads the bytes as JSON, which is valid while `use` runs.
    package func withJSON<Result>(_ use: (JSONView) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = storage.withUnsafeBytes { (buffer) -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                let document = try JSONDocument.read(buffer)
                defer { withExtendedLifetime(document) {} }
                return .success(try use(document.view))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Reads the bytes as JSON, with a copy of the text.
    package func parsed(_ reading: JSONReading = JSONReading()) throws(Failure) -> JSONDocument {
        let result = storage.withUnsafeBytes { (buffer) -> Result<JSONDocument, Failure> in
            do throws(Failure) { return .success(try JSONDocument.read(copying: buffer, reading)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// Validates the schemas of a document that is being read.
package struct SchemaChecks {
    private let compiler = SchemaCompiler(dialect: .routeDocument)

    package init() {}

    package func begin(_ document: Node) throws(Failure) { _ = try compiler.add(document: document.view) }

    package func add(_ schema: Node) throws(Failure) {
        _ = try compiler.compile(schema)
    }

    /// Throws if any of the added schemas cannot be compiled.
    package func check() throws(Failure) {
        _ = try compiler.finish()
    }
}
