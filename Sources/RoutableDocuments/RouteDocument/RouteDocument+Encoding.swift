// Reads and writes encodings in a route document: each option by its name, and only options that differ from the default.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    private static let keys = KeyTable(
        "an encoding", FormEncoding.Option.allCases.map { $0.name } + ["first_index"])
    private static let parameterKeys = KeyTable(
        "the encoding of a parameter", FormEncoding.parameterOptions.map { $0.name } + ["first_index"])

    /// The encoding of undeclared parameters, or of a declared query parameter.
    func encoding(_ node: Node, ofParameter: Bool = false) throws(Failure) -> FormEncoding {
        _ = try node.object(ofParameter ? Self.parameterKeys : Self.keys)
        var result = FormEncoding()
        for option in FormEncoding.Option.allCases {
            guard let member = node.member(option.name) else { continue }
            let word = try member.text(option.name)
            do { try result.choose(option, word) } catch { throw error.at(member.pointer) }
        }
        if let member = node.member("first_index") {
            result.firstIndex = try member.integer("\"first_index\"", FormEncoding.firstIndexes)
        }
        return result
    }
}

extension RouteDocumentWriter {
    mutating func encoding(_ encoding: FormEncoding) {
        writer.key("encoding")
        writer.open("{")
        for option in FormEncoding.Option.allCases where encoding.choice(option) != 0 {
            writer.key(option.name)
            writer.string(encoding.word(option))
        }
        if encoding.firstIndex != 0 { writer.member("first_index", encoding.firstIndex) }
        writer.close("}")
    }
}
