// Draws the graph of resources, for Graphviz or as SVG, the same bytes on every run.

import RoutableCore

struct GraphPicture {
    private let name: Bytes
    private let selection: MapSelection
    /// For a coverage: whether an operation was never used.
    private let isUnused: ((OperationEntry) -> Bool)?

    init(_ name: Bytes, _ selection: MapSelection, isUnused: ((OperationEntry) -> Bool)? = nil) {
        self.name = name
        self.selection = selection
        self.isUnused = isUnused
    }

    // MARK: Graphviz

    /// A graph in the language of Graphviz: `routable map --dot FILE | dot -Tpng`.
    var dot: Bytes {
        var text: Bytes = "digraph \(Self.quoted(name)) {\n  rankdir=LR\n"
        text.append("  node [shape=box, style=rounded, fontname=\"sans-serif\"]\n")
        for resource in selection.resources {
            let name = Self.quoted(Router.mapLabel(resource))
            // A `\n` in a quoted string of Graphviz breaks the line.
            let label: Bytes = "\(Self.escaped(resource.name.bytes))\\n\(Self.escaped(operations(resource)))"
            text.append("  \(name) [label=\"\(label)\"]\n")
        }
        for resource in selection.resources {
            for child in resource.children where selection.isShown.indices.contains(child) && selection.isShown[child] {
                let name = Self.quoted(Router.mapLabel(selection.all[child]))
                let isDashed = selection.all[child].place == .collection && !resource.ids.isEmpty
                text.append("  \(Self.quoted(Router.mapLabel(resource))) -> \(name)\(isDashed ? " [style=dashed]" : "")\n")
            }
        }
        text.append("}\n")
        return text
    }

    private static func quoted(_ name: Bytes) -> Bytes { "\"\(escaped(name))\"" }

    private static func escaped(_ name: Bytes) -> Bytes {
        var result = Bytes()
        for byte in name.storage {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.storage.append(UInt8(ascii: "\\")) }
            result.storage.append(byte < 0x20 ? UInt8(ascii: " ") : byte)
        }
        return result
    }

    private func operations(_ resource: ResourceEntry) -> Bytes {
        var words = resource.description.capabilities.members.map { $0.name }
        words += resource.operations.filter { $0.description.capability == nil }.map { $0.name.bytes }
        var text = Bytes()
        for (index, word) in words.enumerated() { text.append(index == 0 ? word : " \(word)") }
        return text
    }

    // MARK: SVG

    private static let style: Bytes = """
        <style>
        svg{background:#fff;font-family:sans-serif}
        rect{fill:#f6f8fa;stroke:#0969da}.first rect{fill:#ddf4ff}.reference rect{fill:none;stroke:#8c959f;stroke-dasharray:3 3}
        text{fill:#57606a;font-size:12px}.name{fill:#1f2328;font-size:14px;font-weight:bold}.reference .name{font-weight:normal}
        path{fill:none;stroke:#8c959f}.collection{stroke-dasharray:5 4}
        @media(prefers-color-scheme:dark){svg{background:#0d1117}rect{fill:#161b22;stroke:#4493f8}.first rect{fill:#12263f}
        .reference rect{fill:none;stroke:#6e7681}text{fill:#9198a1}.name{fill:#f0f6fc}path{stroke:#6e7681}}
        </style>

        """

    private static let unusedStyle: Bytes = """
        <style>
        .unused rect{fill:#ffebe9;stroke:#cf222e}.unused .name,text .unused{fill:#cf222e}
        @media(prefers-color-scheme:dark){.unused rect{fill:#3c1618;stroke:#f85149}.unused .name,text .unused{fill:#f85149}}
        </style>

        """

    private static let legendHeight = 46

    /// A drawing with a column for each step from where a walk can begin.
    var svg: Bytes {
        let layout = GraphLayout(selection)
        let entries = legend(layout)
        let width = max(layout.width, entries.last.map { $0.end + GraphLayout.margin } ?? 2 * GraphLayout.margin)
        let height = max(layout.height, GraphLayout.margin) + Self.legendHeight
        var text: Bytes = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
        text.append(" viewBox=\"0 0 \(width) \(height)\">\n<title>\(Self.markup(name))</title>\n")
        text.append(Self.style)
        if isUnused != nil { text.append(Self.unusedStyle) }
        for box in layout.boxes {
            guard let parent = box.parent else { continue }
            let isCollection = selection.all[box.resource].place == .collection
            text.append("<path\(isCollection ? " class=\"collection\"" : "") d=\"\(Self.line(layout.boxes[parent], box))\"/>\n")
        }
        for box in layout.boxes { text.append(drawing(of: box)) }
        for entry in entries { text.append(entry.drawing(height - GraphLayout.margin)) }
        text.append("</svg>\n")
        return text
    }

    private func drawing(of box: GraphLayout.Box) -> Bytes {
        let operations = selection.all[box.resource].operations
        let unused = isUnused.map { isUnused in operations.filter(isUnused).map { $0.name.bytes } } ?? []
        var kind: Bytes = box.isReference ? " class=\"reference\"" : box.parent == nil ? " class=\"first\"" : ""
        if !box.isReference, !unused.isEmpty, unused.count == operations.count { kind = " class=\"unused\"" }
        var text: Bytes =
            "<g\(kind)><rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"6\"/>"
        text.append("<text class=\"name\" x=\"\(box.x + 11)\" y=\"\(box.y + 18)\">\(Self.markup(box.title))</text>")
        for (index, line) in box.lines.enumerated() {
            let y = box.y + GraphLayout.titleHeight + 13 + index * GraphLayout.lineHeight
            text.append("<text x=\"\(box.x + 11)\" y=\"\(y)\">\(Self.markup(line, unused))</text>")
        }
        text.append("</g>\n")
        return text
    }

    /// From the side of one box to that of the next, along the gap between them.
    private static func line(_ from: GraphLayout.Box, _ to: GraphLayout.Box) -> Bytes {
        let (x, y, endX, endY) = (from.x + from.width, from.y + 14, to.x, to.y + 14)
        let middle = endX - 22
        if y == endY { return "M\(x) \(y)H\(endX)" }
        return "M\(x) \(y)H\(middle)V\(endY)H\(endX)"
    }

    // MARK: The legend

    private struct LegendEntry {
        let x: Int
        let kind: Bytes
        let text: Bytes

        var end: Int { x + 40 + text.count * 7 }

        func drawing(_ y: Int) -> Bytes {
            let sample: Bytes =
                kind == "line"
                ? "<path class=\"collection\" d=\"M\(x) \(y - 4)H\(x + 24)\"/>"
                : "<g class=\"\(kind)\"><rect x=\"\(x)\" y=\"\(y - 12)\" width=\"24\" height=\"16\" rx=\"4\"/></g>"
            return "\(sample)<text class=\"legend\" x=\"\(x + 32)\" y=\"\(y)\">\(text)</text>\n"
        }
    }

    /// What the picture has of it.
    private func legend(_ layout: GraphLayout) -> [LegendEntry] {
        var entries: [LegendEntry] = []
        func add(_ kind: Bytes, _ text: Bytes, if isThere: Bool) {
            if isThere { entries.append(LegendEntry(x: (entries.last?.end ?? 8) + 16, kind: kind, text: text)) }
        }
        let boxes = layout.boxes
        add("first", "begins a route", if: !boxes.isEmpty)
        add("", "below a member of the one before it", if: boxes.contains { $0.parent != nil && !$0.isReference })
        let isBelowCollection = boxes.contains { selection.all[$0.resource].place == .collection }
        add("line", "directly below it, without its ids", if: isBelowCollection)
        add("reference", "drawn elsewhere", if: boxes.contains { $0.isReference })
        add("unused", "never used", if: isUnused != nil)
        return entries
    }

    /// A line of operations, in which those that were never used have another colour.
    private static func markup(_ line: Bytes, _ unused: [Bytes]) -> Bytes {
        if unused.isEmpty { return markup(line) }
        let words = line.split(on: 0x20).map { word -> Bytes in
            unused.contains(word) ? "<tspan class=\"unused\">\(markup(word))</tspan>" : markup(word)
        }
        return words.joined(by: " ")
    }

    private static func markup(_ name: Bytes) -> Bytes {
        name.replacing { byte in
            switch byte {
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "\""): "&quot;"
            case 0..<0x20: " "
            default: nil
            }
        }
    }
}
