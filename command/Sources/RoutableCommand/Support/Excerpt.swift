// A line of a document with a mark below the position of a message.

import RoutableCore

struct Excerpt {
    private let number: Int
    private var line: [Unicode.Scalar]
    /// The index of the first marked character, and the number of marked characters.
    private var start: Int
    private var length: Int

    /// The number of columns of a long line that are shown if the width is not known.
    private static let room = 100
    /// The maximum number of bytes of a long line before and after the position that are decoded.
    private static let reach = 4096

    /// `number` and `column` start at 1; the column counts bytes or characters.
    init(_ text: Bytes, line number: Int, column: Int, inCharacters: Bool) {
        self.number = number
        var rest = text.storage[...]
        for _ in 1..<max(number, 1) {
            guard let end = rest.firstIndex(of: 0x0A) else { break }
            rest = rest[(end + 1)...]
        }
        var bytes = rest.prefix { $0 != 0x0A }
        if bytes.last == 0x0D { bytes.removeLast() }
        var column = column
        if !inCharacters, column > 0, column <= bytes.count {
            let place = bytes.startIndex + column - 1
            // The excerpt must not begin within a character.
            var lower = max(bytes.startIndex, place - Self.reach)
            while lower > bytes.startIndex && bytes[lower] & 0xC0 == 0x80 { lower -= 1 }
            bytes = bytes[lower..<min(bytes.endIndex, place + Self.reach)]
            column = place - lower + 1
        }
        line = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if inCharacters {
            start = min(max(column - 1, 0), line.count)
        } else {
            let before = bytes.prefix(max(column - 1, 0))
            start = min(String(decoding: before, as: UTF8.self).unicodeScalars.count, line.count)
        }
        length = Self.tokenLength(line[start...])
    }

    /// The length of a string with its quotation marks, a word or a number; 1 for anything else.
    private static func tokenLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
        guard let first = rest.first else { return 1 }
        if first == "\"" {
            var isEscaped = false
            for (index, scalar) in rest.dropFirst().enumerated() {
                if scalar == "\"" && !isEscaped { return index + 2 }
                isEscaped = scalar == "\\" && !isEscaped
            }
            return rest.count
        }
        let ends: Set<Unicode.Scalar> = [",", ":", "}", "]", "{", "[", " ", "\t"]
        return max(1, rest.prefix { !ends.contains($0) }.count)
    }

    func text(_ terminal: Terminal) -> Bytes {
        let gutter: Bytes = "\(number)"
        let indent = max(5, gutter.count + 1)
        let room = max(40, (terminal.width ?? Self.room + indent + 3) - indent - 3)
        var first = 0
        var last = line.count
        if Self.columns(line[...]) > room {
            // A part of the line with the position in its first half; omitted parts are shown as three dots.
            first = start < room * 2 / 3 ? 0 : start - room / 3
            var used = 6
            last = first
            while last < line.count, used < room {
                used += Self.columns(line[last...last])
                last += 1
            }
        }
        var shown: Bytes = first > 0 ? "..." : ""
        var padding = Bytes.spaces(first > 0 ? 3 : 0)
        for index in first..<last {
            let scalar = Self.harmless(line[index])
            shown.append(Bytes(String(scalar)))
            if index < start { padding.append(scalar == "\t" ? "\t" : .spaces(Self.columns([scalar]))) }
        }
        if last < line.count { shown.append("...") }
        let end = min(start + length, last)
        let width = end > start ? Self.columns(line[start..<end]) : 1
        var mark: Bytes = "^"
        mark.storage.append(contentsOf: repeatElement(UInt8(ascii: "~"), count: max(0, width - 1)))
        let bar = terminal.styled("|", .dim)
        return "\(Bytes.spaces(indent - gutter.count))\(terminal.styled(gutter, .dim)) \(bar) \(shown)\n"
            + "\(Bytes.spaces(indent)) \(bar) \(padding)\(terminal.styled(mark, .green))\n"
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar != "\t" && scalar.properties.generalCategory == .control ? "?" : scalar
    }

    private static func columns(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.map(harmless))
        return Terminal.columns(Bytes(String(text)))
    }
}

extension Bytes {
    static func + (left: Bytes, right: Bytes) -> Bytes {
        var result = left
        result.append(right)
        return result
    }
}
