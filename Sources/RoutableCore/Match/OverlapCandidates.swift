// Finds the pairs of patterns that may match the same segment, without comparing all pairs.
//
// Sixteen thousand patterns of one class have a hundred million pairs, of which few overlap: listed values of scalars are
// looked up, and bounds and literals are sorted, so that patterns that may overlap are adjacent.

/// The pairs of patterns that sorting does not separate.
struct OverlapCandidates {
    /// For each pattern: the earlier patterns that it may overlap, in ascending order.
    private(set) var earlier: [[Int]]
    private var count = 0

    /// The maximum number of collected pairs; with more, all pairs are compared.
    private static let most = 1 << 20
    /// With fewer patterns, all pairs are compared.
    private static let fewest = 32

    /// The candidates among these patterns; nil if all pairs must be compared.
    static func among(_ found: [SegmentPattern], _ proofs: RouteProofs) -> OverlapCandidates? {
        if found.count < fewest { return nil }
        var result = OverlapCandidates(earlier: [[Int]](repeating: [], count: found.count))
        // Patterns of different classes are never compared.  The patterns are sorted, so that each class is a range.
        var start = 0
        while start < found.count {
            var end = start &+ 1
            while end < found.count, found[start].precedes(found[end]) == nil { end &+= 1 }
            let isCollected =
                found[start].rank == .mixed
                ? result.addMixed(found, start..<end, proofs) : result.addScalars(found, start..<end, proofs)
            if !isCollected { return nil }
            start = end
        }
        for index in result.earlier.indices where result.earlier[index].count > 1 {
            result.earlier[index] = result.earlier[index].ordered { $0 < $1 }
        }
        return result
    }

    /// Returns false if there are too many pairs.
    @inline(never)
    private mutating func add(_ left: Int, _ right: Int) -> Bool {
        count &+= 1
        earlier[max(left, right)].append(min(left, right))
        return count <= Self.most
    }

    /// Adds pairs of consecutive elements: each element with those after it, while `continues` returns true.
    @inline(never)
    private mutating func addRuns(_ sorted: [Int], _ continues: (Int, Int) -> Bool) -> Bool {
        for (place, left) in sorted.enumerated() {
            for right in sorted[(place &+ 1)...] {
                if !continues(left, right) { break }
                if !add(left, right) { return false }
            }
        }
        return true
    }

    // MARK: - Several pieces

    private mutating func addMixed(_ found: [SegmentPattern], _ range: Range<Int>, _ proofs: RouteProofs) -> Bool {
        // Two patterns can overlap only if the first literal of one is a prefix of the other's, and the last literal likewise a suffix.
        let heads = range.map { found[$0].edge(first: true) }
        let tails = range.map { Bytes(found[$0].edge(first: false).storage.reversed()) }
        let before = self
        if addPrefixes(heads, range.lowerBound) {
            let byHead = self
            self = before
            if addPrefixes(tails, range.lowerBound), count < byHead.count { return true }
            self = byHead
            return true
        }
        self = before
        return addPrefixes(tails, range.lowerBound)
    }

    private mutating func addPrefixes(_ texts: [Bytes], _ start: Int) -> Bool {
        let sorted = Array(texts.indices).ordered { texts[$0] < texts[$1] }
        return addRuns(sorted.map { $0 &+ start }) { texts[$1 &- start].hasPrefix(texts[$0 &- start]) }
    }

    // MARK: - One parameter

    private mutating func addScalars(_ found: [SegmentPattern], _ range: Range<Int>, _ proofs: RouteProofs) -> Bool {
        var byValue = KeyedValues<Bytes, [Int]>()
        var (listed, numbers, others): ([Int], [Int], [Int]) = ([], [], [])
        func scalar(_ index: Int) -> Scalar {
            guard case .parameter(let scalar)? = found[index].onlyPiece else { return Scalar() }
            return proofs.scalar(scalar)
        }
        for index in range {
            guard case .parameter(let number)? = found[index].onlyPiece else { continue }
            if let listing = proofs.listing(number) {
                listed.append(index)
                proofs.charge(listing.values.count)
                var seen: [Int] = []
                for value in listing.values {
                    let place = byValue.place(of: value, adding: [])
                    for other in byValue.values[place] where other != index && !seen.contains(other) {
                        proofs.charge(1 &+ seen.count)
                        seen.append(other)
                        if proofs.isExhausted || !add(other, index) { return false }
                    }
                    if byValue.values[place].last != index { byValue.values[place].append(index) }
                }
            } else if proofs.scalar(number).isNumeric && proofs.scalar(number).format == nil {
                numbers.append(index)
            } else {
                others.append(index)
            }
        }
        for left in listed {
            for right in numbers { if !add(left, right) { return false } }
            for right in others { if !add(left, right) { return false } }
        }
        // No number has a format; `Scalar.isDisjoint` uses the same rule.
        for left in numbers {
            for right in others where scalar(right).format == nil { if !add(left, right) { return false } }
        }
        func low(_ index: Int) -> Double { scalar(index).minimum ?? -.infinity }
        let byLow = numbers.ordered { low($0) < low($1) }
        if !addRuns(byLow, { low($1) <= scalar($0).maximum ?? .infinity }) { return false }
        let byLength = others.ordered { scalar($0).lengths.lowerBound < scalar($1).lengths.lowerBound }
        return addRuns(byLength) { scalar($1).lengths.lowerBound <= scalar($0).lengths.upperBound }
    }
}
