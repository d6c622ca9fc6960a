// `routable bundle`: one OpenAPI document of the files that its references lead to.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Writes one OpenAPI document of all its files.",
        discussion: """
            Schemas, parameters, responses and other components of other files become components of the document, each once; \
            what has no place among the components, such as a path item, is copied to the place of its reference. The names of \
            the components that come from other files are listed on standard error. The output is the same on every run, and \
            is JSON also for a document in YAML.

            EXAMPLES
              routable bundle api/openapi.yaml > openapi.json
              routable bundle api/openapi.yaml --folder . -o openapi.json --compact
            """
    )

    @OptionGroup var description: DescriptionWords
    @OptionGroup var output: OutputWords

    func run() throws {
        let source = try description.source()
        guard source.isOpenAPI else {
            throw Staged(
                failure: Failure(.document, "\(source.name): the document is not OpenAPI: there is no key \"openapi\""),
                ending: .description)
        }
        // A document that cannot be opened is not written.
        _ = try source.router()
        if let bundle = source.bundle {
            for name in bundle.names {
                let from: Bytes = "\(name.file)\(name.pointer.isEmpty ? "" : "#\(name.pointer)")"
                Output.say("routable: bundled: \(Terminal.remarks.shown("\(name.reference) from \(from)"))\n")
            }
            for warning in bundle.warnings { Output.say("routable: warning: \(Terminal.remarks.shown(warning))\n") }
        }
        try output.write(output.compact ? source.json : try Layout.text(try Value.read(source.json)))
    }
}
#endif
