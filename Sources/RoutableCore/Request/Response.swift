// A response of a service.

internal import CSystem

/// A complete response, with its body after content decoding.  Immutable.
public final class Response: Sendable {
    /// The HTTP status.
    public let status: Int32
    /// The headers, in order.
    public let headers: HeaderBlock
    /// The body after content decoding.
    public let body: Text
    /// The result of mapping the body to the declared type.
    public let outcome: Outcome
    /// The deviations of the response from its description, in the order of the body.
    public let deviations: [Deviation]
    /// The name of the declared type, or empty.
    public let typeName: Text
    /// The URL of the response, after redirects; empty for a response of another HTTP client.
    public let url: Text
    /// The trace of the transfer, if there is one.
    public let trace: Trace?
    /// 11 for HTTP/1.1, 20 for HTTP/2; 0 with a transport, and for a response of another HTTP client.
    public let httpVersion: Int32

    #if !hasFeature(Embedded)
    /// The decoder of the program for the body; nil for the standard decoder.
    package let decoder: (any AnyObject & Sendable)?
    #endif

    /// The parsed body, until a caller takes it; nil if it is not stored.
    private nonisolated(unsafe) let parsed: UnsafeMutablePointer<UnsafeRawPointer?>?

    package init(
        _ answer: consuming Answer, _ outcome: Outcome, _ typeName: Text, deviations: [Deviation] = [],
        document: ParsedDocument? = nil
    ) {
        status = answer.status
        headers = answer.headers
        body = answer.body
        url = answer.url
        trace = answer.trace
        httpVersion = answer.httpVersion
        self.outcome = outcome
        self.typeName = typeName
        self.deviations = deviations
        #if !hasFeature(Embedded)
        decoder = nil
        #endif
        parsed = document.map {
            let place = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
            place.initialize(to: UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()))
            return place
        }
    }

    #if !hasFeature(Embedded)
    /// The same response with a decoder of the program for its body.
    package init(_ other: Response, decoder: any AnyObject & Sendable) {
        status = other.status
        headers = other.headers
        body = other.body
        url = other.url
        trace = other.trace
        httpVersion = other.httpVersion
        outcome = other.outcome
        typeName = other.typeName
        deviations = other.deviations
        self.decoder = decoder
        parsed = nil
    }
    #endif

    deinit {
        _ = takeDocument()
        parsed?.deallocate()
    }

    /// The parsed body, for the first caller only: its memory is as large as the body.
    package func takeDocument() -> ParsedDocument? {
        parsed.flatMap { csystem_take($0) }.map { Unmanaged<ParsedDocument>.fromOpaque($0).takeRetainedValue() }
    }

    /// Creates a response that does not come from the service.
    public convenience init(
        status: Int32, headers: [HeaderField], body: Bytes, outcome: Outcome, typeName: Bytes, url: Bytes
    ) {
        self.init(Answer(status: status, headers: headers, body: body, url: url), outcome, Text(typeName))
    }
}
