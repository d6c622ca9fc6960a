// Converts JSON Schemas into types that a compiler can check.  The library validates every body against the whole schema; a value
// without a type here is any JSON, and is listed with the reason.

internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON

struct SchemaReader {
    var records: [Record] = []
    var choices: [Choice] = []
    var unions: [Union] = []
    var gaps: [Gap] = []
    let document: SchemaDocument
    private let types: [TypeDescription]
    /// The unnamed schemas of an OpenAPI or Swagger document.
    private let codec: (any BodyCodec)?
    /// Types by the string of a reference.
    private var known: [Bytes: Typing] = [:]
    /// References that are being followed, to detect cycles.
    private var open = Set<Bytes>()
    private var pieces: [Int: Typing] = [:]
    /// Inline types by their canonical form, so that equal schemas share one type.
    private var shared: [Bytes: Typing] = [:]

    /// The maximum depth of nested schemas.
    static let depthLimit = 64

    init(_ router: Router) throws(Failure) {
        types = router.description.types
        codec = router.codec
        document = try SchemaDocument(router)
    }

    /// Reads the named types in the order of their names, so that the names of equal inline types do not depend on the document's order.
    mutating func readNamed() throws(Failure) {
        let named = types.indices.filter { !types[$0].name.isEmpty }
        for index in named.sorted(by: { types[$0].name.storage.lexicographicallyPrecedes(types[$1].name.storage) }) {
            _ = try type(index, label: "", "")
        }
    }

    /// Whether a route document or the named types of an OpenAPI document contain the type.
    func declares(_ index: Int) -> Bool { types.indices.contains(index) }

    /// Reads a type of the router; `label` is the name of a type without one.
    mutating func type(_ index: Int, label: String, _ pointer: String) throws(Failure) -> Typing {
        if let known = pieces[index] { return known }
        var text = codec?.schema(of: index) ?? "true"
        if types.indices.contains(index) {
            let name = types[index].name.string
            if !name.isEmpty { return reference(document.prefix + SchemaDocument.escaped(name), "", 0) }
            text = types[index].slice.map { Bytes($0.buffer) } ?? types[index].schema
        }
        let typing = self.typing(try document.value(of: text), label, pointer, 0)
        pieces[index] = typing
        return typing
    }

    /// Returns any JSON, and lists the reason.
    mutating func gap(_ pointer: String, _ reason: String, isNullable: Bool = false) -> Typing {
        gaps.append(Gap(pointer: pointer, reason: reason))
        return Typing(shape: .any, isNullable: isNullable)
    }

    // MARK: - References

    private mutating func reference(_ text: String, _ pointer: String, _ depth: Int) -> Typing {
        let key = Bytes(text)  // as bytes, because strings that Swift treats as equal can differ
        if let typing = known[key] { return typing }
        guard let tokens = SchemaDocument.tokens(text), let target = document.target(tokens) else {
            return gap(pointer, "the reference \(text) leads to nothing in this document")
        }
        // A cycle of references without an object or a union is any JSON.
        guard open.insert(key).inserted else {
            return gap(pointer, "the reference \(text) leads back to itself without an object between")
        }
        defer { open.remove(key) }
        guard depth < Self.depthLimit else {
            return gap(pointer, "it is nested in more than \(Self.depthLimit) references and schemas")
        }
        var words = tokens.map(\.string)
        if text.hasPrefix(document.prefix) && words.count == SchemaDocument.tokens(document.prefix)?.count {
            words = [words.last ?? ""]
        }
        let name = words.count > 1 ? words.suffix(2).joined(separator: " ") : words.joined()
        let typing = self.typing(target, name, String(text.dropFirst()), depth + 1, key: key)
        known[key] = typing
        return typing
    }

    // MARK: - Schemas

    /// `label` is the name of a type that the schema may produce; `key` is the reference that was followed to the schema.
    mutating func typing(_ schema: Value, _ label: String, _ pointer: String, _ depth: Int, key: Bytes? = nil) -> Typing {
        guard depth < Self.depthLimit else {
            return gap(pointer, "it is nested in more than \(Self.depthLimit) references and schemas")
        }
        guard case .object(let members) = schema else {
            return gap(pointer, schema.isFalse ? "the schema false accepts no value" : "the schema allows any value")
        }
        let isNullable = schema["nullable"]?.isTrue == true
        let said = members.filter { !SchemaText.isRemark($0.name) && $0.name != "nullable" }
        if let text = schema["$ref"]?.string, document.ignoresSiblings || said.count == 1 {
            var result = reference(text, pointer, depth + 1)
            if isNullable { result.isNullable = true }
            return result
        }
        if let (only, index) = Self.onlyPart(schema, said) {
            var result = typing(only, label, "\(pointer)/allOf/\(index)", depth + 1, key: key)
            if isNullable { result.isNullable = true }
            return result
        }
        var facts = SchemaFacts()
        var seen = Set<Bytes>(), count = 0
        facts.add(schema, document, pointer, seen: &seen, count: &count, depth: 0)
        facts.followed = seen
        if let key { facts.followed.insert(key) }
        return typing(facts, schema["x-routable-name"]?.string ?? label, pointer, depth, key: key)
    }

    /// The only part of an allOf with keywords, if the schema has no others; documents write this to add a description to a reference.
    private static func onlyPart(_ schema: Value, _ said: [Value.Member]) -> (Value, Int)? {
        guard let parts = schema["allOf"]?.elements,
            said.allSatisfy({ $0.name == "allOf" || $0.name == "type" && $0.value.string == "object" })
        else { return nil }
        let left = parts.indices.filter {
            parts[$0].members.contains { !SchemaText.isRemark($0.name) } || parts[$0].members.isEmpty && !parts[$0].isTrue
        }
        guard left.count == 1, case .object(let inner) = parts[left[0]], !inner.isEmpty else { return nil }
        return (parts[left[0]], left[0])
    }

    mutating func typing(_ given: SchemaFacts, _ label: String, _ pointer: String, _ depth: Int, key: Bytes?) -> Typing {
        guard depth < Self.depthLimit else {
            return gap(pointer, "it is nested in more than \(Self.depthLimit) references and schemas")
        }
        var facts = given
        var isNullable = facts.isNullable
        if let place = facts.kinds?.firstIndex(of: "null") {
            facts.kinds?.remove(at: place)
            isNullable = true
            if facts.kinds?.isEmpty == true { return gap(pointer, "only null is valid", isNullable: true) }
        }
        facts.isNullable = false
        if let problem = facts.problem { return gap(pointer, problem, isNullable: isNullable) }
        var result = plain(&facts, &isNullable, label, pointer, depth, key)
        if isNullable { result.isNullable = true }
        return result
    }

    /// The type without null.
    private mutating func plain(
        _ facts: inout SchemaFacts, _ isNullable: inout Bool, _ label: String, _ pointer: String, _ depth: Int, _ key: Bytes?
    ) -> Typing {
        if let all = facts.choices {
            let left = all.filter {
                !$0.isNull
                    && (facts.kinds?.contains($0.kindWord) != false
                        || $0.kindWord == "integer" && facts.kinds?.contains("number") == true)
            }
            if all.contains(where: { $0.isNull }) { isNullable = true }
            if left.isEmpty { return gap(pointer, "no value of its enum has its type") }
            let words = Set(left.map(\.kindWord))
            if words == ["string"] { return choice(left.compactMap(\.string), facts, label, key) }
            if words == ["integer"] {
                return Typing(shape: .integer(left.compactMap { if case .integer(let number) = $0 { number } else { nil } }))
            }
            facts.choices = nil
            facts.kinds = words.contains("number") ? words.filter { $0 != "integer" }.sorted() : words.sorted()
        }
        if !facts.alternatives.isEmpty, let typing = alternatives(facts, &isNullable, label, pointer, depth, key) {
            return typing
        }
        guard let kinds = facts.kinds, !kinds.isEmpty else {
            if facts.hasMembers { return object(facts, label, pointer, depth, key) }
            if facts.items != nil || !facts.firstItems.isEmpty { return array(facts, label, pointer, depth) }
            return gap(pointer, "the schema has no type")
        }
        if kinds.count > 1 {
            var options: [Typing] = []
            for kind in kinds.sorted(by: { $0 != "object" && $1 == "object" || $0 < $1 && $1 != "object" && $0 != "object" }) {
                var only = facts
                only.kinds = [kind]
                options.append(typing(only, label, pointer, depth + 1, key: nil))
            }
            return union(options, nil, facts.summary, label, pointer, key: key, index: nil)
        }
        switch kinds[0] {
        case "string": return Typing(shape: .text([]))
        case "integer": return Typing(shape: .integer([]))
        case "number": return Typing(shape: .number)
        case "boolean": return Typing(shape: .boolean)
        case "array": return array(facts, label, pointer, depth)
        case "object": return object(facts, label, pointer, depth, key)
        // A file of Swagger 2.0 is bytes.
        case "file": return Typing(shape: .text([]))
        default: return gap(pointer, "\"\(kinds[0])\" is not a JSON type")
        }
    }

    private mutating func choice(_ values: [String], _ facts: SchemaFacts, _ label: String, _ key: Bytes?) -> Typing {
        var seen = Set<Bytes>()
        let values = values.filter { seen.insert(Bytes($0)).inserted }
        var text: Bytes = "choice"
        for value in values.sorted() {
            text.append(Bytes(String(value.utf8.count)))
            text.append(":")
            text.append(Bytes(value))
        }
        if key == nil, let known = shared[text] { return known }
        choices.append(Choice(name: label, summary: facts.summary, values: values))
        let result = Typing(shape: .choice(choices.count - 1))
        if key == nil { shared[text] = result }
        return result
    }

    private mutating func array(_ facts: SchemaFacts, _ label: String, _ pointer: String, _ depth: Int) -> Typing {
        if facts.firstItems.isEmpty {
            guard let items = facts.items, !items.isFalse else {
                return Typing(shape: .list(gap(pointer, "the elements of the array are not declared")))
            }
            return Typing(shape: .list(typing(items, "\(label) item", "\(pointer)/items", depth + 1)))
        }
        var options: [Typing] = []
        for (index, item) in facts.firstItems.enumerated() {
            options.append(typing(item, "\(label) item \(index)", "\(pointer)/prefixItems/\(index)", depth + 1))
        }
        if let items = facts.items, !items.isFalse {
            options.append(typing(items, "\(label) item", "\(pointer)/items", depth + 1))
        }
        return Typing(shape: .list(union(options, nil, "", "\(label) item", pointer, key: nil, index: nil)))
    }

    // MARK: - Objects

    private mutating func object(_ facts: SchemaFacts, _ label: String, _ pointer: String, _ depth: Int, _ key: Bytes?)
        -> Typing
    {
        if !facts.properties.isEmpty { return record(facts, label, pointer, depth, key) }
        var values: [Typing] = []
        for each in facts.patterns { values.append(typing(each, "\(label) value", "\(pointer)/patternProperties", depth + 1)) }
        if let more = facts.more, case .object(let members) = more, !members.isEmpty {
            values.append(typing(more, "\(label) value", "\(pointer)/additionalProperties", depth + 1))
        }
        if values.isEmpty {
            let isEmpty = facts.more?.isFalse == true
            return Typing(shape: .map(isEmpty ? .any : gap(pointer, "the members of the object are not declared")))
        }
        return Typing(shape: .map(union(values, nil, "", "\(label) value", pointer, key: nil, index: nil)))
    }

    private mutating func record(_ facts: SchemaFacts, _ label: String, _ pointer: String, _ depth: Int, _ key: Bytes?)
        -> Typing
    {
        let text = key == nil ? facts.canonical : Bytes()
        if key == nil, let known = shared[text] { return known }
        let index = records.count
        records.append(Record(name: label, summary: facts.summary))
        let result = Typing(shape: .record(index))
        // The record is registered before its fields, because they can refer to it.
        if let key { known[key] = Typing(shape: .record(index), isNullable: facts.isNullable) } else { shared[text] = result }
        var fields: [Field] = []
        fields.reserveCapacity(facts.properties.count)
        for (name, schemas, pointer) in facts.properties {
            let schema = schemas.count == 1 ? schemas[0] : .object([Value.Member(name: "allOf", value: .array(schemas))])
            let own = document.resolved(schema) ?? schema
            fields.append(
                Field(
                    name: name.string, summary: SchemaRemark.text(schemas[0], own),
                    type: typing(schema, "\(label) \(name.string)", pointer, depth + 1),
                    isRequired: facts.required.contains(name),
                    isReadOnly: own["readOnly"]?.isTrue == true, isWriteOnly: own["writeOnly"]?.isTrue == true))
        }
        // A required property without a schema gets a field, because a value without the property is not valid.
        let described = Set(facts.properties.map(\.name))
        for name in facts.required.subtracting(described).sorted(by: { $0.storage.lexicographicallyPrecedes($1.storage) }) {
            let place = "\(pointer)/required"
            fields.append(
                Field(
                    name: name.string, summary: "", type: gap(place, "the member \(name.string) is required but not declared"),
                    isRequired: true))
        }
        records[index].fields = fields
        return result
    }

    // MARK: - Unions

    /// Registers a named union before its options, which may refer to it.
    mutating func begin(union label: String, _ summary: String, _ key: Bytes?) -> Int? {
        guard let key else { return nil }
        unions.append(Union(name: label, summary: summary))
        known[key] = Typing(shape: .union(unions.count - 1))
        return unions.count - 1
    }

    /// Joins the options into one type: duplicates, and options that another option includes, are removed.
    mutating func union(
        _ given: [Typing], _ discriminator: Union.Discriminator?, _ summary: String, _ label: String, _ pointer: String,
        key: Bytes?,
        index: Int?
    ) -> Typing {
        var isNullable = false
        var options: [Typing] = []
        for each in given {
            if each.isNullable { isNullable = true }
            let bare = Typing(shape: each.shape)
            if !options.contains(bare) { options.append(bare) }
        }
        if options.contains(.any) {
            if options.count > 1 { gaps.append(Gap(pointer: pointer, reason: "one of its alternatives accepts any value")) }
            options = [.any]
        }
        if options.contains(where: { if case .text(let values) = $0.shape { values.isEmpty } else { false } }) {
            options.removeAll { if case .choice = $0.shape { true } else { false } }
        }
        if options.contains(Typing(shape: .number)) {
            options.removeAll { if case .integer = $0.shape { true } else { false } }
        }
        merge(&options, label)
        if let index { unions[index].options = options.map { Union.Option(name: "", type: $0) } }
        if options.count == 1 { return Typing(shape: options[0].shape, isNullable: isNullable) }
        if options.isEmpty { return gap(pointer, "it has no alternatives") }
        var made = Union(
            name: label, summary: summary, options: options.map { Union.Option(name: "", type: $0) }, discriminator: nil)
        if let discriminator {
            var values: [(value: String, option: Int)] = []
            for (value, old) in discriminator.values {
                let bare = given.indices.contains(old) ? Typing(shape: given[old].shape) : .any
                if let option = options.firstIndex(of: bare) { values.append((value, option)) }
            }
            if !values.isEmpty { made.discriminator = Union.Discriminator(property: discriminator.property, values: values) }
        }
        if let index {
            unions[index] = made
            return Typing(shape: .union(index), isNullable: isNullable)
        }
        var text: Bytes = "union"
        for option in options { text.append(Bytes("\(option.shape)" as String)) }
        text.append(Bytes(made.discriminator?.property ?? ""))
        if let known = shared[text] { return Typing(shape: known.shape, isNullable: isNullable) }
        unions.append(made)
        shared[text] = Typing(shape: .union(unions.count - 1))
        return Typing(shape: .union(unions.count - 1), isNullable: isNullable)
    }

    /// Merges several choices of strings into one, and likewise several choices of integers.
    private mutating func merge(_ options: inout [Typing], _ label: String) {
        let places = options.indices.filter { if case .choice = options[$0].shape { true } else { false } }
        if places.count > 1 {
            var values: [String] = []
            for place in places { if case .choice(let index) = options[place].shape { values += choices[index].values } }
            options[places[0]] = choice(values, SchemaFacts(), "\(label) choice", nil)
            for place in places.dropFirst().reversed() { options.remove(at: place) }
        }
        let numbers = options.indices.filter { if case .integer = options[$0].shape { true } else { false } }
        if numbers.count > 1 {
            var values: [Int64] = []
            for place in numbers {
                guard case .integer(let some) = options[place].shape else { continue }
                if some.isEmpty {
                    values = []
                    break
                }
                values += some.filter { !values.contains($0) }
            }
            options[numbers[0]] = Typing(shape: .integer(values))
            for place in numbers.dropFirst().reversed() { options.remove(at: place) }
        }
    }
}
