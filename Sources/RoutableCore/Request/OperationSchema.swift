// The individual schemas of a router: of its named types, and of the bodies and the results of its operations, which may
// have no name.

/// The schema of a body or of a result of one operation.
package struct OperationSchema: Sendable {
    /// The index of the type in the router.
    package let type: Int
    package let use: SchemaUse
}

extension Router {
    /// The checker of a named type.  Failures: `unknown`, with the names that exist; `unsupported` without a codec.
    package func checker(ofType name: Bytes) throws(Failure) -> any ValueChecker {
        guard let index = description.types.firstIndex(where: { $0.name == name && !name.isEmpty }) else {
            throw Failure.unknownName(
                .unknown, "there is no type", name, among: description.types.map { $0.name }.filter { !$0.isEmpty })
        }
        return try checker(of: OperationSchema(type: index, use: .value))
    }

    package func checker(of schema: OperationSchema) throws(Failure) -> any ValueChecker {
        guard let checker = try codec?.checker(of: schema.type, for: schema.use) else {
            throw Failure(.unsupported, "the router was opened without a JSON codec")
        }
        return checker
    }

    /// The text of a schema, as in the document; for an array of values, the text of the schema of the array.
    package func text(of schema: OperationSchema) -> Bytes {
        var text: Bytes
        if description.types.indices.contains(schema.type) {
            let type = description.types[schema.type]
            text = type.slice.map { Bytes($0.buffer) } ?? type.schema
        } else {
            text = codec?.schema(of: schema.type) ?? "true"
        }
        if case .result(.list) = schema.use { text = "{\"type\":\"array\",\"items\":\(text)}" }
        return text
    }
}

extension OperationEntry {
    /// The schema of the body with a media type, or with the preferred media type for nil.
    ///
    /// Failures: `body` for a media type that is not declared, `unknown` if no schema is declared.
    package func bodySchema(_ mediaType: Bytes?) throws(Failure) -> OperationSchema {
        var type = description.bodyType
        if !description.bodies.isEmpty {
            type = try BodyWriter(label: name.bytes, bodies: description.bodies, codec: nil).choose(mediaType).type
        }
        if let type { return OperationSchema(type: type, use: .body) }
        throw Failure(.unknown, "\(name.bytes) declares no schema for its body\(mediaType.map { " as \($0.printable)" } ?? "")")
        {
            $0.operation = name.bytes
        }
    }

    /// The schema of the body of a response with a status, which may be a success or an error.
    ///
    /// Failures: `unknown`, with the statuses that have a schema.
    package func resultSchema(_ status: Int32) throws(Failure) -> OperationSchema {
        let declared = result(for: status) ?? errorResult(for: status)
        guard let declared, let type = declared.type else {
            let statuses = description.results.filter { $0.type != nil }.map { $0.statuses }
            let others: Bytes = statuses.isEmpty ? "there are none for other statuses" : "there are schemas for: \(statuses)"
            throw Failure(.unknown, "\(name.bytes) declares no schema for the status \(status); \(others)") {
                $0.operation = name.bytes
                $0.allowed = statuses.ordered()
            }
        }
        if declared.isList, let items = rules?.pagination?.items, !items.isEmpty {
            throw Failure(
                .unknown, "\(name.bytes) declares a schema for the items at \(items.bytes), but none for the page"
            ) {
                $0.operation = name.bytes
            }
        }
        let expected: ExpectedBody = rules?.mapsAnyForm == true ? .any : declared.isList ? .list : .value
        return OperationSchema(type: type, use: .result(expected))
    }
}

extension ResultDescription {
    /// The statuses as in a document: `200`, `2XX` or `default`.
    package var statuses: Bytes {
        lowest == highest ? "\(lowest)" : highest &- lowest == 99 ? "\(lowest / 100)XX" : "default"
    }
}

// MARK: - For Swift programs

extension Router {
    /// Validates JSON against the schema of an operation's request body, in which members that are `readOnly` may be missing.
    ///
    /// - Parameters:
    ///   - route: the dotted route, `user.status`; empty for a standalone operation.
    ///   - contentType: selects one of several declared bodies; nil for the preferred one.
    ///   - maximumErrors: the maximum number of errors, which are linked by `fields.next`; at most 256.
    /// - Throws: `json`; `body` with the pointers into the value and into the schema, and for a content type that is not
    ///   declared; `limit`; `unknown` for the names, and if no schema is declared; `notAllowed`.
    package func checkBody(
        _ json: Bytes, route: Bytes, operation: Bytes, contentType: Bytes? = nil, maximumErrors: Int = 1
    ) throws(Failure) {
        try check(json, try bodySchema(route, operation, contentType), maximumErrors)
    }

    /// Validates JSON against the schema of an operation's response body for a status, which may be an error status.  Members that
    /// are `writeOnly` may be missing.  Otherwise like `checkBody`.
    package func checkResult(
        _ json: Bytes, route: Bytes, operation: Bytes, status: Int32 = 200, maximumErrors: Int = 1
    ) throws(Failure) {
        try check(json, try resultSchema(route, operation, status), maximumErrors)
    }

    /// The JSON Schema of an operation's body, named or inline.  Failures: those of `checkBody` for the names.
    package func bodySchema(route: Bytes, operation: Bytes, contentType: Bytes? = nil) throws(Failure) -> Bytes {
        text(of: try bodySchema(route, operation, contentType))
    }

    /// The JSON Schema of the response body for a status, named or inline.  Failures: those of `checkResult` for the names.
    package func resultSchema(route: Bytes, operation: Bytes, status: Int32 = 200) throws(Failure) -> Bytes {
        text(of: try resultSchema(route, operation, status))
    }

    private func bodySchema(_ route: Bytes, _ operation: Bytes, _ contentType: Bytes?) throws(Failure) -> OperationSchema {
        let entry = try walk(route: route, operation: operation).operation
        do { return try entry.bodySchema(contentType) } catch { throw error.about(route: route, operation: operation) }
    }

    private func resultSchema(_ route: Bytes, _ operation: Bytes, _ status: Int32) throws(Failure) -> OperationSchema {
        let entry = try walk(route: route, operation: operation).operation
        do { return try entry.resultSchema(status) } catch { throw error.about(route: route, operation: operation) }
    }

    private func check(_ json: Bytes, _ schema: OperationSchema, _ maximumErrors: Int) throws(Failure) {
        let checker = try checker(of: schema)
        let failure = json.storage.withUnsafeBytes { buffer -> Failure? in
            do throws(Failure) {
                try checker.check(json: buffer, maximumErrors: maximumErrors)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }
}
