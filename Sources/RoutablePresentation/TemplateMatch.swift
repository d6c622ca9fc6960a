// Matches a path against one template, by the rules of a router, without its graph.

internal import RoutableCore

/// A template with the types of its parameters.  Immutable.
struct TemplateMatch {
    private let segments: [Template.Segment]
    private let hasTrailingSlash: Bool
    /// In the order of the parameters in the template.
    let parameters: [(name: Text, scalar: Scalar)]

    init(template: Template, parameters: [(name: Text, scalar: Scalar)]) {
        segments = template.segments
        hasTrailingSlash = template.hasTrailingSlash
        self.parameters = parameters
    }

    /// The prefix of every path that matches, if the path has neither escapes nor a leading slash.
    var prefix: Bytes {
        var result = Bytes()
        for (index, segment) in segments.enumerated() {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            guard let literal = segment.literal else {
                if case .literal(let start)? = segment.pieces.first { result.append(start) }
                return result
            }
            result.append(literal)
        }
        return result
    }

    /// The suffix of every path that matches, under the same condition, if the template has a parameter.
    var suffix: Bytes {
        var result: Bytes = hasTrailingSlash ? "/" : ""
        for segment in segments.reversed() {
            guard let literal = segment.literal else {
                if case .literal(let end)? = segment.pieces.last { result = "\(end)\(result)" }
                return result
            }
            result = "/\(literal)\(result)"
        }
        return Bytes()
    }

    /// The values of the parameters, or nil if the path does not match.  The path must be UTF-8.
    @inline(never) func captures(_ path: UnsafeRawBufferPointer) -> [NamedCapture]? {
        var start = path.first == UInt8(ascii: "/") ? 1 : 0
        var end = path.count
        let isRoot = start == end
        if hasTrailingSlash && !isRoot {
            guard path.last == UInt8(ascii: "/") else { return nil }
            end &-= 1
        }
        var found: [NamedCapture] = []
        for segment in segments {
            guard start < end else { return nil }
            if case .catchAll? = segment.pieces.first {
                guard let pieces = wholeSegments(path, start, end), take(pieces, &found) else { return nil }
                return found
            }
            var stop = start
            while stop < end && path[stop] != UInt8(ascii: "/") { stop &+= 1 }
            // The segment in the spelling of literals, in which a delimiter and its escape differ.
            let text = PathLiteral.canonical(Bytes(UnsafeRawBufferPointer(rebasing: path[start..<stop])))
            guard !text.isEmpty, fits(segment, text, &found) else { return nil }
            // No slash follows the last segment.
            start = stop &+ 1
        }
        return segments.isEmpty ? (isRoot ? found : nil) : (start == end &+ 1 ? found : nil)
    }

    private func decoded(_ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bytes {
        let part = UnsafeRawBufferPointer(rebasing: path[start..<end])
        return part.contains(UInt8(ascii: "%")) ? PercentCoding.decode(part) : Bytes(part)
    }

    /// The rest of the path, decoded; nil if one of its segments is empty.
    private func wholeSegments(_ path: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bytes? {
        var isAfterSlash = true
        for byte in path[start..<end] {
            let isSlash = byte == UInt8(ascii: "/")
            if isSlash && isAfterSlash { return nil }
            isAfterSlash = isSlash
        }
        return isAfterSlash ? nil : decoded(path, start, end)
    }

    /// Matches a mixed segment: each literal at the leftmost offset that leaves each parameter at least one byte; the last literal ends the segment.
    private func fits(_ segment: Template.Segment, _ text: Bytes, _ found: inout [NamedCapture]) -> Bool {
        if let literal = segment.literal { return literal == text }
        let bytes = text.storage
        var position = 0
        var opened: Int?
        for (index, piece) in segment.pieces.enumerated() {
            guard case .literal(let literal) = piece else {
                opened = position
                continue
            }
            let isLast = index &+ 1 == segment.pieces.count
            guard let from = opened else {
                // Only a literal at the beginning has no parameter before it.
                guard text.hasPrefix(literal) else { return false }
                position = literal.count
                continue
            }
            var place = isLast ? bytes.count &- literal.count : from &+ Self.width(bytes, from)
            guard place > from, !Self.isInEscape(bytes, place) else { return false }
            while !matches(literal.storage, bytes, place) {
                place &+= Self.width(bytes, place)
                guard place &+ literal.count <= bytes.count else { return false }
            }
            guard take(PathLiteral.decoded(Bytes(bytes[from..<place])), &found) else { return false }
            position = place &+ literal.count
            opened = nil
        }
        guard let from = opened else { return position == bytes.count }
        return from < bytes.count && take(PathLiteral.decoded(Bytes(bytes[from...])), &found)
    }

    /// The length of one byte of a value in the text: three for an escape.
    private static func width(_ bytes: [UInt8], _ index: Int) -> Int {
        index < bytes.count && bytes[index] == UInt8(ascii: "%") ? 3 : 1
    }

    private static func isInEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
        let percent = UInt8(ascii: "%")
        return index > 0 && bytes[index &- 1] == percent || index > 1 && bytes[index &- 2] == percent
    }

    private func matches(_ literal: [UInt8], _ bytes: [UInt8], _ place: Int) -> Bool {
        guard place &+ literal.count <= bytes.count else { return false }
        return bytes[place..<(place &+ literal.count)].elementsEqual(literal)
    }

    /// Adds the value of the next parameter, if its type accepts it.
    private func take(_ value: Bytes, _ found: inout [NamedCapture]) -> Bool {
        guard found.count < parameters.count, UTF8Check.isValid(value) else { return false }
        let (name, scalar) = parameters[found.count]
        guard value.storage.withUnsafeBytes({ scalar.refusal(of: $0) }) == nil else { return false }
        found.append(NamedCapture(name: name, text: Text(value), kind: scalar.kind))
        return true
    }
}
