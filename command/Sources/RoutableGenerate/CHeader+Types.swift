// The C type of a type of the description, and its entry in the tables of routable_typed.h.

internal import RoutableCore

/// A C struct that wraps another type: a list, a map, or an optional value.
enum CWrapper: Hashable {
    case maybe(Shape)
    case list(Typing)
    case map(Typing)
}

extension CHeader {
    // MARK: - Types

    /// The C type of a value that is present.
    func value(_ shape: Shape) -> String {
        switch shape {
        case .text: "routable_str"
        case .choice(let index): choices[index]
        case .integer: "int64_t"
        case .number: "double"
        case .boolean: "bool"
        case .any: "routable_json"
        case .record(let index): hasFields(index) ? "const \(records[index]) *" : "routable_json"
        case .union(let index): "const \(unions[index]) *"
        case .list(let element): list(element)
        case .map(let value): wrappers[.map(value)] ?? "routable_json"
        }
    }

    func list(_ element: Typing) -> String {
        if !element.isNullable || element.shape == .any, let word = word(element.shape) { return "routable_\(word)_list" }
        return wrappers[.list(element)] ?? "routable_json_list"
    }

    func maybe(_ shape: Shape) -> String {
        if let word = word(shape) { return "routable_maybe_\(word)" }
        if case .list(let element) = shape, !element.isNullable || element.shape == .any, let word = word(element.shape) {
            return "routable_maybe_\(word)_list"
        }
        return wrappers[.maybe(shape)] ?? "routable_maybe_json"
    }

    /// The C type of a member.
    func type(_ type: Typing, isMaybe: Bool) -> String { isMaybe ? maybe(type.shape) : value(type.shape) }

    /// The type of the elements of a list, which are stored in the array.
    func item(_ element: Typing) -> String {
        if element.isNullable && element.shape != .any { return maybe(element.shape) }
        switch element.shape {
        case .record(let index) where hasFields(index): return records[index]
        case .union(let index): return unions[index]
        default: return value(element.shape)
        }
    }

    /// The name of a type that routable_typed.h defines.
    func word(_ shape: Shape) -> String? {
        switch shape {
        case .text: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .any: "json"
        case .record(let index): hasFields(index) ? nil : "json"
        default: nil
        }
    }

    func hasFields(_ record: Int) -> Bool { !blueprint.records[record].fields.isEmpty }

    /// The prefix of names that are derived from a type.
    func base(_ type: Typing) -> String {
        let plain: String =
            switch type.shape {
            case .choice(let index): choices[index]
            case .record(let index) where hasFields(index): records[index]
            case .union(let index): unions[index]
            case .list(let element): base(element) + "_list"
            case .map(let value): base(value) + "_map"
            default: "\(prefix)_\(word(type.shape) ?? "json")"
            }
        return type.isNullable && type.shape != .any ? plain + "_nullable" : plain
    }

    func result(_ type: Typing) -> String { results[Typing(shape: type.shape)] ?? "\(prefix)_json_result" }

    // MARK: - Tables

    /// The kind of the type in a table, and the function of the shape that it needs.
    func kind(_ shape: Shape) -> (text: String, shape: String?) {
        switch shape {
        case .text, .choice: return ("ROUTABLE_TYPED_STRING", nil)
        case .integer: return ("ROUTABLE_TYPED_INTEGER", nil)
        case .number: return ("ROUTABLE_TYPED_NUMBER", nil)
        case .boolean: return ("ROUTABLE_TYPED_BOOLEAN", nil)
        case .any: return ("ROUTABLE_TYPED_JSON", nil)
        case .record(let index):
            return hasFields(index) ? ("ROUTABLE_TYPED_RECORD", "\(records[index])_shape") : ("ROUTABLE_TYPED_JSON", nil)
        case .union(let index): return ("ROUTABLE_TYPED_UNION", "\(unions[index])_shape")
        case .list(let element):
            if !isNested(element) {
                let inner = kind(element.shape)
                return ("\(inner.text) | ROUTABLE_TYPED_LIST", inner.shape)
            }
            return ("ROUTABLE_TYPED_RECORD | ROUTABLE_TYPED_LIST", "\(list(element))_shape")
        case .map: return ("ROUTABLE_TYPED_RECORD | ROUTABLE_TYPED_MAP", "\(value(shape))_shape")
        }
    }

    /// Whether the elements of a list need a separate shape: they can be null, or are lists or maps.
    func isNested(_ element: Typing) -> Bool {
        if element.isNullable && element.shape != .any { return true }
        switch element.shape {
        case .list, .map: return true
        default: return false
        }
    }

    static func upper(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 32 : $0 }, as: UTF8.self)
    }

    static func declaration(_ type: String, _ name: String) -> String {
        type.hasSuffix("*") ? type + name : type + " " + name
    }
}
