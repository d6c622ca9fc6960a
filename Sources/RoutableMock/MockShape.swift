// The body of a response: an item or a list in the form that the description declares for the status.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

/// The declared body of one status of an operation.
final class MockShape {
    let checker: any ValueChecker
    /// The example of the document, or a generated body.
    let sample: Value
    let isExample: Bool
    let seed: UInt64

    init(_ checker: any ValueChecker, _ sample: Value, isExample: Bool, _ seed: UInt64) {
        self.checker = checker
        self.sample = sample
        self.isExample = isExample
        self.seed = seed
    }

    /// The body if it is valid; otherwise a valid body that keeps as much of it as possible.
    func fit(_ body: Value) throws(Failure) -> Value {
        if let body = try checker.fit(body, seed: seed) { return body }
        throw Failure(.unsupported, "no valid value was found for the response")
    }

    /// The same shape with a sample that is generated for a path.
    func another(_ path: MockPath, _ seed: UInt64) throws(Failure) -> MockShape {
        if isExample { return self }
        let seed = SeededRandom(seed: seed, sequence: path.text).first
        return MockShape(checker, try checker.sample(seed: seed, style: .plain) ?? sample, isExample: false, seed)
    }

    /// A body with an item: the item is the body itself, a member of the body, or the only element of a list.
    func body(of item: Value) throws(Failure) -> Value {
        if case .array = sample { return try fit(.array([item])) }
        let name = envelope(of: item)
        return try fit(name.isEmpty ? item : sample.setting(item, at: name))
    }

    /// The item in a body that `body(of:)` made.
    func item(in body: Value, like item: Value) -> Value {
        if case .array(let elements) = body { return elements.first ?? item }
        let name = envelope(of: item)
        return name.isEmpty ? body : body.value(at: name) ?? item
    }

    /// The name of the member of a body that contains the item; empty if the body is the item.
    private func envelope(of item: Value) -> [Bytes] {
        var best: [Bytes] = []
        var fewest = sample.members(without: item).count &- sample.members.count
        for member in sample.members {
            let count = member.value.members(without: item).count &- member.value.members.count
            if count < fewest { (best, fewest) = ([member.name], count) }
        }
        return best
    }

    /// The item in a generated body.
    func item(named parameter: Bytes, _ mock: Mock) -> Value {
        if mock.idMember(parameter, of: sample).isEmpty {
            for member in sample.members where mock.idMember(parameter, of: member.value).count == 1 { return member.value }
        }
        return sample
    }

    // MARK: - Lists

    /// The names of the members on the path to the array of a list; nil if the body is not a list.
    func listPlace(_ declared: Bytes) -> [Bytes]? {
        if !declared.isEmpty { return JSONPointer.tokens(declared) }
        if case .array = sample { return [] }
        // A usual name is preferred to other names, and an array of objects to other arrays.
        var names: [Bytes] = []
        var ofObjects: Bytes?
        for member in sample.members {
            guard case .array(let list) = member.value else { continue }
            names.append(member.name)
            if ofObjects == nil, case .object? = list.first { ofObjects = member.name }
        }
        guard let first = names.first else { return nil }
        return [names.first(of: "items data results entries values value records content list") ?? ofObjects ?? first]
    }

    /// A body with a list of items, and with the total number of items if the body has a member for it.
    func body(of items: [Value], at place: [Bytes], total: Int) -> Value {
        if place.isEmpty { return .array(items) }
        var body = sample.setting(.array(items), at: place)
        for name in Bytes.words("total total_count totalCount count total_items totalItems total_results")
        where body.value(at: [name])?.isScalar == true {
            body = body.setting(.integer(Int64(total)), at: [name])
        }
        return body
    }
}

extension Bytes {
    /// The words of a string in the program, separated by spaces.
    @inline(never) static func words(_ text: StaticString) -> [Bytes] { Bytes(static: text).split(on: UInt8(ascii: " ")) }
}

extension [Bytes] {
    /// Whether the array contains a string.
    @inline(never) func includes(_ text: Bytes) -> Bool { contains(text) }

    /// Whether the array contains a word.
    func has(_ word: StaticString) -> Bool { includes(Bytes(static: word)) }

    /// The first word of a string that the array contains.
    @inline(never) func first(of text: StaticString) -> Bytes? {
        for word in Bytes.words(text) where includes(word) { return word }
        return nil
    }
}

extension ResultDescription {
    /// Whether the mock can send the result: it is neither an error nor a redirect.
    var isSuccess: Bool { !isError && lowest < 300 }
}

extension SeededRandom {
    var first: UInt64 {
        var copy = self
        return copy.next()
    }
}

extension Mock {
    /// The declared body of the usual status, or of 201; nil if there is none, or if it is not JSON.
    func shape(_ plan: Plan, isNew: Bool = false) throws(Failure) -> MockShape? {
        let name = Self.key(plan)
        let place = self.known.place(of: name, adding: MockKnown())
        let known = self.known.values[place]
        if let shape = isNew ? known.createdShape : known.shape { return shape }
        let usual = plan.operation.description.results.first { $0.isSuccess && $0.type != nil }
        guard let found = isNew ? plan.operation.result(for: 201) ?? usual : usual, found.type != nil else { return nil }
        let shape = try makeShape(plan.operation, found, SeededRandom(seed: options.seed, sequence: name).first)
        try Memory.check()
        if isNew { known.createdShape = shape } else { known.shape = shape }
        return shape
    }

    /// - Throws: `unsupported` with the pointer of the schema, if no valid value can be generated.
    func makeShape(_ operation: OperationEntry, _ result: ResultDescription, _ seed: UInt64) throws(Failure) -> MockShape {
        let schema = try operation.resultSchema(result.lowest)
        let checker = try router.router.checker(of: schema)
        for example in result.examples.map({ router.router.codec?.examples(of: $0) ?? [] }) ?? [] {
            guard example.json.storage.withUnsafeBytes({ checker.accepts(json: $0) }) else { continue }
            let value = try router.router.codec?.value(of: example.json)
            if let value { return MockShape(checker, value, isExample: true, seed) }
        }
        if let sample = try checker.sample(seed: seed, style: .plain) {
            return MockShape(checker, sample, isExample: false, seed)
        }
        let pointer = router.router.codec?.pointer(of: schema.type) ?? Bytes()
        let place: Bytes = pointer.isEmpty ? "" : " at \(pointer)"
        throw Failure(.unsupported, "no valid value was found for the schema of \(result.statuses)\(place)") {
            $0.pointer = pointer
        }
    }
}
