// The command: its subcommands and exit statuses.

#if Command
import ArgumentParser
import Glibc
import RoutableCore

@main
struct Main {
    static func main() {
        Descriptors.secure()
        // Swift reads the arguments from /proc; without it they would seem to be empty, and the help would be printed.
        if CommandLine.arguments.isEmpty {
            let text = "routable: the command line cannot be read: /proc is not mounted\n"
            _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(Ending.usage.rawValue)
        }
        do {
            var command = try RoutableCommand.parseAsRoot()
            try command.run()
        } catch {
            end(error)
        }
        exit(Ending.done.rawValue)
    }

    /// Reports the error on standard error, as text or, if `--json` is among the arguments, as JSON.
    private static func end(_ error: any Error) -> Never {
        if let ending = error as? Ending { exit(ending.rawValue) }
        if let failure = error as? Failure { Report.end(failure) }
        if let staged = error as? Staged { Report.end(staged.failure, staged.ending, staged.source) }
        let message = RoutableCommand.fullMessage(for: error)
        if RoutableCommand.exitCode(for: error) == .success {
            // Help, the version, and completion scripts are written to standard output.
            do { try Output.write("\(Bytes(message))\n") } catch { end(error) }
            exit(Ending.done.rawValue)
        }
        if Report.wantsJSON {
            Report.say(json: Failure(.argument, Bytes(RoutableCommand.message(for: error))))
        } else {
            Output.say("\(Bytes(message))\n")
        }
        exit(Ending.usage.rawValue)
    }
}

struct RoutableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routable",
        abstract: "Prints, checks and calls HTTP APIs that are described by a document.",
        discussion: """
            FILE contains a description: a route document or an OpenAPI document; - is standard input. Data is written to \
            standard output, and everything else to standard error.

            EXIT STATUS
              0  success
              1  nothing matches, or a check found problems
              2  the arguments or options are not valid
              3  a file cannot be read or written
              4  the description is rejected
              5  the call is rejected, or a credential is missing; nothing was sent
              6  no response: the transfer failed; or a library is not installed
              7  no response before the deadline
              8  the service responded with an error status
              9  the response deviates (--deviations raise), or is too large
            """,
        version: "routable \(Version.text)",
        subcommands: [
            MapCommand.self, RoutesCommand.self, BuildCommand.self, SendCommand.self, MatchCommand.self,
            CheckCommand.self, BundleCommand.self, ImportCommand.self, ExportCommand.self, GenerateCommand.self,
            ValuesCommand.self, ToolsCommand.self, CoverageCommand.self, LoginCommand.self, ServeCommand.self,
        ]
    )
}
#else
import Glibc

@main
struct Main {
    static func main() {
        let text =
            "this program is built without the trait Command of the package: `make command` builds the command; for the build plugin, "
            + "depend on Routable with traits: [\"Command\"]\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(2)
    }
}
#endif
