// `routable import` and `routable export`: convert between OpenAPI and the route document.

#if Command
import ArgumentParser
import RoutableCore

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Converts an OpenAPI document to a route document.",
        discussion: """
            The paths become resources, as "routable map" shows them, and each schema becomes a type. An operation that a \
            resource cannot have under its name keeps its operationId. Features that a route document cannot express are \
            omitted and listed on standard error.

            EXAMPLES
              routable import openapi.yaml > api.json
              routable import openapi.json -o api.json --base https://staging.example.com
            """
    )

    @OptionGroup var description: DescriptionWords
    @OptionGroup var output: OutputWords

    @Flag(help: "Write standalone operations with their operationIds as the names, and no resources.") var flat = false

    func run() throws {
        let source = try description.source()
        guard source.isOpenAPI else {
            throw Staged(
                failure: Failure(.document, "\(source.name): the document is not OpenAPI: there is no key \"openapi\""),
                ending: .description)
        }
        var conversion: OpenAPIImport
        do throws(Failure) {
            conversion = try source.opening.withChoices { (choices) throws(Failure) in try OpenAPIImport(source.json, choices) }
        } catch {
            throw Staged(failure: error, ending: .description, source: source)
        }
        conversion.isFlat = flat
        let text = try conversion.run()
        conversion.remarks.say(description.json)
        try output.write(output.compact ? text : try Layout.text(try Value.read(text)))
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Converts a route document to an OpenAPI 3.1 document.",
        discussion: """
            Each operation of the route table becomes an operation with the operationId ROUTE#OPERATION, or with the name of \
            a standalone operation. The subcommands build and send accept these names. Features that OpenAPI cannot express \
            are omitted and listed on standard error.

            EXAMPLES
              routable export social.json > openapi.json
              routable export social.json | routable build - 'user.status#create' ann
            """
    )

    @OptionGroup var description: DescriptionWords
    @OptionGroup var output: OutputWords

    func run() throws {
        let source = try description.source()
        if source.isOpenAPI {
            throw Staged(
                failure: Failure(.document, "\(source.name): the document is OpenAPI already"), ending: .description)
        }
        var conversion = OpenAPIExport(try source.router())
        let value = try conversion.run()
        conversion.remarks.say(description.json)
        try output.write(output.compact ? try value.json : try Layout.text(value))
    }
}

/// The destination of a document.
struct OutputWords: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Write one line without white space.") var compact = false

    func write(_ text: Bytes) throws(Failure) {
        let text = text.hasSuffix("\n") ? text : "\(text)\n"
        guard let output, output != "-" else { return try Output.write(text) }
        try File.write(text.storage.isEmpty ? Bytes() : text, to: output)
    }
}
#endif
