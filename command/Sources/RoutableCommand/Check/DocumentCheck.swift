// Finds all problems of a document, although its reader stops at the first one.
//
// After each problem, the part of the document that caused it is replaced by spaces, a required member of a resource or an operation
// is added if it is missing, and the document is read again.  Problems that such an edit caused are not reported.

import RoutableCore
import RoutableDocuments
import RoutableGenerate

struct DocumentCheck {
    let source: SourceText
    private(set) var problems: [Failure] = []
    private(set) var warnings: [Failure] = []
    /// The router of the edited document.
    private(set) var router: Router?
    /// Whether there may be more problems than are reported.
    private(set) var isCut = false

    private let places: JSONPlaces
    private var edited: EditedText
    private var removed: [Removed] = []
    /// Pointers of the objects to which a member was added.
    private var completed: [Bytes] = []

    /// The offsets at which an unknown name was replaced by another one.
    private var replaced: Set<Int> = []

    /// A part of the document that was removed.
    private struct Removed {
        let pointer: Bytes
        /// Whether its absence can cause problems: its key was a known one.
        let isMissed: Bool

        var parent: Bytes { pointer.parentPointer }
        var name: Bytes { pointer.lastToken }
        /// Whether other parts refer to it by its name.
        var isDeclaration: Bool { parent == "/resources" || parent == "/types" }
    }

    init(_ source: SourceText, maximumErrors: Int) {
        self.source = source
        places = JSONPlaces(source.json)
        edited = EditedText(source.json)
        run(maximumErrors)
        // The order of the document.
        problems.sort { ($0.fields.offset ?? 0) < ($1.fields.offset ?? 0) }
    }

    private mutating func run(_ maximumErrors: Int) {
        // Each round edits the document or ends the loop; the bound is for documents in which each edit causes another problem.
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

    /// Records the problem, and edits the document to avoid it; false if this is not possible.
    private mutating func take(_ error: Failure) -> Bool {
        guard let place = error.fields.offset, source.opening.overlay(of: error) == nil else {
            // If --only or --except names an operation that was removed, this is no problem of the document.
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
        // The part is removed with its members only if adding a member does not help.
        if failure.status == .document, !completed.contains(pointer), let words = completion(pointer),
            edited.insert(words, intoObjectAt: place)
        {
            completed.append(pointer)
            return true
        }
        // The suggestion is the intended name: the rest of the document is checked with it.
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

    /// The required member of the object at this pointer.
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
        // The absence of an unknown key causes no problems.
        let isUnknownKey = !fields.allowed.isEmpty && fields.parameter == (fields.pointer ?? Bytes()).lastToken
        return !isUnknownKey
    }

    private static let pathWords: [Bytes] = [
        "path", "method", "get", "put", "post", "patch", "delete", "head", "options", "trace", "query",
    ]

    /// Whether an edit caused the problem.
    private func isConsequence(_ failure: Failure, _ offset: Int) -> Bool {
        let pointer = failure.fields.pointer ?? Bytes()
        let isAboutWords = failure.status == .document || failure.status == .unsupported
        // The name was written by an edit.
        if replaced.contains(offset) { return true }
        // A member of this object was removed.
        if isAboutWords && removed.contains(where: { $0.isMissed && $0.parent == pointer }) { return true }
        // The name of a declaration that was removed.
        if let text = places.string(at: offset),
            removed.contains(where: { $0.isDeclaration && (text == $0.name || text.hasSuffix("/\($0.name)")) })
        {
            return true
        }
        // The operation refines a capability that was removed.
        for capability in removed {
            for key: Bytes in ["/can", "/only", "/except"] {
                guard let range = capability.pointer.range(of: key) else { continue }
                if pointer.parentPointer == "\(Bytes(capability.pointer.storage[..<range]))/operations" { return true }
            }
        }
        // The path was added by an edit.
        for object in completed {
            if pointer.parentPointer == object && Self.pathWords.contains(pointer.lastToken) { return true }
            if pointer.hasPrefix("\(object)/ids/") { return true }
        }
        return false
    }

    // MARK: Warnings

    /// Collects the warnings of the router, and the unresolved references in schemas, up to a maximum, so that each one can be located.
    private mutating func collectWarnings(_ router: Router, _ maximum: Int) {
        var places: [(message: Bytes, pointer: Bytes?)] = router.warnings.map { ($0.message, $0.pointer) }
        if let graph = try? router.derivedGraph { for text in graph.warnings { places.append((text, nil)) } }
        for text in source.warnings { places.append((text, nil)) }
        for text in router.description.warnings {
            // `#/paths/~1a: the warning`
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

/// A document in which parts are replaced by spaces, and to which members are added.
struct EditedText {
    private(set) var text: Bytes
    /// The original offset and the length of each insertion.
    private var insertions: [(offset: Int, count: Int)] = []

    init(_ text: Bytes) { self.text = text }

    mutating func blank(_ range: Range<Int>) { text = JSONPlaces(text).blanked(range) }

    /// Inserts a member before all others; false if no object begins at the offset.
    mutating func insert(_ member: Bytes, intoObjectAt offset: Int) -> Bool {
        guard text.storage.indices.contains(offset), text.storage[offset] == UInt8(ascii: "{") else { return false }
        let rest = text.storage[(offset + 1)...].first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        let words: Bytes = rest == UInt8(ascii: "}") ? member : "\(member),"
        text.storage.insert(contentsOf: words.storage, at: offset + 1)
        inserted(words.count, at: offset + 1)
        return true
    }

    /// Replaces the string at the offset; false if there is none.
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

    /// The offset in the original document.
    func origin(of offset: Int) -> Int {
        insertions.reduce(offset) { $1.offset <= offset ? $0 - min($1.count, offset - $1.offset) : $0 }
    }
}

extension RouteDocument {
    /// The failure with another offset in the document.
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
    /// The offset of the first occurrence of `other`.
    func range(of other: Bytes) -> Int? {
        guard !other.isEmpty, other.count <= count else { return nil }
        return (0...(count - other.count)).first { storage[$0..<($0 + other.count)].elementsEqual(other.storage) }
    }

    /// The pointer of the parent.
    var parentPointer: Bytes { storage.lastIndex(of: UInt8(ascii: "/")).map { Bytes(storage[..<$0]) } ?? Bytes() }
    var lastToken: Bytes { split(on: UInt8(ascii: "/")).last ?? Bytes() }
}
