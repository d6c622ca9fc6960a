// Writes the document of a bundle: text is copied from the files, and changed by the edits.

internal import RoutableCore
internal import RoutableJSON

struct DocumentBundleWriter {
    private var bundle: DocumentBundle
    var output = Bytes()
    var parts: [SourceMap.Part] = []
    /// The values that are being copied in place of references, outermost first.
    private var open: [NumberPair] = []
    /// Additions are written once, even if their object is copied to several places.
    private var written = Set<Int>()

    private static let depthLimit = 64

    init(_ bundle: DocumentBundle) { self.bundle = bundle }

    var warnings: [Bytes] { bundle.warnings }

    mutating func write() throws(Failure) {
        try copy(0, bundle.files[0].tape.root, skipping: false)  // proof: the document is always the first file.
        try Memory.check()
    }

    // MARK: Pieces

    private mutating func append(_ text: Bytes, _ file: Int, _ offset: Int) throws(Failure) {
        try admit(text.count)
        mark(file, offset)
        output.append(text)
    }

    private mutating func append(_ byte: UInt8) throws(Failure) {
        try admit(1)
        output.append(byte)
    }

    private func admit(_ byteCount: Int) throws(Failure) {
        if output.count &+ byteCount > bundle.limit {
            throw Failure(.limit, "the document with its files has more than \(bundle.limit) bytes")
        }
        try Memory.check()
    }

    private mutating func mark(_ file: Int, _ offset: Int) {
        guard Memory.hasRoom(parts) else { return }
        parts.append(SourceMap.Part(output: output.count, source: file, offset: offset))
    }

    private mutating func copy(_ file: Int, from start: Int, to end: Int) throws(Failure) {
        if start >= end { return }
        try admit(end &- start)
        mark(file, start)
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bundle.files[file].tape.text.buffer[start..<end]))
    }

    // MARK: Values

    /// Copies a value and applies its edits.
    ///
    /// - Parameter skipping: Whether the edit of the value itself has already been applied.
    private mutating func copy(_ file: Int, _ node: TapeNode, skipping: Bool, to last: Int? = nil) throws(Failure) {
        let source = bundle.files[file]
        var cursor = node.offset
        let end = last ?? node.end
        var index = Self.first(source.order, node.index)
        if skipping, index < source.order.count, source.order[index] == node.index { index &+= 1 }
        while index < source.order.count, source.order[index] < node.next {
            let place = source.node(source.order[index])
            index &+= 1
            guard place.offset >= cursor, let edit = source.edits[Int(place.index)] else { continue }
            try copy(file, from: cursor, to: place.offset)
            cursor = try apply(edit, file, place)
        }
        try copy(file, from: cursor, to: end)
    }

    private static func first(_ order: [UInt32], _ word: UInt32) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low &+ high) >> 1
            if order[middle] < word { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Writes the replacement of a value; returns the offset after the value.
    private mutating func apply(_ edit: DocumentEdit, _ file: Int, _ node: TapeNode) throws(Failure) -> Int {
        switch edit {
        case .component(let number):
            try append(Self.quoted(bundle.targets[number].reference), file, node.offset)
        case .fragment(let fragment): try append(Self.quoted(fragment), file, node.offset)
        case .renamed(let name): try append("\"\(Bytes(static: name))\"", file, node.offset)
        case .inline(let other, let word): try inline(file, node, other, word)
        case .additions(let number):
            try copy(file, node, skipping: true, to: node.end &- 1)
            if written.insert(number).inserted { try add(number, isFirst: node.isEmpty) }
            try append(UInt8(ascii: "}"))
        }
        return node.end
    }

    private static func quoted(_ text: Bytes) -> Bytes {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }

    // MARK: Replaced references

    private mutating func inline(_ file: Int, _ node: TapeNode, _ other: Int, _ word: UInt32) throws(Failure) {
        try enter(file, node, other, word)
        defer { open.removeLast() }
        var children = node.children
        var count = 0
        while children.read() != nil { count &+= 1 }
        let target = bundle.files[other].node(word)
        if count == 1 || !target.isObject {
            if count > 1 {
                bundle.warn(file, node, "what is beside the reference is omitted, because it does not lead to an object")
            }
            return try copy(other, target, skipping: false)
        }
        try append(UInt8(ascii: "{"))
        var seen = Set<Bytes>()
        var isFirst = true
        try members(file, node, &seen, &isFirst)
        try append(UInt8(ascii: "}"))
    }

    private mutating func enter(_ file: Int, _ node: TapeNode, _ other: Int, _ word: UInt32) throws(Failure) {
        let place = NumberPair(other, Int(word))
        func refused(_ status: Status, _ message: Bytes) -> Failure {
            let failure = Failure(status, message)
            return map.place(file, node.offset)?.located(failure) ?? failure
        }
        if open.contains(where: { $0 == place }) { throw refused(.document, "the reference leads back to itself") }
        if open.count >= Self.depthLimit { throw refused(.limit, "more than \(Self.depthLimit) references in one another") }
        open.append(place)
    }

    /// Writes the members beside a reference, then those of its target.
    private mutating func members(
        _ file: Int, _ node: TapeNode, _ seen: inout Set<Bytes>, _ isFirst: inout Bool
    ) throws(Failure) {
        // proof: the depth of the recursion is limited by `enter`.
        var own: [Bytes] = []
        var children = node.children
        var next: (file: Int, word: UInt32)?
        if case .inline(let other, let word)? = bundle.files[file].edits[Int(node.index)] { next = (other, word) }
        while let child = children.read() {
            let name = child.name
            if next != nil && child.key.equals("$ref") { continue }
            if seen.contains(name) {
                if name != "summary" && name != "description" {
                    bundle.warn(
                        file, child.value,
                        "\"\(name.printable)\" is also beside the reference that leads here; the one beside the reference is used"
                    )
                }
                continue
            }
            own.append(name)
            if !isFirst { try append(UInt8(ascii: ",")) }
            isFirst = false
            try copy(file, child.key, skipping: false)
            try append(UInt8(ascii: ":"))
            try copy(file, child.value, skipping: false)
        }
        for name in own { seen.insert(name) }
        guard let next else { return }
        let target = bundle.files[next.file].node(next.word)
        if node.index != target.index || file != next.file {
            if case .inline? = bundle.files[next.file].edits[Int(next.word)] {
                try enter(file, node, next.file, next.word)
                defer { open.removeLast() }
                return try members(next.file, target, &seen, &isFirst)
            }
        }
        try members(next.file, target, &seen, &isFirst)
    }

    // MARK: Components

    private mutating func add(_ number: Int, isFirst: Bool) throws(Failure) {
        guard bundle.additions.indices.contains(number) else { return }
        let sections = bundle.additions[number]
        var isFirst = isFirst
        if sections.first?.isComponents == true {
            try append("\(Self.comma(isFirst))\"components\":{")
            isFirst = true
        }
        for section in sections {
            if section.isSection {
                try append("\(Self.comma(isFirst))\"\(Bytes(static: section.section))\":{")
                isFirst = true
            }
            for target in section.targets where bundle.targets.indices.contains(target) {
                let each = bundle.targets[target]
                try append("\(Self.comma(isFirst))\(Self.quoted(each.name)):")
                isFirst = false
                try copy(each.file, bundle.files[each.file].node(each.word), skipping: false)
            }
            if section.isSection {
                try append(UInt8(ascii: "}"))
                isFirst = false
            }
        }
        if sections.first?.isComponents == true { try append(UInt8(ascii: "}")) }
    }

    private static func comma(_ isFirst: Bool) -> Bytes { isFirst ? "" : "," }

    private mutating func append(_ text: Bytes) throws(Failure) {
        try admit(text.count)
        output.append(text)
    }

    // MARK: Result

    /// The files, with the parts of the result that were copied from each.
    var map: SourceMap {
        SourceMap(
            sources: bundle.files.map { SourceMap.Source(name: $0.name, tape: $0.tape, places: $0.places) }, parts: parts)
    }

    /// The components that come from other files.
    var names: [BundledDocument.Name] {
        bundle.targets.compactMap {
            $0.name.isEmpty
                ? nil
                : BundledDocument.Name(
                    reference: $0.reference, file: bundle.files[$0.file].name, pointer: $0.pointer)
        }
    }
}
