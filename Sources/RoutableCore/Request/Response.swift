// What came back.

/// An answer, whole, with its body as received after content decoding.  Immutable.
public final class Response: Sendable {
    public let status: Int32
    package let headers: HeaderBlock
    package let body: Text
    public let outcome: Outcome
    /// The name of the declared type, or empty.
    package let typeName: Text
    /// The URL that answered, after redirects; empty when the host fetched.
    package let url: Text
    /// What was noted on the way, if anything was.
    public let trace: Trace?

    package init(_ answer: consuming Answer, _ outcome: Outcome, _ typeName: Text) {
        status = answer.status
        headers = answer.headers
        body = answer.body
        url = answer.url
        trace = answer.trace
        self.outcome = outcome
        self.typeName = typeName
    }

    public convenience init(
        status: Int32, headers: [HeaderField], body: Bytes, outcome: Outcome, typeName: Bytes, url: Bytes
    ) {
        self.init(Answer(status: status, headers: headers, body: body, url: url), outcome, Text(typeName))
    }
}
