// Collects the requirements that a schema, with its allOf and its references, makes of a value, and that determine a type.

internal import RoutableCore

/// Several schemas that all apply to one value, merged.
struct SchemaFacts {
    /// The allowed kinds; nil if any kind is allowed.
    var kinds: [String]?
    var isNullable = false
    /// The described members, each with its schemas and the pointer to the first of them.
    var properties: [(name: Bytes, schemas: [Value], pointer: String)] = []
    private var places: [Bytes: Int] = [:]
    var required = Set<Bytes>()
    /// The schema of other members.
    var more: Value?
    var patterns: [Value] = []
    var items: Value?
    var firstItems: [Value] = []
    /// `enum` and `const`; nil for none.
    var choices: [Value]?
    /// The options of each oneOf and anyOf, with the pointer to them.
    var alternatives: [(options: [Value], pointer: String)] = []
    /// The references whose schemas are already among the facts: an alternative with one of these references adds nothing.
    var followed = Set<Bytes>()
    var discriminator: Value?
    var format: String?
    var summary = ""
    /// The schemas themselves, for constraints that types do not express: lengths, bounds, patterns.
    var parts: [Value] = []
    /// The reason for a constraint that could not be merged.
    var problem: String?

    /// Whether the facts describe members.
    var hasMembers: Bool { !properties.isEmpty || more != nil || !patterns.isEmpty }

    /// The maximum number of followed references and merged schemas for one type.
    static let limit = 4096

    /// Collects the facts of a schema, with those of its references and its `allOf`.
    mutating func add(
        _ schema: Value, _ document: SchemaDocument, _ pointer: String, seen: inout Set<Bytes>, count: inout Int, depth: Int
    ) {
        count += 1
        guard count <= Self.limit, depth < 64 else {
            problem = problem ?? "it merges more than \(Self.limit) schemas, or 64 within each other"
            return
        }
        if schema.isFalse { problem = problem ?? "the schema false accepts no value" }
        guard case .object(let members) = schema else { return }
        if let text = schema["$ref"]?.string {
            if seen.insert(Bytes(text)).inserted {
                if let target = document.target(text) {
                    add(target, document, String(text.dropFirst()), seen: &seen, count: &count, depth: depth + 1)
                } else {
                    problem = problem ?? "the reference \(text) leads to nothing in this document"
                }
            }
            if document.ignoresSiblings {
                if schema["nullable"]?.isTrue == true { isNullable = true }
                return
            }
        }
        parts.append(schema)
        if let given = schema["type"]?.strings {
            let merged =
                kinds.map { old in
                    given.filter { old.contains($0) || $0 == "integer" && old.contains("number") }
                        + (given.contains("number") && old.contains("integer") && !given.contains("integer") ? ["integer"] : [])
                } ?? given
            if merged.isEmpty { problem = problem ?? "no value has the types of all its parts" }
            kinds = merged
        }
        if schema["nullable"]?.isTrue == true { isNullable = true }
        if summary.isEmpty { summary = schema["description"]?.string ?? schema["title"]?.string ?? "" }
        for name in schema["required"]?.elements ?? [] { if case .text(let name) = name { required.insert(name) } }
        for member in schema["properties"]?.members ?? [] { add(property: member, pointer) }
        if let other = schema["additionalProperties"] { more = more ?? other }
        for member in schema["patternProperties"]?.members ?? [] { patterns.append(member.value) }
        if let inner = schema["items"] {
            if let inner = inner.elements { firstItems += inner } else { items = items ?? inner }
        }
        firstItems += schema["prefixItems"]?.elements ?? []
        if let only = schema["const"] { narrow([only]) }
        if let several = schema["enum"]?.elements { narrow(several) }
        if let format = schema["format"]?.string { self.format = format }
        if let discriminator = schema["discriminator"] { self.discriminator = self.discriminator ?? discriminator }
        for word in ["oneOf", "anyOf"] as [Bytes] {
            if let options = schema[word]?.elements, !options.isEmpty {
                alternatives.append((options, "\(pointer)/\(word.string)"))
            }
        }
        for (index, part) in (schema["allOf"]?.elements ?? []).enumerated() {
            add(part, document, "\(pointer)/allOf/\(index)", seen: &seen, count: &count, depth: depth + 1)
        }
        _ = members
    }

    private mutating func add(property member: Value.Member, _ pointer: String) {
        let place = SchemaDocument.pointed(member.name, in: pointer + "/properties")
        if let index = places[member.name] {
            // A part without further keywords does not change it.
            if case .object(let said) = member.value, said.allSatisfy({ SchemaText.isRemark($0.name) }) { return }
            properties[index].schemas.append(member.value)
        } else {
            places[member.name] = properties.count
            properties.append((member.name, [member.value], place))
        }
    }

    private mutating func narrow(_ values: [Value]) {
        guard let old = choices else {
            choices = values
            return
        }
        let kept = Set(values.map { SchemaText.canonical($0) })
        choices = old.filter { kept.contains(SchemaText.canonical($0)) }
    }
}
