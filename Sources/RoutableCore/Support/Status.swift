// The statuses of routable.h.

/// A status.  The raw values are those of `routable_status` in the header, and are never reused.
public enum Status: Int32, Sendable, CaseIterable {
    case ok = 0
    case noMatch = 1
    case methodNotAllowed = 2
    case pending = 3
    case cancelled = 4
    case idle = 5
    case interrupted = 6
    case argument = 16
    case buffer = 17
    case json = 18
    case document = 19
    case conflict = 20
    case unsupported = 21
    case unknown = 22
    case notAllowed = 23
    case id = 24
    case value = 25
    case shadowed = 26
    case parameter = 27
    case body = 28
    case url = 29
    case header = 30
    case limit = 31
    case file = 32
    case noCurl = 33
    case transfer = 34
    case timeout = 35
    case tls = 36
    case httpStatus = 37
    case response = 38
    case credential = 39
    case `internal` = 40
    case callback = 41
    case excessiveRefresh = 42
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
