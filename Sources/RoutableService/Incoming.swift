// A request as a server has received it, and the options for reading it.

package import RoutableCore

/// A request as a server has received it.
package struct Incoming {
    package var method: Bytes
    /// The path with the query, or an absolute URL.
    package var target: Bytes
    package var headers: [HeaderField]
    package var body: Bytes

    package init(method: Bytes, target: Bytes, headers: [HeaderField], body: Bytes) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// The options for reading requests.
package struct ReceiveOptions {
    /// The path in front of the paths of the API; nil for the path of the description's base.
    package var basePath: Bytes?
    /// The base path as the program passed it.
    package var basePathText: Text?
    package var maximumErrors = 16
    package var maximumBodyBytes = Limits.responseBytes
    /// Whether query parameters that the call cannot hold are errors.
    package var refusesUndeclared = false
    /// Whether a request without the required credentials is refused.
    package var requiresCredentials = false
    /// Verifies the credential of a scheme; returns false for a credential that is not good.
    package var verify: Verification?

    package typealias Verification = (_ scheme: Bytes, _ credential: Bytes) throws(Failure) -> Bool

    package static let errorLimit = Limits.errors

    package init() {}
}

/// The HTTP status with which a request is refused.
enum RefusalStatus {
    static let malformed: Int32 = 400
    static let unauthorized: Int32 = 401
    static let notFound: Int32 = 404
    static let methodNotAllowed: Int32 = 405
    static let contentTooLarge: Int32 = 413
    static let unsupportedMediaType: Int32 = 415
    static let unprocessable: Int32 = 422
}

/// The reasons for refusing one request, in the order of its parts.
struct Refusals {
    private(set) var list: [Failure] = []

    var isEmpty: Bool { list.isEmpty }

    /// Adds a failure and its chain for a part of the call.
    ///
    /// - Throws: failures that the request did not cause: `memory`, `unsupported`, `document`, `internal`.
    mutating func add(_ failure: Failure, _ httpStatus: Int32 = RefusalStatus.unprocessable) throws(Failure) {
        switch failure.status {
        case .memory, .unsupported, .document, .internal, .argument: throw failure
        default: break
        }
        for one in failure.chain {
            let status =
                one.status == .limit
                ? RefusalStatus.contentTooLarge
                : one.status == .json || one.status == .header ? RefusalStatus.malformed : httpStatus
            list.append(
                one.with {
                    $0.httpStatus = status
                    $0.next = nil
                })
        }
    }

    /// The failures as a chain, at most `maximum`; nil if there are none.
    func chain(_ maximum: Int, route: Bytes, operation: Bytes) -> Failure? {
        Failure.chained(list.prefix(max(maximum, 1)).map { $0.about(route: route, operation: operation) })
    }
}
