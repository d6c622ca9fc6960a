// A request as a command that is safe to paste into a POSIX shell (BEHAVIOUR A7).

extension Request {
    /// `curl -X VERB ...`, single-quoted, one option a line.  Secrets are masked unless asked for.
    public func curlLine(showsSecrets: Bool) -> Bytes {
        var parts: [Bytes] = ["curl -X \(Self.quoted(method.bytes))"]
        let forms = streams?.body?.forms ?? []
        // The boundary is curl's own then.
        for field in headerFields where forms.isEmpty || !field.name.isName("content-type") {
            let value: Bytes = !showsSecrets && HeaderField.isSecret(field.name) ? "***" : field.value
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
        parts.append("--path-as-is")
        parts.append("--url \(Self.quoted(url.bytes))")
        var line = parts.joined(by: " \\\n\t")
        if let body, body.bytes.storage.contains(0) { line = "printf \(Self.octal(body.bytes)) | \(line)" }
        return line
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
