// The parameters and the body that a request sends to its operation, for coverage, even if the operation refuses the request.

package import RoutableCore
internal import RoutableJSON

/// A request in the form that coverage counts.
package struct Observed {
    package let plan: Plan
    /// The number of the operation.
    package let operation: Int
    package let isAccepted: Bool
    /// The declared parameters that the request has: their indexes among those of the operation, and their values; nil for a value
    /// that cannot be read.
    package private(set) var parameters: [(index: Int, value: Value?)] = []
    /// The names of undeclared query parameters.
    package private(set) var undeclared: [Bytes] = []
    package let contentType: Bytes
    package let hasBody: Bool
    /// The body as JSON; nil for a body without a JSON value.
    package private(set) var json: Bytes?

    /// - Throws: `noMatch`, `methodNotAllowed` and the other failures of a request without an operation.
    package init(_ router: PlannedRouter, _ incoming: Incoming, _ options: ReceiveOptions) throws(Failure) {
        var reading = try Reading(router, incoming, options)
        let (call, number) = try reading.observe()
        plan = call.plan
        operation = Int(number)
        isAccepted = reading.refusals.isEmpty
        contentType = reading.contentTypeText
        hasBody = !reading.incoming.body.isEmpty
        switch call.body {
        case .json(let text): json = text
        case .value(let value):
            var writer = JSONWriter()
            try writer.value(value)
            json = writer.text
        case .absent, .bytes:
            if hasBody && (contentType.isEmpty || BodyWriter.isJSON(contentType)) { json = reading.incoming.body }
        }
        undeclared = reading.undeclaredQuery(call)
        let ids = call.pathValues
        // The first path values are ids of outer resources, and are not parameters of the operation.
        var id = ids.count &- plan.operation.parameters.count { $0.description.location == .path }
        for (index, parameter) in plan.operation.parameters.enumerated() where !parameter.description.isCredential {
            if parameter.description.location == .path {
                parameters.append((index, ids.indices.contains(id) ? ids[id].value : nil))
                id &+= 1
            } else if let found = reading.observe(parameter, call, isAccepted: isAccepted) {
                parameters.append((index, found.value))
            }
        }
    }
}

extension Reading {
    /// The value of a parameter that the request has; a nil value if it cannot be read; nil if the parameter is absent.
    fileprivate func observe(
        _ parameter: ParameterEntry, _ call: ReceivedCall, isAccepted: Bool
    ) -> (value: Value?, Void)? {
        let name = parameter.description.name
        let text: Bytes
        let members: [Value.Member]
        switch parameter.description.location {
        case .query: (text, members) = (Bytes(incoming.target.storage[target.query]), call.query)
        case .cookie: (text, members) = (headers["cookie"] ?? Bytes(), call.cookies)
        default:
            guard let field = headers[name.lowercased] else { return nil }
            (text, members) = (field, call.headers)
        }
        // A parameter with a default is read from the text: the value of an absent one would be its default.
        if isAccepted && parameter.description.defaultValue == nil {
            return members.first { $0.name == name }.map { ($0.value, ()) }
        }
        do throws(Failure) {
            let value = try text.withBuffer { (buffer) throws(Failure) in
                try parameter.read(buffer, codec: codec) { other in
                    call.plan.operation.names(in: parameter.description.location).contains(other)
                }
            }
            return value.map { ($0, ()) }
        } catch { return (nil, ()) }
    }

    /// Reads the request as `run` does, and also returns the call of a refused request.
    fileprivate mutating func observe() throws(Failure) -> (call: ReceivedCall, operation: UInt32) {
        let match = try find()
        var first: (ReceivedCall, UInt32, Refusals)?
        for number in [match.operation] + router.router.alternativeNumbers(ofNode: match.node, to: match.operation) {
            refusals = Refusals()
            let call = try read(match, number)
            if refusals.isEmpty { return (call, number) }
            first = first ?? (call, number, refusals)
        }
        guard let first else { throw Failure(.internal, "a match has no operation") }
        refusals = first.2
        return (first.0, first.1)
    }

    /// The names of the undeclared query parameters.
    fileprivate func undeclaredQuery(_ call: ReceivedCall) -> [Bytes] {
        (call.parameters ?? []).map { $0.name }
            + call.ignored.filter { name in !headers.fields.contains { $0.name == name } }
    }
}
