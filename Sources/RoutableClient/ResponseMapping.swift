// Maps the status, headers and body of a response to an outcome (docs/statements.md, M, A1, A2).

package import RoutableCore

extension Router {
    /// Maps an answer of an operation.
    ///
    /// Failures: `unknown` and `notAllowed` for the names; `httpStatus` for a status that the operation does not
    /// declare, with the response; `response` for an answer of a kind that was not asked for, or empty where a
    /// type is declared; `limit` for a body that takes too much memory or time to validate.
    package func map(_ answer: Answer, route: Bytes, operation: Bytes) throws(Failure) -> Response {
        if answer.status < 100 || answer.status > 999 {
            throw Failure(.argument, "\(answer.status) is not an HTTP status; 100 to 999 is expected")
        }
        for field in answer.headers.fields { _ = try HeaderField.checked(field.name, field.value, isReceived: true) }
        let walk = try walk(route: route, operation: operation)
        let status = answer.status
        do {
            return try map(
                answer, walk.operation, accept: headers.value(of: "Accept"), isConditional: false, checksBody: false)
        } catch {
            throw Self.told(error, status, route, walk.operation)
        }
    }

    /// Maps the answer to a request of that plan, sent with those headers.
    ///
    /// - Parameter checksBody: whether a body that is not what the operation declares is a failure, `response`.
    package func map(
        _ answer: consuming Answer, to plan: Plan, _ sent: HeaderBlock, checksBody: Bool = false
    ) throws(Failure) -> Response {
        let status = answer.status
        let accept = sent.index(of: "accept").map { Bytes(sent.value($0)) }
        do {
            return try map(
                answer, plan.operation, accept: accept, isConditional: status == 304 && sent.asksForNews, checksBody: checksBody
            )
        } catch { throw Self.told(error, status, plan.route.bytes, plan.operation) }
    }

    @inline(never)
    private static func told(_ error: Failure, _ status: Int32, _ route: Bytes, _ operation: OperationEntry) -> Failure {
        let name = operation.name.bytes
        guard error.status == .httpStatus else { return error.about(route: route, operation: name) }
        let what = route.isEmpty ? name : "\(name) of \(route)"
        return error.with { $0.message = "the service responded with \(status) to \(what), which is not a success" }
            .about(route: route, operation: name)
    }

    private func map(
        _ answer: consuming Answer, _ operation: OperationEntry, accept: Bytes?, isConditional: Bool, checksBody: Bool
    ) throws(Failure) -> Response {
        let status = answer.status
        let isElsewhere = answer.isElsewhere
        let result = operation.result(for: status)
        let isHead = operation.description.method.equals("HEAD")
        // What is declared of an error types its body, and it stays an error.
        let declared = result ?? operation.errorResult(for: status)
        var type = declared?.type
        let mayBeEmpty =
            status == 204 || status == 205 || isHead
            || result?.isEmpty == true
        let mapped: MappedBody
        if isConditional || isElsewhere || answer.body.isEmpty || result?.isEmpty == true || isHead {
            mapped = MappedBody(.empty)
        } else {
            do { mapped = try map(answer, declared, operation, &type) } catch {
                // An error of the service has precedence.
                if result == nil {
                    mapped = MappedBody(.raw, error)
                } else {
                    let response = Response(answer, .raw, typeName(type), reason: BodyReason(error))
                    throw error.with {
                        $0.httpStatus = status
                        $0.response = response
                    }
                }
            }
        }
        let response = Response(
            answer, mapped.outcome, typeName(type), reason: mapped.reason.map { BodyReason($0) }, document: mapped.document)
        if isConditional { return response }
        guard let result else {
            throw Failure(.httpStatus, "the service responded with \(status)") {
                $0.httpStatus = status
                $0.response = response
            }
        }
        if isElsewhere { return response }
        if response.body.isEmpty {
            if !mayBeEmpty && result.type != nil {
                throw Failure(
                    .response, "the service responded with \(status) and an empty body; the operation declares a value"
                ) {
                    $0.httpStatus = status
                    $0.response = response
                }
            }
        } else if let accept, !MediaRange.accepts(response.headers.value(of: "Content-Type"), accept) {
            let given = response.headers.value(of: "Content-Type") ?? "no Content-Type"
            throw Failure(.response, "the service responded with \(given.printable) where \(accept.printable) was requested") {
                $0.httpStatus = status
                $0.response = response
            }
        }
        if checksBody, let failure = response.misfit { throw failure }
        return response
    }

    /// What a body that is not empty is of what is declared.
    ///
    /// - Parameter type: The type that the media type selects.
    private func map(
        _ answer: borrowing Answer, _ result: ResultDescription?, _ operation: OperationEntry, _ type: inout Int?
    ) throws(Failure) -> MappedBody {
        guard let codec, let result else { return MappedBody(.raw) }
        if !result.contents.isEmpty, let place = answer.headers.index(of: "content-type") {
            guard let index = result.content(for: answer.headers.value(place)) else {
                return try mapUndeclared(answer, result, operation, answer.headers.value(place))
            }
            let content = result.contents[index]  // proof: the index of one of them.
            type = content.type
            if content.type == nil && !content.isJSON { return MappedBody(.raw) }
            let mapped = try map(answer, result, operation, codec, content.type, isJSON: content.isJSON)
            // A range is declared for bodies that are not JSON, too.
            return content.isRange && mapped.reason?.status == .json ? MappedBody(.raw) : mapped
        }
        // The items of a page stand somewhere in its body.
        if result.isList, let items = operation.rules?.pagination?.items, !items.isEmpty { return MappedBody(.raw) }
        // The Content-Type is copied only where it decides, which takes more time than the rest of this.
        if !result.otherMediaTypes.isEmpty, let given = answer.headers.value(of: "Content-Type"),
            result.otherMediaTypes.contains(where: { MediaRange.accepts(given, $0) })
        {
            return MappedBody(.raw)
        }
        return try map(answer, result, operation, codec, result.type, isJSON: result.isJSON)
    }

    /// A body with an undeclared media type: mapped if it is valid for the declared type, and always with a reason.
    @inline(never)
    private func mapUndeclared(
        _ answer: borrowing Answer, _ result: ResultDescription, _ operation: OperationEntry, _ given: UnsafeRawBufferPointer
    ) throws(Failure) -> MappedBody {
        let reason = result.undeclared(Bytes(given), answer.status)
        // JSON of another kind has another schema.
        if let media = MediaType(Bytes(given)), media.isJSON { return MappedBody(.raw, reason) }
        guard let codec, let type = result.type else { return MappedBody(.raw, reason) }
        let mapped = try map(answer, result, operation, codec, type, isJSON: true)
        guard mapped.reason == nil else { return mapped.reason?.status == .json ? mapped : MappedBody(.raw, reason) }
        var reported = mapped
        reported.reason = reason
        return reported
    }

    private func map(
        _ answer: borrowing Answer, _ result: ResultDescription, _ operation: OperationEntry, _ codec: any BodyCodec,
        _ type: Int?, isJSON: Bool
    ) throws(Failure) -> MappedBody {
        guard let type else {
            guard isJSON, let given = answer.headers.value(of: "Content-Type"),
                !MediaRange.accepts(given, "application/json")
            else { return MappedBody(.raw) }
            do { _ = try codec.value(of: answer.body.bytes) } catch { return MappedBody(.raw, Self.notJSON(error, given)) }
            return MappedBody(.raw)
        }
        let expected: ExpectedBody = operation.rules?.mapsAnyForm == true ? .any : result.isList ? .list : .value
        try Memory.admit(answer.body.count &* Memory.perJSONByte)
        let mapped = try codec.map(
            answer.body.bytes, type: type, as: expected, deadline: answer.deadline,
            keeping: answer.keepsDocument ? answer.body : nil)
        guard let reason = mapped.reason, reason.status == .json, let given = answer.headers.value(of: "Content-Type"),
            !MediaRange.accepts(given, "application/json")
        else { return mapped }
        return MappedBody(mapped.outcome, Self.notJSON(reason, given))
    }

    private static func notJSON(_ reason: Failure, _ given: Bytes) -> Failure {
        reason.with { $0.message = "the body is \(given.printable), where JSON is declared" }
    }
}

extension Response {
    /// The failure of a body that is not what its operation declares, for who wants that; nil when it is.
    package var misfit: Failure? {
        guard let reason else { return nil }
        let type = typeName.bytes
        let declared: Bytes = type.isEmpty ? "its declared type" : "its declared type \(type)"
        return Failure(.response, "the body does not match \(declared): \(reason.message.bytes)") {
            $0.pointer = reason.pointer.bytes
            if !reason.schemaPointer.isEmpty { $0.schemaPointer = reason.schemaPointer.bytes }
            $0.httpStatus = status
            $0.response = self
        }
    }
}

extension Router {
    private func typeName(_ index: Int?) -> Text {
        guard let index, description.types.indices.contains(index) else { return .empty }
        return Text(description.types[index].name)
    }
}

/// Media ranges of an Accept header (RFC 9110 section 12.5.1), as far as A1 needs them.
package enum MediaRange {
    /// Whether a Content-Type is within one of the ranges; a missing one is only within `*/*`.  A structured suffix
    /// (RFC 6839) counts in both directions: services that are asked for `application/vnd.x+json` answer with
    /// `application/json`, and the other way round.
    package static func accepts(_ contentType: Bytes?, _ accept: Bytes) -> Bool {
        if accept.equals("*/*") { return true }
        let given = contentType.map { typeAndSubtype($0) }
        for range in accept.split(on: UInt8(ascii: ",")) {
            let (type, subtype) = typeAndSubtype(range)
            if type == "*" && subtype == "*" { return true }
            guard let given else { continue }
            if type != "*" && type != given.0 { continue }
            if subtype == "*" || subtype == given.1 { return true }
            if subtype.hasSuffix("+\(given.1)") || given.1.hasSuffix("+\(subtype)") { return true }
        }
        return false
    }

    private static func typeAndSubtype(_ text: Bytes) -> (Bytes, Bytes) {
        let essence = text.split(on: UInt8(ascii: ";")).first ?? Bytes()
        let halves = Bytes(essence.storage.filter { $0 != 0x20 && $0 != 0x09 }).lowercased.split(on: UInt8(ascii: "/"))
        return (halves.first ?? Bytes(), halves.count > 1 ? halves[1] : Bytes())
    }
}
