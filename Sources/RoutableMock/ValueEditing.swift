// Changes of a JSON value: of one member or element, by JSON Merge Patch (RFC 7396), and by JSON Patch (RFC 6902).

internal import RoutableCore
internal import RoutableJSON

extension Value {
    var isScalar: Bool {
        @inline(never) get {
            switch self {
            case .null, .array, .object: false
            default: true
            }
        }
    }

    /// The members of an object; empty for any other value.
    var members: [Member] { @inline(never) get { if case .object(let members) = self { members } else { [] } } }

    /// The value at the end of a path of names; nil if there is none.
    @inline(never) func value(at names: [Bytes]) -> Value? { names.isEmpty ? nil : JSONPointer.target(names, in: self) }

    /// A copy with a new value at the end of a path of names; missing objects are added.
    @inline(never) func setting(_ new: Value, at names: [Bytes]) -> Value {
        var edit = ValueEdit(.set, new)
        var result = self
        _ = edit.apply(to: &result, names[...])
        return result
    }

    /// The value after a JSON Merge Patch.
    func merged(with patch: Value) -> Value {
        // proof: the recursion is limited by the nesting of the patch, which its reader limits.
        guard case .object(let changes) = patch else { return patch }
        var changed = KeyedValues<Bytes, Member>()
        for change in changes { changed.set(change, for: change.name) }
        var result: [Member] = []
        for member in members {
            guard let change = changed[member.name] else {
                result.append(member)
                continue
            }
            if !change.value.isNull {
                result.append(Member(name: member.name, value: member.value.merged(with: change.value)))
            }
        }
        for change in patch.members(without: self) where !change.value.isNull {
            result.append(Member(name: change.name, value: Value.null.merged(with: change.value)))
        }
        return .object(result)
    }

    /// The members whose names another object does not contain.
    @inline(never) func members(without other: Value) -> [Member] {
        var names = Set<Bytes>()
        for member in other.members { names.insert(member.name) }
        return members.filter { !names.contains($0.name) }
    }

    /// Equality as JSON Patch defines it: numbers are compared by value, members in any order.
    func equals(_ other: Value, _ steps: inout Int) -> Bool {
        // proof: the recursion is limited by the nesting of the values, and each value is a step.
        steps &-= 1
        if steps < 0 { return false }
        switch (self, other) {
        case (.null, .null): return true
        case (.boolean(let one), .boolean(let two)): return one == two
        case (.text(let one), .text(let two)): return one == two
        case (.integer(let one), .integer(let two)): return one == two
        case (.integer(let one), .real(let two)), (.real(let two), .integer(let one)): return Int64(exactly: two) == one
        case (.real(let one), .real(let two)): return one == two
        case (.number(let one), .number(let two)): return one == two
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.equals($1, &steps) }
        case (.object(let one), .object(let two)):
            if one.count != two.count { return false }
            for member in one {
                steps &-= two.count >> 2
                guard let twin = two.first(where: { $0.name == member.name }), member.value.equals(twin.value, &steps) else {
                    return false
                }
            }
            return true
        default: return false
        }
    }
}

/// One change of a value.
struct ValueEdit {
    /// `set` also adds the missing objects on the path; the other kinds are those of RFC 6902.
    enum Kind { case set, add, replace, remove }

    let kind: Kind
    private let new: Value
    /// The number of members and elements that may still be read or moved.
    var steps: Int

    init(_ kind: Kind, _ new: Value = .null, steps: Int = .max) {
        self.kind = kind
        self.new = new
        self.steps = steps
    }

    /// Applies the change; returns false if the path does not exist.
    mutating func apply(to value: inout Value, _ names: ArraySlice<Bytes>) -> Bool {
        // proof: the recursion ends with the names, whose number JSON Patch limits.
        guard let name = names.first else {
            value = new
            return true
        }
        let rest = names.dropFirst()
        let isLast = rest.isEmpty
        if kind == .set, case .object = value {} else if kind == .set { value = .object([]) }
        switch value {
        case .object(var members):
            steps &-= members.count >> 2
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                if kind != .set && !(isLast && kind == .add) { return false }
                var inner = Value.null
                _ = apply(to: &inner, rest)
                value = .null
                members.append(Value.Member(name: name, value: inner))
                value = .object(members)
                return true
            }
            // This removes the second reference, so that a change does not copy the members.
            value = .null
            var found = true
            if isLast && kind == .remove {
                members.remove(at: index)
            } else {
                found = apply(to: &members[index].value, rest)
            }
            value = .object(members)
            return found
        case .array(var elements):
            let isEnd = name == "-"
            let index = isEnd ? elements.count : JSONPointer.index(name)
            let isAdded = isLast && kind == .add
            guard let index, isAdded ? index <= elements.count : index < elements.count else { return false }
            value = .null
            var found = true
            if isAdded {
                steps &-= (elements.count &- index) >> 4
                elements.insert(new, at: index)
            } else if isLast && kind == .remove {
                steps &-= (elements.count &- index) >> 4
                elements.remove(at: index)
            } else {
                found = apply(to: &elements[index], rest)
            }
            value = .array(elements)
            return found
        default: return false
        }
    }
}

/// JSON Patch: applies all operations, or none.
struct JSONPatch {
    /// The limit of the values that a patch may copy, with four bytes of a string counted as one, and of the members that it may read.
    private static let stepLimit = 10_000_000
    private var steps = stepLimit

    /// - Throws: `body` with the HTTP status: 400 for an invalid patch; 409 if a path does not exist or a test fails, because then the
    ///   request cannot be applied to the current resource (RFC 5789 section 2.2).  `limit` with 413.
    static func apply(_ patch: Value, to value: Value) throws(Failure) -> Value {
        guard case .array(let operations) = patch else { throw failure(400, 0, "the patch is not an array of operations") }
        var state = JSONPatch()
        var result = value
        for (index, operation) in operations.enumerated() {
            try Memory.check()
            try state.apply(operation, to: &result, index)
        }
        return result
    }

    private mutating func apply(_ operation: Value, to result: inout Value, _ index: Int) throws(Failure) {
        func text(_ name: Bytes) -> Bytes? { if case .text(let text)? = operation.value(at: [name]) { text } else { nil } }
        func names(_ name: Bytes) throws(Failure) -> [Bytes] {
            guard let pointer = text(name), pointer.isEmpty || pointer.hasPrefix("/") else {
                throw Self.failure(400, index, "\"\(name)\" is not a JSON pointer")
            }
            return JSONPointer.tokens(pointer)
        }
        let path = try names("path")
        var kind = ValueEdit.Kind.add
        let op = text("op") ?? Bytes()
        let isMove = op.equals("move"), isTest = op.equals("test"), isReplace = op.equals("replace")
        var new = Value.null
        if isReplace || isTest || op.equals("add") {
            guard let given = operation.value(at: ["value"]) else { throw Self.failure(400, index, "\"value\" is missing") }
            new = given
            if isReplace { kind = .replace }
        } else if isMove || op.equals("copy") {
            let from = try names("from")
            guard let found = JSONPointer.target(from, in: result) else { throw missing("from", index) }
            new = found
            if isMove {
                if path.count > from.count && path.starts(with: from) {
                    throw Self.failure(400, index, "a value cannot be moved into itself")
                }
                if from.isEmpty { return }
                try edit(&result, .remove, .null, from, index)
            }
        } else if op.equals("remove") {
            kind = .remove
        } else {
            throw Self.failure(400, index, "\"op\" is not one of add, copy, move, remove, replace and test")
        }
        if isTest {
            let isEqual = JSONPointer.target(path, in: result)?.equals(new, &steps)
            try checkSteps(index)
            if isEqual != true { throw Self.failure(409, index, "the test fails") }
            return
        }
        try edit(&result, kind, new, path, index)
    }

    private mutating func edit(
        _ result: inout Value, _ kind: ValueEdit.Kind, _ new: Value, _ path: [Bytes], _ index: Int
    ) throws(Failure) {
        if kind == .remove && path.isEmpty { throw Self.failure(400, index, "the whole value cannot be removed") }
        spend(new, path.count)
        try checkSteps(index)
        var edit = ValueEdit(kind, new, steps: steps)
        let isDone = edit.apply(to: &result, path[...])
        steps = edit.steps
        if !isDone { throw missing("path", index) }
    }

    private func checkSteps(_ index: Int) throws(Failure) {
        if steps >= 0 { return }
        throw Failure(.limit, "the patch has too many steps, or nests too deeply") {
            $0.httpStatus = 413
            $0.pointer = "/\(index)"
        }
    }

    /// Counts the steps of a value that is inserted at a depth.
    private mutating func spend(_ value: Value, _ depth: Int) {
        // proof: the recursion is limited by `Limits.jsonDepth`.
        steps = depth >= Limits.jsonDepth ? -1 : steps &- 1
        if steps < 0 { return }
        switch value {
        case .text(let text), .number(let text): steps &-= text.count >> 2
        case .array(let elements): for element in elements where steps >= 0 { spend(element, depth &+ 1) }
        case .object(let members):
            for member in members where steps >= 0 {
                steps &-= member.name.count >> 2
                spend(member.value, depth &+ 1)
            }
        default: break
        }
    }

    private func missing(_ name: Bytes, _ index: Int) -> Failure {
        Self.failure(409, index, "\"\(name)\" leads to nothing")
    }

    private static func failure(_ status: Int32, _ index: Int, _ message: Bytes) -> Failure {
        Failure(.body, "operation \(index) of the patch: \(message)") {
            $0.httpStatus = status
            $0.pointer = "/\(index)"
        }
    }
}
