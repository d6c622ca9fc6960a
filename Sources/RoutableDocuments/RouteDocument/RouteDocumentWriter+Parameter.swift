// Writes parameters in a route document.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentWriter {
    mutating func parameters(_ key: StaticString, _ parameters: [ParameterDescription]) {
        if parameters.isEmpty { return }
        writer.key(key)
        writer.open("{")
        for parameter in parameters {
            writer.key(of: parameter.name)
            writer.open("{")
            self.parameter(parameter)
            writer.close("}")
        }
        writer.close("}")
    }

    private mutating func parameter(_ parameter: ParameterDescription) {
        if parameter.isArray {
            writer.member("type", "array")
            writer.key("items")
            writer.open("{")
            writer.scalar(parameter.scalar)
            writer.close("}")
        } else {
            writer.scalar(parameter.scalar)
        }
        if parameter.isRequired && parameter.location != .path {
            writer.key("required")
            writer.boolean(true)
        }
        if parameter.allowsEmpty {
            writer.key("allow_empty")
            writer.boolean(true)
        }
        if let value = parameter.defaultValue {
            // A router does not accept a default that JSON cannot represent.
            var text = JSONWriter()
            if (try? text.value(value)) != nil {
                writer.key("default")
                writer.raw(text.text)
            }
        }
        if let encoding = parameter.encoding { self.encoding(encoding) }
        writer.optionalMember("description", parameter.summary)
    }
}

extension JSONWriter {
    /// Writes the keywords of a scalar.
    mutating func scalar(_ scalar: Scalar) {
        member("type", scalar.kindName)
        if let format = scalar.formatName { member("format", format) }
        if let pattern = scalar.pattern { member("pattern", pattern.source) }
        if !scalar.values.isEmpty {
            key("enum")
            open("[")
            for value in scalar.values {
                if scalar.kind == .string { string(value) } else { raw(value) }
            }
            close("]")
        }
        if let length = scalar.minimumLength { member("minLength", length) }
        if let length = scalar.maximumLength { member("maxLength", length) }
        bound("minimum", scalar.minimum)
        bound("maximum", scalar.maximum)
    }

    private mutating func bound(_ word: StaticString, _ bound: Double?) {
        guard let bound, bound.isFinite else { return }
        key(word)
        raw(JSONNumber.text(bound))
    }
}
