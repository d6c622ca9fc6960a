// A single schema, for hosts.

package import RoutableCore
internal import RoutableJSON

/// A compiled schema.  Immutable; any number of threads may use it.
package final class JSONSchema: ValueChecker {
    package enum Dialect: Sendable { case draft202012, openAPI30, openAPI31 }

    private let program: SchemaProgram
    private let root: Int
    private let use: SchemaUse

    package init(_ program: SchemaProgram, root: Int, use: SchemaUse = .value) {
        self.program = program
        self.root = root
        self.use = use
    }

    /// A document to which references may lead.
    package struct Document: Sendable {
        package var uri: Bytes
        package var text: Bytes

        package init(uri: Bytes, text: Bytes) {
            self.uri = uri
            self.text = text
        }
    }

    /// Compiles a schema.
    ///
    /// - Throws: `json` for a string that is not JSON; `document` for a keyword whose value JSON Schema does not allow, and for
    ///   a reference without a target, with the pointer into the document that contains it.
    package static func open(
        _ text: UnsafeRawBufferPointer, uri: Bytes = Bytes(), documents: [Document] = [],
        dialect: Dialect = .draft202012, assertsFormats: Bool = false
    ) throws(Failure) -> JSONSchema {
        let document = try JSONDocument.read(text)
        defer { withExtendedLifetime(document) {} }
        let compiled: SchemaDialect =
            switch dialect {
            case .draft202012: .draft202012
            case .openAPI30: .openAPI30
            case .openAPI31: .openAPI31
            }
        let compiler = SchemaCompiler(dialect: compiled, assertsFormats: assertsFormats)
        // The other documents are read first: the schema may have one of them as its meta-schema.
        var kept: [JSONDocument] = []
        defer { withExtendedLifetime(kept) {} }
        for other in documents {
            do { kept.append(try other.text.parsed()) } catch {
                throw error.with { $0.message = "\(other.uri.printable): \($0.message)" }
            }
        }
        for (other, parsed) in zip(documents, kept) {
            _ = try compiler.add(document: parsed.view, uri: other.uri, isSchema: true)
        }
        let index = try compiler.add(document: document.view, uri: uri, isSchema: true)
        let root = try compiler.compile(Node(document.view), document: index)
        return JSONSchema(try compiler.finish(), root: root)
    }

    package func check(json: UnsafeRawBufferPointer, maximumErrors: Int) throws(Failure) {
        let document = try JSONDocument.read(json)
        defer { withExtendedLifetime(document) {} }
        try check(document.view, maximumErrors)
    }

    package func accepts(json: UnsafeRawBufferPointer) -> Bool {
        do throws(Failure) {
            let document = try JSONDocument.read(json, JSONReading(rejectsDuplicates: true))
            defer { withExtendedLifetime(document) {} }
            try check(document.view, 1)
            return true
        } catch { return false }
    }

    package func check(tree: OpaquePointer, maximumErrors: Int) throws(Failure) {
        let document = try JSONDocument.read(jansson: tree)
        defer { withExtendedLifetime(document) {} }
        try check(document.view, maximumErrors)
    }

    private func check(_ view: JSONView, _ maximumErrors: Int) throws(Failure) {
        var direction = SchemaDirection.none
        switch use {
        case .value: break
        case .body: direction = .request
        case .result(let expected):
            direction = .response
            if expected == .value { break }
            let mapping = BodyMapping(program, root: root)
            guard let first = try mapping.map(view, expected).deviations.first else { return }
            if expected == .list {
                throw program.refusal(ofEach: view, root, maximumErrors, direction)
                    ?? Failure(.body, first.message.bytes) { $0.pointer = first.pointer.bytes }
            }
        }
        if let failure = program.refusal(of: view, root, maximumErrors: maximumErrors, direction: direction) {
            throw failure
        }
    }

    package func fits(tree: OpaquePointer) -> Bool? {
        guard let document = try? JSONDocument.read(jansson: tree) else { return nil }
        defer { withExtendedLifetime(document) {} }
        switch program.verdict(document.view, root) {
        case .fits: return true
        case .differs: return false
        case .limit: return nil
        }
    }

    package func masked(_ value: Value, _ mask: (Value) -> Value) -> Value {
        guard case .result(.list) = use, case .array(let elements) = value else {
            return program.masked(value, root: root, mask)
        }
        return .array(elements.map { program.masked($0, root: root, mask) })
    }

    // MARK: - Generated values

    private func sampler(_ seed: UInt64, _ style: SampleStyle) -> SchemaSampler {
        let direction: SchemaDirection =
            switch use {
            case .value: .none
            case .body: .request
            case .result: .response
            }
        return SchemaSampler(program, random: SeededRandom(seed: seed), direction: direction, style: style)
    }

    package func sample(seed: UInt64, style: SampleStyle) throws(Failure) -> Value? {
        var sampler = sampler(seed, style)
        guard case .result(.list) = use else { return try sampler.value(of: root) }
        var elements: [Value] = []
        for _ in 0..<2 {
            guard let element = try sampler.value(of: root) else { return nil }
            elements.append(element)
        }
        return .array(elements)
    }

    package func sampleText(seed: UInt64, style: SampleStyle) throws(Failure) -> Bytes? {
        guard let value = try sample(seed: seed, style: style) else { return nil }
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }

    package func fit(_ value: Value, seed: UInt64) throws(Failure) -> Value? {
        var sampler = sampler(seed, .plain)
        guard case .result(.list) = use else { return try sampler.fit(value, root) }
        guard case .array(let elements) = value else { return nil }
        var result: [Value] = []
        for element in elements {
            guard let fitted = try sampler.fit(element, root) else { return nil }
            result.append(fitted)
        }
        return .array(result)
    }
}
