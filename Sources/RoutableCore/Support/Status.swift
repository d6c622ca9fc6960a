// The statuses of routable.h.

/// A status.  The raw values are those of `routable_status` in the header, and are never reused.
public enum Status: Int32, Sendable, CaseIterable {
    /// The call succeeded.
    case ok = 0
    /// No route matches the path.
    case noMatch = 1
    /// Routes match the path, but none has this method.
    case methodNotAllowed = 2
    /// The result is not available yet.
    case pending = 3
    /// The task or the transfer was cancelled.
    case cancelled = 4
    /// No transfers are in progress, or there are no more items or pages.
    case idle = 5
    /// A signal or an interruption ended the wait.
    case interrupted = 6
    /// An argument is not valid.
    case argument = 16
    /// The buffer is too small.
    case buffer = 17
    /// The input is not valid JSON.
    case json = 18
    /// A document, a schema, a call in JSON or a template is not valid.
    case document = 19
    /// Two operations match the same requests, or a name is already used.
    case conflict = 20
    /// This version does not implement a required feature.
    case unsupported = 21
    /// No resource, route, standalone operation, type, presenter or credential has this name, or no schema is declared.
    case unknown = 22
    /// The resource does not have this operation, or not in this route.
    case notAllowed = 23
    /// An id is missing, superfluous, ambiguous or given twice, or has an unknown name.
    case id = 24
    /// A value is not allowed.
    case value = 25
    /// The URL would match another route or none.
    case shadowed = 26
    /// A query, header or cookie parameter is missing, or a query or cookie parameter is unknown.
    case parameter = 27
    /// A body is missing, not allowed, not valid against its type, or too short, or it cannot be sent a second time.
    case body = 28
    /// A URL is missing, not valid or not allowed.
    case url = 29
    /// HTTP does not allow the name or the value of a header, or only the client can set the header.
    case header = 30
    /// A limit is exceeded.
    case limit = 31
    /// A file cannot be read or written.
    case file = 32
    /// libcurl is not installed, or is too old.
    case noCurl = 33
    /// No complete response was received, or a redirect is not allowed.
    case transfer = 34
    /// The deadline or a timeout passed.
    case timeout = 35
    /// The TLS handshake failed, or a certificate was rejected.
    case tls = 36
    /// The operation does not declare the status of the response as a success.
    case httpStatus = 37
    /// The response is not what the operation declares.
    case response = 38
    /// The client does not have a credential that the operation requires, or its refresh failed.
    case credential = 39
    /// A bug in the library.
    case `internal` = 40
    /// A callback failed.
    case callback = 41
    /// A credential was refreshed 5 times in 30 s and requires another refresh.
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
