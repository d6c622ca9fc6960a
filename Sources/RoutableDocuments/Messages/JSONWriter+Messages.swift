// Writes the parts of messages.

internal import RoutableCore
internal import RoutableJSON

extension JSONWriter {
    /// Writes the fields as pairs; with `masksSecrets`, the values of headers such as Set-Cookie are `***`.
    mutating func headers(_ headers: [HeaderField], masksSecrets: Bool = false) {
        open("[")
        for header in headers {
            open("[")
            looseString(header.name)
            looseString(masksSecrets && HeaderField.isSecret(header.name) ? "***" : header.value)
            close("]")
        }
        close("]")
    }

    /// Writes the member `body` or `body_base64`.
    mutating func body(_ body: UnsafeRawBufferPointer) {
        if UTF8Check.isValid(body) {
            key("body")
            string(body)
        } else {
            key("body_base64")
            string(Base64.encode(body))
        }
    }

    mutating func response(_ response: Response, masksSecrets: Bool = false) {
        open("{")
        member("status", Int(response.status))
        member("outcome", response.outcome.name)
        optionalMember("type", response.typeName.bytes)
        if !response.deviations.isEmpty {
            key("deviations")
            open("[")
            for each in response.deviations {
                open("{")
                member("pointer", each.pointer.bytes)
                member("message", each.message.bytes)
                optionalMember("schema_pointer", each.schemaPointer.bytes)
                optionalMember("found", each.found.bytes)
                close("}")
            }
            close("]")
        }
        key("headers")
        headers(response.headers.fields, masksSecrets: masksSecrets)
        optionalMember("url", response.url.bytes)
        trace(response.trace)
        if response.outcome != .empty {
            let json = response.body.withoutMark
            if JSONDocument.isJSON(json.buffer) {
                key("value")
                copy(json: json.buffer)
                withExtendedLifetime(json) {}
            } else {
                body(response.body.buffer)
            }
        }
        close("}")
    }

    /// Writes the trace only if times were requested: without them, the message does not change.
    private mutating func trace(_ trace: Trace?) {
        guard let trace, let timings = trace.timings else { return }
        key("trace")
        open("{")
        member("queued_us", Int(truncatingIfNeeded: timings.queued))
        member("name_lookup_us", Int(truncatingIfNeeded: timings.nameLookup))
        member("connect_us", Int(truncatingIfNeeded: timings.connect))
        member("tls_us", Int(truncatingIfNeeded: timings.tls))
        member("first_byte_us", Int(truncatingIfNeeded: timings.firstByte))
        member("attempt_us", Int(truncatingIfNeeded: timings.attempt))
        member("elapsed_us", Int(truncatingIfNeeded: timings.elapsed))
        member("connections", Int(timings.connections))
        key("steps")
        open("[")
        for step in trace.steps {
            open("{")
            member("kind", Bytes(staticText: step.reason.name))
            member("http_status", Int(step.httpStatus))
            member("curl_code", Int(step.curlCode))
            member("wait_ms", Int(truncatingIfNeeded: step.waitMilliseconds))
            optionalMember("url", step.url.bytes)
            if step.dropsCredentials {
                key("drops_credentials")
                boolean(true)
            }
            close("}")
        }
        close("]")
        close("}")
    }

    /// Copies JSON text without its white space; digits and escapes are not changed.
    mutating func copy(json text: UnsafeRawBufferPointer) {
        var compact = Bytes()
        compact.storage.reserveCapacity(text.count)
        var isString = false
        var isEscaped = false
        for byte in text {
            if isString {
                isString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
                continue
            } else {
                isString = byte == UInt8(ascii: "\"")
            }
            compact.append(byte)
        }
        raw(compact)
    }

    /// The maximum number of further errors of a call that are written, each within the previous one.
    private static let chainLimit = 16

    mutating func failure(_ failure: Failure, depth: Int) {
        // proof: the depth of the recursion is limited by `chainLimit`.
        let fields = failure.fields
        open("{")
        member("status", Bytes(staticText: fields.status.name))
        member("code", Int(fields.status.rawValue))
        member("message", fields.message)
        if let pointer = fields.pointer { member("pointer", pointer) }
        if let pointer = fields.schemaPointer { member("schema_pointer", pointer) }
        if let offset = fields.offset { member("offset", offset) }
        // A position in a YAML document has no offset.
        if fields.offset != nil || fields.line > 0 {
            member("line", fields.line)
            member("column", fields.column)
        }
        optionalMember("route", fields.route)
        optionalMember("operation", fields.operation)
        optionalMember("parameter", fields.parameter)
        if !fields.allowed.isEmpty {
            key("allowed")
            open("[")
            for name in fields.allowed { looseString(name) }
            close("]")
        }
        optionalMember("suggestion", fields.suggestion)
        if fields.httpStatus != 0 { member("http_status", Int(fields.httpStatus)) }
        if fields.curlCode != 0 { member("curl_code", Int(fields.curlCode)) }
        trace(fields.trace)
        if let answer = fields.response {
            key("response")
            response(answer, masksSecrets: true)
        }
        if let next = fields.next, depth < Self.chainLimit {
            key("next")
            self.failure(next, depth: depth &+ 1)
        }
        close("}")
    }
}
