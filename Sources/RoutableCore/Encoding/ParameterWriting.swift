// Writes one parameter of OpenAPI: the serialization of arrays and objects by its style.
//
// The table of the specification (3.0.4 and later) applies; values that it does not define are refused by name.

extension ParameterStyle {
    /// The text of a value at its location, with the name if the style has one; empty if no text
    /// is to be sent.
    ///
    /// - Throws: `value`.
    func write(
        _ name: Bytes, _ value: Value, _ location: ParameterLocation, codec: (any BodyCodec)?
    ) throws(Failure) -> Bytes {
        if value.isNull { return Bytes() }
        switch kind {
        case .json, .text, .queryForm, .queryJSON: return try writeContent(name, value, location, codec)
        case .deepObject: return try writeDeep(name, value)
        default: break
        }
        var expansion = Expansion()
        expansion.hasPlainName = false
        expansion.bare = bareSet(location)
        expansion.keepsTriplets = allowReserved
        if expansion.bare == .reservedQuery { expansion.bareKey = .reservedName }
        var first = Bytes()
        switch kind {
        case .label:
            expansion.separator = "."
            first = "."
        case .matrix:
            expansion.separator = ";"
            expansion.isNamed = true
            first = ";"
        case .form, .cookie:
            // The pairs of a cookie parameter are separated like cookies.
            expansion.separator = location == .cookie ? "; " : "&"
            expansion.isNamed = true
            expansion.keepsEquals = true
        case .spaceDelimited, .pipeDelimited:
            if value.scalarText != nil {
                throw Expansion.refusal(name, "the style \(Bytes(static: self.name)) is only for arrays and objects")
            }
            if case .object = value, explode {
                throw Expansion.refusal(name, "the style \(Bytes(static: self.name)) does not support exploded objects")
            }
            expansion.inner = kind == .spaceDelimited ? "%20" : "%7C"
            expansion.separator = "&"
            expansion.isNamed = true
            expansion.keepsEquals = true
        default: break
        }
        expansion.delimiters = delimiters(location)
        guard let text = try expansion.write(name, value, explode: explode) else { return Bytes() }
        if kind == .cookie { try checkCookie(text, name) }
        if location == .header, text.isEmpty, case .array(let elements) = value, elements.contains(where: { !$0.isNull }) {
            throw Expansion.refusal(name, "an array that contains only an empty string would be read as an empty array")
        }
        first.append(text)
        return first
    }

    /// The separators of items that have no escaped form: an item that contains one would be parsed as two.
    private func delimiters(_ location: ParameterLocation) -> [UInt8] {
        switch kind {
        case .spaceDelimited: return explode ? [] : [0x20]
        case .pipeDelimited: return explode ? [] : [UInt8(ascii: "|")]
        case .label where explode: return [UInt8(ascii: ".")]
        default: break
        }
        let isBare = bareSet(location) == nil || allowReserved
        let isJoined = !explode || location == .path && kind == .simple || location == .header
        return isBare && isJoined ? [UInt8(ascii: ",")] : []
    }

    private func bareSet(_ location: ParameterLocation) -> BareSet? {
        switch location {
        case .header: nil
        case .cookie: kind == .cookie ? nil : .unreserved
        case .path: allowReserved ? .reservedSegment : .unreserved
        case .query: allowReserved ? .reservedQuery : .unreserved
        }
    }

    /// An unescaped value must not begin another cookie.  `; ` is the separator between our own cookies.
    private func checkCookie(_ text: Bytes, _ name: Bytes) throws(Failure) {
        let bytes = text.storage
        for (index, byte) in bytes.enumerated() {
            let isSeparator = byte == UInt8(ascii: ";") || byte == 0x20
            if ASCII.isControl(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte >= 0x80
                || isSeparator && !explode
                || byte == UInt8(ascii: ";") && (index &+ 1 >= bytes.count || bytes[index &+ 1] != 0x20)
            {
                throw Expansion.refusal(name, "it contains a character that cookies do not allow")
            }
        }
    }

    /// `name[key][inner]=value`; the elements of an array repeat their key.
    private func writeDeep(_ name: Bytes, _ value: Value) throws(Failure) -> Bytes {
        guard case .object(let members) = value else {
            throw Expansion.refusal(name, "the style deepObject requires an object, not \(value.kindName)")
        }
        if !explode { throw Expansion.refusal(name, "deepObject requires \"explode\": true in the description") }
        var output = Bytes()
        try writeDeep(PercentCoding.encode(name, .unreserved), members, name, 1, &output)
        return output
    }

    private func writeDeep(
        _ path: Bytes, _ members: [Value.Member], _ name: Bytes, _ depth: Int, _ output: inout Bytes
    ) throws(Failure) {
        // proof: the recursion ends at the limit of nesting.
        if depth > Limits.jsonDepth || path.count > Limits.formKeyBytes {
            throw Failure(.limit, "the value of \(name.printable) is nested too deeply") { $0.parameter = name }
        }
        var expansion = Expansion()
        expansion.bare = bareSet(.query)
        expansion.keepsTriplets = allowReserved
        for member in members {
            if !UTF8Check.isValid(member.name) { throw Expansion.refusal(name, "one of its keys is not UTF-8") }
            var key = path
            key.append("%5B")
            PercentCoding.append(member.name, .unreserved, to: &key)
            key.append("%5D")
            if case .object(let inner) = member.value {
                try writeDeep(key, inner, name, depth &+ 1, &output)
                continue
            }
            var values = [member.value]
            if case .array(let elements) = member.value { values = elements }
            for value in values where !value.isNull {
                guard let text = value.scalarText else {
                    throw Expansion.refusal(name, "it has an array that contains \(value.kindName)")
                }
                if output.count > Limits.formBytes { throw Failure(.limit, "the query is over \(Limits.formBytes) bytes") }
                if !output.isEmpty { output.append(UInt8(ascii: "&")) }
                output.append(key)
                output.append(UInt8(ascii: "="))
                try expansion.append(text, name, &output)
            }
        }
    }

    private func writeContent(
        _ name: Bytes, _ value: Value, _ location: ParameterLocation, _ codec: (any BodyCodec)?
    ) throws(Failure) -> Bytes {
        if kind == .queryForm {
            guard let form = value.form else {
                throw Expansion.refusal(name, "an object or an array of pairs [name, value] is expected")
            }
            var encoding = FormEncoding()
            encoding.escape = .unreserved
            encoding.booleans = .literal
            encoding.arrays = .none
            encoding.order = .given
            return try encoding.encode(form.members, as: .given)
        }
        var text = Bytes()
        if kind == .text {
            guard let scalar = value.scalarText else {
                throw Expansion.refusal(name, "\(value.kindName) cannot be written in the media type of this parameter")
            }
            text = scalar
        } else {
            guard let codec else { throw Failure(.unsupported, "the router was opened without a JSON codec") }
            text = try codec.text(of: value)
        }
        var expansion = Expansion()
        expansion.hasPlainName = false
        expansion.bare = location == .header ? nil : .unreserved
        expansion.isNamed = (location == .query || location == .cookie) && kind != .queryJSON
        expansion.keepsEquals = true
        return try expansion.write(name, .text(text), explode: false) ?? Bytes()
    }
}

extension ParameterDescription {
    /// The text of a value in the style of the parameter, validated against its type; nil without a style, so that it is written like
    /// a plain value.
    ///
    /// - Throws: `value`.
    func styled(_ value: Value, codec: (any BodyCodec)?) throws(Failure) -> Bytes? {
        guard let style = style ?? (type == nil ? nil : effectiveStyle) else { return nil }
        var value = value
        switch style.shape {
        case .scalar:
            guard value.scalarText != nil || value.isNull else {
                throw Expansion.refusal(name, "a single value is expected, not \(value.kindName)")
            }
            try check([value])
        case .array:
            // A single value is an array of one element.
            if value.scalarText != nil { value = .array([value]) }
            guard case .array(let elements) = value else {
                throw Expansion.refusal(name, "an array is expected, not \(value.kindName)")
            }
            try check(elements)
        case .object:
            guard case .object = value else { throw Expansion.refusal(name, "an object is expected, not \(value.kindName)") }
        case .any: break
        }
        try checkWhole(value, codec)
        return try style.write(name, value, location, codec: codec)
    }

    /// Validates a value against the schema of the parameter, if it has constraints besides those of its scalar.
    ///
    /// - Throws: `value`, with the pointer into the schema; `limit`, `document`.
    func checkWhole(_ value: Value, _ codec: (any BodyCodec)?) throws(Failure) {
        guard let type, let codec, !value.isNull else { return }
        let isJSON = style?.kind == .json || style?.kind == .queryJSON
        do { try codec.check(parameter: value, against: type, isJSON: isJSON) } catch {
            if error.status != .body { throw error }
            let schemaPointer = error.fields.schemaPointer
            throw Expansion.refusal(name, error.message).with {
                $0.schemaPointer = schemaPointer
                $0.allowed = error.fields.allowed
                $0.suggestion = error.fields.suggestion
            }
        }
    }

    private func check(_ values: [Value]) throws(Failure) {
        if scalar.isPlain { return }
        for value in values {
            guard let text = value.scalarText else { continue }
            if let reason = text.storage.withUnsafeBytes({ scalar.refusal(of: $0) }) {
                throw Expansion.refusal(name, reason).with { $0.allowed = scalar.values.ordered() }
            }
        }
    }
}
