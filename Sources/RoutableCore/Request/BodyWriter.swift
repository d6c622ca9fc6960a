// A body in one of the media types that an operation declares: JSON, a form, multipart, or unchanged text.

/// Writes the body of one request.
package struct BodyWriter {
    let label: Bytes
    let bodies: [BodyDescription]
    let codec: (any BodyCodec)?
    /// Whether line breaks in the strings of a multipart body become CR LF.
    var normalisesNewlines = false

    /// The declared media type that a call selects: that of its content type, otherwise the first one.
    ///
    /// - Throws: `body`, with the declared media types.
    func choose(_ contentType: Bytes?) throws(Failure) -> BodyDescription {
        guard let contentType else {
            // proof: the callers have checked that there is one.
            guard let first = bodies.first else { throw refusal("the operation declares no body") }
            return first
        }
        let wanted = Self.essence(contentType)
        var best: (rank: Int, body: BodyDescription)?
        for body in bodies {
            let rank = body.mediaType.equalsIgnoringCase(contentType) ? 3 : Self.rank(Self.essence(body.mediaType), wanted)
            if rank > best?.rank ?? 0 { best = (rank, body) }
        }
        guard let best else {
            throw refusal("the content type \"\(contentType.printable)\" is not declared").with {
                $0.allowed = bodies.map { $0.mediaType }.ordered()
                $0.suggestion = NearestName.find(contentType, among: $0.allowed) ?? Bytes()
            }
        }
        return best.body
    }

    private func refusal(_ reason: Bytes) -> Failure {
        Failure(.body, "\(label): \(reason)") { $0.pointer = "/body" }
    }

    /// `type/subtype` in lower case.
    package static func essence(_ mediaType: Bytes) -> Bytes {
        let essence = mediaType.split(on: UInt8(ascii: ";")).first ?? Bytes()
        return Bytes(essence.storage.filter { $0 != 0x20 && $0 != 0x09 }).lowercased
    }

    /// 2 for the same media type, 1 for a range that contains it, 0 otherwise.
    private static func rank(_ declared: Bytes, _ wanted: Bytes) -> Int {
        if declared == wanted { return 2 }
        if declared == "*/*" { return 1 }
        guard declared.hasSuffix("/*") else { return 0 }
        return wanted.hasPrefix(Bytes(declared.storage.dropLast())) ? 1 : 0
    }

    /// Whether a media type is a range, such as `image/*`.
    package static func isRange(_ mediaType: Bytes) -> Bool { mediaType.storage.contains(UInt8(ascii: "*")) }

    /// The bytes of a value with their Content-Type.
    func write(_ value: Value, as body: BodyDescription) throws(Failure) -> (bytes: Bytes, contentType: Bytes) {
        let isRange = Self.isRange(body.mediaType)
        switch body.form {
        case .json:
            let text = try json(value)
            if let type = body.type { try check(text, type) }
            return (text, isRange ? "application/json" : body.mediaType)
        case .form:
            if let type = body.type, case .object = value { try check(try json(value), type) }
            return (try form(value, body), isRange ? FormEncoding.contentType : body.mediaType)
        case .multipart:
            let written = try multipart(value, [], body)
            return (written.bytes ?? Bytes(), written.contentType)
        case .bytes:
            guard let text = value.scalarText else {
                throw refusal(
                    "the body is \(body.mediaType.printable) and must be bytes or a string; \(value.kindName) was given")
            }
            return (text, isRange ? "application/octet-stream" : body.mediaType)
        }
    }

    private func json(_ value: Value) throws(Failure) -> Bytes {
        guard let codec else { throw Failure(.unsupported, "\(label): the router was opened without a JSON codec") }
        do { return try codec.text(of: value) } catch { throw error.at("/body") }
    }

    private func check(_ text: Bytes, _ type: Int) throws(Failure) {
        do { try codec?.check(body: text, against: type) } catch {
            throw error.with { $0.pointer = "/body\($0.pointer ?? "")" }
        }
    }

    // MARK: - Forms

    private func form(_ value: Value, _ body: BodyDescription) throws(Failure) -> Bytes {
        guard let form = value.form else {
            throw refusal("a form must be an object or an array of pairs [name, value]; \(value.kindName) was given")
        }
        var output = Bytes()
        for member in form.members where !member.value.isNull {
            let part = body.parts.first { $0.name == member.name }
            var items = Bytes()
            do throws(Failure) {
                if let style = part?.style {
                    items = try style.write(member.name, member.value, .query, codec: codec)
                } else {
                    var elements = [member.value]
                    let isJSON = part.map { Self.isJSON($0.contentType) } ?? false
                    if case .array(let given) = member.value, !isJSON { elements = given }
                    for element in elements where !element.isNull {
                        var text = isJSON ? nil : element.scalarText
                        if text == nil { text = try json(element) }
                        guard let text else { continue }
                        if !UTF8Check.isValid(text) || !UTF8Check.isValid(member.name) {
                            throw Expansion.refusal(member.name, "it is not UTF-8")
                        }
                        if !items.isEmpty { items.append(UInt8(ascii: "&")) }
                        PercentCoding.append(member.name, .whatwgForm, to: &items)
                        items.append(UInt8(ascii: "="))
                        PercentCoding.append(text, .whatwgForm, to: &items)
                    }
                }
            } catch { throw error.with { $0.pointer = "/body/\(member.name.pointerEscaped)" } }
            if items.isEmpty { continue }
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            output.append(items)
            if output.count > Limits.formBytes { throw Failure.formLimit }
        }
        return output
    }

    package static func isJSON(_ mediaType: Bytes) -> Bool {
        let essence = essence(mediaType)
        return essence == "application/json" || essence.hasSuffix("+json") || essence.hasSuffix("/json")
    }

    // MARK: - Multipart (RFC 7578)

    /// The same with parts that are files, which a value cannot contain.
    func multipart(_ value: Value, _ files: [Multipart.Part], _ body: BodyDescription) throws(Failure) -> Multipart.Written {
        guard let form = value.form else {
            throw refusal("a multipart body must be an object or an array of pairs [name, part]; \(value.kindName) was given")
        }
        if let schema = body.type, case .object(let members) = value { try check(members, files, body, schema) }
        let type: Bytes = Self.isRange(body.mediaType) ? "multipart/form-data" : Self.essence(body.mediaType)
        var multipart = Multipart(mediaType: type, normalisesNewlines: normalisesNewlines)
        for member in form.members where !member.value.isNull {
            let part = body.parts.first { $0.name == member.name } ?? PartDescription(name: member.name)
            var elements = [member.value]
            if case .array(let given) = member.value, !Self.isJSON(part.contentType) { elements = given }
            for element in elements where !element.isNull {
                do throws(Failure) { try multipart.append(try self.part(member.name, element, part)) } catch {
                    throw error.with { $0.pointer = "/body/\(member.name.pointerEscaped)" }
                }
            }
        }
        for file in files {
            var file = file
            if file.contentType.isEmpty {
                let declared = body.parts.first { $0.name == file.name }?.contentType ?? Bytes()
                let isOne = !declared.storage.contains(UInt8(ascii: ",")) && !Self.isRange(declared)
                file.contentType =
                    isOne && !declared.isEmpty ? declared : file.filename.map { MediaType.of(file: $0) } ?? Bytes()
            }
            do throws(Failure) { try multipart.append(file) } catch {
                throw error.with { $0.pointer = "/files/\(file.name.pointerEscaped)" }
            }
        }
        return try multipart.written()
    }

    /// Validates the fields of a multipart body.  A file counts as a string, whose content is not validated.
    private func check(
        _ members: [Value.Member], _ files: [Multipart.Part], _ body: BodyDescription, _ schema: Int
    ) throws(Failure) {
        guard let checker = try codec?.checker(of: schema, for: .body) else { return }
        var known = KeyedValues<Bytes, Bytes>()
        var names = KeyedValues<Bytes, Bytes>()
        var shown: [Value.Member] = []
        for member in members where !member.value.isNull {
            _ = known.place(of: member.name, adding: member.name)
            let isBinary = body.parts.first { $0.name == member.name }?.isBinary ?? false
            var elements = [member.value]
            if case .array(let given) = member.value { elements = given }
            if elements.contains(where: { FilePart($0, isBinary: isBinary) != nil }) {
                _ = names.place(of: member.name, adding: member.name)
                shown.append(Value.Member(name: member.name, value: .text(Bytes())))
            } else {
                shown.append(member)
            }
        }
        for file in files {
            // A field with the name of a file is validated instead of the file.
            if known[file.name] != nil { continue }
            _ = names.place(of: file.name, adding: file.name)
            _ = known.place(of: file.name, adding: file.name)
            shown.append(Value.Member(name: file.name, value: .text(Bytes())))
        }
        let text = try json(.object(shown))
        do throws(Failure) {
            try text.withBuffer { (buffer) throws(Failure) in try checker.check(json: buffer, maximumErrors: Limits.errors) }
        } catch {
            if error.status != .body { throw error }
            if let failure = error.without(names.values) { throw failure.belowBody }
        }
    }

    /// A part is a string, a number, a boolean, a value that becomes JSON, or bytes with their metadata:
    /// `{"base64": "...", "filename": "a.png", "content_type": "image/png", "headers": {"X-Id": "1"}}`, with `text` instead of
    /// `base64` for text.  Of several declared media types, the value selects one.
    private func part(_ name: Bytes, _ value: Value, _ part: PartDescription) throws(Failure) -> Multipart.Part {
        let declared = Self.alternatives(part.contentType)
        var contentType = Bytes()
        if declared.count == 1, !Self.isRange(declared[0]) { contentType = declared[0] }
        var filename: Bytes?
        var content: Bytes
        var headers = part.headers
        if let file = FilePart(value, isBinary: part.isBinary) {
            content = try file.content()
            filename = file.filename
            for header in file.headers { headers.set(try HeaderField.checked(header.name, header.value)) }
            if let type = file.contentType { contentType = type }
            if contentType.isEmpty, let filename {
                let own = MediaType.of(file: filename)
                contentType = declared.first { Self.essence($0) == own } ?? Bytes()
            }
            if contentType.isEmpty { contentType = declared.first { !Self.isRange($0) } ?? "application/octet-stream" }
        } else if let text = value.scalarText, !Self.isJSON(contentType) {
            content = text
            if contentType.isEmpty { contentType = declared.first { !Self.isRange($0) && !Self.isJSON($0) } ?? Bytes() }
            if part.isBinary {
                filename = name
                if contentType.isEmpty { contentType = "application/octet-stream" }
            }
        } else {
            let types = declared.filter { Self.isJSON($0) }
            let takesJSON = declared.isEmpty || declared.contains { $0 == "*/*" || $0 == "application/*" }
            if types.isEmpty && !takesJSON {
                throw Failure(
                    .body,
                    "\(label): the part \(name.printable) is \(part.contentType.printable) and must be bytes or a string; \(value.kindName) was given"
                ) { $0.allowed = declared }
            }
            content = try json(value)
            contentType = types.first ?? "application/json"
        }
        return Multipart.Part(
            name: name, content: StreamedBody.Piece(memory: content), filename: filename, contentType: contentType,
            headers: headers)
    }

    /// The media types of a list such as `image/png, image/jpeg`.
    private static func alternatives(_ contentType: Bytes) -> [Bytes] {
        contentType.split(on: UInt8(ascii: ",")).map { type in
            var bytes = type.storage[...]
            while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
            while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
            return Bytes(bytes)
        }.filter { !$0.isEmpty }
    }
}

/// Bytes with metadata, given as an object.
private struct FilePart {
    private let base64: Bytes?
    private let text: Bytes?
    let filename: Bytes?
    let contentType: Bytes?
    let headers: [HeaderField]

    /// nil for other values: for a property that is not declared binary, `base64` or `text` and `filename`
    /// must be present, and no other members.
    init?(_ value: Value, isBinary: Bool) {
        guard case .object(let members) = value else { return nil }
        var base64: Bytes?
        var plain: Bytes?
        var filename: Bytes?
        var contentType: Bytes?
        var headers: [HeaderField] = []
        for member in members {
            if member.name == "headers", case .object(let given) = member.value {
                for header in given {
                    guard let text = header.value.scalarText else { return nil }
                    headers.append(HeaderField(header.name, text))
                }
                continue
            }
            guard case .text(let text) = member.value else { return nil }
            switch member.name {
            case "base64": base64 = text
            case "text": plain = text
            case "filename": filename = text
            case "content_type": contentType = text
            default: return nil
            }
        }
        guard (base64 == nil) != (plain == nil), isBinary || filename != nil else { return nil }
        self.base64 = base64
        text = plain
        self.filename = filename
        self.contentType = contentType
        self.headers = headers
    }

    func content() throws(Failure) -> Bytes {
        if let text { return text }
        let (bytes, fault) = Base64.decode(base64 ?? Bytes())
        if let fault { throw Failure(.body, "the content of a part is not valid padded base64 at byte \(fault)") }
        return bytes
    }
}

extension Bytes {
    /// Whether these bytes contain the other bytes.
    public func contains(_ other: Bytes) -> Bool {
        guard let first = other.storage.first, other.count <= count else { return other.isEmpty }
        return storage.withUnsafeBufferPointer { bytes in
            var index = 0
            while index <= bytes.count &- other.count {
                if bytes[index] == first {
                    var offset = 1
                    while offset < other.count && bytes[index &+ offset] == other.storage[offset] { offset &+= 1 }
                    if offset == other.count { return true }
                }
                index &+= 1
            }
            return false
        }
    }
}
