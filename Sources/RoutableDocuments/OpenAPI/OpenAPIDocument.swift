// Opens OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 documents as descriptions of routers (docs/openapi.md).

package import RoutableCore
package import RoutableJSON

/// Recognizes and reads OpenAPI documents.
package enum OpenAPIDocument {
    /// A further document that references may lead to.
    package struct Supplied {
        package let uri: Bytes
        package let text: UnsafeRawBufferPointer
        package init(uri: Bytes, text: UnsafeRawBufferPointer) {
            self.uri = uri
            self.text = text
        }
    }

    /// The options of a program for a document.
    package struct Choices {
        /// Replaces all servers of the document.
        package var base: Bytes?
        /// The URI of the document: relative references and servers are relative to it.
        package var uri = Bytes()
        package var supplied: [Supplied] = []
        package var limit = Limits.documentBytes
        /// Overlays, applied in this order before anything else is read.
        package var overlays: [UnsafeRawBufferPointer] = []
        /// The files that references may lead to; nil for none.
        package var source: DocumentSource?
        /// The positions of a document in YAML.
        package var places: YAMLPlaces?
        /// The operations to read.
        package var selection = OperationSelection()
        /// Whether to warn about each `nullable` that OpenAPI 3.0.3 interprets differently than the library.
        package var namesNullable = false
        package init() {}
    }

    /// The summary of the parameter for the key of a scheme.
    package static func summary(ofKey scheme: Bytes) -> Bytes { "The key of the security scheme \(scheme.printable)" }

    /// Whether a string is read as OpenAPI: its top level has `openapi` or `swagger`, and not `routable` before it.
    package static func recognises(_ text: UnsafeRawBufferPointer) -> Bool {
        switch FirstKey.find(in: text, among: ["openapi", "swagger", "routable"]) {
        case 0, 1: true
        default: false
        }
    }

    /// Whether it is a Swagger 2.0 document.
    package static func isSwagger(_ text: UnsafeRawBufferPointer) -> Bool {
        FirstKey.find(in: text, among: ["openapi", "swagger", "routable"]) == 1
    }

    /// Reads a document.
    ///
    /// - Throws: `json`, `document`, `unsupported`, `url` or `limit`, with pointer, offset, line and column.
    package static func read(
        _ text: UnsafeRawBufferPointer, _ choices: Choices
    ) throws(Failure) -> (description: RouterDescription, codec: any BodyCodec) {
        if text.count > choices.limit {
            throw Failure(.limit, "the document has \(text.count) bytes; at most \(choices.limit) are allowed")
        }
        var tapes = [try JSONTape.read(text, uri: choices.uri)]
        for supplied in choices.supplied {
            if supplied.text.count > choices.limit {
                throw Failure(
                    .limit, "a referenced document has \(supplied.text.count) bytes; at most \(choices.limit) are allowed")
            }
            do { tapes.append(try JSONTape.read(supplied.text, uri: supplied.uri)) } catch {
                throw error.with { $0.message = "\(supplied.uri.printable): \($0.message)" }
            }
        }
        let bundle = try BundledDocument.make(
            tapes[0], choices.places, choices.source, supplied: choices.supplied.map { $0.uri }, limit: choices.limit)
        var map = bundle?.map
        if let bundle {
            tapes[0] = try bundle.json.withBuffer { (buffer) throws(Failure) in try JSONTape.read(buffer, uri: choices.uri) }
        } else if let places = choices.places {
            map = SourceMap(document: tapes[0], places)
        }
        var overlaid: OverlaidDocument?
        if !choices.overlays.isEmpty {
            let applied: OverlaidDocument
            do { applied = try Self.overlaid(tapes[0], choices) } catch {
                throw error.isInOverlay ? error : map?.located(error) ?? error
            }
            tapes[0] = applied.tape
            overlaid = applied
        }
        var reader = OpenAPIReader(tapes, choices, overlaid, map, bundle?.warnings ?? [])
        try reader.read()
        tapes = reader.tapes
        defer { withExtendedLifetime(tapes) {} }
        let schemas = OpenAPISchemas(tapes, reader.places, is30: reader.is30)
        reader.description.graph = PathGraph(schemas, reader.graphKeys)
        return (reader.description, OpenAPICodec(schemas))
    }
}

extension OpenAPIDocument {
    /// One document made from the files of a description; nil if no references lead to files, and for invalid JSON, which `read` reports.
    package static func bundled(_ text: UnsafeRawBufferPointer, _ choices: Choices) throws(Failure) -> BundledDocument? {
        guard let tape = try? JSONTape.read(text, uri: choices.uri) else { return nil }
        return try BundledDocument.make(
            tape, choices.places, choices.source, supplied: choices.supplied.map { $0.uri }, limit: choices.limit)
    }

    private static func overlaid(_ document: JSONTape, _ choices: Choices) throws(Failure) -> OverlaidDocument {
        var overlays: [JSONTape] = []
        for text in choices.overlays {
            if text.count > choices.limit {
                throw Failure(
                    .limit, "overlay \(overlays.count &+ 1) has \(text.count) bytes; at most \(choices.limit) are allowed")
            }
            do { overlays.append(try JSONTape.read(text)) } catch {
                throw error.with { $0.message = "overlay \(overlays.count &+ 1): \($0.message)" }
            }
        }
        return try OverlaidDocument.apply(overlays, to: document, limit: choices.limit)
    }
}

extension Failure {
    /// Whether the position of the failure is in an overlay.
    fileprivate var isInOverlay: Bool { message.hasPrefix("overlay ") }
}

/// Scans the keys of the top level, up to the first known one, of bytes that may not be JSON.
private struct FirstKey {
    private let text: UnsafeRawBufferPointer
    private var index = 0

    private init(_ text: UnsafeRawBufferPointer) { self.text = text }

    private var next: UInt8 { index < text.count ? text[index] : 0 }

    /// The index of the first of these keys in the text; nil if there is none.
    static func find(in text: UnsafeRawBufferPointer, among names: [StaticString]) -> Int? {
        var look = FirstKey(text)
        guard look.skip(UInt8(ascii: "{")) else { return nil }
        while true {
            look.skipSpace()
            let start = look.index &+ 1
            guard look.next == UInt8(ascii: "\"") else { return nil }
            look.skipString()
            let key = JSONEscapes.decoded(
                UnsafeRawBufferPointer(rebasing: text[min(start, look.index)..<max(start, look.index &- 1)]))
            for (index, name) in names.enumerated() where key.storage.withUnsafeBytes({ $0.equals(name) }) { return index }
            guard look.skip(UInt8(ascii: ":")) else { return nil }
            look.skipValue()
            guard look.skip(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index &+= 1 }
    }

    /// Skips a byte and the white space before it; false if there is another byte.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        index &+= 1
        return true
    }

    private mutating func skipString() {
        index &+= 1
        while index < text.count {
            let byte = next
            index &+= byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { break }
        }
        index = min(index, text.count)
    }

    /// Skips a value, to the comma or bracket after it.
    private mutating func skipValue() {
        var depth = 0
        while index < text.count {
            switch next {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth &+= 1
                index &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth &-= 1
                index &+= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: index &+= 1
            }
        }
    }
}
