// The reasons why a value is not valid: messages and pointers, collected while a rejection unwinds.

package import RoutableCore
package import RoutableJSON

/// One rejection.  The pointers are stored as tokens, innermost first.
struct SchemaFinding {
    var message: Bytes
    var keywordTokens: [Bytes] = []
    var instanceTokens: [Bytes] = []
    var parameter = Bytes()
    var allowed: [Bytes] = []

    /// The approximate size of its failure in bytes: a key or a name may be as long as the document.
    var cost: Int {
        let lists = [keywordTokens, instanceTokens, allowed]
        return lists.reduce(message.count &+ parameter.count) { $1.reduce($0) { $0 &+ $1.count } }
    }

    private static func pointer(_ tokens: [Bytes]) -> Bytes {
        tokens.reversed().reduce(Bytes()) { JSONPointer.appending($1, to: $0) }
    }

    /// The finding as a failure, with the next one linked.
    func failure(_ next: Failure?, omitsFurther: Bool) -> Failure {
        let pointer = Self.pointer(instanceTokens)
        let place: Bytes = pointer.isEmpty ? "the value" : pointer.printable
        let end: Bytes = omitsFurther ? "; further reasons are too long to list" : ""
        return Failure(.body, "\(place) does not match its type: \(message)\(end)") {
            $0.pointer = pointer
            $0.schemaPointer = Self.pointer(keywordTokens)
            $0.allowed = allowed.ordered()
            $0.parameter = parameter
            if !allowed.isEmpty && !parameter.isEmpty {
                $0.suggestion = NearestName.find(parameter, among: allowed.ordered()) ?? Bytes()
            }
            $0.next = next
        }
    }
}

extension SchemaCheck {
    /// The maximum size of all reasons for a value, in bytes; the first reason is always included.
    static let reasonLimit = 1 << 20

    /// The failures of the findings, each linked to the next one, or the reason why the check ended; nil if the value is valid.
    fileprivate var failure: Failure? {
        // Each pointer is a copy of the keys of its path, which may be long.
        var findings = self.findings[...]
        var omitsFurther = self.omitsFurther
        var bytes = 0
        for index in findings.indices {
            bytes &+= findings[index].cost
            if index > 0 && bytes > Self.reasonLimit {
                findings = findings[..<index]
                omitsFurther = true
                break
            }
        }
        var result: Failure?
        for finding in findings.reversed() { result = finding.failure(result, omitsFurther: result == nil && omitsFurther) }
        return result == nil && halt != .none ? SchemaProgram.failure(halt) : result
    }

    /// Prepends a token to the pointers into the value of all findings since `first`.
    fileprivate mutating func place(from first: Int, _ token: Bytes) {
        var index = first
        while index < findings.count {
            findings[index].instanceTokens.append(token)
            index &+= 1
        }
    }

    /// The maximum number of names in a message.
    private static let listed = 32

    // MARK: Paths

    /// Prepends a keyword, and optional tokens, to the paths of all findings since `first`.
    @inline(never)
    mutating func extend(from first: Int, _ keyword: SchemaKeyword, _ token: Bytes? = nil, _ place: Bytes? = nil) {
        var index = first
        while index < findings.count {
            if let token { findings[index].keywordTokens.append(token) }
            findings[index].keywordTokens.append(keyword.name)
            if let place { findings[index].instanceTokens.append(place) }
            index &+= 1
        }
    }

    @inline(never)
    mutating func add(
        _ message: Bytes, _ keyword: SchemaKeyword, _ token: Bytes? = nil, parameter: Bytes = Bytes(),
        allowed: [Bytes] = [], place: Bytes? = nil
    ) {
        if findings.count >= maximumErrors || omitsFurther { return }
        var finding = SchemaFinding(message: message, parameter: parameter, allowed: allowed)
        if let token { finding.keywordTokens.append(token) }
        if keyword != .none { finding.keywordTokens.append(keyword.name) }
        if let place { finding.instanceTokens.append(place) }
        reasonBytes &+= finding.cost
        omitsFurther = !findings.isEmpty && reasonBytes > Self.reasonLimit
        if !omitsFurther { findings.append(finding) }
    }

    // MARK: Messages

    @inline(never)
    mutating func refuseKind(_ value: JSONView, _ node: UnsafeMutablePointer<SchemaNode>, _ references: Int) -> Bool {
        if !explains || halt != .none { return false }
        let first = findings.count
        if node.pointee.flags & SchemaNode.never != 0 {
            add("no value is allowed here", .none)
        } else {
            var names: [Bytes] = []
            let isWhole = node.pointee.flags & SchemaNode.wholeReals != 0
            for (name, kinds) in SchemaKinds.words where node.pointee.kinds & kinds.rawValue == kinds.rawValue {
                let isNumber = kinds == .number, isInteger = kinds == .integer
                if isNumber && isWhole || isInteger && !isWhole && node.pointee.kinds & 16 != 0 { continue }
                names.append(Bytes(staticText: name))
            }
            add("\(names) is expected, not \(value.kindName)", .type, allowed: names)
        }
        for _ in 0..<references { extend(from: first, .ref) }
        return false
    }

    /// A bound and the actual number: `at least 1 character is expected, not 0`.
    @inline(never)
    private static func bounded(_ relation: Bytes, _ bound: Int, _ noun: Bytes, _ count: Int) -> Bytes {
        "\(relation) \(bound) \(noun)\(bound == 1 ? " is" : "s are" as Bytes) expected, not \(count)"
    }

    @inline(never)
    mutating func refuse(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ keyword: SchemaKeyword = .none
    ) -> Bool {
        if !explains || halt != .none { return false }
        let low = Int(instruction.pointee.low), high = Int(instruction.pointee.high)
        var keyword = keyword == .none ? instruction.pointee.keyword : keyword
        var allowed: [Bytes] = []
        var message: Bytes
        switch keyword {
        case .minLength: message = Self.bounded("at least", low, "character", UTF8Check.characterCount(text(of: value)))
        case .maxLength: message = Self.bounded("at most", high, "character", UTF8Check.characterCount(text(of: value)))
        case .minItems: message = Self.bounded("at least", low, "element", value.count)
        case .maxItems: message = Self.bounded("at most", high, "element", value.count)
        case .minProperties: message = Self.bounded("at least", low, "member", value.count)
        case .maxProperties: message = Self.bounded("at most", high, "member", value.count)
        case .minimum, .exclusiveMinimum, .maximum, .exclusiveMaximum:
            let range = ranges[Int(instruction.pointee.a)]
            let isLow = keyword == .minimum || keyword == .exclusiveMinimum
            let bound = isLow ? range.low : range.high
            keyword = bound.keyword
            let number = boundText(bound)
            if bound.excludes {
                message = isLow ? "more than \(number) is expected" : "less than \(number) is expected"
            } else {
                message = isLow ? "at least \(number) is expected" : "at most \(number) is expected"
            }
        case .multipleOf:
            let start = pool + Int(UInt32(bitPattern: instruction.pointee.a))
            message =
                "a multiple of \(Bytes(UnsafeRawBufferPointer(start: start, count: Int(instruction.pointee.b)))) is expected"
        case .pattern:
            message = "a string that matches \(program.patterns[Int(instruction.pointee.a)].source.printable) is expected"
        case .format:
            let format = SchemaFormat(rawValue: UInt8(truncatingIfNeeded: instruction.pointee.a))
            message = "a string of the format \(format?.word ?? "") is expected"
        case .enumeration, .const:
            allowed = constantTexts(instruction)
            message = "one of these is expected: \(allowed)"
        case .contains, .minContains: message = "at least \(low) elements that match \"contains\" are expected"
        case .maxContains: message = "at most \(high) elements that match \"contains\" are expected"
        case .not: message = "it is valid against the schema of \"not\""
        default: message = "it is not allowed"
        }
        add(message, keyword, allowed: allowed)
        return false
    }

    private func boundText(_ bound: NumberRange.Bound) -> Bytes {
        if bound.value.isFinite && bound.value.magnitude < 9e15 { return JSONNumber.text(bound.value) }
        return Bytes(UnsafeRawBufferPointer(start: pool + Int(bound.offset), count: Int(bound.length))).printable
    }

    private func constantTexts(_ instruction: UnsafeMutablePointer<SchemaInstruction>) -> [Bytes] {
        var texts: [Bytes] = []
        let first = constants + Int(instruction.pointee.a)
        let count = instruction.pointee.constantCount
        var bytes = 0  // a schema may have long constants, and a value many reasons
        for index in 0..<min(count, Self.listed) where bytes < 4096 {
            let text = program.constant(first + index).json
            bytes += text.count
            texts.append(text.count <= 4096 ? text : text.printable)
        }
        return texts
    }

    @inline(never)
    mutating func explainMissing(_ value: JSONView, _ plan: UnsafeMutablePointer<ObjectPlan>) {
        // The names are in the order in which the schema declares them.
        let slots = self.slots + Int(plan.pointee.firstSlot)
        var place = Int(plan.pointee.start)
        for _ in 0..<Int(plan.pointee.slotCount) {
            let at = place
            let slot = slots[at]
            place = Int(slot.next)
            if slot.required == 0 { continue }
            let name = pool + Int(slot.offset)
            if member(name, Int(slot.length), of: value) != nil { continue }
            if mayBeMissing(value, slots + at) { continue }
            let text = Bytes(UnsafeRawBufferPointer(start: name, count: Int(slot.length)))
            add("\"\(text.printable)\" is missing", .required, parameter: text)
            if findings.count >= maximumErrors { return }
        }
    }

    @inline(never)
    mutating func explainSurplus(_ name: UnsafeRawBufferPointer, _ plan: UnsafeMutablePointer<ObjectPlan>) {
        let slots = self.slots + Int(plan.pointee.firstSlot)
        var allowed: [Bytes] = []
        for index in 0..<Int(plan.pointee.slotCount) where slots[index].child >= 0 {
            allowed.append(
                Bytes(UnsafeRawBufferPointer(start: pool + Int(slots[index].offset), count: Int(slots[index].length))))
            if allowed.count == 256 { break }
        }
        let text = Bytes(name)
        add(
            "the property \"\(text.printable)\" is not allowed", .additionalProperties, parameter: text,
            allowed: allowed, place: text)
    }

    /// Explains that no schema matches, or more than one schema of oneOf.  If none matches: the reason of the closest one.
    @inline(never)
    mutating func explainSome(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView, _ count: Int) {
        let total = Int(instruction.pointee.low)
        if count > 0 {
            add("\(count) or more of the \(total) schemas of \"oneOf\" match, not exactly one", .oneOf)
            return
        }
        // The steps for reasons count for the limit of the check.
        let (kept, limit) = (findings, maximumErrors)
        var nearest: SchemaFinding?
        for index in 0..<min(total, 16) where halt == .none {
            (findings, maximumErrors) = ([], 1)
            _ = accepts(value, lists[Int(instruction.pointee.a) &+ index], -1)
            guard let found = findings.first else { continue }
            if found.instanceTokens.count > nearest?.instanceTokens.count ?? -1 { nearest = found }
        }
        (findings, maximumErrors) = (kept, limit)
        let word = instruction.pointee.keyword.word
        guard let nearest, !nearest.instanceTokens.isEmpty || total == 1 else {
            add("none of the \(total) schemas of \"\(word)\" matches", instruction.pointee.keyword)
            return
        }
        let place = nearest.instanceTokens.reversed().reduce(Bytes()) { JSONPointer.appending($1, to: $0) }
        add(
            "none of the \(total) schemas of \"\(word)\" matches; the closest one reports for \(place.isEmpty ? "the value" : place.printable): \(nearest.message)",
            instruction.pointee.keyword, allowed: nearest.allowed)
    }

    @inline(never)
    mutating func twins(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ one: Int, _ two: Int) -> Bool {
        add("the elements \(one) and \(two) are equal, but must be unique", instruction.pointee.keyword)
        return false
    }
}

// MARK: - Results

extension SchemaProgram {
    /// The maximum number of findings of one check.
    static let findingLimit = 256

    /// Whether a value is valid.
    package func verdict(_ view: JSONView, _ root: Int) -> Verdict {
        guard let node = node(root) else { return .fits }
        var check = SchemaCheck(self, steps: SchemaCheck.allowance(view))
        if check.accepts(view, node, -1) { return .fits }
        return check.halt == .none ? .differs : .limit
    }

    /// The reasons why a value is not valid: up to `maximumErrors`, each linked to the next one by `next`; nil if it is valid.
    ///
    /// - Parameter place: a token that is prepended to the pointers into the value.
    package func refusal(
        of view: JSONView, _ root: Int, maximumErrors: Int = 1, steps: Int? = nil, direction: SchemaDirection = .none,
        place: Bytes? = nil
    ) -> Failure? {
        guard let node = node(root) else { return nil }
        let steps = steps ?? SchemaCheck.allowance(view)
        var check = SchemaCheck(self, steps: steps, direction: direction)
        if check.accepts(view, node, -1) { return nil }
        if check.halt != .none { return Self.failure(check.halt) }
        // A second check collects the reasons.
        var second = SchemaCheck(self, steps: steps, direction: direction)
        second.explains = true
        second.maximumErrors = max(1, min(maximumErrors, Self.findingLimit))
        _ = second.accepts(view, node, -1)
        if let place { second.place(from: 0, place) }
        return second.failure ?? Failure(.body, "the value does not match its type")
    }

    /// The reasons why elements of an array are not valid, within the steps of one check; nil for another kind of value, and if all are valid.
    func refusal(
        ofEach array: JSONView, _ root: Int, _ maximumErrors: Int, _ direction: SchemaDirection, steps: Int? = nil
    ) -> Failure? {
        guard array.kind == .array, let node = node(root) else { return nil }
        var check = SchemaCheck(self, steps: steps ?? SchemaCheck.allowance(array), direction: direction)
        check.explains = true
        check.maximumErrors = max(1, min(maximumErrors, Self.findingLimit))
        var index = 0
        var elements = array.elements
        while check.findings.count < check.maximumErrors, check.halt == .none, !check.omitsFurther,
            let element = elements.read()
        {
            let first = check.findings.count
            if !check.accepts(element, node, -1) { check.place(from: first, "\(index)") }
            index &+= 1
        }
        return check.failure
    }

    static func failure(_ halt: SchemaCheck.Halt) -> Failure {
        switch halt {
        case .none, .steps:
            Failure(.limit, "the value takes more than \(SchemaCheck.stepLimit) steps to validate")
        case .depth:
            Failure(
                .limit,
                "the value requires more than \(SchemaCheck.depthLimit) nested schemas, or more stack than this thread has")
        case .memory: Memory.fail()
        case .pattern: Failure(.limit, "a pattern of the type exceeded its step limit for the value")
        }
    }

    /// The reason why a string of a path, a query, a header or a cookie is not valid, read as the kind that the schema accepts.
    package func refusal(ofText text: UnsafeRawBufferPointer, _ root: Int) -> Failure? {
        JSONView.with(scalar(text, kinds(of: root)), text) { refusal(of: $0, root) }
    }

    private func scalar(_ text: UnsafeRawBufferPointer, _ kinds: SchemaKinds) -> JSONView.Scalar {
        let isNumber = !kinds.isDisjoint(with: .number) && ScalarText.isNumber(text)
        if isNumber && (!kinds.contains(.string) || kinds != .any) { return .number }
        if !kinds.isDisjoint(with: .boolean) && kinds != .any && ScalarText.isBoolean(text) { return .boolean }
        if !kinds.contains(.string) && !kinds.isDisjoint(with: .null) && (text.isEmpty || text.equals("null")) { return .null }
        return .text
    }
}
