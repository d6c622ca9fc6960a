// The description of a subcommand: a file, or standard input, and how it is opened.

#if Command
import ArgumentParser
import RoutableCore

/// The arguments of all subcommands with a description.
struct DescriptionWords: ParsableArguments {
    @Argument(help: "A route document or an OpenAPI document, as JSON or YAML; - is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Used instead of the base that the description names.", valueName: "url"))
    var base: String?

    @Option(
        name: .customLong("overlay"),
        help: ArgumentHelp("An OpenAPI Overlay, applied when the document is opened; several are applied in this order.", valueName: "file"),
        completion: .file())
    var overlays: [String] = []

    @Option(help: ArgumentHelp("Only this operation, by its name, or RESOURCE.OPERATION; may be repeated.", valueName: "operation"))
    var only: [String] = []

    @Option(help: ArgumentHelp("All operations but this one; may be repeated.", valueName: "operation"))
    var except: [String] = []

    @Flag(help: "Print JSON, errors too.")
    var json = false

    func validate() throws {
        if !only.isEmpty && !except.isEmpty { throw ValidationError("--only and --except exclude each other") }
    }

    /// The text, with what the other words say of it.
    func source() throws -> SourceText {
        let opening = try Opening(
            base: base.map { Bytes($0) }, overlays: try overlays.map { try SourceText($0) }, only: only.map { Bytes($0) },
            except: except.map { Bytes($0) })
        return try SourceText(file, opening)
    }

    func router() throws -> Router { try source().router() }
}
#endif
