// What came back.

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

/// An answer, whole, with its body as received after content decoding.  Immutable.
public final class Response: Sendable {
    public let status: Int32
    public let headers: [Header]
    public let body: Text
    public let outcome: Outcome
    /// The name of the declared type, or empty.
    public let typeName: Text
    /// The URL that answered, after redirects; empty when the host fetched.
    public let url: Text

    public init(status: Int32, headers: [HeaderField], body: Bytes, outcome: Outcome, typeName: Bytes, url: Bytes) {
        self.status = status
        self.headers = headers.map { Header($0) }
        self.body = Text(body)
        self.outcome = outcome
        self.typeName = Text(typeName)
        self.url = Text(url)
    }

    /// The value of the first header of that name; ASCII case does not matter.
    public func header(_ name: Bytes) -> Text? { headers.first { $0.name.bytes.equalsIgnoringCase(name) }?.value }
}
