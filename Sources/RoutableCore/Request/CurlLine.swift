// A request as a command that is safe to paste into a POSIX shell (statement A7).

extension Request {
    /// The request as a command `curl -X VERB ...`, single-quoted, with one option in each line.  Secrets are masked unless
    /// `showsSecrets` is true.
    public func curlLine(showsSecrets: Bool) -> Bytes {
        var line = CurlLine(method: method.bytes, url: url.bytes, headers: headers, body: body, streams: streams)
        line.secretHeaders = secretHeaders
        return line.text(hiding: showsSecrets ? nil : plan.router.description.authSchemes)
    }
}

/// An outgoing request as a command.
package struct CurlLine {
    var method: Bytes
    var url: Bytes
    var headers: HeaderBlock
    var body: Text?
    /// A body that is not in memory.
    var streams: RequestStreams?
    /// Names of further headers with secret values.
    package var secretHeaders: [Bytes] = []
    /// Whether a compressed response is accepted.
    package var decompresses = false

    package init(method: Bytes, url: Bytes, headers: HeaderBlock, body: Text?, streams: RequestStreams?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.streams = streams
    }

    /// nil hides nothing; otherwise the headers that are always secret and the keys of these schemes are hidden.
    package func text(hiding schemes: [AuthScheme]?) -> Bytes {
        func isSecret(_ name: Bytes) -> Bool {
            guard let schemes else { return false }
            return HeaderField.isSecret(name) || secretHeaders.contains { $0.equalsIgnoringCase(name) }
                || schemes.contains { $0.kind == .key && $0.location == .header && $0.parameter.equalsIgnoringCase(name) }
        }
        var parts: [Bytes] = ["curl -X \(Self.quoted(method))"]
        let forms = streams?.body?.forms ?? []
        // With a form, curl chooses the boundary.
        for field in headers.fields where forms.isEmpty || !field.name.equalsIgnoringCase("content-type") {
            let value: Bytes = isSecret(field.name) ? "***" : field.value
            // curl drops a header without a value after the colon; with a semicolon, it sends the header with an empty value.
            parts.append("-H \(Self.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        for form in forms { parts.append("--form \(Self.quoted(Bytes(form.storage.filter { $0 != 0 })))") }
        if forms.isEmpty, let piece = streams?.body?.pieces.first {
            parts.append("--data-binary \(Self.quoted(piece.file.map { "@\($0)" } ?? "@-"))")
        }
        if let body {
            if body.bytes.storage.contains(0) {
                // A shell argument cannot contain NUL: printf writes the bytes, and curl reads them.
                parts.append("--data-binary @-")
            } else {
                // If the body begins with @, --data-binary would read a file; --data-raw does not, and there is
                // no other difference for such a body.
                let option: Bytes = body.bytes.storage.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary"
                parts.append("\(option) \(Self.quoted(body.bytes))")
            }
        }
        if decompresses { parts.append("--compressed") }
        parts.append("--path-as-is")
        parts.append("--url \(Self.quoted(schemes.map { Self.masked(url, $0) } ?? url))")
        var line = parts.joined(by: " \\\n\t")
        if let body, body.bytes.storage.contains(0) { line = "printf \(Self.octal(body.bytes)) | \(line)" }
        return line
    }

    /// The URL with `***` for the values of keys.
    package static func masked(_ url: Bytes, _ schemes: [AuthScheme]) -> Bytes {
        let names = schemes.filter { $0.kind == .key && $0.location == .query }.map {
            PercentCoding.encode($0.parameter, .unreserved)
        }
        guard !names.isEmpty, let start = url.storage.firstIndex(of: UInt8(ascii: "?")) else { return url }
        let items = Bytes(url.storage[(start &+ 1)...]).split(on: UInt8(ascii: "&")).map { (item) -> Bytes in
            for name in names where item.hasPrefix("\(name)=") { return "\(name)=***" }
            return item
        }
        return "\(Bytes(url.storage[...start]))\(items.joined(by: "&"))"
    }

    /// The text in single quotes; a quote within it is written as `'\''`.
    private static func quoted(_ text: Bytes) -> Bytes {
        var result: Bytes = "'"
        for byte in text.storage {
            if byte == UInt8(ascii: "'") { result.append("'\\''") } else { result.append(byte) }
        }
        result.append("'")
        return result
    }

    private static func octal(_ body: Bytes) -> Bytes {
        var result: Bytes = "'"
        for byte in body.storage {
            result.append("\\")
            result.append(0x30 &+ (byte >> 6))
            result.append(0x30 &+ (byte >> 3 & 7))
            result.append(0x30 &+ (byte & 7))
        }
        result.append("'")
        return result
    }
}
