// One value of a tape, for the reader of OpenAPI documents.

internal import CSystem
package import RoutableCore

/// A borrowed value: it must not be used after its tape is released.
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

    private var word: UnsafePointer<UInt64> { words + Int(index) }
    private var view: JSONView { JSONView(text, word) }

    /// The address of the value's word: unique among the values of all tapes.
    package var identity: Int { Int(bitPattern: word) }

    /// The offset of the value in the text.
    package var offset: Int { JSONWord.offset(word[0]) }
    /// The index of the word after the value; for a key, the index of its value.
    package var next: UInt32 {
        @inline(never) get {
            index &+ UInt32(truncatingIfNeeded: isObject || kind == .array ? JSONWord.width(word) : JSONWord.keyWidth(word))
        }
    }

    /// The index of the next word that begins a key or a value, possibly within this value.
    package var following: UInt32 { isObject || kind == .array ? index &+ 2 : next }

    package var kind: Kind {
        @inline(never) get {
            switch JSONWord.kind(word[0]) {
            case JSONWord.object: .object
            case JSONWord.array: .array
            case JSONWord.string, JSONWord.escaped, JSONWord.escapedKey: .text
            case JSONWord.true, JSONWord.false: .boolean
            case JSONWord.null: .null
            default: .number
            }
        }
    }

    package var isObject: Bool { JSONWord.kind(word[0]) == JSONWord.object }
    package var isTrue: Bool { JSONWord.kind(word[0]) == JSONWord.true }

    /// The name of the kind in messages.
    package var kindName: Bytes { view.kindName }

    /// The offset of its end.
    package var end: Int { kind == .text ? offset &+ 2 &+ rawText.count : view.end }

    /// The text between the quotes, not decoded.
    package var rawText: UnsafeRawBufferPointer { view.plainText }

    /// The decoded string, with U+FFFD for a lone surrogate; empty if the value is not a string.
    package var string: Bytes {
        @inline(never) get { kind != .text ? Bytes() : view.isPlain ? Bytes(rawText) : JSONEscapes.decoded(rawText) }
    }

    /// Whether the value is this string.
    @inline(never) package func equals(_ word: StaticString) -> Bool {
        kind == .text && matches(word.rawBytes)
    }

    /// Compares the bytes in place; a string with escapes is decoded first.
    private func matches(_ name: UnsafeRawBufferPointer) -> Bool {
        if view.isPlain { return rawText.count == name.count && rawText.elementsEqual(name) }
        return string.storage.elementsEqual(name)
    }

    /// The digits of a number.
    package var digits: Bytes { @inline(never) get { kind == .number ? Bytes(view.source) : Bytes() } }

    /// The value of a number; infinite if it exceeds a double, nil if the value is not a number.
    package var number: Double? { @inline(never) get { kind == .number ? JSONNumber.value(view.source) : nil } }

    // MARK: Containers

    /// The members of an object, or the elements of an array.
    package var children: Children { @inline(never) get { Children(self) } }

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
            let isContainer = isObject || node.kind == .array
            index = node.index &+ 2
            end = isContainer ? node.next : 0
        }

        /// The next child; `key` is the key of a member.  nil also if memory could not be allocated, which ends loops.
        @inline(never)
        package mutating func read() -> Child? {
            guard index < end, !Memory.cuts() else { return nil }
            let key = TapeNode(text: text, words: words, index: index)
            if !isObject {
                index = key.next
                return Child(key: key, value: key)
            }
            let value = TapeNode(text: text, words: words, index: key.next)
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

    /// The element at the index in a token of a JSON pointer.
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

    /// The member with this name; if names are equal, the last one is valid.
    @inline(never) package func member(_ name: StaticString) -> TapeNode? {
        member(name.rawBytes)
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
