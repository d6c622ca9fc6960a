// Writes a form: one pair for each value that is not an array or an object.

extension FormEncoding {
    /// The pairs of `parameters`, escaped and joined by `&`; empty if there are none.
    ///
    /// Elements keep their order under every option; an omitted null or empty array leaves no separator
    /// (statements U16, U17).
    ///
    /// - Throws: `value`, with the key; `limit`.
    package func encode(
        _ parameters: [Value.Member], leaving bare: BareSet? = nil, as order: Order? = nil
    ) throws(Failure) -> Bytes {
        var writer = FormWriter(self, bare)
        try writer.write(parameters, below: nil, order ?? self.order, depth: 1)
        return writer.output
    }

    /// The items of one declared parameter.  Only unreserved bytes are not escaped, unless the encoding is that of WHATWG;
    /// the name comes from the description and keeps its case.
    func encode(_ name: Bytes, _ value: Value) throws(Failure) -> Bytes {
        var encoding = self
        encoding.keyCase = .given
        return try encoding.encode(
            [Value.Member(name: name, value: value)], leaving: escape == .whatwg ? nil : .unreserved)
    }
}

extension Value {
    /// The members of a form: those of an object, in the order of the encoding, or an array of
    /// pairs `[name, value]`, whose names may repeat, in the given order.
    var form: (members: [Value.Member], order: FormEncoding.Order?)? {
        if case .object(let members) = self { return (members, nil) }
        guard case .array(let elements) = self else { return nil }
        var members: [Value.Member] = []
        for element in elements {
            guard case .array(let pair) = element, pair.count == 2, case .text(let name)? = pair.first,
                let value = pair.last
            else { return nil }
            members.append(Value.Member(name: name, value: value))
        }
        return (members, .given)
    }
}

extension Failure {
    package static var formLimit: Failure {
        @inline(never) get { Failure(.limit, "the form is over \(Limits.formBytes) bytes") }
    }
}

private struct FormWriter {
    private let encoding: FormEncoding
    private let table: PercentCoding.Table
    private let writesPlus: Bool
    var output = Bytes()

    init(_ encoding: FormEncoding, _ bare: BareSet?) {
        self.encoding = encoding
        let own: BareSet =
            switch encoding.escape {
            case .query: .form
            case .unreserved: .unreserved
            case .whatwg: .whatwgForm
            }
        table = PercentCoding.table(bare ?? own)
        writesPlus = encoding.spaces == .plus
    }

    // Recursion is bounded by `Limits.jsonDepth`.

    mutating func write(
        _ members: [Value.Member], below path: Bytes?, _ order: FormEncoding.Order, depth: Int
    ) throws(Failure) {
        let ordered = order == .given ? members : members.ordered { $0.name < $1.name }
        for member in ordered {
            var key = member.name
            if let path { key = encoding.keyPaths == .dots ? "\(path).\(key)" : "\(path)[\(key)]" }
            try write(member.value, key, depth)
        }
    }

    private mutating func write(_ value: Value, _ key: Bytes, _ depth: Int) throws(Failure) {
        try Memory.check()
        if depth > Limits.jsonDepth {
            throw Failure(.limit, "parameters nest deeper than \(Limits.jsonDepth) levels")
        }
        // Each level adds to the key.
        if key.count > Limits.formKeyBytes {
            throw Failure(.limit, "the key of a parameter is over \(Limits.formKeyBytes) bytes")
        }
        switch value {
        case .object(let members): try write(members, below: key, encoding.order, depth: depth &+ 1)
        case .array(let elements):
            if elements.isEmpty {
                if encoding.emptyArrays == .empty { try begin(encoding.arrays == .brackets ? "\(key)[]" : key) }
            } else if encoding.arrays == .comma {
                try writeJoined(elements, key)
            } else {
                var index = encoding.firstIndex
                for element in elements {
                    try write(element, elementKey(key, index), depth &+ 1)
                    index &+= 1
                }
            }
        case .null:
            guard encoding.nulls != .drop else { return }
            try begin(key)
            if encoding.nulls == .null { output.append("null") }
        default:
            let text = try text(value, key)
            try begin(key)
            try escape(text, key)
        }
    }

    private func elementKey(_ key: Bytes, _ index: Int) -> Bytes {
        switch encoding.arrays {
        case .brackets: return "\(key)[]"
        case .index: return "\(key)[\(index)]"
        case .format: return ArrayFormat.fill(encoding.arrayFormat, key: key, index: index)
        case .none, .comma: return key
        }
    }

    /// `foo=1,2`: one pair, whose commas are not escaped; commas within an element are.
    private mutating func writeJoined(_ elements: [Value], _ key: Bytes) throws(Failure) {
        var isFirst = true
        for element in elements {
            if element.isNull && encoding.nulls == .drop { continue }
            if isFirst { try begin(key) } else { output.append(UInt8(ascii: ",")) }
            isFirst = false
            if element.isNull {
                if encoding.nulls == .null { output.append("null") }
            } else {
                try escape(try text(element, key), key)
            }
        }
    }

    private func text(_ value: Value, _ key: Bytes) throws(Failure) -> Bytes {
        if case .boolean(let truth) = value, encoding.booleans == .numeric { return truth ? "1" : "0" }
        if let text = value.scalarText { return text }
        if case .real = value { throw refusal(key, "it is not a finite number") }
        throw refusal(key, "it contains \(value.kindName), which cannot be joined with commas")
    }

    private func refusal(_ key: Bytes, _ reason: Bytes) -> Failure {
        Failure(.value, "invalid parameter \"\(key.printable)\": \(reason)") { $0.parameter = key }
    }

    /// Writes the separator, the key and the equals sign.
    private mutating func begin(_ key: Bytes) throws(Failure) {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        // Checked before the conversion of the case, which would replace invalid bytes.
        if !UTF8Check.isValid(key) { throw refusal(key, "it is not UTF-8") }
        try escape(encoding.keyCase.apply(to: key), key)
        output.append(UInt8(ascii: "="))
    }

    private mutating func escape(_ text: Bytes, _ key: Bytes) throws(Failure) {
        // A long key with many elements is repeated for each of them.
        if output.count &+ text.count > Limits.formBytes { throw Failure.formLimit }
        if !UTF8Check.isValid(text) { throw refusal(key, "its key or value is not UTF-8") }
        var last: UInt8 = 0
        for byte in text.storage {
            if encoding.newlines == .crlf && (byte == 0x0A || byte == 0x0D) {
                if !(last == 0x0D && byte == 0x0A) { output.append("%0D%0A") }
            } else if byte == 0x20 && writesPlus {
                output.append(UInt8(ascii: "+"))
            } else {
                PercentCoding.append(byte, table, to: &output)
            }
            last = byte
        }
    }
}
