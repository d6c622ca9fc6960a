// Several reasons of one refusal: each failure leads to the next one.

extension Failure {
    /// The failure and those after it.
    package var chain: [Failure] {
        var result: [Failure] = []
        var next: Failure? = self
        while let one = next {
            result.append(one)
            next = one.fields.next
        }
        return result
    }

    /// The first failure with the others after it; nil for an empty list.
    package static func chained(_ failures: [Failure]) -> Failure? {
        var result: Failure?
        for failure in failures.reversed() {
            let next = result
            result = failure.with { $0.next = next }
        }
        return result
    }
}
