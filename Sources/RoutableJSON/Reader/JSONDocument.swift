// A parsed JSON document: its tape, and views of its values.

internal import CSystem
package import RoutableCore

/// The tape of a JSON document.  Immutable; any number of threads may read it.
package final class JSONDocument: ParsedDocument, @unchecked Sendable {
    // The text is borrowed, or owned by the document.
    nonisolated(unsafe) private let text: UnsafePointer<UInt8>
    // Owned: allocated by the reader, released in `deinit`, constant in between.
    package nonisolated(unsafe) let words: UnsafePointer<UInt64>
    package let wordCount: Int
    let textCount: Int
    private let kept: Text?
    // Like `words`; nil for a string that is borrowed or a `Text`.
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

    /// Takes over the memory of a string and its tape.
    convenience init(
        owning text: UnsafeMutablePointer<UInt8>, _ textCount: Int, _ words: UnsafePointer<UInt64>, _ wordCount: Int
    ) {
        self.init(text, textCount, nil, words, wordCount, owned: text)
    }

    /// The root value, which is valid as long as the document.
    package var view: JSONView { JSONView(text, words) }

    /// Reads any JSON value.  The text must exist as long as the document.
    ///
    /// This is a function and not an `init`, because in Embedded Swift an object whose `init` throws is not deallocated.
    ///
    /// - Throws: `json` with offset, line and column; `limit` for nesting, for 4 GB, for a string or a container over
    ///   2^28, and for memory; `document` for a key that occurs twice in one object, if duplicates are rejected.
    ///   Otherwise the last one is valid.
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

    /// Reads a string, and retains it.
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
        // If all escapes are accepted, the scan may report one of them although another fault caused the rejection.
        _ = try JSONScan(text, depth: reading.depthHere, escapes: reading.escapes == .halves ? .halves : .strict)
        throw Failure(.json, "the input is not valid JSON")
    }

    /// Makes a tree for a program, with wide numbers as strings of their digits: a new reference.
    package static func jansson(_ text: UnsafeRawBufferPointer, depth: Int) throws(Failure) -> OpaquePointer {
        let document = try read(text, JSONReading(depth: depth))
        defer { withExtendedLifetime(document) {} }
        guard let tree = document.view.janssonTree else { throw Memory.fail() }
        return tree
    }

    /// The offset of the value at a JSON pointer, and that of its key if it is a member; nil if there is no such value.
    package static func find(_ pointer: Bytes, in text: UnsafeRawBufferPointer) -> (value: Int, key: Int?)? {
        guard let document = try? read(text, JSONReading(escapes: .any)) else { return nil }
        defer { withExtendedLifetime(document) {} }
        return document.view.find(pointer).map { ($0.value.offset, $0.key) }
    }

    /// Whether a string is JSON.  Needs no tape: messages call this even if memory cannot be allocated.
    package static func isJSON(_ text: UnsafeRawBufferPointer) -> Bool { (try? JSONScan(text)) != nil }
}
