// Lays out the resources of a map as a picture: a tree for each root resource, with its levels from left to right and its boxes from
// top to bottom, and the trees in columns.  No lines cross: a resource that is already drawn elsewhere is drawn as a reference.

import RoutableCore

struct GraphLayout {
    /// A box of a picture.
    struct Box {
        /// The index of its resource.
        let resource: Int
        /// The box to its left with a line to it.
        let parent: Int?
        /// Whether the resource is drawn elsewhere, with its children.
        let isReference: Bool
        let step: Int
        let title: Bytes
        let lines: [Bytes]
        var x = 0
        var y = 0
        var width = 0

        var height: Int { GraphLayout.titleHeight + lines.count * GraphLayout.lineHeight + (lines.isEmpty ? 4 : 8) }
    }

    private(set) var boxes: [Box] = []
    private(set) var width = 0
    private(set) var height = 0

    static let titleHeight = 24
    static let lineHeight = 16
    static let margin = 24
    private static let gap = 44
    private static let rowGap = 10
    private static let treeGap = 22
    private static let columnGap = 64
    /// The maximum number of characters of a line of operations, and of such lines.
    private static let lineLetters = 44
    private static let mostLines = 4
    /// Resources beyond this level are drawn as their number.
    private static let mostSteps = 32

    private let selection: MapSelection
    /// The first box of each tree.
    private var trees: [Int] = []
    private var isDrawn: [Bool]

    init(_ selection: MapSelection) {
        self.selection = selection
        isDrawn = [Bool](repeating: false, count: selection.all.count)
        for place in selection.roots where selection.isShown[place] { addTree(place) }
        for place in selection.shown where !isDrawn[place] { addTree(place) }
        arrange()
    }

    // MARK: Boxes

    private mutating func addTree(_ place: Int) {
        if isDrawn[place] { return }
        trees.append(boxes.count)
        add(place, parent: nil, step: 0)
    }

    // The recursion is bounded by `mostSteps`.
    private mutating func add(_ place: Int, parent: Int?, step: Int) {
        let resource = selection.all[place]
        let isReference = isDrawn[place]
        isDrawn[place] = true
        let index = boxes.count
        let lines = isReference ? [] : Self.lines(of: resource, below: selection.below[place] ?? 0)
        var box = Box(
            resource: place, parent: parent, isReference: isReference, step: step, title: Self.title(resource, isReference),
            lines: lines)
        let letters = lines.map { $0.count }.max() ?? 0
        // Estimated for bold letters of 14 pixels, and other letters of 12 pixels, in a wide font.
        box.width = max(UTF8Check.characters(box.title) * 19 / 2, letters * 7) + 22
        boxes.append(box)
        if isReference || step >= Self.mostSteps { return }
        for child in resource.children where selection.isShown.indices.contains(child) && selection.isShown[child] {
            add(child, parent: index, step: step + 1)
        }
    }

    /// `issues {number}`, with an arrow in front of a resource that is drawn elsewhere.
    private static func title(_ resource: ResourceEntry, _ isReference: Bool) -> Bytes {
        if isReference { return "\u{2192} \(resource.name.bytes)" }
        var title = resource.name.bytes
        for id in resource.ids where resource.parent != nil || resource.ids.count > 1 || id.name.bytes != "id" {
            title.append(" {\(id.name.bytes)}")
        }
        return title
    }

    private static func lines(of resource: ResourceEntry, below: Int) -> [Bytes] {
        var words = resource.description.capabilities.members.map { $0.name }
        words += resource.operations.filter { $0.description.capability == nil }.map { $0.name.bytes }
        var lines: [Bytes] = []
        var line = Bytes()
        for (index, word) in words.enumerated() {
            if !line.isEmpty && line.count + word.count >= lineLetters {
                lines.append(line)
                line = Bytes()
                if lines.count == mostLines {
                    line = "and \(words.count - index) more"
                    break
                }
            }
            line.append(line.isEmpty ? word : " \(word)")
        }
        if !line.isEmpty { lines.append(line) }
        if below > 0 { lines.append("+ \(below) below") }
        return lines
    }

    // MARK: Positions

    private mutating func arrange() {
        var heights: [Int] = []
        for (number, first) in trees.enumerated() {
            let end = number + 1 < trees.count ? trees[number + 1] : boxes.count
            heights.append(arrangeTree(first..<end))
        }
        let total = heights.reduce(0) { $0 + $1 + Self.treeGap }
        let widest = boxes.map { $0.x + $0.width }.max() ?? 0
        // The number of columns for a picture with an aspect ratio of about three to two.
        var columns = 1
        while total / columns > (widest + Self.columnGap) * columns * 2 / 3 && columns < 64 { columns += 1 }
        let target = max(total / columns, heights.max() ?? 0)
        var (x, y) = (Self.margin, Self.margin)
        var columnWidth = 0
        for (number, first) in trees.enumerated() {
            let end = number + 1 < trees.count ? trees[number + 1] : boxes.count
            if y > Self.margin && y + heights[number] / 2 > target + Self.margin {
                x += columnWidth + Self.columnGap
                (y, columnWidth) = (Self.margin, 0)
            }
            for index in first..<end {
                columnWidth = max(columnWidth, boxes[index].x + boxes[index].width)
                boxes[index].x += x
                boxes[index].y += y
            }
            y += heights[number] + Self.treeGap
            height = max(height, y - Self.treeGap + Self.margin)
        }
        width = x + columnWidth + Self.margin
    }

    /// Places the boxes of one tree, and returns its height.
    private mutating func arrangeTree(_ tree: Range<Int>) -> Int {
        // A parent has the same top as its first child; other boxes begin below all boxes that are already placed.
        var bottom = 0
        var widths: [Int: Int] = [:]
        for index in tree {
            let box = boxes[index]
            let isFirstChild = box.parent == index - 1
            let top = isFirstChild ? box.parent.map { boxes[$0].y } ?? 0 : bottom == 0 ? 0 : bottom + Self.rowGap
            boxes[index].y = top
            bottom = max(bottom, top + box.height)
            widths[box.step] = max(widths[box.step] ?? 0, box.width)
        }
        var x = 0
        var lefts: [Int: Int] = [:]
        for step in widths.keys.sorted() {
            lefts[step] = x
            x += (widths[step] ?? 0) + Self.gap
        }
        for index in tree { boxes[index].x = lefts[boxes[index].step] ?? 0 }
        return bottom
    }
}

extension UTF8Check {
    fileprivate static func characters(_ text: Bytes) -> Int { text.storage.withUnsafeBytes { characterCount($0) } }
}
