// Converts whole trees to values of the core and to JSON.

package import RoutableCore

extension JSONView {
    /// The tree as a value of the core.
    package var tree: Value {
        // proof: the depth of the recursion is limited by the nesting that the reader has accepted.
        switch kind {
        case .null: return .null
        case .boolean: return .boolean(boolean)
        case .integer: return .integer(integer)
        case .real: return .real(real)
        case .wideNumber: return .number(content)
        case .text: return .text(content)
        case .array:
            var elements: [Value] = []
            elements.reserveCapacity(count)
            var read = self.elements
            while !Memory.cuts(), let element = read.read() { elements.append(element.tree) }
            return .array(elements)
        case .object: return .object(memberTrees)
        }
    }

    /// The members as values of the core; none if the value is not an object.
    package var memberTrees: [Value.Member] {
        var result: [Value.Member] = []
        result.reserveCapacity(count)
        var members = members
        while !Memory.cuts(), let (name, value) = members.read() {
            result.append(Value.Member(name: Bytes(name), value: value.tree))
        }
        return result
    }

    /// The tree as JSON text.
    package var json: Bytes {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        // proof: the depth of the recursion is limited by the nesting that the reader has accepted.
        switch kind {
        case .null: writer.null()
        case .boolean: writer.boolean(boolean)
        case .integer: writer.integer(integer)
        case .real: if !writer.real(real) { writer.null() }  // jansson has no real number that is not finite
        case .wideNumber: writer.raw(content)
        case .text: writer.string(content)
        case .array:
            writer.open("[")
            var elements = elements
            while let element = elements.read() { element.write(to: &writer) }
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
}
