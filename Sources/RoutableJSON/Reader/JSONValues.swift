// A JSON document for a program that refers to values by numbers (routable_json_value.h).

internal import CSystem
package import RoutableCore

/// A document, and its strings with escapes, decoded on demand.  Any number of threads.
package final class JSONValues: Sendable {
    /// A value: the index of its word, or of the word of its key, and in the high half the offset of this word's value in the text.  The offset
    /// detects numbers that are invented or belong to another document.
    package typealias Place = UInt64

    package static let nowhere = Place.max
    private static let ofMember: Place = 1 &<< 63

    private let document: JSONDocument
    // The tape of the document.
    nonisolated(unsafe) private let tape: Tape
    // Guarded by the lock: a string for each word, once a string was requested.  Strings are never changed once they are stored.
    nonisolated(unsafe) private var decoded: [Text?] = []
    nonisolated(unsafe) private let lock: OpaquePointer

    private init(_ document: JSONDocument) {
        self.document = document
        tape = Tape(
            text: document.view.start, textCount: document.textCount, words: document.words, wordCount: document.wordCount)
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    /// Reads a string, and retains it.
    package static func read(_ text: Text) throws(Failure) -> JSONValues { JSONValues(try JSONDocument.read(keeping: text)) }

    /// Reads the body of a response, unless the response has retained the document that was read when it was mapped.
    package static func read(_ response: Response) throws(Failure) -> JSONValues {
        guard let document = response.takeDocument() else { return try read(response.body.withoutMark) }
        // proof: the mapping of bodies creates no other kind of document.
        return JSONValues(unsafeDowncast(document, to: JSONDocument.self))
    }

    // MARK: Places

    /// The words and their text.
    fileprivate struct Tape {
        let text: UnsafePointer<UInt8>
        let textCount: Int
        let words: UnsafePointer<UInt64>
        let wordCount: Int

        /// Whether the ranges of a word are within the text and the tape, for any word: then it is safe to read the value.
        @inline(__always) func isSound(_ word: UnsafePointer<UInt64>) -> Bool {
            let kind = JSONWord.kind(word[0])
            // The usual kinds of words.
            if kind >= JSONWord.string && kind <= JSONWord.null {
                return JSONWord.offset(word[0]) &+ JSONWord.count(word[0]) &+ (kind == JSONWord.string ? 2 : 0) <= textCount
            }
            return isOtherSound(word)
        }

        @inline(never) private func isOtherSound(_ word: UnsafePointer<UInt64>) -> Bool {
            let left = wordCount &- (word - words)
            let offset = JSONWord.offset(word[0])
            let count = JSONWord.count(word[0])
            if offset >= textCount { return false }
            let rest = textCount &- offset
            switch JSONWord.kind(word[0]) {
            case JSONWord.object, JSONWord.array:
                guard left >= 2 else { return false }
                let end = Int(truncatingIfNeeded: word[1] &>> 32)
                return JSONWord.width(word) >= 2 && JSONWord.width(word) <= left && end >= offset && end <= textCount
            case JSONWord.escapedKey, JSONWord.deadEscapedKey:
                return left >= 2 && word[1] <= UInt64(count) && JSONWord.keyWidth(word) < left && count &+ 2 <= rest
            case JSONWord.escaped, JSONWord.deadKey: return count &+ 2 <= rest
            case JSONWord.wide: return count <= rest
            default: return false
            }
        }

        @inline(__always) func place(_ word: UnsafePointer<UInt64>, isMember: Bool) -> Place {
            let offset = UInt64(truncatingIfNeeded: JSONWord.offset(word[0])) & 0x7FFF_FFFF
            return UInt64(truncatingIfNeeded: word - words) | offset &<< 32 | (isMember ? JSONValues.ofMember : 0)
        }
    }

    private func word(_ place: Place) -> UnsafePointer<UInt64>? {
        if place == 0 { return tape.words }
        let index = Int(truncatingIfNeeded: place & 0xFFFF_FFFF)
        guard place != Self.nowhere, index < tape.wordCount else { return nil }
        // proof: the index was checked above.
        let word = tape.words + index
        guard tape.isSound(word) else { return nil }
        return UInt64(truncatingIfNeeded: JSONWord.offset(word[0])) & 0x7FFF_FFFF == place &>> 32 & 0x7FFF_FFFF ? word : nil
    }

    package func view(_ place: Place) -> JSONView? {
        guard let word = word(place) else { return nil }
        if place & Self.ofMember == 0 || place == Self.nowhere { return JSONView(tape.text, word) }
        let value = word + JSONWord.keyWidth(word)
        return value - tape.words < tape.wordCount && tape.isSound(value) ? JSONView(tape.text, value) : nil
    }

    /// Iterates over the elements or members of a container.
    package struct Walk {
        private let tape: Tape
        private let isObject: Bool
        private var next: UnsafePointer<UInt64>
        private let end: UnsafePointer<UInt64>
        /// The word of the element, or of the key of the member.
        private var first: UnsafePointer<UInt64>

        fileprivate init(_ tape: Tape, _ view: JSONView, _ start: UnsafePointer<UInt64>) {
            self.tape = tape
            isObject = JSONWord.kind(view.word[0]) == JSONWord.object
            next = start
            first = start
            end = view.word + JSONWord.width(view.word)
        }

        /// Goes to the next element or member; nil after the last one.
        @_optimize(speed) @inline(never)
        package mutating func step() -> JSONView? {
            while next < end, tape.isSound(next) {
                first = next
                if isObject {
                    next += JSONWord.keyWidth(first)
                    guard next < end, tape.isSound(next) else { return nil }
                }
                let value = JSONView(tape.text, next)
                next += JSONWord.width(next)
                let kind = JSONWord.kind(first[0])
                if !isObject || kind != JSONWord.deadKey && kind != JSONWord.deadEscapedKey { return value }
            }
            return nil
        }

        package var place: Place { tape.place(first, isMember: isObject) }

        /// The key of the member; empty for an element.
        package var key: UnsafeRawBufferPointer {
            isObject ? JSONView.name(tape.text, first) : UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// An iterator that begins after one of the elements or members; nil if it is not one of this container.
    package func walk(_ container: Place, after child: Place) -> Walk? {
        guard let view = view(container), JSONWord.kind(view.word[0]) <= JSONWord.array else { return nil }
        if child == Self.nowhere { return Walk(tape, view, view.word + 2) }
        guard let value = self.view(child)?.word, value > view.word else { return nil }
        return Walk(tape, view, value + JSONWord.width(value))
    }

    package func next(_ container: Place, _ child: Place) -> Place {
        guard var walk = walk(container, after: child), walk.step() != nil else { return Self.nowhere }
        return walk.place
    }

    package func key(_ member: Place) -> UnsafeRawBufferPointer? {
        guard member != Self.nowhere, member & Self.ofMember != 0, let word = word(member) else { return nil }
        return JSONView.name(tape.text, word)
    }

    package func member(_ object: Place, _ name: UnsafeRawBufferPointer) -> Place {
        var child = next(object, Self.nowhere)
        while let key = key(child) {
            if key.elementsEqual(name) { return child }
            child = next(object, child)
        }
        return Self.nowhere
    }

    package func element(_ array: Place, _ index: Int) -> Place {
        guard let view = view(array), view.kind == .array, index >= 0, index < view.count else { return Self.nowhere }
        var child = next(array, Self.nowhere)
        for _ in 0..<index { child = next(array, child) }
        return child
    }

    package func at(_ pointer: Bytes) -> Place {
        if pointer.isEmpty { return 0 }
        if pointer.storage.first != UInt8(ascii: "/") { return Self.nowhere }
        var current: Place = 0
        for token in JSONPointer.tokens(pointer) {
            guard let view = view(current) else { return Self.nowhere }
            if view.kind == .array {
                // No sign and no leading zero are allowed (RFC 6901 section 4).
                guard token.storage.allSatisfy(ASCII.isDigit), token.count == 1 || token.storage.first != UInt8(ascii: "0"),
                    let index = Decimal.parse(token)
                else { return Self.nowhere }
                current = element(current, Int(index))
            } else {
                current = token.storage.withUnsafeBytes { member(current, $0) }
            }
        }
        return current
    }

    // MARK: Strings

    package func string(_ place: Place) -> UnsafeRawBufferPointer? {
        guard let view = view(place), view.kind == .text else { return nil }
        if view.isPlain { return view.plainText }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if decoded.isEmpty { decoded = [Text?](repeating: nil, count: tape.wordCount) }
        let index = view.word - tape.words
        let text = decoded[index] ?? Text(view.content)
        decoded[index] = text
        return text.buffer
    }
}
