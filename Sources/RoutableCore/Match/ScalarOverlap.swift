// What can be proved about two scalars: that no text fits both, or that one takes all that the other takes.
//
// Both err towards "not proved".  Two patterns at one place that are not proved apart need a priority.

extension Scalar {
    /// The texts that fit, where they are few enough to list.
    var listedValues: [Bytes]? {
        if values.isEmpty {
            guard kind == .boolean else { return nil }
            return [Bytes("true"), Bytes("false")].filter { accepts($0) }
        }
        return values.filter { accepts($0) }
    }

    func accepts(_ text: Bytes) -> Bool { text.storage.withUnsafeBytes { refusal(of: $0) } == nil }

    private var isNumeric: Bool { kind == .integer || kind == .number }

    /// The lengths in characters that a fitting text can have.
    private var lengths: ClosedRange<Int> {
        var low = max(minimumLength ?? 1, 1)
        var high = maximumLength ?? Int.max
        switch format {
        case nil: break
        case .uuid: (low, high) = (max(low, 36), min(high, 36))
        case .date: (low, high) = (max(low, 10), min(high, 10))
        case .dateTime: low = max(low, 20)
        }
        return low <= high ? low...high : low...low
    }

    /// Whether a byte can occur in a fitting text.
    func canContain(_ byte: UInt8) -> Bool {
        if isNumeric {
            if ASCII.isDigit(byte) || byte == UInt8(ascii: "-") { return true }
            return kind == .number && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e"))
        }
        switch format {
        case .uuid?: return ASCII.hexValue(byte) != nil || byte == UInt8(ascii: "-")
        case .date?: return ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        default: return true
        }
    }

    /// Whether it is proved that no text fits both.
    func isDisjoint(from other: Scalar) -> Bool {
        if let listed = listedValues { return !listed.contains { other.accepts($0) } }
        if let listed = other.listedValues { return !listed.contains { self.accepts($0) } }
        // No number is a UUID, a date or a time; and their lengths keep those three apart.
        if isNumeric && other.format != nil || other.isNumeric && format != nil { return true }
        if let format, let otherFormat = other.format, format != otherFormat { return true }
        if isNumeric && other.isNumeric {
            if let minimum, let maximum = other.maximum, maximum < minimum { return true }
            if let maximum, let minimum = other.minimum, maximum < minimum { return true }
        }
        return !lengths.overlaps(other.lengths)
    }

    /// Whether it is proved that `other` takes all texts that fit `self`.
    func isPart(of other: Scalar) -> Bool {
        if let listed = listedValues { return listed.allSatisfy { other.accepts($0) } }
        if other.isPlain { return true }
        guard other.multipleOf == nil || other.multipleOf == multipleOf else { return false }
        guard other.pattern == nil, other.values.isEmpty, other.format == nil || other.format == format else { return false }
        let isKind = kind == other.kind || kind == .integer && other.kind == .number || other.kind == .string
        guard isKind else { return false }
        if let bound = other.minimum, other.kind != .string {
            guard let minimum, minimum >= bound else { return false }
        }
        if let bound = other.maximum, other.kind != .string {
            guard let maximum, maximum <= bound else { return false }
        }
        if other.minimumLength == nil && other.maximumLength == nil { return true }
        return lengths.lowerBound >= other.lengths.lowerBound && lengths.upperBound <= other.lengths.upperBound
    }
}

extension SymbolTable {
    /// Whether some segment may fit both symbols; true unless the contrary is proved.  Not for catch-alls.
    func mayOverlap(_ left: SymbolID, _ right: SymbolID) -> Bool {
        if left == right { return true }
        switch (left.isLiteral, right.isLiteral) {
        case (true, true): return false
        case (true, false): return patterns[right.index].fits(literal(left.index), scalars)
        case (false, true): return patterns[left.index].fits(literal(right.index), scalars)
        case (false, false): return mayOverlap(patterns[left.index], patterns[right.index])
        }
    }

    private func mayOverlap(_ left: SegmentPattern, _ right: SegmentPattern) -> Bool {
        if left.rank == .empty || right.rank == .empty { return left.rank == right.rank }
        if case .parameter(let leftScalar)? = left.onlyPiece {
            if case .parameter(let rightScalar)? = right.onlyPiece {
                return !scalars[leftScalar].isDisjoint(from: scalars[rightScalar])
            }
            return mayTake(scalars[leftScalar], right)
        }
        if case .parameter(let rightScalar)? = right.onlyPiece { return mayTake(scalars[rightScalar], left) }
        let (leftFirst, rightFirst) = (left.edge(first: true), right.edge(first: true))
        if !leftFirst.hasPrefix(rightFirst) && !rightFirst.hasPrefix(leftFirst) { return false }
        let (leftLast, rightLast) = (left.edge(first: false), right.edge(first: false))
        return leftLast.hasSuffix(rightLast) || rightLast.hasSuffix(leftLast)
    }

    private func mayTake(_ scalar: Scalar, _ mixed: SegmentPattern) -> Bool {
        if let listed = scalar.listedValues { return listed.contains { mixed.fits($0, scalars) } }
        for case .literal(let text) in mixed.pieces where text.storage.contains(where: { !scalar.canContain($0) }) {
            return false
        }
        return true
    }
}

extension SegmentPattern {
    var onlyPiece: Piece? { pieces.count == 1 ? pieces.first : nil }

    /// The literal that a mixed pattern begins or ends with; empty for a parameter.
    fileprivate func edge(first: Bool) -> Bytes {
        if case .literal(let text)? = first ? pieces.first : pieces.last { return text }
        return Bytes()
    }

    /// Whether a decoded segment fits, by the same rules as the search.
    func fits(_ text: Bytes, _ scalars: [Scalar]) -> Bool {
        if text.isEmpty || rank == .empty { return text.isEmpty && rank == .empty }
        if case .parameter(let scalar)? = onlyPiece { return scalars[scalar].accepts(text) }
        var position = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                // Behind a parameter it was found already.
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
                            end &+= 1
                        }
                        guard end &+ literal.count <= text.count else { return false }
                        next = end &+ literal.count
                    }
                }
                guard end > position, scalars[scalar].accepts(Bytes(text.storage[position..<end])) else { return false }
                position = next
            }
        }
        return position == text.count
    }
}
