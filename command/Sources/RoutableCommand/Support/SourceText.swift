// The bytes of a description, and the JSON that the library reads instead of them.

import RoutableCore
import RoutableDocuments
import RoutableJSON

struct SourceText {
    /// The name of the document in messages.
    let name: Bytes
    let original: Bytes
    /// The same bytes, except for YAML and for a document with references to other files.
    let json: Bytes
    /// The files of `json`; nil if it is the original.
    private let map: SourceMap?
    let isYAML: Bool
    var opening: Opening
    /// The bundle of several files; nil for one file.
    private(set) var bundle: BundledDocument?

    /// Warnings about references to other files.
    var warnings: [Bytes] { bundle?.warnings ?? [] }

    /// - Parameter followsFiles: Whether references to other files are followed.
    /// - Throws: `Staged`, with the position in the document.
    init(_ file: String, _ opening: Opening = Opening(), followsFiles: Bool = true) throws {
        self.opening = opening
        let content = try File.read(file, limit: Limits.documentBytes)
        name = file == "-" ? "<stdin>" : Bytes(file)
        original = content
        do throws(Failure) {
            let read = try Self.read(content, file, opening, followsFiles: followsFiles)
            (json, map, bundle, isYAML) = (read.json, read.map, read.bundle, read.isYAML)
        } catch {
            json = Bytes()
            map = nil
            isYAML = Self.isYAML(content, file)
            throw Staged(failure: error, ending: .description, source: self)
        }
    }

    private static func isYAML(_ content: Bytes, _ file: String) -> Bool {
        content.storage.withUnsafeBytes { DescriptionText.isYAML($0, file == "-" ? Bytes() : Bytes(file)) }
    }

    private static func read(
        _ content: Bytes, _ file: String, _ opening: Opening, followsFiles: Bool
    ) throws(Failure) -> (json: Bytes, map: SourceMap?, bundle: BundledDocument?, isYAML: Bool) {
        let yaml = try content.withBuffer { (buffer) throws(Failure) in
            try DescriptionText.yaml(buffer, name: file == "-" ? Bytes() : Bytes(file), limit: Limits.documentBytes)
        }
        let json = yaml?.json ?? content
        return try json.withBuffer { (buffer) throws(Failure) in
            if followsFiles, OpenAPIDocument.recognises(buffer) {
                var choices = OpenAPIDocument.Choices()
                choices.places = yaml?.places
                if file != "-" { choices.source = try DocumentSource.folder(of: Bytes(file), folder: opening.folder) }
                if let bundle = try OpenAPIDocument.bundled(buffer, choices) {
                    return (bundle.json, bundle.map, bundle, yaml != nil)
                }
            }
            guard let yaml else { return (json, nil, nil, false) }
            return (json, SourceMap(document: try JSONTape.read(buffer), yaml.places), nil, true)
        }
    }

    var isSwagger: Bool { json.storage.withUnsafeBytes { OpenAPIDocument.isSwagger($0) } }
    /// Whether it is OpenAPI or Swagger; else it is a route document.
    var isOpenAPI: Bool { json.storage.withUnsafeBytes { OpenAPIDocument.recognises($0) } }

    func router() throws -> Router {
        do throws(Failure) { return try opening.open(json) } catch {
            throw Staged(failure: error, ending: .description, source: self)
        }
    }

    // MARK: Positions

    /// The position of a failure in the files; nil if it has none, or if the document is one JSON file.
    private func place(_ failure: Failure) -> SourceMap.Place? {
        guard let map, !failure.fields.isInFile else { return nil }
        if let offset = failure.fields.offset { return map.place(of: offset) }
        guard var pointer = failure.fields.pointer else { return nil }
        while true {
            let found = json.storage.withUnsafeBytes { RouteDocument.locate(failure.with { $0.pointer = pointer }, in: $0) }
            if let offset = found.fields.offset { return map.place(of: offset) }
            guard !pointer.isEmpty else { return nil }
            pointer = pointer.parentPointer
        }
    }

    /// The failure with the line and the column in the original document.
    func placed(_ failure: Failure) -> Failure {
        if let overlay = opening.overlay(of: failure) {
            return overlay.source.placed(overlay.failure).with { $0.message = failure.message }
        }
        guard let place = place(failure) else { return failure }
        return failure.with {
            if let pointer = place.pointer, $0.pointer != nil { $0.pointer = pointer }
            $0.offset = nil
            $0.line = place.line
            $0.column = place.column
            if place.source != 0 { $0.message = "\(place.name.shown): \($0.message)" }
        }
    }

    /// The message with the prefix `NAME:LINE:COLUMN: `, and the line with a mark below the position.
    func text(_ failure: Failure, kind: Bytes, _ terminal: Terminal) -> Bytes {
        if let overlay = opening.overlay(of: failure) { return overlay.source.text(overlay.failure, kind: kind, terminal) }
        var (name, text, isYAML) = (self.name, original, self.isYAML)
        var fields = placed(failure).fields
        // The message of an error in another file begins with the path of the file.
        if failure.fields.isInFile || place(failure).map({ $0.source != 0 }) == true, let end = fields.message.range(of: ": ") {
            name = Bytes(fields.message.storage[..<end])
            fields.message = Bytes(fields.message.storage[(end + 2)...])
            text = (try? File.read(name.string, limit: Limits.documentBytes)) ?? Bytes()
            isYAML = Self.isYAML(text, name.string)
        }
        var place: Bytes = "\(name)"
        if fields.line > 0 { place.append(":\(fields.line):\(fields.column)") }
        let style: Terminal.Style = kind == "warning" ? .magenta : .red
        var result: Bytes =
            "\(terminal.styled(place, .bold)): \(terminal.styled(kind, style)): \(terminal.shown(fields.message))\n"
        if fields.line > 0, !text.isEmpty {
            result.append(Excerpt(text, line: fields.line, column: fields.column, inCharacters: isYAML).text(terminal))
        }
        return result
    }
}
