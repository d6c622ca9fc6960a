// The path that is set, as presenters receive it.

public import RoutableCore

/// One call of `set`, `stack` or `presentable`: the path, its route and the captures.
public final class Visit<Path> {
    /// The path that was passed; nil for `presentable`.
    public let path: Path?
    /// The values of the route's named groups or template parameters, from left to right.
    public let captures: [NamedCapture]
    /// The name of the presenter whose route matched, at a fixed address; nil if none did.
    package let label: Text?

    init(_ path: Path?, label: Text?, captures: [NamedCapture]) {
        self.path = path
        self.label = label
        self.captures = captures
    }

    /// The name of the presenter whose route matched; nil if none did.
    public var route: Bytes? { label?.bytes }

    /// The value of a capture with its declared type; nil if no capture has this name.
    public subscript(name: Bytes) -> Value? {
        @inline(never) get {
            for capture in captures where capture.name.bytes == name { return capture.value }
            return nil
        }
    }
}

/// A captured value of a path, with its name.
public struct NamedCapture {
    package let name: Text
    /// Decoded if a template captured it; unchanged if a pattern did.
    package let text: Text
    /// The JSON type of the value.
    public let kind: Scalar.Kind

    /// The typed value; an integer beyond 64 bits is a `number`.
    public var value: Value {
        @inline(never) get {
            let bytes = text.bytes
            switch kind {
            case .string: return .text(bytes)
            case .integer: return Decimal.parse(bytes).map { .integer($0) } ?? .number(bytes)
            case .number: return .real(ScalarText.number(text.buffer))
            case .boolean: return .boolean(bytes == "true")
            }
        }
    }
}

/// Paths that are strings, which patterns and templates match.  Predicates accept any type.
public protocol TextPath {
    /// The path as bytes.
    var pathBytes: Bytes { get }
}

extension Bytes: TextPath {
    public var pathBytes: Bytes { self }
}

extension Text: TextPath {
    public var pathBytes: Bytes { bytes }
}

#if !hasFeature(Embedded)
extension String: TextPath {
    public var pathBytes: Bytes { Bytes(self) }
}
#endif
