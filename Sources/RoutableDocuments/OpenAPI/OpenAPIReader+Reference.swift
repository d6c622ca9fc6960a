// Resolves references within the document, or into documents that the program supplied.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

extension OpenAPIReader {
    /// The maximum length of a chain of references.
    private static let chainLimit = 64

    /// Returns the value itself, or the target of its reference; nil, with a warning, if the target does not exist.
    ///
    /// - Throws: `document` for a cycle of references, except for a schema, which has no effect then.
    mutating func resolve(_ node: TapeNode, isSchema: Bool = false) throws(Failure) -> TapeNode? {
        var current = node
        var steps = 0
        while let reference = current.member("$ref"), reference.kind == .text {
            steps &+= 1
            if steps > Self.chainLimit {
                if isSchema && description.warnings.count >= Self.warningLimit { return nil }
                let isCircle = leadsBack(node)
                let reason: Bytes =
                    isCircle
                    ? "the reference \"\(reference.string.printable)\" leads back to itself"
                    : "more than \(Self.chainLimit) references in a row"
                if isSchema {
                    warn(node, reason)
                    return nil
                }
                throw failure(node, reason, isCircle ? .document : .limit)
            }
            guard let target = target(of: reference) else { return nil }
            current = target
        }
        return current
    }

    /// Resolves a map, a list or an object that may be a reference; nil, with a warning, if the target does not exist.
    mutating func followed(_ node: TapeNode?) throws(Failure) -> TapeNode? {
        guard let node else { return nil }
        return try resolve(node)
    }

    /// An object whose reference may have fields beside it, followed by the targets of its chain of references; nil, with
    /// a warning, if a target does not exist.
    mutating func layers(_ node: TapeNode) throws(Failure) -> [TapeNode]? {
        var result = [node]
        guard let end = try resolve(node) else { return nil }
        var current = node
        // proof: `resolve` has reached the end of the chain, within its limit.
        while current.index != end.index || current.words != end.words, result.count <= Self.chainLimit {
            guard let reference = current.member("$ref"), let next = target(of: reference) else { break }
            result.append(next)
            current = next
        }
        return result
    }

    /// Whether a chain of references is a cycle, and not only long.
    private mutating func leadsBack(_ node: TapeNode) -> Bool {
        var seen = Set<Int>()
        var current = node
        while let reference = current.member("$ref"), reference.kind == .text {
            if !seen.insert(reference.identity).inserted { return true }
            // This runs only after an error was found, and is limited nevertheless.
            guard seen.count < 1 << 12, let target = target(of: reference) else { return false }
            current = target
        }
        return false
    }

    /// The target of a reference; nil, with a warning, if it does not exist.
    private mutating func target(of reference: TapeNode) -> TapeNode? {
        let text = reference.string
        let tape = tape(of: reference)
        if tape === main, let known = targets[text] { return known }
        guard let found = find(text, from: tape) else {
            warn(reference, "the reference \"\(text.printable)\" cannot be resolved; another document may be required")
            return nil
        }
        if tape === main { targets.set(found, for: text) }
        return found
    }

    mutating func find(_ text: Bytes, from tape: JSONTape) -> TapeNode? {
        let hash = text.storage.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        let uri = Bytes(text.storage[..<hash])
        var place = tape
        if !uri.isEmpty {
            let absolute = URIReference(uri).resolved(against: tape.uri)
            guard let other = tapes.first(where: { $0.uri == absolute }) ?? tapes.first(where: { $0.uri == uri }) else {
                return nil
            }
            place = other
        }
        let fragment =
            hash < text.count
            ? Bytes(text.storage[(hash &+ 1)...]).storage.withUnsafeBytes { PercentCoding.decode($0) } : Bytes()
        if fragment.isEmpty { return place.root }
        guard fragment.storage.first == UInt8(ascii: "/") else { return nil }
        var current = place.root
        for token in JSONPointer.tokens(fragment) {
            if current.isObject {
                guard let member = member(token, of: current) ?? memberBehindReference(token, of: current) else { return nil }
                current = member
            } else {
                guard let element = current.element(token) else { return nil }
                current = element
            }
        }
        return current
    }

    /// The member of an object in whose place there is a reference, such as `schemas: {"$ref": "#/x-schemas"}`.
    private mutating func memberBehindReference(_ name: Bytes, of object: TapeNode) -> TapeNode? {
        var current = object
        // proof: the number of steps is limited, and `find` recurses only for references with fewer remaining steps.
        for _ in 0..<Self.chainLimit {
            guard let reference = current.member("$ref"), reference.kind == .text, referenceDepth < 8 else { return nil }
            referenceDepth &+= 1
            let found = find(reference.string, from: tape(of: reference))
            referenceDepth &-= 1
            guard let found, found.isObject else { return nil }
            if let member = member(name, of: found) { return member }
            current = found
        }
        return nil
    }

    /// The member with this name; a large object is searched with an index that is created once.
    private mutating func member(_ name: Bytes, of object: TapeNode) -> TapeNode? {
        if object.next &- object.index < 200 { return object.member(named: name) }
        let place = memberIndexes.place(of: object.identity, adding: [:])
        if memberIndexes.values[place].isEmpty {
            var children = object.children
            while let child = children.read() { memberIndexes.values[place][child.name] = Int(child.value.index) }
        }
        return memberIndexes.values[place][name].map {
            TapeNode(text: object.text, words: object.words, index: UInt32(truncatingIfNeeded: $0))
        }
    }
}
