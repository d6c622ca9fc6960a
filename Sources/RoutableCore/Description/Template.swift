// Path templates: one grammar for declaring, building, matching and printing.
//
//     /gists/{id}    /gists/:id    {name}.json    {base}...{head}    files/{path*}    {{literal braces}}

/// A parsed path template: segments of literals and parameters.
public struct Template: Sendable {
    public enum Piece: Sendable, Equatable {
        /// Decoded text.
        case literal(Bytes)
        /// The name of a parameter that matches within one segment.
        case parameter(Bytes)
        /// The name of a parameter that matches one or more whole segments, at the end only.
        case catchAll(Bytes)
    }

    /// One segment: its pieces, literals and parameters in turn.
    public struct Segment: Sendable, Equatable {
        public var pieces: [Piece]

        public init(pieces: [Piece]) { self.pieces = pieces }

        public var literal: Bytes? {
            if pieces.count == 1, case .literal(let text)? = pieces.first { return text }
            return nil
        }
    }

    public var segments: [Segment] = []
    /// Whether the template ends in a slash, which is then part of the path.
    public var hasTrailingSlash = false

    /// The names of its parameters, from left to right.
    public var parameterNames: [Bytes] {
        segments.flatMap { segment in
            segment.pieces.compactMap { piece -> Bytes? in
                switch piece {
                case .literal: nil
                case .parameter(let name), .catchAll(let name): name
                }
            }
        }
    }

    /// Without segments.
    public init() {}

    /// Parses a template.  Failures have the status `document` and say what is wrong where.
    public init(_ source: Bytes) throws(Failure) {
        func refused(_ reason: Bytes) -> Failure {
            Failure(.document, "the path \"\(source.printable)\" is refused: \(reason)")
        }
        if !UTF8Check.isValid(source) { throw refused("it is not UTF-8") }
        for byte in source.storage where ASCII.isControl(byte) { throw refused("it has a control byte") }
        if source.storage.contains(UInt8(ascii: "?")) || source.storage.contains(UInt8(ascii: "#")) {
            throw refused("a query or a fragment is not part of a path; declare query parameters under \"query\"")
        }
        var text = source
        if text.storage.first == UInt8(ascii: "/") { text.storage.removeFirst() }
        if text.isEmpty { return }
        var pieces = text.split(on: UInt8(ascii: "/"))
        if pieces.last?.isEmpty == true {
            hasTrailingSlash = true
            pieces.removeLast()
        }
        for (index, piece) in pieces.enumerated() {
            if piece.isEmpty { throw refused("it has an empty segment") }
            if case .catchAll? = segments.last?.pieces.last { throw refused("a catch-all must be the last segment") }
            let segment = try Self.parse(piece, refused)
            if segment.literal == "." || segment.literal == ".." {
                throw refused("it has a \"\(piece)\" segment")
            }
            if case .catchAll? = segment.pieces.last, index &+ 1 < pieces.count || hasTrailingSlash {
                throw refused("a catch-all must be the last segment")
            }
            segments.append(segment)
        }
        var seen = Set<Bytes>()
        for name in parameterNames where !seen.insert(name).inserted {
            throw refused("the parameter \"\(name)\" occurs twice")
        }
        if parameterNames.count > Limits.idsPerRoute {
            throw Failure(.limit, "the path \"\(source.printable)\" has more than \(Limits.idsPerRoute) parameters")
        }
    }

    private static func parse(_ text: Bytes, _ refused: (Bytes) -> Failure) throws(Failure) -> Segment {
        let bytes = text.storage
        // Rails' spelling: a whole segment that is a colon and a name.
        if bytes.count > 1 && bytes[0] == UInt8(ascii: ":") && bytes[1...].allSatisfy(ASCII.isIdentifier) {
            return Segment(pieces: [.parameter(Bytes(bytes[1...]))])
        }
        var pieces: [Piece] = []
        var literal = Bytes()
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isDoubled = index &+ 1 < bytes.count && bytes[index &+ 1] == byte
            switch byte {
            case UInt8(ascii: "{") where !isDoubled:
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw refused("a \"{\" is not closed; a literal brace is written \"{{\"")
                }
                if !literal.isEmpty {
                    pieces.append(.literal(try decoded(literal, refused)))
                    literal = Bytes()
                }
                let piece = try parameter(Bytes(bytes[(index &+ 1)..<close]), refused)
                switch (pieces.last, piece) {
                case (.parameter?, .parameter): throw refused("two parameters need a literal between them")
                case (_?, .catchAll): throw refused("a catch-all is a whole segment")
                default: break
                }
                pieces.append(piece)
                index = close &+ 1
                if case .catchAll = piece, index < bytes.count { throw refused("a catch-all is a whole segment") }
                continue
            case UInt8(ascii: "}") where !isDoubled:
                throw refused("a \"}\" without its \"{\"; a literal brace is written \"}}\"")
            case UInt8(ascii: "{"), UInt8(ascii: "}"):
                literal.append(byte)
                index &+= 2
                continue
            default: literal.append(byte)
            }
            index &+= 1
        }
        if !literal.isEmpty { pieces.append(.literal(try decoded(literal, refused))) }
        return Segment(pieces: pieces)
    }

    /// A literal may be written percent-encoded; it is kept decoded.
    private static func decoded(_ literal: Bytes, _ refused: (Bytes) -> Failure) throws(Failure) -> Bytes {
        if !literal.storage.contains(UInt8(ascii: "%")) { return literal }
        for (index, byte) in literal.storage.enumerated() where byte == UInt8(ascii: "%") {
            guard index &+ 2 < literal.count, ASCII.hexValue(literal.storage[index &+ 1]) != nil,
                ASCII.hexValue(literal.storage[index &+ 2]) != nil
            else { throw refused("a \"%\" is written %25") }
        }
        let text = literal.storage.withUnsafeBytes { PercentCoding.decode($0) }
        if !UTF8Check.isValid(text) || text.storage.contains(where: { ASCII.isControl($0) }) {
            throw refused("an escape in it stands for a control byte or is not UTF-8")
        }
        return text
    }

    private static func parameter(_ text: Bytes, _ refused: (Bytes) -> Failure) throws(Failure) -> Piece {
        var name = text
        let isCatchAll = name.storage.last == UInt8(ascii: "*")
        if isCatchAll { name.storage.removeLast() }
        // Names are free text, as in OpenAPI, but for what the grammar itself uses.
        if name.isEmpty { throw refused("a parameter has no name") }
        for byte in name.storage where byte == UInt8(ascii: "{") || byte == UInt8(ascii: "*") || byte == 0x20 {
            throw refused("the parameter name \"\(name.printable)\" has a byte of the template grammar")
        }
        return isCatchAll ? .catchAll(name) : .parameter(name)
    }

    public var isCatchAll: Bool {
        if case .catchAll? = segments.last?.pieces.last { return true }
        return false
    }
}
