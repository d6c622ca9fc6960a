// The description that a subcommand is about: a file, or standard input.

import ArgumentParser
import Glibc
import RoutableCore
import RoutableJSON

/// The words that all subcommands about a description have.
struct DescriptionWords: ParsableArguments {
    @Argument(help: "A route document or an OpenAPI document; - is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Used instead of the base that the description names.", valueName: "url"))
    var base: String?

    @Flag(help: "Print JSON, errors too.")
    var json = false

    func router() throws -> Router { try Description(self).router }
}

/// A description with its text.
struct Description {
    let name: Bytes
    let text: Bytes
    let router: Router

    init(_ words: DescriptionWords) throws {
        name = words.file == "-" ? "<stdin>" : Bytes(words.file)
        let text = try File.read(words.file, limit: Limits.documentBytes)
        self.text = text
        do throws(Failure) {
            router = try text.withBuffer { (buffer) throws(Failure) in
                try Self.open(buffer, base: words.base.map { Bytes($0) })
            }
        } catch { throw Staged(failure: error, ending: .description) }
    }

    private static func open(_ text: UnsafeRawBufferPointer, base: Bytes?) throws(Failure) -> Router {
        if OpenAPIDocument.recognises(text) {
            var choices = OpenAPIDocument.Choices()
            choices.base = base
            let read = try OpenAPIDocument.read(text, choices)
            return try Router.open(read.description, codec: read.codec)
        }
        do throws(Failure) {
            var description = try RouteDocument.read(text, limit: Limits.documentBytes)
            if let base { description.base = base }
            return try Router.open(description, codec: try JSONCodec(types: description.types))
        } catch { throw RouteDocument.locate(error, in: text) }
    }
}
