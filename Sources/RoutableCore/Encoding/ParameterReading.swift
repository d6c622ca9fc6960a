// Parses the string of a parameter into its value, if its style allows that without ambiguity.

extension ParameterStyle {
    /// The value of a parameter in a string: for a path, the segment; for a query, the whole query without the `?`;
    /// for a header, the value of the field; for a cookie, the field with all cookies.  nil if it is absent.
    ///
    /// Texts become numbers and booleans as `scalar` declares.  The members of an exploded object in a query are
    /// the pairs for whose names `isOther` returns false; the other names are those of other parameters.
    ///
    /// - Throws: `value` for a string that the style cannot produce.
    package func read(
        _ name: Bytes, _ text: UnsafeRawBufferPointer, _ location: ParameterLocation, scalar: Scalar,
        codec: (any BodyCodec)?, isOther: (Bytes) -> Bool
    ) throws(Failure) -> Value? {
        let reader = ParameterReader(self, name, location, scalar, codec)
        switch location {
        case .path, .header: return try reader.readWhole(text)
        case .query: return try reader.readPairs(text, separator: UInt8(ascii: "&"), isOther)
        case .cookie: return try reader.readPairs(text, separator: UInt8(ascii: ";"), isOther)
        }
    }
}

extension Scalar {
    /// The value of a decoded text for a parameter of this type.
    ///
    /// - Throws: `value`.
    func read(_ text: Bytes, of name: Bytes) throws(Failure) -> Value {
        if !UTF8Check.isValid(text) { throw Expansion.refusal(name, "it is not UTF-8") }
        if let reason = text.storage.withUnsafeBytes({ refusal(of: $0) }) {
            throw Expansion.refusal(name, reason).with { $0.allowed = values.ordered() }
        }
        switch kind {
        case .string: return .text(text)
        case .boolean: return .boolean(text == "true")
        case .integer, .number:
            if let number = Decimal.parse(text) { return .integer(number) }
            return .number(text)
        }
    }
}

private struct ParameterReader {
    let style: ParameterStyle
    let name: Bytes
    let location: ParameterLocation
    let scalar: Scalar
    let codec: (any BodyCodec)?

    init(
        _ style: ParameterStyle, _ name: Bytes, _ location: ParameterLocation, _ scalar: Scalar, _ codec: (any BodyCodec)?
    ) {
        self.style = style
        self.name = name
        self.location = location
        self.scalar = scalar
        self.codec = codec
    }

    private var hasArray: Bool { style.shape == .array }
    private var hasObject: Bool { style.shape == .object }

    private func refusal(_ reason: Bytes) -> Failure { Expansion.refusal(name, reason) }

    private func decoded(_ text: Bytes) -> Bytes {
        if location == .header || style.kind == .cookie { return text }
        return text.storage.withUnsafeBytes {
            PercentCoding.decode($0, plusIsSpace: location == .query && !style.allowReserved)
        }
    }

    private func value(_ text: Bytes) throws(Failure) -> Value { try scalar.read(text, of: name) }

    /// An object from pairs; a name that repeats becomes an array if that is unambiguous.
    private func object(_ pairs: [(name: Bytes, value: Bytes)]) throws(Failure) -> Value {
        let root = ReadObject()
        for pair in pairs {
            try Memory.check()
            if !UTF8Check.isValid(pair.name) || !UTF8Check.isValid(pair.value) { throw refusal("it is not UTF-8") }
            root.add(pair.value, [pair.name])
        }
        return root.value
    }

    /// `a,b,c` or `k,v,k,v` or `k=v,k=v`.
    private func items(_ pieces: [Bytes], explode: Bool) throws(Failure) -> Value {
        if hasArray {
            var elements: [Value] = []
            for piece in pieces {
                try Memory.check()
                elements.append(try value(decoded(piece)))
            }
            return .array(elements)
        }
        var pairs: [(name: Bytes, value: Bytes)] = []
        if explode {
            for piece in pieces {
                try Memory.check()
                guard let equals = piece.storage.firstIndex(of: UInt8(ascii: "=")) else {
                    if style.kind == .matrix {
                        pairs.append((decoded(piece), Bytes()))
                        continue
                    }
                    throw refusal("\"\(piece.printable)\" is not of the form key=value")
                }
                pairs.append(
                    (decoded(Bytes(piece.storage[..<equals])), decoded(Bytes(piece.storage[(equals &+ 1)...]))))
            }
        } else {
            if pieces.count % 2 != 0 { throw refusal("a key has no value") }
            var index = 0
            while index &+ 1 < pieces.count {
                try Memory.check()
                pairs.append((decoded(pieces[index]), decoded(pieces[index &+ 1])))
                index &+= 2
            }
        }
        return try object(pairs)
    }

    // MARK: - A segment, or the value of a header

    func readWhole(_ buffer: UnsafeRawBufferPointer) throws(Failure) -> Value? {
        var text = Bytes(buffer)
        switch style.kind {
        case .json: return try json(decoded(text))
        case .text: return .text(decoded(text))
        case .label:
            guard text.storage.first == UInt8(ascii: ".") else { throw refusal("it does not begin with a \".\"") }
            text = Bytes(text.storage.dropFirst())
            if !hasArray && !hasObject { return try value(decoded(text)) }
            return try items(try text.pieces(on: UInt8(ascii: style.explode ? "." : ",")), explode: style.explode)
        case .matrix: return try readMatrix(text)
        default:
            if !hasArray && !hasObject { return try value(decoded(text)) }
            if text.isEmpty { return hasArray ? .array([]) : .object([]) }
            var pieces = try text.pieces(on: UInt8(ascii: ","))
            // White space around the elements of a list is not part of them (RFC 9110 section 5.6.1).
            if location == .header { pieces = pieces.map { $0.trimmedOfBlanks } }
            return try items(pieces, explode: style.explode)
        }
    }

    /// `;name=a,b` or `;name=a;name=b` or `;k=v;k=v`.
    private func readMatrix(_ text: Bytes) throws(Failure) -> Value? {
        var pieces = try text.pieces(on: UInt8(ascii: ";"))
        guard let first = pieces.first, first.isEmpty, pieces.count > 1 else {
            throw refusal("it does not begin with a \";\"")
        }
        pieces.removeFirst()
        if hasObject && style.explode { return try items(pieces, explode: true) }
        var values: [Bytes] = []
        for piece in pieces {
            let equals = piece.storage.firstIndex(of: UInt8(ascii: "=")) ?? piece.storage.endIndex
            guard decoded(Bytes(piece.storage[..<equals])) == name else {
                throw refusal("\"\(piece.printable)\" does not belong to this parameter")
            }
            values.append(Bytes(piece.storage[min(equals &+ 1, piece.count)...]))
        }
        if !hasArray && !hasObject {
            guard values.count == 1, let only = values.first else { throw refusal("the parameter is given more than once") }
            return try value(decoded(only))
        }
        if !style.explode {
            guard values.count == 1, let only = values.first else { throw refusal("the parameter is given more than once") }
            values = try only.pieces(on: UInt8(ascii: ","))
        }
        return try items(values, explode: false)
    }

    // MARK: - Pairs of a query or of cookies

    func readPairs(
        _ buffer: UnsafeRawBufferPointer, separator: UInt8, _ isOther: (Bytes) -> Bool
    ) throws(Failure) -> Value? {
        if style.kind == .queryJSON { return buffer.isEmpty ? nil : try json(decoded(Bytes(buffer))) }
        var own: [Bytes] = []
        var others: [(name: Bytes, value: Bytes)] = []
        var members: [(name: Bytes, value: Bytes)] = []
        for piece in try Bytes(buffer).pieces(on: separator) where !piece.isEmpty {
            try Memory.check()
            var bytes = piece.storage[...]
            while location == .cookie, bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
            let equals = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
            let key = decoded(Bytes(bytes[..<equals]))
            let rest = Bytes(bytes[min(equals &+ 1, bytes.endIndex)...])
            if key == name {
                own.append(rest)
            } else if style.kind == .deepObject {
                if let inner = deepKey(key) { members.append((inner, decoded(rest))) }
            } else if !isOther(key) {
                others.append((key, decoded(rest)))
            }
        }
        switch style.kind {
        case .queryForm: return try object(others)
        case .deepObject: return members.isEmpty ? nil : try deep(members)
        case .json:
            guard let first = own.first else { return nil }
            return try json(decoded(first))
        case .text: return own.first.map { .text(decoded($0)) }
        default: break
        }
        if hasObject && style.explode && (style.kind == .form || style.kind == .cookie) {
            return others.isEmpty ? nil : try object(others)
        }
        guard let first = own.first else { return nil }
        if !hasArray && !hasObject {
            if own.count == 1 { return try value(decoded(first)) }
            // A value of any type that is written as several items is an array.
            guard style.shape == .any && style.explode else { throw refusal("the parameter is given more than once") }
            var elements: [Value] = []
            for text in own { elements.append(try value(decoded(text))) }
            return .array(elements)
        }
        if style.explode { return try items(own, explode: false) }
        if own.count > 1 { throw refusal("the parameter is given more than once") }
        return try items(try delimited(first), explode: false)
    }

    private func delimited(_ text: Bytes) throws(Failure) -> [Bytes] {
        switch style.kind {
        case .spaceDelimited:
            var plain = Bytes()
            var index = 0
            let bytes = text.storage
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "+") {
                    plain.append(0x20)
                } else if bytes[index...].starts(with: [0x25, 0x32, 0x30]) {
                    plain.append(0x20)
                    index &+= 2
                } else {
                    plain.append(bytes[index])
                }
                index &+= 1
            }
            return try plain.pieces(on: 0x20)
        case .pipeDelimited:
            var plain = Bytes()
            var index = 0
            let bytes = text.storage
            while index < bytes.count {
                if bytes[index...].starts(with: [0x25, 0x37, 0x43]) || bytes[index...].starts(with: [0x25, 0x37, 0x63]) {
                    plain.append(UInt8(ascii: "|"))
                    index &+= 2
                } else {
                    plain.append(bytes[index])
                }
                index &+= 1
            }
            return try plain.pieces(on: UInt8(ascii: "|"))
        default: return try text.pieces(on: UInt8(ascii: ","))
        }
    }

    /// The text in the brackets of `name[...]`, which may be `a][b`; nil for another name.
    private func deepKey(_ key: Bytes) -> Bytes? {
        guard key.count > name.count &+ 2, key.hasPrefix(name), key.storage[name.count] == UInt8(ascii: "["),
            key.storage.last == UInt8(ascii: "]")
        else { return nil }
        return Bytes(key.storage[(name.count &+ 1)..<(key.count &- 1)])
    }

    /// `a][b` is the member b of the member a.
    private func deep(_ pairs: [(name: Bytes, value: Bytes)]) throws(Failure) -> Value {
        let root = ReadObject()
        for pair in pairs {
            try Memory.check()
            if !UTF8Check.isValid(pair.name) || !UTF8Check.isValid(pair.value) { throw refusal("it is not UTF-8") }
            var keys: [Bytes] = []
            var key = Bytes()
            var index = 0
            let bytes = pair.name.storage
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "]"), index &+ 1 < bytes.count, bytes[index &+ 1] == UInt8(ascii: "[") {
                    keys.append(key)
                    if keys.count >= 64 { throw refusal("it has more than 64 levels") }
                    key = Bytes()
                    index &+= 2
                    continue
                }
                key.append(bytes[index])
                index &+= 1
            }
            keys.append(key)
            root.add(pair.value, keys)
        }
        return root.value
    }

    private func json(_ text: Bytes) throws(Failure) -> Value {
        guard let codec else { throw Failure(.unsupported, "the router was opened without a JSON codec") }
        do { return try codec.value(of: text) } catch { throw refusal("it is not JSON: \(error.message)") }
    }
}
