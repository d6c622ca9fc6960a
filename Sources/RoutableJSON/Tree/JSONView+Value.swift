// Whole trees: as values of the core, as text, compared, and admitted from a host.

package import RoutableCore

extension JSONView {
    /// The tree as a value of the core.
    package var tree: Value {
        // proof: the recursion ends at the nesting that the scan or `admit` has allowed.
        switch kind {
        case .null: return .null
        case .boolean: return .boolean(boolean)
        case .integer: return .integer(integer)
        case .real: return .real(real)
        case .wideNumber: return .number(Bytes(text))
        case .text: return .text(Bytes(text))
        case .array:
            var elements: [Value] = []
            elements.reserveCapacity(count)
            var index = 0
            while let element = element(index) {
                elements.append(element.tree)
                index &+= 1
            }
            return .array(elements)
        case .object: return .object(memberTrees)
        }
    }

    /// The members as values of the core; none when it is not an object.
    package var memberTrees: [Value.Member] {
        var result: [Value.Member] = []
        result.reserveCapacity(count)
        var members = members
        while let (name, value) = members.read() { result.append(Value.Member(name: Bytes(name), value: value.tree)) }
        return result
    }

    /// The tree as JSON text.
    package var json: Bytes {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        // proof: the recursion ends at the nesting that the scan or `admit` has allowed.
        switch kind {
        case .null: writer.null()
        case .boolean: writer.boolean(boolean)
        case .integer: writer.integer(integer)
        case .real: if !writer.real(real) { writer.null() }  // jansson has no real that is not finite
        case .wideNumber: writer.raw(Bytes(text))
        case .text: writer.string(text)
        case .array:
            writer.open("[")
            var index = 0
            while let element = element(index) {
                element.write(to: &writer)
                index &+= 1
            }
            writer.close("]")
        case .object:
            writer.open("{")
            var members = members
            while let (name, value) = members.read() {
                writer.key(of: name)
                value.write(to: &writer)
            }
            writer.close("}")
        }
    }

    /// Equal as JSON Schema compares: numbers by value, objects in any order.
    package func isEqual(to other: JSONView) -> Bool {
        // proof: the recursion ends at the nesting that the scan or `admit` has allowed.
        switch (kind, other.kind) {
        case (.null, .null): return true
        case (.boolean, .boolean): return boolean == other.boolean
        case (.integer, .integer): return integer == other.integer
        case (.wideNumber, .wideNumber): return text.elementsEqual(other.text)
        case (.integer, .real): return Int64(exactly: other.real) == integer
        case (.real, .integer): return Int64(exactly: real) == other.integer
        case (.real, .real): return real == other.real
        case (.real, .wideNumber), (.wideNumber, .real): return number == other.number
        case (.text, .text): return text.elementsEqual(other.text)
        case (.array, .array):
            guard count == other.count else { return false }
            var index = 0
            while let left = element(index), let right = other.element(index) {
                guard left.isEqual(to: right) else { return false }
                index &+= 1
            }
            return true
        case (.object, .object):
            guard count == other.count else { return false }
            var members = members
            while let (name, value) = members.read() {
                guard let twin = other.member(name), value.isEqual(to: twin) else { return false }
            }
            return true
        default: return false
        }
    }

    /// The values of a tree from a host, whose size no text bounds: a value that occurs twice counts twice.
    private static let valueLimit = Limits.documentBytes / 16

    /// Takes a host's tree: a cycle or a tree that unfolds without end is refused, and so are texts that are
    /// not UTF-8 and keys with U+0000.
    package static func admit(_ value: OpaquePointer) throws(Failure) -> JSONView {
        let view = JSONView(value)
        var budget = valueLimit
        try view.check(depth: 0, &budget)
        return view
    }

    private func check(depth: Int, _ budget: inout Int) throws(Failure) {
        // proof: the recursion ends at the limit of nesting.
        budget &-= 1
        if budget < 0 { throw Failure(.limit, "the JSON has more than \(Self.valueLimit) values") }
        switch kind {
        case .null, .boolean, .integer, .real, .wideNumber: break
        case .text:
            guard UTF8Check.isValid(text) else { throw Failure(.document, "a string is not UTF-8") }
        case .array, .object:
            if depth >= Limits.jsonDepth {
                throw Failure(.limit, "the JSON nests deeper than \(Limits.jsonDepth) levels, or contains itself")
            }
            var index = 0
            while let element = element(index) {
                do { try element.check(depth: depth &+ 1, &budget) } catch { throw error.below("\(index)") }
                index &+= 1
            }
            guard kind == .object else { return }
            var members = members
            while let (name, value) = members.read() {
                guard UTF8Check.isValid(name), !name.contains(0) else {
                    throw Failure(.document, "a key is not UTF-8, or has U+0000")
                }
                do { try value.check(depth: depth &+ 1, &budget) } catch { throw error.below(Bytes(name)) }
            }
        }
    }
}
