// OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 documents as descriptions of routers (docs/openapi.md).

package import RoutableCore
internal import RoutableJSON

/// Recognises and reads OpenAPI documents.
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

    /// What a host says about a document.
    package struct Choices {
        /// Instead of all servers of the document.
        package var base: Bytes?
        /// Where the document comes from: relative references and servers are relative to it.
        package var uri = Bytes()
        package var supplied: [Supplied] = []
        package var limit = Limits.documentBytes
        /// Overlays, applied in this order before anything else is read.
        package var overlays: [UnsafeRawBufferPointer] = []
        /// Which operations there are.
        package var selection = OperationSelection()
        package init() {}
    }

    /// Whether a text is to be read as OpenAPI: its top level has `openapi` or `swagger`, and not `routable`, first.
    package static func recognises(_ text: UnsafeRawBufferPointer) -> Bool {
        switch JSONWalk.firstKey(in: text, among: ["openapi", "swagger", "routable"]) {
        case 0, 1: true
        default: false
        }
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
                throw Failure(.limit, "a supplied document has \(supplied.text.count) bytes; at most \(choices.limit) are allowed")
            }
            do { tapes.append(try JSONTape.read(supplied.text, uri: supplied.uri)) } catch {
                throw error.with { $0.message = "\(supplied.uri.printable): \($0.message)" }
            }
        }
        var overlaid: OverlaidDocument?
        if !choices.overlays.isEmpty {
            let applied = try Self.overlaid(tapes[0], choices)
            tapes[0] = applied.tape
            overlaid = applied
        }
        var reader = OpenAPIReader(tapes, choices, overlaid)
        try reader.read()
        tapes = reader.tapes
        defer { withExtendedLifetime(tapes) {} }
        let schemas = OpenAPISchemas(tapes, reader.places, is30: reader.is30)
        return (reader.description, OpenAPICodec(schemas))
    }
}

extension OpenAPIDocument {
    private static func overlaid(_ document: JSONTape, _ choices: Choices) throws(Failure) -> OverlaidDocument {
        var overlays: [JSONTape] = []
        for text in choices.overlays {
            if text.count > choices.limit {
                throw Failure(.limit, "overlay \(overlays.count &+ 1) has \(text.count) bytes; at most \(choices.limit) are allowed")
            }
            do { overlays.append(try JSONTape.read(text)) } catch {
                throw error.with { $0.message = "overlay \(overlays.count &+ 1): \($0.message)" }
            }
        }
        return try OverlaidDocument.apply(overlays, to: document, limit: choices.limit)
    }
}

extension JSONWalk {
    /// Which of these keys the top level has first; nil for none.
    static func firstKey(in text: UnsafeRawBufferPointer, among names: [StaticString]) -> Int? {
        var walk = JSONWalk(text)
        walk.skipSpace()
        guard walk.next == UInt8(ascii: "{") else { return nil }
        walk.skip(1)
        while true {
            walk.skipSpace()
            guard walk.next == UInt8(ascii: "\"") else { return nil }
            let key = walk.string()
            for (index, name) in names.enumerated() where key.storage.withUnsafeBytes({ $0.equals(name) }) { return index }
            walk.skipSpace()
            guard walk.next == UInt8(ascii: ":") else { return nil }
            walk.skip(1)
            walk.skipSpace()
            walk.skipValue()
            walk.skipSpace()
            guard walk.next == UInt8(ascii: ",") else { return nil }
            walk.skip(1)
        }
    }
}
