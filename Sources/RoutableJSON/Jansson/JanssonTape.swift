// Makes tapes from json_t values: those of a program, and calls, which jansson parses.
//
// A tape refers to a string, so this code writes the tree as text, and the tape at the same time: the string is not parsed again.

internal import CJansson
internal import CSystem
package import RoutableCore

/// Writes the tape of one tree.
struct JanssonTape: ~Copyable {
    /// The maximum number of values of a program's tree, whose size no text limits: a value that is referred to twice counts twice.
    private static let valueLimit = Limits.documentBytes / 16

    private var text: UnsafeMutablePointer<UInt8>?
    private var count = 0
    private var room = 0
    private var words: UnsafeMutablePointer<UInt64>?
    private var used = 0
    private var capacity = 0
    private var budget = Self.valueLimit

    deinit {
        csystem_free(words)
        csystem_free(text)
    }

    /// Rejects cycles and trees that are too large when expanded, strings that are not UTF-8, and keys with U+0000.
    static func read(_ tree: OpaquePointer) throws(Failure) -> JSONDocument {
        var tape = JanssonTape()
        try tape.add(tree, 0)
        return try tape.finish()
    }

    /// Moves the words and the text to a document.
    private mutating func finish() throws(Failure) -> JSONDocument {
        guard let words, let text else { throw Memory.fail() }
        let document = JSONDocument(owning: text, count, words, used)
        self.words = nil
        self.text = nil
        return document
    }

    private mutating func add(_ value: OpaquePointer, _ depth: Int) throws(Failure) {
        // proof: the depth of the recursion is limited by the check in `addContainer`.
        budget &-= 1
        if budget < 0 { throw Failure(.limit, "the JSON has more than \(Self.valueLimit) values") }
        switch Int(cjansson_kind(value)) {
        case CJANSSON_FALSE: try put("false", JSONWord.false)
        case CJANSSON_TRUE: try put("true", JSONWord.true)
        case CJANSSON_INTEGER:
            try reserve(32, 1)
            guard let text else { return }
            let length = Decimal.print(cjansson_integer(value), text + count)
            push(JSONWord.integer, length)
            count &+= length
        case CJANSSON_REAL:
            // jansson has no real number that is not finite.
            guard let digits = RealText.shortest(cjansson_real(value)) else { return try put("null", JSONWord.null) }
            try reserve(digits.count, 1)
            digits.storage.withUnsafeBytes { put($0, JSONWord.real) }
        case CJANSSON_STRING:
            let string = UnsafeRawBufferPointer(start: cjansson_string(value), count: cjansson_string_length(value))
            if try !add(string, JSONWord.string, JSONWord.escaped) { throw Failure(.document, "a string is not UTF-8") }
        case CJANSSON_ARRAY, CJANSSON_OBJECT: try addContainer(value, Int(cjansson_kind(value)) == CJANSSON_OBJECT, depth)
        default: try put("null", JSONWord.null)
        }
    }

    private mutating func addContainer(_ value: OpaquePointer, _ isObject: Bool, _ depth: Int) throws(Failure) {
        // proof: this check limits the recursion.
        if depth >= JSONReading.anywhere, depth >= JSONReading().depthHere {
            throw Failure(.limit, "the JSON nests deeper than \(JSONReading().depthHere) levels, or contains itself")
        }
        let container = used
        var children = 0
        try reserve(1, 2)
        push(isObject ? JSONWord.object : JSONWord.array, 0)
        used &+= 1
        put(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        if isObject {
            var member = cjansson_member_first(value)
            while let current = member, let key = cjansson_member_key(current), let child = cjansson_member_value(current) {
                try separate(children)
                let name = UnsafeRawBufferPointer(start: key, count: cjansson_member_key_length(current))
                try addKey(name)
                do { try add(child, depth &+ 1) } catch { throw error.below(Bytes(name)) }
                member = cjansson_member_next(value, current)
                children &+= 1
            }
        } else {
            while let child = cjansson_array_at(value, children) {
                try separate(children)
                do { try add(child, depth &+ 1) } catch { throw error.below("\(children)") }
                children &+= 1
            }
        }
        try reserve(1, 0)
        put(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        // proof: two words were pushed, and the values are fewer than `valueLimit`.
        guard let words else { return }
        words[container] |= UInt64(truncatingIfNeeded: children) &<< 36
        words[container &+ 1] = UInt64(truncatingIfNeeded: used &- container) | UInt64(truncatingIfNeeded: count) &<< 32
    }

    private mutating func separate(_ children: Int) throws(Failure) {
        if children == 0 { return }
        try reserve(1, 0)
        put(UInt8(ascii: ","))
    }

    // MARK: Strings

    private mutating func addKey(_ name: UnsafeRawBufferPointer) throws(Failure) {
        let key = used
        let isText = try add(name, JSONWord.string, JSONWord.escapedKey)
        // A key without escapes cannot contain U+0000.
        let isPlain = isText && words.map { JSONWord.kind($0[key]) == JSONWord.string } == true
        guard isText, isPlain || !name.contains(0) else { throw Failure(.document, "a key is not UTF-8, or has U+0000") }
        try reserve(1, isPlain ? 0 : 1 &+ (name.count &+ 7) &>> 3)
        put(UInt8(ascii: ":"))
        guard !isPlain, let words else { return }
        // proof: there is space for the length and the bytes.
        words[used] = UInt64(truncatingIfNeeded: name.count)
        UnsafeMutableRawBufferPointer(start: words + used + 1, count: name.count).copyMemory(from: name)
        used &+= 1 &+ (name.count &+ 7) &>> 3
    }

    /// Writes a string in quotes, and its word; returns false if the string is not UTF-8.
    private mutating func add(_ string: UnsafeRawBufferPointer, _ plain: UInt64, _ escaped: UInt64) throws(Failure) -> Bool {
        if string.count >= JSONWord.countLimit { throw Self.tooLong }
        try reserve(string.count &+ 16, 1)
        guard let text, let start = string.baseAddress else { return false }
        let kind = csystem_json_copy(start, string.count, text + count + 1)
        if kind != 0 && !UTF8Check.isValid(string) { return false }
        if kind < 2 {
            push(plain, string.count)
            put(UInt8(ascii: "\""))
            count &+= string.count
            put(UInt8(ascii: "\""))
            return true
        }
        var writer = JSONWriter()
        writer.string(string)
        let length = writer.bytes.count
        if length >= JSONWord.countLimit { throw Self.tooLong }
        try reserve(length, 1)
        writer.bytes.withUnsafeBytes { put($0, escaped, length &- 2) }
        return true
    }

    // MARK: Text and words

    private mutating func put(_ byte: UInt8) {
        // proof: the caller has reserved the byte.
        text?[count] = byte
        count &+= 1
    }

    private mutating func put(_ word: StaticString, _ kind: UInt64) throws(Failure) {
        try reserve(8, 1)
        put(word.rawBytes, kind)
    }

    /// Writes the text of a scalar, and its word; `length` is nil if it is the number of bytes.
    private mutating func put(_ bytes: UnsafeRawBufferPointer, _ kind: UInt64, _ length: Int? = nil) {
        // proof: the caller has reserved the bytes.
        guard let text, let start = bytes.baseAddress else { return }
        csystem_copy(text + count, start, bytes.count)
        push(kind, length ?? bytes.count)
        count &+= bytes.count
    }

    /// Appends a word for the value at the end of the text.
    private mutating func push(_ kind: UInt64, _ length: Int) {
        // proof: the caller has reserved the word.
        words?[used] = JSONWord.make(count, kind, length)
        used &+= 1
    }

    /// Reserves space for this number of bytes and words.
    @inline(__always)
    private mutating func reserve(_ bytes: Int, _ more: Int) throws(Failure) {
        if count &+ bytes > room || used &+ more > capacity { try grow(bytes, more) }
    }

    @inline(never)
    private mutating func grow(_ bytes: Int, _ more: Int) throws(Failure) {
        if count &+ bytes > room {
            if count &+ bytes >= Int(UInt32.max) { throw Self.tooLong }
            let larger = max(count &+ bytes, room &* 2, 1024)
            guard let memory = csystem_resize(text, larger) else { throw Memory.fail() }
            text = memory.assumingMemoryBound(to: UInt8.self)
            room = larger
        }
        if used &+ more > capacity {
            let larger = max(used &+ more, capacity &* 2, 128)
            guard let memory = csystem_resize(words, larger &* 8) else { throw Memory.fail() }
            words = memory.assumingMemoryBound(to: UInt64.self)
            capacity = larger
        }
    }

    private static var tooLong: Failure {
        Failure(.limit, "a string has \(JSONWord.countLimit) bytes or more, or all strings together have 4 GiB")
    }
}

extension JSONDocument {
    /// Reads a tree of a program; `jansson` is a borrowed `const json_t *`.
    package static func read(jansson: OpaquePointer) throws(Failure) -> JSONDocument { try JanssonTape.read(jansson) }

    /// Reads a call, in which no key may occur twice.
    ///
    /// - Throws: like `read`.
    package static func read(call text: UnsafeRawBufferPointer) throws(Failure) -> JSONDocument {
        // jansson rejects wide numbers, and accepts a NUL after a number; strings with either are read by this library.  jansson uses stack for each
        // level of nesting.
        guard csystem_stack_left() > 1 << 18, let start = text.baseAddress, !text.contains(0),
            let tree = cjansson_parse(start, text.count)
        else {
            return try read(text, JSONReading(rejectsDuplicates: true))
        }
        defer { cjansson_free(tree) }
        return try read(jansson: tree)
    }

    /// The null of jansson, which has no reference count.
    package static var janssonNull: OpaquePointer { cjansson_null() }
}

extension JSONDocument {
    /// Releases a tree that was made for a program and is not passed to it.
    package static func free(jansson tree: OpaquePointer) { cjansson_free(tree) }
}
