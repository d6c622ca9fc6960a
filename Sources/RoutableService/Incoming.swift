// A request as a server has received it, and the options of reading it.

package import RoutableCore

/// A request as it came.
package struct Incoming {
    package var method: Bytes
    /// The path with the query, or a whole URL.
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

/// How requests are read.
package struct ReceiveOptions {
    /// The path in front of the paths of the API; nil for that of the description.
    package var basePath: Bytes?
    /// As the program wrote it.
    package var basePathText: Text?
    package var maximumErrors = 16
    package var maximumBodyBytes = Limits.responseBytes
    /// Whether query parameters that the call cannot hold are errors.
    package var refusesUndeclared = false
    /// Whether the credentials that the operation requires must be there.
    package var requiresCredentials = false
    /// Verifies a credential by the name of its scheme; false for one that is not good.
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

/// The reasons for which one request is refused, in the order of its parts.
struct Refusals {
    private(set) var list: [Failure] = []

    var isEmpty: Bool { list.isEmpty }

    /// Adds a failure and those that follow it, at a place of the call.
    ///
    /// - Throws: what is not the fault of the request: `memory`, `unsupported`, `document`, `internal`.
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

    /// The failures up to the maximum, chained; nil if there are none.
    func chain(_ maximum: Int, route: Bytes, operation: Bytes) -> Failure? {
        Failure.chained(list.prefix(max(maximum, 1)).map { $0.about(route: route, operation: operation) })
    }
}
