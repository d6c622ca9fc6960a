// The route document: the description of an API as JSON (docs/route-document.md).

package import RoutableCore
internal import RoutableJSON

/// Reads and writes route documents, and locates positions in them.
package enum RouteDocument {
    /// The version of the grammar that this library reads and writes.
    static let version = 1

    /// Reads a document of at most `limit` bytes.
    ///
    /// - Throws: `json`, `document`, `unsupported`, `url` or `limit`, with pointer, offset, line and column.
    package static func read(_ text: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> RouterDescription {
        if text.count > limit {
            throw Failure(.limit, "the route document has \(text.count) bytes; at most \(limit) are allowed")
        }
        if let table = RouteTable.read(text, readRest: { try? readTree($0) }) { return table }
        do throws(Failure) { return try readTree(text) } catch { throw locate(error, in: text) }
    }

    static func readTree(_ text: UnsafeRawBufferPointer) throws(Failure) -> RouterDescription {
        let document = try JSONDocument.read(text, JSONReading(rejectsDuplicates: true, escapes: .halves))
        defer { withExtendedLifetime(document) {} }
        return try RouteDocumentReader.read(Node(document.view))
    }

    /// Reads a document that the program has parsed; `jansson` is its borrowed `const json_t *`.
    package static func read(jansson: OpaquePointer) throws(Failure) -> RouterDescription {
        let document = try JSONDocument.read(jansson: jansson)
        defer { withExtendedLifetime(document) {} }
        return try RouteDocumentReader.read(Node(document.view))
    }

    /// Adds the offset, line and column in the text to a failure with a pointer: those of the value,
    /// or of the key if the failure is about the key.  Any other failure is returned without changes.
    package static func locate(_ failure: Failure, in text: UnsafeRawBufferPointer) -> Failure {
        let fields = failure.fields
        guard fields.offset == nil, let pointer = fields.pointer, let place = JSONDocument.find(pointer, in: text) else {
            return failure
        }
        var offset = place.value
        let isAboutKey = fields.status == .document || fields.status == .unsupported
        if isAboutKey, let key = place.key, let last = JSONPointer.tokens(pointer).last, last == fields.parameter {
            offset = key
        }
        return TextPosition(offset, in: text).place(failure)
    }

    /// The canonical document of a description, on one line: reading it returns an equal description.
    package static func write(_ description: RouterDescription) -> Bytes {
        var writer = RouteDocumentWriter(description)
        return writer.document()
    }
}
