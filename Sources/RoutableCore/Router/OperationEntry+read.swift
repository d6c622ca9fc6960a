// Parses a string into the value of a parameter of an operation: the inverse of Plan/Plan+encoding.swift.

extension OperationEntry {
    /// The value of a parameter of the operation in a string (`ParameterStyle.read`); nil if it is absent.
    ///
    /// - Throws: `argument` for a parameter that the operation does not have, `value`.
    package func read(
        parameter index: Int, _ text: UnsafeRawBufferPointer, codec: (any BodyCodec)?
    ) throws(Failure) -> Value? {
        guard parameters.indices.contains(index) else {
            throw Failure(.argument, "the operation has \(parameters.count) parameters; the index \(index) is out of range")
        }
        let parameter = parameters[index]
        // Made when the first other name is found.
        var names: Set<Bytes>?
        return try parameter.read(text, codec: codec) { name in
            let known = names ?? self.names(in: parameter.description.location)
            names = known
            return known.contains(name)
        }
    }

    /// The names of the parameters in one part of a request.
    package func names(in location: ParameterLocation) -> Set<Bytes> {
        Set(parameters.filter { $0.description.location == location }.map { $0.description.name })
    }
}

extension ParameterEntry {
    /// Parses the value of the parameter in a part of a request (`ParameterStyle.read`); nil if it is absent.
    ///
    /// - Throws: `value`.
    package func read(
        _ text: UnsafeRawBufferPointer, codec: (any BodyCodec)?, isOther: (Bytes) -> Bool
    ) throws(Failure) -> Value? {
        // An empty value of the path, which matching allows, is not compared with the constraints; neither is it when a path is built.
        if text.isEmpty && description.location == .path && description.allowsEmpty && description.style == nil {
            return .text(Bytes())
        }
        var value: Value?
        if let encoding, description.style == nil, description.location == .query {
            value = try encoding.read(description, text)
        } else {
            value = try description.effectiveStyle.read(
                description.name, text, description.location, scalar: description.scalar, codec: codec, isOther: isOther)
        }
        if let value { try description.checkWhole(value, codec) }
        return value
    }

    /// Whether an item of a query or a cookie with this name belongs to the parameter.
    package func claims(_ name: Bytes) -> Bool {
        let own = description.name
        if description.style?.kind == .deepObject {
            return name.count > own.count &+ 2 && name.hasPrefix(own) && name.storage[own.count] == UInt8(ascii: "[")
                && name.storage.last == UInt8(ascii: "]")
        }
        if let encoding, description.style == nil, description.location == .query {
            return ElementKey(encoding, description).matches(name)
        }
        return name == own
    }

    /// Whether all items that belong to no other parameter belong to this one.
    package var claimsOthers: Bool {
        let style = description.effectiveStyle
        switch style.kind {
        case .queryForm, .queryJSON: return true
        case .form, .cookie: return style.shape == .object && style.explode
        default: return false
        }
    }
}

/// The names of the items of a parameter with an encoding.
private struct ElementKey {
    let name: Bytes
    /// The prefix and the suffix of the index in the name of an element.
    let before: Bytes
    let after: Bytes?
    /// The items of an array whose names have no index may also have the plain name.
    let takesName: Bool

    init(_ encoding: FormEncoding, _ parameter: ParameterDescription) {
        name = parameter.name
        guard parameter.isArray else {
            (before, after, takesName) = (name, nil, true)
            return
        }
        switch encoding.arrays {
        case .brackets: (before, after, takesName) = ("\(name)[]", nil, true)
        case .none, .comma: (before, after, takesName) = (name, nil, true)
        case .index: (before, after, takesName) = ("\(name)[", "]", false)
        case .format:
            let parts = ArrayFormat.parts(encoding.arrayFormat, key: name)
            (before, after, takesName) = (parts.before, parts.after, false)
        }
    }

    func matches(_ key: Bytes) -> Bool {
        if takesName && key == name { return true }
        guard let after else { return key == before }
        let digits = key.count &- before.count &- after.count
        guard digits > 0, key.hasPrefix(before), key.hasSuffix(after) else { return false }
        return key.storage[before.count..<(before.count &+ digits)].allSatisfy(ASCII.isDigit)
    }
}

extension FormEncoding {
    /// The value of a declared query parameter, decoded from its encoding; nil if it is absent.
    fileprivate func read(_ parameter: ParameterDescription, _ query: UnsafeRawBufferPointer) throws(Failure) -> Value? {
        let key = ElementKey(self, parameter)
        var elements: [Value] = []
        var isEmpty = false
        for item in Bytes(query).split(on: UInt8(ascii: "&")) where !item.isEmpty {
            try Memory.check()
            let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
            guard key.matches(Self.decoded(Bytes(item.storage[..<equals]))) else { continue }
            let text = Bytes(item.storage[min(equals &+ 1, item.count)...])
            if parameter.isArray && text.isEmpty && emptyArrays == .empty {
                isEmpty = true
                continue
            }
            let pieces = parameter.isArray && arrays == .comma ? text.split(on: UInt8(ascii: ",")) : [text]
            for piece in pieces { elements.append(try value(Self.decoded(piece), parameter)) }
        }
        if parameter.isArray { return elements.isEmpty && !isEmpty ? nil : .array(elements) }
        if elements.count > 1 { throw Expansion.refusal(parameter.name, "the parameter is given more than once") }
        return elements.first
    }

    private func value(_ text: Bytes, _ parameter: ParameterDescription) throws(Failure) -> Value {
        if parameter.scalar.kind == .boolean && booleans == .numeric {
            if text == "1" { return .boolean(true) }
            if text == "0" { return .boolean(false) }
        }
        return try parameter.scalar.read(text, of: parameter.name)
    }

    private static func decoded(_ text: Bytes) -> Bytes {
        text.storage.withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
    }
}
