// Formats JSON for readers: two spaces for each level, short values on one line.

import RoutableCore

enum Layout {
    private static let width = 100

    static func text(_ value: Value) throws(Failure) -> Bytes {
        var output = Bytes()
        try write(value, indent: 0, used: 0, &output)
        return output
    }

    /// Whether the value needs at most `room` bytes; determined without writing it.
    private static func isShort(_ value: Value, _ room: inout Int) -> Bool {
        // proof: each value reduces the room, which bounds the recursion.
        room -= 2
        if room < 0 { return false }
        switch value {
        case .text(let text): room -= text.count
        case .array(let elements): for element in elements where !isShort(element, &room) { return false }
        case .object(let members):
            for member in members {
                room -= member.name.count
                if !isShort(member.value, &room) { return false }
            }
        default: break
        }
        return room >= 0
    }

    private static func write(_ value: Value, indent: Int, used: Int, _ output: inout Bytes) throws(Failure) {
        // proof: the recursion ends at the maximum nesting that the reader accepts.
        var room = width
        let isShort = isShort(value, &room)
        let isLeaf: Bool
        switch value {
        case .object(let members): isLeaf = members.isEmpty || indent >= 2 * Limits.jsonDepth
        case .array(let elements): isLeaf = elements.isEmpty || indent >= 2 * Limits.jsonDepth
        default: isLeaf = true
        }
        if isLeaf || indent > 2 && isShort {
            let short = try value.json
            if isLeaf || indent + used + short.count <= width { return output.append(short) }
        }
        let isObject = if case .object = value { true } else { false }
        output.append(isObject ? "{\n" : "[\n")
        let parts: [(name: Bytes?, value: Value)] =
            isObject ? value.members.map { ($0.name, $0.value) } : value.elements.map { (nil, $0) }
        for (index, part) in parts.enumerated() {
            output.append(.spaces(indent + 2))
            var used = 0
            if let name = part.name {
                let key: Bytes = "\(try Value.text(name).json): "
                output.append(key)
                used = key.count
            }
            try write(part.value, indent: indent + 2, used: used, &output)
            output.append(index + 1 < parts.count ? ",\n" : "\n")
        }
        output.append(.spaces(indent))
        output.append(isObject ? "}" : "]")
    }
}
