// JSON Schemas as shapes: what a compiler can check.  The library holds every body against the whole schema; what has
// no shape here is any JSON.

internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON
internal import RoutableSchema

struct SchemaReader {
    private(set) var records: [Record] = []
    private let types: [TypeDescription]
    private let document: Value
    /// By the name of the type, or by the text of a reference.
    private var known: [Bytes: Typing] = [:]
    /// References that are being followed, which may lead back to themselves.
    private var open = Set<Bytes>()
    private var pieces: [Int: Typing] = [:]
    private let codec: JSONCodec
    private let prefix: String

    /// Schemas within schemas that are looked into.
    private static let depthLimit = 64

    init(_ router: Router) throws(Failure) {
        types = router.description.types
        codec = try JSONCodec(types: [])
        let source = router.description.source
        prefix = source == nil ? "#/types/" : "#/components/schemas/"
        document = try codec.value(of: source?.bytes ?? RouteDocument.write(router.description))
    }

    /// The named types, in the order of the document.
    mutating func readNamed() throws(Failure) {
        for index in types.indices where !types[index].name.isEmpty { _ = try type(index, label: "") }
    }

    /// A type of the router; `label` names one that has no name.
    mutating func type(_ index: Int, label: String) throws(Failure) -> Typing {
        guard types.indices.contains(index) else { return .any }
        let name = types[index].name.string
        if !name.isEmpty { return reference(prefix + Self.escaped(name), 0) }
        if let known = pieces[index] { return known }
        let text = types[index].slice.map { Bytes($0.buffer) } ?? types[index].schema
        let typing = self.typing(try codec.value(of: text), label, 0)
        pieces[index] = typing
        return typing
    }

    // MARK: - References

    private mutating func reference(_ text: String, _ depth: Int) -> Typing {
        let key = Bytes(text)  // by bytes: texts that look the same are two
        if let typing = known[key] { return typing }
        guard depth < Self.depthLimit, text.hasPrefix("#"), let target = target(text) else { return .any }
        // One that leads back to itself without a record between is any JSON.
        guard open.insert(key).inserted else { return .any }
        defer { open.remove(key) }
        var words = (Self.tokens(text) ?? []).map(\.string)
        if text.hasPrefix(prefix) && words.count == Self.tokens(prefix)?.count { words = [words.last ?? ""] }
        let name = words.count > 1 ? words.suffix(2).joined(separator: " ") : words.joined()
        let typing = self.typing(target, name, depth &+ 1, key: key)
        known[key] = typing
        return typing
    }

    private func target(_ reference: String) -> Value? { Self.tokens(reference).flatMap { JSONPointer.target($0, in: document) } }

    /// The tokens of a fragment that is a JSON pointer; percent codes are decoded.
    private static func tokens(_ reference: String) -> [Bytes]? {
        let fragment = Array(reference.utf8.dropFirst()).withUnsafeBytes { PercentCoding.decode($0) }
        return fragment.isEmpty || fragment.storage.first == UInt8(ascii: "/") ? JSONPointer.tokens(fragment) : nil
    }

    /// As a token of a reference.
    private static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            case "%": result += "%25"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    // MARK: - Schemas

    /// `label` names the record that the schema may become; `key` is the reference that led here.
    private mutating func typing(_ schema: Value, _ label: String, _ depth: Int, key: Bytes? = nil) -> Typing {
        guard depth < Self.depthLimit, case .object = schema else { return .any }
        if let text = schema["$ref"]?.string {
            var result = reference(text, depth &+ 1)
            if schema["nullable"]?.isTrue == true { result.isNullable = true }
            return result
        }
        var kinds = schema["type"]?.strings ?? []
        var isNullable = schema["nullable"]?.isTrue == true
        if let place = kinds.firstIndex(of: "null") {
            kinds.remove(at: place)
            isNullable = true
        }
        var result = Typing(shape: .any, isNullable: isNullable)
        if kinds.count > 1 { return Typing(shape: .any) }
        if let parts = schema["allOf"]?.elements, let shape = merged(schema, parts, label, depth, key) {
            result.shape = shape.shape
            result.isNullable = isNullable || shape.isNullable
            return result
        }
        if let choices = schema["anyOf"]?.elements ?? schema["oneOf"]?.elements, schema["properties"] == nil {
            let left = choices.filter { $0["type"]?.string != "null" }
            guard left.count == 1, let only = left.first else { return .any }
            var typing = self.typing(only, label, depth &+ 1, key: key)
            if left.count < choices.count || isNullable { typing.isNullable = true }
            return typing
        }
        if schema["allOf"] != nil { return .any }
        switch kinds.first {
        case "string"?: result.shape = .text(allowed(schema, &result.isNullable))
        case "integer"?: result.shape = .integer
        case "number"?: result.shape = .number
        case "boolean"?: result.shape = .boolean
        case "array"?:
            result.shape = .list(schema["items"].map { typing($0, "\(label) item", depth &+ 1) } ?? .any)
        case "object"?, nil:
            if schema["properties"]?.members.isEmpty == false {
                result.shape = .record(record(schema, [schema], label, depth, key, isNullable))
            } else if kinds.first != nil, let more = schema["additionalProperties"], case .object(let members) = more,
                !members.isEmpty
            {
                result.shape = .map(typing(more, "\(label) value", depth &+ 1))
            } else if kinds.isEmpty {
                let texts = allowed(schema, &result.isNullable)
                result = texts.isEmpty ? .any : Typing(shape: .text(texts), isNullable: result.isNullable)
            }
        default: break
        }
        return result
    }

    /// The texts of `enum` and `const`, when they are texts; none otherwise.
    private func allowed(_ schema: Value, _ isNullable: inout Bool) -> [String] {
        if let only = schema["const"]?.string { return [only] }
        guard let choices = schema["enum"]?.elements else { return [] }
        var texts: [String] = []
        var hasNull = false
        for choice in choices {
            if choice.isNull {
                hasNull = true
            } else if let text = choice.string {
                if !texts.contains(text) { texts.append(text) }
            } else {
                return []
            }
        }
        if hasNull { isNullable = true }
        return texts
    }

    /// Objects that are one: `allOf` with the properties beside it; nil when they are not all objects with properties.
    private mutating func merged(
        _ schema: Value, _ parts: [Value], _ label: String, _ depth: Int, _ key: Bytes?
    ) -> Typing? {
        let beside = schema["properties"]?.members.isEmpty == false
        if parts.count == 1, let only = parts.first, !beside {
            return typing(only, label, depth &+ 1, key: key)
        }
        var sources: [Value] = []
        for part in parts {
            guard gather(part, depth &+ 1, &sources) else { return nil }
        }
        if beside { sources.append(schema) }
        if sources.isEmpty { return nil }
        return Typing(shape: .record(record(schema, sources, label, depth, key, false)))
    }

    /// The schemas with properties that an `allOf` is made of; false when one is something else.
    private func gather(_ part: Value, _ depth: Int, _ sources: inout [Value]) -> Bool {
        guard depth < Self.depthLimit, sources.count < 256 else { return false }
        if let text = part["$ref"]?.string {
            guard let target = target(text) else { return false }
            return gather(target, depth &+ 1, &sources)
        }
        if part["anyOf"] != nil || part["oneOf"] != nil { return false }
        if let kind = part["type"]?.string, kind != "object" { return false }
        for inner in part["allOf"]?.elements ?? [] {
            guard gather(inner, depth &+ 1, &sources) else { return false }
        }
        // What only demands or describes adds nothing; `required` counts.
        if part["properties"] != nil || part["required"] != nil { sources.append(part) }
        return true
    }

    private mutating func record(
        _ schema: Value, _ sources: [Value], _ label: String, _ depth: Int, _ key: Bytes?, _ isNullable: Bool
    ) -> Int {
        let index = records.count
        records.append(Record(name: label))
        // Before its fields: they may lead back here.
        if let key { known[key] = Typing(shape: .record(index), isNullable: isNullable) }
        records[index].summary = schema["description"]?.string ?? schema["title"]?.string ?? ""
        var required = Set<Bytes>()
        for source in sources { required.formUnion((source["required"]?.strings ?? []).map { Bytes($0) }) }
        var fields: [Field] = []
        var places: [Bytes: Int] = [:]
        for source in sources {
            for member in source["properties"]?.members ?? [] {
                let name = member.name.string
                let typing = self.typing(member.value, "\(label) \(name)", depth &+ 1)
                let field = Field(
                    name: name, summary: member.value["description"]?.string ?? "", type: typing,
                    isRequired: required.contains(member.name))
                if let place = places[member.name] {
                    fields[place] = field
                } else {
                    places[member.name] = fields.count
                    fields.append(field)
                }
            }
        }
        records[index].fields = fields
        return index
    }
}

extension Value {
    subscript(_ name: Bytes) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }
    var string: String? { if case .text(let text) = self { text.string } else { nil } }
    var isTrue: Bool { if case .boolean(true) = self { true } else { false } }

    /// One string, or an array of strings.
    var strings: [String]? { string.map { [$0] } ?? elements?.compactMap { $0.string } }
}
