// Reads one YAML document as JSON text, with the core schema of YAML 1.2: no dates, no booleans `yes` and `no`, no octal numbers with a
// leading zero.
//
// The JSON is written while libyaml reads, without a tree, so that the limits apply before memory grows: an alias is written
// only if its whole content still fits.

internal import CYAML
package import RoutableCore

/// A YAML document as JSON text, and the position in the YAML of each value and key.
package struct YAMLText {
    package let json: Bytes
    package let places: YAMLPlaces
}

/// Reads one document.
package struct YAMLReader {
    /// The maximum number of values of a document with its aliases expanded.
    private static let valueLimit = 4_000_000

    /// The JSON of an anchored value, the number of its values, and the number of levels below it.
    private struct Anchored {
        let json: Bytes
        let count: Int
        let height: Int
    }

    private let parser: OpaquePointer
    private let limit: Int
    private var writer = JSONWriter()
    private var places = YAMLPlaces()
    private var anchors: [Bytes: Anchored] = [:]
    private var anchoredBytes = 0
    private var count = 0
    /// The level of the innermost value that was read.
    private var deepest = 0

    /// Reads UTF-8 text.
    ///
    /// - Parameter limit: Maximum number of bytes of the JSON.
    /// - Throws: `json` with line and column for a string that is not YAML or cannot be represented in JSON, `limit`, `unsupported` without
    ///   libyaml, `memory`.
    package static func read(_ text: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> YAMLText {
        try YAMLLibrary.load()
        do { return try read(whole: text, limit: limit) } catch {
            // YAML allows tabs before a comment, which libyaml rejects: such lines are read again with spaces.
            guard error.status == .json, error.fields.line > 0 else { throw error }
            var copy = Bytes(text)
            var failure = error
            for _ in 0..<tabLineLimit {
                guard replaceTabs(&copy, line: failure.fields.line) else { throw failure }
                do throws(Failure) {
                    return try copy.withBuffer { (buffer) throws(Failure) in try read(whole: buffer, limit: limit) }
                } catch {
                    guard error.status == .json else { throw error }
                    failure = error
                }
            }
            throw failure
        }
    }

    /// The maximum number of lines with a tab before a comment.
    private static let tabLineLimit = 32

    /// Writes spaces for the tabs of a line that has nothing but white space before a comment; false if it is not such a line.
    private static func replaceTabs(_ text: inout Bytes, line: Int) -> Bool {
        var index = 0
        var number = 1
        while number < line, index < text.count {
            if text.storage[index] == 0x0A { number &+= 1 }
            index &+= 1
        }
        let start = index
        var hasTab = false
        while index < text.count, text.storage[index] == 0x20 || text.storage[index] == 0x09 {
            if text.storage[index] == 0x09 { hasTab = true }
            index &+= 1
        }
        let isComment = index == text.count || [UInt8(ascii: "#"), 0x0A, 0x0D].contains(text.storage[index])
        guard number == line, hasTab, isComment else { return false }
        for place in start..<index { text.storage[place] = 0x20 }
        return true
    }

    private static func read(whole text: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> YAMLText {
        guard let parser = cyaml_parser_new(text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count) else {
            throw Memory.fail()
        }
        defer { cyaml_parser_free(parser) }
        var reader = YAMLReader(parser, limit)
        try reader.document()
        return YAMLText(json: Bytes(reader.writer.bytes), places: reader.places)
    }

    private init(_ parser: OpaquePointer, _ limit: Int) {
        self.parser = parser
        // A position stores the offset in 32 bits.
        self.limit = min(limit, Int(Int32.max))
    }

    private mutating func document() throws(Failure) {
        while true {
            let event = try next()
            switch event.kind {
            case CYAML_STREAM_START, CYAML_DOCUMENT_START: continue
            case CYAML_STREAM_END: throw event.failure("the input is empty")
            default: break
            }
            try node(event, depth: 0)
            _ = try next()  // the event for the end of the document
            let end = try next()
            guard end.kind == CYAML_STREAM_END else {
                throw end.failure("the input contains a second document; only one is allowed")
            }
            return try Memory.check()
        }
    }

    // MARK: Events

    /// An event, copied from libyaml's memory.
    private struct Event {
        let kind: Int
        let line: Int
        let column: Int
        let anchor: Bytes?
        let tag: Bytes?
        let text: Bytes
        let isPlain: Bool

        func failure(_ message: Bytes) -> Failure {
            let (line, column) = (self.line &+ 1, self.column &+ 1)
            return Failure(.json, message) {
                $0.line = line
                $0.column = column
            }
        }
    }

    private mutating func next() throws(Failure) -> Event {
        var raw = cyaml_event()
        let result = cyaml_parser_next(parser, &raw)
        if result == 2 { throw Memory.fail() }
        let event = Event(
            kind: Int(raw.kind), line: Int(raw.line), column: Int(raw.column), anchor: raw.anchor.map(Self.text),
            tag: raw.tag.map(Self.text), text: Bytes(UnsafeRawBufferPointer(start: raw.text, count: raw.length)),
            isPlain: raw.is_plain != 0)
        if result != 0 { throw event.failure("not YAML: \(event.text)") }
        return event
    }

    private static func text(_ pointer: UnsafePointer<UInt8>) -> Bytes {
        Bytes(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
    }

    // MARK: Limits

    /// Counts values, with the level of the innermost one.
    private mutating func add(count more: Int, lowest: Int) throws(Failure) {
        count &+= more
        deepest = max(deepest, lowest)
        if deepest > Limits.jsonDepth { throw Failure(.limit, "more than \(Limits.jsonDepth) levels of nesting") }
        if count > Self.valueLimit { throw Failure(.limit, "more than \(Self.valueLimit) values") }
    }

    /// Checks the limit before the given number of bytes is written.
    private func admit(_ byteCount: Int) throws(Failure) {
        let size = writer.bytes.count &+ byteCount
        if size > limit { throw Failure(.limit, "more than \(limit) bytes as JSON") }
        let capacity = writer.bytes.capacity
        if size > capacity && size > 1 << 16 && !Memory.has(max(size, 2 &* capacity)) { throw Memory.fail() }
    }

    private mutating func mark(_ event: Event) throws(Failure) {
        // A value that follows another one is preceded by a comma.
        let start = writer.startsWithComma ? writer.bytes.count &+ 1 : writer.bytes.count
        guard places.append(offset: start, line: event.line, column: event.column) else { throw Memory.fail() }
    }

    /// The maximum size of a string: six bytes for each byte, because a control character is written as an escape.
    private static func room(_ text: Bytes) -> Int { text.count < 1 << 10 ? text.count &* 6 &+ 3 : escapedCount(text) }

    private static func escapedCount(_ text: Bytes) -> Int {
        var count = text.count &+ 3
        for byte in text.storage where byte < 0x20 || byte == 0x22 || byte == 0x5C { count &+= 5 }
        return count
    }

    // MARK: Nodes

    private mutating func node(_ event: Event, depth: Int) throws(Failure) {
        // proof: the depth of the recursion is limited by the level, which `add` checks.
        let (before, lowest) = (count, deepest)
        try mark(event)
        let start = places.lastOffset
        deepest = depth
        try add(count: 1, lowest: depth)
        switch event.kind {
        case CYAML_SCALAR: try scalar(event)
        case CYAML_SEQUENCE_START:
            try admit(3)
            writer.open("[")
            while true {
                let element = try next()
                if element.kind == CYAML_SEQUENCE_END { break }
                try node(element, depth: depth &+ 1)
            }
            writer.close("]")
        case CYAML_MAPPING_START: try mapping(depth)
        case CYAML_ALIAS:
            let name = event.anchor ?? Bytes()
            guard let anchored = anchors[name] else {
                throw event.failure("the alias \"\(name.printable)\" has no anchor before it")
            }
            try add(count: anchored.count, lowest: depth &+ anchored.height)
            try admit(anchored.json.count &+ 1)
            writer.raw(anchored.json)
        default: throw event.failure("a value is expected")
        }
        if let name = event.anchor, event.kind != CYAML_ALIAS {
            let length = writer.bytes.count &- start
            anchoredBytes &+= length
            if anchoredBytes > limit { throw Failure(.limit, "more than \(limit) bytes of anchored values") }
            anchors[name] = Anchored(
                json: Bytes(writer.bytes[start...]), count: count &- before, height: deepest &- depth)
        }
        deepest = max(deepest, lowest)
    }

    private mutating func scalar(_ event: Event) throws(Failure) {
        try admit(Self.room(event.text))
        switch YAMLScalar.value(event.text, isPlain: event.isPlain, tag: event.tag) {
        case .null: writer.null()
        case .boolean(let truth): writer.boolean(truth)
        case .number(let digits): writer.raw(digits)
        case .text(let text): writer.string(text)
        }
    }

    private mutating func mapping(_ depth: Int) throws(Failure) {
        var names = Set<Bytes>()
        // The members that `<<` merges, as JSON, each with the event of its `<<`.
        var merged: [(json: Bytes, event: Event)] = []
        try admit(3)
        writer.open("{")
        while true {
            let event = try next()
            if event.kind == CYAML_MAPPING_END { break }
            if event.kind == CYAML_SCALAR && event.isPlain && event.text == "<<" {
                merged.append((try aside(try next(), depth), event))
                continue
            }
            let name = try name(event)
            guard names.insert(name).inserted else {
                throw event.failure("the key \"\(name.printable)\" is given twice in one mapping")
            }
            if names.count & 0xFFF == 0 { try Memory.check() }
            try admit(Self.room(name) &+ 1)
            try mark(event)
            writer.key(of: name)
            try node(try next(), depth: depth &+ 1)
        }
        for each in merged { try merge(each.json, each.event, &names) }
        writer.close("}")
    }

    /// A status such as 200 is a number in YAML and a name in OpenAPI: the text of the scalar is the key.
    private func name(_ event: Event) throws(Failure) -> Bytes {
        if event.kind == CYAML_SCALAR { return event.text }
        guard event.kind == CYAML_ALIAS, let anchored = anchors[event.anchor ?? Bytes()],
            anchored.json.storage.first == UInt8(ascii: "\"")
        else { throw event.failure("a key must be a string") }
        return anchored.json.storage.withUnsafeBytes {
            JSONEscapes.decoded(UnsafeRawBufferPointer(rebasing: $0.dropFirst().dropLast()))
        }
    }

    /// The JSON of a value that is not written to the output.
    private mutating func aside(_ event: Event, _ depth: Int) throws(Failure) -> Bytes {
        let (length, placeCount) = (writer.bytes.count, places.count)
        try node(event, depth: depth &+ 1)
        let start = writer.bytes.count > length && writer.bytes[length] == UInt8(ascii: ",") ? length &+ 1 : length
        let json = Bytes(writer.bytes[start...])
        writer.truncate(to: length)
        places.truncate(to: placeCount)
        return json
    }

    /// Writes the members of a mapping, or of several, that the mapping itself does not have.
    private mutating func merge(_ json: Bytes, _ event: Event, _ names: inout Set<Bytes>) throws(Failure) {
        let tape = try json.withBuffer { (buffer) throws(Failure) in try JSONTape.read(buffer) }
        var mappings: [TapeNode] = []
        if tape.root.isObject {
            mappings = [tape.root]
        } else if tape.root.kind == .array {
            var children = tape.root.children
            while let child = children.read() { mappings.append(child.value) }
        }
        guard !mappings.isEmpty || tape.root.kind == .array, mappings.allSatisfy({ $0.isObject }) else {
            throw event.failure("<< can only merge a mapping or a sequence of mappings")
        }
        for mapping in mappings {
            var members = mapping.children
            while let member = members.read() {
                guard names.insert(member.name).inserted else { continue }
                let value = UnsafeRawBufferPointer(rebasing: tape.text.buffer[tape.range(of: member.value)])
                try add(count: 1, lowest: 0)
                try admit(value.count &+ member.key.rawText.count &+ 4)
                try mark(event)
                writer.key(of: member.name)
                writer.raw(Bytes(value))
            }
        }
    }
}
