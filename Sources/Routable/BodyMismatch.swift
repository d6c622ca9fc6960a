// The reason why the body of a response is not valid, for programs that inspect responses.

public import RoutableCore

/// The reason why a body is not valid against its declared type.
public struct BodyMismatch: Sendable, Equatable, CustomStringConvertible {
    /// One sentence.
    public let description: String
    /// RFC 6901: where in the body; empty for the whole.
    public let pointer: String
    /// RFC 6901: where in the schema of the type; empty for a body that is not JSON.
    public let schemaPointer: String
}

extension Response {
    /// Why the outcome is `raw` where a type is declared; nil when the body fits, and where nothing is declared.
    public var mismatch: BodyMismatch? {
        reason.map {
            BodyMismatch(
                description: $0.message.bytes.string, pointer: $0.pointer.bytes.string, schemaPointer: $0.schemaPointer.bytes.string)
        }
    }
}
