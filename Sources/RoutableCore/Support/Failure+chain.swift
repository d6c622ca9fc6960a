// Several reasons of one refusal, as a chain of failures.

extension Failure {
    /// The failure and all that follow it.
    package var chain: [Failure] {
        var result: [Failure] = []
        var next: Failure? = self
        while let one = next {
            result.append(one)
            next = one.fields.next
        }
        return result
    }

    /// The first failure, with the others as its chain; nil for an empty list.
    package static func chained(_ failures: [Failure]) -> Failure? {
        var result: Failure?
        for failure in failures.reversed() {
            let next = result
            result = failure.with { $0.next = next }
        }
        return result
    }

    /// The failure and all that follow it, with pointers into the call instead of into the body.
    package var belowBody: Failure {
        Failure.chained(chain.map { one in one.with { $0.pointer = "/body\($0.pointer ?? "")" } }) ?? self
    }

    /// The chain without the failures of members of a body; nil if none is left.
    package func without(_ members: [Bytes]) -> Failure? {
        if members.isEmpty { return self }
        let tokens = Set(members.map { $0.pointerEscaped })
        return Failure.chained(
            chain.filter { one in
                let pointer = (one.fields.pointer ?? Bytes()).storage
                guard pointer.first == UInt8(ascii: "/") else { return true }
                return !tokens.contains(Bytes(pointer.dropFirst().prefix { $0 != UInt8(ascii: "/") }))
            })
    }
}
