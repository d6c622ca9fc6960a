// The report of a coverage as a table.

package import RoutableCore

extension Coverage {
    /// A table with a row for each operation, a row for the schemas of bodies, and a row for the total.
    ///
    /// - Parameter missing: whether the parts that were never used are listed after the table.
    package func text(missing: Bool) throws(Failure) -> Bytes {
        var rows: [[Bytes]] = [["operation", "requests"] + (1..<CoverageKind.count).map { Self.kind($0).plural }]
        var total = CoverageTally()
        var tally = CoverageTally()
        var last: Int?
        var unused: [Bytes] = []
        func end(_ name: Bytes, _ requests: Bytes) {
            rows.append([name, requests] + (1..<CoverageKind.count).map { Self.cell(tally, $0) })
            tally = CoverageTally()
        }
        var requests: [Bytes] = []
        locked { requests = operations.map { "\($0.requests)" } }
        each { item in
            if item.operation != last, let number = last { end(label(number), requests[number]) }
            last = item.operation
            tally.add(item)
            total.add(item)
            if missing && item.count == 0 { unused.append(self.name(of: item)) }
        }
        if let last { end(label(last), requests[last]) } else if !points.isEmpty { end("(bodies)", "") }
        try Memory.check()
        rows.append(
            ["all \(Self.cell(total, 0))", "\(locked { self.requests })"]
                + (1..<CoverageKind.count).map { Self.cell(total, $0) })
        var text = Self.table(rows)
        text.append("coverage \(CoverageTally.percent(total.permille))%\n")
        locked { addOthers(&text) }
        for line in unused { text.append("never used: \(line)\n") }
        try Memory.check()
        return text
    }

    private static func kind(_ number: Int) -> CoverageKind { CoverageKind(rawValue: number) ?? .operation }

    /// `2/3`, or `-` if the description has no part of the kind.
    private static func cell(_ tally: CoverageTally, _ kind: Int) -> Bytes {
        // proof: the kind is below the count of kinds.
        tally.declared[kind] == 0 ? "-" : "\(tally.used[kind])/\(tally.declared[kind])"
    }

    private static func table(_ rows: [[Bytes]]) -> Bytes {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        var text = Bytes()
        for row in rows where !Memory.cuts() {
            for (column, cell) in row.enumerated() {
                // The first column contains names, aligned left; the other columns contain numbers, aligned right.
                let space = Bytes([UInt8](repeating: 0x20, count: widths[column] &- cell.count))
                text.append(column == 0 ? cell : "  ")
                text.append(space)
                if column > 0 { text.append(cell) }
            }
            text.append("\n")
        }
        return text
    }

    /// The line for an unused part.
    private func name(of item: CoverageItem) -> Bytes {
        var text = item.operation.map { label($0) } ?? Bytes()
        if item.kind == .operation { return text }
        func add(_ word: Bytes) {
            if word.isEmpty { return }
            if !text.isEmpty { text.append(" ") }
            text.append(word.printable)
        }
        add(item.place)
        if item.kind == .status { add("status") }
        add(item.name)
        return text
    }

    private func addOthers(_ text: inout Bytes) {
        func add(_ what: Bytes, _ counts: NameCounts) {
            for (name, count) in counts.list { text.append("\(what) \(name) (\(count))\n") }
            if counts.further > 0 { text.append("\(what): \(counts.further) further uses\n") }
        }
        add("no operation:", unmatched)
        for (number, counts) in operations.enumerated() where !Memory.cuts() {
            let label = label(number)
            if counts.refused > 0 { text.append("\(label): \(counts.refused) requests are not allowed by the description\n") }
            add("\(label): undeclared status", counts.otherStatuses)
            add("\(label): undeclared parameter", counts.otherParameters)
            add("\(label): undeclared media type", counts.otherMediaTypes)
        }
        if unread > 0 { text.append("\(unread) bodies could not be read, and their values are not counted\n") }
    }
}
