// Ids by position or by name, in the order of the path (docs/route-document.md).

extension Plan {
    /// The values of the path in order.  Failures of status `id` list the expected ids.
    func bind(_ given: Call.Ids) throws(Failure) -> [Value] {
        switch given {
        case .positional(let values):
            if values.count != ids.count { throw idCountFailure(given: values.count) }
            for (index, value) in values.enumerated() where value.isNull {
                throw missingFailure(ids[index]).at("/ids/\(index)")
            }
            return values
        case .named(let members): return try bind(members)
        }
    }

    private func bind(_ members: [Value.Member]) throws(Failure) -> [Value] {
        var values = [Value?](repeating: nil, count: ids.count)
        for member in members where !member.value.isNull {
            guard let index = ids.firstIndex(where: { $0.names.contains(member.name) }) else {
                throw unknownIdFailure(member.name)
            }
            if values[index] != nil {
                throw Failure(.id, "\(label): the id \(ids[index].label) is given twice, also as \"\(member.name)\"") {
                    $0.parameter = ids[index].label
                    $0.pointer = "/ids/\(member.name.pointerEscaped)"
                }
            }
            values[index] = member.value
        }
        var result: [Value] = []
        for (index, value) in values.enumerated() {
            // A template that contains a parameter twice has one value for both places.
            let twin =
                value == nil && ids[index].names.isEmpty && !ids[index].isParent
                ? ids.firstIndex { $0.names.contains(ids[index].label) } : nil
            guard let value = value ?? twin.flatMap({ values[$0] }) else {
                throw ids[index].names.isEmpty ? positionOnlyFailure(index) : missingFailure(ids[index]).at("/ids")
            }
            result.append(value)
        }
        return result
    }

    private func unknownIdFailure(_ name: Bytes) -> Failure {
        let isRepeated = ids.contains { $0.label == name && $0.names.isEmpty }
        if isRepeated, let index = ids.firstIndex(where: { $0.label == name }) { return positionOnlyFailure(index) }
        if ids.isEmpty {
            return Failure(.id, "\(label) has no ids; \"\(name.printable)\" was given") {
                $0.route = route.bytes
                $0.operation = operation.name.bytes
                $0.parameter = name
                $0.pointer = "/ids/\(name.pointerEscaped)"
            }
        }
        let expected = ids.flatMap { $0.names }
        let failure = Failure.unknownName(.id, "\(label): no id", name, among: expected)
        return failure.about(route: route.bytes, operation: operation.name.bytes).with {
            $0.parameter = name
            $0.pointer = "/ids/\(name.pointerEscaped)"
        }
    }

    private func positionOnlyFailure(_ index: Int) -> Failure {
        Failure(
            .id,
            "\(label): \(ids[index].label) is ambiguous, because a resource occurs twice in the route; pass all ids by position: \(idLabels)"
        ) {
            $0.route = route.bytes
            $0.operation = operation.name.bytes
            $0.parameter = ids[index].label
            $0.allowed = idLabels.ordered()
            $0.pointer = "/ids"
        }
    }
}
