// Converts oneOf and anyOf into unions.  Keywords beside them apply to every option; options that only require members add no type.

internal import RoutableCore

extension SchemaReader {
    /// The maximum number of combinations of the options of several lists.
    private static let combinationLimit = 64
    /// Keywords that determine the type of a value.
    private static let typing: Set<Bytes> = [
        "$ref", "type", "properties", "additionalProperties", "patternProperties", "items", "prefixItems", "enum", "const",
        "allOf",
        "oneOf", "anyOf",
    ]

    /// nil if the alternatives do not determine the type.
    mutating func alternatives(
        _ facts: SchemaFacts, _ isNullable: inout Bool, _ label: String, _ pointer: String, _ depth: Int, _ key: Bytes?
    ) -> Typing? {
        let hasBase = !facts.properties.isEmpty || facts.items != nil || facts.more.map { !$0.isTrue && !$0.isFalse } == true
        var lists: [[(schema: Value, pointer: String)]] = []
        for (options, place) in facts.alternatives {
            var left: [(schema: Value, pointer: String)] = []
            for (index, option) in options.enumerated() {
                if Self.isNull(option) { isNullable = true } else { left.append((option, "\(place)/\(index)")) }
            }
            // Removes an option that is an allOf of these alternatives and so refers back to them.
            left.removeAll { $0.schema["$ref"]?.string.map { facts.followed.contains(Bytes($0)) } == true }
            if left.isEmpty { continue }
            let saying = left.filter { !Self.onlyDemands($0.schema, hasBase || facts.kinds != nil) }
            if saying.isEmpty { continue }
            if saying.count < left.count && !hasBase && facts.kinds == nil {
                return gap(place, "one of its alternatives accepts any value")
            }
            lists.append(left)
        }
        if lists.isEmpty { return nil }
        var base = facts
        base.alternatives = []
        let count = lists.reduce(1) { $0 > Self.combinationLimit ? $0 : $0 * $1.count }
        if lists.count > 1 && count > Self.combinationLimit {
            gaps.append(
                Gap(
                    pointer: pointer,
                    reason: "its alternatives have more than \(Self.combinationLimit) combinations: they are left out"))
            return nil
        }
        let index = begin(union: label, facts.summary, key)
        var typings: [Typing] = []
        var values: [(value: String, option: Int)] = []
        let property = facts.discriminator?["propertyName"]?.string
        for combination in Self.combinations(lists) {
            let option = combination[0].schema
            let title = option["title"]?.string ?? (combination.count > 1 || lists.count > 1 ? "" : "")
            let name = title.isEmpty ? "\(label) option \(typings.count + 1)" : "\(label) \(title)"
            if combination.count == 1 && !hasBase {
                typings.append(typing(kinded(option, facts), name, combination[0].pointer, depth + 1))
            } else {
                var own = base
                var seen = base.followed, count = 0
                for part in combination { own.add(part.schema, document, part.pointer, seen: &seen, count: &count, depth: 0) }
                own.followed = seen
                own.discriminator = nil
                typings.append(typing(own, name, combination[0].pointer, depth + 1, key: nil))
            }
            if property != nil { for value in Self.values(of: option, facts) { values.append((value, typings.count - 1)) } }
        }
        let discriminator = property.map { Union.Discriminator(property: $0, values: values) }
        return union(typings, discriminator, facts.summary, label, pointer, key: key, index: index)
    }

    /// An option without a type has the type of the enclosing schema.
    private func kinded(_ option: Value, _ facts: SchemaFacts) -> Value {
        guard let kinds = facts.kinds, case .object(let members) = option, option["type"] == nil, option["$ref"] == nil,
            option["allOf"] == nil, option["oneOf"] == nil, option["anyOf"] == nil
        else { return option }
        return .object(members + [Value.Member(name: "type", value: .array(kinds.map { .text(Bytes($0)) }))])
    }

    private static func combinations(_ lists: [[(schema: Value, pointer: String)]]) -> [[(schema: Value, pointer: String)]] {
        var result: [[(schema: Value, pointer: String)]] = [[]]
        for list in lists { result = result.flatMap { start in list.map { start + [$0] } } }
        return result
    }

    private static func isNull(_ option: Value) -> Bool {
        if option["type"]?.strings == ["null"] { return true }
        if let only = option["const"] { return only.isNull }
        if let all = option["enum"]?.elements { return all.count == 1 && all[0].isNull }
        return false
    }

    /// Whether an option only requires or forbids members, and so does not determine a type.
    private static func onlyDemands(_ option: Value, _ hasBase: Bool) -> Bool {
        guard case .object(let members) = option else { return !option.isFalse }
        let saying = members.filter { typing.contains($0.name) }
        return saying.allSatisfy {
            guard hasBase else { return false }
            if $0.name == "type" { return $0.value.string == "object" && option["required"] != nil }
            // Members that are named without a schema.
            return $0.name == "properties" && $0.value.members.allSatisfy { $0.value.members.isEmpty || $0.value.isTrue }
        }
    }

    /// The values of the discriminator for an option.
    private static func values(of option: Value, _ facts: SchemaFacts) -> [String] {
        guard let reference = option["$ref"]?.string else { return [] }
        let name = SchemaDocument.tokens(reference)?.last?.string
        var result: [String] = []
        for member in facts.discriminator?["mapping"]?.members ?? [] {
            if let target = member.value.string, target == reference || target == name { result.append(member.name.string) }
        }
        return result.isEmpty ? name.map { [$0] } ?? [] : result
    }
}

extension SchemaFacts {
    /// A string that is equal for equal facts about objects.
    var canonical: Bytes {
        var output: Bytes = "object"
        for (name, schemas, _) in properties.sorted(by: { $0.name.storage.lexicographicallyPrecedes($1.name.storage) }) {
            output.append(Bytes(String(name.count)))
            output.append(required.contains(name) ? "!" : "?")
            output.append(name)
            for schema in schemas {
                output.append("|")
                output.append(SchemaText.canonical(schema))
            }
        }
        for name in required.subtracting(properties.map { $0.name }).sorted(by: {
            $0.storage.lexicographicallyPrecedes($1.storage)
        }) {
            output.append(Bytes(String(name.count)))
            output.append("*")
            output.append(name)
        }
        return output
    }
}

extension Value {
    /// The name of the kind in JSON Schema.
    var kindWord: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .real, .number: "number"
        case .text: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
