// The width and colours of a terminal, and the width of a string on it.

import Glibc
import RoutableCore

/// The properties of standard output.
struct Terminal {
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"
    }

    /// The number of columns; nil for a file or a pipe.
    let width: Int?
    let hasColour: Bool
    /// Whether JSON is indented: on a terminal, and with `--color always`.
    var isForReaders: Bool { width != nil || Self.choice == .always }

    enum Choice: String, CaseIterable { case auto, always, never }

    /// The value of `--color`, read before the arguments are parsed, because errors of the arguments also have colours.
    static let choice: Choice = {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            if word == "--color" { return Choice(rawValue: next) ?? .auto }
            if word.hasPrefix("--color=") { return Choice(rawValue: String(word.dropFirst(8))) ?? .auto }
        }
        return .auto
    }()

    static let output = Terminal(STDOUT_FILENO)
    static let remarks = Terminal(STDERR_FILENO)

    /// Only terminals get colours, and only if neither NO_COLOR nor TERM=dumb is set, unless `--color` decides.
    init(_ descriptor: Int32) {
        guard isatty(descriptor) == 1 else {
            width = nil
            hasColour = Self.choice == .always
            return
        }
        var size = winsize()
        let configured = Self.environment("COLUMNS").flatMap { Int($0) } ?? 0
        let known = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
        width = configured > 0 ? configured : known > 0 ? known : 80
        hasColour =
            switch Self.choice {
            case .always: true
            case .never: false
            case .auto: (Self.environment("NO_COLOR") ?? "").isEmpty && Self.environment("TERM") != "dumb"
            }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    func styled(_ text: Bytes, _ style: Style?) -> Bytes {
        guard hasColour, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(Bytes(style.rawValue))m\(text)\u{1B}[0m"
    }

    /// The text of a document for output: on a terminal, its control characters are replaced by "?".
    func shown(_ text: Bytes) -> Bytes { width == nil ? text : Self.harmless(text) }

    static func harmless(_ text: Bytes) -> Bytes {
        // The control characters of C0, DEL, and C1 in UTF-8.
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var afterC2 = false
        for byte in text.storage {
            if byte < 0x20 && byte != 0x09 || byte == 0x7F {
                result.append(UInt8(ascii: "?"))
            } else if afterC2 && byte < 0xA0 && byte >= 0x80 {
                result.removeLast()
                result.append(UInt8(ascii: "?"))
            } else {
                result.append(byte)
            }
            afterC2 = byte == 0xC2
        }
        return Bytes(result)
    }

    /// The number of columns of a string: none for combining marks, two for wide characters.
    static func columns(_ text: Bytes) -> Int {
        if text.storage.allSatisfy({ $0 < 0x80 }) { return text.count }
        return text.string.unicodeScalars.reduce(0) { $0 + columns($1) }
    }
}

extension Terminal {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }
}
