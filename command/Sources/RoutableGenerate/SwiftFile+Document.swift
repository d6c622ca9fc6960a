// Writes the document into the Swift file, so that the API can be opened without another file.

internal import RoutableCore

extension SwiftFile {
    /// One literal of many lines.  A computed property, because opening the API reads it once.
    mutating func write(document: Bytes) {
        code.lines([
            "", "    /// The description that this file was generated from.", "    public static var document: String {",
            "        \"\"\"",
        ])
        var piece = ""
        for scalar in document.string.unicodeScalars {
            switch scalar {
            case "\\": piece += "\\\\"
            // Three quotation marks would end the literal.
            case "\"": piece += piece.hasSuffix("\"\"") ? "\\\"" : "\""
            case " "..."~": piece.unicodeScalars.append(scalar)
            default: piece += Texts.swiftLiteral(String(scalar)).dropFirst().dropLast()
            }
            if piece.utf8.count >= 100 && scalar != " " {
                code.line("        \(piece)\\")
                piece = ""
            }
        }
        code.lines(["        \(piece)", "        \"\"\"", "    }"])
    }
}
