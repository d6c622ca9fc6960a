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

/// What goes out, as a command.
package struct CurlLine {
    var method: Bytes
    var url: Bytes
    var headers: HeaderBlock
    var body: Text?
    /// A body that is not in memory.
    var streams: RequestStreams?
    /// Further names of headers that are secret.
    package var secretHeaders: [Bytes] = []
    /// Whether an answer may come compressed.
    package var decompresses = false

    package init(method: Bytes, url: Bytes, headers: HeaderBlock, body: Text?, streams: RequestStreams?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.streams = streams
    }

    /// nil hides nothing; otherwise what is secret always, and the keys of these schemes.
    package func text(hiding schemes: [AuthScheme]?) -> Bytes {
        func isSecret(_ name: Bytes) -> Bool {
            guard let schemes else { return false }
            return HeaderField.isSecret(name) || secretHeaders.contains { $0.equalsIgnoringCase(name) }
                || schemes.contains { $0.kind == .key && $0.location == .header && $0.parameter.equalsIgnoringCase(name) }
        }
        var parts: [Bytes] = ["curl -X \(Self.quoted(method))"]
        let forms = streams?.body?.forms ?? []
        // The boundary is curl's own then.
        for field in headers.fields where forms.isEmpty || !field.name.equalsIgnoringCase("content-type") {
            let value: Bytes = isSecret(field.name) ? "***" : field.value
            // curl drops a header that ends in its colon; a semicolon sends it empty.
            parts.append("-H \(Self.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        for form in forms { parts.append("--form \(Self.quoted(Bytes(form.storage.filter { $0 != 0 })))") }
        if forms.isEmpty, let piece = streams?.body?.pieces.first {
            parts.append("--data-binary \(Self.quoted(piece.file.map { "@\($0)" } ?? "@-"))")
        }
        if let body {
            if body.bytes.storage.contains(0) {
                // A shell argument cannot hold NUL: printf writes the bytes, curl reads them.
                parts.append("--data-binary @-")
            } else {
                // Where the body begins with @, --data-binary would read a file; --data-raw does not, and
                // differs in nothing else here.
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

    /// A URL with `***` for the values of keys.
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

    /// Single quotes; a quote within them as `'\''`.
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
