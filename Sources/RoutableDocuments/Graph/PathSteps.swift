// Reads the template of a path as the steps of a walk.  docs/openapi.md states the rules ("The graph of a document").

internal import RoutableCore

/// The steps that a path takes through the graph.
struct PathSteps {
    enum Step {
        /// A segment, and the name of its resource.
        case literal(name: Bytes, text: Bytes)
        /// The name of the parameter that fills a segment.
        case id(Bytes)
    }

    private(set) var steps: [Step] = []
    /// What follows a colon in the last segment: `/jobs/{id}:cancel`.
    private(set) var verb: Bytes?
    /// Why no walk takes this path.
    private(set) var reason: Bytes?

    init(_ template: Template) {
        if template.segmentCount > Self.longest {
            reason = "the path has more than \(Self.longest) segments"
            return
        }
        let segments = template.segments
        for (index, segment) in segments.enumerated() {
            if let found = step(segment, isLast: index &+ 1 == segments.count) {
                steps.append(found)
            } else {
                steps = []
                return
            }
        }
    }

    /// A longer path has no walk.
    static let longest = 64

    private mutating func step(_ segment: Template.Segment, isLast: Bool) -> Step? {
        var pieces = segment.pieces
        if isLast, case .literal(let text)? = pieces.last {
            let rest = withoutVerb(withoutExtension(text, isAlone: pieces.count == 1), isAlone: pieces.count == 1)
            pieces.removeLast()
            if !rest.isEmpty { pieces.append(.literal(rest)) }
        }
        if pieces.isEmpty || pieces == [.literal(Bytes())] {
            reason = "the path has an empty segment"
            return nil
        }
        if pieces.count == 1, case .literal(let text) = pieces[0] {
            return .literal(name: ResourceName.cut(text), text: text)
        }
        if pieces.count == 1, case .parameter(let name) = pieces[0] { return .id(name) }
        reason = "a segment of the path consists of a parameter and other text"
        return nil
    }

    private static let extensions: [Bytes] = [".json", ".xml", ".yaml", ".yml", ".csv", ".txt", ".html", ".pdf"]

    /// `users.json` are users.
    private func withoutExtension(_ text: Bytes, isAlone: Bool) -> Bytes {
        for ending in Self.extensions where text.hasSuffix(ending) && (!isAlone || text.count > ending.count) {
            return Bytes(text.storage.dropLast(ending.count))
        }
        return text
    }

    private mutating func withoutVerb(_ text: Bytes, isAlone: Bool) -> Bytes {
        guard let colon = text.storage.lastIndex(of: UInt8(ascii: ":")), colon &+ 1 < text.count, !isAlone || colon > 0 else {
            return text
        }
        verb = ResourceName.cut(Bytes(text.storage[(colon &+ 1)...]))
        return Bytes(text.storage[..<colon])
    }
}

/// The names of resources and operations that segments give.
enum ResourceName {
    /// The segment as it is where routes can contain it; otherwise with `_` for what they cannot.
    static func cut(_ text: Bytes) -> Bytes {
        Bytes(text.storage.map { isName($0) ? $0 : UInt8(ascii: "_") })
    }

    private static func isName(_ byte: UInt8) -> Bool {
        ASCII.isIdentifier(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "~") || byte >= 0x80
    }

    /// Whether a segment before all paths of a document says where the API is, and not what is in it: `api`, `v2`, `2010-04-01`.
    static func isPrefix(_ text: Bytes) -> Bool {
        if text == "api" || text == "rest" { return true }
        var rest = text.storage[...]
        let hasLetter = rest.first == UInt8(ascii: "v")
        if hasLetter { rest = rest.dropFirst() }
        guard let first = rest.first, ASCII.isDigit(first) else { return false }
        // `v1`, `v1beta1`, `2.0`, `2010-04-01`; a number alone is something else.
        let isDotted = rest.contains(UInt8(ascii: ".")) || rest.contains(UInt8(ascii: "-"))
        if hasLetter { return true }
        return isDotted && rest.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}
