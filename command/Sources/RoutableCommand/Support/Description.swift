// The description of a subcommand: a file, or standard input.

#if Command
import ArgumentParser
import RoutableCore

/// The arguments of all subcommands with a description.
struct DescriptionWords: ParsableArguments {
    @Argument(help: "A route document or an OpenAPI document, as JSON or YAML; - is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Used instead of the base that the description names.", valueName: "url"))
    var base: String?

    @Flag(help: "Print JSON, errors too.")
    var json = false

    func router() throws -> Router { try SourceText(file).router(base: base.map { Bytes($0) }) }
}
#endif
