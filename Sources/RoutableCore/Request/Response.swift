// What came back.

/// An answer, whole, with its body as received after content decoding.  Immutable.
public final class Response: Sendable {
    public let status: Int32
    public let headers: HeaderBlock
    public let body: Text
    public let outcome: Outcome
    /// Why the body is not what the operation declares; nil when it is, and where nothing is declared.
    public let reason: BodyReason?
    /// The name of the declared type, or empty.
    public let typeName: Text
    /// The URL that answered, after redirects; empty when the host fetched.
    public let url: Text
    /// What was noted on the way, if anything was.
    public let trace: Trace?
    /// 11 for HTTP/1.1, 20 for HTTP/2; 0 over a transport, and where the host fetched.
    public let httpVersion: Int32

    package init(_ answer: consuming Answer, _ outcome: Outcome, _ typeName: Text, reason: BodyReason? = nil) {
        status = answer.status
        headers = answer.headers
        body = answer.body
        url = answer.url
        trace = answer.trace
        httpVersion = answer.httpVersion
        self.outcome = outcome
        self.typeName = typeName
        self.reason = reason
    }

    public convenience init(
        status: Int32, headers: [HeaderField], body: Bytes, outcome: Outcome, typeName: Bytes, url: Bytes
    ) {
        self.init(Answer(status: status, headers: headers, body: body, url: url), outcome, Text(typeName))
    }
}

/// Why a body does not have the form that its operation declares.
public final class BodyReason: Sendable {
    /// One sentence.
    public let message: Text
    /// RFC 6901: where in the body; empty for the whole.
    public let pointer: Text
    /// RFC 6901: where in the schema; empty where it is not JSON, or no array.
    public let schemaPointer: Text

    package init(_ failure: Failure) {
        let fields = failure.fields
        message = Text(fields.message)
        pointer = Text(fields.pointer ?? Bytes())
        schemaPointer = Text(fields.schemaPointer ?? Bytes())
    }
}
