// Finds all problems of a document, although its reader stops at the first.
//
// What a problem is about is taken out of the text, spaces in its place, what a resource or an operation cannot do
// without is put in, and the rest is read again.  A problem that is there only because of that is not told.

import RoutableCore
import RoutableDocuments
import RoutableGenerate

struct DocumentCheck {
    let source: SourceText
    private(set) var problems: [Failure] = []
    private(set) var warnings: [Failure] = []
    /// What is left of the document.
    private(set) var router: Router?
    /// Whether there may be more problems than are told.
    private(set) var isCut = false

    private let places: JSONPlaces
    private var edited: EditedText
    private var removed: [Removed] = []
    /// Pointers of the objects into which something was put.
    private var completed: [Bytes] = []

    /// Where another name was put in place of one that does not exist.
    private var replaced: Set<Int> = []

    /// Something that was taken out.
    private struct Removed {
        let pointer: Bytes
        /// The rest may lack it: it was a known key.
        let isMissed: Bool

        var parent: Bytes { pointer.parentPointer }
        var name: Bytes { pointer.lastToken }
        /// What others name.
        var isDeclaration: Bool { parent == "/resources" || parent == "/types" }
    }

    init(_ source: SourceText, maximumErrors: Int) {
        self.source = source
        places = JSONPlaces(source.json)
        edited = EditedText(source.json)
        run(maximumErrors)
        // In the order of the text.
        problems.sort { ($0.fields.offset ?? 0) < ($1.fields.offset ?? 0) }
    }

    private mutating func run(_ maximumErrors: Int) {
        // Each round takes something out or ends it; the bound is for documents without an end of problems.
        for _ in 0..<(4 * maximumErrors) {
            do throws(Failure) {
                let router = try source.opening.open(edited.text)
                self.router = router
                if problems.isEmpty { collectWarnings(router, maximumErrors) }
                return
            } catch {
                if problems.count == maximumErrors {
                    isCut = true
                    return
                }
                if !take(error) { return }
            }
        }
        isCut = true
    }

    /// Tells the problem, and makes the text one without it; false when nothing can be done.
    private mutating func take(_ error: Failure) -> Bool {
        guard let place = error.fields.offset, source.opening.overlay(of: error) == nil else {
            // A name of --only or --except that was taken out is no problem of the document.
            if error.status != .unknown || removed.isEmpty { problems.append(error) }
            return false
        }
        let offset = edited.origin(of: place)
        let pointer = places.pointer(to: offset)
        let failure = RouteDocument.moved(error, to: offset, in: source.json).with {
            if let pointer, $0.status != .json { $0.pointer = pointer }
        }
        if !isConsequence(failure, offset) { problems.append(failure) }
        guard error.status != .json, let pointer, !pointer.isEmpty else { return false }
        // Taken out with all that it has only when nothing that is put in helps.
        if failure.status == .document, !completed.contains(pointer), let words = completion(pointer),
            edited.insert(words, intoObjectAt: place)
        {
            completed.append(pointer)
            return true
        }
        // The nearest name is what was meant: the rest is held against that.
        if !failure.fields.suggestion.isEmpty, replaced.insert(offset).inserted,
            edited.replaceString(at: place, with: failure.fields.suggestion)
        {
            return true
        }
        guard let range = JSONPlaces(edited.text).range(ofItemAt: place) else { return false }
        removed.append(Removed(pointer: pointer, isMissed: Self.isMissed(failure)))
        edited.blank(range)
        return true
    }

    /// What the object at this place cannot do without.
    private func completion(_ pointer: Bytes) -> Bytes? {
        if source.isOpenAPI { return nil }
        let tokens = pointer.split(on: UInt8(ascii: "/")).dropFirst()
        let path: Bytes = "x-\(completed.count)"
        switch (tokens.count, tokens.first) {
        case (2, "resources"): return "\"path\":\"\(path)\""
        case (2, "operations"): return "\"get\":\"/\(path)\""
        case (4, "resources") where tokens.dropFirst(2).first == "member" || tokens.dropFirst(2).first == "collection":
            return "\"get\":\"/\(path)\""
        default: return nil
        }
    }

    private static func isMissed(_ failure: Failure) -> Bool {
        let fields = failure.fields
        // A key that nobody knows is not missed.
        let isUnknownKey = !fields.allowed.isEmpty && fields.parameter == (fields.pointer ?? Bytes()).lastToken
        return !isUnknownKey
    }

    private static let pathWords: [Bytes] = [
        "path", "method", "get", "put", "post", "patch", "delete", "head", "options", "trace", "query",
    ]

    /// Whether the problem comes from what was taken out or put in.
    private func isConsequence(_ failure: Failure, _ offset: Int) -> Bool {
        let pointer = failure.fields.pointer ?? Bytes()
        let isAboutWords = failure.status == .document || failure.status == .unsupported
        // A name that was put there.
        if replaced.contains(offset) { return true }
        // Something is missing in what something was taken out of.
        if isAboutWords && removed.contains(where: { $0.isMissed && $0.parent == pointer }) { return true }
        // A name of something that was taken out.
        if let text = places.string(at: offset),
            removed.contains(where: { $0.isDeclaration && (text == $0.name || text.hasSuffix("/\($0.name)")) })
        {
            return true
        }
        // A refined capability, when one was taken out.
        for capability in removed {
            for key: Bytes in ["/can", "/only", "/except"] {
                guard let range = capability.pointer.range(of: key) else { continue }
                if pointer.parentPointer == "\(Bytes(capability.pointer.storage[..<range]))/operations" { return true }
            }
        }
        // Of a path that is not the document's.
        for object in completed {
            if pointer.parentPointer == object && Self.pathWords.contains(pointer.lastToken) { return true }
            if pointer.hasPrefix("\(object)/ids/") { return true }
        }
        return false
    }

    // MARK: Warnings

    /// The warnings of the router, and the references in schemas that lead to nothing; so many that each can have its position.
    private mutating func collectWarnings(_ router: Router, _ maximum: Int) {
        var places: [(message: Bytes, pointer: Bytes?)] = router.warnings.map { ($0.message, $0.pointer) }
        if let graph = try? router.derivedGraph { for text in graph.warnings { places.append((text, nil)) } }
        for text in source.warnings { places.append((text, nil)) }
        for text in router.description.warnings {
            // `#/paths/~1a: what is strange there`
            guard text.hasPrefix("#/"), let end = text.range(of: ": ") else {
                places.append((text, nil))
                continue
            }
            places.append((Bytes(text.storage[(end + 2)...]), Bytes(text.storage[1..<end])))
        }
        let known = Set(places.compactMap { $0.pointer })
        do throws(Failure) {
            for (pointer, reference) in try Generator.missingReferences(of: router) where !known.contains(Bytes(pointer)) {
                places.append(("the reference \"\(Bytes(reference).printable)\" leads to nothing", Bytes(pointer)))
            }
        } catch { warnings.append(error) }
        for (message, pointer) in places.prefix(maximum) {
            warnings.append(pointer.map { located(message, $0) } ?? Failure(.document, message))
        }
        if places.count > maximum {
            warnings.append(
                Failure(.document, "there are \(places.count - maximum) more warnings; raise --max-errors to see them"))
        }
    }

    private func located(_ message: Bytes, _ pointer: Bytes) -> Failure {
        let failure = Failure(.conflict, message) { $0.pointer = pointer }
        return source.json.storage.withUnsafeBytes { RouteDocument.locate(failure, in: $0) }
    }
}

/// A document in which parts are replaced by spaces, and to which parts are added.
struct EditedText {
    private(set) var text: Bytes
    /// Where something was put in, and how much.
    private var insertions: [(offset: Int, count: Int)] = []

    init(_ text: Bytes) { self.text = text }

    mutating func blank(_ range: Range<Int>) { text = JSONPlaces(text).blanked(range) }

    /// A member in front of all others; false when no object begins there.
    mutating func insert(_ member: Bytes, intoObjectAt offset: Int) -> Bool {
        guard text.storage.indices.contains(offset), text.storage[offset] == UInt8(ascii: "{") else { return false }
        let rest = text.storage[(offset + 1)...].first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        let words: Bytes = rest == UInt8(ascii: "}") ? member : "\(member),"
        text.storage.insert(contentsOf: words.storage, at: offset + 1)
        inserted(words.count, at: offset + 1)
        return true
    }

    /// Another string in place of the one there; false when there is none.
    mutating func replaceString(at offset: Int, with name: Bytes) -> Bool {
        guard let old = JSONPlaces(text).string(at: offset),
            !name.storage.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C })
        else { return false }
        var new: Bytes = "\"\(name)\""
        let room = old.count + 2
        if new.count < room { new.append(.spaces(room - new.count)) }
        text.storage.replaceSubrange(offset..<(offset + room), with: new.storage)
        if new.count > room { inserted(new.count - room, at: offset + room) }
        return true
    }

    private mutating func inserted(_ count: Int, at offset: Int) {
        for index in insertions.indices where insertions[index].offset >= offset { insertions[index].offset += count }
        insertions.append((offset, count))
    }

    /// The place in the text as it came.
    func origin(of offset: Int) -> Int {
        insertions.reduce(offset) { $1.offset <= offset ? $0 - min($1.count, offset - $1.offset) : $0 }
    }
}

extension RouteDocument {
    /// The failure at another place of the text.
    static func moved(_ failure: Failure, to offset: Int, in text: Bytes) -> Failure {
        let before = text.storage.prefix(offset)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        return failure.with {
            $0.offset = offset
            $0.line = line
            $0.column = offset - start + 1
        }
    }
}

extension Bytes {
    /// Where the other begins.
    func range(of other: Bytes) -> Int? {
        guard !other.isEmpty, other.count <= count else { return nil }
        return (0...(count - other.count)).first { storage[$0..<($0 + other.count)].elementsEqual(other.storage) }
    }

    /// Of a JSON pointer.
    var parentPointer: Bytes { storage.lastIndex(of: UInt8(ascii: "/")).map { Bytes(storage[..<$0]) } ?? Bytes() }
    var lastToken: Bytes { split(on: UInt8(ascii: "/")).last ?? Bytes() }
}
