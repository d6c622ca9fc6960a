// `routable generate --report`: the proportion of a description that has types, and the reasons for the values without one.

internal import RoutableCore
internal import RoutableJSON

struct TypeReport {
    private var results = 0, typed = 0, open = 0, empty = 0, undeclared = 0
    private var bodies = 0, typedBodies = 0, openBodies = 0
    private var untyped: [(pointer: String, what: String, reason: String)] = []
    private let blueprint: Blueprint
    /// The keys of an operation for its results and its body.
    private let keys: (results: String, body: String)

    init(_ blueprint: Blueprint) {
        self.blueprint = blueprint
        keys = SchemaDocument.keys(isOpenAPI: blueprint.openAPI != nil)
        for action in blueprint.allActions { add(action) }
    }

    private mutating func add(_ action: Action) {
        results += 1
        switch action.output {
        case .response:
            undeclared += 1
            untyped.append((action.pointer, "result of \(action.name)", "no success declares a body"))
        case .empty: empty += 1
        case .typed(.typed(let type), _):
            switch Self.depth(type) {
            case .whole: typed += 1
            case .open: open += 1
            case .none: break
            }
            if Self.depth(type) != .whole {
                untyped.append((action.pointer + keys.results, "result of \(action.name)", Self.reason(type)))
            }
        case .typed: typed += 1
        }
        switch action.input {
        case .none: return
        case .open:
            bodies += 1
            untyped.append((action.pointer, "body of \(action.name)", "no schema is declared"))
        case .typed(let type, _):
            bodies += 1
            switch Self.depth(type) {
            case .whole: typedBodies += 1
            case .open: openBodies += 1
            case .none: break
            }
            if Self.depth(type) != .whole {
                untyped.append((action.pointer + keys.body, "body of \(action.name)", Self.reason(type)))
            }
        case .bytes, .multipart:
            bodies += 1
            typedBodies += 1
        }
    }

    /// The information in a type: none, an object or an array of any values, or more.
    private enum Depth { case none, open, whole }

    private static func depth(_ type: Typing) -> Depth {
        switch type.shape {
        case .any: .none
        case .list(let inner), .map(let inner): depth(inner) == .whole ? .whole : .open
        default: .whole
        }
    }

    private static func reason(_ type: Typing) -> String {
        switch type.shape {
        case .map: "an object whose members are not declared"
        case .list: "an array whose elements are not declared"
        default: "the schema has no type"
        }
    }

    func text(json isJSON: Bool) -> Bytes {
        if isJSON {
            var writer = JSONWriter()
            writer.open("{")
            for (name, number) in [
                ("results", results), ("typed_results", typed), ("open_results", open), ("empty_results", empty),
                ("undeclared_results", undeclared), ("bodies", bodies), ("typed_bodies", typedBodies),
                ("open_bodies", openBodies),
                ("types", blueprint.records.count), ("enums", blueprint.choices.count), ("unions", blueprint.unions.count),
            ] {
                writer.key(of: Bytes(name))
                writer.integer(Int64(number))
            }
            writer.key(of: "untyped")
            writer.open("[")
            for each in untyped { write(each.pointer, each.what, each.reason, &writer) }
            writer.close("]")
            writer.key(of: "gaps")
            writer.open("[")
            for each in blueprint.gaps { write(each.pointer, nil, each.reason, &writer) }
            writer.close("]")
            writer.close("}")
            var text = writer.text
            text.append("\n")
            return text
        }
        var lines = [
            "\(results) results: \(typed) typed, \(empty) empty by declaration, \(open) objects or arrays of any values, \(undeclared) not declared, "
                + "\(results - typed - open - empty - undeclared) without a type",
            "\(bodies) bodies: \(typedBodies) typed, \(openBodies) objects or arrays of any values, \(bodies - typedBodies - openBodies) without a type",
            "\(blueprint.records.count) object types, \(blueprint.choices.count) enums, \(blueprint.unions.count) unions",
        ]
        if !untyped.isEmpty { lines += ["", "Results and bodies without a type, or of any values:"] }
        for each in untyped { lines.append("  \(each.what): \(each.reason)  (\(each.pointer))") }
        if !blueprint.gaps.isEmpty { lines += ["", "Values that are any JSON:"] }
        for each in blueprint.gaps { lines.append("  \(each.pointer): \(each.reason)") }
        return Bytes(lines.joined(separator: "\n") + "\n").printableLines
    }

    private func write(_ pointer: String, _ what: String?, _ reason: String, _ writer: inout JSONWriter) {
        writer.open("{")
        writer.key(of: "pointer")
        writer.string(Bytes(pointer))
        if let what {
            writer.key(of: "of")
            writer.string(Bytes(what))
        }
        writer.key(of: "reason")
        writer.string(Bytes(reason))
        writer.close("}")
    }
}

extension Bytes {
    /// Replaces control bytes, which a terminal would execute.
    fileprivate var printableLines: Bytes { Bytes(storage.map { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F ? 0x3F : $0 }) }
}
