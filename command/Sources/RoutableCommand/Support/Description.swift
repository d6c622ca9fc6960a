// The description that a subcommand is about: a file, or standard input.

#if Command
import ArgumentParser
import RoutableCore

/// The words that all subcommands about a description have.
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
