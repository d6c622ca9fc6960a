// What a body turns out to be of the type that the description declares.

/// How a body was mapped, in the order in which it is tried (article 004: self, dictionary, array, raw).
public enum Outcome: Int32, Sendable {
    case empty = 0
    case `self` = 1
    case dictionary = 2
    case array = 3
    case raw = 4

    public var name: Bytes { Bytes(stringLiteral: staticName) }

    public var staticName: StaticString {
        switch self {
        case .empty: "empty"
        case .self: "self"
        case .dictionary: "dictionary"
        case .array: "array"
        case .raw: "raw"
        }
    }
}
