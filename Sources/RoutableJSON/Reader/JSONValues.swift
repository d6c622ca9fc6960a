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
    // Guarded by the lock: one for each word, once there is one.  What is in it is never changed again.
    nonisolated(unsafe) private var decoded: [Text?] = []
    nonisolated(unsafe) private let lock: OpaquePointer

    private init(_ document: JSONDocument) {
        self.document = document
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    /// Reads a text, and keeps it.
    package static func read(_ text: Text) throws(Failure) -> JSONValues { JSONValues(try JSONDocument.read(keeping: text)) }

    // MARK: Places

    private func word(_ place: Place) -> UnsafePointer<UInt64>? {
        if place == 0 { return document.words }
        let index = Int(truncatingIfNeeded: place & 0xFFFF_FFFF)
        guard place != Self.nowhere, index < document.wordCount, isSound(index) else { return nil }
        // proof: the index is one of a word.
        let word = document.words + index
        return UInt64(truncatingIfNeeded: JSONWord.offset(word[0])) & 0x7FFF_FFFF == place &>> 32 & 0x7FFF_FFFF ? word : nil
    }

    /// Whether what a word says lies within the text and the tape, whatever the word is: reading it is safe.
    private func isSound(_ index: Int) -> Bool {
        let word = document.words + index
        let left = document.wordCount &- index
        let offset = JSONWord.offset(word[0])
        let count = JSONWord.count(word[0])
        if offset >= document.textCount { return false }
        let rest = document.textCount &- offset
        switch JSONWord.kind(word[0]) {
        case JSONWord.object, JSONWord.array:
            guard left >= 2 else { return false }
            let end = Int(truncatingIfNeeded: word[1] &>> 32)
            return JSONWord.width(word) >= 2 && JSONWord.width(word) <= left && end >= offset && end <= document.textCount
        case JSONWord.escapedKey, JSONWord.deadEscapedKey:
            return left >= 2 && word[1] <= UInt64(count) && JSONWord.keyWidth(word) < left && count &+ 2 <= rest
        case JSONWord.string, JSONWord.escaped, JSONWord.deadKey: return count &+ 2 <= rest
        case 13...15: return false
        default: return count <= rest
        }
    }

    private func place(_ word: UnsafePointer<UInt64>, isMember: Bool) -> Place {
        let offset = UInt64(truncatingIfNeeded: JSONWord.offset(word[0])) & 0x7FFF_FFFF
        return UInt64(truncatingIfNeeded: word - document.words) | offset &<< 32 | (isMember ? Self.ofMember : 0)
    }

    package func view(_ place: Place) -> JSONView? {
        guard let word = word(place) else { return nil }
        if place & Self.ofMember == 0 || place == Self.nowhere { return JSONView(document.view.start, word) }
        let value = word + JSONWord.keyWidth(word)
        let index = value - document.words
        return index < document.wordCount && isSound(index) ? JSONView(document.view.start, value) : nil
    }

    package func next(_ container: Place, _ child: Place) -> Place {
        guard let view = view(container), view.kind == .object || view.kind == .array else { return Self.nowhere }
        let isObject = view.kind == .object
        var next = view.word + 2
        if child != Self.nowhere {
            guard let value = self.view(child)?.word, value > view.word else { return Self.nowhere }
            next = value + JSONWord.width(value)
        }
        let end = view.word + JSONWord.width(view.word)
        while next < end {
            let kind = JSONWord.kind(next[0])
            guard isObject && (kind == JSONWord.deadKey || kind == JSONWord.deadEscapedKey) else {
                return place(next, isMember: isObject)
            }
            guard isSound(next - document.words) else { return Self.nowhere }
            next += JSONWord.keyWidth(next)
            guard next < end, isSound(next - document.words) else { return Self.nowhere }
            next += JSONWord.width(next)
        }
        return Self.nowhere
    }

    package func key(_ member: Place) -> UnsafeRawBufferPointer? {
        guard member != Self.nowhere, member & Self.ofMember != 0, let word = word(member) else { return nil }
        return JSONView.name(document.view.start, word)
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
        if decoded.isEmpty { decoded = [Text?](repeating: nil, count: document.wordCount) }
        let index = view.word - document.words
        let text = decoded[index] ?? Text(view.content)
        decoded[index] = text
        return text.buffer
    }
}
