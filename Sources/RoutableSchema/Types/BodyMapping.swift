// Maps the body of a response to the type that its operation declares, or states why it is not valid.

internal import CSystem
package import RoutableCore
internal import RoutableJSON

/// One type, for validating bodies of responses.
package struct BodyMapping {
    private let program: SchemaProgram
    private let root: Int
    /// Steps that are added to those of a check: below 0 if the deadline allows fewer.
    private var extraSteps = 0

    /// Fewer than a slow processor takes in a millisecond.
    private static let stepsPerMillisecond: Int64 = 20_000

    package init(_ program: SchemaProgram, root: Int) {
        self.program = program
        self.root = root
    }

    /// - Parameters:
    ///   - deadline: in milliseconds of the monotonic clock.
    ///   - text: the same bytes, if the parsed body is to be kept.
    /// - Throws: `limit`; `timeout` if the deadline does not allow all steps of a check, and more are needed.
    package func map(
        _ body: Bytes, as expected: ExpectedBody, deadline: Int64 = .max, keeping text: Text? = nil
    ) throws(Failure) -> MappedBody {
        var mapping = self
        if deadline != .max {
            let left = min(max(0, deadline &- csystem_monotonic_ms()), Int64(SchemaCheck.stepLimit))
            mapping.extraSteps = min(0, Int(left &* Self.stepsPerMillisecond) &- SchemaCheck.stepLimit)
        }
        do throws(Failure) {
            guard let text else { return try body.withJSON { view throws(Failure) in try mapping.map(view, expected) } }
            let document = try JSONDocument.read(keeping: text)
            var mapped = try mapping.map(document.view, expected)
            if mapped.outcome != .raw { mapped.document = document }
            return mapped
        } catch {
            guard error.status == .limit else { return MappedBody(.raw, error) }
            if mapping.extraSteps == 0 { throw error }
            throw Failure(.timeout, "the time until the deadline is too short to validate the response")
        }
    }

    func map(_ view: JSONView, _ expected: ExpectedBody) throws(Failure) -> MappedBody {
        // More than one check may look at is too much whatever a first look at its kind says.
        if view.kind == .array || view.kind == .object, view.count > SchemaCheck.stepLimit {
            throw SchemaProgram.failure(.steps)
        }
        if expected != .list, try fits(view) { return MappedBody(.self) }
        if expected != .value, view.kind == .array, try firstMisfit(in: view) == nil { return MappedBody(.array) }
        if expected == .any, view.kind == .object, try firstMisfit(in: view) == nil { return MappedBody(.dictionary) }
        return MappedBody(.raw, try reason(view, expected))
    }

    // MARK: Verdicts

    private func fits(_ view: JSONView) throws(Failure) -> Bool {
        var check = SchemaCheck(program, steps: extraSteps, direction: .response)
        return try !refuses(view, &check)
    }

    /// The element or member that does not fit.  All of them share the steps of one check.
    private func firstMisfit(in view: JSONView) throws(Failure) -> Int? {
        var check = SchemaCheck(program, steps: extraSteps, direction: .response)
        var index = 0
        if view.kind == .array {
            var elements = view.elements
            while let element = elements.read() {
                if try refuses(element, &check) { return index }
                index &+= 1
            }
        } else {
            var members = view.members
            while let (_, value) = members.read() {
                if try refuses(value, &check) { return index }
                index &+= 1
            }
        }
        return nil
    }

    private func refuses(_ view: JSONView, _ check: inout SchemaCheck) throws(Failure) -> Bool {
        guard let node = program.node(root) else { return false }
        check.steps &-= 1
        if check.steps < 0 { throw SchemaProgram.failure(.steps) }
        if check.accepts(view, node, -1) { return false }
        if check.halt != .none { throw SchemaProgram.failure(check.halt) }
        return true
    }

    // MARK: Reasons

    private func reason(_ view: JSONView, _ expected: ExpectedBody) throws(Failure) -> Failure? {
        if expected == .list {
            guard view.kind == .array else {
                return Failure(.body, "the value does not match its type: an array of values is expected, not \(view.kindName)")
                {
                    $0.pointer = Bytes()
                }
            }
            guard let index = try firstMisfit(in: view), let element = view.element(index) else { return nil }
            return program.refusal(of: element, root, steps: extraSteps, direction: .response, place: "\(index)")
        }
        return program.refusal(of: view, root, steps: extraSteps, direction: .response)
    }
}
