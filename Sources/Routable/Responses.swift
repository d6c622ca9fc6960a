// Requests and responses as programs write them: text in, text out.

public import Foundation
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

extension HeaderBlock {
    /// The value of the first header with this name, whose case is ignored; nil if there is none.
    public subscript(_ name: String) -> String? { value(of: Bytes(name))?.string }
}

extension Request {
    /// Replaces all headers with this name, or adds one.
    ///
    /// - Throws: `header` for a name or a value that HTTP does not allow.
    public func setHeader(_ name: String, _ value: String) throws(Failure) { try setHeader(Bytes(name), Bytes(value)) }

    /// Sets the body, which is sent unchanged.  If `contentType` is nil, the Content-Type header does not change.
    public func setBody(_ body: String, contentType: String?) throws(Failure) {
        try setBody(Bytes(body), contentType: contentType.map { Bytes($0) })
    }
}

extension HeaderField {
    /// Creates a header.  Its name and its value are checked when it is added to a request.
    public init(_ name: String, _ value: String) { self.init(Bytes(name), Bytes(value)) }
}
