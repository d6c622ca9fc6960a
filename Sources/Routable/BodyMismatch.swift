// The reason why the body of a response is not valid, for programs that inspect responses.

public import RoutableCore

/// The reason why a body is not valid against its declared type.
public struct BodyMismatch: Sendable, Equatable, CustomStringConvertible {
    /// One sentence.
    public let description: String
    /// JSON pointer (RFC 6901) into the body; empty for the whole body.
    public let pointer: String
    /// JSON pointer into the schema of the type; empty for a body that is not JSON.
    public let schemaPointer: String
}

extension Response {
    /// Why the body is not valid against its declared type; nil if it is valid, or if no type is declared.
    public var mismatch: BodyMismatch? {
        reason.map {
            BodyMismatch(
                description: $0.message.bytes.string, pointer: $0.pointer.bytes.string,
                schemaPointer: $0.schemaPointer.bytes.string)
        }
    }
}
