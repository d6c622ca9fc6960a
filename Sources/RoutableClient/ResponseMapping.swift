// Maps the status, headers and body of a response to an outcome (docs/statements.md, M, A1, A2).

package import RoutableCore

/// The policy of a client for mapping responses.
package struct AnswerPolicy: Sendable {
    package var deviations = DeviationPolicy.report
    /// Whether a response with a status that is not a success is returned, and not a failure.
    package var takesEveryStatus = false
}

extension Router {
    /// Maps a response of an operation.
    ///
    /// Failures: `unknown` and `notAllowed` for the names; `httpStatus` for a status that the operation does not
    /// declare, with the response; `limit` for a body that needs too much memory or time to validate.
    package func map(_ answer: Answer, route: Bytes, operation: Bytes) throws(Failure) -> Response {
        if answer.status < 100 || answer.status > 999 {
            throw Failure(.argument, "\(answer.status) is not an HTTP status; 100 to 999 is expected")
        }
        for field in answer.headers.fields { _ = try HeaderField.checked(field.name, field.value, isReceived: true) }
        let walk = try walk(route: route, operation: operation)
        let status = answer.status
        do {
            return try map(
                answer, walk.operation, sent: headers.isEmpty ? nil : HeaderBlock(headers), isConditional: false,
                AnswerPolicy())
        } catch {
            throw told(error, status, route, walk.operation, nil)
        }
    }

    /// Maps the response to a request of this plan, which was sent with these headers.
    ///
    /// Failures: those of the other function; with `raise`, also `response` for a response that deviates.
    package func map(
        _ answer: consuming Answer, to plan: Plan, _ sent: HeaderBlock, _ policy: AnswerPolicy = AnswerPolicy()
    ) throws(Failure) -> Response {
        let status = answer.status
        let content = answer.sent
        // The media type is compared with the declaration; only an Accept header that the caller set can require another one.
        let isDeclared = plan.accept.map { sent.asks(for: $0.value) } ?? false
        do {
            return try map(
                answer, plan.operation, sent: isDeclared ? nil : sent, isConditional: status == 304 && sent.asksForNews, policy
            )
        } catch { throw told(error, status, plan.route.bytes, plan.operation, content) }
    }

    @inline(never)
    private func told(
        _ error: Failure, _ status: Int32, _ route: Bytes, _ operation: OperationEntry, _ sent: SentContent?
    ) -> Failure {
        let name = operation.name.bytes
        guard error.status == .httpStatus else { return error.about(route: route, operation: name) }
        let what = route.isEmpty ? name : "\(name) of \(route)"
        let schemes = description.authSchemes
        let excerpt = error.fields.response?.excerpt(sent, schemes) ?? Bytes()
        var remark = Bytes()
        let alternatives = operation.description.auth?.alternatives ?? []
        let isOpen = alternatives.isEmpty || alternatives.contains { $0.isEmpty }
        if status == 401, isOpen, !schemes.isEmpty, let sent, sent.secrets().isEmpty {
            remark = "; the description requires no credential for this operation, so the client sent none of its own"
        }
        return error.with {
            $0.message = "the service responded with \(status) to \(what), which is not a success\(remark)\(excerpt)"
        }
        .about(route: route, operation: name)
    }

    private func map(
        _ answer: consuming Answer, _ operation: OperationEntry, sent: HeaderBlock?, isConditional: Bool, _ policy: AnswerPolicy
    ) throws(Failure) -> Response {
        let status = answer.status
        let isElsewhere = answer.isElsewhere
        let result = operation.result(for: status)
        let isHead = operation.description.method.equals("HEAD")
        // The declared type of an error is the type of its body; the response is still an error.
        let declared = result ?? operation.errorResult(for: status)
        var type = declared?.type
        let isEmpty = status == 204 || status == 205 || isHead || result?.isEmpty == true
        var mapped: MappedBody
        if isConditional || isElsewhere || answer.body.isEmpty || result?.isEmpty == true || isHead {
            mapped = MappedBody(.empty)
            if !isConditional, !isElsewhere, !isEmpty, let result, result.type != nil, !result.isOther(answer) {
                mapped.deviations = [Deviation("the body is empty, and the description declares a value")]
            }
        } else {
            do {
                mapped = try map(answer, declared, operation, &type)
                if let declared { compare(&mapped, answer.headers, answer.body, sent, declared) }
            } catch {
                // The failure of an error status has precedence.
                if result == nil {
                    mapped = MappedBody(.raw, [Deviation(error)])
                } else {
                    let response = Response(answer, .raw, typeName(type), deviations: [Deviation(error)])
                    throw error.with {
                        $0.httpStatus = status
                        $0.response = response
                    }
                }
            }
        }
        // What is read without a declaration is data; what is sent back after a change is lost for who trusts the description.
        if let result, result.hasNoContent, !isElsewhere, !isHead, answer.body.count > 0,
            !operation.description.method.equals("GET")
        {
            mapped.deviations.append(
                Deviation("the body has \(answer.body.count) bytes, and the description declares none for the status \(status)")
            )
        }
        if result?.isUndeclared == true, !isElsewhere {
            mapped.deviations.append(Self.undeclared(status, operation.description.results))
        }
        let response = Response(
            answer, mapped.outcome, typeName(type), deviations: policy.deviations == .ignore ? [] : mapped.deviations,
            document: mapped.document)
        if isConditional { return response }
        guard result != nil else {
            if policy.takesEveryStatus { return response }
            throw Failure(.httpStatus, "the service responded with \(status)") {
                $0.httpStatus = status
                $0.response = response
            }
        }
        if policy.deviations == .raise, let failure = response.misfit { throw failure }
        return response
    }

    /// Compares the media type of a body with the result of mapping and with the Accept header.
    private func compare(
        _ mapped: inout MappedBody, _ headers: HeaderBlock, _ body: Text, _ sent: HeaderBlock?, _ result: ResultDescription
    ) {
        // The values of the headers are copied only if they are needed, because copying takes more time than the rest of this function.
        let isPlain = mapped.isJSON && headers.has("content-type", "application/json")
        if isPlain && sent?.has("accept", "application/json") != false { return }
        guard let given = headers.value(of: "Content-Type") else { return }
        if mapped.isJSON && !MediaRange.accepts(given, "application/json") {
            if result.contents.isEmpty {
                mapped.deviations.append(Deviation("the body is JSON, and its media type is \(given.printable)"))
            }
            return
        }
        if mapped.isJSON, let charset = MediaRange.otherCharset(given), body.buffer.contains(where: { $0 >= 0x80 }) {
            mapped.deviations = [Deviation("the body has the character set \(charset.printable); JSON is read as UTF-8")]
        } else if mapped.isJSON || mapped.deviations.isEmpty, let accept = sent?.value(of: "Accept"),
            !MediaRange.accepts(given, accept)
        {
            mapped.deviations = [
                Deviation("the service responded with \(given.printable) where \(accept.printable) was requested")
            ]
        } else {
            return
        }
        mapped.outcome = .raw
        mapped.document = nil
    }

    /// Maps a body that is not empty to the declared result.
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
            // A range also applies to bodies that are not JSON.
            return content.isRange && mapped.outcome == .raw && !mapped.isJSON ? MappedBody(.raw) : mapped
        }
        // The items of a page are only a part of its body.
        if result.isList, let items = operation.rules?.pagination?.items, !items.isEmpty { return MappedBody(.raw) }
        if result.isOther(answer) { return MappedBody(.raw) }
        return try map(answer, result, operation, codec, result.type, isJSON: result.isJSON)
    }

    /// Maps a body with an undeclared media type: it is returned typed if it is valid for the declared type, with a deviation.
    @inline(never)
    private func mapUndeclared(
        _ answer: borrowing Answer, _ result: ResultDescription, _ operation: OperationEntry, _ given: UnsafeRawBufferPointer
    ) throws(Failure) -> MappedBody {
        let undeclared = Deviation(result.undeclared(Bytes(given), answer.status))
        // Another media type of JSON has another schema.
        if let media = MediaType(Bytes(given)), media.isJSON { return MappedBody(.raw, [undeclared]) }
        guard let codec, let type = result.type else { return MappedBody(.raw, [undeclared]) }
        var mapped = try map(answer, result, operation, codec, type, isJSON: true)
        if mapped.isJSON { mapped.deviations.insert(undeclared, at: 0) }
        return mapped
    }

    private func map(
        _ answer: borrowing Answer, _ result: ResultDescription, _ operation: OperationEntry, _ codec: any BodyCodec,
        _ type: Int?, isJSON: Bool
    ) throws(Failure) -> MappedBody {
        let body = answer.body.withoutMark
        let hasMark = body.count != answer.body.count
        guard let type else {
            guard isJSON, let given = answer.headers.value(of: "Content-Type"),
                hasMark || !MediaRange.accepts(given, "application/json")
            else { return MappedBody(.raw) }
            do { _ = try codec.value(of: body.bytes) } catch { return MappedBody(.raw, [Self.notJSON(given)]) }
            return MappedBody(.raw, isJSON: true, hasMark ? [Self.mark] : [])
        }
        let expected: ExpectedBody = operation.rules?.mapsAnyForm == true ? .any : result.isList ? .list : .value
        try Memory.admit(answer.body.count &* Memory.perJSONByte)
        var mapped = try codec.map(
            body.bytes, type: type, as: expected, deadline: answer.deadline, keeping: answer.keepsDocument ? body : nil)
        if mapped.isJSON {
            if hasMark { mapped.deviations.append(Self.mark) }
        } else if mapped.outcome == .raw, let given = answer.headers.value(of: "Content-Type"),
            !MediaRange.accepts(given, "application/json")
        {
            mapped.deviations = [Self.notJSON(given)]
        }
        return mapped
    }

    private static var mark: Deviation { Deviation("the body begins with a byte order mark, which JSON does not allow") }

    @inline(never)
    private static func undeclared(_ status: Int32, _ results: [ResultDescription]) -> Deviation {
        let declared = results.filter { !$0.isError && !$0.isUndeclared }.map { result -> Bytes in
            result.lowest == result.highest ? "\(result.lowest)" : "\(result.lowest) to \(result.highest)"
        }
        return Deviation("the status \(status) is not declared; declared: \(declared.ordered())")
    }

    private static func notJSON(_ given: Bytes) -> Deviation {
        Deviation("the body is \(given.printable), where JSON is declared")
    }
}

extension ResultDescription {
    /// Whether a response has one of the media types whose bodies are not validated.
    fileprivate func isOther(_ answer: borrowing Answer) -> Bool {
        guard !otherMediaTypes.isEmpty, let given = answer.headers.value(of: "Content-Type") else { return false }
        return otherMediaTypes.contains { MediaRange.accepts(given, $0) }
    }
}

extension HeaderBlock {
    /// Whether the Accept header has exactly this value.
    fileprivate func asks(for mediaTypes: Bytes) -> Bool {
        guard let index = index(of: "accept") else { return false }
        return mediaTypes.storage.withUnsafeBytes { value(index).equals($0) }
    }

    /// Whether the first field with this name is missing, or has exactly this value.
    fileprivate func has(_ name: StaticString, _ expected: StaticString) -> Bool {
        guard let index = index(of: name) else { return true }
        return value(index).equals(expected)
    }
}

extension Response {
    /// The failure of a body that deviates from the declaration of its operation, for callers that require a valid one; nil if it is valid.
    package var misfit: Failure? {
        guard let reason = deviations.first else { return nil }
        let type = typeName.bytes
        let declared: Bytes = type.isEmpty ? "its declared type" : "its declared type \(type)"
        let message: Bytes =
            reason.schemaPointer.isEmpty && outcome == .empty
            ? "the service responded with \(status) and an empty body; the operation declares a value"
            : "the body does not match \(declared): \(reason.message.bytes)"
        return Failure(.response, message) {
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

/// Media ranges of an Accept header (RFC 9110 section 12.5.1).
package enum MediaRange {
    /// Whether a Content-Type matches one of the ranges; a missing one matches only `*/*`.  A structured suffix
    /// (RFC 6839) is ignored in both directions: services that are asked for `application/vnd.x+json` respond with
    /// `application/json`, and vice versa.
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

    /// The charset of a media type, unless it is UTF-8 or a subset of it.
    static func otherCharset(_ contentType: Bytes) -> Bytes? {
        for parameter in contentType.split(on: UInt8(ascii: ";")).dropFirst() {
            let text = Bytes(parameter.storage.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }).lowercased
            guard text.hasPrefix("charset=") else { continue }
            let name = Bytes(text.storage.dropFirst(8))
            if name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii" { return nil }
            return name
        }
        return nil
    }

    private static func typeAndSubtype(_ text: Bytes) -> (Bytes, Bytes) {
        let essence = text.split(on: UInt8(ascii: ";")).first ?? Bytes()
        let halves = Bytes(essence.storage.filter { $0 != 0x20 && $0 != 0x09 }).lowercased.split(on: UInt8(ascii: "/"))
        return (halves.first ?? Bytes(), halves.count > 1 ? halves[1] : Bytes())
    }
}
