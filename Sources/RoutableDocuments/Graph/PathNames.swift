// Interprets the names of operations and segments in cases that the path and the method leave undecided.

internal import RoutableCore

enum PathNames {
    /// The last part of an operationId: the part after a tag and a slash, as in `issues/list`.
    static func own(_ operation: OperationDescription) -> Bytes {
        if hasNone(operation) { return Bytes() }
        let name = operation.name
        guard let slash = name.storage.lastIndex(of: UInt8(ascii: "/")), slash &+ 1 < name.count else { return name }
        return Bytes(name.storage[(slash &+ 1)...])
    }

    /// The part after `#` in an operationId.
    static func fragment(_ operation: OperationDescription) -> Bytes? {
        if hasNone(operation) { return nil }
        let name = operation.name
        guard let hash = name.storage.lastIndex(of: UInt8(ascii: "#")), hash &+ 1 < name.count else { return nil }
        return ResourceName.cut(Bytes(name.storage[(hash &+ 1)...]))
    }

    /// Whether the operation has no operationId: then its name is its method and path.
    private static func hasNone(_ operation: OperationDescription) -> Bool {
        operation.name.hasPrefix("\(operation.method) /")
    }

    /// The name of an operation for which the path defines none: from its operationId, if it contains more than the method and the path.
    static func free(_ operation: OperationDescription, _ segments: [Template.Segment]) -> Bytes {
        let own = own(operation)
        let words = Words.of(own)
        guard !own.isEmpty, words.first == operation.method.lowercased else {
            return own.isEmpty ? operation.method.lowercased : own
        }
        var known: Set<Bytes> = ["id"]
        for segment in segments {
            for piece in segment.pieces {
                switch piece {
                case .literal(let text): known.formUnion(Words.of(text))
                case .parameter(let name), .catchAll(let name): known.formUnion(Words.of(name))
                }
            }
        }
        return words.dropFirst().allSatisfy { known.contains($0) } ? words[0] : own
    }

    /// Whether, by its operationId, a POST creates one of the things that its segment names: `createToken` for `Tokens`.
    static func makes(_ operation: OperationDescription, _ segment: Bytes) -> Bool {
        let own = own(operation).lowercased
        guard let verb = [Bytes("create"), "add"].first(where: { own.hasPrefix($0) }) else { return false }
        if segment.lowercased.hasPrefix(verb) { return false }
        let wanted = Words.of(segment), words = Words.of(operation.name)
        guard let last = wanted.last, wanted.count <= words.count else { return false }
        for start in 0...(words.count &- wanted.count) {
            let end = start &+ wanted.count &- 1
            if words[start..<end].elementsEqual(wanted.dropLast()), isSingular(words[end], of: last) { return true }
        }
        return false
    }

    private static func isSingular(_ word: Bytes, of other: Bytes) -> Bool {
        word == other || other == "\(word)s" || word.hasSuffix("y") && other == "\(Bytes(word.storage.dropLast()))ies"
    }

    /// Whether, by its operationId, a POST changes a thing.
    static func changes(_ operation: OperationDescription) -> Bool {
        let own = own(operation).lowercased
        return own.hasPrefix("update") || own.hasPrefix("modify") || own.hasPrefix("edit")
    }

    /// Whether an operationId begins with a segment.
    static func begins(_ operation: OperationDescription, with segment: Bytes) -> Bool {
        own(operation).lowercased.hasPrefix(segment.lowercased)
    }

    /// Whether a segment before a parameter means that the parameter is another key: `by-name`, `by_name`.
    static func isKey(_ segment: Bytes) -> Bool {
        let name = segment.lowercased
        return name.hasPrefix("by-") || name.hasPrefix("by_")
    }

    static func isNumber(_ segment: Bytes) -> Bool { !segment.isEmpty && segment.storage.allSatisfy { ASCII.isDigit($0) } }
}
