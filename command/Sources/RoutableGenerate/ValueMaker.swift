// Makes JSON values that are valid against a schema, from a seed, for round trips through generated code, mocks and examples.  The
// library validates each value, so a keyword that is not considered here costs an attempt and never gives an invalid value.

internal import RoutableCore

struct ValueMaker {
    let document: SchemaDocument
    var chance: SeededChance

    /// Values within values; beyond the half only required members are made.
    private static let depthLimit = 24

    init(_ document: SchemaDocument, seed: UInt64) {
        self.document = document
        chance = SeededChance(seed: seed)
    }

    /// nil: no value was found.
    mutating func value(of schema: Value, _ depth: Int = 0) -> Value? {
        if depth > Self.depthLimit || schema.isFalse { return nil }
        var facts = SchemaFacts()
        var seen = Set<Bytes>(), count = 0
        facts.add(schema, document, "", seen: &seen, count: &count, depth: 0)
        var told: Value.Member?
        // Of each list of alternatives one, whose own lists follow.
        for _ in 0..<8 where !facts.alternatives.isEmpty {
            let lists = facts.alternatives
            facts.alternatives = []
            for list in lists {
                let place = chance.below(list.options.count)
                let option = list.options[place]
                if let property = facts.discriminator?["propertyName"]?.string,
                    let name = discriminated(option, facts.discriminator)
                {
                    told = Value.Member(name: Bytes(property), value: .text(Bytes(name)))
                }
                facts.add(option, document, "", seen: &seen, count: &count, depth: 0)
            }
        }
        if facts.problem != nil { return nil }
        return value(of: facts, told, depth)
    }

    private func discriminated(_ option: Value, _ discriminator: Value?) -> String? {
        guard let reference = option["$ref"]?.string else { return nil }
        for member in discriminator?["mapping"]?.members ?? [] where member.value.string == reference {
            return member.name.string
        }
        return SchemaDocument.tokens(reference)?.last?.string
    }

    private mutating func value(of facts: SchemaFacts, _ told: Value.Member?, _ depth: Int) -> Value? {
        var kinds = facts.kinds ?? []
        if let choices = facts.choices {
            let fitting =
                kinds.isEmpty
                ? choices
                : choices.filter {
                    kinds.contains($0.kindWord) || $0.isNull || $0.kindWord == "integer" && kinds.contains("number")
                }
            return fitting.isEmpty ? nil : fitting[chance.below(fitting.count)]
        }
        let mayBeNull = facts.isNullable || kinds.contains("null")
        kinds.removeAll { $0 == "null" }
        if mayBeNull && (kinds.isEmpty && facts.kinds != nil || depth > Self.depthLimit / 2 || chance.below(8) == 0) {
            return .null
        }
        if kinds.isEmpty {
            if facts.hasMembers || !facts.required.isEmpty {
                kinds = ["object"]
            } else if facts.items != nil || !facts.firstItems.isEmpty {
                kinds = ["array"]
            } else {
                kinds = ["string", "integer", "boolean", "object"]
            }
        }
        switch kinds[chance.below(kinds.count)] {
        case "string": return text(facts).map { .text(Bytes($0)) }
        case "integer": return integer(facts)
        case "number": return chance.below(3) == 0 ? integer(facts) : number(facts)
        case "boolean": return .boolean(chance.below(2) == 0)
        case "array": return array(facts, depth)
        case "object": return object(facts, told, depth)
        default: return nil
        }
    }

    // MARK: - Numbers

    /// Of several bounds the narrowest.
    func bound(_ facts: SchemaFacts, _ key: Bytes, _ narrower: (Double, Double) -> Double) -> Double? {
        var result: Double?
        for part in facts.parts {
            guard let number = part[key]?.double else { continue }
            result = result.map { narrower($0, number) } ?? number
        }
        return result
    }

    private func range(_ facts: SchemaFacts) -> (low: Double, high: Double) {
        var low = bound(facts, "minimum", max), high = bound(facts, "maximum", min)
        let isOpenBelow = facts.parts.contains { $0["exclusiveMinimum"]?.isTrue == true }
        let isOpenAbove = facts.parts.contains { $0["exclusiveMaximum"]?.isTrue == true }
        let step = facts.kinds?.contains("number") == true ? 0.001 : 1
        if isOpenBelow { low = low.map { $0 + step } }
        if isOpenAbove { high = high.map { $0 - step } }
        if let edge = bound(facts, "exclusiveMinimum", max) { low = max(low ?? edge, edge + step) }
        if let edge = bound(facts, "exclusiveMaximum", min) { high = min(high ?? edge, edge - step) }
        let narrow = facts.format == "int32" ? 2_147_483_647.0 : 9_000_000_000_000_000.0
        let start = low ?? (high.map { $0 - 1000 } ?? (chance.isWide ? -narrow : -1000))
        return (start, max(start, high ?? (low.map { $0 + 1000 } ?? (chance.isWide ? narrow : 1000))))
    }

    private mutating func integer(_ facts: SchemaFacts) -> Value? {
        chance.isWide = chance.below(6) == 0
        let (low, high) = range(facts)
        guard low >= -9.2e18, high <= 9.2e18, low.rounded(.up) <= high.rounded(.down) else { return nil }
        let first = Int64(low.rounded(.up)), last = Int64(high.rounded(.down))
        var made = first + Int64(chance.below(Int(clamping: (last - first).addingReportingOverflow(1).partialValue)))
        if let step = bound(facts, "multipleOf", max), step >= 1, step < 1e15 {
            made -= made % Int64(step)
            if made < first { made += Int64(step) }
        }
        return .integer(made)
    }

    private mutating func number(_ facts: SchemaFacts) -> Value? {
        chance.isWide = chance.below(6) == 0
        let (low, high) = range(facts)
        if let step = bound(facts, "multipleOf", max), step > 0 {
            return .real((low / step).rounded(.up) * step + Double(chance.below(3)) * step)
        }
        return .real(low + (high - low) * Double(chance.below(1_000_000)) / 1_000_000)
    }

    // MARK: - Arrays and objects

    private mutating func array(_ facts: SchemaFacts, _ depth: Int) -> Value? {
        let least = Int(bound(facts, "minItems", max) ?? 0)
        let most = Int(min(bound(facts, "maxItems", min) ?? 1e6, Double(least + (depth > 6 ? 0 : 3))))
        let isUnique = facts.parts.contains { $0["uniqueItems"]?.isTrue == true }
        guard least <= most, least <= 1000 else { return nil }
        let count = least + chance.below(most - least + 1)
        var elements: [Value] = []
        var seen = Set<Bytes>()
        for attempt in 0..<(count * 4) where elements.count < count {
            _ = attempt
            let schema =
                elements.count < facts.firstItems.count ? facts.firstItems[elements.count] : facts.items ?? .boolean(true)
            guard let element = value(of: schema, depth + 1) else { continue }
            if isUnique && !seen.insert(SchemaText.canonical(element)).inserted { continue }
            elements.append(element)
        }
        return elements.count >= least ? .array(elements) : nil
    }

    private mutating func object(_ facts: SchemaFacts, _ told: Value.Member?, _ depth: Int) -> Value? {
        var members: [Value.Member] = []
        var names = Set<Bytes>()
        for (name, schemas, _) in facts.properties {
            let isRequired = facts.required.contains(name)
            if !isRequired && (depth > Self.depthLimit / 4 || chance.below(2) == 0) { continue }
            let schema = schemas.count == 1 ? schemas[0] : .object([Value.Member(name: "allOf", value: .array(schemas))])
            if let told, told.name == name {
                members.append(told)
            } else if let value = value(of: schema, depth + 1) {
                members.append(Value.Member(name: name, value: value))
            } else if isRequired {
                return nil
            } else {
                continue
            }
            names.insert(name)
        }
        for name in facts.required.sorted(by: { $0.storage.lexicographicallyPrecedes($1.storage) })
        where names.insert(name).inserted {
            let more = facts.more?.isFalse == true ? nil : facts.more
            guard let value = value(of: more ?? .boolean(true), depth + 1) else { return nil }
            members.append(Value.Member(name: name, value: value))
        }
        // Beside declared members a type has no others.
        if facts.properties.isEmpty, let more = facts.more, case .object(let said) = more, !said.isEmpty,
            depth <= Self.depthLimit / 4
        {
            for number in 0..<chance.below(3) {
                let name: Bytes = "extra \(number)"
                if names.insert(name).inserted, let value = value(of: more, depth + 1) {
                    members.append(Value.Member(name: name, value: value))
                }
            }
        }
        return .object(members)
    }
}

/// Numbers from a seed: SplitMix64, the same on every machine.
struct SeededChance {
    private var state: UInt64
    /// Whether numbers without bounds are large.
    var isWide = false

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to below the limit; 0 for a limit of 1 or less.
    mutating func below(_ limit: Int) -> Int { limit > 1 ? Int(next() % UInt64(limit)) : 0 }
}

extension Value {
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .number(let digits): Double(digits.string)
        default: nil
        }
    }
}
