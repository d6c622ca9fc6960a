// Scans rejected JSON byte by byte (RFC 8259), and states the fault in one sentence with its position.

internal import CSystem
package import RoutableCore

/// Scans a whole document.
struct JSONScan {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    private var containers: [UInt8] = []
    private let escapes: JSONReading.Escapes

    /// Checks a string against the grammar.
    ///
    /// - Throws: `json` with offset, line and column, or `limit` if it nests deeper than `depth`.
    init(
        _ text: UnsafeRawBufferPointer, depth: Int = Limits.jsonDepth, escapes: JSONReading.Escapes = .strict
    ) throws(Failure) {
        self.text = text
        self.escapes = escapes
        if let offset = UTF8Check.firstInvalid(text) { throw failure("the input is not UTF-8", at: offset) }
        if text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF {
            throw failure("the input begins with a byte order mark, which JSON does not allow", at: 0)
        }
        try scan(depth)
    }

    /// The byte at the cursor; nil at the end.
    private var next: UInt8? { index < text.count ? text[index] : nil }

    private func failure(_ message: Bytes, at offset: Int) -> Failure {
        TextPosition(offset, in: text).failure(.json, message)
    }

    // This code has no recursion: the closing bytes of the open containers are a stack.
    private mutating func scan(_ depth: Int) throws(Failure) {
        values: while true {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"):
                try open(UInt8(ascii: "}"), depth)
                skipSpace()
                if next != UInt8(ascii: "}") {
                    try key()
                    continue values
                }
            case UInt8(ascii: "["):
                try open(UInt8(ascii: "]"), depth)
                skipSpace()
                if next != UInt8(ascii: "]") { continue values }
            case UInt8(ascii: "\""): try string(isKey: false)
            case .some(let byte) where byte == UInt8(ascii: "-") || ASCII.isDigit(byte): try number()
            default: try literal()
            }
            // A value is complete, or a container is empty and its closing byte is next.
            while true {
                skipSpace()
                guard let close = containers.last else {
                    if index < text.count {
                        throw failure("there are further characters after the end of the value", at: index)
                    }
                    return
                }
                if next == close {
                    index &+= 1
                    containers.removeLast()
                } else if next == UInt8(ascii: ",") {
                    index &+= 1
                    skipSpace()
                    if close == UInt8(ascii: "}") { try key() }
                    continue values
                } else {
                    throw unexpected(close == UInt8(ascii: "}") ? "\",\" or \"}\"" : "\",\" or \"]\"")
                }
            }
        }
    }

    private mutating func open(_ close: UInt8, _ depth: Int) throws(Failure) {
        if containers.count >= depth {
            throw TextPosition(index, in: text).failure(.limit, "the JSON nests deeper than \(depth) levels")
        }
        containers.append(close)
        index &+= 1
    }

    private func unexpected(_ expected: Bytes) -> Failure {
        guard let byte = next else {
            let place: Bytes =
                switch containers.last {
                case nil: ""
                case UInt8(ascii: "}"): " inside an object"
                default: " inside an array"
                }
            let isBlank = containers.isEmpty && text.allSatisfy { Self.isSpace($0) }
            return failure(isBlank ? "the input is empty" : "the input ends\(place); \(expected) is expected", at: index)
        }
        if byte == 0 { return failure("\(expected) is expected, not a NUL byte", at: index) }
        return failure("\(expected) is expected", at: index)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipSpace() {
        while index < text.count && Self.isSpace(text[index]) { index &+= 1 }
    }

    private mutating func key() throws(Failure) {
        guard next == UInt8(ascii: "\"") else {
            throw unexpected(next == UInt8(ascii: "}") ? "a key after the \",\"" : "a key in double quotes")
        }
        try string(isKey: true)
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw unexpected("\":\" after the key") }
        index &+= 1
    }

    private mutating func literal() throws(Failure) {
        let length =
            text.has("true", at: index) || text.has("null", at: index) ? 4 : text.has("false", at: index) ? 5 : 0
        let end = index &+ length
        if length == 0 || end < text.count && ASCII.isIdentifier(text[end]) { throw unexpected("a value") }
        index = end
    }

    private mutating func number() throws(Failure) {
        let start = index
        if next == UInt8(ascii: "-") { index &+= 1 }
        if next == UInt8(ascii: "0") { index &+= 1 } else { try skipDigits("a digit") }
        if let byte = next, ASCII.isDigit(byte) { throw failure("a number has a leading zero", at: start) }
        if next == UInt8(ascii: ".") {
            index &+= 1
            try skipDigits("a digit after the decimal point")
        }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { index &+= 1 }
            try skipDigits("a digit of the exponent")
        }
    }

    private mutating func skipDigits(_ expected: Bytes) throws(Failure) {
        let start = index
        while index < text.count && ASCII.isDigit(text[index]) { index &+= 1 }
        if index == start { throw unexpected(expected) }
    }
}

// MARK: - Strings

extension JSONScan {
    private mutating func string(isKey: Bool) throws(Failure) {
        let start = index
        index &+= 1
        while true {
            guard let byte = next else { throw failure("the input ends inside a string", at: index) }
            if byte == UInt8(ascii: "\"") { break }
            if byte < 0x20 {
                throw failure(
                    byte == 0
                        ? "a string contains a NUL byte; write it as \\u0000"
                        : "a string contains a control character; write it as an escape", at: index)
            }
            if byte == UInt8(ascii: "\\") {
                let isNull = try escape()
                if isNull && isKey && escapes != .any {
                    throw failure("a key contains U+0000, which is not allowed", at: start)
                }
            } else {
                index &+= 1
            }
        }
        index &+= 1
    }

    /// Skips an escape; returns whether it is U+0000.
    private mutating func escape() throws(Failure) -> Bool {
        let start = index
        index &+= 1
        switch next {
        case nil: throw failure("the input ends inside a string", at: index)
        case UInt8(ascii: "u"): break
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
            return false
        default: throw failure("the escape is not valid in JSON", at: start)
        }
        let first = try hexadecimal()
        if escapes != .strict { return first == 0 }
        if first & 0xFC00 == 0xDC00 { throw failure("the escape is only half of a surrogate pair", at: start) }
        if first & 0xFC00 == 0xD800 {
            guard text.has("\\u", at: index) else { throw failure("the escape is only half of a surrogate pair", at: start) }
            index &+= 1
            guard try hexadecimal() & 0xFC00 == 0xDC00 else {
                throw failure("the escape is only half of a surrogate pair", at: start)
            }
        }
        return first == 0
    }

    /// Reads the four digits after the `u` at the cursor.
    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        index &+= 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = ASCII.hexValue(byte) else {
                throw failure("\\u requires four hexadecimal digits", at: index)
            }
            value = value << 4 | UInt32(digit)
            index &+= 1
        }
        return value
    }
}

/// Converts the digits of a number to its value.
package enum JSONNumber {
    /// The value; infinite if it exceeds a double.
    package static func value(_ digits: UnsafeRawBufferPointer) -> Double {
        guard let start = digits.baseAddress else { return 0 }
        return csystem_number(start.assumingMemoryBound(to: UInt8.self), digits.count)
    }

    /// A bound in the notation of a document: integers without `.0`.
    package static func text(_ number: Double) -> Bytes {
        if number.magnitude < 9e15, let whole = Int64(exactly: number), !(whole == 0 && number.sign == .minus) {
            var bytes: [UInt8] = []
            Decimal.append(whole, to: &bytes)
            return Bytes(bytes)
        }
        return RealText.shortest(number) ?? "0"
    }
}
