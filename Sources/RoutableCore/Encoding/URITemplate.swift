// URI templates: RFC 6570, all four levels.

/// A template, parsed: `/search{?q,page}{#part:3}{/path*}`.
package struct URITemplate: Sendable {
    private struct Variable: Sendable {
        let name: Bytes
        var explode = false
        var prefix: Int?
    }

    private struct Expression: Sendable {
        /// 0 for none, or one of `+#./;?&`.
        let kind: UInt8
        let variables: [Variable]
    }

    private enum Part: Sendable {
        /// Already encoded.
        case literal(Bytes)
        case expression(Expression)
    }

    private var parts: [Part] = []

    /// The names of the variables, in the order in which they first occur.
    package var variableNames: [Bytes] {
        var names: [Bytes] = []
        var seen = Set<Bytes>()
        for part in parts {
            guard case .expression(let expression) = part else { continue }
            for variable in expression.variables where seen.insert(variable.name).inserted { names.append(variable.name) }
        }
        return names
    }

    /// - Throws: `document`, with the offset of the error.
    package init(_ source: Bytes) throws(Failure) {
        let bytes = source.storage
        if source.count > Limits.urlBytes { throw Failure(.limit, "the template is over \(Limits.urlBytes) bytes") }
        if let offset = bytes.withUnsafeBytes({ UTF8Check.firstInvalid($0) }) {
            throw Self.refused("it is not UTF-8", at: offset)
        }
        var literal = Bytes()
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "{") {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw Self.refused("a \"{\" is not closed", at: index)
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = Bytes()
                parts.append(.expression(try Self.expression(bytes[(index &+ 1)..<close])))
                index = close &+ 1
                continue
            }
            if byte == UInt8(ascii: "}") { throw Self.refused("a \"}\" without its \"{\"", at: index) }
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < bytes.count, ASCII.hexValue(bytes[index &+ 1]) != nil,
                    ASCII.hexValue(bytes[index &+ 2]) != nil
                else { throw Self.refused("a \"%\" without two hexadecimal digits", at: index) }
                literal.append(byte)
            } else if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<")
                || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "^")
                || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "|")
            {
                throw Self.refused("this byte must be percent-encoded", at: index)
            } else {
                PercentCoding.append(byte, PercentCoding.table(.reserved), to: &literal)
            }
            index &+= 1
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    private static func refused(_ reason: Bytes, at offset: Int) -> Failure {
        Failure(.document, "the URI template is not valid at byte \(offset): \(reason)") { $0.offset = offset }
    }

    private static func expression(_ text: ArraySlice<UInt8>) throws(Failure) -> Expression {
        var rest = text
        var kind: UInt8 = 0
        if let first = rest.first, !isNameByte(first) && first != UInt8(ascii: "%") {
            guard Bytes("+#./;?&").storage.contains(first) else {
                throw refused("\"\(Bytes([first]).printable)\" is not an operator", at: text.startIndex)
            }
            kind = first
            rest = rest.dropFirst()
        }
        var variables: [Variable] = []
        for piece in rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            variables.append(try variable(piece))
        }
        return Expression(kind: kind, variables: variables)
    }

    private static func variable(_ text: ArraySlice<UInt8>) throws(Failure) -> Variable {
        var name = text
        var explode = false
        var prefix: Int?
        if name.last == UInt8(ascii: "*") {
            explode = true
            name = name.dropLast()
        } else if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
            let digits = name[(colon &+ 1)...]
            guard digits.count >= 1, digits.count <= 4, digits.first != UInt8(ascii: "0"),
                digits.allSatisfy(ASCII.isDigit), let number = Decimal.parse(Bytes(digits))
            else { throw refused("the length of a prefix must be 1 to 9999", at: colon) }
            prefix = Int(truncatingIfNeeded: number)
            name = name[..<colon]
        }
        // varname = varchar *( ["."] varchar )
        var index = name.startIndex
        var isAfterDot = true
        while index < name.endIndex {
            let byte = name[index]
            if byte == UInt8(ascii: ".") {
                if isAfterDot { break }
                isAfterDot = true
                index &+= 1
                continue
            }
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < name.endIndex, ASCII.hexValue(name[index &+ 1]) != nil,
                    ASCII.hexValue(name[index &+ 2]) != nil
                else { break }
                index &+= 3
            } else if isNameByte(byte) {
                index &+= 1
            } else {
                break
            }
            isAfterDot = false
        }
        if index < name.endIndex || isAfterDot {
            throw refused("\"\(Bytes(text).printable)\" is not a variable", at: index)
        }
        return Variable(name: Bytes(name), explode: explode, prefix: prefix)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { ASCII.isIdentifier(byte) }

    /// The text with every expression expanded.  Variables that are not given are undefined.
    ///
    /// - Throws: `value` for a value that RFC 6570 does not define: a nested array or object, or a prefix of one.
    package func expand(_ variables: [Value.Member]) throws(Failure) -> Bytes {
        var output = Bytes()
        // If names are equal, the last one is used.
        var values = KeyedValues<Bytes, Value>()
        for variable in variables { values.set(variable.value, for: variable.name) }
        for part in parts {
            switch part {
            case .literal(let text): output.append(text)
            case .expression(let expression): try expand(expression, values, &output)
            }
            try Self.checkLength(output)
        }
        return output
    }

    private static func checkLength(_ output: Bytes) throws(Failure) {
        try Memory.check()
        if output.count <= Limits.urlBytes { return }
        throw Failure(.limit, "the expanded template would be longer than \(Limits.urlBytes) bytes")
    }

    private func expand(
        _ expression: Expression, _ variables: KeyedValues<Bytes, Value>, _ output: inout Bytes
    ) throws(Failure) {
        var expansion = Expansion()
        switch expression.kind {
        case UInt8(ascii: "+"), UInt8(ascii: "#"):
            expansion.bare = .reserved
            expansion.keepsTriplets = true
        case UInt8(ascii: "."): expansion.separator = "."
        case UInt8(ascii: "/"): expansion.separator = "/"
        case UInt8(ascii: ";"):
            expansion.separator = ";"
            expansion.isNamed = true
        case UInt8(ascii: "?"), UInt8(ascii: "&"):
            expansion.separator = "&"
            expansion.isNamed = true
            expansion.keepsEquals = true
        default: break
        }
        let hasFirst = expression.kind != 0 && expression.kind != UInt8(ascii: "+")
        var isFirst = true
        for variable in expression.variables {
            guard let given = variables[variable.name] else { continue }
            if variable.prefix != nil, given.scalarText == nil, !given.isNull {
                throw Expansion.refusal(variable.name, "a prefix requires a single value, not \(given.kindName)")
            }
            if case .object(let members) = given {
                for member in members {
                    if case .array = member.value {
                        throw Expansion.refusal(variable.name, "it contains an array, which cannot be written here")
                    }
                }
            }
            guard
                let text = try expansion.write(
                    variable.name, given, explode: variable.explode, prefix: variable.prefix)
            else { continue }
            if isFirst {
                if hasFirst { output.append(expression.kind) }
            } else {
                output.append(expansion.separator)
            }
            isFirst = false
            output.append(text)
            try Self.checkLength(output)
        }
    }
}
