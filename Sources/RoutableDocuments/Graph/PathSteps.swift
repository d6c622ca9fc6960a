// Converts the template of a path to the steps of a walk.  docs/openapi.md states the rules ("The graph of a document").

internal import RoutableCore

/// The steps of a path through the graph.
struct PathSteps {
    enum Step {
        /// A segment, and the name of its resource.
        case literal(name: Bytes, text: Bytes)
        /// The name of the parameter that is a whole segment.
        case id(Bytes)
    }

    private(set) var steps: [Step] = []
    /// The text after a colon in the last segment: `/jobs/{id}:cancel`.
    private(set) var verb: Bytes?
    /// The reason why the path has no walk.
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

    /// The maximum number of segments of a path with a walk.
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

    /// Removes an extension: `users.json` is `users`.
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

/// The names of resources and operations that are derived from segments.
enum ResourceName {
    /// The segment, with `_` for the bytes that a route cannot contain.
    static func cut(_ text: Bytes) -> Bytes {
        Bytes(text.storage.map { isName($0) ? $0 : UInt8(ascii: "_") })
    }

    private static func isName(_ byte: UInt8) -> Bool {
        ASCII.isIdentifier(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "~") || byte >= 0x80
    }

    /// Whether a segment at the start of all paths of a document is a prefix of the API and not a resource: `api`, `v2`, `2010-04-01`.
    static func isPrefix(_ text: Bytes) -> Bool {
        if text == "api" || text == "rest" { return true }
        var rest = text.storage[...]
        let hasLetter = rest.first == UInt8(ascii: "v")
        if hasLetter { rest = rest.dropFirst() }
        guard let first = rest.first, ASCII.isDigit(first) else { return false }
        // `v1`, `v1beta1`, `2.0`, `2010-04-01`; a plain number is not a version.
        let isDotted = rest.contains(UInt8(ascii: ".")) || rest.contains(UInt8(ascii: "-"))
        if hasLetter { return true }
        return isDotted && rest.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}
