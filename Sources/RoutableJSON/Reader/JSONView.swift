// One value of a tape, for readers of bodies, documents and calls.

internal import CSystem
package import RoutableCore

package enum JSONKind { case null, boolean, integer, real, wideNumber, text, array, object }

/// A borrowed value: it must not be used after its document is released.
package struct JSONView {
    let start: UnsafePointer<UInt8>
    let word: UnsafePointer<UInt64>

    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ word: UnsafePointer<UInt64>) {
        self.start = start
        self.word = word
    }

    /// The address of the word: unique for each value of a tape.
    package var identity: Int { Int(bitPattern: word) }

    /// The kind as a bit: object 1, array 2, string 4, integer 8, real 16, true 32, false 64, null 128.  Wide numbers
    /// have the bit of integers.
    @inline(__always) package var bit: UInt8 { UInt8(truncatingIfNeeded: 1 &<< (word[0] &>> 32 & 7)) }

    /// Whether the value is neither a string with escapes nor a number that exceeds 64 bits or a double.
    @inline(__always) package var isPlain: Bool { word[0] & 8 &<< 32 == 0 }

    /// Whether the value is a string without escapes.
    @inline(__always) package var isPlainText: Bool { JSONWord.kind(word[0]) == JSONWord.string }

    // Not inlined, like other functions that are called from many places that are not hot: it would be copied hundreds of times.
    package var kind: JSONKind {
        @inline(never) get {
            switch JSONWord.kind(word[0]) {
            case JSONWord.object: .object
            case JSONWord.array: .array
            case JSONWord.string, JSONWord.escaped: .text
            case JSONWord.integer: .integer
            case JSONWord.real: .real
            case JSONWord.wide: .wideNumber
            case JSONWord.true, JSONWord.false: .boolean
            default: .null
            }
        }
    }

    /// The kind in the C interface (`routable_json_kind`): a table with a digit for each kind of word.
    @inline(__always) package var hostKind: Int32 {
        Int32(truncatingIfNeeded: 0x5600_1224_3678 as UInt64 &>> (JSONWord.kind(word[0]) &<< 2) & 15)
    }

    /// The name of the kind in messages.
    package var kindName: Bytes {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real, .wideNumber: "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The offset of the value in the text.
    package var offset: Int { JSONWord.offset(word[0]) }

    /// The offset of its end.
    package var end: Int {
        let kind = JSONWord.kind(word[0])
        if kind <= JSONWord.array { return Int(truncatingIfNeeded: word[1] &>> 32) }
        return offset &+ JSONWord.count(word[0]) &+ (kind == JSONWord.string || kind == JSONWord.escaped ? 2 : 0)
    }

    /// The text of the value.
    package var source: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start + offset, count: max(0, end &- offset)) }

    // MARK: Scalars; a neutral value if the kind is different

    package var boolean: Bool { JSONWord.kind(word[0]) == JSONWord.true }

    package var integer: Int64 {
        guard JSONWord.kind(word[0]) == JSONWord.integer else { return 0 }
        // proof: a word of this kind has a minus and digits that fit in 64 bits.
        let digits = digits
        var result: UInt64 = 0
        for byte in digits where byte != UInt8(ascii: "-") { result = result &* 10 &+ UInt64(byte &- 0x30) }
        return Int64(bitPattern: digits.first == UInt8(ascii: "-") ? 0 &- result : result)
    }

    package var real: Double { JSONWord.kind(word[0]) == JSONWord.real ? JSONNumber.value(digits) : 0 }

    /// The value of any number; wide ones may be infinite.
    package var number: Double {
        switch kind {
        case .integer: Double(integer)
        case .real, .wideNumber: JSONNumber.value(digits)
        default: 0
        }
    }

    /// The text of a number or a literal.
    private var digits: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start + offset, count: JSONWord.count(word[0])) }

    /// The text between the quotes of a string, which is the decoded string if it has no escapes.
    @inline(__always) package var plainText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + offset + 1, count: JSONWord.count(word[0]))
    }

    /// The characters of a string, or the digits of a wide number.
    package var content: Bytes {
        switch JSONWord.kind(word[0]) {
        case JSONWord.string: Bytes(plainText)
        case JSONWord.escaped: JSONEscapes.decoded(plainText)
        case JSONWord.wide: Bytes(digits)
        default: Bytes()
        }
    }

    package func equals(_ word: StaticString) -> Bool {
        guard kind == .text else { return false }
        return isPlain ? plainText.equals(word) : content.equals(word)
    }

    // MARK: Containers

    /// The number of elements or members.
    package var count: Int { JSONWord.kind(word[0]) < 2 ? JSONWord.count(word[0]) : 0 }

    /// The elements in order; none if the value is not an array.
    package var elements: Elements { @inline(never) get { Elements(self) } }

    /// The words of a container from the first element or key, or none if the value is of another kind.
    private struct Rest {
        let text: UnsafePointer<UInt8>
        var word: UnsafePointer<UInt64>
        let end: UnsafePointer<UInt64>

        @inline(__always)
        init(_ container: JSONView, _ kind: UInt64) {
            text = container.start
            word = container.word + 2
            end = container.word + (JSONWord.kind(container.word[0]) == kind ? JSONWord.width(container.word) : 0)
        }

        @inline(__always) var isEmpty: Bool { word >= end }

        /// Reads the value and goes to the next word.
        @inline(__always)
        mutating func value() -> JSONView {
            defer { word += JSONWord.width(word) }
            return JSONView(text, word)
        }

        /// Reads the key and goes to the next word.
        @inline(__always)
        mutating func key() -> UnsafePointer<UInt64> {
            defer { word += JSONWord.keyWidth(word) }
            return word
        }
    }

    package struct Elements {
        private var rest: Rest

        @inline(__always)
        fileprivate init(_ array: JSONView) { rest = Rest(array, JSONWord.array) }

        @inline(never)
        package mutating func read() -> JSONView? { next() }

        /// Like `read`, for hot loops.
        @inline(__always)
        package mutating func next() -> JSONView? {
            rest.isEmpty ? nil : rest.value()
        }

        /// Skips consecutive plain scalars of these kinds (`bit`), and returns their number.
        @inline(__always)
        package mutating func skip(_ kinds: UInt8) -> Int {
            let first = rest.word
            // proof: a scalar has one word.
            while !rest.isEmpty && JSONView(rest.text, rest.word).isPlain && kinds & JSONView(rest.text, rest.word).bit != 0 {
                rest.word += 1
            }
            return rest.word - first
        }
    }

    /// The members in the order of the text; none if the value is not an object.  If names are equal, the last member is valid.
    package var members: Members { @inline(never) get { Members(self) } }

    package struct Members {
        private var rest: Rest

        @inline(__always)
        fileprivate init(_ object: JSONView) { rest = Rest(object, JSONWord.object) }

        @inline(never)
        package mutating func read() -> (name: UnsafeRawBufferPointer, value: JSONView)? { next() }

        /// Like `read`, for hot loops.
        @inline(__always)
        package mutating func next() -> (name: UnsafeRawBufferPointer, value: JSONView)? {
            while !rest.isEmpty {
                let key = rest.key()
                let value = rest.value()
                if JSONWord.kind(key[0]) == JSONWord.string {
                    let name = UnsafeRawBufferPointer(
                        start: rest.text + JSONWord.offset(key[0]) + 1, count: JSONWord.count(key[0]))
                    return (name, value)
                }
                if JSONWord.kind(key[0]) == JSONWord.escapedKey { return (JSONView.name(rest.text, key), value) }
            }
            return nil
        }

        /// Reads the next key, and its word.
        @inline(never)
        mutating func readKey() -> (name: UnsafeRawBufferPointer, word: UnsafePointer<UInt64>)? {
            while !rest.isEmpty {
                let key = rest.key()
                _ = rest.value()
                let kind = JSONWord.kind(key[0])
                if kind == JSONWord.string || kind == JSONWord.escapedKey { return (JSONView.name(rest.text, key), key) }
            }
            return nil
        }
    }

    /// The characters of a key.
    @inline(never)
    static func name(_ text: UnsafePointer<UInt8>, _ key: UnsafePointer<UInt64>) -> UnsafeRawBufferPointer {
        let kind = JSONWord.kind(key[0])
        if kind == JSONWord.escapedKey || kind == JSONWord.deadEscapedKey {
            return UnsafeRawBufferPointer(start: key + 2, count: Int(truncatingIfNeeded: key[1]))
        }
        return UnsafeRawBufferPointer(start: text + JSONWord.offset(key[0]) + 1, count: JSONWord.count(key[0]))
    }

    package func member(_ name: UnsafeRawBufferPointer) -> JSONView? {
        guard let start = name.baseAddress else { return nil }
        var members = members
        while let (key, value) = members.next() {
            if key.count == name.count, let own = key.baseAddress, csystem_equal(own, start, key.count) != 0 { return value }
        }
        return nil
    }

    package func member(_ name: Bytes) -> JSONView? { name.storage.withUnsafeBytes { member($0) } }

    #if !hasFeature(Embedded)
    /// The member with this name.  The search begins at a member, and sets the place to the member after the one that was found, so
    /// that members that are searched in the order of the text are found at once.
    package func member(_ name: UnsafeRawBufferPointer, near place: inout Int) -> JSONView? {
        guard JSONWord.kind(word[0]) == JSONWord.object else { return nil }
        let width = JSONWord.width(word)
        let first = place >= 2 && place < width ? place : 2
        var at = first
        while true {
            if at < width {
                let key = word + at
                at += JSONWord.keyWidth(key)
                let value = word + at
                at += JSONWord.width(value)
                let kind = JSONWord.kind(key[0])
                if kind == JSONWord.string || kind == JSONWord.escapedKey {
                    let own = JSONView.name(start, key)
                    if own.count == name.count, Self.equals(own, name) {
                        place = at
                        return JSONView(start, value)
                    }
                }
            } else if at == first {
                return nil
            } else {
                // The members before the place.
                at = 2
                if at == first { return nil }
            }
            if at == first { return nil }
        }
    }

    private static func equals(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard let start = one.baseAddress, let second = other.baseAddress else { return true }
        return csystem_equal(start, second, one.count) != 0
    }

    /// Null, without a document.
    package nonisolated(unsafe) static let null = JSONView(UnsafePointer(("null" as StaticString).utf8Start), nullWord)

    private nonisolated(unsafe) static let nullWord: UnsafePointer<UInt64> = {
        let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        word.initialize(to: JSONWord.make(0, JSONWord.null, 4))
        return UnsafePointer(word)
    }()
    #endif

    package func element(_ index: Int) -> JSONView? {
        guard index >= 0, index < count else { return nil }
        var elements = elements
        for _ in 0..<index { _ = elements.next() }
        return elements.next()
    }

    /// The value at a JSON pointer, and the offset of its key if it is a member; nil if there is no such value.
    package func find(_ pointer: Bytes) -> (value: JSONView, key: Int?)? {
        var view = self
        var offset: Int?
        for token in JSONPointer.tokens(pointer) {
            offset = nil
            if view.kind == .array {
                guard let index = Decimal.parse(token), let element = view.element(Int(index)) else { return nil }
                view = element
                continue
            }
            var members = view.members
            while true {
                guard let (name, key) = members.readKey() else { return nil }
                if !token.storage.withUnsafeBytes({ $0.elementsEqual(name) }) { continue }
                offset = JSONWord.offset(key[0])
                view = JSONView(view.start, key + JSONWord.keyWidth(key))
                break
            }
        }
        return (view, offset)
    }
}

// MARK: - Values without a document

extension JSONView {
    /// The kind of the value that `with` makes from a string.
    package enum Scalar { case null, boolean, number, text }

    /// Calls `use` with a string value, which is valid during the call.
    package static func with<Result>(text: UnsafeRawBufferPointer, _ use: (JSONView) -> Result) -> Result {
        with(.text, text, use)
    }

    /// Calls `use` with the value of a string that has the grammar of `scalar`.
    package static func with<Result>(
        _ scalar: Scalar, _ text: UnsafeRawBufferPointer, _ use: (JSONView) -> Result
    ) -> Result {
        let kind: UInt64
        switch scalar {
        case .null: kind = JSONWord.null
        case .boolean: kind = text.count == 4 ? JSONWord.true : JSONWord.false
        case .text: kind = JSONWord.string
        case .number:
            if Decimal.parse(text) != nil {
                kind = JSONWord.integer
            } else {
                kind = !ScalarText.isInteger(text) && JSONNumber.value(text).isFinite ? JSONWord.real : JSONWord.wide
            }
        }
        let count = min(text.count, JSONWord.countLimit &- 1)
        // The text of a string begins one byte after the offset, after the quote; here there is no quote, and it is not read.
        let word = JSONWord.make(scalar == .text ? 0 : 1, kind, count)
        return withUnsafePointer(to: word) { word in
            let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? emptyText
            return use(JSONView(start - 1, word))
        }
    }

    private static var emptyText: UnsafePointer<UInt8> { UnsafePointer(("" as StaticString).utf8Start) }
}
