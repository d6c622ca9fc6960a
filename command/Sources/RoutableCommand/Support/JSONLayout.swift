// JSON for a reader at a terminal: indented, with colours, and with the digits and the order of the original.

import RoutableCore

struct JSONLayout {
    private let text: [UInt8]
    private let terminal: Terminal
    private var position = 0
    private var output = Bytes()
    private var depth = 0

    /// Limits of JSON that is indented; other JSON is printed unchanged.  The indentation of many short values at a deep level needs
    /// hundreds of bytes for each value.
    private static let mostLevels = 200
    private static let mostBytes = 8 << 20
    private static let mostOutputBytes = 64 << 20

    /// The layout of a JSON value, without a newline at the end; nil for text that is not JSON.
    static func text(_ json: Bytes, _ terminal: Terminal) -> Bytes? {
        if json.count > mostBytes { return nil }
        var layout = JSONLayout(json, terminal)
        layout.skipSpace()
        guard layout.value() else { return nil }
        layout.skipSpace()
        return layout.position == layout.text.count ? layout.output : nil
    }

    private init(_ json: Bytes, _ terminal: Terminal) {
        text = json.storage
        self.terminal = terminal
        output.storage.reserveCapacity(json.count * 2)
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func line() {
        output.append("\n")
        output.append(.spaces(depth * 2))
    }

    // The recursion is bounded by `mostLevels`.
    private mutating func value() -> Bool {
        switch next {
        case UInt8(ascii: "{"): return container(UInt8(ascii: "}"), hasNames: true)
        case UInt8(ascii: "["): return container(UInt8(ascii: "]"), hasNames: false)
        case UInt8(ascii: "\""): return string(.green)
        default: return word()
        }
    }

    private mutating func container(_ end: UInt8, hasNames: Bool) -> Bool {
        depth += 1
        if depth > Self.mostLevels { return false }
        output.storage.append(text[position])
        position += 1
        skipSpace()
        if take(end) {
            depth -= 1
            output.storage.append(end)
            return true
        }
        while output.count <= Self.mostOutputBytes {
            line()
            skipSpace()
            if hasNames {
                guard next == UInt8(ascii: "\""), string(.blue) else { return false }
                skipSpace()
                guard take(UInt8(ascii: ":")) else { return false }
                output.append(": ")
                skipSpace()
            }
            guard value() else { return false }
            skipSpace()
            if take(UInt8(ascii: ",")) {
                output.append(",")
                continue
            }
            guard take(end) else { return false }
            depth -= 1
            line()
            output.storage.append(end)
            return true
        }
        return false
    }

    private mutating func string(_ style: Terminal.Style) -> Bool {
        let start = position
        position += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            if byte < 0x20 { return false }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next != nil else { return false }
        position += 1
        output.append(terminal.styled(Self.escaped(text[start..<position]), style))
        return true
    }

    /// DEL and the control characters of C1 as JSON escapes: the same string, without effect on a terminal.
    private static func escaped(_ text: ArraySlice<UInt8>) -> Bytes {
        guard text.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return Bytes(text) }
        var result = Bytes()
        var index = text.startIndex
        let digits = Array("0123456789abcdef".utf8)
        func escape(_ byte: UInt8) -> Bytes { Bytes(Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]) }
        while index < text.endIndex {
            let byte = text[index]
            if byte == 0x7F {
                result.append(escape(byte))
            } else if byte == 0xC2, index + 1 < text.endIndex, text[index + 1] >= 0x80, text[index + 1] < 0xA0 {
                index += 1
                result.append(escape(text[index]))
            } else {
                result.storage.append(byte)
            }
            index += 1
        }
        return result
    }

    /// A number, true, false or null.
    private mutating func word() -> Bool {
        let start = position
        while let byte = next, ASCII.isLetter(byte) || ASCII.isDigit(byte) || [0x2B, 0x2D, 0x2E].contains(byte) {
            position += 1
        }
        let word = Bytes(text[start..<position])
        let isName = word == "true" || word == "false" || word == "null"
        guard isName || word.storage.first.map({ ASCII.isDigit($0) || $0 == 0x2D }) == true else { return false }
        output.append(terminal.styled(word, isName ? .magenta : .cyan))
        return true
    }
}
