// Path templates: one grammar for declaring, building, matching and writing.
//
//     /gists/{id}    /gists/:id    {name}.json    {base}...{head}    /v2/{name...}/tags/list    {{literal braces}}
//
// `{name...}` matches one segment or more; `{path*}` is the same at the end of a path.
//
// A template is stored as ranges of its own text, so that parsing one needs one allocation: routers have
// tens of thousands of them.  `segments` returns the same as separate values, for code that does not open routers.

internal import CSystem

/// A parsed path template: segments of literals and parameters.
public struct Template: Sendable {
    /// A part of a segment.
    public enum Piece: Sendable, Equatable {
        /// Text that is sent as it is written.  Escapes (`%3A`) of delimiters, of `%` and of control characters are kept; other escapes
        /// are decoded.
        case literal(Bytes)
        /// The name of a parameter that matches within one segment.
        case parameter(Bytes)
        /// The name of a parameter that matches one or more whole segments.
        case catchAll(Bytes)
    }

    /// One segment: its pieces; literals and parameters alternate.
    public struct Segment: Sendable, Equatable {
        /// The parts, from left to right.
        public var pieces: [Piece]

        /// Creates a segment of parts.
        public init(pieces: [Piece]) { self.pieces = pieces }

        /// The text of a segment without parameters; nil for other segments.
        public var literal: Bytes? {
            if pieces.count == 1, case .literal(let text)? = pieces.first { return text }
            return nil
        }
    }

    /// One piece, as a range of `text`.
    struct Part: Sendable {
        enum Kind: UInt8, Sendable { case literal, parameter, catchAll }
        var start: UInt32
        var end: UInt32
        var kind: Kind
        /// Whether it is the last part of its segment.
        var isLast: Bool

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// The source text, followed by the literals that differ from their spelling in the source.
    private(set) var text: [UInt8]
    private let sourceCount: Int
    private(set) var parts: [Part] = []
    /// The number of segments.
    public private(set) var segmentCount = 0
    /// The number of parameters.
    public private(set) var parameterCount = 0
    /// Whether the template ends in a slash, which is then part of the path.
    public private(set) var hasTrailingSlash = false

    /// Whether it was made from segments instead of a string: segments may be empty, and parameters may be adjacent.
    var isMade: Bool { sourceCount < 0 }

    /// Creates a template from segments, whose literals are written as in a path: a `%` with two hexadecimal digits is an escape.
    /// The segments are not checked.
    public init(segments: [Segment] = [], hasTrailingSlash: Bool = false) {
        text = []
        sourceCount = -1
        self.hasTrailingSlash = hasTrailingSlash
        for segment in segments {
            for (index, piece) in segment.pieces.enumerated() {
                let start = text.count
                var kind = Part.Kind.literal
                switch piece {
                case .literal(let bytes): text.append(contentsOf: PathLiteral.canonical(bytes).storage)
                case .parameter(let bytes):
                    text.append(contentsOf: bytes.storage)
                    kind = .parameter
                case .catchAll(let bytes):
                    text.append(contentsOf: bytes.storage)
                    kind = .catchAll
                }
                add(kind, start, text.count, isLast: index &+ 1 == segment.pieces.count)
            }
            segmentCount &+= 1
        }
    }

    /// Parses a template.  Failures: `document`, with the reason; `limit`.
    public init(_ source: Bytes) throws(Failure) {
        text = source.storage
        sourceCount = source.count
        // Nearly all templates have only literals, `:name` and `{name}`.
        if addSimple(source.storage) {
            try checkParts(source)
            return
        }
        parts = []
        (segmentCount, parameterCount, hasTrailingSlash) = (0, 0, false)
        try addAll(source)
        try checkParts(source)
    }

    /// Adds the parts of a template whose segments are literals and whole parameters; false for any other template, and for
    /// invalid ones.
    @_optimize(speed)
    private mutating func addSimple(_ bytes: [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(of: csystem_segment.self, capacity: Self.simpleSegments) { segments in
            guard let start = segments.baseAddress else { return false }
            var endsInSlash: Int32 = 0
            let count = Int(csystem_cut_template(bytes, bytes.count, start, Self.simpleSegments, &endsInSlash))
            if count < 0 { return false }
            hasTrailingSlash = endsInSlash != 0
            segmentCount = count
            if count == 0 { return true }
            var parameters = 0
            parts = [Part](unsafeUninitializedCapacity: count) { parts, initialized in
                guard let parts = parts.baseAddress else { return }
                for index in 0..<count {
                    let segment = start[index]
                    parameters &+= Int(segment.is_parameter)
                    (parts + index).initialize(
                        to: Part(
                            start: segment.start, end: segment.end, kind: segment.is_parameter != 0 ? .parameter : .literal,
                            isLast: true))
                }
                initialized = count
            }
            parameterCount = parameters
            return true
        }
    }

    /// Templates with more segments are parsed by the general code.
    private static let simpleSegments = 64

    private mutating func addAll(_ source: Bytes) throws(Failure) {
        try Self.checkBytes(source)
        let end = source.count
        var start = source.storage.first == UInt8(ascii: "/") ? 1 : 0
        if start == end { return }
        while true {
            var stop = start
            var isPlain = true
            while stop < end && text[stop] != UInt8(ascii: "/") {
                let byte = text[stop]
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "%") { isPlain = false }
                stop &+= 1
            }
            if start == stop {
                // After a segment, this is a trailing slash.
                guard stop == end && segmentCount > 0 else { throw Self.refused(source, "it has an empty segment") }
                hasTrailingSlash = true
                return
            }
            if isPlain { addPlain(start, stop) } else { try addPieces(source, start, stop) }
            segmentCount &+= 1
            if parts.last?.kind == .catchAll && stop < end && text[stop &- 2] == UInt8(ascii: "*") {
                throw Self.refused(
                    source, "\"*\" is only allowed in the last segment; a value of several segments is written \"{name...}\"")
            }
            if stop == end { return }
            start = stop &+ 1
        }
    }

    /// Adds a segment without the bytes that the grammar uses.
    private mutating func addPlain(_ start: Int, _ stop: Int) {
        // The spelling of Rails: a whole segment that is a colon and a name.
        var isParameter = text[start] == UInt8(ascii: ":") && start &+ 1 < stop
        if isParameter {
            for index in (start &+ 1)..<stop where !ASCII.isIdentifier(text[index]) { isParameter = false }
        }
        add(isParameter ? .parameter : .literal, isParameter ? start &+ 1 : start, stop, isLast: true)
    }

    private mutating func add(_ kind: Part.Kind, _ start: Int, _ end: Int, isLast: Bool) {
        if kind != .literal { parameterCount &+= 1 }
        parts.append(
            Part(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), kind: kind, isLast: isLast))
    }

    @inline(never)
    private static func refused(_ source: Bytes, _ reason: Bytes) -> Failure {
        Failure(.document, "the path \"\(source.printable)\" is not valid: \(reason)")
    }

    private static func checkBytes(_ source: Bytes) throws(Failure) {
        if source.count > Int(Int32.max) { throw Failure(.limit, "the path is longer than 2 GiB") }
        if !UTF8Check.isValid(source) { throw refused(source, "it is not UTF-8") }
        for byte in source.storage where ASCII.isControl(byte) { throw refused(source, "it has a control character") }
        for byte in source.storage where byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
            throw refused(source, "a query or a fragment is not part of a path; declare query parameters under \"query\"")
        }
    }

    @_optimize(speed)
    private func checkParts(_ source: Bytes) throws(Failure) {
        if parameterCount > Limits.idsPerRoute {
            throw Failure(.limit, "the path \"\(source.printable)\" has more than \(Limits.idsPerRoute) parameters")
        }
        var index = 0
        while index < parts.count {
            let part = parts[index]
            if part.kind == .literal {
                let isWhole = part.isLast && (index == 0 || parts[index &- 1].isLast)
                if isWhole && part.range.count <= 2 && isDots(part) {
                    throw Self.refused(source, "it has a \"\(Bytes(text[part.range]))\" segment")
                }
            } else {
                var earlier = 0
                while earlier < index {
                    if parts[earlier].kind != .literal && isSameText(parts[earlier], part) {
                        throw Self.refused(source, "the parameter \"\(Bytes(text[part.range]))\" occurs twice")
                    }
                    earlier &+= 1
                }
            }
            index &+= 1
        }
    }

    private func isDots(_ part: Part) -> Bool {
        for index in part.range where text[index] != UInt8(ascii: ".") { return false }
        return true
    }

    @inline(__always)
    private func isSameText(_ left: Part, _ right: Part) -> Bool {
        if left.range.count != right.range.count { return false }
        var offset = 0
        while offset < left.range.count {
            if text[left.range.lowerBound &+ offset] != text[right.range.lowerBound &+ offset] { return false }
            offset &+= 1
        }
        return true
    }

    // MARK: - Segments with braces or escapes

    private mutating func addPieces(_ source: Bytes, _ start: Int, _ stop: Int) throws(Failure) {
        var literal: [UInt8] = []
        let first = parts.count
        var index = start
        while index < stop {
            let byte = text[index]
            let isDoubled = index &+ 1 < stop && text[index &+ 1] == byte
            switch byte {
            case UInt8(ascii: "{") where !isDoubled:
                guard let close = text[index..<stop].firstIndex(of: UInt8(ascii: "}")) else {
                    throw Self.refused(source, "a \"{\" is not closed; a literal brace is written \"{{\"")
                }
                try addLiteral(&literal, source)
                try addParameter(source, index &+ 1, close, isFirst: parts.count == first, isEnd: close &+ 1 == stop)
                index = close &+ 1
            case UInt8(ascii: "}") where !isDoubled:
                throw Self.refused(source, "a \"}\" without its \"{\"; a literal brace is written \"}}\"")
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                literal.append(byte)
                index &+= 2
            default:
                literal.append(byte)
                index &+= 1
            }
        }
        try addLiteral(&literal, source)
        parts[parts.count &- 1].isLast = true  // proof: the segment has a byte, so a piece was added
    }

    /// A literal may be percent-encoded; it is stored in its canonical spelling.
    private mutating func addLiteral(_ literal: inout [UInt8], _ source: Bytes) throws(Failure) {
        if literal.isEmpty { return }
        var decoded = literal
        if literal.contains(UInt8(ascii: "%")) {
            for (index, byte) in literal.enumerated() where byte == UInt8(ascii: "%") {
                guard index &+ 2 < literal.count, ASCII.hexValue(literal[index &+ 1]) != nil,
                    ASCII.hexValue(literal[index &+ 2]) != nil
                else { throw Self.refused(source, "a \"%\" must be written as %25") }
            }
            let plain = literal.withUnsafeBytes { PercentCoding.decode($0) }
            if !UTF8Check.isValid(plain) || plain.storage.contains(where: { ASCII.isControl($0) }) {
                throw Self.refused(source, "a percent escape in it encodes a control character or invalid UTF-8")
            }
            decoded = PathLiteral.canonical(Bytes(literal)).storage
        }
        let start = text.count
        text.append(contentsOf: decoded)
        add(.literal, start, text.count, isLast: false)
        literal.removeAll(keepingCapacity: true)
    }

    private mutating func addParameter(
        _ source: Bytes, _ start: Int, _ close: Int, isFirst: Bool, isEnd: Bool
    ) throws(Failure) {
        var end = close
        var isCatchAll = true
        if end > start && text[end &- 1] == UInt8(ascii: "*") {
            end &-= 1
        } else if Self.takesSegments(text[start..<end]) {
            end &-= 3
        } else {
            isCatchAll = false
        }
        // Names may have any characters, as in OpenAPI, except those that the grammar uses.
        if start == end { throw Self.refused(source, "a parameter has no name") }
        for byte in text[start..<end] where byte == UInt8(ascii: "{") || byte == UInt8(ascii: "*") || byte == 0x20 {
            throw Self.refused(
                source,
                "the parameter name \"\(Bytes(text[start..<end]).printable)\" contains a character that templates reserve")
        }
        if !isFirst {
            if isCatchAll { throw Self.refused(source, Self.notWhole) }
            if parts.last?.kind == .parameter { throw Self.refused(source, "two parameters need a literal between them") }
        }
        add(isCatchAll ? .catchAll : .parameter, start, end, isLast: false)
        if isCatchAll && !isEnd { throw Self.refused(source, Self.notWhole) }
    }

    private static let notWhole: Bytes = "a value of several segments must fill whole segments"

    /// Whether a name has the spelling of a value of several segments.
    static func takesSegments(_ name: ArraySlice<UInt8>) -> Bool {
        name.suffix(3).elementsEqual(repeatElement(UInt8(ascii: "."), count: 3))
    }
    static func takesSegments(_ name: Bytes) -> Bool { takesSegments(name.storage[...]) }
}

// MARK: - As values

extension Template {
    /// The segments; each access creates them again.
    public var segments: [Segment] {
        var segments: [Segment] = []
        var pieces: [Piece] = []
        for part in parts {
            let bytes = Bytes(text[part.range])
            switch part.kind {
            case .literal: pieces.append(.literal(bytes))
            case .parameter: pieces.append(.parameter(bytes))
            case .catchAll: pieces.append(.catchAll(bytes))
            }
            if part.isLast {
                segments.append(Segment(pieces: pieces))
                pieces = []
            }
        }
        return segments
    }

    /// The names of the parameters, from left to right.
    public var parameterNames: [Bytes] {
        var names: [Bytes] = []
        for part in parts where part.kind != .literal { names.append(Bytes(text[part.range])) }
        return names
    }

    /// Whether it was parsed from this text.
    func isOf(_ source: Bytes) -> Bool {
        sourceCount == source.count && (text == source.storage || text.starts(with: source.storage))
    }
}
