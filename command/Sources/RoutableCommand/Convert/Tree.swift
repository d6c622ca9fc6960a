// JSON trees for the conversions.

import RoutableCore
import RoutableDocuments
import RoutableJSON

extension Value {
    /// The member with this name; the last one if there are several.
    func member(_ name: Bytes) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [Value] { if case .array(let elements) = self { elements } else { [] } }
    var text: Bytes? { if case .text(let text) = self { text } else { nil } }
    var isTrue: Bool { if case .boolean(true) = self { true } else { false } }

    /// The value at a JSON pointer.
    func found(_ pointer: Bytes) -> Value? { JSONPointer.target(JSONPointer.tokens(pointer), in: self) }

    static func read(_ json: Bytes) throws(Failure) -> Value {
        try json.withBuffer { (buffer) throws(Failure) in try CallDocument.value(buffer) }
    }

    var json: Bytes { get throws(Failure) { try MessageDocument.value(self) } }
}

/// An object under construction; nil and empty members are omitted.
struct Members {
    private(set) var list: [Value.Member] = []

    var value: Value { .object(list) }
    var isEmpty: Bool { list.isEmpty }

    mutating func set(_ name: Bytes, _ value: Value?) {
        guard let value else { return }
        if let index = list.firstIndex(where: { $0.name == name }) {
            list[index].value = value
        } else {
            list.append(.init(name: name, value: value))
        }
    }

    mutating func set(_ name: Bytes, text: Bytes) { if !text.isEmpty { set(name, .text(text)) } }
    mutating func set(_ name: Bytes, flag: Bool) { if flag { set(name, .boolean(true)) } }
}

/// The parts that a conversion cannot express, each with its position.
struct Remarks {
    private(set) var lines: [Bytes] = []
    private var known: Set<Bytes> = []
    private var counts: [(what: Bytes, number: Int)] = []

    /// Counts a remark of which only the number is reported.
    mutating func count(_ what: Bytes) {
        if let index = counts.firstIndex(where: { $0.what == what }) {
            counts[index].number += 1
        } else {
            counts.append((what, 1))
        }
    }

    mutating func add(_ place: Bytes, _ what: Bytes) {
        let line: Bytes = "\(place.printable): \(what)"
        if known.insert(line).inserted { lines.append(line) }
    }

    /// Writes the remarks to standard error, as text or as JSON.
    func say(_ json: Bool) {
        let lines = lines + counts.map { "\($0.number) times: \($0.what)" }
        if lines.isEmpty { return }
        if json {
            let list = Value.array(lines.map { .text(Bytes($0.string)) })
            if let text = try? Value.object([.init(name: "left_out", value: list)]).json { Output.say("\(text)\n") }
            return
        }
        for line in lines { Output.say("routable: left out: \(Terminal.remarks.shown(line))\n") }
    }
}
