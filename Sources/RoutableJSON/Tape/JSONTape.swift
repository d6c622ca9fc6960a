// A JSON document with the position of each of its values, for OpenAPI documents and route tables.
//
// A tree of jansson has six times the size of the text; the tape has half of it.  It also accepts integers of any
// size, numbers that exceed a double, U+0000 and lone surrogates: they are stored as bytes of the text.

package import RoutableCore

/// The tape of a document, with the position of each of its values.
package final class JSONTape: Sendable {
    package let text: Text
    private let document: JSONDocument
    package var words: UnsafePointer<UInt64> { document.words }
    /// The URI that references use for the document; empty for none.
    package let uri: Bytes

    private init(_ text: Text, _ document: JSONDocument, _ uri: Bytes) {
        self.text = text
        self.document = document
        self.uri = uri
    }

    package var root: TapeNode { TapeNode(text: text.start, words: words, index: 0) }

    /// Reads a text.
    ///
    /// - Throws: `json` with offset, line and column; `limit`.
    package static func read(_ text: UnsafeRawBufferPointer, uri: Bytes = Bytes()) throws(Failure) -> JSONTape {
        let copy = Text(copying: text)
        return JSONTape(copy, try JSONDocument.read(copy.buffer, reading), uri)
    }

    private static var reading: JSONReading { JSONReading(keepsDuplicates: true, escapes: .any) }

    /// Calls `use` with the root of a string that is not retained; nil if the string is not JSON.
    package static func withRoot<Result>(of text: UnsafeRawBufferPointer, _ use: (TapeNode) -> Result) -> Result? {
        guard let document = try? JSONDocument.read(text, reading),
            let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        defer { withExtendedLifetime(document) {} }
        return use(TapeNode(text: start, words: document.words, index: 0))
    }

    /// Whether a value belongs to this tape.
    package func holds(_ node: TapeNode) -> Bool { node.words == words }

    /// The range of a value in the text.
    package func range(of node: TapeNode) -> Range<Int> {
        let start = node.offset
        return start..<max(start, node.end)
    }

    /// The key or the value that begins at an offset of the text.
    package func node(at offset: Int) -> TapeNode? {
        var current = root
        while current.offset < offset {
            var children = current.children
            var next: TapeNode?
            while let child = children.read() {
                if child.key.offset == offset { return child.key }
                if child.value.offset <= offset && offset < child.value.end {
                    next = child.value
                    break
                }
            }
            guard let next, next.index > current.index else { return nil }
            current = next
        }
        return current.offset == offset ? current : nil
    }

    /// The JSON pointer of a value.
    package func pointer(of node: TapeNode) -> Bytes {
        var pointer = Bytes()
        var current = root
        while current.index < node.index {
            let isObject = current.kind == .object
            var position = 0
            var children = current.children
            var next: TapeNode?
            while let child = children.read() {
                if child.value.next > node.index {
                    pointer = JSONPointer.appending(isObject ? child.name : "\(position)", to: pointer)
                    next = child.value
                    break
                }
                position &+= 1
            }
            guard let next, next.index > current.index else { return pointer }
            current = next
        }
        return pointer
    }

    /// A failure for a value, with its pointer and its position in the text.
    package func failure(_ node: TapeNode, _ message: Bytes, _ status: Status = .document) -> Failure {
        TextPosition(node.offset, in: text.buffer).place(Failure(status, message) { $0.pointer = pointer(of: node) })
    }
}
