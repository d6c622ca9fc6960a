// Finds the name that is nearest to a misspelled one, for messages.

/// Finds the most likely intended name.
package enum NearestName {
    /// The candidate within a third of the name's length in edits (insert, delete, replace, swap); ties
    /// go to the first.  Names over 64 bytes have no suggestion, so that the cost stays bounded.
    package static func find(_ name: Bytes, among candidates: [Bytes]) -> Bytes? {
        guard !name.isEmpty && name.count <= 64 else { return nil }
        var best: Bytes?
        var bestDistance = max(1, name.count / 3) &+ 1
        let folded = name.lowercased.storage
        for candidate in candidates.prefix(2000) where candidate.count <= 64 {
            let distance = editDistance(folded, candidate.lowercased.storage, limit: bestDistance)
            if distance < bestDistance {
                bestDistance = distance
                best = candidate
            }
        }
        // Not a misspelling, but the word of other descriptions for it.
        if best == nil, name == "type" || name.hasPrefix("response") { return candidates.first { $0 == "results" } }
        return best
    }

    /// Optimal string alignment distance; a result of `limit` or more means "too far".
    static func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int {
        if abs(left.count &- right.count) >= limit { return limit }
        var beforePrevious = [Int](repeating: 0, count: right.count &+ 1)
        var previous = Array(0...right.count)
        for (row, leftByte) in left.enumerated() {
            var current = [row &+ 1]
            current.reserveCapacity(right.count &+ 1)
            for (column, rightByte) in right.enumerated() {
                var cost = previous[column] &+ (leftByte == rightByte ? 0 : 1)
                cost = min(cost, previous[column &+ 1] &+ 1, current[column] &+ 1)
                if row > 0 && column > 0 && leftByte == right[column &- 1] && left[row &- 1] == rightByte {
                    cost = min(cost, beforePrevious[column &- 1] &+ 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
