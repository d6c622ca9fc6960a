// Places in a text: an offset, and the line and column that people count.

internal import RoutableCore

/// A byte offset with its line and column, both from 1; the column counts bytes.
struct TextPosition {
    let offset: Int
    let line: Int
    let column: Int

    init(_ offset: Int, in text: UnsafeRawBufferPointer) {
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

    func failure(_ status: Status, _ message: Bytes) -> Failure { place(Failure(status, message)) }

    /// The same failure at this place.
    func place(_ failure: Failure) -> Failure {
        failure.with {
            $0.offset = offset
            $0.line = line
            $0.column = column
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `word` stands at `index`.
    func has(_ word: StaticString, at index: Int) -> Bool {
        guard index >= 0 && word.utf8CodeUnitCount <= count &- index else { return false }
        var offset = 0
        while offset < word.utf8CodeUnitCount {
            if self[index &+ offset] != word.utf8Start[offset] { return false }
            offset &+= 1
        }
        return true
    }

    /// Whether the bytes are those of `word`.
    func equals(_ word: StaticString) -> Bool { count == word.utf8CodeUnitCount && has(word, at: 0) }

    func equals(bytes: Bytes) -> Bool { elementsEqual(bytes.storage) }
}
