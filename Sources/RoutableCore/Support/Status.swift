// The statuses of routable.h.

/// A status.  The raw values are those of `routable_status` in the header, and are never reused.
public enum Status: Int32, Sendable, CaseIterable {
    /// No failure.
    case ok = 0
    /// No route matches the path.
    case noMatch = 1
    /// A route matches the path, but not the method.
    case methodNotAllowed = 2
    /// The time is over, and the result is not there yet.
    case pending = 3
    /// The task or the transfer was cancelled.
    case cancelled = 4
    /// No transfers are in progress, or there are no more items.
    case idle = 5
    /// A signal ended the wait.
    case interrupted = 6
    /// An argument is not allowed.
    case argument = 16
    /// The buffer is too small.
    case buffer = 17
    /// The text is not JSON.
    case json = 18
    /// The document is not valid.
    case document = 19
    /// Two operations match the same requests, or a name is already used.
    case conflict = 20
    /// The feature is not supported.
    case unsupported = 21
    /// No resource, route, operation or type has this name.
    case unknown = 22
    /// The resource does not declare this operation.
    case notAllowed = 23
    /// An id is missing, superfluous or ambiguous, or has an unknown name.
    case id = 24
    /// A value that its parameter does not allow.
    case value = 25
    /// The URL would match another route.
    case shadowed = 26
    /// A query, header or cookie parameter is missing or unknown.
    case parameter = 27
    /// A body is missing, not allowed, or not valid against its type.
    case body = 28
    /// A URL is not valid, or is missing.
    case url = 29
    /// A header is not valid.
    case header = 30
    /// A limit is exceeded.
    case limit = 31
    /// A file cannot be read or written.
    case file = 32
    /// libcurl is not installed.
    case noCurl = 33
    /// The transfer failed.
    case transfer = 34
    /// The deadline passed.
    case timeout = 35
    /// The TLS connection failed, or a certificate is not valid.
    case tls = 36
    /// The status of the response is not one of the operation's successes.
    case httpStatus = 37
    /// The response is not valid against the description.
    case response = 38
    /// The client does not have a credential that the operation requires, or its refresh failed.
    case credential = 39
    /// A fault of the library.
    case `internal` = 40
    /// A function of the program failed.
    case callback = 41
    /// A credential was refreshed 5 times in 30 s and is still rejected.
    case excessiveRefresh = 42
    /// Memory could not be allocated.
    case memory = 43

    /// The name in error JSON and in `routable_status_name`.
    public var name: StaticString {
        switch self {
        case .ok: "ok"
        case .noMatch: "no_match"
        case .methodNotAllowed: "method_not_allowed"
        case .pending: "pending"
        case .cancelled: "cancelled"
        case .idle: "idle"
        case .interrupted: "interrupted"
        case .argument: "argument"
        case .buffer: "buffer"
        case .json: "json"
        case .document: "document"
        case .conflict: "conflict"
        case .unsupported: "unsupported"
        case .unknown: "unknown"
        case .notAllowed: "not_allowed"
        case .id: "id"
        case .value: "value"
        case .shadowed: "shadowed"
        case .parameter: "parameter"
        case .body: "body"
        case .url: "url"
        case .header: "header"
        case .limit: "limit"
        case .file: "file"
        case .noCurl: "no_curl"
        case .transfer: "transfer"
        case .timeout: "timeout"
        case .tls: "tls"
        case .httpStatus: "http_status"
        case .response: "response"
        case .credential: "credential"
        case .internal: "internal"
        case .callback: "callback"
        case .excessiveRefresh: "excessive_refresh"
        case .memory: "memory"
        }
    }
}
