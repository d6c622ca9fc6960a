// The value of a form, whose strings are converted to the types that the schema of the body requires.
//
// A form contains only strings.  If a declared schema does not accept a string, it is read as JSON (a number, a boolean, null, an
// object), as a boolean that is written as 1 or 0, or as the only element of an array.  A form cannot contain an empty array:
// a required member that can only be an array becomes an empty array if it is absent.

internal import RoutableCore
internal import RoutableJSON

/// The members of a form while it is read.
final class FormTree {
    /// A step of the path in a form: `a[b][]` has three.
    enum Step {
        case member(Bytes)
        case element
    }

    enum Leaf {
        case text(Bytes)
        /// A value with a known type.
        case fixed(Value)
        /// The possible values of a string: a string, an array or an object, whose members are not yet converted.
        case alternatives([Value])
    }

    private final class Node {
        var texts: [Leaf] = []
        var isArray = false
        var members = KeyedValues<Bytes, (name: Bytes, node: Node)>()

        /// The index of the last conversion of its strings.
        var lastLevel: Int {
            if case .alternatives(let values)? = texts.first { return 2 &* values.count &- 1 }
            return isArray || texts.count > 1 ? 3 : FormTree.levels &- 1
        }
    }

    private let root = Node()
    private var leaves = 0
    /// The members that are empty arrays.
    private var empty: [Bytes] = []
    /// The pointers of the strings that got another conversion since the last validation.
    private var raised = Set<Bytes>()

    /// The maximum number of levels of a name.
    private static let depth = 64

    func has(_ name: Bytes) -> Bool { root.members[name] != nil }

    /// - Throws: `limit`.
    func add(_ leaf: Leaf, _ path: [Step], isArray: Bool) throws(Failure) {
        if path.count > Self.depth { throw Failure(.limit, "a name of the form has more than \(Self.depth) levels") }
        leaves &+= 1
        if leaves > Limits.formFields { throw Failure(.limit, "the form has more than \(Limits.formFields) values") }
        var node = root
        for step in path {
            switch step {
            case .member(let name):
                if !node.texts.isEmpty { throw ambiguous(path) }
                let place = node.members.place(of: name, adding: (name, Node()))
                node = node.members.values[place].node
            case .element: node.isArray = true
            }
        }
        if !node.members.isEmpty { throw ambiguous(path) }
        if isArray { node.isArray = true }
        node.texts.append(leaf)
    }

    /// The failure for two names of which one would be lost.
    private func ambiguous(_ path: [Step]) -> Failure {
        var name = Bytes()
        if case .member(let first)? = path.first { name = first }
        return Failure(.body, "the form has \(name.printable) as a value and as an object") {
            $0.pointer = "/body/\(name.pointerEscaped)"
            $0.parameter = name
        }
    }

    /// The steps of a name in an encoding.
    static func path(_ name: Bytes, _ encoding: FormEncoding) -> [Step] {
        if encoding.keyPaths == .dots {
            let isArray = encoding.arrays == .brackets && name.hasSuffix("[]")
            let plain = isArray ? Bytes(name.storage.dropLast(2)) : name
            return plain.split(on: UInt8(ascii: ".")).map { .member($0) } + (isArray ? [.element] : [])
        }
        let bytes = name.storage
        guard let open = bytes.firstIndex(of: UInt8(ascii: "[")), bytes.last == UInt8(ascii: "]") else {
            return [.member(name)]
        }
        var steps: [Step] = [.member(Bytes(bytes[..<open]))]
        var index = open
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "["), let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else {
                return literal(name)
            }
            let inner = Bytes(bytes[(index &+ 1)..<close])
            if inner.hasSuffix("[") && close &+ 1 == bytes.count { return literal(name) }
            steps.append(inner.isEmpty ? .element : .member(inner))
            index = close &+ 1
        }
        return steps
    }

    /// The steps of a name whose brackets are not a path, such as `a[b` and `a[]b`; the name of an array has `[]` appended.
    private static func literal(_ name: Bytes) -> [Step] {
        name.hasSuffix("[]") ? [.member(Bytes(name.storage.dropLast(2))), .element] : [.member(name)]
    }

    // MARK: - The value

    /// The index of the conversion of the strings at a pointer, in which each array index is replaced by `*`.
    private typealias Levels = [Bytes: Int]

    /// The number of conversions: string, JSON, a boolean as 1 or 0; the same three as an array of one element; and the string again, because
    /// a string is also converted if there are more errors than can be listed.
    private static let levels = 7
    /// The maximum number of validations of the value.
    private static let rounds = 8

    /// Returns the value, validated against the schema.
    ///
    /// - Parameter files: Names of files; a file without a field is validated as a string whose failures are ignored.
    /// - Throws: `body` with the pointers into the call; `limit`, `memory`.
    func value(
        checkedBy checker: (any ValueChecker)?, _ maximumErrors: Int, encoding: FormEncoding?, files: [Bytes] = []
    ) throws(Failure) -> Value {
        var levels: Levels = [:]
        let first = value(root, Bytes(), levels, encoding)
        guard let checker else { return first }
        // A field with the same name as a file is validated.
        let files = files.filter { !has($0) }
        var best: (count: Int, failure: Failure)?
        for _ in 0..<Self.rounds {
            try Memory.check()
            let value = value(root, Bytes(), levels, encoding)
            guard let failure = try refusal(of: value, checker, files) else { return value }
            let places = Self.places(failure.chain)
            if places.count < best?.count ?? Int.max { best = (places.count, failure.first(maximumErrors)) }
            var hasChanged = false
            raised = []
            // A conversion cannot add a missing member.
            for place in Self.places(failure.chain.filter { !isMissing($0) }) {
                let tokens = place.split(on: UInt8(ascii: "/")).dropFirst()
                hasChanged = raise(tokens, root, Bytes(), &levels) || hasChanged
            }
            // There may be more errors than are listed.
            if places.count >= Limits.errors { hasChanged = raiseFirst(root, Bytes(), &levels) || hasChanged }
            hasChanged = try addEmptyArrays(missing(failure), to: value, checker, files) || hasChanged
            if !hasChanged { break }
        }
        guard let best else { return first }
        throw best.failure.belowBody
    }

    /// Adds each member that a failure reports as missing, if its schema accepts an empty array and no string.
    private func addEmptyArrays(
        _ missing: [Bytes], to value: Value, _ checker: any ValueChecker, _ files: [Bytes]
    ) throws(Failure) -> Bool {
        guard case .object(let members) = value else { return false }
        let known = Set(empty + files)
        let missing = missing.filter { !known.contains($0) }
        if missing.isEmpty { return false }
        func refused(_ content: Value) throws(Failure) -> Set<Bytes> {
            let all = Value.object(members + missing.map { Value.Member(name: $0, value: content) })
            return try refusal(of: all, checker, files).map { Set(Self.places($0.chain)) } ?? []
        }
        let texts = try refused(.text(Bytes())), arrays = try refused(.array([]))
        let found = missing.filter { name in
            let place = Self.shape("/\(name.pointerEscaped)")
            return texts.contains(place) && !arrays.contains(place)
        }
        empty += found
        return !found.isEmpty
    }

    private func refusal(of value: Value, _ checker: any ValueChecker, _ files: [Bytes]) throws(Failure) -> Failure? {
        var shown = value
        if case .object(let members) = value, !files.isEmpty {
            shown = .object(members + files.map { Value.Member(name: $0, value: .text(Bytes())) })
        }
        var writer = JSONWriter()
        try writer.value(shown)
        do throws(Failure) {
            try writer.text.withBuffer { (buffer) throws(Failure) in
                try checker.check(json: buffer, maximumErrors: Limits.formFields)
            }
            return nil
        } catch {
            if error.status != .body { throw error }
            return error.without(files)
        }
    }

    /// The missing members that a failure reports.
    private func missing(_ failure: Failure) -> [Bytes] { failure.chain.filter { isMissing($0) }.map { $0.fields.parameter } }

    private func isMissing(_ failure: Failure) -> Bool {
        (failure.fields.pointer ?? Bytes()).isEmpty && !failure.fields.parameter.isEmpty && !has(failure.fields.parameter)
    }

    /// The pointers of the failures, without duplicates.
    private static func places(_ failures: [Failure]) -> [Bytes] {
        var places = KeyedValues<Bytes, Bytes>()
        for failure in failures {
            let place = shape(failure.fields.pointer ?? Bytes())
            _ = places.place(of: place, adding: place)
        }
        return places.values
    }

    /// A pointer with `*` for each index.
    private static func shape(_ pointer: Bytes) -> Bytes {
        pointer.split(on: UInt8(ascii: "/")).map { isIndex($0) ? "*" : $0 }.joined(by: "/")
    }

    /// Tries the next conversion of the strings at a pointer, and at its ancestors and descendants; false if none is left.
    private func raise(_ tokens: ArraySlice<Bytes>, _ node: Node, _ own: Bytes, _ levels: inout Levels) -> Bool {
        // proof: the depth of the nodes is at most `depth`.
        var hasChanged = false
        if !node.texts.isEmpty {
            let level = levels[own] ?? 0
            // Each string advances by one conversion, because the skipped one could be the right one.
            if level < node.lastLevel && raised.insert(own).inserted {
                levels[own] = level &+ 1
                hasChanged = true
            }
        }
        if let token = tokens.first, token != "*" {
            guard let member = node.members[Self.unescaped(token)] else { return hasChanged }
            return raise(tokens.dropFirst(), member.node, "\(own)/\(token)", &levels) || hasChanged
        }
        for member in node.members.values where tokens.isEmpty || Self.isIndex(member.name) {
            hasChanged = raise(tokens.dropFirst(), member.node, Self.below(own, member.name), &levels) || hasChanged
        }
        return hasChanged
    }

    /// Tries JSON for all strings that are not yet converted; false if there are none.
    private func raiseFirst(_ node: Node, _ own: Bytes, _ levels: inout Levels) -> Bool {
        // proof: the depth of the nodes is at most `depth`.
        var hasChanged = !node.texts.isEmpty && levels[own] ?? 0 == 0
        if hasChanged { levels[own] = 1 }
        for member in node.members.values {
            hasChanged = raiseFirst(member.node, Self.below(own, member.name), &levels) || hasChanged
        }
        return hasChanged
    }

    private static func isIndex(_ name: Bytes) -> Bool { !name.isEmpty && name.storage.allSatisfy(ASCII.isDigit) }

    private static func below(_ own: Bytes, _ name: Bytes) -> Bytes { "\(own)/\(isIndex(name) ? "*" : name.pointerEscaped)" }

    /// A token of a pointer, unescaped.
    private static func unescaped(_ token: Bytes) -> Bytes {
        guard token.storage.contains(UInt8(ascii: "~")) else { return token }
        var result = Bytes()
        var isEscaped = false
        for byte in token.storage {
            if isEscaped {
                result.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
                isEscaped = false
            } else if byte == UInt8(ascii: "~") {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private func value(_ node: Node, _ own: Bytes, _ levels: Levels, _ encoding: FormEncoding?) -> Value {
        // proof: the depth of the nodes is at most `depth`.
        if !node.texts.isEmpty {
            let level = levels[own] ?? 0
            // Each alternative is tried unchanged, and then with its strings read as JSON.
            if case .alternatives(let values)? = node.texts.first {
                let value = values[min(level / 2, values.count &- 1)]
                return level % 2 == 0 ? value : Self.converted(value, 1)
            }
            let isArray = node.isArray || node.texts.count > 1 || (level >= 3 && level < Self.levels &- 1)
            let values = node.texts.map { Self.value($0, level % 3) }
            return isArray ? .array(values) : values.first ?? .null
        }
        var members: [Value.Member] = []
        if let encoding, encoding.arrays == .index, !own.isEmpty, let ordered = Self.byIndex(node, encoding.firstIndex) {
            return .array(ordered.map { value($0.node, Self.below(own, $0.name), levels, encoding) })
        }
        for member in node.members.values {
            let value = value(member.node, Self.below(own, member.name), levels, encoding)
            members.append(Value.Member(name: member.name, value: value))
        }
        if own.isEmpty { members += empty.map { Value.Member(name: $0, value: .array([])) } }
        return .object(members)
    }

    /// The members sorted by their indexes; nil unless the indexes are consecutive numbers that begin with the first one.
    private static func byIndex(_ node: Node, _ first: Int) -> [(name: Bytes, node: Node)]? {
        var places = [Int?](repeating: nil, count: node.members.values.count)
        for (place, member) in node.members.values.enumerated() {
            guard isIndex(member.name), let number = Decimal.parse(member.name) else { return nil }
            let index = Int(number) &- first
            guard places.indices.contains(index), places[index] == nil,
                member.name.count == 1 || member.name.storage.first != UInt8(ascii: "0")
            else { return nil }
            places[index] = place
        }
        if places.isEmpty { return nil }
        return places.compactMap { $0.map { node.members.values[$0] } }
    }

    private static func value(_ leaf: Leaf, _ level: Int) -> Value {
        switch leaf {
        case .fixed(let value): return value
        case .alternatives(let values): return values.first ?? .null
        case .text(let text): return converted(.text(text), level)
        }
    }

    private static func converted(_ value: Value, _ level: Int) -> Value {
        // proof: the depth of a value that a style has read is bounded by its reader.
        switch value {
        case .text(let text):
            if level == 2 { return text == "1" ? .boolean(true) : text == "0" ? .boolean(false) : value }
            guard level == 1, text.storage.first != UInt8(ascii: "\""), let read = try? JSONDocument.value(text) else {
                return value
            }
            return read
        case .array(let elements): return .array(elements.map { converted($0, level) })
        case .object(let members):
            return .object(members.map { Value.Member(name: $0.name, value: converted($0.value, level)) })
        default: return value
        }
    }
}

extension JSONDocument {
    fileprivate static func value(_ text: Bytes) throws(Failure) -> Value {
        try text.withBuffer { (buffer) throws(Failure) in
            let document = try read(buffer, JSONReading(rejectsDuplicates: true))
            defer { withExtendedLifetime(document) {} }
            return document.view.tree
        }
    }
}

extension Failure {
    /// The first failures of the chain, at most `maximum`.
    fileprivate func first(_ maximum: Int) -> Failure { Failure.chained(Array(chain.prefix(maximum))) ?? self }
}
