// Parses a string into the value of a parameter of an operation.

extension OperationEntry {
    /// The value that a parameter of the operation has in a text (`ParameterStyle.read`); nil when it is not there.
    ///
    /// - Throws: `argument` for a parameter that it has not, `value`.
    package func read(
        parameter index: Int, _ text: UnsafeRawBufferPointer, codec: (any BodyCodec)?
    ) throws(Failure) -> Value? {
        guard parameters.indices.contains(index) else {
            throw Failure(.argument, "the operation has \(parameters.count) parameters; the index \(index) is out of range")
        }
        let parameter = parameters[index].description
        // An empty value of the path, which matching allows, is not compared with the constraints when it is built either.
        if text.isEmpty && parameter.location == .path && parameter.allowsEmpty && parameter.style == nil {
            return .text(Bytes())
        }
        var style = parameter.effectiveStyle
        // All elements are in one value, as in a form that is not exploded.
        if parameter.isArray, (parameters[index].encoding ?? encoding).arrays == .comma { style.explode = false }
        // Made when the first other name is met.
        var names: Set<Bytes>?
        let value = try style.read(
            parameter.name, text, parameter.location, scalar: parameter.scalar, codec: codec
        ) { name in
            let known =
                names ?? Set(parameters.filter { $0.description.location == parameter.location }.map { $0.description.name })
            names = known
            return known.contains(name)
        }
        if let value { try parameter.checkWhole(value, codec) }
        return value
    }
}
