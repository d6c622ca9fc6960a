// A value held against a type.

internal import RoutableCore

/// The types of one router, compiled.  Immutable; any number of threads check at once.
final class TypeSet: Sendable {
    let schemas: [Schema]
    /// For each type the index of its schema.
    let roots: [Int]

    private init(_ schemas: [Schema], _ roots: [Int]) {
        self.schemas = schemas
        self.roots = roots
    }

    static func compile(_ types: [TypeDescription]) throws(Failure) -> TypeSet {
        var indexes: [Bytes: Int] = [:]
        for (index, type) in types.enumerated() where !type.name.isEmpty { indexes[type.name] = index }
        var compiler = TypeCompiler(indexes)
        var roots: [Int] = []
        var pointers: [Bytes] = []
        for type in types {
            let pointer = type.name.isEmpty ? "" : JSONPointer.appending(type.name, to: "/types")
            let document: JSONDocument
            do { document = try type.schema.parsed() } catch { throw error.at(pointer) }
            defer { withExtendedLifetime(document) {} }
            roots.append(try compiler.compile(Node(document.view, pointer)))
            pointers.append(pointer)
        }
        try compiler.checkCycles(roots, pointers)
        return TypeSet(compiler.schemas, roots)
    }

    /// Whether a value fits a type.
    func accepts(_ view: JSONView, _ type: Int) -> Bool {
        guard type >= 0 && type < roots.count else { return true }
        var check = TypeCheck(self, explains: false)
        return check.accepts(view, roots[type])
    }

    /// Why a value does not fit a type: pointers into the value and into the schema; nil when it fits.
    func refusal(of view: JSONView, _ type: Int) -> Failure? {
        guard type >= 0 && type < roots.count else { return nil }
        var check = TypeCheck(self, explains: true)
        return check.accepts(view, roots[type]) ? nil : check.failure
    }
}

/// One check.  The reason is collected on the way out of the first refusal, and only when it is asked for.
private struct TypeCheck {
    private let set: TypeSet
    private let explains: Bool
    private var message = Bytes()
    private var allowed: [Bytes] = []
    private var parameter = Bytes()
    // From the inside out.
    private var instancePath: [Bytes] = []
    private var schemaPath: [Bytes] = []

    init(_ set: TypeSet, explains: Bool) {
        self.set = set
        self.explains = explains
    }

    var failure: Failure {
        let pointer = instancePath.reversed().reduce(Bytes()) { JSONPointer.appending($1, to: $0) }
        let place: Bytes = pointer.isEmpty ? "the value" : pointer.printable
        return Failure(.body, "\(place) does not fit its type: \(message)") {
            $0.pointer = pointer
            $0.schemaPointer = schemaPath.reversed().reduce(Bytes()) { JSONPointer.appending($1, to: $0) }
            $0.allowed = allowed.ordered()
            $0.parameter = parameter
            if allowed.count > 0 && !parameter.isEmpty {
                $0.suggestion = NearestName.find(parameter, among: allowed.ordered()) ?? Bytes()
            }
        }
    }

    private mutating func refuse(_ keyword: StaticString?, _ reason: @autoclosure () -> Bytes) -> Bool {
        if explains {
            message = reason()
            if let keyword { schemaPath.append(Bytes(staticText: keyword)) }
        }
        return false
    }

    /// A refusal below this schema: remembers the way to it.
    private mutating func passOn(_ schemaTokens: [Bytes], _ instanceToken: Bytes? = nil) -> Bool {
        if explains {
            schemaPath.append(contentsOf: schemaTokens.reversed())
            if let instanceToken { instancePath.append(instanceToken) }
        }
        return false
    }

    mutating func accepts(_ view: JSONView, _ index: Int) -> Bool {
        // proof: each recursion goes one level down in the value, whose nesting is bounded; references, which
        // stay on the level, are followed in a loop that has no cycle (`checkCycles`).
        var current = index
        var references = 0
        while current < set.schemas.count {
            let schema = set.schemas[current]
            guard check(view, schema) else {
                return passOn([Bytes](repeating: "$ref", count: explains ? references : 0))
            }
            guard let type = schema.reference, type < set.roots.count else { return true }
            references &+= 1
            current = set.roots[type]
        }
        return true
    }

    private mutating func check(_ view: JSONView, _ schema: Schema) -> Bool {
        if schema.isNever { return refuse(nil, "nothing is allowed here") }
        let kind = view.kind
        if !schema.kinds.isEmpty && !fits(view, kind, schema.kinds) {
            allowed = explains ? schema.kinds.names : []
            return refuse("type", "\(schema.kinds.names) is expected, not \(view.kindName)")
        }
        if let choices = schema.choices, !choices.contains(where: { $0.document.view.isEqual(to: view) }) {
            allowed = explains ? choices.map { $0.text } : []
            return refuse("enum", "one of these is expected: \(choices.map { $0.text })")
        }
        switch kind {
        case .text: return checkText(view, schema)
        case .integer, .real, .wideNumber: return checkNumber(view.number, schema)
        case .array: return checkArray(view, schema)
        case .object: return schema.hasObjectRules ? checkObject(view, schema) : true
        case .null, .boolean: return true
        }
    }

    private func fits(_ view: JSONView, _ kind: JSONView.Kind, _ kinds: Schema.Kinds) -> Bool {
        switch kind {
        case .null: kinds.contains(.null)
        case .boolean: kinds.contains(.boolean)
        case .integer: kinds.contains(.integer) || kinds.contains(.number)
        // JSON Schema: a number without a fraction is an integer, however it is written.
        case .real: kinds.contains(.number) || kinds.contains(.integer) && view.real.rounded(.towardZero) == view.real
        case .wideNumber: kinds.contains(.number) || kinds.contains(.integer)
        case .text: kinds.contains(.string)
        case .array: kinds.contains(.array)
        case .object: kinds.contains(.object)
        }
    }

    private mutating func checkText(_ view: JSONView, _ schema: Schema) -> Bool {
        if schema.minimumLength == nil && schema.maximumLength == nil { return true }
        let count = UTF8Check.characterCount(view.text)
        if let least = schema.minimumLength, count < least {
            return refuse("minLength", "at least \(least) characters are expected, not \(count)")
        }
        if let most = schema.maximumLength, count > most {
            return refuse("maxLength", "at most \(most) characters are expected, not \(count)")
        }
        return true
    }

    private mutating func checkNumber(_ number: Double, _ schema: Schema) -> Bool {
        if let bound = schema.minimum, number < bound {
            return refuse("minimum", "at least \(JSONNumber.text(bound)) is expected")
        }
        if let bound = schema.maximum, number > bound {
            return refuse("maximum", "at most \(JSONNumber.text(bound)) is expected")
        }
        if let bound = schema.exclusiveMinimum, number <= bound {
            return refuse("exclusiveMinimum", "more than \(JSONNumber.text(bound)) is expected")
        }
        if let bound = schema.exclusiveMaximum, number >= bound {
            return refuse("exclusiveMaximum", "less than \(JSONNumber.text(bound)) is expected")
        }
        return true
    }

    private mutating func checkArray(_ view: JSONView, _ schema: Schema) -> Bool {
        let count = view.count
        if let least = schema.minimumItems, count < least {
            return refuse("minItems", "at least \(least) elements are expected, not \(count)")
        }
        if let most = schema.maximumItems, count > most {
            return refuse("maxItems", "at most \(most) elements are expected, not \(count)")
        }
        guard let items = schema.items else { return true }
        var index = 0
        while let element = view.element(index) {
            guard accepts(element, items) else { return passOn(["items"], "\(index)") }
            index &+= 1
        }
        return true
    }

    private mutating func checkObject(_ view: JSONView, _ schema: Schema) -> Bool {
        for name in schema.required where view.member(name) == nil {
            if explains { parameter = name }
            return refuse("required", "\"\(name.printable)\" is missing")
        }
        for property in schema.properties {
            guard let value = view.member(property.name) else { continue }
            guard accepts(value, property.schema) else {
                return passOn(explains ? ["properties", property.name] : [], explains ? property.name : nil)
            }
        }
        guard let additional = schema.additional else { return true }
        var members = view.members
        while let (name, value) = members.read() {
            if schema.properties.contains(where: { name.equals(bytes: $0.name) }) || accepts(value, additional) {
                continue
            }
            // proof: a schema's additional schema is one of the set.
            if explains && set.schemas[additional].isNever {
                allowed = schema.properties.map { $0.name }
                parameter = Bytes(name)
                message = "the property \"\(parameter.printable)\" is not allowed"
            }
            return passOn(["additionalProperties"], explains ? Bytes(name) : nil)
        }
        return true
    }
}
