// A JSON document for a host, whose values are numbers (routable_json_value.h).

internal import CSystem
package import RoutableCore

/// A document, and its strings with escapes that were requested.  Any number of threads.
package final class JSONValues: Sendable {
    /// A value: the number of its word, or of its key's, and in the high half where that begins in the text.  So a number that
    /// was made up, or is another document's, is found out.
    package typealias Place = UInt64

    package static let nowhere = Place.max
    private static let ofMember: Place = 1 &<< 63

    private let document: JSONDocument
    // Of the document.
    nonisolated(unsafe) private let tape: Tape
    // Guarded by the lock: one for each word, once there is one.  What is in it is never changed again.
    nonisolated(unsafe) private var decoded: [Text?] = []
    nonisolated(unsafe) private let lock: OpaquePointer

    private init(_ document: JSONDocument) {
        self.document = document
        tape = Tape(
            text: document.view.start, textCount: document.textCount, words: document.words, wordCount: document.wordCount)
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    /// Reads a text, and keeps it.
    package static func read(_ text: Text) throws(Failure) -> JSONValues { JSONValues(try JSONDocument.read(keeping: text)) }

    /// Reads the body of a response, unless the response has kept what was read when it was mapped.
    package static func read(_ response: Response) throws(Failure) -> JSONValues {
        guard let document = response.takeDocument() else { return try read(response.body.withoutMark) }
        // proof: the mapping of bodies makes no other documents.
        return JSONValues(unsafeDowncast(document, to: JSONDocument.self))
    }

    // MARK: Places

    /// Where the words and their text are.
    fileprivate struct Tape {
        let text: UnsafePointer<UInt8>
        let textCount: Int
        let words: UnsafePointer<UInt64>
        let wordCount: Int

        /// Whether what a word says lies within the text and the tape, whatever the word is: reading it is safe.
        @inline(__always) func isSound(_ word: UnsafePointer<UInt64>) -> Bool {
            let kind = JSONWord.kind(word[0])
            // What most words are.
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
        // proof: the index is one of a word.
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

    /// The elements or members of a container, one after another.
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

        /// Goes to the next one; nil after the last.
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

        /// Empty for an element.
        package var key: UnsafeRawBufferPointer {
            isObject ? JSONView.name(tape.text, first) : UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// The elements or members of a container after one of them; nil for anything else.
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
                // No sign and no leading zero (RFC 6901 section 4).
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
