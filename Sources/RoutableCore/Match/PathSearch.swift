// The full search: all precedence rules, with backtracking, escapes and options.
//
// It runs if the fast walk cannot decide: after a dead end in a table that has alternatives, for paths with
// escapes, for long paths, for a value of several segments that other segments follow, and with options.  Its time is
// bounded: after a budget of steps it restarts and records the positions from which nothing was found, so that each is
// tried once.  A value of several segments multiplies the positions by the segments of the path: then the search ends after
// `mostSteps`, and the path does not match.

struct PathSearch {
    private let table: MatchTable
    private let path: UnsafeRawBufferPointer
    private let options: MatchOptions
    /// If it is set, only nodes that this server serves are found.
    private let filter: ServerFilter?
    /// Whether the path is matched as if a slash followed it.
    private let hasSlashMore: Bool
    private let captures: UnsafeMutablePointer<Capture>
    /// The offsets of the slots of the walk, in bytes; memory for `Limits.segmentsPerRoute`.
    private let trail: UnsafeMutablePointer<UInt32>

    private var steps = 0
    /// The positions from which nothing was found: slot and offset, depth and number of captures.
    private var failed: Set<NumberPair>?
    /// Whether a value of several segments that other segments follow was found.
    private var hasSpan = false
    private(set) var slot: Slot
    private(set) var captureCount = 0
    /// The number of slots in the trail.
    private(set) var depth = 0

    private static let budget = 20_000
    /// The limit of steps if there is a value of several segments.
    private static let mostSteps = 400_000
    /// The number of bytes that count as one step: of bytes that are read again, and of bytes that are checked against a type.
    private static let (stepBytes, checkedBytes) = (64, 8)

    /// `path` is empty or begins with a slash; it has no query.
    init(
        _ table: MatchTable, _ path: UnsafeRawBufferPointer, _ options: MatchOptions, _ filter: ServerFilter?,
        hasSlashMore: Bool, _ captures: UnsafeMutablePointer<Capture>, _ trail: UnsafeMutablePointer<UInt32>
    ) {
        self.table = table
        self.path = path
        self.options = options
        self.filter = filter
        self.hasSlashMore = hasSlashMore
        self.captures = captures
        self.trail = trail
        slot = table.root
    }

    /// Whether some route matches this path; then `slot`, `captureCount`, the captures and the trail are set.
    mutating func run() -> Bool {
        if path.count > Limits.urlBytes { return false }
        // The path of the root is only "/".
        let isRoot = path.count == 0 || path.count == 1
        if visit(table.root, isRoot ? path.count : 0, 0, 0) { return true }
        guard steps > Self.budget else { return false }
        failed = Set()
        steps = 0
        return visit(table.root, isRoot ? path.count : 0, 0, 0)
    }

    /// Continues from `slot` with the segment after the slash at `position`, or ends there.
    private mutating func visit(_ slot: Slot, _ position: Int, _ captureCount: Int, _ depth: Int) -> Bool {
        steps &+= 1
        if failed == nil {
            return steps > Self.budget ? false : goOn(slot, position, captureCount, depth)
        }
        let place = NumberPair(Int(table.offset(of: slot)) << 32 | position, depth << 32 | captureCount)
        if failed?.contains(place) == true || hasSpan && steps > Self.mostSteps { return false }
        let isFound = goOn(slot, position, captureCount, depth)
        if !isFound { failed?.insert(place) }
        return isFound
    }

    private mutating func goOn(_ slot: Slot, _ position: Int, _ captureCount: Int, _ depth: Int) -> Bool {
        if position >= path.count {
            var last = slot
            if hasSlashMore {
                let empty = UnsafeRawBufferPointer(start: table.pool, count: 0)
                guard let next = table.literal(empty, below: slot), depth < Limits.segmentsPerRoute else { return false }
                trail[depth] = table.offset(of: next)
                last = next
            }
            guard last.hanging != 0, filter?.serves(node: last.hanging) ?? true else { return false }
            self.slot = last
            self.captureCount = captureCount
            self.depth = hasSlashMore ? depth &+ 1 : depth
            return true
        }
        guard depth < Limits.segmentsPerRoute else { return false }
        var start = position &+ 1
        if options.contains(.mergeSlashes) {
            while start < path.count && path[start] == UInt8(ascii: "/") { start &+= 1 }
        }
        var end = start
        while end < path.count && path[end] != UInt8(ascii: "/") { end &+= 1 }
        if visitLiterals(slot, start, end, captureCount, depth) { return true }
        let children = slot.children
        if slot.flags & MatchTable.Flag.anyParameter != 0 {
            guard end > start, captureCount < Limits.idsPerRoute else { return false }
            MatchTable.store(captures + captureCount, start, end &- start, children.identity)
            trail[depth] = table.offset(of: children)
            return visit(children, end, captureCount &+ 1, depth &+ 1)
        }
        guard slot.flags & MatchTable.Flag.branches != 0 else { return false }
        var index = children.firstBranch
        while true {
            let branch = table.branches[index]
            if branch.goesOn && visitSpan(branch, start, end, captureCount, depth) { return true }
            var count = captureCount
            if let next = table.take(branch, path, start, end, captures, &count, mergesSlashes: options.contains(.mergeSlashes))
            {
                trail[depth] = branch.slot
                if visit(table.slot(at: branch.slot), next, count, depth &+ 1) { return true }
            }
            if branch.isLast { return false }
            index &+= 1
        }
    }

    /// Continues after a value of several segments: the value ends at the last offset at which the rest of the path matches.
    ///
    /// The value that ends the path, without segments after it, is tried after all of these.
    private mutating func visitSpan(
        _ branch: MatchTable.Branch, _ start: Int, _ end: Int, _ captureCount: Int, _ depth: Int
    ) -> Bool {
        guard end > start, end < path.count, captureCount < Limits.idsPerRoute else { return false }
        hasSpan = true
        let target = table.slot(at: branch.slot)
        let merges = options.contains(.mergeSlashes)
        steps &+= (path.count &- end) / Self.stepBytes
        // No segment of the value is empty: the value ends before two slashes in a row.
        var stop = merges ? path.count &- 1 : lastEnd(end)
        while stop >= end {
            if path[stop] == UInt8(ascii: "/") && path[stop &- 1] != UInt8(ascii: "/") {
                if branch.kind != .catchAll { steps &+= (stop &- start) / Self.checkedBytes }
                if branch.kind == .catchAll || table.accepts(Int(branch.detail), path, start, stop) {
                    MatchTable.store(captures + captureCount, start, stop &- start, target.identity)
                    trail[depth] = branch.slot
                    if visit(target, stop, captureCount &+ 1, depth &+ 1) { return true }
                }
                if steps > (failed == nil ? Self.budget : Self.mostSteps) { return false }
            }
            stop &-= 1
        }
        return false
    }

    /// From a slash on, the last slash before which no segment is empty.
    private mutating func lastEnd(_ end: Int) -> Int {
        var stop = end
        var index = end &+ 1
        while index < path.count {
            if path[index] == UInt8(ascii: "/") {
                if index == stop &+ 1 { return stop }
                stop = index
            }
            index &+= 1
        }
        return stop
    }

    /// Not inlined, because its memory on the stack would otherwise be in the frame of each segment of the path.
    @inline(never)
    private func decodedLiteral(_ raw: UnsafeRawBufferPointer, below slot: Slot) -> Slot? {
        MatchTable.withDecoded(raw, asLiteral: true) { table.literal($0, below: slot) }
    }

    private mutating func visitLiterals(
        _ slot: Slot, _ start: Int, _ end: Int, _ captureCount: Int, _ depth: Int
    ) -> Bool {
        let raw = path.part(start, end)
        let hasEscape = raw.contains(UInt8(ascii: "%"))
        // An escape has three bytes, so that a longer segment matches no literal.
        if hasEscape && raw.count > Limits.literalBytes &* 3 { return false }
        let exact = hasEscape ? decodedLiteral(raw, below: slot) : table.literal(raw, below: slot)
        if let exact {
            trail[depth] = table.offset(of: exact)
            if visit(exact, end, captureCount, depth &+ 1) { return true }
        }
        guard options.contains(.foldCase) else { return false }
        // The other spellings, in byte order.
        let text = PathLiteral.canonical(Bytes(raw))
        for spelling in table.spellings(of: text, below: slot) where spelling.address != exact?.address {
            trail[depth] = table.offset(of: spelling)
            if visit(spelling, end, captureCount, depth &+ 1) { return true }
        }
        return false
    }
}

extension MatchTable {
    /// The child of a state whose literal has this decoded text.
    func literal(_ text: UnsafeRawBufferPointer, below slot: Slot) -> Slot? {
        guard let start = text.baseAddress else { return nil }
        var first: UInt64 = 0
        var last: UInt64 = 0
        if text.count >= 8 {
            first = start.loadUnaligned(as: UInt64.self)
            last = start.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
        } else {
            var index = 0
            while index < text.count {
                first |= UInt64(text[index]) &<< UInt64(truncatingIfNeeded: 8 &* index)
                index &+= 1
            }
        }
        let place = UInt32(truncatingIfNeeded: Self.hash(first, last) &>> UInt64(slot.shift)) & slot.mask
        return Self.probe(slot, place, first, last, text, pool)
    }

    /// All children of a state whose literal equals the text if ASCII case is ignored, in byte order.
    func spellings(of text: Bytes, below slot: Slot) -> [Slot] {
        var found: [(text: Bytes, slot: Slot)] = []
        var place: UInt32 = 0
        while true {
            let child = slot.children.at(place)
            if child.length != Self.noLength && child.literalCount == text.count {
                let literal = literalText(of: child)
                if literal.equalsIgnoringCase(text) { found.append((literal, child)) }
            }
            if place >= slot.mask { break }
            place &+= UInt32(Self.slotBytes)
        }
        return found.ordered { $0.text < $1.text }.map { $0.slot }
    }

    func literalText(of slot: Slot) -> Bytes {
        let count = slot.literalCount
        if count > 16 { return Bytes(UnsafeRawBufferPointer(start: pool + Int(truncatingIfNeeded: slot.last), count: count)) }
        var bytes: [UInt8] = []
        for index in 0..<count {
            // Bytes 8 and up are at the end of the second word.
            let isFirst = index < 8
            let shift = isFirst ? index &* 8 : (index &- (count &- 8)) &* 8
            bytes.append(UInt8(truncatingIfNeeded: (isFirst ? slot.first : slot.last) >> UInt64(truncatingIfNeeded: shift)))
        }
        return Bytes(bytes)
    }
}
