// The bytes of a description, and the JSON that the library reads.

import RoutableCore
import RoutableDocuments

struct SourceText {
    /// As remarks call it.
    let name: Bytes
    let original: Bytes
    /// The same bytes, but for YAML.
    let json: Bytes
    private let marks: YAMLReader.Marks?
    var opening: Opening

    var isYAML: Bool { marks != nil }

    /// - Throws: `Staged`, with the place in the text.
    init(_ file: String, _ opening: Opening = Opening()) throws {
        self.opening = opening
        let content = try File.read(file, limit: Limits.documentBytes)
        name = file == "-" ? "<stdin>" : Bytes(file)
        original = content
        guard Self.isYAML(content, file) else {
            json = content
            marks = nil
            return
        }
        do throws(Failure) {
            let read = try YAMLReader.read(content)
            json = try MessageDocument.value(read.value)
            marks = read.marks
        } catch {
            json = Bytes()
            marks = YAMLReader.Marks()
            throw Staged(failure: error, ending: .description, source: self)
        }
    }

    /// By the name of the file; of standard input, by what JSON begins with.
    private static func isYAML(_ content: Bytes, _ file: String) -> Bool {
        if file.hasSuffix(".yaml") || file.hasSuffix(".yml") { return true }
        guard file == "-" else { return false }
        let first = content.storage.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return first != UInt8(ascii: "{") && first != nil
    }

    /// Whether it is OpenAPI; else it is a route document.
    var isOpenAPI: Bool { json.storage.withUnsafeBytes { OpenAPIDocument.recognises($0) } }

    func router() throws -> Router {
        do throws(Failure) { return try opening.open(json) } catch {
            throw Staged(failure: error, ending: .description, source: self)
        }
    }

    // MARK: Places

    /// The failure with line and column of the text as it came: for YAML found by the pointer.
    func placed(_ failure: Failure) -> Failure {
        if let overlay = opening.overlay(of: failure) {
            return overlay.source.placed(overlay.failure).with { $0.message = failure.message }
        }
        guard let marks, failure.fields.pointer != nil || failure.fields.offset != nil else { return failure }
        var pointer = failure.fields.pointer ?? Bytes()
        let parameter = failure.fields.parameter
        let isAboutKey = !parameter.isEmpty && pointer.hasSuffix("/\(parameter.pointerEscaped)")
        var mark = isAboutKey ? marks.keys[pointer] : marks.values[pointer]
        while mark == nil, let slash = pointer.storage.lastIndex(of: UInt8(ascii: "/")) {
            pointer = Bytes(pointer.storage[..<slash])
            mark = marks.values[pointer]
        }
        return failure.with {
            $0.offset = nil
            $0.line = mark.map { $0.line + 1 } ?? 0
            $0.column = mark.map { $0.column + 1 } ?? 0
        }
    }

    /// `NAME:LINE:COLUMN: ` in front of the message, and the line with a mark under the place.
    func text(_ failure: Failure, kind: Bytes, _ terminal: Terminal) -> Bytes {
        if let overlay = opening.overlay(of: failure) { return overlay.source.text(overlay.failure, kind: kind, terminal) }
        let fields = placed(failure).fields
        var place: Bytes = "\(name)"
        if fields.line > 0 { place.append(":\(fields.line):\(fields.column)") }
        let style: Terminal.Style = kind == "warning" ? .magenta : .red
        var result: Bytes =
            "\(terminal.styled(place, .bold)): \(terminal.styled(kind, style)): \(terminal.shown(fields.message))\n"
        if fields.line > 0 {
            result.append(Excerpt(original, line: fields.line, column: fields.column, inCharacters: isYAML).text(terminal))
        }
        return result
    }
}
