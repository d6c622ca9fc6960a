// Draws the graph of resources, for Graphviz or as SVG, the same bytes on every run.

import RoutableCore

struct GraphPicture {
    private let router: Router

    init(_ router: Router) { self.router = router }

    // MARK: Graphviz

    /// A graph in the language of Graphviz: `routable map --dot FILE | dot -Tpng`.
    var dot: Bytes {
        var text: Bytes = "digraph \(Self.quoted(router.name.bytes)) {\n  rankdir=LR\n"
        text.append("  node [shape=box, style=rounded, fontname=\"sans-serif\"]\n")
        for resource in router.resources {
            let name = Self.quoted(resource.name.bytes)
            // A `\n` in a quoted string of Graphviz breaks the line.
            let label: Bytes = "\(Self.escaped(resource.name.bytes))\\n\(Self.escaped(capabilities(resource)))"
            text.append("  \(name) [label=\"\(label)\"]\n")
        }
        for resource in router.resources {
            for child in resource.children where router.resources.indices.contains(child) {
                text.append("  \(Self.quoted(resource.name.bytes)) -> \(Self.quoted(router.resources[child].name.bytes))\n")
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

    private func capabilities(_ resource: ResourceEntry) -> Bytes {
        var words = resource.description.capabilities.members.map { $0.name }
        words += resource.operations.filter { $0.description.capability == nil }.map { $0.name.bytes }
        var text = Bytes()
        for (index, word) in words.enumerated() { text.append(index == 0 ? word : " \(word)") }
        return text
    }

    // MARK: SVG

    private static let boxHeight = 58
    private static let rowHeight = 84
    private static let gap = 90
    private static let margin = 20
    private static let gray: Bytes = "#57606a"

    private struct Box {
        var column = 0
        var row = 0
        var x = 0
        var y = 0
        var width = 0
    }

    /// A drawing with a column for each step from where a walk can begin; resources that nest in one before them
    /// are joined by an arc that leads back.
    var svg: Bytes {
        let boxes = laidOut()
        let width = (boxes.map { $0.x + $0.width }.max() ?? 0) + Self.margin + Self.gap / 2
        let height = (boxes.map { $0.y + Self.boxHeight }.max() ?? 0) + Self.margin + Self.boxHeight / 2
        var text: Bytes = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
        text.append(
            " viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\">\n<title>\(Self.markup(router.name.bytes))</title>\n"
        )
        text.append(
            "<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
        )
        text.append("<path d=\"M0 0 8 4 0 8z\" fill=\"\(Self.gray)\"/></marker></defs>\n")
        for (index, resource) in router.resources.enumerated() {
            for child in resource.children where boxes.indices.contains(child) {
                let line = Self.line(boxes[index], boxes[child])
                text.append("<path d=\"\(line)\" fill=\"none\" stroke=\"\(Self.gray)\" marker-end=\"url(#end)\"/>\n")
            }
        }
        for (index, resource) in router.resources.enumerated() {
            let box = boxes[index]
            let place: Bytes = "x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(Self.boxHeight)\""
            text.append("<rect \(place) rx=\"8\" fill=\"#ffffff\" stroke=\"#0969da\"/>\n")
            text.append("<text x=\"\(box.x + 12)\" y=\"\(box.y + 24)\" font-size=\"15\" font-weight=\"bold\" fill=\"#1f2328\">")
            text.append("\(Self.markup(resource.name.bytes))</text>\n")
            text.append("<text x=\"\(box.x + 12)\" y=\"\(box.y + 44)\" font-size=\"12\" fill=\"\(Self.gray)\">")
            text.append("\(Self.markup(capabilities(resource)))</text>\n")
        }
        text.append("</svg>\n")
        return text
    }

    /// Places every resource once: first those that nest in no other, then what nests in them; a circle that nothing leads to
    /// begins with its first resource.
    private func laidOut() -> [Box] {
        let resources = router.resources
        var boxes = [Box](repeating: Box(), count: resources.count)
        var isPlaced = [Bool](repeating: false, count: resources.count)
        var isChild = [Bool](repeating: false, count: resources.count)
        for (index, resource) in resources.enumerated() {
            for child in resource.children where isChild.indices.contains(child) && child != index { isChild[child] = true }
        }
        var columns: [[Int]] = []
        func place(from roots: [Int]) {
            var level = roots
            var column = 0
            for index in level { isPlaced[index] = true }
            while !level.isEmpty {
                while columns.count <= column { columns.append([]) }
                var next: [Int] = []
                for index in level {
                    boxes[index].column = column
                    boxes[index].row = columns[column].count
                    columns[column].append(index)
                    for child in resources[index].children where isPlaced.indices.contains(child) && !isPlaced[child] {
                        isPlaced[child] = true
                        next.append(child)
                    }
                }
                level = next
                column += 1
            }
        }
        place(from: resources.indices.filter { !isChild[$0] })
        for index in resources.indices where !isPlaced[index] { place(from: [index]) }
        var x = Self.margin
        for column in columns {
            var widest = 0
            for index in column {
                let letters = max(resources[index].name.count * 9, capabilities(resources[index]).count * 7)
                boxes[index].width = min(letters, 600) + 24
                boxes[index].x = x
                boxes[index].y = Self.margin + boxes[index].row * Self.rowHeight
                widest = max(widest, boxes[index].width)
            }
            x += widest + Self.gap
        }
        return boxes
    }

    private static func line(_ from: Box, _ to: Box) -> Bytes {
        let middle = boxHeight / 2
        if to.column > from.column {
            let (x, y, endX, endY) = (from.x + from.width, from.y + middle, to.x, to.y + middle)
            let bend = (x + endX) / 2
            return "M\(x) \(y)C\(bend) \(y) \(bend) \(endY) \(endX) \(endY)"
        }
        // Back, or to itself: from below the one to below the other.
        let (x, y) = (from.x + from.width * 2 / 3, from.y + boxHeight)
        let (endX, endY) = (to.x + to.width / 3, to.y + boxHeight)
        let depth = max(y, endY) + middle
        return "M\(x) \(y)C\(x) \(depth) \(endX) \(depth) \(endX) \(endY)"
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
