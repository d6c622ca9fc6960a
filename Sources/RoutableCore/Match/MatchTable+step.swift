// One level of the walk for the cases that the fast loop does not handle: long or displaced literals, and branches.

extension MatchTable {
    /// The result of a step; the slot is nil if no edge matches.
    struct Step {
        var slot: Slot?
        /// The end of the path after a catch-all, otherwise the end of the segment.
        var end: Int
        var captureCount: Int
    }

    /// Matches the segment from `position` to `end` with the first edge that accepts it.
    ///
    /// - Parameters:
    ///   - place: the offset among the children that the hash selects for the literal.
    ///   - first: the first eight bytes of the segment, zero padded; `last` the last eight, or zero.
    @_optimize(speed)
    func step(
        _ slot: Slot, _ place: UInt32, _ first: UInt64, _ last: UInt64, _ path: UnsafeRawBufferPointer, _ position: Int,
        _ end: Int, _ captures: UnsafeMutablePointer<Capture>, _ captureCount: Int
    ) -> Step {
        var result = Step(slot: nil, end: end, captureCount: captureCount)
        let segment = path.part(position, end)
        result.slot = Self.probe(slot, place, first, last, segment, pool)
        if result.slot != nil { return result }
        let children = slot.children
        if slot.flags & Flag.anyParameter != 0 {
            guard end > position, captureCount < Limits.idsPerRoute else { return result }
            Self.store(captures + captureCount, position, end &- position, children.identity)
            result.captureCount &+= 1
            result.slot = children
            return result
        }
        guard slot.flags & Flag.branches != 0 else { return result }
        var index = children.firstBranch
        while true {
            let branch = branches[index]
            if branch.goesOn { return result }
            if let taken = take(branch, path, position, end, captures, &result.captureCount) {
                result.end = taken
                result.slot = self.slot(at: branch.slot)
                return result
            }
            if branch.isLast { return result }
            index &+= 1
        }
    }
}
