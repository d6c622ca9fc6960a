// Routes that are declared with a pattern or a template.

public import RoutableCore

/// A parameter of a template that does not accept every string.
public struct TypedId {
    /// The name of the value.
    public var name: Bytes
    /// The type of the value.
    public var scalar: Scalar
    /// Creates a parameter of a path.
    public init(_ name: Bytes, _ scalar: Scalar) {
        self.name = name
        self.scalar = scalar
    }
}

/// A compiled pattern or template.
struct TextRoute {
    enum Source {
        case pattern(Bytes)
        case template(Bytes, [TypedId])
    }

    enum Matcher {
        /// A single text, which is the prefix.
        case literal
        case pattern(Pattern, [(name: Text, group: Int)])
        case template(TemplateMatch)
    }

    let source: Source
    /// Whether the source is appended to that of the parent route, which is not known yet.
    let isOpen: Bool
    /// The prefix of every path that matches; for a literal, the whole path.
    let prefix: Bytes
    /// The suffix of every path that matches, after the prefix.
    let suffix: Bytes
    let matcher: Matcher

    var isTemplate: Bool { if case .template = matcher { true } else { false } }

    /// Compiles a route.  Failures: `document` and `limit`, with the name of the presenter.
    @inline(never) init(_ source: Source, isOpen: Bool, _ presenter: Text) throws(Failure) {
        self.source = source
        self.isOpen = isOpen
        do throws(Failure) {
            switch source {
            case .pattern(let pattern):
                let literal = LiteralText(pattern)
                prefix = literal.prefix
                suffix = literal.suffix
                if literal.isWhole && UTF8Check.isValid(prefix) {
                    matcher = .literal
                } else {
                    let compiled = try Pattern.compile(pattern)
                    matcher = .pattern(compiled, compiled.groupNames.map { (Text($0.name), $0.group) })
                }
            case .template(let text, let ids):
                let match = try Self.match(text, ids)
                prefix = match.prefix
                suffix = match.suffix
                matcher = .template(match)
            }
        } catch {
            throw error.about(presenter: presenter)
        }
    }

    private static func match(_ text: Bytes, _ ids: [TypedId]) throws(Failure) -> TemplateMatch {
        let template = try Template(text)
        let names = template.parameterNames
        var parameters = names.map { (name: Text($0), scalar: Scalar()) }
        for id in ids {
            guard let index = names.firstIndex(of: id.name) else {
                throw Failure.unknownName(.document, "the template has no parameter", id.name, among: names)
            }
            parameters[index].scalar = id.scalar
        }
        return TemplateMatch(template: template, parameters: parameters)
    }

    /// The same route, appended to its parent route.
    @inline(never) func under(_ parent: TextRoute, _ presenter: Text) throws(Failure) -> TextRoute {
        let joined: Source
        switch (parent.source, source) {
        case (.pattern(let first), .pattern(let second)):
            // Each part is grouped, so that alternatives do not extend into the other part.
            let areTexts = LiteralText(first).isWhole && LiteralText(second).isWhole
            joined = .pattern(areTexts ? literalJoin(parent) : "(?:\(first))/(?:\(second))")
        case (.template(let first, let ids), .template(var second, let ownIds)):
            var start = first
            if start.storage.last == UInt8(ascii: "/") { start.storage.removeLast() }
            if second.storage.first == UInt8(ascii: "/") { second.storage.removeFirst() }
            joined = .template("\(start)/\(second)", ids + ownIds)
        default:
            throw Failure(
                .document,
                "a relative pattern must be below a pattern, and a template below a template"
            ).about(presenter: presenter)
        }
        return try TextRoute(joined, isOpen: parent.isOpen, presenter)
    }

    private func literalJoin(_ parent: TextRoute) -> Bytes {
        LiteralText.escaped("\(parent.prefix)/\(prefix)")
    }

    /// The captures of a path that begins with the prefix, or nil if it does not match.
    ///
    /// - Throws: `limit`, if a pattern exceeds its step limit for the path.
    func captures(_ path: Bytes, _ presenter: Text) throws(Failure) -> [NamedCapture]? {
        switch matcher {
        case .literal: return []
        case .template(let match): return path.storage.withUnsafeBytes { match.captures($0) }
        case .pattern(let pattern, let names):
            // Most patterns have no named groups, and most paths do not match: a match without groups is cheaper and is tried first.
            var verdict = path.storage.withUnsafeBytes { pattern.matches($0) }
            guard verdict == .matches else {
                if verdict == .limitReached { throw Self.gaveUp(pattern, presenter) }
                return nil
            }
            if names.isEmpty { return [] }
            let ranges: [Range<Int>?]
            (verdict, ranges) = path.storage.withUnsafeBytes { pattern.groups(of: $0) }
            var found: [NamedCapture] = []
            for (name, group) in names {
                guard group < ranges.count, let range = ranges[group] else { continue }
                found.append(NamedCapture(name: name, text: Text(Bytes(path.storage[range])), kind: .string))
            }
            return found
        }
    }

    @inline(never) private static func gaveUp(_ pattern: Pattern, _ presenter: Text) -> Failure {
        Failure(.limit, "the pattern \"\(pattern.source.printable)\" exceeded its step limit for the path").about(
            presenter: presenter)
    }
}
