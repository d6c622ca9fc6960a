// A JSON text that is kept as it came, with the place of each of its values: what an OpenAPI document is held in, and
// what tables of routes are read from.
//
// A tree of jansson's takes six times the text; the tape takes half of it.  And it refuses less: integers of any
// size, numbers beyond a double, U+0000 and lone surrogates are bytes of the text like any others.

package import RoutableCore

/// One word for each key, value and closing bracket, in the order of the text: where it begins, and the number of the
/// word behind it and all it holds.
package final class JSONTape: Sendable {
    package let text: Text
    // Owned: allocated in `init`, freed in `deinit`, never changed in between.
    package nonisolated(unsafe) let words: UnsafePointer<UInt64>
    package let count: Int
    /// The URI by which references name it; empty for none.
    package let uri: Bytes

    private init(_ text: Text, _ words: UnsafePointer<UInt64>, _ count: Int, _ uri: Bytes) {
        self.text = text
        self.words = words
        self.count = count
        self.uri = uri
    }

    deinit { words.deallocate() }

    package var root: TapeNode { TapeNode(text: text.start, words: words, index: 0) }

    /// Reads a text.
    ///
    /// - Throws: `json` with offset, line and column; `limit`.
    package static func read(_ text: UnsafeRawBufferPointer, uri: Bytes = Bytes()) throws(Failure) -> JSONTape {
        if text.count >= Int(UInt32.max) { throw Failure(.limit, "the document is over 4 GB") }
        guard let start = text.baseAddress else { throw TextPosition(0, in: text).failure(.json, "the text is empty") }
        let isText = UTF8Check.firstInvalid(text) == nil
        var writer = TapeWriter(start.assumingMemoryBound(to: UInt8.self), text.count)
        guard isText, writer.run() else {
            // The scan says what is wrong in a sentence; what it refuses and a tape does not was no fault.
            _ = try JSONScan(text)
            throw Failure(.json, "the text is not JSON")
        }
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: writer.words.count)
        words.initialize(from: writer.words, count: writer.words.count)
        return JSONTape(Text(copying: text), UnsafePointer(words), writer.words.count, uri)
    }

    /// The root of a text that nothing keeps; nil for what is not JSON.
    package static func withRoot<Result>(of text: UnsafeRawBufferPointer, _ use: (TapeNode) -> Result) -> Result? {
        guard text.count < Int(UInt32.max), let start = text.baseAddress, UTF8Check.isValid(text) else { return nil }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        var writer = TapeWriter(bytes, text.count)
        guard writer.run() else { return nil }
        return writer.words.withUnsafeBufferPointer { words in
            words.baseAddress.map { use(TapeNode(text: bytes, words: $0, index: 0)) }
        }
    }

    /// Whether a word belongs to this tape.
    package func holds(_ node: TapeNode) -> Bool { node.words == words }

    /// The range of a value in the text.
    package func range(of node: TapeNode) -> Range<Int> {
        let start = node.offset
        return start..<max(start, node.end(limit: text.count))
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

    /// A failure about a value, with its pointer and its place in the text.
    package func failure(_ node: TapeNode, _ message: Bytes, _ status: Status = .document) -> Failure {
        TextPosition(node.offset, in: text.buffer).place(Failure(status, message) { $0.pointer = pointer(of: node) })
    }
}

/// Writes the words of a text; false for what is not JSON.
private struct TapeWriter {
    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private(set) var words: [UInt64] = []

    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes = bytes
        self.count = count
    }

    // No recursion: a container that is open is the number of its word.
    @_optimize(speed)
    mutating func run() -> Bool {
        words.reserveCapacity(count / 12 &+ 16)
        var open: [UInt32] = []
        var index = 0
        // 0: a value is expected, 1: a key, 2: a comma or the end of the container; 3: a value or `]`, 4: a key or `}`.
        var state = 0
        while true {
            while index < count, bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09 {
                index &+= 1
            }
            guard index < count else { return false }
            let byte = bytes[index]
            if state == 2 {
                guard let last = open.last else { return false }
                let isObject = bytes[Int(truncatingIfNeeded: words[Int(last)] & 0xFFFF_FFFF)] == UInt8(ascii: "{")
                if byte == UInt8(ascii: ",") {
                    index &+= 1
                    state = isObject ? 1 : 0
                    continue
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                close(&open, &index)
            } else if state == 1 || state == 4 {
                if byte == UInt8(ascii: "\"") {
                    add(index)
                    guard string(&index) else { return false }
                    while index < count, bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09 {
                        index &+= 1
                    }
                    guard index < count, bytes[index] == UInt8(ascii: ":") else { return false }
                    index &+= 1
                    state = 0
                    continue
                }
                guard state == 4, byte == UInt8(ascii: "}") else { return false }
                close(&open, &index)
            } else {
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    if open.count >= Limits.jsonDepth { return false }
                    open.append(UInt32(truncatingIfNeeded: words.count))
                    add(index)
                    index &+= 1
                    state = byte == UInt8(ascii: "{") ? 4 : 3
                    continue
                case UInt8(ascii: "]"):
                    guard state == 3 else { return false }
                    close(&open, &index)
                case UInt8(ascii: "\""):
                    add(index)
                    guard string(&index) else { return false }
                default:
                    add(index)
                    guard scalar(&index) else { return false }
                }
            }
            if open.isEmpty { break }
            state = 2
        }
        while index < count, bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09 {
            index &+= 1
        }
        return index == count
    }

    private mutating func add(_ offset: Int) {
        words.append(UInt64(truncatingIfNeeded: words.count &+ 1) << 32 | UInt64(truncatingIfNeeded: offset))
    }

    /// The closing bracket has a word of its own; the container's leads behind it.
    private mutating func close(_ open: inout [UInt32], _ index: inout Int) {
        add(index)
        index &+= 1
        guard let container = open.popLast() else { return }
        let word = words[Int(container)]
        words[Int(container)] = word & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: words.count) << 32
    }

    @_optimize(speed)
    private func string(_ position: inout Int) -> Bool {
        var index = position &+ 1
        while index < count {
            // Eight bytes at a time while none of them is a quote, a backslash or a control byte.
            while index &+ 8 <= count {
                let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
                let quote = word ^ 0x2222_2222_2222_2222
                let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
                let low: UInt64 = 0x0101_0101_0101_0101
                let found = ((quote &- low) & ~quote) | ((slash &- low) & ~slash) | ((word &- low &* 0x20) & ~word)
                if found & 0x8080_8080_8080_8080 != 0 { break }
                index &+= 8
            }
            guard index < count else { return false }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index &+ 1
                return true
            }
            if byte < 0x20 { return false }
            if byte == UInt8(ascii: "\\") {
                guard index &+ 1 < count else { return false }
                switch bytes[index &+ 1] {
                case UInt8(ascii: "u"):
                    guard index &+ 5 < count else { return false }
                    for offset in 2..<6 where ASCII.hexValue(bytes[index &+ offset]) == nil { return false }
                    index &+= 6
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                    UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                    index &+= 2
                default: return false
                }
            } else {
                index &+= 1
            }
        }
        return false
    }

    private func scalar(_ position: inout Int) -> Bool {
        let start = position
        var end = start
        while end < count {
            let byte = bytes[end]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20 { break }
            end &+= 1
        }
        let text = UnsafeRawBufferPointer(start: bytes + start, count: end &- start)
        position = end
        return text.equals("true") || text.equals("false") || text.equals("null") || ScalarText.isNumber(text)
    }
}
