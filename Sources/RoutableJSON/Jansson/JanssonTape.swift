// Trees of jansson's as tapes: a host's own, and calls, which come in through jansson.
//
// A tape says where each value stands in a text, and so the tree is written as text, and the tape beside it: nothing is read
// again.

internal import CJansson
internal import CSystem
package import RoutableCore

/// Writes the tape of one tree.
struct JanssonTape: ~Copyable {
    /// The values of a tree from a host, whose size no text bounds: a value that occurs twice counts twice.
    private static let valueLimit = Limits.documentBytes / 16

    private var writer = JSONWriter()
    private var words: UnsafeMutablePointer<UInt64>?
    private var used = 0
    private var capacity = 0
    private var budget = Self.valueLimit

    deinit { csystem_release(words) }

    /// A cycle or a tree that unfolds without end is refused, and so are strings that are not UTF-8 and keys with U+0000.
    static func read(_ tree: OpaquePointer) throws(Failure) -> JSONDocument {
        var tape = JanssonTape()
        try tape.add(tree, 0)
        return try tape.finish()
    }

    /// Gives the words and the text away.
    private mutating func finish() throws(Failure) -> JSONDocument {
        guard let words else { throw Failure(.limit, "out of memory") }
        var bytes = writer.take()
        let document = JSONDocument(Text(sharing: &bytes), words, used)
        self.words = nil
        return document
    }

    private mutating func add(_ value: OpaquePointer, _ depth: Int) throws(Failure) {
        // proof: the recursion ends at the limit of nesting.
        budget &-= 1
        if budget < 0 { throw Failure(.limit, "the JSON has more than \(Self.valueLimit) values") }
        let before = writer.bytes.count
        switch Int(cjansson_kind(value)) {
        case CJANSSON_FALSE:
            writer.boolean(false)
            try push(before, JSONWord.false)
        case CJANSSON_TRUE:
            writer.boolean(true)
            try push(before, JSONWord.true)
        case CJANSSON_INTEGER:
            writer.integer(cjansson_integer(value))
            try push(before, JSONWord.integer)
        case CJANSSON_REAL:
            // jansson has no real that is not finite.
            let isNumber = writer.real(cjansson_real(value))
            if !isNumber { writer.null() }
            try push(before, isNumber ? JSONWord.real : JSONWord.null)
        case CJANSSON_STRING:
            let text = UnsafeRawBufferPointer(start: cjansson_string(value), count: cjansson_string_length(value))
            guard UTF8Check.isValid(text) else { throw Failure(.document, "a string is not UTF-8") }
            try bound(text.count)
            writer.string(text)
            // An escape is longer than what it stands for.
            let length = writer.bytes.count &- first(before) &- 2
            try push(before, length == text.count ? JSONWord.string : JSONWord.escaped, length)
        case CJANSSON_ARRAY, CJANSSON_OBJECT: try addContainer(value, Int(cjansson_kind(value)) == CJANSSON_OBJECT, depth)
        default:
            writer.null()
            try push(before, JSONWord.null)
        }
    }

    private mutating func addContainer(_ value: OpaquePointer, _ isObject: Bool, _ depth: Int) throws(Failure) {
        // proof: as in `add`.
        if depth >= Limits.jsonDepth {
            throw Failure(.limit, "the JSON nests deeper than \(Limits.jsonDepth) levels, or contains itself")
        }
        let before = writer.bytes.count
        let container = used
        var count = 0
        writer.open(isObject ? "{" : "[")
        try push(before, isObject ? JSONWord.object : JSONWord.array, 0)
        try push(0)
        if isObject {
            var member = cjansson_member_first(value)
            while let current = member, let key = cjansson_member_key(current), let child = cjansson_member_value(current) {
                let name = UnsafeRawBufferPointer(start: key, count: cjansson_member_key_length(current))
                try addKey(name)
                do { try add(child, depth &+ 1) } catch { throw error.below(Bytes(name)) }
                member = cjansson_member_next(value, current)
                count &+= 1
            }
        } else {
            while let child = cjansson_array_at(value, count) {
                do { try add(child, depth &+ 1) } catch { throw error.below("\(count)") }
                count &+= 1
            }
        }
        writer.close(isObject ? "}" : "]")
        // proof: two words were pushed, and the values are fewer than `valueLimit`.
        guard let words else { return }
        words[container] |= UInt64(truncatingIfNeeded: count) &<< 36
        words[container &+ 1] =
            UInt64(truncatingIfNeeded: used &- container) | UInt64(truncatingIfNeeded: writer.bytes.count) &<< 32
    }

    private mutating func addKey(_ name: UnsafeRawBufferPointer) throws(Failure) {
        guard UTF8Check.isValid(name), !name.contains(0) else { throw Failure(.document, "a key is not UTF-8, or has U+0000") }
        try bound(name.count)
        let before = writer.bytes.count
        writer.key(of: name)
        let length = writer.bytes.count &- first(before) &- 3
        if length == name.count { return try push(before, JSONWord.string, length) }
        try push(before, JSONWord.escapedKey, length)
        try push(UInt64(truncatingIfNeeded: name.count))
        let wordCount = (name.count &+ 7) &>> 3
        try reserve(wordCount)
        if let words { UnsafeMutableRawBufferPointer(start: words + used, count: name.count).copyMemory(from: name) }
        used &+= wordCount
    }

    // MARK: Words

    /// Where the value begins that was written from a place on: a comma may stand there.
    private func first(_ before: Int) -> Int {
        // proof: something was written.
        writer.bytes[before] == UInt8(ascii: ",") ? before &+ 1 : before
    }

    /// A word for what was written from a place on; `count` is its length unless it is said.
    private mutating func push(_ before: Int, _ kind: UInt64, _ count: Int? = nil) throws(Failure) {
        let first = first(before)
        let count = count ?? writer.bytes.count &- first
        if count >= JSONWord.countLimit { throw tooLong }
        try push(JSONWord.make(first, kind, count))
    }

    private mutating func push(_ word: UInt64) throws(Failure) {
        try reserve(1)
        words?[used] = word
        used &+= 1
    }

    private mutating func reserve(_ count: Int) throws(Failure) {
        if used &+ count <= capacity { return }
        let larger = max(used &+ count, capacity &* 2, 64)
        guard let memory = csystem_resize(words, larger &* 8) else { throw Failure(.limit, "out of memory") }
        words = memory.assumingMemoryBound(to: UInt64.self)
        capacity = larger
    }

    /// Room in the text for a string, each byte of which may be written as six.
    private func bound(_ count: Int) throws(Failure) {
        if count >= JSONWord.countLimit || writer.bytes.count &+ count &* 6 >= Int(UInt32.max) { throw tooLong }
    }

    private var tooLong: Failure { Failure(.limit, "the strings of the JSON are too long") }
}

extension JSONDocument {
    /// Reads a host's tree, `jansson` a borrowed `const json_t *`.
    package static func read(jansson: OpaquePointer) throws(Failure) -> JSONDocument { try JanssonTape.read(jansson) }

    /// Reads a call, in which no key may occur twice.
    ///
    /// - Throws: as `read`.
    package static func read(call text: UnsafeRawBufferPointer) throws(Failure) -> JSONDocument {
        // What jansson refuses may be a wide number, and what it takes a NUL behind a number.
        guard let start = text.baseAddress, !text.contains(0), let tree = cjansson_parse(start, text.count) else {
            return try read(text, JSONReading(rejectsDuplicates: true))
        }
        defer { cjansson_free(tree) }
        return try read(jansson: tree)
    }

    /// jansson's null, which is counted by nobody.
    package static var janssonNull: OpaquePointer { cjansson_null() }
}
