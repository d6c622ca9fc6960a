// Models of a Python module as dataclasses, on the basis of routable.records, and the types that calls pass to it at run time.

internal import RoutableCore

extension PythonModule {
    /// A class with a keyword argument for each member.  The default is ABSENT for an optional member that can be null, else None.
    mutating func writeDataclass(_ record: Record, _ name: String) {
        code.lines(["", "", "class \(name)(DataRecord):"])
        docstring(record.summary, indent: "    ")
        if !record.summary.isEmpty { code.line() }
        var seen = Set<Bytes>()
        var members = Scope(reserved: Reserved.python.union(Reserved.pythonMembers).union(Reserved.pythonRecordMembers))
        for field in record.fields where seen.insert(Bytes(field.name)).inserted {
            let own = members.claim(Naming.identifier(field.name, .snake), for: "\(field.name) of \(name)", &renamings)
            comment(field.summary, indent: "    ")
            let kind = text(field.type)
            var hint = kind, value = ""
            if !field.isRequired {
                let isNullable = mayBeNull(field.type)
                hint = kind == "Any" ? kind : isNullable ? "Union[\(kind), Absent]" : "Optional[\(kind)]"
                value = isNullable ? "ABSENT" : "None"
            }
            if own != field.name {
                value = "spelled(\(Texts.pythonLiteral(field.name))\(value.isEmpty ? "" : ", default=\(value)"))"
            }
            code.line("    \(own): \(hint)\(value.isEmpty ? "" : " = \(value)")")
        }
    }

    /// Whether null is a value of the type, so that None cannot represent an absent value.
    private func mayBeNull(_ type: Typing) -> Bool {
        var waiting = [type], seen = Set<Int>()
        while let next = waiting.popLast() {
            if next.isNullable { return true }
            switch next.shape {
            case .any: return true
            case .union(let index): if seen.insert(index).inserted { waiting += blueprint.unions[index].options.map(\.type) }
            default: break
            }
        }
        return false
    }

    /// Unions and choices at run time: strings, which are evaluated when a value of the type is read.
    mutating func writeAliasTexts() {
        for (index, choice) in blueprint.choices.enumerated() {
            aliasText(choices[index], "Literal[\(choice.values.map { Texts.pythonLiteral($0) }.joined(separator: ", "))]")
        }
        for (index, union) in blueprint.unions.enumerated() {
            let options = union.options.map { text($0.type) }.joined(separator: ", ")
            guard let discriminator = union.discriminator else {
                aliasText(unions[index], "Union[\(options)]")
                continue
            }
            let values = discriminator.values.map { "\(Texts.pythonLiteral($0.value)): \($0.option)" }.joined(separator: ", ")
            aliasText(unions[index], "Told[\(Texts.pythonLiteral(discriminator.property)), {\(values)}, \(options)]")
        }
    }

    private mutating func aliasText(_ name: String, _ value: String) {
        let line = "    \(name) = \(singleQuoted(value))"
        if line.utf8.count <= Self.width { return code.line(line) }
        code.line("    \(name) = (")
        var piece = ""
        for scalar in value.unicodeScalars {
            piece.unicodeScalars.append(scalar)
            if scalar == " " && piece.utf8.count > Self.width - 24 {
                code.line("        \(singleQuoted(piece))")
                piece = ""
            }
        }
        code.lines(["        \(singleQuoted(piece))", "    )"])
    }

    /// A literal in single quotes, in which types are easier to read.
    private func singleQuoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "'"
    }

    // MARK: - Calls

    /// The types of a call's values that contain dataclasses, as arguments.
    func readers(of action: Action) -> [String] {
        var result: [String] = []
        if case .typed(.typed(let type), _) = action.output, hasRecords(type) {
            result.append("returns=\(Texts.pythonLiteral(text(type)))")
        }
        if let item = action.item ?? action.stream?.item, hasRecords(item) {
            result.append("each=\(Texts.pythonLiteral(text(item)))")
        }
        // The narrowest range comes first: 404 before 4XX before the other statuses.
        var errors: [(range: String, width: Int, type: String)] = []
        var areRecords = false
        for error in action.errors {
            guard case .typed(let type)? = error.payload else { continue }
            areRecords = areRecords || hasRecords(type)
            errors.append(("(\(error.lowest), \(error.highest))", error.highest - error.lowest, text(type)))
        }
        let sorted = errors.indices.sorted { (errors[$0].width, $0) < (errors[$1].width, $1) }.map { errors[$0] }
        if areRecords {
            result.append("errors={\(sorted.map { "\($0.range): \(Texts.pythonLiteral($0.type))" }.joined(separator: ", "))}")
        }
        return result
    }

    /// Whether a value of the type can contain an object that is a class.
    private func hasRecords(_ type: Typing) -> Bool {
        var waiting = [type], seen = Set<Int>()
        while let next = waiting.popLast() {
            switch next.shape {
            case .record(let index): if !blueprint.records[index].fields.isEmpty { return true }
            case .union(let index): if seen.insert(index).inserted { waiting += blueprint.unions[index].options.map(\.type) }
            case .list(let inner), .map(let inner): waiting.append(inner)
            default: break
            }
        }
        return false
    }
}
