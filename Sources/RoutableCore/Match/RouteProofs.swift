// Proves facts about the segments that two edges match; the work is bounded.
//
// One object for all edges of a router: the values that a scalar lists are collected once, and every comparison counts
// as steps, so that the time for opening any description is bounded.

/// Compares the symbols of one graph.  A result may be "not proved" although it is true, never the reverse.
final class RouteProofs {
    /// The values that a scalar lists and accepts.
    struct Listing {
        let values: [Bytes]
        fileprivate let set: Set<Bytes>
    }

    private enum Known { case unknown, unlisted, listed(Listing) }

    private let patterns: [SegmentPattern]
    private let scalars: [Scalar]
    private let symbols: SymbolTable
    private var listings: [Known]
    private var steps: Int

    /// The steps that count for a match of a regular expression, and the match limit of each one.
    private static let (patternSteps, patternLimit): (Int, UInt32) = (256, 10_000)

    init(_ symbols: SymbolTable, steps: Int) {
        self.symbols = symbols
        patterns = symbols.patterns
        scalars = symbols.scalars
        listings = [Known](repeating: .unknown, count: symbols.scalars.count)
        self.steps = steps
    }

    /// Whether the steps are used up; nothing further is compared.
    var isExhausted: Bool { steps < 0 }

    func charge(_ count: Int) { steps &-= count }

    func scalar(_ index: Int) -> Scalar { scalars[index] }

    // MARK: - Scalars

    /// The values that a scalar lists, if they are few enough to list.
    func listing(_ index: Int) -> Listing? {
        switch listings[index] {
        case .unlisted: return nil
        case .listed(let known): return known
        case .unknown: break
        }
        var rules = scalars[index]
        let values: [Bytes] = rules.values.isEmpty && rules.kind == .boolean ? ["true", "false"] : rules.values
        if values.isEmpty {
            listings[index] = .unlisted
            return nil
        }
        rules.values = []
        let accepted = values.filter { mayAccept(rules, $0) }
        let listing = Listing(values: accepted, set: Set(accepted))
        listings[index] = .listed(listing)
        return listing
    }

    /// Whether a scalar accepts a string; undecided if a regular expression would need a long search.
    private func verdict(_ scalar: Scalar, _ text: Bytes) -> Pattern.Verdict {
        steps &-= 1
        guard let pattern = scalar.pattern else {
            return text.storage.withUnsafeBytes { scalar.refusal(of: $0) } == nil ? .matches : .differs
        }
        var rest = scalar
        rest.pattern = nil
        if verdict(rest, text) == .differs { return .differs }
        steps &-= Self.patternSteps
        return text.storage.withUnsafeBytes { pattern.matches($0, limit: Self.patternLimit) }
    }

    private func mayAccept(_ scalar: Scalar, _ text: Bytes) -> Bool { verdict(scalar, text) != .differs }

    private func mayAccept(_ index: Int, _ text: Bytes) -> Bool {
        steps &-= 1
        if let listing = listing(index) { return listing.set.contains(text) }
        return mayAccept(scalars[index], text)
    }

    private func accepts(_ index: Int, _ text: Bytes) -> Bool {
        steps &-= 1
        if let listing = listing(index) { return listing.set.contains(text) && scalars[index].pattern == nil }
        return verdict(scalars[index], text) == .matches
    }

    /// Whether it is proved that no text is a value of both.
    private func isDisjoint(_ left: Int, _ right: Int) -> Bool {
        steps &-= 1
        if let listing = listing(left) { return !listing.values.contains { mayAccept(right, $0) } }
        if let listing = listing(right) { return !listing.values.contains { mayAccept(left, $0) } }
        return scalars[left].isDisjoint(from: scalars[right])
    }

    /// Whether it is proved that `right` accepts all strings that `left` accepts.
    func isPart(_ left: Int, of right: Int) -> Bool {
        steps &-= 1
        if let listing = listing(left) { return listing.values.allSatisfy { accepts(right, $0) } }
        return scalars[left].isPart(of: scalars[right])
    }

    // MARK: - Symbols

    /// Whether some segment may match both symbols; true unless the contrary is proved.  Not for catch-alls.
    func mayOverlap(_ left: SymbolID, _ right: SymbolID) -> Bool {
        steps &-= 1
        if left == right { return true }
        switch (left.isLiteral, right.isLiteral) {
        case (true, true): return false
        case (true, false): return fits(patterns[right.index], symbols.literal(left.index))
        case (false, true): return fits(patterns[left.index], symbols.literal(right.index))
        case (false, false): return mayOverlap(patterns[left.index], patterns[right.index])
        }
    }

    private func mayOverlap(_ left: SegmentPattern, _ right: SegmentPattern) -> Bool {
        if left.rank == .empty || right.rank == .empty { return left.rank == right.rank }
        if case .parameter(let leftScalar)? = left.onlyPiece {
            if case .parameter(let rightScalar)? = right.onlyPiece { return !isDisjoint(leftScalar, rightScalar) }
            return mayTake(leftScalar, right)
        }
        if case .parameter(let rightScalar)? = right.onlyPiece { return mayTake(rightScalar, left) }
        let (leftFirst, rightFirst) = (left.edge(first: true), right.edge(first: true))
        if !leftFirst.hasPrefix(rightFirst) && !rightFirst.hasPrefix(leftFirst) { return false }
        let (leftLast, rightLast) = (left.edge(first: false), right.edge(first: false))
        return leftLast.hasSuffix(rightLast) || rightLast.hasSuffix(leftLast)
    }

    private func mayTake(_ scalar: Int, _ mixed: SegmentPattern) -> Bool {
        if let listing = listing(scalar) {
            // A path may contain the delimiters of a value unescaped or escaped.
            return listing.values.contains {
                fits(mixed, $0) || fits(mixed, PathLiteral.canonical(PercentCoding.encode($0, .unreserved)))
            }
        }
        let scalar = scalars[scalar]
        for case .literal(let text) in mixed.pieces
        where PathLiteral.decoded(text).storage.contains(where: { !scalar.canContain($0) }) {
            return false
        }
        return true
    }

    /// Whether a pattern may match a segment in the spelling of `PathLiteral`, by the same rules as the search.
    private func fits(_ pattern: SegmentPattern, _ text: Bytes) -> Bool {
        steps &-= 1
        if text.isEmpty || pattern.rank == .empty { return text.isEmpty && pattern.rank == .empty }
        if case .parameter(let scalar)? = pattern.onlyPiece { return mayAccept(scalar, PathLiteral.decoded(text)) }
        let pieces = pattern.pieces
        var position = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                // A literal after a parameter was already found together with it.
                if index == 0 {
                    guard text.hasPrefix(literal) else { return false }
                    position = literal.count
                }
            case .parameter(let scalar):
                var end = text.count
                var next = end
                if index &+ 1 < pieces.count, case .literal(let literal) = pieces[index &+ 1] {
                    if index &+ 2 == pieces.count {
                        guard text.hasSuffix(literal) else { return false }
                        end = text.count &- literal.count
                        next = text.count
                    } else {
                        end = position &+ 1
                        while end &+ literal.count <= text.count,
                            !text.storage[end..<(end &+ literal.count)].elementsEqual(literal.storage)
                        {
                            steps &-= 1 &+ literal.count / 64
                            end &+= 1
                        }
                        guard end &+ literal.count <= text.count else { return false }
                        next = end &+ literal.count
                    }
                }
                guard end > position, mayAccept(scalar, PathLiteral.decoded(Bytes(text.storage[position..<end]))) else {
                    return false
                }
                position = next
            }
        }
        return position == text.count
    }
}

extension SegmentPattern {
    var onlyPiece: Piece? { pieces.count == 1 ? pieces.first : nil }

    /// The literal that a mixed pattern begins or ends with; empty for a parameter.
    func edge(first: Bool) -> Bytes {
        if case .literal(let text)? = first ? pieces.first : pieces.last { return text }
        return Bytes()
    }
}
