// Formats the route table for the width of the terminal.

import RoutableCore

struct RouteTable {
    private let rows: [RouteRow]
    private let terminal: Terminal

    private static let titles: [Bytes] = ["Prefix", "Verb", "URI Pattern", "Resource#Operation"]
    /// The minimum width of a folded pattern.
    private static let leastPattern = 24

    init(_ rows: [RouteRow], _ terminal: Terminal) {
        self.rows = rows.map { row in
            var row = row
            row.prefix = terminal.shown(row.prefix)
            row.method = terminal.shown(row.method)
            row.pattern = terminal.shown(row.printedPattern)
            row.resource = terminal.shown(row.resource)
            row.operation = terminal.shown(row.operation)
            row.route = terminal.shown(row.route)
            return row
        }
        self.terminal = terminal
    }

    static func target(_ row: RouteRow) -> Bytes {
        if row.isRepeat { return "... -> \(row.resource)" }
        return row.target
    }

    // MARK: The table

    /// The output of `Router.routesText` if the output is not a terminal.  If a terminal is too narrow, patterns are
    /// folded at their slashes.
    var text: Bytes {
        var lines: [[Bytes]] = []
        var previous: Bytes?
        for row in rows {
            lines.append([row.pattern == previous ? Bytes() : row.prefix, row.method, row.pattern, Self.target(row)])
            previous = row.pattern
        }
        let widths = Self.titles.indices.map { column in
            lines.reduce(Self.width(Self.titles[column])) { max($0, Self.width($1[column])) }
        }
        var patternWidth = widths[2]
        if let width = terminal.width {
            let others = widths[0] + widths[1] + widths[3] + 6
            if others + patternWidth > width {
                if width - others < Self.leastPattern { return expanded }
                patternWidth = width - others
            }
        }
        var output = Bytes()
        append(Self.titles, widths, patternWidth, isTitle: true, to: &output)
        for line in lines { append(line, widths, patternWidth, isTitle: false, to: &output) }
        return output
    }

    private func append(_ cells: [Bytes], _ widths: [Int], _ patternWidth: Int, isTitle: Bool, to output: inout Bytes) {
        let pieces = Self.folded(cells[2], patternWidth)
        for (index, piece) in pieces.enumerated() {
            let isFirst = index == 0
            var line = Bytes()
            var pending = 0
            func put(_ cell: Bytes, _ width: Int, isRight: Bool = false, _ style: Terminal.Style?, _ coloured: Bytes? = nil) {
                let padding = width - Self.width(cell)
                if isRight { pending += padding }
                if !cell.isEmpty {
                    line.append(.spaces(pending))
                    pending = 0
                    line.append(coloured ?? terminal.styled(cell, isTitle ? .bold : style))
                }
                if !isRight { pending += padding }
                pending += 2
            }
            put(isFirst ? cells[0] : Bytes(), widths[0], isRight: true, nil)
            put(isFirst ? cells[1] : Bytes(), widths[1], Self.style(ofMethod: cells[1]))
            put(piece, patternWidth, nil, isTitle ? nil : colouredPattern(piece))
            put(isFirst ? cells[3] : Bytes(), widths[3], cells[3].hasPrefix("... -> ") ? .dim : nil)
            output.append(line)
            output.append(0x0A)
        }
    }

    /// The pattern in lines that break at slashes if it is too wide; further lines are indented.
    private static func folded(_ pattern: Bytes, _ width: Int) -> [Bytes] {
        if Self.width(pattern) <= width { return [pattern] }
        var lines: [Bytes] = []
        var line = Bytes()
        for (index, segment) in pattern.split(on: UInt8(ascii: "/")).enumerated() {
            let piece: Bytes = index == 0 ? segment : "/\(segment)"
            if !line.isEmpty && Self.width(line) + Self.width(piece) > width {
                lines.append(line)
                line = "  "
            }
            line.append(piece)
        }
        lines.append(line)
        return lines
    }

    private static func width(_ text: Bytes) -> Int { text.storage.withUnsafeBytes { UTF8Check.characterCount($0) } }

    // MARK: One line for each cell

    var expanded: Bytes {
        let width = min(terminal.width ?? 64, 64)
        var output = Bytes()
        for (index, row) in rows.enumerated() {
            var rule: Bytes = "--[ Route \(index + 1) ]"
            rule.storage.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: max(2, width - rule.count)))
            output.append("\(terminal.styled(rule, .dim))\n")
            let cells = [row.prefix, row.method, row.pattern, Self.target(row)]
            for (title, cell) in zip(Self.titles, cells) where !cell.isEmpty {
                let value =
                    title == "Verb"
                    ? terminal.styled(cell, Self.style(ofMethod: cell)) : title == "URI Pattern" ? colouredPattern(cell) : cell
                output.append("\(terminal.styled(title, .bold))\(Bytes.spaces(18 - title.count)) | \(value)\n")
            }
        }
        return output
    }

    // MARK: Colours

    private static func style(ofMethod method: Bytes) -> Terminal.Style? {
        switch method {
        case "GET", "HEAD", "QUERY": .green
        case "POST": .yellow
        case "PUT", "PATCH": .blue
        case "DELETE": .red
        default: .magenta
        }
    }

    /// The pattern with its parameters in another colour.
    private func colouredPattern(_ pattern: Bytes) -> Bytes {
        if !terminal.hasColour { return pattern }
        var result = Bytes()
        for (index, segment) in pattern.split(on: UInt8(ascii: "/")).enumerated() {
            if index > 0 { result.append("/") }
            let isParameter = segment.storage.first == UInt8(ascii: ":") || segment.storage.first == UInt8(ascii: "*")
            result.append(isParameter ? terminal.styled(segment, .cyan) : segment)
        }
        return result
    }
}
