// Formats the messages of a failure.

import Glibc
import RoutableCore
import RoutableDocuments

enum Report {
    /// Whether `--json` is among the arguments, for errors of the arguments themselves.
    static var wantsJSON: Bool {
        CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
    }

    static func end(_ failure: Failure, _ ending: Ending? = nil, _ source: SourceText? = nil) -> Never {
        if wantsJSON {
            say(json: source?.placed(failure) ?? failure)
        } else if let source {
            Output.say("routable: \(source.text(failure, kind: "error", .remarks))")
        } else {
            // A message can have several lines.
            let lines = text(failure).split(on: 0x0A).map { Terminal.remarks.shown($0) }
            Output.say("routable: \(lines.joined(by: "\n"))\n")
        }
        // The service refused a token request.
        let isRefused = failure.status == .credential && failure.fields.httpStatus > 0
        exit((ending ?? (isRefused ? .service : Ending(failure.status))).rawValue)
    }

    static func say(json failure: Failure) { Output.say("\(MessageDocument.failure(failure))\n") }

    /// One line: the position, if it is known, and the message.
    static func text(_ failure: Failure) -> Bytes {
        let fields = failure.fields
        if fields.line > 0 { return "\(fields.line):\(fields.column): \(fields.message)" }
        return fields.message
    }
}
