// The expansion of one variable, for URI templates (RFC 6570) and for the parameter styles of OpenAPI.

/// The format of values: the bytes that are not escaped, and the separators.
struct Expansion {
    /// The separator of the items of an exploded value.
    var separator: Bytes = ","
    /// The separator of the items of a value that is not exploded.
    var inner: Bytes = ","
    /// Whether items are written with the name of the variable.
    var isNamed = false
    /// Whether `=` is written after the name of a single empty value.
    var keepsEquals = false
    /// The bytes that are not escaped; nil writes strings unchanged.
    var bare: BareSet? = .unreserved
    /// The same for the keys of an exploded object; nil for the value of `bare`.
    var bareKey: BareSet?
    /// Whether percent-encoded triplets of a string are written unchanged.
    var keepsTriplets = false
    /// Whether the name is written unchanged: the variable of a template is already a part of a URL.
    var hasPlainName = true
    /// Bytes that the items of a list must not contain, because they separate items and are not escaped.
    var delimiters: [UInt8] = []

    /// The expansion of one variable, without the first character of the expression; nil if it is undefined, or contains only undefined items.
    ///
    /// `prefix` is the maximum number of characters of a string.
    ///
    /// - Throws: `value` for a nested value without a string form; `limit` beyond `Limits.urlBytes`.
    func write(_ name: Bytes, _ value: Value, explode: Bool, prefix: Int? = nil) throws(Failure) -> Bytes? {
        var output = Bytes()
        switch value {
        case .null: return nil
        case .array(let elements):
            var isFirst = true
            for element in elements where !element.isNull {
                begin(name, &isFirst, explode, &output)
                let text = try item(element, name)
                if isNamed && explode {
                    appendName(name, &output)
                    output.append(UInt8(ascii: "="))
                }
                try append(text, name, &output)
                try Self.checkLength(output, name)
            }
            return isFirst ? nil : output
        case .object(let members):
            var isFirst = true
            for member in members {
                var values = [member.value]
                if case .array(let elements) = member.value { values = elements }
                for value in values where !value.isNull {
                    begin(name, &isFirst, explode, &output)
                    let text = try item(value, name)
                    try refuseDelimiters(member.name, name)
                    if explode && bare == nil && member.name.storage.contains(UInt8(ascii: "=")) {
                        throw Self.refusal(name, "the key \"\(member.name.printable)\" contains \"=\", which ends a key")
                    }
                    try append(member.name, name, &output, bare: explode ? bareKey ?? bare : bare)
                    if explode { output.append(UInt8(ascii: "=")) } else { output.append(inner) }
                    try append(text, name, &output)
                    try Self.checkLength(output, name)
                }
            }
            return isFirst ? nil : output
        default:
            var text = try text(value, name)
            if let prefix { text = text.prefix(characters: prefix, keepsTriplets: keepsTriplets) }
            if isNamed {
                appendName(name, &output)
                if !text.isEmpty || keepsEquals { output.append(UInt8(ascii: "=")) }
            }
            try append(text, name, &output)
            return output
        }
    }

    private static func checkLength(_ output: Bytes, _ name: Bytes) throws(Failure) {
        if output.count <= Limits.urlBytes { return }
        throw Failure(.limit, "the value of \(name.printable) would be longer than \(Limits.urlBytes) bytes") {
            $0.parameter = name
        }
    }

    private func item(_ value: Value, _ name: Bytes) throws(Failure) -> Bytes {
        let text = try text(value, name)
        try refuseDelimiters(text, name)
        return text
    }

    /// Refuses a string that would be parsed as more than one item.
    private func refuseDelimiters(_ text: Bytes, _ name: Bytes) throws(Failure) {
        guard let found = text.storage.first(where: { delimiters.contains($0) }) else { return }
        throw Self.refusal(name, "\"\(text.printable)\" contains \"\(Bytes([found]))\", the delimiter of the parameter's style")
    }

    /// Writes the separator before an item, or the name before the first one.
    private func begin(_ name: Bytes, _ isFirst: inout Bool, _ explode: Bool, _ output: inout Bytes) {
        if isFirst {
            if isNamed && !explode {
                appendName(name, &output)
                output.append(UInt8(ascii: "="))
            }
        } else {
            output.append(explode ? separator : inner)
        }
        isFirst = false
    }

    private func appendName(_ name: Bytes, _ output: inout Bytes) {
        if hasPlainName || bare == nil { output.append(name) } else { PercentCoding.append(name, .unreserved, to: &output) }
    }

    func append(_ text: Bytes, _ name: Bytes, _ output: inout Bytes) throws(Failure) {
        try append(text, name, &output, bare: bare)
    }

    private func append(_ text: Bytes, _ name: Bytes, _ output: inout Bytes, bare: BareSet?) throws(Failure) {
        if !UTF8Check.isValid(text) { throw Self.refusal(name, "it is not UTF-8") }
        guard let bare else {
            output.append(text)
            return
        }
        if !keepsTriplets {
            PercentCoding.append(text, bare, to: &output)
            return
        }
        let table = PercentCoding.table(bare)
        let bytes = text.storage
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index &+ 2 < bytes.count, ASCII.hexValue(bytes[index &+ 1]) != nil,
                ASCII.hexValue(bytes[index &+ 2]) != nil
            {
                output.append(byte)
            } else {
                PercentCoding.append(byte, table, to: &output)
            }
            index &+= 1
        }
    }

    private func text(_ value: Value, _ name: Bytes) throws(Failure) -> Bytes {
        if let text = value.scalarText { return text }
        throw Self.refusal(name, "it contains \(value.kindName), which cannot be written here")
    }

    static func refusal(_ name: Bytes, _ reason: Bytes) -> Failure {
        Failure(.value, "invalid value of \(name.printable): \(reason)") { $0.parameter = name }
    }
}

extension Bytes {
    /// The prefix of this number of Unicode scalars.
    ///
    /// With `keepsTriplets`, the length counts the percent-encoded triplets of one scalar as one character (RFC 6570, section 2.4.1).
    func prefix(characters limit: Int, keepsTriplets: Bool = false) -> Bytes {
        var count = 0
        var index = 0
        while index < storage.count {
            if storage[index] & 0xC0 != 0x80 {
                if count == limit { return Bytes(storage[..<index]) }
                count &+= 1
            }
            index &+= keepsTriplets ? tripletBytes(at: index) : 1
        }
        return self
    }

    /// The length of the triplets of one scalar at an offset; 1 if no triplet begins there.
    private func tripletBytes(at start: Int) -> Int {
        guard let first = triplet(at: start) else { return 1 }
        let more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
        var end = start &+ 3
        for _ in 0..<more {
            guard let next = triplet(at: end), next & 0xC0 == 0x80 else { break }
            end &+= 3
        }
        return end &- start
    }

    private func triplet(at index: Int) -> UInt8? {
        guard index &+ 2 < storage.count, storage[index] == UInt8(ascii: "%"), let high = ASCII.hexValue(storage[index &+ 1]),
            let low = ASCII.hexValue(storage[index &+ 2])
        else { return nil }
        return high << 4 | low
    }
}
