// A matcher that is slow and plain: every walk of the description that fits is listed, then the best is
// chosen by comparing patterns level by level.  It shares with the engine the meaning of one scalar, the parsing of
// templates and nothing else.

@testable import RoutableCore

struct NaiveMatcher {
    /// What was taken at one level.
    struct Level: Equatable {
        /// 0 literal, 1 mixed, 2 constrained, 3 plain, 4 and 5 catch-alls.
        var rank: Int
        var weight: Int
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
    private let freeOperations: [OperationEntry]

    init(_ router: Router) {
        description = router.description
        resources = router.resources
        freeOperations = router.operations
    }

    // MARK: - Paths

    /// A segment with where each of its decoded bytes stands.
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

    /// All walks that take the whole path.
    func candidates(_ path: [UInt8]) -> [Candidate] {
        guard let segments = Self.segments(path) else { return [] }
        var found: [Candidate] = []
        for operation in freeOperations { finish(operation, Walk(), segments, firstParameter: 0, &found) }
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
        if hasOperations {
            for operation in resource.operations where operation.description.place == .collection {
                finish(operation, walk, segments, firstParameter: 0, &found)
            }
        }
        let capture = Capture(offset: 0, length: 0, resource: Int32(resource.index), parameter: -1)
        guard hasMembers, take(resource.description.id.scalar, capture, &walk, segments) else { return }
        for operation in resource.operations where operation.description.place == .member {
            finish(operation, walk, segments, firstParameter: 1, &found)
        }
        for child in resource.children {
            collection(
                resources[child], walk, segments, hasOperations: true, hasMembers: !resources[child].description.isShallow,
                &found)
        }
    }

    private func finish(
        _ operation: OperationEntry, _ walk: Walk, _ segments: [Segment], firstParameter: Int,
        _ found: inout [Candidate]
    ) {
        var walk = walk
        var parameter = firstParameter
        for segment in operation.template.segments {
            if let literal = segment.literal {
                guard take(literal: literal.storage, &walk, segments) else { return }
                continue
            }
            let scalars = operation.parameters[parameter..<(parameter + segment.parameterCount)].map(\.description.scalar)
            guard take(segment, scalars, parameter, &walk, segments) else { return }
            parameter += scalars.count
        }
        if operation.template.hasTrailingSlash { guard take(literal: [], &walk, segments) else { return } }
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

    private func take(_ scalar: Scalar, _ capture: Capture, _ walk: inout Walk, _ segments: [Segment]) -> Bool {
        guard walk.index < segments.count else { return false }
        let segment = segments[walk.index]
        guard !segment.bytes.isEmpty, fits(scalar, segment.bytes) else { return false }
        walk.levels.append(Level(rank: scalar.isPlain ? 3 : 2, weight: 0, pattern: pattern(scalar)))
        add(capture, segment.start, segment.end, &walk)
        walk.index += 1
        return true
    }

    private func take(
        _ template: Template.Segment, _ scalars: [Scalar], _ parameter: Int, _ walk: inout Walk, _ segments: [Segment]
    ) -> Bool {
        guard walk.index < segments.count else { return false }
        let capture = Capture(offset: 0, length: 0, resource: -1, parameter: Int32(parameter))
        if template.pieces.count == 1 {
            guard case .catchAll = template.pieces[0] else { return take(scalars[0], capture, &walk, segments) }
            let rest = segments[walk.index...]
            guard rest.allSatisfy({ !$0.bytes.isEmpty }), let last = rest.last else { return false }
            guard fits(scalars[0], Array(rest.map(\.bytes).joined(separator: [0x2F]))) else { return false }
            walk.levels.append(Level(rank: scalars[0].isPlain ? 5 : 4, weight: 0, pattern: pattern(scalars[0])))
            add(capture, segments[walk.index].start, last.end, &walk)
            walk.index = segments.count
            return true
        }
        let segment = segments[walk.index]
        guard let cuts = cuts(template.pieces[...], segment.bytes, 0) else { return false }
        var literals: [String] = []
        var weight = 0
        var scalar = 0
        for (piece, cut) in zip(template.pieces, cuts) {
            if case .literal(let text) = piece {
                literals.append("=\(text)")
                weight += text.count
                continue
            }
            guard fits(scalars[scalar], Array(segment.bytes[cut])) else { return false }
            literals.append(pattern(scalars[scalar]))
            var next = capture
            next.parameter += Int32(scalar)
            add(next, segment.offsets[cut.lowerBound], segment.offsets[cut.upperBound], &walk)
            scalar += 1
        }
        walk.levels.append(Level(rank: 1, weight: weight, pattern: literals.joined(separator: "|")))
        walk.index += 1
        return true
    }

    /// The first of all ways to cut a text into pieces, shorter parameters before longer ones.
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

    /// Whether `left` is the better one; nil when nothing but a conflict could tell.
    private static func isBetter(_ left: Candidate, _ right: Candidate) -> Bool? {
        for (mine, other) in zip(left.levels, right.levels) where mine != other {
            if mine.rank != other.rank { return mine.rank < other.rank }
            if mine.weight != other.weight { return mine.weight > other.weight }
            return left.priority == right.priority ? nil : left.priority > right.priority
        }
        // A catch-all ends the levels of one side only where it was met above.
        return nil
    }

    struct Answer: Equatable {
        var candidates: [(method: String, operation: String, captures: [Capture])]
        /// Two that the engine should have refused.
        var isAmbiguous = false
        /// One operation by two walks, between which the priorities of other operations decide.
        var isOpen = false

        static func == (left: Answer, right: Answer) -> Bool {
            left.candidates.elementsEqual(right.candidates) { $0 == $1 } && left.isAmbiguous == right.isAmbiguous
        }
    }

    /// All operations of the node that answers.
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
