// Writes multipart/form-data (RFC 7578), with names escaped as WHATWG HTML specifies ("multipart/form-data encoding
// algorithm").

internal import CSystem

/// The parts of a body, while it is built.
package struct Multipart: Sendable {
    /// One part: its name, and its content from memory, a file or the host.
    package struct Part: Sendable {
        package var name: Bytes
        package var content: StreamedBody.Piece
        /// nil for a field with a string as its value.
        package var filename: Bytes?
        /// Empty for none.
        package var contentType: Bytes
        /// Further headers, which are valid.
        package var headers: [HeaderField]

        package init(
            name: Bytes, content: StreamedBody.Piece, filename: Bytes? = nil, contentType: Bytes = Bytes(),
            headers: [HeaderField] = []
        ) {
            self.headers = headers
            self.name = name
            self.content = content
            self.filename = filename
            self.contentType = contentType
        }
    }

    /// The body; in memory if all its parts are.
    package struct Written: Sendable {
        package var contentType: Bytes
        package var bytes: Bytes?
        package var streamed: StreamedBody?
    }

    private struct Entry {
        var head: Bytes
        var part: Part
    }

    private let mediaType: Bytes
    /// Line breaks of names and of values without a filename become CR LF, as an HTML form sends them.
    private let normalisesNewlines: Bool
    private var entries: [Entry] = []

    package init(mediaType: Bytes = "multipart/form-data", normalisesNewlines: Bool = false) {
        self.mediaType = mediaType
        self.normalisesNewlines = normalisesNewlines
    }

    private var isForm: Bool { mediaType == "multipart/form-data" }

    /// Failures: `value` for a name that is not UTF-8 or has a control byte, `header` for the content type.
    package mutating func append(_ given: Part) throws(Failure) {
        var part = given
        if !part.contentType.isEmpty {
            // A function that throws the reason.
            part.contentType = try HeaderField.checked("Content-Type", part.contentType).value
            if part.contentType.isEmpty { throw Failure(.header, "the content type of a part contains only white space") }
        }
        if normalisesNewlines {
            part.name = Self.withNewlines(part.name)
            if part.filename == nil, let text = part.content.memory {
                part.content = StreamedBody.Piece(memory: Self.withNewlines(text.bytes))
            }
        }
        var head = Bytes()
        if isForm {
            head.append("Content-Disposition: form-data; name=\"\(try Self.escaped(part.name))\"")
            if let filename = part.filename { head.append("; filename=\"\(try Self.escaped(filename))\"") }
            head.append("\r\n")
        }
        if !part.contentType.isEmpty { head.append("Content-Type: \(part.contentType)\r\n") }
        for header in part.headers where !Self.isReserved(header.name) { head.append("\(header.name): \(header.value)\r\n") }
        entries.append(Entry(head: head, part: part))
    }

    /// The headers of a part: its name, its filename and its content type.
    private static func isReserved(_ name: Bytes) -> Bool {
        name.equalsIgnoringCase("Content-Disposition") || name.equalsIgnoringCase("Content-Type")
    }

    /// The three bytes that WHATWG escapes; other control bytes, which would end up in the header, are refused.
    private static func escaped(_ name: Bytes) throws(Failure) -> Bytes {
        if !UTF8Check.isValid(name) { throw Expansion.refusal(name, "a name or filename is not UTF-8") }
        var result = Bytes()
        for byte in name.storage {
            switch byte {
            case UInt8(ascii: "\""): result.append("%22")
            case 0x0D: result.append("%0D")
            case 0x0A: result.append("%0A")
            case 0x09: result.append(byte)
            default:
                if ASCII.isControl(byte) { throw Expansion.refusal(name, "a name or filename has a control character") }
                result.append(byte)
            }
        }
        return result
    }

    static func withNewlines(_ text: Bytes) -> Bytes {
        var result = Bytes()
        var isAfterReturn = false
        for byte in text.storage {
            switch byte {
            case 0x0D: result.append("\r\n")
            case 0x0A: if !isAfterReturn { result.append("\r\n") }
            default: result.append(byte)
            }
            isAfterReturn = byte == 0x0D
        }
        return result
    }

    // MARK: Writing

    /// - Throws: `limit`, if the parts in memory are too large.
    package func written() throws(Failure) -> Written {
        let boundary = self.boundary
        let type: Bytes = "\(mediaType); boundary=\(boundary)"
        var pieces: [StreamedBody.Piece] = []
        var output = Bytes()
        var total = 0
        for entry in entries {
            output.append("--\(boundary)\r\n\(entry.head)\r\n")
            if let memory = entry.part.content.memory {
                output.append(contentsOf: memory.buffer)
            } else {
                total &+= output.count
                pieces.append(StreamedBody.Piece(memory: output))
                pieces.append(entry.part.content)
                output = Bytes()
            }
            output.append("\r\n")
            if output.count &+ total > Limits.formBytes {
                throw Failure(.limit, "the multipart body is over \(Limits.formBytes) bytes")
            }
        }
        output.append("--\(boundary)--\r\n")
        if pieces.isEmpty { return Written(contentType: type, bytes: output, streamed: nil) }
        pieces.append(StreamedBody.Piece(memory: output))
        return Written(contentType: type, bytes: nil, streamed: StreamedBody(pieces, forms: entries.map { Self.form($0.part) }))
    }

    /// A boundary that none of the parts in memory contains, and that is the same for the same parts.  The content of files and of the
    /// host is not known in advance: with such parts, the boundary has 128 random bits.
    private var boundary: Bytes {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var twin: UInt64 = 0x9E37_79B9_7F4A_7C15
        for entry in entries {
            for byte in entry.head.storage { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            if let memory = entry.part.content.memory {
                for byte in memory.buffer {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                    twin = (twin &+ UInt64(byte)) &* 0xFF51_AFD7_ED55_8CCD ^ hash >> 31
                }
            } else {
                hash ^= UInt64(csystem_random()) << 32 | UInt64(csystem_random())
                twin ^= UInt64(csystem_random()) << 32 | UInt64(csystem_random())
            }
        }
        while true {
            var boundary: Bytes = "routable-"
            for word in [hash, twin] {
                var shift: UInt64 = 64
                while shift > 0 {
                    shift &-= 4
                    boundary.append(ASCII.hexDigit(UInt8(truncatingIfNeeded: word >> shift)))
                }
            }
            if !entries.contains(where: { $0.part.content.memory?.bytes.contains(boundary) ?? false }) { return boundary }
            twin = (twin ^ hash) &* 0xC4CE_B9FE_1A85_EC53 &+ 1
        }
    }

    // MARK: In curl commands

    /// The value of `curl --form` for the same part.
    private static func form(_ part: Part) -> Bytes {
        var word: Bytes = "\(part.name)="
        if let memory = part.content.memory {
            word.append(formQuoted(memory.bytes))
        } else if let file = part.content.file {
            word.append("@")
            word.append(formQuoted(file))
        } else {
            word.append("@-")
        }
        if !part.contentType.isEmpty { word.append(";type=\(part.contentType)") }
        if let filename = part.filename { word.append(";filename=\(formQuoted(filename))") }
        return word
    }

    private static func formQuoted(_ text: Bytes) -> Bytes {
        var result: Bytes = "\""
        for byte in text.storage {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.append("\\") }
            result.append(byte)
        }
        result.append("\"")
        return result
    }
}

extension Bytes {
    /// The bytes after the last slash of a path.
    public var lastComponent: Bytes {
        guard let slash = storage.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return Bytes(storage[(slash &+ 1)...])
    }
}
