// The description of a subcommand: a file or standard input, and the options for opening it.

#if Command
import ArgumentParser
import RoutableCore

extension Terminal.Choice: ExpressibleByArgument {}

/// The arguments of all subcommands with a description.
struct DescriptionWords: ParsableArguments {
    @Argument(help: "A route document or an OpenAPI document, in JSON or YAML; - is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Replaces the base of the description.", valueName: "url"))
    var base: String?

    @Option(
        help: ArgumentHelp(
            "References may lead to all files below this folder. The default is the folder of the document.",
            valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Option(
        name: .customLong("overlay"),
        help: ArgumentHelp(
            "An OpenAPI Overlay to apply to the document. Several overlays are applied in the order of the options.",
            valueName: "file"),
        completion: .file())
    var overlays: [String] = []

    @Option(
        help: ArgumentHelp(
            "Include only this operation, by its name or as RESOURCE.OPERATION. May be repeated.", valueName: "operation"),
        completion: .custom(Completion.selections))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("Include all operations except this one. May be repeated.", valueName: "operation"),
        completion: .custom(Completion.selections))
    var except: [String] = []

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Whether output has colors and indented JSON: auto (on a terminal, unless NO_COLOR is set), always or never (no colors).",
            valueName: "when"))
    var color = Terminal.Choice.auto

    func validate() throws {
        // An invalid base is reported as an error of the argument, not of the document's line that it replaces.
        if let base {
            do { _ = try Base(Bytes(base)) } catch { throw ValidationError("--base: \(error.message.string)") }
        }
        if !only.isEmpty && !except.isEmpty { throw ValidationError("--only and --except cannot be combined") }
    }

    /// The document, opened with the options of the other arguments.
    func source() throws -> SourceText {
        let opening = try Opening(
            base: base.map { Bytes($0) }, folder: folder.map { Bytes($0) },
            overlays: try overlays.map { try SourceText($0, followsFiles: false) }, only: only.map { Bytes($0) },
            except: except.map { Bytes($0) })
        return try SourceText(file, opening)
    }

    func router() throws -> Router { try source().router() }
}
#endif
