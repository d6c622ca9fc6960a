// Reads the flat object of a call (docs/agents.md): all reasons why it is none, or the call as JSON.

internal import CSystem
package import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// The flat object of one operation, with its compiled schema.
final class CallObject: Sendable {
    let plan: Plan
    let arguments: [CallArgument]
    private let checker: JSONSchema
    private let places: KeyedValues<Bytes, Int>

    private init(_ plan: Plan, _ arguments: [CallArgument], _ checker: JSONSchema) {
        self.plan = plan
        self.arguments = arguments
        self.checker = checker
        var places = KeyedValues<Bytes, Int>()
        for (index, argument) in arguments.enumerated() { places.set(index, for: argument.name) }
        self.places = places
    }

    /// The note of an operation about its object.
    final class Note: OperationNote, @unchecked Sendable {
        // Set before the note is published.  An initializer with a parameter would leave the inherited one without a body.
        fileprivate(set) var object: CallObject?
    }

    static func of(_ plan: Plan) throws(Failure) -> CallObject {
        var writer = CallSchemaWriter(plan, isSubset: false)
        try writer.run()
        let checker = try writer.writer.text.withBuffer { (text) throws(Failure) in try JSONSchema.open(text) }
        return CallObject(plan, writer.arguments, checker)
    }

    /// The call of an object, without the checks that building its request makes.
    ///
    /// - Throws: the first reason, with the others in `next`.
    func call(_ object: JSONView, _ maximumErrors: Int) throws(Failure) -> Bytes {
        guard object.kind == .object else {
            throw Failure(.value, "\(plan.label): the arguments must be an object, not \(object.kindName)") {
                $0.pointer = Bytes()
            }
        }
        var reasons: [Failure] = []
        var given = [Bytes?](repeating: nil, count: arguments.count)
        var checked = JSONWriter()
        checked.open("{")
        var members = object.members
        while !Memory.cuts(), let (text, value) = members.read() {
            let name = Bytes(text)
            guard let index = places[name] else {
                if reasons.count < maximumErrors {
                    reasons.append(
                        listed(Failure.unknownName(.parameter, "no argument", name, among: arguments.map { $0.name })).with {
                            $0.parameter = name
                            $0.pointer = JSONPointer.appending(name, to: Bytes())
                        })
                }
                continue
            }
            let place = arguments[index].place
            // A parameter that is null is absent, as in every call.
            if value.kind == .null && place != .member && place != .body { continue }
            given[index] = Bytes(value.source)
            checked.key(of: name)
            checked.raw(Bytes(value.source))
        }
        checked.close("}")
        if reasons.count < maximumErrors {
            let text = checked.text
            do {
                try text.withBuffer { (buffer) throws(Failure) in
                    try checker.check(json: buffer, maximumErrors: maximumErrors &- reasons.count)
                }
            } catch {
                var next: Failure? = error
                while let failure = next {
                    next = failure.fields.next
                    reasons.append(listed(failure).with { $0.schemaPointer = nil })
                }
            }
        }
        var chain: Failure?
        for reason in reasons.reversed() {
            let rest = chain
            chain = reason.about(route: plan.route.bytes, operation: plan.operation.name.bytes).with {
                $0.message = "\(plan.label): \($0.message)"
                $0.next = rest
            }
        }
        if let chain { throw chain }
        try Memory.check()
        return written(given)
    }

    /// The same failure, with the allowed names in its sentence.
    private func listed(_ failure: Failure) -> Failure {
        let allowed = failure.fields.allowed
        guard let first = allowed.first,
            allowed.count > 24 || !failure.fields.parameter.isEmpty || !failure.fields.suggestion.isEmpty,
            failure.message.replacing("; there are: \(first)", with: "") == nil
        else { return failure }
        return failure.with { $0.message = "\(failure.message); allowed: \(allowed)" }
    }

    private func written(_ given: [Bytes?]) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        writer.optionalMember("route", plan.route.bytes)
        writer.member("operation", plan.operation.name.bytes)
        writer.key("ids")
        writer.open("[")
        for (argument, json) in zip(arguments, given) where argument.place == .id { writer.raw(json ?? "null") }
        writer.close("]")
        let sections: [(CallArgument.Place, StaticString)] = [
            (.query, "query"), (.header, "headers"), (.cookie, "cookies"), (.member, "body"),
        ]
        for (place, key) in sections {
            var isOpen = false
            let hasMembers = place == .member && arguments.contains { $0.place == .member }
            for (argument, json) in zip(arguments, given) where argument.place == place {
                guard let json else { continue }
                if !isOpen {
                    writer.key(key)
                    writer.open("{")
                }
                isOpen = true
                writer.key(of: argument.original)
                writer.raw(json)
            }
            if !isOpen && hasMembers && CallSchemaWriter.requiresBody(plan.operation.description) {
                writer.key(key)
                writer.open("{")
                isOpen = true
            }
            if isOpen { writer.close("}") }
        }
        for (argument, json) in zip(arguments, given) where argument.place == .body {
            guard let json else { continue }
            writer.key("body")
            writer.raw(json)
        }
        writer.close("}")
        return writer.text
    }

    /// The failure of building the request, with the pointer of the value in the object.
    func located(_ failure: Failure) -> Failure {
        guard let pointer = failure.fields.pointer else { return failure }
        var ids = 0
        for argument in arguments {
            let original = argument.original
            var places: [Bytes] = []
            switch argument.place {
            case .id:
                places = ["/ids/\(ids)", JSONPointer.appending(original, to: "/ids")]
                ids &+= 1
            case .query: places = [JSONPointer.appending(original, to: "/query")]
            case .header: places = [JSONPointer.appending(original, to: "/headers")]
            case .cookie: places = [JSONPointer.appending(original, to: "/cookies")]
            case .member: places = [JSONPointer.appending(original, to: "/body")]
            case .body: places = ["/body"]
            }
            for place in places where pointer == place || pointer.hasPrefix("\(place)/") {
                return failure.with {
                    $0.pointer = JSONPointer.appending(argument.name, to: Bytes())
                    $0.pointer?.append(Bytes(pointer.storage[place.count...]))
                }
            }
        }
        return failure.with { $0.pointer = Bytes() }
    }
}

extension PlannedRouter {
    /// The JSON Schema of the flat object of an operation.
    ///
    /// - Throws: `unknown`, `notAllowed`, `limit`, `memory`.
    package func callSchema(route: Bytes, operation: Bytes, isSubset: Bool) throws(Failure) -> Bytes {
        var writer = CallSchemaWriter(try plan(route: route, operation: operation), isSubset: isSubset)
        try writer.run()
        return writer.writer.text
    }

    /// The call of a flat object as JSON, from which a request can be built.
    ///
    /// - Throws: the first reason, with the others in `next` and with pointers into the object.
    package func call(
        route: Bytes, operation: Bytes, object: UnsafeRawBufferPointer, maximumErrors: Int
    ) throws(Failure) -> Bytes {
        let found = try callObject(try plan(route: route, operation: operation))
        let document = try JSONDocument.read(object, JSONReading(rejectsDuplicates: true))
        defer { withExtendedLifetime(document) {} }
        let text = try found.call(document.view, max(1, min(maximumErrors, Limits.errors)))
        // Building the request applies all further rules of the description.
        do throws(Failure) {
            var call = try text.withBuffer { (buffer) throws(Failure) in try CallDocument.read(buffer) }
            if router.base(of: found.plan.operation) == nil { call.base = "http://localhost" }
            _ = try request(for: call)
        } catch { throw found.located(error) }
        return text
    }

    private func callObject(_ plan: Plan) throws(Failure) -> CallObject {
        let count = UInt64(max(router.operationCount, 1))
        let slot = UInt32(truncatingIfNeeded: ToolName.hash("\(plan.route.bytes)#\(plan.operation.name.bytes)") % count)
        let known = toolNotes.find(slot) {
            guard let other = unsafeDowncast($0, to: CallObject.Note.self).object?.plan else { return false }
            return other.operation === plan.operation && other.route.buffer.elementsEqual(plan.route.buffer)
        }
        if let known, let object = unsafeDowncast(known.takeUnretainedValue(), to: CallObject.Note.self).object {
            return object
        }
        let made = try CallObject.of(plan)
        let note = CallObject.Note()
        note.object = made
        toolNotes.add(note, to: slot)
        return made
    }
}
