// The limits for data from outside, in one place.

/// The limits.  A call that exceeds one fails with `Status.limit`; data is not truncated.
package enum Limits {
    /// The maximum number of ids of one route.
    package static let idsPerRoute = 32
    /// The maximum number of values of an operation's own path that may be empty: each one doubles the number of its paths.
    package static let emptyValues = 4
    /// The maximum size of a route document, unless an option sets another one.
    package static let documentBytes = 64 << 20
    /// The maximum number of files of one description, and the maximum depth of their references.
    package static let documentFiles = 16384
    package static let documentFileDepth = 256
    /// The maximum number of reasons of one refusal.
    package static let errors = 256
    /// The maximum nesting of JSON that is read or written.
    package static let jsonDepth = 512
    /// The maximum size of the value of one header, and of a base.  Values in a URL are limited by `urlBytes`, values in a form by `formBytes`.
    package static let valueBytes = 8 << 20
    /// The maximum size of the key of one item of a form, with all keys in which it is nested.
    package static let formKeyBytes = 1 << 20
    /// The maximum size of a whole form.
    package static let formBytes = 64 << 20
    /// The maximum number of values of a form that is read: each becomes an object in memory.
    package static let formFields = 100_000
    /// The maximum size of a whole URL.
    package static let urlBytes = 16 << 20
    /// The maximum size of the route table.
    package static let tableBytes = 64 << 20
    /// The maximum number of header fields of one request.
    package static let headerFields = 1000
    /// The maximum number of resources and operations of one router.
    package static let operations = 1 << 20
    /// The maximum number of different servers that a URL is compared with.
    package static let matchedServers = 1000
    /// The maximum size of a response body, unless an option sets another one.
    package static let responseBytes = 64 << 20
    /// The maximum size of all headers of a response.
    package static let responseHeaderBytes = 1 << 20
    /// The maximum size of all compiled patterns of a document or a schema.
    package static let patternBytes = 64 << 20
    /// The maximum size of a value that a pattern is matched against.
    package static let patternSubjectBytes = 64 << 10
}
