// An object that is parsed from pairs.  Members are found by name, so that the time is linear for the hundred thousand
// pairs that a peer may send.

/// The members of one object, in the order of their first occurrence.
final class ReadObject {
    private enum Member {
        case text(Bytes)
        case several(Several)
        case object(ReadObject)
    }

    /// The values of a name that occurs more than once.
    private final class Several {
        var members: [Member]
        init(_ first: Member) { members = [first] }
    }

    private var names: [Bytes] = []
    private var members: [Member] = []
    private var places: [Bytes: Int] = [:]

    /// Adds a string at a path of nested names.  A name that occurs again becomes an array.
    func add(_ text: Bytes, _ path: [Bytes]) {
        guard let last = path.last else { return }
        var object = self
        for name in path.dropLast() { object = object.inner(name) }
        guard let place = object.places[last] else {
            object.append(last, .text(text))
            return
        }
        if case .several(let several) = object.members[place] {
            several.members.append(.text(text))
        } else {
            let several = Several(object.members[place])
            several.members.append(.text(text))
            object.members[place] = .several(several)
        }
    }

    /// The object with this name; it replaces any other value.
    private func inner(_ name: Bytes) -> ReadObject {
        if let place = places[name] {
            if case .object(let known) = members[place] { return known }
            let made = ReadObject()
            members[place] = .object(made)
            return made
        }
        let made = ReadObject()
        append(name, .object(made))
        return made
    }

    private func append(_ name: Bytes, _ member: Member) {
        places[name] = members.count
        names.append(name)
        members.append(member)
    }

    // proof: objects are as deep as the longest path, which the caller limits.
    var value: Value {
        var result: [Value.Member] = []
        result.reserveCapacity(members.count)
        for (name, member) in zip(names, members) { result.append(Value.Member(name: name, value: Self.value(member))) }
        return .object(result)
    }

    private static func value(_ member: Member) -> Value {
        switch member {
        case .text(let text): .text(text)
        case .several(let several): .array(several.members.map { value($0) })
        case .object(let object): object.value
        }
    }
}
