// The failures of writing a URL, in a separate file so that the writing code is small and fast.

extension Plan {
    private func failure(
        _ status: Status, _ message: Bytes, parameter: Bytes = Bytes(), allowed: [Bytes] = []
    ) -> Failure {
        Failure(status, message) {
            $0.route = route.bytes
            $0.operation = operation.name.bytes
            $0.parameter = parameter
            $0.allowed = allowed.ordered()
        }
    }

    /// The ids of the path, for messages: `user_id, id`.
    package var idLabels: [Bytes] { ids.map { $0.label } }

    /// Before a URL is written, three bytes are assumed for each byte of a value.
    var urlLimitFailure: Failure {
        @inline(never) get {
            Failure(.limit, "\(label): the URL could exceed \(Limits.urlBytes) bytes when percent-encoded")
        }
    }

    @inline(never)
    func idCountFailure(given: Int) -> Failure {
        let expected = ids.count
        if expected == 0 {
            return failure(.id, "\(label) has no ids; \(given) given")
        }
        if given < expected { return missingFailure(ids[given]) }
        return failure(
            .id, "\(label): too many ids: \(given) given, \(expected) expected: \(idLabels)", allowed: idLabels)
    }

    @inline(never)
    func queryCountFailure(given: Int) -> Failure {
        failure(
            .parameter, "\(label): too many query values: \(given) given, \(queryNames.count) declared",
            allowed: query.map { $0.name.bytes }.ordered())
    }

    @inline(never)
    func missingFailure(_ slot: IdSlot) -> Failure {
        // statement R17: a child below a parent without an id.
        let what: Bytes = slot.isParent ? "parent id missing" : "id missing"
        return failure(
            .id, "\(label): \(what): \(slot.label); expected: \(idLabels)", parameter: slot.label, allowed: idLabels)
    }

    @inline(never)
    func nullTextFailure(_ name: Bytes) -> Failure {
        failure(.argument, "\(label): the string of \(name) is NULL but has a length", parameter: name)
    }

    @inline(never)
    func requiredFailure(_ parameter: ParameterEntry) -> Failure {
        failure(
            .parameter, "\(label): the query parameter \"\(parameter.name.bytes)\" is required",
            parameter: parameter.name.bytes, allowed: query.map { $0.name.bytes }.ordered())
    }

    @inline(never)
    func emptyFailure(_ slot: IdSlot) -> Failure {
        valueFailure(slot.label, slot.parameter, "it is empty, which would leave an empty segment in the path")
    }

    @inline(never)
    func dotsFailure(_ slot: IdSlot, _ text: UnsafeRawBufferPointer) -> Failure {
        valueFailure(slot.label, slot.parameter, "\"\(Bytes(text))\" is a dot segment, which changes the path")
    }

    @inline(never)
    func textFailure(_ label: Bytes, _ parameter: ParameterEntry) -> Failure {
        valueFailure(label, parameter, "it is not UTF-8")
    }

    @inline(never)
    func shapeFailure(_ reason: Bytes) -> Failure { failure(.value, "\(label): \(reason)") }

    @inline(never)
    func kindFailure(_ name: Bytes, _ parameter: ParameterEntry?, _ kind: Int32) -> Failure {
        let isKnown = kind == ValueView.Kind.json
        return failure(
            isKnown ? .value : .argument,
            isKnown
                ? "\(label): \(name) requires a single value, not an array or an object"
                : "\(label): \(kind) is not a kind of value",
            parameter: name)
    }

    @inline(never)
    func valueFailure(_ name: Bytes, _ parameter: ParameterEntry, _ reason: Bytes) -> Failure {
        failure(
            .value, "\(label): invalid value of \(name): \(reason)", parameter: name,
            allowed: parameter.description.scalar.values)
    }
}
