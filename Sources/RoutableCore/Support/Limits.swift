// The limits for data from outside, in one place.

/// The limits.  A call that exceeds one fails with `Status.limit`; nothing is truncated.
package enum Limits {
    /// Ids on one route.
    package static let idsPerRoute = 32
    /// Values of one operation's own path that may be empty: each doubles the paths that it has.
    package static let emptyValues = 4
    /// Bytes of a route document, unless an option says otherwise.
    package static let documentBytes = 64 << 20
    /// Files of one description, and how many of them lead to one another.
    package static let documentFiles = 16384
    package static let documentFileDepth = 256
    /// Reasons of one refusal.
    package static let errors = 256
    /// Nesting of JSON that is read or written.
    package static let jsonDepth = 512
    /// Bytes of the value of one header, and of a base.  Values in a URL are bounded by `urlBytes`, those in a form by `formBytes`.
    package static let valueBytes = 8 << 20
    /// Bytes of the key of one item of a form, with all that it is nested in.
    package static let formKeyBytes = 1 << 20
    /// Bytes of a whole form.
    package static let formBytes = 64 << 20
    /// Values of a form that is read: each becomes an object in memory.
    package static let formFields = 100_000
    /// Bytes of a whole URL.
    package static let urlBytes = 16 << 20
    /// Bytes of the table of routes.
    package static let tableBytes = 64 << 20
    /// Header fields of one request.
    package static let headerFields = 1000
    /// Resources plus operations of one router.
    package static let operations = 1 << 20
    /// Different servers that a URL is compared with.
    package static let matchedServers = 1000
    /// Bytes of a response body, unless an option says otherwise.
    package static let responseBytes = 64 << 20
    /// Bytes of all headers of a response.
    package static let responseHeaderBytes = 1 << 20
    /// Bytes of all compiled patterns of a document or a schema.
    package static let patternBytes = 64 << 20
    /// Bytes of a value that a pattern is run on.
    package static let patternSubjectBytes = 64 << 10
}
