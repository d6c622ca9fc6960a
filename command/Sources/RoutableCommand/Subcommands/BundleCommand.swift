// `routable bundle`: writes one OpenAPI document that contains the files that it refers to.

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
        // A document is only written if it can be opened.
        _ = try source.router()
        if let bundle = source.bundle {
            for name in bundle.names {
                let from: Bytes = "\(name.file)\(name.pointer.isEmpty ? "" : "#\(name.pointer)")"
                Output.say("routable: bundled: \(Terminal.remarks.shown("\(name.reference) from \(from)"))\n")
            }
            for warning in bundle.warnings { Output.say("routable: warning: \(Terminal.remarks.shown(warning))\n") }
        }
        try output.write(Self.spaced(source.json, isCompact: output.compact))
    }

    /// The JSON with other white space between its tokens; the tokens are unchanged, so that numbers keep their digits.
    private static func spaced(_ json: Bytes, isCompact: Bool) -> Bytes {
        var result: [UInt8] = []
        result.reserveCapacity(json.count * (isCompact ? 1 : 2))
        var (depth, isInString, isEscaped) = (0, false, false)
        func newLine() {
            if isCompact { return }
            result.append(0x0A)
            result.append(contentsOf: repeatElement(0x20, count: 2 * depth))
        }
        for byte in json.storage {
            if isInString {
                result.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            let isAfterOpening = result.last == UInt8(ascii: "{") || result.last == UInt8(ascii: "[")
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isAfterOpening { newLine() }
            default: if isAfterOpening { newLine() }
            }
            result.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ","): newLine()
            case UInt8(ascii: ":"): if !isCompact { result.append(0x20) }
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
        }
        return Bytes(result)
    }
}
#endif
