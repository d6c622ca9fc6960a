// Media types: derived from the extension of a file, or parsed from a Content-Type as WHATWG specifies.

/// A media type, parsed as WHATWG MIME Sniffing (section 4) specifies.
package struct MediaType: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        package var name: Bytes
        package var value: Bytes
    }

    /// In lower case.
    package let type: Bytes
    package let subtype: Bytes
    /// Names in lower case, the first of equal ones.
    package private(set) var parameters: [Parameter] = []

    /// `type/subtype`.
    package var essence: Bytes { "\(type)/\(subtype)" }
    /// Whether a body of the media type is JSON.
    package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    package func parameter(_ name: Bytes) -> Bytes? { parameters.first { $0.name == name }?.value }

    /// Removes the parameter with this name, in lower case.
    mutating func remove(_ name: StaticString) { parameters.removeAll { $0.name.equals(name) } }

    /// nil for a string that is not valid.  Bytes over 127 are kept as they are, or converted from ISO 8859-1 to UTF-8.
    package init?(_ text: Bytes) {
        let bytes = Self.trimmed(text.storage[...])
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let semicolon = bytes[slash...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        let type = bytes[..<slash]
        let subtype = Self.trimmedEnd(bytes[(slash &+ 1)..<semicolon])
        guard Self.isToken(type), Self.isToken(subtype) else { return nil }
        self.type = Bytes(type).lowercased
        self.subtype = Bytes(subtype).lowercased
        read(bytes, from: semicolon)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, from start: Int) {
        var place = start
        // The names, for a fast lookup if there are many.
        var names = Set<Bytes>()
        while place < bytes.endIndex {
            place &+= 1  // the semicolon
            while place < bytes.endIndex, Self.isSpace(bytes[place]) { place &+= 1 }
            let nameStart = place
            while place < bytes.endIndex, bytes[place] != UInt8(ascii: ";"), bytes[place] != UInt8(ascii: "=") { place &+= 1 }
            let name = bytes[nameStart..<place]
            if place >= bytes.endIndex { break }
            if bytes[place] == UInt8(ascii: ";") { continue }
            place &+= 1  // the equals sign
            if place >= bytes.endIndex { break }
            var value = Bytes()
            if bytes[place] == UInt8(ascii: "\"") {
                place = Self.quoted(bytes, place &+ 1, &value)
                while place < bytes.endIndex, bytes[place] != UInt8(ascii: ";") { place &+= 1 }
            } else {
                let valueStart = place
                while place < bytes.endIndex, bytes[place] != UInt8(ascii: ";") { place &+= 1 }
                value = Bytes(Self.trimmedEnd(bytes[valueStart..<place]))
                if value.isEmpty { continue }
            }
            let lower = Bytes(name).lowercased
            guard Self.isToken(name), value.storage.allSatisfy(Self.isQuotable) else { continue }
            if parameters.count == 16 { names = Set(parameters.map { $0.name }) }
            let isNew = parameters.count < 16 ? parameter(lower) == nil : names.insert(lower).inserted
            if isNew { parameters.append(Parameter(name: lower, value: value)) }
        }
    }

    /// The text between quotes; returns the offset after them.
    private static func quoted(_ bytes: ArraySlice<UInt8>, _ start: Int, _ value: inout Bytes) -> Int {
        var place = start
        while place < bytes.endIndex {
            let byte = bytes[place]
            place &+= 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), place < bytes.endIndex {
                value.append(bytes[place])
                place &+= 1
            } else {
                value.append(byte)
            }
        }
        return place
    }

    /// The text, serialised as WHATWG specifies.
    package var text: Bytes {
        var result = essence
        for parameter in parameters {
            result.append(";\(parameter.name)=")
            if Self.isToken(parameter.value.storage[...]) {
                result.append(parameter.value)
                continue
            }
            result.append("\"")
            for byte in parameter.value.storage {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.append("\\") }
                result.append(byte)
            }
            result.append("\"")
        }
        return result
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(ASCII.isToken) }
    private static func isQuotable(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        return trimmedEnd(rest)
    }

    private static func trimmedEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    // MARK: Of files

    /// The media type for the extension of a filename; `application/octet-stream` for an unknown one.
    package static func of(file name: Bytes) -> Bytes {
        if let dot = name.storage.lastIndex(of: UInt8(ascii: ".")) {
            let ending = Bytes(name.storage[(dot &+ 1)...]).lowercased
            for (known, type) in endings where ending.equals(known) { return Bytes(static: type) }
        }
        return "application/octet-stream"
    }

    private static var endings: [(StaticString, StaticString)] {
        [
            ("json", "application/json"), ("txt", "text/plain"), ("html", "text/html"), ("htm", "text/html"),
            ("css", "text/css"), ("csv", "text/csv"), ("md", "text/markdown"), ("xml", "application/xml"),
            ("js", "text/javascript"), ("yaml", "application/yaml"), ("yml", "application/yaml"),
            ("pdf", "application/pdf"), ("zip", "application/zip"), ("gz", "application/gzip"), ("tar", "application/x-tar"),
            ("zst", "application/zstd"), ("png", "image/png"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"),
            ("gif", "image/gif"), ("webp", "image/webp"), ("avif", "image/avif"), ("svg", "image/svg+xml"),
            ("bmp", "image/bmp"), ("ico", "image/vnd.microsoft.icon"), ("tif", "image/tiff"), ("tiff", "image/tiff"),
            ("mp3", "audio/mpeg"), ("m4a", "audio/mp4"), ("ogg", "audio/ogg"), ("wav", "audio/wav"), ("flac", "audio/flac"),
            ("mp4", "video/mp4"), ("webm", "video/webm"), ("mov", "video/quicktime"), ("wasm", "application/wasm"),
            ("jsonl", "application/jsonl"), ("ndjson", "application/x-ndjson"), ("woff2", "font/woff2"),
        ]
    }
}
