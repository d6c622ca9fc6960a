// Reads the keywords of one schema into instructions.

internal import RoutableCore
internal import RoutableJSON

extension SchemaCompiler {
    /// Reads one schema, whose node already has its number.
    func read(_ pending: Pending) throws(Failure) {
        try Memory.check()
        let place = { self.pointer(to: pending.node) }
        guard pending.view.kind == .object else {
            throw Node(pending.view, place()).wrongKind("a schema", "an object or a boolean")
        }
        let rules = resources.list[pending.resource].rules
        var gathered = Gathered()
        gathered.node.resource = UInt16(truncatingIfNeeded: pending.resource)
        if rules.contains(.refAlone), let reference = pending.view.member(.ref), reference.kind == .text || !isTolerant {
            let nullable = rules.contains(.nullable) ? pending.view.member(.nullable) : nil
            guard let nullable, nullable.kind == .boolean, nullable.boolean else {
                try read(reference: reference, pending)
                return
            }
            gathered.isNullable = true
            try addReference(reference, pending, &gathered)
            try finish(&gathered, pending)
            return
        }
        var others = 0
        var members = pending.view.members
        while let (name, value) = members.read() {
            guard let keyword = SchemaKeyword.of(name) else { continue }
            if keyword.isAssertion && rules.contains(.noAssertions) { continue }
            switch keyword {
            case .ref, .anchor, .dynamicAnchor, .id, .schema, .definitions, .oldDefinitions, .vocabulary, .contentSchema:
                continue
            default:
                others &+= 1
                do { try read(keyword, value, pending, rules, &gathered) } catch { try tolerate(error) }
            }
        }
        if let reference = pending.view.member(.ref) {
            if others == 0 {
                try read(reference: reference, pending)
                return
            }
            do { try addReference(reference, pending, &gathered) } catch { try tolerate(error) }
        }
        try finish(&gathered, pending)
    }

    private func addReference(_ reference: JSONView, _ pending: Pending, _ gathered: inout Gathered) throws(Failure) {
        let (target, _) = try node(
            referredBy: Node(reference, "\(pointer(to: pending.node))/$ref"), from: pending.resource)
        gathered.code.append(SchemaInstruction(operation: .ref, keyword: .ref, kinds: 255, a: target))
    }

    /// Appends the instructions of a schema to the code.
    private func finish(_ gathered: inout Gathered, _ pending: Pending) throws(Failure) {
        try complete(&gathered, pending)
        addNote(gathered, pending)
        gathered.node.first = UInt32(truncatingIfNeeded: tables.code.count)
        gathered.node.count = UInt32(truncatingIfNeeded: gathered.code.count)
        tables.code.append(contentsOf: gathered.code)
        tables.nodes[Int(pending.node)] = gathered.node
    }

    /// Stores the data for generated values.
    private func addNote(_ gathered: Gathered, _ pending: Pending) {
        var note = SchemaNote(node: pending.node, format: gathered.format.offset, length: gathered.format.length)
        var example = pending.view.member(("examples" as StaticString).rawBytes)?.element(0)
        if example == nil { example = pending.view.member(("example" as StaticString).rawBytes) }
        if example == nil, gathered.code.contains(where: { $0.operation == .pattern }) {
            example = pending.view.member(("default" as StaticString).rawBytes)
        }
        if let example { note.example = Int32(truncatingIfNeeded: tables.kept.keep(example)) }
        if note.length > 0 || note.example >= 0 { tables.notes.append(note) }
    }

    private func read(reference: JSONView, _ pending: Pending) throws(Failure) {
        let node = Node(reference, "\(pointer(to: pending.node))/$ref")
        let (target, _) = try self.node(referredBy: node, from: pending.resource)
        tables.nodes[Int(pending.node)] = SchemaNode(
            flags: SchemaNode.forwards, resource: UInt16(truncatingIfNeeded: pending.resource),
            first: UInt32(truncatingIfNeeded: target), count: 0)
    }

    // MARK: Keywords

    private func read(
        _ keyword: SchemaKeyword, _ value: JSONView, _ pending: Pending, _ rules: SchemaResource.Rules,
        _ gathered: inout Gathered
    ) throws(Failure) {
        switch keyword {
        case .dynamicRef: try readDynamic(value, pending, &gathered)
        case .type: try readType(value, pending, &gathered)
        case .readOnly: if value.kind == .boolean && value.boolean { gathered.node.flags |= SchemaNode.readOnly }
        case .writeOnly: if value.kind == .boolean && value.boolean { gathered.node.flags |= SchemaNode.writeOnly }
        case .discriminator: if rules.contains(.discriminates) { gathered.discriminator = value }
        case .nullable: gathered.isNullable = rules.contains(.nullable) && value.kind == .boolean && value.boolean
        case .enumeration:
            guard value.kind == .array else { throw place(value, keyword, pending).wrongKind("\"enum\"", "an array") }
            try readConstants(value, keyword, &gathered)
        case .const: try readConstants(value, keyword, &gathered)
        case .multipleOf:
            let node = place(value, keyword, pending)
            guard try node.number("\"multipleOf\"") > 0 else { throw node.failure("\"multipleOf\" must be above 0") }
            let digits = intern(value.digits.storage)
            gathered.code.append(
                SchemaInstruction(
                    operation: .multipleOf, keyword: keyword, kinds: 24, a: Int32(bitPattern: digits.offset),
                    b: UInt64(digits.length)))
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
            try readBound(value, keyword, pending, rules, &gathered)
        case .minLength, .maxLength:
            try readCount(value, keyword, keyword == .minLength, pending, &gathered.lengths)
            gathered.hasLengths = true
        case .minItems, .maxItems:
            try readCount(value, keyword, keyword == .minItems, pending, &gathered.items)
            gathered.hasItems = true
        case .minProperties, .maxProperties:
            try readCount(value, keyword, keyword == .minProperties, pending, &gathered.members)
            gathered.hasMembers = true
        case .minContains, .maxContains:
            try readCount(value, keyword, keyword == .minContains, pending, &gathered.containsCount)
        case .pattern:
            let node = place(value, keyword, pending)
            let index = try pattern(try node.text("\"pattern\""), at: node)
            gathered.code.append(SchemaInstruction(operation: .pattern, keyword: keyword, kinds: 4, a: index))
        case .format:
            if value.kind == .text { gathered.format = intern(value.content.storage) }
            guard rules.contains(.assertsFormats), value.kind == .text,
                let format = value.content.storage.withUnsafeBytes({ SchemaFormat.of($0) })
            else { return }
            gathered.code.append(
                SchemaInstruction(operation: .format, keyword: keyword, kinds: 4, a: Int32(format.rawValue)))
        case .uniqueItems:
            if try place(value, keyword, pending).boolean("\"uniqueItems\"") {
                gathered.code.append(SchemaInstruction(operation: .uniqueItems, keyword: keyword, kinds: 2))
            }
        case .items where rules.contains(.oldItems) && value.kind == .array:
            gathered.prefix = try readList(value, keyword, pending)
        case .items: gathered.itemsNode = try child(value, keyword, pending)
        case .prefixItems where !rules.contains(.oldItems): gathered.prefix = try readList(value, keyword, pending)
        case .prefixItems: break
        case .additionalItems:
            if rules.contains(.oldItems), pending.view.member(.items)?.kind == .array {
                gathered.itemsNode = try child(value, keyword, pending)
            }
        case .contains: gathered.contains = try child(value, keyword, pending)
        case .unevaluatedItems, .unevaluatedProperties:
            let isItems = keyword == .unevaluatedItems
            gathered.node.flags |= SchemaNode.tracks
            gathered.unevaluated.append(
                SchemaInstruction(
                    operation: isItems ? .unevaluatedItems : .unevaluatedProperties, keyword: keyword,
                    kinds: isItems ? 2 : 1, a: try child(value, keyword, pending)))
        case .properties, .patternProperties:
            guard value.kind == .object else { throw place(value, keyword, pending).wrongKind(keyword.word, "an object") }
            if keyword == .properties { gathered.properties = value } else { gathered.patternProperties = value }
        case .required:
            // Draft 3 has a boolean here, and so have real documents: an error, which a tolerant compiler ignores.
            guard value.kind == .array else { throw place(value, keyword, pending).wrongKind("\"required\"", "an array") }
            gathered.required = value
        case .additionalProperties: gathered.additional = try child(value, keyword, pending)
        case .propertyNames: gathered.names = try child(value, keyword, pending)
        case .dependentRequired, .dependentSchemas: try readDependencies(value, keyword, pending, &gathered)
        case .dependencies:
            if rules.contains(.oldDependencies) { try readDependencies(value, keyword, pending, &gathered) }
        case .allOf, .anyOf, .oneOf:
            let list = try readList(value, keyword, pending)
            if list.count == 0 {
                throw place(value, keyword, pending).failure("\"\(keyword.word)\" must contain at least one schema")
            }
            let operation: SchemaInstruction.Operation = keyword == .allOf ? .allOf : keyword == .anyOf ? .anyOf : .oneOf
            gathered.code.append(
                SchemaInstruction(operation: operation, keyword: keyword, kinds: 255, a: list.first, b: UInt64(list.count)))
        case .not:
            gathered.code.append(
                SchemaInstruction(operation: .not, keyword: keyword, kinds: 255, a: try child(value, keyword, pending)))
        case .if: gathered.condition = try child(value, keyword, pending)
        case .then: gathered.then = try child(value, keyword, pending)
        case .else: gathered.otherwise = try child(value, keyword, pending)
        default: break
        }
    }

    func place(_ value: JSONView, _ keyword: SchemaKeyword, _ pending: Pending) -> Node {
        Node(value, "\(pointer(to: pending.node))/\(keyword.word)")
    }

    private func child(_ value: JSONView, _ keyword: SchemaKeyword, _ pending: Pending) throws(Failure) -> Int32 {
        try node(of: value, pending.resource, parent: pending.node, keyword: keyword)
    }

    private func readList(
        _ value: JSONView, _ keyword: SchemaKeyword, _ pending: Pending
    ) throws(Failure) -> (first: Int32, count: Int) {
        guard value.kind == .array else { throw place(value, keyword, pending).wrongKind(keyword.word, "an array") }
        var nodes: [Int32] = []
        var elements = value.elements
        while let element = elements.read() {
            nodes.append(
                try node(
                    of: element, pending.resource, parent: pending.node, keyword: keyword,
                    position: Int32(truncatingIfNeeded: nodes.count)))
        }
        let first = Int32(truncatingIfNeeded: tables.lists.count)
        tables.lists.append(contentsOf: nodes)
        return (first, nodes.count)
    }

    private func readDynamic(_ value: JSONView, _ pending: Pending, _ gathered: inout Gathered) throws(Failure) {
        let (target, place) = try node(referredBy: self.place(value, .dynamicRef, pending), from: pending.resource)
        // With an anchor that is not dynamic, it is the same as $ref.
        if let anchor = place.anchor,
            resources.list[place.resource].dynamicAnchor(anchor)?.identity == place.view.identity
        {
            gathered.code.append(
                SchemaInstruction(
                    operation: .dynamicRef, keyword: .dynamicRef, kinds: 255, a: target,
                    b: UInt64(UInt32(bitPattern: dynamicName(anchor)))))
        } else {
            gathered.code.append(SchemaInstruction(operation: .ref, keyword: .dynamicRef, kinds: 255, a: target))
        }
    }

    private func readType(_ value: JSONView, _ pending: Pending, _ gathered: inout Gathered) throws(Failure) {
        var kinds: SchemaKinds = []
        let node = place(value, .type, pending)
        if value.kind == .array {
            for element in try node.elements("\"type\"") { kinds.insert(try element.word("a type", SchemaKinds.words)) }
            if kinds.isEmpty { throw node.failure("an empty \"type\" allows nothing") }
        } else {
            kinds = try node.word("a type", SchemaKinds.words)
        }
        if kinds.contains(.integer) && !kinds.contains(.real) {
            kinds.insert(.real)
            gathered.node.flags |= SchemaNode.wholeReals
        }
        gathered.node.kinds = kinds.rawValue
    }

    private func readCount(
        _ value: JSONView, _ keyword: SchemaKeyword, _ isMinimum: Bool, _ pending: Pending,
        _ pair: inout (minimum: Int32, maximum: Int32)
    ) throws(Failure) {
        let count: Int
        if value.kind == .real, let whole = Int64(exactly: value.real), whole >= 0 {
            count = Int(whole)
        } else {
            count = try place(value, keyword, pending).integer("a count", 0...Int64.max)
        }
        let bounded = Int32(clamping: count)
        if isMinimum { pair.minimum = bounded } else { pair.maximum = bounded }
    }

    private func readBound(
        _ value: JSONView, _ keyword: SchemaKeyword, _ pending: Pending, _ rules: SchemaResource.Rules,
        _ gathered: inout Gathered
    ) throws(Failure) {
        let isLow = keyword == .minimum || keyword == .exclusiveMinimum
        if rules.contains(.booleanExclusive), value.kind == .boolean { return }
        let node = place(value, keyword, pending)
        switch value.kind {
        case .integer, .real, .wideNumber: break
        default: throw node.wrongKind("a bound", "a number")
        }
        let digits = intern(value.digits.storage)
        var bound = NumberRange.Bound(
            keyword: keyword, value: value.number, excludes: keyword == .exclusiveMinimum || keyword == .exclusiveMaximum,
            offset: digits.offset, length: digits.length)
        let exact = value.digits.storage.withUnsafeBytes { DecimalNumber($0).neighbours }
        if rules.contains(.booleanExclusive),
            let flag = pending.view.member(isLow ? .exclusiveMinimum : .exclusiveMaximum), flag.kind == .boolean, flag.boolean
        {
            bound.excludes = true
        }
        let whole = value.kind == .integer ? value.integer : nil
        var range = gathered.range
        let isTaken = (isLow ? range.low : range.high).keyword != .none
        if isTaken { range = NumberRange() }
        if isLow { range.setLow(bound, isInteger: whole, exact) } else { range.setHigh(bound, isInteger: whole, exact) }
        if isTaken { gathered.extra.append(range) } else { gathered.range = range }
    }

    private func readConstants(
        _ value: JSONView, _ keyword: SchemaKeyword, _ gathered: inout Gathered
    ) throws(Failure) {
        let first = tables.constants.count
        var kinds: UInt8 = 0
        var elements = value.elements
        while let element = keyword == .const ? (first == tables.constants.count ? value : nil) : elements.read() {
            let isNumber = element.kind == .integer || element.kind == .real || element.kind == .wideNumber
            let kind = isNumber ? SchemaKinds.number.rawValue : element.bit
            kinds |= kind
            var constant = SchemaConstant(kind: kind, place: tables.kept.keep(element))
            if element.kind == .text {
                let slot = element.content.storage.withUnsafeBytes { self.slot($0, child: -1, required: 0) }
                (constant.offset, constant.length) = (slot.offset, slot.length)
                (constant.head, constant.tail) = (slot.head, slot.tail)
            } else if element.kind == .integer {
                (constant.isWhole, constant.head) = (true, UInt64(bitPattern: element.integer))
            }
            tables.constants.append(constant)
        }
        gathered.code.append(
            SchemaInstruction(
                operation: .oneOfConstants, keyword: keyword, kinds: 255, a: Int32(truncatingIfNeeded: first),
                b: UInt64(UInt32(truncatingIfNeeded: tables.constants.count &- first)) | UInt64(kinds) << 32))
    }

    private func readDependencies(
        _ value: JSONView, _ keyword: SchemaKeyword, _ pending: Pending, _ gathered: inout Gathered
    ) throws(Failure) {
        guard value.kind == .object else { throw place(value, keyword, pending).wrongKind(keyword.word, "an object") }
        var members = value.members
        while let (name, dependency) = members.read() {
            // The slot of the name of the property, followed by those of the names that it requires.
            let first = Int32(truncatingIfNeeded: tables.slots.count)
            tables.slots.append(slot(name, child: -1, required: 0))
            let operation: SchemaInstruction.Operation
            var second: Int32 = 0
            if dependency.kind == .array && keyword != .dependentSchemas {
                operation = .dependentRequired
                let node = Node(dependency, JSONPointer.appending(Bytes(name), to: place(value, keyword, pending).pointer))
                for element in try node.elements("the properties that another one requires") {
                    tables.slots.append(slot(try element.text("the name of a property").storage, child: -1, required: 1))
                    second &+= 1
                }
            } else {
                operation = .dependentSchema
                second = try self.node(
                    of: dependency, pending.resource, parent: pending.node, keyword: keyword, token: name)
            }
            gathered.code.append(
                SchemaInstruction(
                    operation: operation, keyword: keyword, kinds: 1, a: first, b: SchemaInstruction.pair(second, 0)))
        }
    }
}

extension JSONView {
    /// The digits of a number: those of the text if they are known, otherwise the shortest ones.
    var digits: Bytes {
        switch kind {
        case .integer: "\(Int(integer))"
        case .real: RealText.shortest(real) ?? "0"
        default: content
        }
    }
}
