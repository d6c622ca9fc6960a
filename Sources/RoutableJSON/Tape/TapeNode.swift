// One value of a tape, as the reader of OpenAPI documents sees it.

internal import CSystem
package import RoutableCore

/// A borrowed value: it must not outlive its tape.
package struct TapeNode {
    package enum Kind { case null, boolean, number, text, array, object }

    package let text: UnsafePointer<UInt8>
    package let words: UnsafePointer<UInt64>
    package let index: UInt32

    package init(text: UnsafePointer<UInt8>, words: UnsafePointer<UInt64>, index: UInt32) {
        self.text = text
        self.words = words
        self.index = index
    }

    /// Where it begins in the text.
    package var offset: Int { Int(truncatingIfNeeded: words[Int(index)] & 0xFFFF_FFFF) }
    /// The number of the word behind it.
    package var next: UInt32 { UInt32(truncatingIfNeeded: words[Int(index)] >> 32) }

    private var first: UInt8 { text[offset] }

    package var kind: Kind {
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .text
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    package var isObject: Bool { first == UInt8(ascii: "{") }
    package var isTrue: Bool { first == UInt8(ascii: "t") }

    /// What a message calls it.
    package var kindName: Bytes {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Where it ends in the text, which has `limit` bytes.
    package func end(limit: Int) -> Int {
        switch first {
        // The word before the next one is that of the closing bracket.
        case UInt8(ascii: "{"), UInt8(ascii: "["): return Int(truncatingIfNeeded: words[Int(next &- 1)] & 0xFFFF_FFFF) &+ 1
        case UInt8(ascii: "\""): return offset &+ 2 &+ rawText.count
        default:
            var end = offset
            while end < limit {
                let byte = text[end]
                if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20 { break }
                end &+= 1
            }
            return end
        }
    }

    /// What stands between the quotes, as it stands there.
    package var rawText: UnsafeRawBufferPointer {
        var end = offset &+ 1
        while text[end] != UInt8(ascii: "\"") { end &+= text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return UnsafeRawBufferPointer(start: text + offset + 1, count: end &- offset &- 1)
    }

    /// A string: escapes resolved, a lone surrogate as U+FFFD; the empty text when it is none.
    package var string: Bytes {
        guard first == UInt8(ascii: "\"") else { return Bytes() }
        return JSONWalk.unescaped(rawText)
    }

    /// Whether it is this string.
    package func equals(_ word: StaticString) -> Bool {
        first == UInt8(ascii: "\"") && matches(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Compares in place; a text with escapes is compared without them.
    private func matches(_ name: UnsafeRawBufferPointer) -> Bool {
        var position = offset &+ 1
        for byte in name {
            let own = text[position]
            if own == UInt8(ascii: "\\") { return string.storage.elementsEqual(name) }
            if own != byte { return false }
            position &+= 1
        }
        return text[position] == UInt8(ascii: "\"")
    }

    /// The digits of a number.
    package var digits: Bytes {
        var result: [UInt8] = []
        var position = offset
        while ASCII.isDigit(text[position]) || text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+")
            || text[position] == UInt8(ascii: ".") || text[position] | 0x20 == UInt8(ascii: "e")
        {
            result.append(text[position])
            position &+= 1
        }
        return Bytes(result)
    }

    /// The value of a number; infinite beyond a double, nil when it is none.
    package var number: Double? {
        guard kind == .number else { return nil }
        return digits.storage.withUnsafeBytes { ScalarText.number($0) }
    }

    // MARK: Containers

    /// The members of an object, or the elements of an array.
    package var children: Children { Children(self) }

    package struct Children {
        private let text: UnsafePointer<UInt8>
        private let words: UnsafePointer<UInt64>
        private var index: UInt32
        private let end: UInt32
        private let isObject: Bool

        init(_ node: TapeNode) {
            text = node.text
            words = node.words
            isObject = node.isObject
            let isContainer = isObject || node.first == UInt8(ascii: "[")
            index = node.index &+ 1
            end = isContainer ? node.next &- 1 : 0
        }

        /// The next child; `key` is that of a member.
        package mutating func read() -> Child? {
            guard index < end else { return nil }
            let key = TapeNode(text: text, words: words, index: index)
            if !isObject {
                index = key.next
                return Child(key: key, value: key)
            }
            let value = TapeNode(text: text, words: words, index: index &+ 1)
            index = value.next
            return Child(key: key, value: value)
        }
    }

    package struct Child {
        package let key: TapeNode
        package let value: TapeNode
        package var name: Bytes { key.string }
    }

    package var isEmpty: Bool {
        var children = children
        return children.read() == nil
    }

    /// The element at a position that a JSON pointer names.
    package func element(_ token: Bytes) -> TapeNode? {
        guard kind == .array, let position = Decimal.parse(token), position >= 0 else { return nil }
        var children = children
        var index: Int64 = 0
        while let child = children.read() {
            if index == position { return child.value }
            index &+= 1
        }
        return nil
    }

    /// The member of that name; of equal names the last one counts.
    package func member(_ name: StaticString) -> TapeNode? {
        member(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    package func member(named name: Bytes) -> TapeNode? { name.storage.withUnsafeBytes { member($0) } }

    private func member(_ name: UnsafeRawBufferPointer) -> TapeNode? {
        guard isObject else { return nil }
        var found: TapeNode?
        var children = children
        while let child = children.read() {
            if child.key.matches(name) { found = child.value }
        }
        return found
    }
}
