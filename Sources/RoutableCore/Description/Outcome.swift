// The outcome of mapping a body to its declared type.

/// The result of mapping a body to its declared type.
public enum Outcome: Int32, Sendable {
    /// There is no body.
    case empty = 0
    /// The body is one value of the declared kind; the deviations of the response list the invalid parts.
    case `self` = 1
    /// The body is an object whose members have the declared type.
    case dictionary = 2
    /// The body is an array of values of the declared type; the deviations of the response list the invalid parts.
    case array = 3
    /// The body is of another kind or not JSON, or no type is declared.
    case raw = 4

    /// The name in route documents.
    public var name: Bytes { Bytes(static: staticName) }

    /// The name in route documents.
    package var staticName: StaticString {
        switch self {
        case .empty: "empty"
        case .self: "self"
        case .dictionary: "dictionary"
        case .array: "array"
        case .raw: "raw"
        }
    }
}

/// The outcome that a description expects of a body.
package enum ExpectedBody: Sendable {
    /// One value.
    case value
    /// An array of values.
    case list
    /// A value, an object of values or an array of values, tried in this order (article 004, docs/statements.md, M).
    case any
}

/// A parsed body.  The JSON layer has a subclass.
open class ParsedDocument: @unchecked Sendable {
    package init() {}
}

/// A body that was validated against its type.
package struct MappedBody: Sendable {
    package var outcome: Outcome
    /// The deviations of the body from its type.
    package var deviations: [Deviation] = []
    /// Whether the body was parsed as JSON.
    package var isJSON = false
    /// The parsed body, if it is to be stored.
    package var document: ParsedDocument?

    package init(_ outcome: Outcome, isJSON: Bool = false, _ deviations: [Deviation] = []) {
        self.outcome = outcome
        self.isJSON = isJSON
        self.deviations = deviations
    }
}
