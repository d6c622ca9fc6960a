// Warns about schema keywords that validation ignores because their values are not valid in JSON Schema.
//
// The compiler ignores each of them silently; it compiles schemas on first use, so the warnings are made here, when the
// document is opened.  Each schema is visited once.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// The state of all visits.
struct KeywordVisit {
    /// The identities of the visited schemas outside the named ones.
    var visited = Set<Int>()
    /// Schemas that references lead to, in the order in which they were found.
    var waiting: [TapeNode] = []
    /// Schemas inside the visited ones; the next one is the last: a recursion would need stack for each level of nesting.
    var nested: [TapeNode] = []
    /// The words of the named types, all of which are visited.
    var named: Range<UInt32> = 0..<0
    var patterns = Set<Bytes>()
    let budget = PatternBudget()
}

extension OpenAPIReader {
    /// Visits the named types, then the schemas of bodies, results and parameters, and the targets of references.
    mutating func readKeywords(_ types: TapeNode?) {
        var visit = KeywordVisit()
        if let types {
            visit.named = types.index..<types.next
            var children = types.children
            while let child = children.read() { visitAll(child.value, &visit) }
        }
        for place in places {
            guard tapes.indices.contains(place.tape) else { continue }
            let tape = tapes[place.tape]
            enqueue(TapeNode(text: tape.text.start, words: tape.words, index: place.word), &visit)
        }
        for schema in parameterSchemas { enqueue(schema, &visit) }
        var index = 0
        while index < visit.waiting.count {
            visitAll(visit.waiting[index], &visit)
            index &+= 1
        }
    }

    private func enqueue(_ node: TapeNode, _ visit: inout KeywordVisit) {
        if node.words == main.words && visit.named.contains(node.index) { return }
        visit.waiting.append(node)
    }

    /// Visits a schema, and those inside it, in the order of the document.
    private mutating func visitAll(_ node: TapeNode, _ visit: inout KeywordVisit) {
        visit.nested.append(node)
        while let next = visit.nested.popLast() {
            let first = visit.nested.count
            self.visit(next, &visit)
            visit.nested[first...].reverse()
        }
    }

    private mutating func visit(_ node: TapeNode, _ visit: inout KeywordVisit) {
        if description.warnings.count >= Self.warningLimit { return }
        if node.kind == .boolean { return }
        guard node.isObject else {
            warn(node, "a schema must be an object or a boolean, not \(node.kindName): any value is valid")
            return
        }
        let isNamed = node.words == main.words && visit.named.contains(node.index)
        if !isNamed && !visit.visited.insert(node.identity).inserted { return }
        var isAlone = false
        var members = node.children
        while let member = members.read() {
            let name = member.key.rawText
            if name.count > 1, name[0] == UInt8(ascii: "x"), name[1] == UInt8(ascii: "-") { continue }
            guard let shape = KeywordShape.of(name) else { continue }
            // `required` of a parameter in Swagger.
            if isSwagger && shape == .texts && member.value.kind == .boolean && node.member("in")?.kind == .text { continue }
            if shape == .text, member.key.equals("$ref"), member.value.kind == .text {
                isAlone = is30
                follow(member.value, &visit)
            }
            check(shape, member, &visit)
        }
        if is30 && choices.namesNullable { nameNullable(node, isAlone) }
    }

    /// Follows a reference to a schema that no other visit reaches.
    private mutating func follow(_ reference: TapeNode, _ visit: inout KeywordVisit) {
        let text = reference.rawText
        if reference.words == main.words, text.has("#/components/schemas/", at: 0) || text.has("#/definitions/", at: 0) {
            return
        }
        // A reference without a target is reported elsewhere.
        if let target = find(reference.string, from: tape(of: reference)) { enqueue(target, &visit) }
    }

    private mutating func check(_ shape: KeywordShape, _ member: TapeNode.Child, _ visit: inout KeywordVisit) {
        let value = member.value
        switch shape {
        case .any: return
        case .schema: visit.nested.append(value)
        case .itemSchemas:
            guard value.kind == .array, is30 else { return visit.nested.append(value) }
            visitEach(value, &visit)
        case .schemas:
            if value.kind != .array || value.isEmpty { return ignore(member, shape) }
            visitEach(value, &visit)
        case .namedSchemas:
            guard value.isObject else { return ignore(member, shape) }
            visitEach(value, &visit)
            if member.key.equals("patternProperties") {
                var children = value.children
                while let child = children.read() { checkPattern(child.key, &visit) }
            }
        case .pattern:
            if value.kind != .text { return ignore(member, shape) }
            checkPattern(value, &visit)
        case .nullable:
            if value.kind != .boolean { return ignore(member, shape) }
            if !is30 {
                warn(value, "\"nullable\" has no effect since OpenAPI 3.1; \"type\": [..., \"null\"] allows null")
            }
        default:
            if !isValid(value, shape) { ignore(member, shape) }
        }
    }

    private func visitEach(_ node: TapeNode, _ visit: inout KeywordVisit) {
        var children = node.children
        while let child = children.read() { visit.nested.append(child.value) }
    }

    private func isValid(_ value: TapeNode, _ shape: KeywordShape) -> Bool {
        switch shape {
        case .boolean: return value.kind == .boolean
        case .number: return value.kind == .number
        case .exclusiveBound: return value.kind == .number || is30 && value.kind == .boolean
        case .positive: return (value.number ?? 0) > 0
        case .count: return value.number.map { $0 >= 0 && $0.rounded() == $0 } ?? false
        case .array: return value.kind == .array
        case .text: return value.kind == .text
        case .texts: return hasTexts(value)
        case .namedTexts:
            guard value.isObject else { return false }
            var children = value.children
            while let child = children.read() { if !hasTexts(child.value) { return false } }
            return true
        case .type:
            if value.kind == .text { return KeywordShape.isType(value.string) || isSwagger && value.equals("file") }
            guard value.kind == .array, !value.isEmpty else { return false }
            var children = value.children
            while let child = children.read() {
                if child.value.kind != .text || !KeywordShape.isType(child.value.string) { return false }
            }
            return true
        case .discriminator:
            return isSwagger ? value.kind == .text : value.member("propertyName")?.kind == .text
        default: return true
        }
    }

    private func hasTexts(_ value: TapeNode) -> Bool {
        guard value.kind == .array else { return false }
        var children = value.children
        while let child = children.read() { if child.value.kind != .text { return false } }
        return true
    }

    @inline(never)
    private mutating func ignore(_ member: TapeNode.Child, _ shape: KeywordShape) {
        let value = member.value
        var given = value.kindName
        if value.kind == .number { given = value.digits.printable }
        if value.kind == .text { given = "\"\(value.string.printable)\"" }
        if let items = firstMisfit(value, shape) { given = items }
        warn(value, "\"\(member.name.printable)\" must be \(shape.expected), not \(given): the keyword is ignored")
    }

    /// The first element of an array that is not valid.
    private func firstMisfit(_ value: TapeNode, _ shape: KeywordShape) -> Bytes? {
        guard value.kind == .array, shape == .type || shape == .texts else { return nil }
        var children = value.children
        while let child = children.read() {
            if child.value.kind != .text { return "an array that contains \(child.value.kindName)" }
            if shape == .type && !KeywordShape.isType(child.value.string) {
                return "an array that contains \"\(child.value.string.printable)\""
            }
        }
        return value.isEmpty ? "an empty array" : nil
    }

    private mutating func checkPattern(_ node: TapeNode, _ visit: inout KeywordVisit) {
        let source = node.string
        if patterns[source] != nil || badPatterns.contains(source) || !visit.patterns.insert(source).inserted { return }
        if let failure = KeywordShape.fault(ofPattern: source, visit.budget) {
            warn(node, "\(failure.message); the pattern is ignored")
        }
    }

    /// Warns about uses of `nullable` that OpenAPI 3.0.3 interprets differently than the library, which allows null wherever it is true.
    private mutating func nameNullable(_ node: TapeNode, _ isAlone: Bool) {
        guard let nullable = node.member("nullable"), nullable.isTrue else { return }
        let reason: StaticString
        if isAlone {
            reason = "ignores the members beside \"$ref\""
        } else if node.member("type") == nil {
            reason = "gives \"nullable\" no effect without \"type\" in the same schema"
        } else if let values = node.member("enum"), !hasNull(values) {
            reason = "allows null only if \"enum\" contains null"
        } else if node.member("allOf") != nil || node.member("oneOf") != nil || node.member("anyOf") != nil {
            reason = "requires that the schemas of \"allOf\", \"oneOf\" or \"anyOf\" also allow null"
        } else {
            return
        }
        warn(nullable, "null is valid here, but OpenAPI 3.0.3 \(reason)")
    }

    private func hasNull(_ values: TapeNode) -> Bool {
        var children = values.children
        while let child = children.read() { if child.value.kind == .null { return true } }
        return values.kind != .array
    }
}
