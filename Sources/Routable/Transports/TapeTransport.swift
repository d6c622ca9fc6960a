// Recorded responses, for tests of programs (docs/tape.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableMock

/// Records the exchanges of clients in a file, and replays them: a transport around a transport.
///
///     let tape = try TapeTransport.of(Social.self, "user.har", over: try EngineTransport.make())
///     let client = Client(transport: tape)
///     try await client.perform(Social.user("ann").read())
///     try tape.finish()
///
/// The key of an exchange is its call: the operation, ids, query and body.  The nth equal call gets the nth recorded response.  Secrets
/// that the description declares are removed before the file is written.
public final class TapeTransport: Transport {
    /// The mode of a tape: whether it records or replays exchanges.
    public enum Mode: String, Sendable, CaseIterable {
        /// Replays the exchanges on the tape, and records all others.  The same as `replay` if the environment variable CI is set.
        case auto
        /// Records all exchanges, and replaces the file.
        case record
        /// Replays the exchanges on the tape; any other request fails.
        case replay
        /// Replays, and validates all requests and responses of the tape against the description when it is opened.
        case check
    }

    let tape: Tape
    /// The transport that replies to requests that are recorded; nil for libcurl with the options of a default `EngineTransport`.
    public let over: (any Transport)?

    /// Opens the tape of a declared API.
    ///
    /// - Parameters:
    ///   - over: The transport that replies to requests that are recorded; nil for libcurl.
    ///   - names: Names of further secrets: of headers, parameters, cookies, and members of forms and JSON bodies.
    ///   - secrets: Values that are removed wherever they occur.
    ///   - allowsUnused: Whether `finish` accepts entries that no request has used.
    /// - Throws: the failures of opening the API; `file`, `json`, `limit`; `document` for a file that is not a tape, and for an entry
    ///   that the description no longer allows.
    public static func of(
        _ api: any API.Type, _ path: String, mode: Mode = .auto, over: (any Transport)? = nil, redacting names: [String] = [],
        secrets: [String] = [], allowsUnused: Bool = false
    ) throws(Failure) -> TapeTransport {
        try open(try OpenedAPIs.planned(api), path, mode, over, names, secrets, allowsUnused)
    }

    /// Opens the tape of a description.
    public static func of(
        _ router: APIRouter, _ path: String, mode: Mode = .auto, over: (any Transport)? = nil, redacting names: [String] = [],
        secrets: [String] = [], allowsUnused: Bool = false
    ) throws(Failure) -> TapeTransport {
        try open(PlannedRouter(router), path, mode, over, names, secrets, allowsUnused)
    }

    private static func open(
        _ router: PlannedRouter, _ path: String, _ mode: Mode, _ over: (any Transport)?, _ names: [String], _ secrets: [String],
        _ allowsUnused: Bool
    ) throws(Failure) -> TapeTransport {
        var options = TapeOptions()
        options.mode =
            switch mode {
            case .auto: .auto
            case .record: .record
            case .replay: .replay
            case .check: .check
            }
        options.names = names.map { Bytes($0) }
        options.secrets = secrets.map { Bytes($0) }
        options.allowsUnused = allowsUnused
        return TapeTransport(try Tape.open(router, Bytes(path), options), over)
    }

    private init(_ tape: Tape, _ over: (any Transport)?) {
        self.tape = tape
        self.over = over
    }

    /// Writes the recorded exchanges, atomically and with mode 0600.  Without this call, nothing is saved.
    ///
    /// - Throws: `file` if the file cannot be written; `callback` if the tape had no exchange for a request, or if an entry was not
    ///   used.
    public func finish() throws(Failure) { try tape.finish() }

    /// Replies to a request.  A `Client` does not call this function, but uses the tape directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "a tape can only be the transport of a Client")
    }
}
