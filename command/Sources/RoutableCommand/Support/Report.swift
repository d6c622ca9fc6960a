// Formats the messages of a failure.

import Glibc
import RoutableCore
import RoutableDocuments

enum Report {
    /// Whether `--json` stands among the words: asked where they could not be read.
    static var wantsJSON: Bool {
        CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")
    }

    static func end(_ failure: Failure, _ ending: Ending? = nil, _ source: SourceText? = nil) -> Never {
        if wantsJSON {
            say(json: source?.placed(failure) ?? failure)
        } else if let source {
            Output.say("routable: \(source.text(failure, kind: "error", .remarks))")
        } else {
            // A message may have several lines.
            let lines = text(failure).split(on: 0x0A).map { Terminal.remarks.shown($0) }
            Output.say("routable: \(lines.joined(by: "\n"))\n")
        }
        // The service has responded to a token request.
        let isRefused = failure.status == .credential && failure.fields.httpStatus > 0
        exit((ending ?? (isRefused ? .service : Ending(failure.status))).rawValue)
    }

    static func say(json failure: Failure) { Output.say("\(MessageDocument.failure(failure))\n") }

    /// One line: the place, where one is known, and what is wrong.
    static func text(_ failure: Failure) -> Bytes {
        let fields = failure.fields
        if fields.line > 0 { return "\(fields.line):\(fields.column): \(fields.message)" }
        return fields.message
    }
}
