// The error with which a handler refuses a request.

public import RoutableCore

/// Thrown by a handler: the request is answered with this status and a problem document with this detail.
///
///     throw Refusal(404, "there is no such note")
public struct Refusal: Error, Sendable {
    /// The HTTP status, from 400 to 599.
    public let status: Int
    /// One sentence for the client; empty for none.
    public let detail: String
    /// Further headers of the response.
    public let headers: [HeaderField]
    /// The failure of reading a value of the request; its problem document contains the position of the value.
    let failure: Failure?

    /// Creates a refusal.  A status that is not from 400 to 599 is answered with 500.
    public init(_ status: Int, _ detail: String = "", headers: [HeaderField] = []) {
        self.status = status
        self.detail = detail
        self.headers = headers
        failure = nil
    }

    /// A value of the request does not match a type of the program.
    init(_ failure: Failure) {
        status = 422
        detail = failure.message.string
        headers = []
        self.failure = failure.with { $0.httpStatus = 422 }
    }
}

extension Refusal: CustomStringConvertible {
    /// The status and the detail.
    public var description: String { detail.isEmpty ? "\(status)" : "\(status): \(detail)" }
}
