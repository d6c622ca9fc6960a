// A value tree for all front ends: JSON, C structs, Swift.

/// A value in a path, a query, a header, a form or a JSON body.
public indirect enum Value: Sendable {
    /// JSON null.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A number with a fraction.
    case real(Double)
    /// A number that neither type can represent, as its digits.
    case number(Bytes)
    /// A string.
    case text(Bytes)
    /// An array.
    case array([Value])
    /// Members in the order in which they were given; keys are unique.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable {
        /// The key.
        public var name: Bytes
        /// The value.
        public var value: Value
        /// A member with a key and a value.
        public init(name: Bytes, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the kind in messages.
    public var kindName: Bytes {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real, .number: "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Whether it is JSON null.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The text of a scalar: decimal integers, shortest reals with `.0`, `true` and `false`; nil for the rest.
    public var scalarText: Bytes? {
        switch self {
        case .boolean(let truth): return truth ? "true" : "false"
        case .integer(let number):
            var bytes: [UInt8] = []
            Decimal.append(number, to: &bytes)
            return Bytes(bytes)
        case .real(let number): return RealText.shortest(number)
        case .number(let digits): return digits
        case .text(let text): return text
        case .null, .array, .object: return nil
        }
    }
}

/// Reals as strings.
package enum RealText {
    /// The shortest decimal that reads back equal: `0.1`, `100.1`, `1.0`, `-0.0`, `1e+20`; nil unless finite.
    ///
    /// Exported as an interface, because each module with a copy would contain the tables of the standard library for it.
    #if !ROUTABLE_ONE_OBJECT
    @export(interface)
    #endif
    @inline(never) package static func shortest(_ number: Double) -> Bytes? {
        guard number.isFinite else { return nil }
        // Not by the characters of the string, because code for strings of other kinds would be linked without use.
        return number.description.utf8.withContiguousStorageIfAvailable { Bytes(UnsafeRawBufferPointer($0)) }
    }
}
