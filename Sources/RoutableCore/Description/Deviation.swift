// The deviations of a response from its description, and the policies for them.

/// One place where a response deviates from its description.
public struct Deviation: Sendable {
    /// The JSON pointer (RFC 6901) into the body; empty for the whole body, and for its headers.
    public let pointer: Text
    /// The JSON pointer (RFC 6901) to the keyword of the schema; empty if no schema is involved: the body is not JSON, is empty, or
    /// has another media type.
    public let schemaPointer: Text
    /// The rule of the description that the response violates, as one sentence.
    public let message: Text
    /// The value that the service sent, as JSON, or the beginning of a long one; empty for a missing member, and if the body
    /// is not JSON.
    public let found: Text

    /// The maximum number of deviations of one response.
    package static let maximum = 100
    /// The length at which `found` is truncated.
    package static let foundLimit = 80

    package init(_ message: Bytes, pointer: Bytes = Bytes(), schemaPointer: Bytes = Bytes(), found: Bytes = Bytes()) {
        self.message = Text(message)
        self.pointer = Text(pointer)
        self.schemaPointer = Text(schemaPointer)
        self.found = Text(found)
    }

    package init(_ failure: Failure, found: Bytes = Bytes()) {
        let fields = failure.fields
        self.init(
            fields.message, pointer: fields.pointer ?? Bytes(), schemaPointer: fields.schemaPointer ?? Bytes(), found: found)
    }
}

/// The policy of a client for a response that deviates from its description.
public enum DeviationPolicy: UInt32, Sendable {
    /// The response is a success, and lists its deviations.
    case report = 1
    /// The request fails with the status `response`.
    case raise = 2
    /// The response is a success, and lists no deviations.
    case ignore = 3
}
