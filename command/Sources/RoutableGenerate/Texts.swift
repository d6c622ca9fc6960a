// Writes strings of a description into code, as literals and comments that the strings cannot end early.

internal import RoutableCore

enum Texts {
    /// Whether a scalar is omitted from comments because it could end a line or change the direction of the text.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xFFFE, 0xFFFF, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// One line of plain text for a comment: white space as single spaces, truncated to a number of characters.
    static func line(_ text: String, limit: Int = 400) -> String {
        var result = ""
        var count = 0
        var isSpace = true
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) || scalar == " " {
                if !isSpace { result.unicodeScalars.append(" ") }
                isSpace = true
            } else {
                result.unicodeScalars.append(scalar)
                isSpace = false
            }
            count += 1
            if count >= limit {
                result += "..."
                break
            }
        }
        while result.hasSuffix(" ") { result.removeLast() }
        return result
    }

    /// A line for a C comment, without the characters that end or begin a comment, trigraphs, and line continuations.
    static func cComment(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        for scalar in line(text).unicodeScalars {
            let isBad = last == "*" && scalar == "/" || last == "/" && scalar == "*" || last == "?" && scalar == "?"
            if isBad { result += " " }
            if scalar == "\\" { result += "|" } else { result.unicodeScalars.append(scalar) }
            last = scalar
        }
        return result
    }

    /// The words of a string in lines of at most `width` characters.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && line.unicodeScalars.count + word.unicodeScalars.count + 1 > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The content of a C string literal: ASCII, octal escapes, which have a fixed maximum length, and no trigraphs.
    static func cLiteral(_ text: Bytes) -> String {
        var result = ""
        var last: UInt8 = 0
        for byte in text.storage {
            switch byte {
            case UInt8(ascii: "\""): result += "\\\""
            case UInt8(ascii: "\\"): result += "\\\\"
            case UInt8(ascii: "?"): result += last == byte ? "\\?" : "?"
            case 0x20...0x7E: result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            }
            last = byte
        }
        return result
    }

    static func cLiteral(_ text: String) -> String { "\"" + cLiteral(Bytes(text)) + "\"" }

    /// A Python string literal in double quotes, in ASCII.
    static func pythonLiteral(_ text: String) -> String { "\"" + pythonBody(text) + "\"" }

    static func pythonBody(_ text: String, keepsUnicode: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                if keepsUnicode && scalar.value > 0xA0 && !isUnsafe(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16)
                    let width = scalar.value < 0x100 ? 2 : scalar.value < 0x10000 ? 4 : 8
                    let letter = width == 2 ? "x" : width == 4 ? "u" : "U"
                    result += "\\" + letter + String(repeating: "0", count: width - digits.utf8.count) + digits
                }
            }
        }
        return result
    }

    /// The content of a Python docstring: one line without quotation marks that end it.
    static func pythonDocstring(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "'"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A Swift string literal.
    static func swiftLiteral(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                if scalar.value > 0xA0 && !isUnsafe(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{" + String(scalar.value, radix: 16) + "}"
                }
            }
        }
        return result + "\""
    }
}

/// Lines of code.
struct CodeWriter {
    private(set) var text = ""

    init(text: String = "") { self.text = text }

    mutating func line(_ line: String = "") {
        text += line
        text += "\n"
    }

    mutating func lines(_ lines: [String]) { for each in lines { line(each) } }
}
