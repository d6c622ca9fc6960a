// A parsed JSON document: its tape, and views of its values.

internal import CSystem
package import RoutableCore

/// The tape of a JSON document.  Immutable; any number of threads may read it.
package final class JSONDocument: ParsedDocument, @unchecked Sendable {
    // Borrowed, or the text that is kept.
    nonisolated(unsafe) private let text: UnsafePointer<UInt8>
    // Owned: made by the reader, released in `deinit`, only read in between.
    package nonisolated(unsafe) let words: UnsafePointer<UInt64>
    package let wordCount: Int
    let textCount: Int
    private let kept: Text?
    // As `words`; nil for a text that is borrowed or kept.
    private nonisolated(unsafe) let owned: UnsafeMutablePointer<UInt8>?

    private init(
        _ text: UnsafePointer<UInt8>, _ textCount: Int, _ kept: Text?, _ words: UnsafePointer<UInt64>, _ wordCount: Int,
        owned: UnsafeMutablePointer<UInt8>? = nil
    ) {
        self.text = text
        self.textCount = textCount
        self.kept = kept
        self.owned = owned
        self.words = words
        self.wordCount = wordCount
        super.init()
    }

    deinit {
        csystem_free(UnsafeMutableRawPointer(mutating: words))
        csystem_free(owned)
    }

    /// Memory of a text and its tape, which becomes the document's.
    convenience init(
        owning text: UnsafeMutablePointer<UInt8>, _ textCount: Int, _ words: UnsafePointer<UInt64>, _ wordCount: Int
    ) {
        self.init(text, textCount, nil, words, wordCount, owned: text)
    }

    /// The root; it ends with the document.
    package var view: JSONView { JSONView(text, words) }

    /// Reads any JSON value.  The text must outlive the document.
    ///
    /// A function and not an `init`: in the Embedded mode an object whose `init` throws is not given back.
    ///
    /// - Throws: `json` with offset, line and column; `limit` for nesting, for 4 GB, for a string or a container beyond
    ///   2^28, and for memory; `document` for a key that occurs twice in one object, when duplicates are refused.
    ///   Otherwise the last one counts.
    package static func read(_ text: UnsafeRawBufferPointer, _ reading: JSONReading = JSONReading()) throws(Failure)
        -> JSONDocument
    {
        try read(text, reading, nil)
    }

    /// Reads a copy of a text.
    package static func read(copying text: UnsafeRawBufferPointer, _ reading: JSONReading = JSONReading()) throws(Failure)
        -> JSONDocument
    {
        let copy = Text(copying: text)
        return try read(copy.buffer, reading, copy)
    }

    /// Reads a text, and keeps it.
    package static func read(keeping text: Text) throws(Failure) -> JSONDocument { try read(text.buffer, JSONReading(), text) }

    private static func read(
        _ text: UnsafeRawBufferPointer, _ reading: JSONReading, _ kept: Text?
    ) throws(Failure) -> JSONDocument {
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count > 0 else {
            throw TextPosition(0, in: text).failure(.json, "the input is empty")
        }
        if text.count >= Int(UInt32.max) { throw Failure(.limit, "the JSON is over 4 GiB") }
        guard var reader = JSONReader(start, text.count, reading) else { throw Memory.fail() }
        switch reader.run() {
        case .tape: return JSONDocument(start, text.count, kept, reader.takeWords(), reader.used)
        case .memory: throw Memory.fail()
        case .size: throw Failure(.limit, "a value of the JSON has over \(JSONWord.countLimit) bytes or elements")
        case .duplicate:
            let tape = try JSONTape.read(text)
            guard let twin = tape.node(at: reader.duplicate) else { break }
            throw tape.failure(twin, "the key \"\(twin.string.printable)\" occurs twice in one object")
                .with { $0.parameter = twin.string }
        case .refused: break
        }
        // Where all escapes are taken and something else is wrong, an escape may be told.
        _ = try JSONScan(text, depth: reading.depthHere, escapes: reading.escapes == .halves ? .halves : .strict)
        throw Failure(.json, "the input is not valid JSON")
    }

    /// A tree for a host, in which wide numbers are strings of their digits: a new reference.
    package static func jansson(_ text: UnsafeRawBufferPointer, depth: Int) throws(Failure) -> OpaquePointer {
        let document = try read(text, JSONReading(depth: depth))
        defer { withExtendedLifetime(document) {} }
        guard let tree = document.view.janssonTree else { throw Memory.fail() }
        return tree
    }

    /// Where the value at a JSON pointer begins in a text, and its key when it is a member; nil for nothing.
    package static func find(_ pointer: Bytes, in text: UnsafeRawBufferPointer) -> (value: Int, key: Int?)? {
        guard let document = try? read(text, JSONReading(escapes: .any)) else { return nil }
        defer { withExtendedLifetime(document) {} }
        return document.view.find(pointer).map { ($0.value.offset, $0.key) }
    }

    /// Whether a text is JSON: for messages, which are written where there is no memory for a tape, too.
    package static func isJSON(_ text: UnsafeRawBufferPointer) -> Bool { (try? JSONScan(text)) != nil }
}
