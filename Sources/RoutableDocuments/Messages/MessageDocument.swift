// Writes requests, responses, errors and routes as JSON, as docs/json-tier.md specifies.

package import RoutableCore
internal import RoutableJSON

/// Writes the messages of the JSON tier; the output for equal data is always the same.
package enum MessageDocument {
    /// A request.  `route` is empty for a standalone operation; `body` is nil if there is none.
    package static func request(
        method: Bytes, url: Bytes, route: Bytes, operation: Bytes, headers: [HeaderField], body: Bytes?,
        isStreamed: Bool = false
    ) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        writer.member("method", method)
        writer.member("url", url)
        writer.optionalMember("route", route)
        writer.member("operation", operation)
        writer.key("headers")
        writer.headers(headers)
        if isStreamed {
            writer.key("body_streamed")
            writer.boolean(true)
        }
        if let body { body.storage.withUnsafeBytes { writer.body($0) } }
        writer.close("}")
        return writer.text
    }

    /// A value.
    package static func value(_ value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }

    /// A response: its body is `value` if it is JSON, and otherwise a string or base64.
    package static func response(_ response: Response) -> Bytes {
        var writer = JSONWriter()
        writer.response(response)
        return writer.text
    }

    /// A failure with all its fields.
    package static func failure(_ failure: Failure) -> Bytes {
        var writer = JSONWriter()
        writer.failure(failure, depth: 0)
        return writer.text
    }

    /// The rows of the route table (docs/route-table.md).
    package static func routes(_ rows: [RouteRow]) -> Bytes {
        var writer = JSONWriter()
        writer.open("[")
        for row in rows {
            writer.open("{")
            if !row.isRepeat {
                writer.member("prefix", row.prefix)
                writer.member("verb", row.method)
            }
            writer.member("pattern", row.pattern)
            writer.optionalMember("route", row.route)
            writer.optionalMember("resource", row.resource)
            if row.isRepeat {
                writer.key("repeats")
                writer.boolean(true)
            } else {
                writer.member("operation", row.operation)
                writer.optionalMember("operation_id", row.standaloneName)
            }
            writer.close("}")
        }
        writer.close("]")
        return writer.text
    }

    /// The named types of a router: an object of names and schemas.
    package static func types(of router: Router) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        for type in router.types {
            writer.key(of: type.name.bytes)
            writer.copy(json: type.schema)
        }
        writer.close("}")
        return writer.text
    }

    // MARK: For programs that use trees of jansson

    /// A message as a new `json_t` reference.  Wide numbers are converted to strings of their digits.
    package static func jansson(message: Bytes) throws(Failure) -> OpaquePointer {
        let parsed = message.storage.withUnsafeBytes { buffer -> Result<OpaquePointer, Failure> in
            do throws(Failure) {
                // A body or a schema in the message may have the maximum nesting of JSON, below some levels of the message.
                return .success(try JSONDocument.jansson(buffer, depth: Limits.jsonDepth &+ 64))
            } catch {
                return .failure(error)
            }
        }
        return try parsed.get()
    }

    /// A body as a new `json_t` reference; null if it is empty.  Wide numbers are converted to strings of their digits.
    ///
    /// - Throws: `response` if it is not JSON, with the position.
    package static func jansson(of body: UnsafeRawBufferPointer) throws(Failure) -> OpaquePointer {
        if body.isEmpty { return JSONDocument.janssonNull }
        do throws(Failure) {
            return try JSONDocument.jansson(body, depth: Limits.jsonDepth)
        } catch {
            if error.status == .memory { throw error }
            throw Failure(.response, "the body is not JSON: \(error.message)") {
                $0.offset = error.fields.offset
                $0.line = error.fields.line
                $0.column = error.fields.column
            }
        }
    }

    /// A failure as a new `json_t` reference.
    package static func jansson(of failure: Failure) throws(Failure) -> OpaquePointer {
        try jansson(message: self.failure(failure))
    }
}
