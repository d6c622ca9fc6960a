// A value of a document with its pointer, so that every failure contains the pointer.

package import RoutableCore

/// A borrowed value and the JSON pointer to it.
package struct Node {
    package let view: JSONView
    package let pointer: Bytes

    package init(_ view: JSONView, _ pointer: Bytes = Bytes()) {
        self.view = view
        self.pointer = pointer
    }

    /// A failure for this value.
    package func failure(_ message: Bytes, _ status: Status = .document) -> Failure {
        Failure(status, message) { $0.pointer = pointer }
    }

    /// A failure for this value, a name that is not among the allowed ones.
    package func unknown(_ subject: Bytes, _ name: Bytes, among known: [Bytes]) -> Failure {
        Failure.unknownName(.document, subject, name, among: known).at(pointer)
    }

    /// A failure for the key of this member.
    package func keyFailure(_ key: Bytes, _ message: Bytes, _ status: Status = .document) -> Failure {
        Failure(status, message) {
            $0.pointer = pointer
            $0.parameter = key
        }
    }

    /// A failure for a value of another kind than `expected`.
    package func wrongKind(_ subject: StaticString, _ expected: StaticString) -> Failure {
        failure("\(subject) must be \(expected), not \(view.kindName)")
    }

    /// The member with this name.
    package func member(_ name: StaticString) -> Node? {
        guard let member = view.member(name.rawBytes) else { return nil }
        return Node(member, "\(pointer)/\(name)")
    }

    // MARK: Values of one kind.  `subject` describes the value in messages.

    /// A string without U+0000.
    package func text(_ subject: StaticString) throws(Failure) -> Bytes {
        guard view.kind == .text else { throw wrongKind(subject, "a string") }
        let text = view.content
        if text.storage.contains(0) { throw failure("\(subject) has U+0000, which is not allowed there") }
        return text
    }

    /// A string that is not empty.
    package func name(_ subject: StaticString) throws(Failure) -> Bytes {
        let text = try text(subject)
        if text.isEmpty { throw failure("\(subject) is empty") }
        return text
    }

    package func boolean(_ subject: StaticString) throws(Failure) -> Bool {
        guard view.kind == .boolean else { throw wrongKind(subject, "true or false") }
        return view.boolean
    }

    package func integer(_ subject: StaticString, _ range: ClosedRange<Int64>) throws(Failure) -> Int {
        guard view.kind == .integer else { throw wrongKind(subject, "an integer") }
        guard range.contains(view.integer), let number = Int(exactly: view.integer) else {
            throw failure(
                "\(subject) is out of range: from \(Int(range.lowerBound)) to \(Int(range.upperBound)) is expected")
        }
        return number
    }

    package func number(_ subject: StaticString) throws(Failure) -> Double {
        switch view.kind {
        case .integer, .real: return view.number
        case .wideNumber where view.number.isFinite: return view.number
        case .wideNumber: throw failure("\(subject) is out of the range of a double")
        default: throw wrongKind(subject, "a number")
        }
    }

    /// One of several words.
    package func word<Choice>(_ subject: StaticString, _ choices: [(StaticString, Choice)]) throws(Failure) -> Choice {
        let text = try text(subject)
        for (name, choice) in choices where view.equals(name) { return choice }
        throw unknown("\(subject) cannot be", text, among: choices.map { Bytes(staticText: $0.0) })
    }

    package func elements(_ subject: StaticString) throws(Failure) -> [Node] {
        guard view.kind == .array else { throw wrongKind(subject, "an array") }
        var result: [Node] = []
        try Memory.reserve(&result, view.count)
        var elements = view.elements
        while let element = elements.read() {
            try Memory.check()
            result.append(Node(element, JSONPointer.appending("\(result.count)", to: pointer)))
        }
        return result
    }

    package func members(_ subject: StaticString) throws(Failure) -> [(name: Bytes, node: Node)] {
        guard view.kind == .object else { throw wrongKind(subject, "an object") }
        var result: [(name: Bytes, node: Node)] = []
        try Memory.reserve(&result, view.count)
        var members = view.members
        while let (key, value) = members.read() {
            try Memory.check()
            let name = Bytes(key)
            result.append((name, Node(value, JSONPointer.appending(name, to: pointer))))
        }
        return result
    }

    /// Checks that the value is an object whose keys are all known.  Returns its `x-` members as user data.
    package func object(_ keys: KeyTable) throws(Failure) -> [UserData] {
        guard view.kind == .object else { throw wrongKind(keys.subject, "an object") }
        try Memory.check()
        var userData: [UserData] = []
        var members = view.members
        while let (key, value) = members.read() {
            if key.isAmong(keys.known) { continue }
            let name = Bytes(key)
            let node = Node(value, JSONPointer.appending(name, to: pointer))
            if name.hasPrefix("x-") {
                userData.append(UserData(key: name, json: node.view.json))
            } else if key.isAmong(keys.later) {
                throw node.keyFailure(
                    name, "\"\(name)\" of \(keys.subject) is not supported by this version of the library", .unsupported)
            } else {
                throw node.unknown("\(keys.subject) has no key", name, among: keys.known.map { Bytes(staticText: $0) })
                    .with { $0.parameter = name }
            }
        }
        return userData
    }
}

/// The keys of one kind of object.
package struct KeyTable {
    /// The description of the object in messages: "a resource".
    package let subject: StaticString
    package let known: [StaticString]
    /// Keys that the grammar reserves, and that this version does not support.
    package let later: [StaticString]

    package init(_ subject: StaticString, _ known: [StaticString], later: [StaticString] = []) {
        self.subject = subject
        self.known = known
        self.later = later
    }
}

extension UnsafeRawBufferPointer {
    package func isAmong(_ words: [StaticString]) -> Bool {
        for word in words where equals(word) { return true }
        return false
    }
}

extension Bytes.StringInterpolation {
    package mutating func appendInterpolation(_ text: StaticString) { appendLiteral(text) }
}
