// Paths with interpolated values.  A literal is a part of the path; an interpolated value is one segment or a part of one,
// whatever bytes it contains.

public import RoutableCore

/// A path below the base: literals, `{name}` for values by name, and interpolated values.
///
///     "users/\(username)"          // username "a/b" gives users/a%2Fb
///     "todos/{id}"
public struct RoutePath: Sendable, ExpressibleByStringInterpolation {
    /// The template, with `{1}`, `{2}` ... for interpolated values.
    private(set) var template = Bytes()
    private(set) var values: [Value] = []

    public init(stringLiteral text: String) { template = Bytes(text) }

    /// Creates a path from a string that contains literal segments and `{name}` placeholders.
    public init(_ text: String) { template = Bytes(text) }

    public init(stringInterpolation: StringInterpolation) {
        template = stringInterpolation.template
        values = stringInterpolation.values
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var template = Bytes()
        var values: [Value] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { template.append(Bytes(literal)) }
        /// Inserts a value as one segment, or as a part of a segment.
        public mutating func appendInterpolation(_ value: some ValueConvertible) {
            values.append(value.routableValue)
            template.append("{\(values.count)}")
        }
    }

    /// The interpolated values with their names in the template.
    var interpolated: [Value.Member] {
        values.enumerated().map { Value.Member(name: "\($0.offset + 1)", value: $0.element) }
    }

    /// The names in braces, without those of interpolated values, from left to right.
    var openNames: [Bytes] {
        let taken = Set(interpolated.map { $0.name })
        return template.split(on: UInt8(ascii: "{")).dropFirst().compactMap { piece in
            let name = Bytes(piece.storage.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ".") })
            return taken.contains(name) ? nil : name
        }
    }
}
