// Parses the targets of overlays: RFC 9535 without match, search, value and nested filters, which are rejected by name.

internal import RoutableCore
internal import RoutableJSON

/// A parsed query.
struct JSONPath {
    struct Query {
        /// Whether the query begins with the current value, `@`; otherwise it begins with the root, `$`.
        var isRelative = false
        var segments: [Segment] = []

        /// Whether the query selects at most one value.
        var isSingular: Bool {
            segments.allSatisfy { segment in
                guard !segment.isDescendant, segment.selectors.count == 1, let only = segment.selectors.first else {
                    return false
                }
                switch only {
                case .name, .index: return true
                default: return false
                }
            }
        }
    }

    struct Segment {
        var isDescendant = false
        var selectors: [Selector] = []
    }

    enum Selector {
        case name(Bytes)
        case every
        case index(Int64)
        case slice(Int64?, Int64?, Int64)
        case filter(Logic)
    }

    indirect enum Logic {
        case any([Logic])
        case all([Logic])
        case not(Logic)
        case exists(Query)
        case compare(Operand, Comparison, Operand)
    }

    enum Comparison { case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual }

    enum Operand {
        case text(Bytes)
        case number(Double)
        case truth(Bool)
        case null
        case query(Query)
        case length(Query)
        case count(Query)
    }

    let query: Query

    /// - Throws: `document` for an invalid query, `unsupported` for a function or a form that this library does not support.
    init(_ text: Bytes) throws(Failure) {
        var parser = Parser(text)
        query = try parser.whole()
    }
}

extension JSONPath {
    /// Parses byte by byte; each parenthesis, `!` and bracket increases the depth, which is limited.
    private struct Parser {
        private let bytes: [UInt8]
        private var index = 0
        private var depth = 0
        private var isInFilter = false

        private static let depthLimit = 32
        private static let functions: [Bytes] = ["count", "length"]

        init(_ text: Bytes) { bytes = text.storage }

        mutating func whole() throws(Failure) -> Query {
            guard take("$") else { throw expected("\"$\"") }
            let query = try segments(Query())
            if index < bytes.count { throw expected("a segment such as \".name\", \"['name']\", \"[*]\" or \"..\"") }
            return query
        }

        // MARK: Segments

        private mutating func segments(_ start: Query) throws(Failure) -> Query {
            var query = start
            while true {
                let mark = index
                skipBlanks()
                if next == UInt8(ascii: "[") {
                    query.segments.append(Segment(isDescendant: false, selectors: try brackets()))
                } else if take(".") {
                    let isDescendant = take(".")
                    if isDescendant && next == UInt8(ascii: "[") {
                        query.segments.append(Segment(isDescendant: true, selectors: try brackets()))
                    } else if take("*") {
                        query.segments.append(Segment(isDescendant: isDescendant, selectors: [.every]))
                    } else {
                        query.segments.append(Segment(isDescendant: isDescendant, selectors: [.name(try shorthand())]))
                    }
                } else {
                    index = mark
                    return query
                }
            }
        }

        /// A name without quotes.  In addition to the standard, it may contain a hyphen, as in `@.x-oai-traits` in the examples of overlays.
        private mutating func shorthand() throws(Failure) -> Bytes {
            let start = index
            while let byte = next,
                byte >= 0x80 || ASCII.isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "-")
            {
                if index == start, ASCII.isDigit(byte) || byte == UInt8(ascii: "-") { break }
                index &+= 1
            }
            if index == start { throw expected("a name, or \"*\"") }
            return Bytes(bytes[start..<index])
        }

        private mutating func brackets() throws(Failure) -> [Selector] {
            index &+= 1
            try deeper()
            defer { depth &-= 1 }
            var selectors: [Selector] = []
            while true {
                skipBlanks()
                selectors.append(try selector())
                skipBlanks()
                if take("]") { return selectors }
                if !take(",") { throw expected("\"]\" or \",\"") }
            }
        }

        private mutating func selector() throws(Failure) -> Selector {
            guard let byte = next else { throw expected("a selector") }
            if byte == UInt8(ascii: "*") {
                index &+= 1
                return .every
            }
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .name(try quoted()) }
            if byte == UInt8(ascii: "?") {
                index &+= 1
                if isInFilter { throw unsupported("a filter within a filter") }
                isInFilter = true
                defer { isInFilter = false }
                return .filter(try logic())
            }
            let first = try integer()
            skipBlanks()
            guard take(":") else {
                guard let first else { throw expected("a name in quotes, an index, a slice, \"*\" or a filter \"?...\"") }
                return .index(first)
            }
            skipBlanks()
            let end = try integer()
            skipBlanks()
            var step: Int64 = 1
            if take(":") {
                skipBlanks()
                step = try integer() ?? 1
            }
            return .slice(first, end, step)
        }

        private mutating func integer() throws(Failure) -> Int64? {
            let start = index
            if next == UInt8(ascii: "-") { index &+= 1 }
            while let byte = next, ASCII.isDigit(byte) { index &+= 1 }
            if start == index { return nil }
            guard let value = Decimal.parse(Bytes(bytes[start..<index])), value.magnitude < 1 << 53 else {
                throw expected("an integer")
            }
            return value
        }

        private mutating func quoted() throws(Failure) -> Bytes {
            let quote = bytes[index]
            index &+= 1
            var result = Bytes()
            while let byte = next {
                index &+= 1
                if byte == quote { return result }
                if byte < 0x20 { break }
                guard byte == UInt8(ascii: "\\") else {
                    result.append(byte)
                    continue
                }
                guard let escaped = next else { break }
                index &+= 1
                switch escaped {
                case UInt8(ascii: "n"): result.append(0x0A)
                case UInt8(ascii: "t"): result.append(0x09)
                case UInt8(ascii: "r"): result.append(0x0D)
                case UInt8(ascii: "b"): result.append(0x08)
                case UInt8(ascii: "f"): result.append(0x0C)
                case UInt8(ascii: "/"), UInt8(ascii: "\\"), quote: result.append(escaped)
                case UInt8(ascii: "u"):
                    guard var scalar = hex() else { throw expected("four hexadecimal digits") }
                    if scalar & 0xFC00 == 0xD800, take("\\"), take("u"), let low = hex(), low & 0xFC00 == 0xDC00 {
                        scalar = 0x10000 &+ (scalar & 0x3FF) << 10 &+ low & 0x3FF
                    }
                    result.append(scalar: scalar)
                default: throw expected("a JSON escape")
                }
            }
            throw expected("the end of the name")
        }

        private mutating func hex() -> UInt32? {
            guard index &+ 4 <= bytes.count else { return nil }
            var value: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = ASCII.hexValue(bytes[index]) else { return nil }
                value = value << 4 | UInt32(digit)
                index &+= 1
            }
            return value
        }

        // MARK: Filters

        private mutating func logic() throws(Failure) -> Logic {
            try deeper()
            defer { depth &-= 1 }
            var alternatives = [try conjunction()]
            while takeWord("||") { alternatives.append(try conjunction()) }
            return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
        }

        private mutating func conjunction() throws(Failure) -> Logic {
            var parts = [try basic()]
            while takeWord("&&") { parts.append(try basic()) }
            return parts.count == 1 ? parts[0] : .all(parts)
        }

        private mutating func basic() throws(Failure) -> Logic {
            skipBlanks()
            if take("!") {
                try deeper()
                defer { depth &-= 1 }
                return .not(try basic())
            }
            if take("(") {
                let inner = try logic()
                skipBlanks()
                if !take(")") { throw expected("\")\"") }
                return inner
            }
            let left = try operand()
            guard let comparison = comparison() else {
                guard case .query(let query) = left else { throw expected("a comparison") }
                return .exists(query)
            }
            try checkSingular(left)
            let right = try operand()
            try checkSingular(right)
            return .compare(left, comparison, right)
        }

        private func checkSingular(_ operand: Operand) throws(Failure) {
            if case .query(let query) = operand, !query.isSingular {
                throw expected("a query for at most one value on each side of a comparison")
            }
        }

        private mutating func comparison() -> Comparison? {
            if takeWord("==") { return .equal }
            if takeWord("!=") { return .notEqual }
            if takeWord("<=") { return .lessOrEqual }
            if takeWord(">=") { return .greaterOrEqual }
            if takeWord("<") { return .less }
            return takeWord(">") ? .greater : nil
        }

        private mutating func operand() throws(Failure) -> Operand {
            skipBlanks()
            guard let byte = next else { throw expected("a value or a query") }
            if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$") { return .query(try inner()) }
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .text(try quoted()) }
            if byte == UInt8(ascii: "-") || ASCII.isDigit(byte) { return .number(try number()) }
            let word = try shorthand()
            if take("(") { return try function(word) }
            switch word {
            case "true": return .truth(true)
            case "false": return .truth(false)
            case "null": return .null
            default: throw expected("a value or a query, and not \"\(word.printable)\",")
            }
        }

        private mutating func inner() throws(Failure) -> Query {
            let isRelative = take("@")
            if !isRelative { index &+= 1 }
            return try segments(Query(isRelative: isRelative))
        }

        private mutating func function(_ name: Bytes) throws(Failure) -> Operand {
            if name == "match" || name == "search" || name == "value" { throw unsupported("the function \(name)()") }
            if !Self.functions.contains(name) {
                let plain = Failure.unknownName(.document, "there is no function", name, among: Self.functions)
                throw plain
            }
            skipBlanks()
            guard next == UInt8(ascii: "@") || next == UInt8(ascii: "$") else {
                throw expected("a query, as the argument of \(name)(),")
            }
            let query = try inner()
            if name == "length" { try checkSingular(.query(query)) }
            skipBlanks()
            if !take(")") { throw expected("\")\"") }
            return name == "length" ? .length(query) : .count(query)
        }

        private mutating func number() throws(Failure) -> Double {
            let start = index
            while let byte = next,
                ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
                    || byte | 0x20 == UInt8(ascii: "e")
            {
                index &+= 1
            }
            let value = bytes[start..<index].withUnsafeBytes { ScalarText.isNumber($0) ? ScalarText.number($0) : nil }
            guard let value else { throw expected("a number") }
            return value
        }

        // MARK: Bytes

        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(truncatingIfNeeded: character.value) else { return false }
            index &+= 1
            return true
        }

        private mutating func takeWord(_ word: Bytes) -> Bool {
            let mark = index
            skipBlanks()
            if bytes[index...].starts(with: word.storage) {
                index &+= word.count
                return true
            }
            index = mark
            return false
        }

        private mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index &+= 1 }
        }

        private mutating func deeper() throws(Failure) {
            depth &+= 1
            if depth > Self.depthLimit {
                throw Failure(.limit, "the target has more than \(Self.depthLimit) levels of brackets")
            }
        }

        private func expected(_ what: Bytes) -> Failure {
            Failure(
                .document, "the target \"\(Bytes(bytes).printable)\" is not a JSONPath: \(what) is expected at byte \(index)")
        }

        private func unsupported(_ what: Bytes) -> Failure {
            Failure(.unsupported, "the target \"\(Bytes(bytes).printable)\" has \(what), which this library does not support")
        }
    }
}
