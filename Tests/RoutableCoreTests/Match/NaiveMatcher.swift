// A slow and simple matcher: it lists all walks of the description that match, and selects the best one
// by comparing patterns level by level.  It shares only the semantics of a scalar and the parsing of
// templates with the engine.

@testable import RoutableCore

struct NaiveMatcher {
    /// The part of the path that was matched at one level.
    struct Level: Equatable {
        /// 0 literal, 1 mixed, 2 constrained, 3 plain, 4 and 5 values of several segments, 6 an empty value.
        var rank: Int
        var weight: Int
        /// The number of matched segments.
        var extent = 1
        /// Equal for equal patterns.
        var pattern: String
    }

    struct Candidate {
        var levels: [Level]
        var captures: [Capture]
        var method: String
        var operation: String
        var priority: Int
    }

    private let description: RouterDescription
    private let resources: [ResourceEntry]
    private let standaloneOperations: [OperationEntry]

    init(_ router: Router) {
        description = router.description
        resources = router.resources
        standaloneOperations = router.operations
    }

    // MARK: - Paths

    /// A segment with the offset of each of its decoded bytes.
    private struct Segment {
        var bytes: [UInt8] = []
        var offsets: [Int] = []
        var start = 0
        var end = 0
    }

    private static func segments(_ path: [UInt8]) -> [Segment]? {
        if path.isEmpty || path == [0x2F] { return [] }
        guard path[0] == 0x2F else { return nil }
        var result: [Segment] = []
        var current = Segment(start: 1, end: 1)
        var index = 1
        while index < path.count {
            if path[index] == 0x2F {
                current.end = index
                result.append(current)
                current = Segment(start: index + 1, end: index + 1)
                index += 1
                continue
            }
            current.offsets.append(index)
            if path[index] == 0x25, index + 2 < path.count,
                let byte = UInt8(String(decoding: path[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
                path[index + 1] != 0x2B, path[index + 1] != 0x2D
            {
                current.bytes.append(byte)
                index += 3
            } else {
                current.bytes.append(path[index])
                index += 1
            }
        }
        current.end = path.count
        result.append(current)
        return result.map { segment in
            var segment = segment
            segment.offsets.append(segment.end)
            return segment
        }
    }

    // MARK: - Walks

    private struct Walk {
        var index = 0
        var levels: [Level] = []
        var captures: [Capture] = []
    }

    /// All walks that match the whole path.
    func candidates(_ path: [UInt8]) -> [Candidate] {
        guard let segments = Self.segments(path) else { return [] }
        var found: [Candidate] = []
        for operation in standaloneOperations { finish(operation, Walk(), segments, firstParameter: 0, &found) }
        for resource in resources {
            if resource.isRoot {
                collection(resource, Walk(), segments, hasOperations: true, hasMembers: true, &found)
            } else if resource.hasRootMembers {
                collection(resource, Walk(), segments, hasOperations: false, hasMembers: true, &found)
            }
        }
        return found
    }

    private func collection(
        _ resource: ResourceEntry, _ walk: Walk, _ segments: [Segment], hasOperations: Bool, hasMembers: Bool,
        _ found: inout [Candidate]
    ) {
        var walk = walk
        for literal in resource.segments { guard take(literal: literal.storage, &walk, segments) else { return } }
        let ids = resource.description.ids
        var walks = [walk]
        for (index, id) in ids.enumerated() {
            if index == ids.count - 1 && hasOperations {
                for operation in resource.operations where operation.description.place == .collection {
                    for walk in walks { finish(operation, walk, segments, firstParameter: ids.count - 1, &found) }
                }
            }
            if index == ids.count - 1 && !hasMembers { return }
            let capture = Capture(offset: 0, length: 0, resource: Int32(resource.index), parameter: Int32(index))
            walks = walks.flatMap { take(id, capture, $0, segments) }
        }
        for walk in walks {
            for operation in resource.operations where operation.description.place == .member {
                finish(operation, walk, segments, firstParameter: ids.count, &found)
            }
            for child in resource.children {
                collection(
                    resources[child], walk, segments, hasOperations: true,
                    hasMembers: !resources[child].description.isShallow, &found)
            }
        }
    }

    private func finish(
        _ operation: OperationEntry, _ walk: Walk, _ segments: [Segment], firstParameter: Int,
        _ found: inout [Candidate]
    ) {
        var walks = [walk]
        var parameter = firstParameter
        for segment in operation.template.segments {
            if let literal = segment.literal {
                walks = walks.compactMap { walk in
                    var walk = walk
                    return take(literal: literal.storage, &walk, segments) ? walk : nil
                }
                continue
            }
            let declared = operation.parameters[parameter..<(parameter + segment.parameterCount)].map(\.description)
            walks = walks.flatMap { take(segment, declared, parameter, $0, segments) }
            parameter += declared.count
        }
        if operation.template.hasTrailingSlash {
            walks = walks.compactMap { walk in
                var walk = walk
                return take(literal: [], &walk, segments) ? walk : nil
            }
        }
        for walk in walks { end(operation, walk, segments, &found) }
    }

    private func end(_ operation: OperationEntry, _ walk: Walk, _ segments: [Segment], _ found: inout [Candidate]) {
        guard walk.index == segments.count, walk.captures.count <= 32 else { return }
        let resource = operation.resource.map { "\(resources[$0].name.bytes) " } ?? ""
        found.append(
            Candidate(
                levels: walk.levels, captures: walk.captures, method: operation.method.bytes.string,
                operation: resource + operation.name.bytes.string, priority: operation.description.priority))
    }

    // MARK: - Segments

    private func take(literal: [UInt8], _ walk: inout Walk, _ segments: [Segment]) -> Bool {
        guard walk.index < segments.count, segments[walk.index].bytes == literal else { return false }
        walk.index += 1
        walk.levels.append(Level(rank: 0, weight: 0, pattern: Bytes(literal).string))
        return true
    }

    /// All ways to match a value that is not a part of a segment.
    private func take(
        _ parameter: ParameterDescription, _ capture: Capture, _ walk: Walk, _ segments: [Segment]
    ) -> [Walk] {
        guard walk.index < segments.count else { return [] }
        let scalar = parameter.scalar
        let segment = segments[walk.index]
        if segment.bytes.isEmpty {
            guard parameter.allowsEmpty else { return [] }
            return [taken(capture, Level(rank: 6, weight: 0, pattern: ""), walk, segments)]
        }
        var walks: [Walk] = []
        for extent in 1...(parameter.takesSegments ? segments.count - walk.index : 1) {
            let range = segments[walk.index..<(walk.index + extent)]
            guard range.allSatisfy({ !$0.bytes.isEmpty }) else { break }
            guard fits(scalar, Array(range.map(\.bytes).joined(separator: [0x2F]))) else { continue }
            let rank = (scalar.isPlain ? 3 : 2) + (parameter.takesSegments ? 2 : 0)
            walks.append(taken(capture, Level(rank: rank, weight: 0, extent: extent, pattern: pattern(scalar)), walk, segments))
        }
        return walks
    }

    private func taken(_ capture: Capture, _ level: Level, _ walk: Walk, _ segments: [Segment]) -> Walk {
        var walk = walk
        walk.levels.append(level)
        add(capture, segments[walk.index].start, segments[walk.index + level.extent - 1].end, &walk)
        walk.index += level.extent
        return walk
    }

    private func take(
        _ template: Template.Segment, _ declared: [ParameterDescription], _ parameter: Int, _ walk: Walk, _ segments: [Segment]
    ) -> [Walk] {
        guard walk.index < segments.count else { return [] }
        let capture = Capture(offset: 0, length: 0, resource: -1, parameter: Int32(parameter))
        if template.pieces.count == 1 { return take(declared[0], capture, walk, segments) }
        var walk = walk
        let scalars = declared.map(\.scalar)
        let segment = segments[walk.index]
        guard let cuts = cuts(template.pieces[...], segment.bytes, 0) else { return [] }
        var literals: [String] = []
        var weight = 0
        var scalar = 0
        for (piece, cut) in zip(template.pieces, cuts) {
            if case .literal(let text) = piece {
                literals.append("=\(text)")
                weight += text.count
                continue
            }
            guard fits(scalars[scalar], Array(segment.bytes[cut])) else { return [] }
            literals.append(pattern(scalars[scalar]))
            var next = capture
            next.parameter += Int32(scalar)
            add(next, segment.offsets[cut.lowerBound], segment.offsets[cut.upperBound], &walk)
            scalar += 1
        }
        walk.levels.append(Level(rank: 1, weight: weight, pattern: literals.joined(separator: "|")))
        walk.index += 1
        return [walk]
    }

    /// The first of all ways to split a string into pieces, with shorter parameters before longer ones.
    private func cuts(_ pieces: ArraySlice<Template.Piece>, _ text: [UInt8], _ start: Int) -> [Range<Int>]? {
        guard let piece = pieces.first else { return start == text.count ? [] : nil }
        if case .literal(let literal) = piece {
            let end = start + literal.count
            guard end <= text.count, Array(text[start..<end]) == literal.storage,
                let rest = cuts(pieces.dropFirst(), text, end)
            else { return nil }
            return [start..<end] + rest
        }
        for end in (start + 1)..<(text.count + 1) where end <= text.count {
            if let rest = cuts(pieces.dropFirst(), text, end) { return [start..<end] + rest }
        }
        return nil
    }

    private func add(_ capture: Capture, _ start: Int, _ end: Int, _ walk: inout Walk) {
        var capture = capture
        capture.offset = UInt32(start)
        capture.length = UInt32(end - start)
        walk.captures.append(capture)
    }

    private func fits(_ scalar: Scalar, _ text: [UInt8]) -> Bool {
        scalar.isPlain || UTF8Check.isValid(text) && text.withUnsafeBytes { scalar.refusal(of: $0) } == nil
    }

    private func pattern(_ scalar: Scalar) -> String {
        "\(scalar.kind) \(scalar.formatName ?? "") \(scalar.pattern?.source ?? "") \(scalar.values) \(scalar.minimumLength ?? -1) \(scalar.maximumLength ?? -1) \(scalar.minimum ?? -1) \(scalar.maximum ?? -1)"
    }

    // MARK: - Choice

    /// Whether `left` is better; nil if only a conflict could decide.
    private static func isBetter(_ left: Candidate, _ right: Candidate) -> Bool? {
        for (level, (mine, other)) in zip(left.levels, right.levels).enumerated() where mine != other {
            if mine.rank == other.rank, mine.weight == other.weight, mine.pattern == other.pattern {
                // One value of several segments: a walk that continues after it precedes one that ends with it; then the longer value precedes.
                let (isLeftEnd, isRightEnd) = (level == left.levels.count - 1, level == right.levels.count - 1)
                return isLeftEnd != isRightEnd ? isRightEnd : mine.extent > other.extent
            }
            if mine.rank != other.rank { return mine.rank < other.rank }
            if mine.weight != other.weight { return mine.weight > other.weight }
            return left.priority == right.priority ? nil : left.priority > right.priority
        }
        // A walk has more levels only after a value of several segments, which was compared above.
        return nil
    }

    struct Answer: Equatable {
        var candidates: [(method: String, operation: String, captures: [Capture])]
        /// Whether two walks are equally good, which the engine should have refused.
        var isAmbiguous = false
        /// Whether one operation matches by two walks, between which the priorities of other operations decide.
        var isOpen = false

        static func == (left: Answer, right: Answer) -> Bool {
            left.candidates.elementsEqual(right.candidates) { $0 == $1 } && left.isAmbiguous == right.isAmbiguous
        }
    }

    /// All operations of the node that matches.
    func answer(_ path: [UInt8]) -> Answer {
        let all = candidates(path)
        guard var best = all.first else { return Answer(candidates: []) }
        var isAmbiguous = false
        var isOpen = false
        for candidate in all.dropFirst() where candidate.levels != best.levels {
            switch Self.isBetter(candidate, best) {
            case true?: best = candidate
            case false?: break
            case nil where candidate.operation == best.operation: isOpen = true
            case nil: isAmbiguous = true
            }
        }
        let node = all.filter { $0.levels == best.levels }
        return Answer(candidates: node.map { ($0.method, $0.operation, $0.captures) }, isAmbiguous: isAmbiguous, isOpen: isOpen)
    }
}
