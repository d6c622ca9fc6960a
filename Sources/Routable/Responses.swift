// Requests and responses with strings instead of bytes.

public import Foundation
public import RoutableClient
public import RoutableCore

extension Response {
    /// Creates a response that does not come from the service, for example in a middleware.
    public convenience init(status: Int = 200, headers: [HeaderField] = [], body: String = "") {
        self.init(
            status: Int32(clamping: status), headers: headers, body: Bytes(body), outcome: body.isEmpty ? .empty : .raw,
            typeName: "", url: "")
    }

    /// The body as bytes.
    public var data: Data { Data(body.buffer) }

    /// The body as text.  Bytes that are not UTF-8 become U+FFFD; `decoded(as: String.self)` rejects them.
    public var text: String { body.bytes.string }
}

extension Deviation: CustomStringConvertible {
    /// The position, unless it is the whole body, and the reason.
    public var description: String {
        pointer.isEmpty ? message.bytes.string : "\(pointer.bytes.string): \(message.bytes.string)"
    }
}

extension HeaderBlock {
    /// The value of the first header with this name, whose case is ignored; nil if there is none.
    public subscript(_ name: String) -> String? { value(of: Bytes(name))?.string }
}

extension Request {
    /// Replaces all headers with this name, or adds one.
    ///
    /// - Throws: `header` for a name or a value that HTTP does not allow.
    public func setHeader(_ name: String, _ value: String) throws(Failure) { try setHeader(Bytes(name), Bytes(value)) }

    /// Removes all headers with this name, if any.
    public func removeHeader(_ name: String) { removeHeader(Bytes(name)) }

    /// Sets the body, which is sent unchanged.  If `contentType` is nil, the Content-Type header does not change.
    public func setBody(_ body: String, contentType: String?) throws(Failure) {
        try setBody(Bytes(body), contentType: contentType.map { Bytes($0) })
    }

    /// Sets bytes as the body, which is sent unchanged.  If `contentType` is nil, the Content-Type header does not change.
    public func setBody(_ body: Bytes, contentType: String?) throws(Failure) {
        try setBody(body, contentType: contentType.map { Bytes($0) })
    }

    /// Sets bytes, such as `Data` or `[UInt8]`, as the body, which is sent unchanged.  If `contentType` is nil, the Content-Type header
    /// does not change.
    @_disfavoredOverload
    public func setBody(_ body: some Sequence<UInt8>, contentType: String?) throws(Failure) {
        try setBody(Bytes([UInt8](body)), contentType: contentType.map { Bytes($0) })
    }

    /// Makes the request conditional on the resource being unchanged: `If-Match` with the ETag, or `If-Unmodified-Since` with the
    /// Last-Modified date if there is no ETag.
    ///
    /// - Throws: `value` if there is neither, and for a weak ETag, which `If-Match` never matches.
    public func ifMatch(_ tag: String, modified: String = "") throws(Failure) { try ifMatch(Bytes(tag), Bytes(modified)) }

    /// Makes the request conditional on the resource being changed: `If-None-Match` with the ETag, weak or strong, or
    /// `If-Modified-Since`. If the resource is unchanged, the service responds with 304.
    ///
    /// - Throws: `value` if there is neither.
    public func ifNoneMatch(_ tag: String, modified: String = "") throws(Failure) {
        try ifNoneMatch(Bytes(tag), Bytes(modified))
    }
}

extension HeaderField {
    /// Creates a header.  Its name and its value are checked when it is added to a request.
    public init(_ name: String, _ value: String) { self.init(Bytes(name), Bytes(value)) }
}

extension Failure {
    /// Creates a failure with a reason and a sentence, for example in a transport or a middleware.
    // Disfavored, so that a literal is stored as bytes if possible.
    @_disfavoredOverload
    public init(_ status: Status, _ message: String) { self.init(status, Bytes(message)) }
}

extension Router {
    /// Validates JSON against the schema of the body of an operation.  The route is dotted, and empty for a standalone operation.
    /// The content type selects one of several declared bodies; nil selects the preferred one.
    ///
    /// - Throws: `json`; `body` with the pointers into the value and into the schema, for at most `maximumErrors` values, and for a
    ///   content type that is not declared; `limit`; `unknown` for the names, and if no schema is declared; `notAllowed`.
    public func checkBody(
        _ json: String, route: String, operation: String, contentType: String? = nil, maximumErrors: Int = 1
    ) throws(Failure) {
        try checkBody(
            Bytes(json), route: Bytes(route), operation: Bytes(operation), contentType: contentType.map { Bytes($0) },
            maximumErrors: maximumErrors)
    }

    /// Validates JSON against the schema of an operation's response body for a status, which may be an error status.  Members that
    /// are `writeOnly` may be missing.
    ///
    /// - Throws: the errors of `checkBody`.
    public func checkResult(
        _ json: String, route: String, operation: String, status: Int = 200, maximumErrors: Int = 1
    ) throws(Failure) {
        try checkResult(
            Bytes(json), route: Bytes(route), operation: Bytes(operation), status: Int32(clamping: status),
            maximumErrors: maximumErrors)
    }

    /// The JSON Schema of the body of an operation.
    ///
    /// - Throws: the errors of `checkBody` for the names.
    public func bodySchema(route: String, operation: String, contentType: String? = nil) throws(Failure) -> String {
        try bodySchema(route: Bytes(route), operation: Bytes(operation), contentType: contentType.map { Bytes($0) }).string
    }

    /// The JSON Schema of the response body for a status.
    ///
    /// - Throws: the errors of `checkBody` for the names.
    public func resultSchema(route: String, operation: String, status: Int = 200) throws(Failure) -> String {
        try resultSchema(route: Bytes(route), operation: Bytes(operation), status: Int32(clamping: status)).string
    }
}

extension RequestPolicy {
    /// Adds a header with a random key to requests that do not have it, so that requests with any method can be retried.
    ///
    /// - Throws: `header` for a name that HTTP does not allow.
    public mutating func setIdempotencyHeader(_ name: String) throws(Failure) { try setIdempotencyHeader(Bytes(name)) }

    /// Replaces the client's credential of a scheme; the credential is sent even if the operation does not require the scheme.
    /// Requests that share this policy share its refreshes.
    ///
    /// - Throws: `argument` and `url` for a credential that cannot be sent.
    public mutating func setCredential(_ scheme: String, _ credential: Credential) throws(Failure) {
        try setCredential(Bytes(scheme), credential)
    }
}
