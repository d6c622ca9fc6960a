// Finds members, elements and their pointers in valid JSON.

import RoutableCore

/// A cursor that does not read out of bounds.
struct JSONPlaces {
    private let text: [UInt8]

    init(_ text: Bytes) { self.text = text.storage }

    private func byte(_ index: Int) -> UInt8? { text.indices.contains(index) ? text[index] : nil }

    private func isSpace(_ index: Int) -> Bool {
        guard let byte = byte(index) else { return false }
        return byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private func afterSpace(_ index: Int) -> Int {
        var index = index
        while isSpace(index) { index += 1 }
        return index
    }

    private func beforeSpace(_ index: Int) -> Int {
        var index = index
        while isSpace(index) { index -= 1 }
        return index
    }

    /// The offset after the string that begins at this offset.
    private func afterString(_ start: Int) -> Int {
        var index = start + 1
        while let byte = byte(index) {
            index += 1
            if byte == UInt8(ascii: "\"") { return index }
            if byte == UInt8(ascii: "\\") { index += 1 }
        }
        return text.count
    }

    /// The offset after the value that begins at this offset.
    private func afterValue(_ start: Int) -> Int {
        var index = start
        var depth = 0
        while let byte = byte(index) {
            switch byte {
            case UInt8(ascii: "\""):
                index = afterString(index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return text.count
    }

    /// The undecoded string at this offset; nil for any other value.
    func string(at offset: Int) -> Bytes? {
        guard byte(offset) == UInt8(ascii: "\"") else { return nil }
        let end = afterString(offset)
        return end - 1 > offset ? Bytes(text[(offset + 1)..<(end - 1)]) : Bytes()
    }

    /// The member or the element at this offset, which is the offset of its key or of its value, with the comma that becomes superfluous
    /// without it; nil for the whole document.
    func range(ofItemAt offset: Int) -> Range<Int>? {
        guard byte(offset) != nil else { return nil }
        var start = offset
        var end: Int
        let behind = afterSpace(afterString(offset))
        if byte(offset) == UInt8(ascii: "\""), byte(behind) == UInt8(ascii: ":") {
            end = afterValue(afterSpace(behind + 1))
        } else {
            end = afterValue(offset)
            let before = beforeSpace(offset - 1)
            if byte(before) == UInt8(ascii: ":") {
                let last = beforeSpace(before - 1)
                guard byte(last) == UInt8(ascii: "\""), let first = startOfString(endingAt: last) else { return nil }
                start = first
            } else if byte(before) != UInt8(ascii: ",") && byte(before) != UInt8(ascii: "[") {
                return nil
            }
        }
        let next = afterSpace(end)
        if byte(next) == UInt8(ascii: ",") { return start..<(next + 1) }
        let previous = beforeSpace(start - 1)
        if byte(previous) == UInt8(ascii: ",") { start = previous }
        return start..<end
    }

    /// The start of the string.  Quotation marks within a string are escaped, so that the first unescaped one before the end is its start.
    private func startOfString(endingAt last: Int) -> Int? {
        var index = last - 1
        while let byte = byte(index) {
            if byte == UInt8(ascii: "\"") {
                var slashes = 0
                while self.byte(index - 1 - slashes) == UInt8(ascii: "\\") { slashes += 1 }
                if slashes % 2 == 0 { return index }
            }
            index -= 1
        }
        return nil
    }

    /// The text with spaces instead of this range; line breaks are kept.
    func blanked(_ range: Range<Int>) -> Bytes {
        var result = text
        for index in range where result[index] != 0x0A { result[index] = 0x20 }
        return Bytes(result)
    }

    /// The pointer of the key or the value at this offset.
    func pointer(to offset: Int) -> Bytes? {
        struct Frame {
            let isObject: Bool
            var token = Bytes()
            var position = 0
        }
        var frames: [Frame] = []
        func path() -> Bytes {
            frames.reduce(into: Bytes()) { path, frame in
                path.append("/\(frame.isObject ? frame.token : "\(frame.position)")")
            }
        }
        var expectsKey = false
        var index = 0
        while let byte = byte(index), index <= offset {
            if isSpace(index) {
                index += 1
                continue
            }
            if byte == UInt8(ascii: "\""), expectsKey, !frames.isEmpty {
                // proof: `frames` is not empty, and a string has two quotes.
                frames[frames.count - 1].token =
                    Bytes(text[(index + 1)..<max(index + 1, afterString(index) - 1)]).pointerEscaped
                expectsKey = false
                if index == offset { return path() }
                index = afterString(index)
                continue
            }
            if index == offset && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ":") { return path() }
            switch byte {
            case UInt8(ascii: "{"):
                frames.append(Frame(isObject: true))
                expectsKey = true
                index += 1
            case UInt8(ascii: "["):
                frames.append(Frame(isObject: false))
                expectsKey = false
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !frames.isEmpty { frames.removeLast() }
                expectsKey = false
                index += 1
            case UInt8(ascii: ","):
                if let last = frames.indices.last { frames[last].position += 1 }
                expectsKey = frames.last?.isObject ?? false
                index += 1
            case UInt8(ascii: "\""): index = afterString(index)
            default: index += 1
            }
        }
        return nil
    }
}
