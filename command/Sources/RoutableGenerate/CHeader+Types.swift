// What a type of the description is in C, and in the tables that routable_typed.h reads.

internal import RoutableCore

extension CHeader {
    /// The kind in a table, without the list, and the record.
    func kind(_ type: Typing) -> (word: String, isList: Bool, record: Int?) {
        switch type.shape {
        case .text: return ("STRING", false, nil)
        case .integer: return ("INTEGER", false, nil)
        case .number: return ("NUMBER", false, nil)
        case .boolean: return ("BOOLEAN", false, nil)
        case .any, .map: return ("JSON", false, nil)
        case .record(let index): return blueprint.records[index].fields.isEmpty ? ("JSON", false, nil) : ("RECORD", false, index)
        case .list(let element):
            let inner = kind(element)
            // Elements that may be null, and lists of lists, are JSON.
            if element.isNullable || inner.isList { return ("JSON", true, nil) }
            return (inner.word, true, inner.record)
        }
    }

    func kindText(_ type: Typing) -> String {
        let kind = kind(type)
        return "ROUTABLE_TYPED_\(kind.word)" + (kind.isList ? " | ROUTABLE_TYPED_LIST" : "")
    }

    /// The C type of a member.
    func type(_ type: Typing, isMaybe: Bool) -> String {
        let kind = kind(type)
        if let record = kind.record {
            let name = records[record]
            if kind.isList { return name + (isMaybe ? "_maybe_list" : "_list") }
            return isMaybe ? name + "_maybe" : "const \(name) *"
        }
        let word = kind.word == "JSON" ? "json" : Self.lower(kind.word)
        if isMaybe { return "routable_maybe_\(word)" + (kind.isList ? "_list" : "") }
        if kind.isList { return "routable_\(word)_list" }
        switch kind.word {
        case "STRING": return "routable_str"
        case "INTEGER": return "int64_t"
        case "NUMBER": return "double"
        case "BOOLEAN": return "bool"
        default: return "routable_json"
        }
    }

    static func upper(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 32 : $0 }, as: UTF8.self)
    }

    static func lower(_ word: String) -> String {
        String(decoding: word.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }, as: UTF8.self)
    }

    func result(_ type: Typing) -> String {
        let kind = kind(type)
        let base = kind.record.map { records[$0] } ?? "\(prefix)_\(Self.lower(kind.word))"
        return base + (kind.isList ? "_list" : "") + "_result"
    }

    static func declaration(_ type: String, _ name: String) -> String {
        type.hasSuffix("*") ? type + name : type + " " + name
    }
}
