// Positions in a document: an offset with its line and column.

package import RoutableCore

/// A byte offset with its line and column, both from 1; the column counts bytes.
package struct TextPosition {
    package let offset: Int
    package let line: Int
    package let column: Int

    package init(_ offset: Int, in text: UnsafeRawBufferPointer) {
        let end = min(max(offset, 0), text.count)
        var line = 1
        var lineStart = 0
        for index in 0..<end where text[index] == 0x0A {
            line &+= 1
            lineStart = index &+ 1
        }
        self.offset = end
        self.line = line
        column = end &- lineStart &+ 1
    }

    package func failure(_ status: Status, _ message: Bytes) -> Failure { place(Failure(status, message)) }

    /// Sets this position in a failure.
    package func place(_ failure: Failure) -> Failure {
        failure.with {
            $0.offset = offset
            $0.line = line
            $0.column = column
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `word` is at `index`.
    package func has(_ word: StaticString, at index: Int) -> Bool {
        let word = word.rawBytes
        guard index >= 0 && word.count <= count &- index else { return false }
        var offset = 0
        while offset < word.count {
            if self[index &+ offset] != word[offset] { return false }
            offset &+= 1
        }
        return true
    }

    package func equals(bytes: Bytes) -> Bool { elementsEqual(bytes.storage) }
}
