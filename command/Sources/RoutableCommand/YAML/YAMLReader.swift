// Reads YAML as JSON values, with the core schema of YAML 1.2: no dates, no yes and no, no octal numbers with a leading
// zero.
//
// The binding for Python reads the same values from the same text (bindings/python/src/routable/_yaml.py).

import CYAML
import RoutableCore

/// Reads one document, and records the positions of its values.
struct YAMLReader {
    /// From JSON pointers to places: of the values, and of the keys of members.
    struct Marks {
        var values: [Bytes: YAMLMark] = [:]
        var keys: [Bytes: YAMLMark] = [:]
    }

    /// Values that all aliases together may unfold to.
    private static let mostValues = 4_000_000
    /// Bytes of all pointers to places: a long key stands in each of those below it.
    private static let mostPlaceBytes = 256 << 20

    /// What an alias stands for: its value, how many values that is, with how many bytes of text and how many levels.
    private struct Anchored {
        let value: Value
        let count: Int
        let size: Int
        let height: Int
    }

    private var parser = yaml_parser_t()
    private var anchors: [Bytes: Anchored] = [:]
    private var marks = Marks()
    /// Of the values so far, with aliases unfolded.
    private var count = 0
    private var size = 0
    private var placeBytes = 0
    /// The lowest level of the value that is read.
    private var deepest = 0

    /// - Throws: `json` for what is no YAML or has no form in JSON, `limit`.
    static func read(_ text: Bytes) throws(Failure) -> (value: Value, marks: Marks) {
        try text.withBuffer { (buffer) throws(Failure) in
            var reader = YAMLReader()
            return try reader.read(buffer)
        }
    }

    private mutating func read(_ buffer: UnsafeRawBufferPointer) throws(Failure) -> (Value, Marks) {
        guard yaml_parser_initialize(&parser) == 1 else { throw Failure(.internal, "libyaml has no memory left") }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_input_string(&parser, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count)
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        while true {
            let event = try next()
            switch event.kind {
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: continue
            case YAML_STREAM_END_EVENT: throw event.mark.failure("the input is empty")
            default: break
            }
            let value = try node(event, Bytes(), depth: 0)
            _ = try next()  // the end of the document
            let end = try next()
            guard end.kind == YAML_STREAM_END_EVENT else {
                throw end.mark.failure("the input contains a second document; only one is allowed")
            }
            return (value, marks)
        }
    }

    // MARK: Events

    /// An event, out of libyaml's memory.
    private struct Event {
        var kind: yaml_event_type_t
        var mark: YAMLMark
        var anchor: Bytes?
        var tag: Bytes?
        var text = Bytes()
        var isPlain = false
    }

    private mutating func next() throws(Failure) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else {
            let mark = parser.problem_mark
            let reason = parser.problem.map { Bytes(cString: $0) } ?? "the text is not YAML"
            throw YAMLMark(mark, end: mark).failure("not YAML: \(reason)")
        }
        defer { yaml_event_delete(&event) }
        var result = Event(kind: event.type, mark: YAMLMark(event.start_mark, end: event.end_mark))
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            result.anchor = Self.text(scalar.anchor)
            result.tag = Self.text(scalar.tag)
            result.text = Bytes(UnsafeRawBufferPointer(start: scalar.value, count: scalar.length))
            result.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        case YAML_SEQUENCE_START_EVENT: result.anchor = Self.text(event.data.sequence_start.anchor)
        case YAML_MAPPING_START_EVENT: result.anchor = Self.text(event.data.mapping_start.anchor)
        case YAML_ALIAS_EVENT: result.anchor = Self.text(event.data.alias.anchor)
        default: break
        }
        return result
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> Bytes? {
        pointer.map { UnsafeRawPointer($0).withMemoryRebound(to: CChar.self, capacity: 1) { Bytes(cString: $0) } }
    }

    // MARK: Nodes

    /// Takes account of a value with all that is in it.
    private mutating func add(count more: Int, size bytes: Int, lowest: Int) throws(Failure) {
        count += more
        size += bytes
        deepest = max(deepest, lowest)
        if deepest > Limits.jsonDepth { throw Failure(.limit, "more than \(Limits.jsonDepth) levels of nesting") }
        if count > Self.mostValues { throw Failure(.limit, "more than \(Self.mostValues) values") }
        if size > Limits.documentBytes { throw Failure(.limit, "more than \(Limits.documentBytes) bytes as JSON") }
    }

    private mutating func node(_ event: Event, _ pointer: Bytes, depth: Int) throws(Failure) -> Value {
        placeBytes += pointer.count
        if placeBytes > Self.mostPlaceBytes { throw Failure(.limit, "the keys are too long for so many values below them") }
        marks.values[pointer] = event.mark
        let (before, sizeBefore, lowest) = (count, size, deepest)
        deepest = depth
        try add(count: 1, size: event.text.count, lowest: depth)
        let value: Value
        switch event.kind {
        case YAML_SCALAR_EVENT: value = YAMLScalar.value(event.text, isPlain: event.isPlain, tag: event.tag)
        case YAML_SEQUENCE_START_EVENT: value = try sequence(pointer, depth)
        case YAML_MAPPING_START_EVENT: value = try mapping(pointer, depth)
        case YAML_ALIAS_EVENT:
            guard let name = event.anchor, let anchored = anchors[name] else {
                throw event.mark.failure("the alias \"\((event.anchor ?? Bytes()).printable)\" has no anchor before it")
            }
            try add(count: anchored.count, size: anchored.size, lowest: depth + anchored.height)
            deepest = max(deepest, lowest)
            return anchored.value
        default: throw event.mark.failure("a value is expected")
        }
        if let name = event.anchor {
            anchors[name] = Anchored(value: value, count: count - before, size: size - sizeBefore, height: deepest - depth)
        }
        deepest = max(deepest, lowest)
        return value
    }

    private mutating func sequence(_ pointer: Bytes, _ depth: Int) throws(Failure) -> Value {
        var elements: [Value] = []
        while true {
            let event = try next()
            if event.kind == YAML_SEQUENCE_END_EVENT { return .array(elements) }
            elements.append(try node(event, "\(pointer)/\(elements.count)", depth: depth + 1))
        }
    }

    private mutating func mapping(_ pointer: Bytes, _ depth: Int) throws(Failure) -> Value {
        var members: [Value.Member] = []
        var merged: [Value.Member] = []
        while true {
            let event = try next()
            if event.kind == YAML_MAPPING_END_EVENT { break }
            let name: Bytes
            switch event.kind {
            // A status such as 200 is a number to YAML and a name to OpenAPI.
            case YAML_SCALAR_EVENT: name = event.text
            case YAML_ALIAS_EVENT:
                guard let anchor = event.anchor, case .text(let text) = anchors[anchor]?.value else {
                    throw event.mark.failure("a key must be a string")
                }
                name = text
            default: throw event.mark.failure("a key must be a string")
            }
            size += name.count
            let place: Bytes = "\(pointer)/\(name.pointerEscaped)"
            marks.keys[place] = event.mark
            let value = try node(try next(), place, depth: depth + 1)
            if event.isPlain && name == "<<" {
                merged += try Self.merged(value, event.mark)
            } else {
                members.append(.init(name: name, value: value))
            }
        }
        if merged.isEmpty { return .object(members) }
        var known = Set(members.map { $0.name })
        return .object(members + merged.filter { known.insert($0.name).inserted })
    }

    private static func merged(_ value: Value, _ mark: YAMLMark) throws(Failure) -> [Value.Member] {
        switch value {
        case .object(let members): return members
        case .array(let values):
            var result: [Value.Member] = []
            for value in values {
                guard case .object(let members) = value else { throw notMerged(mark) }
                result += members
            }
            return result
        default: throw notMerged(mark)
        }
    }

    private static func notMerged(_ mark: YAMLMark) -> Failure {
        mark.failure("<< can only merge a mapping or a sequence of mappings")
    }
}

/// The position of a value or a key.
struct YAMLMark {
    /// From 0, in characters.
    let line: Int
    let column: Int
    /// In characters, on its line.
    let length: Int

    init(_ start: yaml_mark_t, end: yaml_mark_t) {
        line = start.line
        column = start.column
        length = end.line == start.line ? max(1, end.column - start.column) : 1
    }

    func failure(_ message: Bytes) -> Failure {
        Failure(.json, message) {
            $0.line = line + 1
            $0.column = column + 1
        }
    }
}
