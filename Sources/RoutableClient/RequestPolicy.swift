// The overrides of one request, combined with the policy of its operation.

public import RoutableCore
internal import RoutablePerform

/// Per-request overrides of a client's options; nil keeps the client's value.
///
/// A value given here wins over the rules that the description states for the operation, which win over the client's.
public struct RequestPolicy: Sendable {
    /// Over all attempts; negative for none.
    public var deadlineMilliseconds: Int64?
    /// The largest response, after content decoding.
    public var maximumResponseBytes: Int?
    /// The number of redirects that are followed.
    public var maximumRedirects: Int?
    /// Whether redirects are followed.
    public var followsRedirects: Bool?
    /// The number of retries.
    public var retries: Int?
    /// Without a byte for so long an attempt ends; negative for any time.
    public var stallTimeoutMilliseconds: Int64?
    /// The wait before the first retry, which doubles for each further one.
    public var retryDelayMilliseconds: Int64?
    /// Whether the credentials of the client are sent.
    public var sendsCredentials = true
    /// Whether a transfer without a callback enters the client's queue when it has ended.
    public var isQueued = true
    /// Whether the parts of the transfer are timed.
    public var takesTimes = false
    /// Whether a body that is not what the operation declares is a failure, `response`.
    public var checksBodies: Bool?
    /// Whether a response keeps the parsed body until it is read (`routable_response_json_value`).
    package var keepsDocuments = false
    /// Replaces the client's credential of its scheme.
    private(set) var credential: StoredCredential?

    /// Carries a random key, one for all attempts; replaces the header that the description names.
    private(set) var idempotencyHeader: Bytes?

    /// Overrides nothing.
    public init() {}

    /// Sends a random key in a header, unless the request has it, so that the request may be retried.
    public mutating func setIdempotencyHeader(_ name: Bytes) throws(Failure) {
        if !HeaderField.isValidName(name) {
            throw Failure(.header, "the name of the idempotency header, \"\(name.printable)\", is not a valid header name")
        }
        idempotencyHeader = name
    }

    /// Replaces the client's credential of a scheme.  Requests that share this policy share its refreshes.
    public mutating func setCredential(_ scheme: Bytes, _ credential: Credential) throws(Failure) {
        try credential.validate(scheme)
        self.credential = StoredCredential(scheme, credential)
    }

    /// Completed by the rules of the request's operation; nil when nothing is overridden.
    static func of(_ request: Request, _ given: RequestPolicy?) -> RequestPolicy? {
        guard let rules = request.plan.operation.rules else { return given }
        var policy = given ?? RequestPolicy()
        policy.complete(by: rules)
        return policy
    }

    /// A stream whose service has gone would otherwise wait for ever.
    private static let streamStallMilliseconds: Int64 = 120_000

    /// The same for a body that is read piece by piece: without a deadline unless one is given.
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
