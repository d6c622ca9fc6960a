// The overrides of one request, combined with the policy of its operation.

public import RoutableCore
internal import RoutablePerform

/// Per-request overrides of a client's options; nil keeps the client's value.
///
/// A value of this policy overrides the policy that the description declares for the operation, which overrides the client's
/// options.
public struct RequestPolicy: Sendable {
    /// The deadline for all attempts; negative for no deadline.
    public var deadlineMilliseconds: Int64?
    /// The maximum size of a response body in bytes, after content decoding.
    public var maximumResponseBytes: Int?
    /// The maximum number of redirects.
    public var maximumRedirects: Int?
    /// Whether redirects are followed.
    public var followsRedirects: Bool?
    /// The maximum number of retries.
    public var retries: Int?
    /// The maximum time without a byte sent or received, rounded up to whole seconds; negative for no limit.
    public var stallTimeoutMilliseconds: Int64?
    /// The delay before the first retry, which doubles with each further retry.
    public var retryDelayMilliseconds: Int64?
    /// Whether the credentials of the client are sent.
    public var sendsCredentials = true
    /// Whether a completed transfer without a callback enters the queue of the client.
    public var isQueued = true
    /// Whether the phases of the transfer are measured.
    public var takesTimes = false
    /// What happens with a response that deviates from its description.
    public var deviations: DeviationPolicy?
    /// Whether a response with a status that is not a success is returned; otherwise it is a failure, `httpStatus`.
    public var takesEveryStatus = false
    /// Whether a response keeps the parsed body until it is read (`routable_response_json_value`).
    package var keepsDocuments = false
    /// Replaces the client's credential of its scheme.
    private(set) var credential: StoredCredential?

    /// The header for a random key, which is the same for all attempts; overrides the header of the description.
    private(set) var idempotencyHeader: Bytes?

    /// Creates a policy that overrides nothing.
    public init() {}

    /// Adds a header with a random key to requests that do not have it, so that requests with any method can be retried.
    package mutating func setIdempotencyHeader(_ name: Bytes) throws(Failure) {
        if !HeaderField.isValidName(name) {
            throw Failure(.header, "the name of the idempotency header, \"\(name.printable)\", is not a valid header name")
        }
        idempotencyHeader = name
    }

    /// Replaces the client's credential of a scheme; the credential is sent even if the operation does not require the scheme.
    /// Requests that share this policy share its refreshes.
    ///
    /// - Parameter router: The description that declares the scheme; nil for the description of the first request with this policy.
    package mutating func setCredential(
        _ scheme: Bytes, _ credential: Credential, of router: Router? = nil
    ) throws(Failure) {
        try credential.validate(scheme)
        self.credential = StoredCredential(scheme, credential, of: CredentialOwner(router))
    }

    /// Binds the credential to the description of this request, because a middleware may replace it by a request of another description.
    package func bind(to request: Request) {
        if !request.isElsewhere { credential?.owner.name(request.plan.router) }
    }

    /// The policy completed by the rules of the request's operation; nil if nothing is overridden.
    static func of(_ request: Request, _ given: RequestPolicy?) -> RequestPolicy? {
        guard let rules = request.plan.operation.rules else { return given }
        var policy = given ?? RequestPolicy()
        policy.complete(by: rules)
        return policy
    }

    /// The default stall timeout of a stream, which has no deadline and would otherwise never end if the connection is lost.
    private static let streamStallMilliseconds: Int64 = 120_000

    /// The same for a body that is read in parts: without a deadline unless one is set.
    static func ofStream(_ request: Request, _ given: RequestPolicy?, _ options: ClientOptions) -> RequestPolicy {
        var policy = given ?? RequestPolicy()
        if policy.stallTimeoutMilliseconds == nil && options.stallTimeoutMilliseconds == 0 {
            policy.stallTimeoutMilliseconds = streamStallMilliseconds
        }
        if policy.deadlineMilliseconds == nil { policy.deadlineMilliseconds = -1 }
        policy.isQueued = false
        if let rules = request.plan.operation.rules { policy.complete(by: rules) }
        return policy
    }

    @inline(never) private mutating func complete(by rules: OperationRules) {
        if deadlineMilliseconds == nil && rules.deadlineMilliseconds > 0 { deadlineMilliseconds = rules.deadlineMilliseconds }
        if retries == nil && rules.retries >= 0 { retries = rules.retries }
        if retryDelayMilliseconds == nil && rules.retryDelayMilliseconds >= 0 {
            retryDelayMilliseconds = rules.retryDelayMilliseconds
        }
    }

    func applied(to policy: TransferPolicy) -> TransferPolicy {
        var policy = policy
        if let deadlineMilliseconds { policy.deadlineMilliseconds = min(deadlineMilliseconds, Int64(Int32.max)) }
        if takesTimes { policy.isTimed = true }
        var rules = policy.rules
        if let maximumResponseBytes {
            rules.bodyBytes = max(1, maximumResponseBytes)
            rules.streamBytes = rules.bodyBytes
        }
        if let maximumRedirects { rules.redirects = max(0, maximumRedirects) }
        if let followsRedirects { rules.followsRedirects = followsRedirects }
        if let retries { rules.retry.limit = retries }
        if let stallTimeoutMilliseconds { rules.stallMilliseconds = max(0, stallTimeoutMilliseconds) }
        if let retryDelayMilliseconds { rules.retry.delayMilliseconds = retryDelayMilliseconds }
        rules.retry = rules.retry.checked
        policy.rules = rules
        return policy
    }
}
