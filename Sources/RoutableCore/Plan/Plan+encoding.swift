// Writes query parameters with an encoding: arrays, and parameters with an encoding of their own.  They are written before
// the URL, separately from the loop for plain values.

extension Plan {
    /// The items of a parameter, encoded, with their names.  A single value counts as an array of one.
    func items(of value: Value, _ parameter: ParameterEntry) throws(Failure) -> Bytes {
        let name = parameter.name.bytes
        if let styled = try parameter.description.styled(value, codec: router.codec) { return styled }
        guard let encoding = parameter.encoding else { return Bytes() }
        var elements = [value]
        if parameter.description.isArray, case .array(let given) = value { elements = given }
        for element in elements {
            guard let text = element.scalarText else {
                throw valueFailure(name, parameter, "a single value is expected, not \(element.kindName)")
            }
            if !UTF8Check.isValid(text) { throw textFailure(name, parameter) }
            let reason = text.storage.withUnsafeBytes { parameter.description.scalar.refusal(of: $0) }
            if let reason { throw valueFailure(name, parameter, reason) }
        }
        return try encoding.encode(name, parameter.description.isArray ? .array(elements) : value)
    }

    /// Writes a URL with query parameters that have an encoding.
    @inline(never)
    func writeEncoded(
        ids: UnsafeBufferPointer<ValueView>, query: UnsafeBufferPointer<ValueView>,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (length: Int, fits: Bool) {
        var arena = ValueArena()
        var idArena = ValueArena()
        for (index, view) in ids.enumerated() {
            guard index < self.ids.count, self.ids[index].parameter.isEncoded else {
                if view.kind == ValueView.encoded { throw kindFailure("an id", nil, view.kind) }
                idArena.add(view)
                continue
            }
            let slot = self.ids[index]
            idArena.addEncoded(try segment(of: try value(of: view, slot.parameter), slot), isPiece: true)
        }
        if query.count > self.query.count { throw queryCountFailure(given: query.count) }
        for (view, parameter) in zip(query, self.query) {
            let value = try value(of: view, parameter)
            if parameter.isEncoded, !value.isNull {
                arena.addEncoded(try items(of: value, parameter))
            } else {
                _ = arena.add(value)
            }
        }
        return try idArena.withViews { (idViews) throws(Failure) in
            try arena.withViews { (views) throws(Failure) in try writePlain(ids: idViews, query: views, into: buffer) }
        }
    }

    /// A value of the path in the style of its parameter.  Failures: `id` if the result would be empty.
    func segment(of value: Value, _ slot: IdSlot, allowsEmpty: Bool = false) throws(Failure) -> Bytes {
        if value.isNull { throw missingFailure(slot) }
        let text = try slot.parameter.description.styled(value, codec: router.codec) ?? Bytes()
        if text.isEmpty && slot.isWhole && !slot.allowsEmpty && !allowsEmpty { throw emptyFailure(slot) }
        return text
    }

    private func value(of view: ValueView, _ parameter: ParameterEntry) throws(Failure) -> Value {
        switch view.kind {
        case ValueView.Kind.null: return .null
        case ValueView.Kind.boolean: return .boolean(view.integer != 0)
        case ValueView.Kind.integer: return .integer(view.integer)
        case ValueView.Kind.real: return .real(view.real)
        case ValueView.Kind.text:
            if view.isNullText { throw nullTextFailure(parameter.name.bytes) }
            return .text(Bytes(view.text))
        case ValueView.Kind.json:
            // An array or an object, which only a style can write.
            if view.isNullText { throw nullTextFailure(parameter.name.bytes) }
            guard parameter.description.style != nil || parameter.description.type != nil, let codec = router.codec else {
                fallthrough
            }
            return try codec.value(of: Bytes(view.text))
        default: throw kindFailure(parameter.name.bytes, parameter, view.kind)
        }
    }
}
