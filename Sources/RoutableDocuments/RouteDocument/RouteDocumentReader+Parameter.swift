// Reads parameters: the scalar part of JSON Schema.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    private static let scalarKeys: [StaticString] = [
        "type", "format", "pattern", "enum", "minLength", "maxLength", "minimum", "maximum",
    ]
    private static let laterKeys: [StaticString] = ["style", "explode", "allowReserved", "content"]
    private static let keys = KeyTable(
        "a parameter", scalarKeys + ["required", "default", "description"], later: laterKeys)
    private static let queryKeys = KeyTable(
        "a query parameter", scalarKeys + ["items", "required", "default", "encoding", "description"], later: laterKeys)
    private static let idKeys = KeyTable(
        "an id", ["name"] + scalarKeys + ["required", "allow_empty", "description"], later: laterKeys)
    private static let pathKeys = KeyTable(
        "a parameter of a path", scalarKeys + ["required", "default", "allow_empty", "description"], later: laterKeys)
    private static let itemKeys = KeyTable("the items of a parameter", scalarKeys)

    private static let kinds: [(StaticString, Scalar.Kind)] = [
        ("string", .string), ("integer", .integer), ("number", .number), ("boolean", .boolean),
    ]
    private static let formats: [(StaticString, Scalar.Format)] = [
        ("uuid", .uuid), ("date", .date), ("date-time", .dateTime),
    ]

    /// The parameters of one location, in declaration order.
    func parameters(
        _ node: Node?, _ subject: StaticString, _ location: ParameterLocation
    ) throws(Failure) -> [ParameterDescription] {
        guard let node else { return [] }
        var result: [ParameterDescription] = []
        for (name, member) in try node.members(subject) {
            if name.isEmpty { throw member.keyFailure(name, "a parameter has an empty name") }
            result.append(try parameter(name, member, location))
        }
        return result
    }

    func parameter(
        _ name: Bytes, _ node: Node, _ location: ParameterLocation, isId: Bool = false
    ) throws(Failure) -> ParameterDescription {
        let table = isId ? Self.idKeys : location == .query ? Self.queryKeys : location == .path ? Self.pathKeys : Self.keys
        _ = try node.object(table)
        if location == .header && !HeaderField.isValidName(name) {
            throw node.keyFailure(name, "the header name \"\(name.printable)\" is not a valid HTTP token", .header)
        }
        var result = ParameterDescription(name: name, location: location, isRequired: location == .path)
        if location == .query, let type = node.member("type"), type.view.equals("array") {
            result.isArray = true
            for key in Self.scalarKeys.dropFirst() {
                guard let member = node.member(key) else { continue }
                throw member.failure("\"\(key)\" of an array parameter belongs under \"items\"")
            }
            guard let items = node.member("items") else {
                throw node.failure("an array parameter must declare its \"items\"")
            }
            _ = try items.object(Self.itemKeys)
            result.scalar = try scalar(items, isInQuery: false)
        } else {
            if let items = node.member("items") { throw items.failure("only a parameter of type array can have \"items\"") }
            result.scalar = try scalar(node, isInQuery: location == .query)
        }
        if let member = node.member("required") {
            result.isRequired = try member.boolean("\"required\"")
            if location == .path && !result.isRequired { throw member.failure("a path parameter is always required") }
        }
        if let member = node.member("allow_empty") { result.allowsEmpty = try member.boolean("\"allow_empty\"") }
        if let member = node.member("encoding") { result.encoding = try encoding(member, ofParameter: true) }
        if let member = node.member("description") { result.summary = try member.text("the description") }
        if let member = node.member("default") {
            if location == .path { throw member.failure("a path parameter cannot have a default") }
            result.defaultValue = try defaultValue(member, result)
        }
        return result
    }

    private func scalar(_ node: Node, isInQuery: Bool) throws(Failure) -> Scalar {
        var scalar = Scalar()
        if let member = node.member("type") {
            let word = try member.text("the type of a parameter")
            guard let kind = Self.kinds.first(where: { member.view.equals($0.0) })?.1 else {
                var names = Self.kinds.map { Bytes(staticText: $0.0) }
                if isInQuery { names.append("array") }
                throw member.unknown("a parameter cannot be of type", word, among: names)
            }
            scalar.kind = kind
        }
        if let member = node.member("format") {
            scalar.format = try member.word("the format of a parameter", Self.formats)
            try check(member, is: .string, scalar, "a format")
        }
        if let member = node.member("pattern") {
            let pattern = try member.text("a pattern")
            do throws(Failure) {
                let compiled = try Pattern.compile(pattern)
                try patternBudget.take(compiled)
                scalar.pattern = compiled
            } catch { throw error.at(member.pointer) }
            try check(member, is: .string, scalar, "a pattern")
        }
        if let member = node.member("minLength") {
            scalar.minimumLength = try member.integer("\"minLength\"", 0...Int64(Limits.valueBytes))
            try check(member, is: .string, scalar, "a length")
        }
        if let member = node.member("maxLength") {
            scalar.maximumLength = try member.integer("\"maxLength\"", 0...Int64.max)
            try check(member, is: .string, scalar, "a length")
            if let minimum = scalar.minimumLength, let maximum = scalar.maximumLength, maximum < minimum {
                throw member.failure("\"maxLength\" is less than \"minLength\"")
            }
        }
        if let member = node.member("minimum") {
            scalar.minimum = try member.number("\"minimum\"")
            try checkNumeric(member, scalar)
        }
        if let member = node.member("maximum") {
            scalar.maximum = try member.number("\"maximum\"")
            try checkNumeric(member, scalar)
            if let minimum = scalar.minimum, let maximum = scalar.maximum, maximum < minimum {
                throw member.failure("\"maximum\" is less than \"minimum\"")
            }
        }
        if let member = node.member("enum") { scalar.values = try values(member, scalar) }
        return scalar
    }

    private func check(_ node: Node, is kind: Scalar.Kind, _ scalar: Scalar, _ subject: StaticString) throws(Failure) {
        if scalar.kind != kind { throw node.failure("\(subject) is for strings; the type is \(scalar.kindName)") }
    }

    private func checkNumeric(_ node: Node, _ scalar: Scalar) throws(Failure) {
        if scalar.kind != .integer && scalar.kind != .number {
            throw node.failure("a bound is for integers and numbers; the type is \(scalar.kindName)")
        }
    }

    /// The values of an enumeration, as strings.
    private func values(_ node: Node, _ scalar: Scalar) throws(Failure) -> [Bytes] {
        var result: [Bytes] = []
        for element in try node.elements("\"enum\"") { result.append(try scalarText(element, scalar)) }
        if result.isEmpty { throw node.failure("an empty \"enum\" allows nothing") }
        return result
    }

    /// The text of a value, which must match a scalar.
    private func scalarText(_ node: Node, _ scalar: Scalar) throws(Failure) -> Bytes {
        let fits =
            switch (scalar.kind, node.view.kind) {
            case (.string, .text), (.boolean, .boolean), (.number, .integer), (.number, .real), (.number, .wideNumber),
                (.integer, .integer), (.integer, .wideNumber):
                true
            default: false
            }
        guard fits, let text = node.view.tree.scalarText else {
            throw node.failure("\(scalar.kindName) is expected, not \(node.view.kindName)")
        }
        if let reason = text.storage.withUnsafeBytes({ scalar.refusal(of: $0) }) {
            throw node.failure("the value is not valid for its own parameter: \(reason)")
        }
        return text
    }

    private func defaultValue(_ node: Node, _ parameter: ParameterDescription) throws(Failure) -> Value {
        if parameter.isArray {
            for element in try node.elements("the default of an array") {
                _ = try scalarText(element, parameter.scalar)
            }
        } else {
            _ = try scalarText(node, parameter.scalar)
        }
        return node.view.tree
    }
}
