// The exit statuses (docs/command.md).

import RoutableCore

/// Thrown to exit without another message.
enum Ending: Int32, Error {
    case done = 0
    case no = 1
    case usage = 2
    case file = 3
    case description = 4
    case call = 5
    case transfer = 6
    case timeout = 7
    case service = 8
    case answer = 9

    /// The exit status for a failure with this status.
    init(_ status: Status) {
        self =
            switch status {
            case .ok: .done
            case .noMatch, .methodNotAllowed: .no
            case .argument, .buffer, .callback: .usage
            case .file: .file
            case .json, .document, .conflict, .unsupported: .description
            case .unknown, .notAllowed, .id, .value, .shadowed, .parameter, .body, .url, .header, .limit: .call
            case .timeout: .timeout
            case .httpStatus: .service
            case .response: .answer
            case .pending, .cancelled, .idle, .interrupted, .noCurl, .transfer, .tls, .credential, .excessiveRefresh, .internal,
                .memory:
                .transfer
            }
    }
}

/// A failure with another exit status than that of its own status.
struct Staged: Error {
    let failure: Failure
    let ending: Ending
    /// The document that contains the position of the failure.
    var source: SourceText?
}
