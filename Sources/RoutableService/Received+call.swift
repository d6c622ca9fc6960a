// Writes the call of a request that was read, in the format that the functions for building requests accept (docs/json-tier.md).

package import RoutableCore
internal import RoutableJSON

extension Received {
    /// The call as JSON; nil if no request was read.
    package func callJSON() throws(Failure) -> Bytes? {
        guard let call = try call() else { return nil }
        var writer = JSONWriter()
        writer.open("{")
        writer.optionalMember("route", call.plan.route.bytes)
        writer.member("operation", call.plan.operation.name.bytes)
        switch call.ids {
        case .named(let members): try write(members, "ids", &writer)
        case .positional(let values):
            if !values.isEmpty {
                writer.key("ids")
                try writer.value(.array(values))
            }
        }
        try write(call.query, "query", &writer)
        if let parameters = call.parameters {
            writer.key("parameters")
            try writer.value(.object(parameters))
        }
        try write(call.headers, "headers", &writer)
        try write(call.cookies, "cookies", &writer)
        switch call.body {
        case .absent: break
        case .json(let text):
            writer.key("body")
            writer.raw(text)
        case .value(let value):
            writer.key("body")
            try writer.value(value)
        case .bytes: content(body, "body_text", "body_base64", &writer)
        }
        files(call.files, &writer)
        if let type = call.contentType { writer.member("content_type", type) }
        writer.close("}")
        return writer.text
    }

    private func write(_ members: [Value.Member], _ key: StaticString, _ writer: inout JSONWriter) throws(Failure) {
        if members.isEmpty { return }
        writer.key(key)
        try writer.value(.object(members))
    }

    private func content(
        _ bytes: UnsafeRawBufferPointer, _ text: StaticString, _ base64: StaticString, _ writer: inout JSONWriter
    ) {
        // In a call, "content" must not contain U+0000.
        if UTF8Check.isValid(bytes) && !bytes.contains(0) {
            writer.key(text)
            writer.string(bytes)
        } else {
            writer.key(base64)
            writer.string(Base64.encode(bytes))
        }
    }

    /// The value of each name is a file, or an array of files.
    private func files(_ files: [ReceivedCall.File], _ writer: inout JSONWriter) {
        if files.isEmpty { return }
        var named = KeyedValues<Bytes, [ReceivedCall.File]>()
        for file in files {
            let place = named.place(of: file.name, adding: [])
            named.values[place].append(file)
        }
        writer.key("files")
        writer.open("{")
        for files in named.values {
            guard let first = files.first else { continue }
            writer.key(of: first.name)
            if files.count > 1 { writer.open("[") }
            for file in files { self.file(file, &writer) }
            if files.count > 1 { writer.close("]") }
        }
        writer.close("}")
    }

    private func file(_ file: ReceivedCall.File, _ writer: inout JSONWriter) {
        writer.open("{")
        // proof: the reader of the body has set a range within the body.
        if file.content.upperBound <= body.count {
            content(
                body.part(file.content.lowerBound, file.content.upperBound), "content", "content_base64", &writer)
        }
        if let filename = file.filename { writer.member("filename", filename) }
        if !file.contentType.isEmpty { writer.member("content_type", file.contentType) }
        writer.close("}")
    }
}
