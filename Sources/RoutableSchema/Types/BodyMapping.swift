// Maps the body of a response to the type that its operation declares, or states why it is not valid.

internal import CSystem
package import RoutableCore
internal import RoutableJSON

/// One type, for validating bodies of responses.
package struct BodyMapping {
    private let program: SchemaProgram
    private let root: Int
    /// The maximum number of steps that the deadline allows in addition to those of a check; it may be below 0.
    private var mostSteps = Int.max

    /// Fewer steps than a slow processor performs in a millisecond.
    private static let stepsPerMillisecond: Int64 = 20_000

    package init(_ program: SchemaProgram, root: Int) {
        self.program = program
        self.root = root
    }

    /// - Parameters:
    ///   - deadline: in milliseconds of the monotonic clock.
    ///   - text: the same bytes, if the parsed body is to be stored.
    /// - Throws: `limit`; `timeout` if the deadline does not allow all steps of a check, and more are needed.
    package func map(
        _ body: Bytes, as expected: ExpectedBody, deadline: Int64 = .max, keeping text: Text? = nil
    ) throws(Failure) -> MappedBody {
        var mapping = self
        if deadline != .max {
            let left = min(max(0, deadline &- csystem_monotonic_ms()), Int64(SchemaCheck.stepLimit))
            mapping.mostSteps = Int(left &* Self.stepsPerMillisecond) &- SchemaCheck.stepLimit
        }
        do throws(Failure) {
            guard let text else { return try body.withJSON { view throws(Failure) in try mapping.map(view, expected) } }
            let document = try JSONDocument.read(keeping: text)
            var mapped = try mapping.map(document.view, expected)
            if mapped.outcome != .raw { mapped.document = document }
            return mapped
        } catch {
            guard error.status == .limit else { return MappedBody(.raw, [Deviation(error)]) }
            if mapping.mostSteps >= 8 &* body.count { throw error }
            throw Failure(.timeout, "the time until the deadline is too short to validate the response")
        }
    }

    func map(_ view: JSONView, _ expected: ExpectedBody) throws(Failure) -> MappedBody {
        // A value with more elements than the steps of a check is refused, even if its kind is already not valid.
        if view.kind == .array || view.kind == .object, view.count > SchemaCheck.stepLimit &+ steps(for: view) {
            throw SchemaProgram.failure(.steps)
        }
        if expected != .list, try fits(view) { return MappedBody(.self, isJSON: true) }
        if expected != .value, view.kind == .array, try isFree(view) { return MappedBody(.array, isJSON: true) }
        if expected == .any, view.kind == .object, try isFree(view) { return MappedBody(.dictionary, isJSON: true) }
        return MappedBody(outcome(view, expected), isJSON: true, deviations(view, expected))
    }

    /// The outcome of a value that is not valid: its kind determines it, and the deviations list the invalid parts.
    private func outcome(_ view: JSONView, _ expected: ExpectedBody) -> Outcome {
        switch expected {
        case .list: view.kind == .array ? .array : .raw
        case .value: program.kinds(of: root).rawValue & view.bit != 0 ? .self : .raw
        case .any: .raw
        }
    }

    // MARK: Verdicts

    /// The steps that are added to those of a check.
    private func steps(for view: JSONView) -> Int { min(SchemaCheck.allowance(view), mostSteps) }

    private func fits(_ view: JSONView) throws(Failure) -> Bool {
        var check = SchemaCheck(program, steps: steps(for: view), direction: .response)
        return try !refuses(view, &check)
    }

    /// Whether all elements or members are valid.  All of them share the steps of one check.
    private func isFree(_ view: JSONView) throws(Failure) -> Bool {
        var check = SchemaCheck(program, steps: steps(for: view), direction: .response)
        if view.kind == .array {
            var elements = view.elements
            while let element = elements.read() { if try refuses(element, &check) { return false } }
        } else {
            var members = view.members
            while let (_, value) = members.read() { if try refuses(value, &check) { return false } }
        }
        return true
    }

    private func refuses(_ view: JSONView, _ check: inout SchemaCheck) throws(Failure) -> Bool {
        guard let node = program.node(root) else { return false }
        check.steps &-= 1
        if check.steps < 0 { throw SchemaProgram.failure(.steps) }
        if check.accepts(view, node, -1) { return false }
        if check.halt != .none { throw SchemaProgram.failure(check.halt) }
        return true
    }

    // MARK: Deviations

    private func deviations(_ view: JSONView, _ expected: ExpectedBody) -> [Deviation] {
        if expected == .list && view.kind != .array {
            let message: Bytes = "the value does not match its type: an array of values is expected, not \(view.kindName)"
            return [Deviation(message, found: Self.beginning(of: view))]
        }
        // One more than are listed, so that the list can end with a note about further ones.
        let most = Deviation.maximum &+ 1
        let first =
            expected == .list
            ? program.refusal(ofEach: view, root, most, .response, steps: steps(for: view))
            : program.refusal(of: view, root, maximumErrors: most, steps: steps(for: view), direction: .response)
        var list: [Deviation] = []
        var next = first
        while let failure = next {
            if list.count == Deviation.maximum {
                list[Deviation.maximum &- 1] = Deviation("there are further deviations, which are not listed")
                break
            }
            let fields = failure.fields
            let isMissing = fields.schemaPointer?.hasSuffix("/required") == true
            let found = isMissing ? nil : view.find(fields.pointer ?? Bytes())
            list.append(Deviation(failure, found: found.map { Self.beginning(of: $0.value) } ?? Bytes()))
            next = fields.next
        }
        return list
    }

    /// The JSON of a value, or the beginning of a long one.
    private static func beginning(of view: JSONView) -> Bytes {
        let text = view.source
        if text.count <= Deviation.foundLimit { return Bytes(text) }
        return Bytes(UnsafeRawBufferPointer(rebasing: text.prefix(2 &* Deviation.foundLimit))).printable
    }
}
