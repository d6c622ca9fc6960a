// Query parameters that are written as an encoding says: arrays, and those that have an encoding of their own.
// They are written before the URL is, apart from the loop that writes plain values.

extension Plan {
    /// The items of a parameter, encoded, with their names.  A single value counts as an array of one.
    func items(of value: Value, _ parameter: ParameterEntry, _ encoding: FormEncoding) throws(Failure) -> Bytes {
        let name = parameter.name.bytes
        var elements = [value]
        if parameter.description.isArray, case .array(let given) = value { elements = given }
        for element in elements {
            guard let text = element.scalarText else {
                throw valueFailure(name, parameter, "\(element.kindName) is not one value")
            }
            if !UTF8Check.isValid(text) { throw textFailure(name, parameter) }
            let reason = text.storage.withUnsafeBytes { parameter.description.scalar.refusal(of: $0) }
            if let reason { throw valueFailure(name, parameter, reason) }
        }
        return try encoding.encode(name, parameter.description.isArray ? .array(elements) : value)
    }

    /// Writes a URL some of whose query parameters have an encoding.
    @inline(never)
    func writeEncoded(
        ids: UnsafeBufferPointer<ValueView>, query: UnsafeBufferPointer<ValueView>,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> (length: Int, fits: Bool) {
        var arena = ValueArena()
        if query.count > self.query.count { throw queryCountFailure(given: query.count) }
        for (view, parameter) in zip(query, self.query) {
            let value = try value(of: view, parameter)
            if let encoding = parameter.encoding, !value.isNull {
                arena.addEncoded(try items(of: value, parameter, encoding))
            } else {
                _ = arena.add(value)
            }
        }
        return try arena.withViews { (views) throws(Failure) in try writePlain(ids: ids, query: views, into: buffer) }
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
        default: throw kindFailure(parameter.name.bytes, parameter, view.kind)
        }
    }
}
