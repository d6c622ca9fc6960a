// Converts JSON to a value with all its digits: amounts of money as written, not as the nearest double.

package import RoutableCore
internal import RoutableJSON

extension JSONCodec {
    /// The value of JSON text.  A number that differs from the text of its double keeps its digits.
    ///
    /// - Throws: `json`, `limit`.
    package static func exactValue(of text: Bytes) throws(Failure) -> Value {
        try text.withBuffer { (buffer) throws(Failure) in
            let tape = try JSONTape.read(buffer)
            defer { withExtendedLifetime(tape) {} }
            return value(tape.root)
        }
    }

    private static func value(_ node: TapeNode) -> Value {
        // proof: the recursion ends at the nesting that the tape allows.
        switch node.kind {
        case .null: return .null
        case .boolean: return .boolean(node.isTrue)
        case .text: return .text(node.string)
        case .number: return number(node.digits)
        case .array:
            var elements: [Value] = []
            var children = node.children
            while let child = children.read() { elements.append(value(child.value)) }
            return .array(elements)
        case .object:
            var members: [Value.Member] = []
            var children = node.children
            while let child = children.read() { members.append(Value.Member(name: child.name, value: value(child.value))) }
            return .object(members)
        }
    }

    private static func number(_ digits: Bytes) -> Value {
        if let whole = Decimal.parse(digits) { return .integer(whole) }
        let real = digits.storage.withUnsafeBytes { ScalarText.number($0) }
        guard real.isFinite, let shortest = RealText.shortest(real) else { return .number(digits) }
        let isExact = digits.storage.withUnsafeBytes { one in
            shortest.storage.withUnsafeBytes { DecimalNumber(one).order(DecimalNumber($0)) == 0 }
        }
        return isExact ? .real(real) : .number(digits)
    }
}
