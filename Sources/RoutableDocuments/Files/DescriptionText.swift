// The JSON text of a description in any supported form: JSON or YAML, one file or many.

package import RoutableCore
package import RoutableJSON

/// A document that was made from several files.
package struct BundledDocument {
    /// A component that comes from another file.
    package struct Name {
        package let reference: Bytes
        package let file: Bytes
        package let pointer: Bytes
    }

    package let json: Bytes
    package let map: SourceMap
    package let warnings: [Bytes]
    package let names: [Name]
    /// The number of files, not counting the document itself.
    package let fileCount: Int

    /// Follows the references of a document to its files; nil if there is nothing to follow.
    ///
    /// - Parameters:
    ///   - places: The positions of a document in YAML.
    ///   - source: The files that references may lead to; nil for none.
    ///   - supplied: The URIs of documents that the caller has passed.
    /// - Throws: `json`, `document`, `limit`, `unsupported`, `file`, `memory`, with the position in the file.
    static func make(
        _ tape: JSONTape, _ places: YAMLPlaces?, _ source: DocumentSource?, supplied: [Bytes], limit: Int
    ) throws(Failure) -> BundledDocument? {
        guard tape.root.isObject, DescriptionText.needsBundle(tape, hasSource: source != nil) else { return nil }
        let name: Bytes = source.map { "\($0.prefix)\($0.document)" } ?? Bytes()
        let root = try DocumentFile.make(source?.document ?? Bytes(), name, tape, places, depth: 0)
        let isSwagger = tape.root.member("swagger") != nil && tape.root.member("openapi") == nil
        var bundle = DocumentBundle(
            root, source, isSwagger: isSwagger, supplied: supplied, byteCount: tape.text.count, limit: limit)
        try bundle.run()
        var writer = DocumentBundleWriter(bundle)
        try writer.write()
        return BundledDocument(
            json: writer.output, map: writer.map, warnings: writer.warnings, names: writer.names,
            fileCount: bundle.files.count &- 1)
    }
}

/// Recognizes YAML, and documents whose references must be followed.
package enum DescriptionText {
    /// The JSON of a document that is YAML, by its name or its content; nil if the document is not YAML.
    ///
    /// - Throws: `json` with line and column, `limit`, `unsupported` without libyaml, `memory`.
    package static func yaml(_ text: UnsafeRawBufferPointer, name: Bytes, limit: Int) throws(Failure) -> YAMLText? {
        guard isYAML(text, name) else { return nil }
        if text.count > limit {
            throw Failure(.limit, "the document has \(text.count) bytes; at most \(limit) are allowed")
        }
        let read = try YAMLReader.read(text, limit: limit)
        try Memory.admit(read.json.count &* Memory.perDocumentByte)
        return read
    }

    /// The JSON of one file of a description.
    static func json(_ bytes: Bytes, name: Bytes, limit: Int) throws(Failure) -> (json: Bytes, places: YAMLPlaces?) {
        let isYAML = bytes.storage.withUnsafeBytes { self.isYAML($0, name) }
        if !isYAML { return (bytes, nil) }
        let read = try bytes.withBuffer { (buffer) throws(Failure) in try YAMLReader.read(buffer, limit: limit) }
        return (read.json, read.places)
    }

    /// Whether a string is YAML: by the extension of the name or, if that is unknown, by the first bytes of the string.
    package static func isYAML(_ text: UnsafeRawBufferPointer, _ name: Bytes) -> Bool {
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return true }
        if name.hasSuffix(".json") { return false }
        var index = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
        while index < text.count, text[index] == 0x20 || text[index] == 0x0A || text[index] == 0x0D || text[index] == 0x09 {
            index &+= 1
        }
        guard index < text.count else { return false }
        switch text[index] {
        // A text file of another kind may begin with a number sign.
        case UInt8(ascii: "#"): return name.isEmpty
        case UInt8(ascii: "%"), UInt8(ascii: "'"): return true
        case UInt8(ascii: "-"): return text.has("--", at: index &+ 1)
        case UInt8(ascii: "\""):
            return ["\"openapi\":", "\"swagger\":", "\"routable\":"].contains { (word: StaticString) in
                text.has(word, at: index)
            }
        case 0x61...0x7A, 0x41...0x5A, UInt8(ascii: "_"), UInt8(ascii: "$"):
            // A key before a colon; otherwise the text may be null, true or false in JSON.
            while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: ":") { index &+= 1 }
            return index < text.count && text[index] == UInt8(ascii: ":")
        default: return false
        }
    }

    /// Whether the document refers to files, or has a reference in place of a part that is found by its pointer.
    static func needsBundle(_ tape: JSONTape, hasSource: Bool) -> Bool {
        let root = tape.root
        if let components = root.member("components") {
            if components.member("$ref") != nil { return true }
            var children = components.children
            while let child = children.read() {
                if child.value.isObject && child.value.member("$ref")?.kind == .text { return true }
            }
        }
        if root.member("definitions")?.member("$ref")?.kind == .text { return true }
        guard hasSource else { return false }
        // The words of a tape are consecutive; the word of a key is followed by that of its value.
        var index: UInt32 = 0
        while index < root.next {
            let key = TapeNode(text: tape.text.start, words: tape.words, index: index)
            index = key.following
            let isMapping = key.equals("mapping")
            guard isMapping || key.equals("$ref"), index < root.next else { continue }
            let value = TapeNode(text: tape.text.start, words: tape.words, index: index)
            if isMapping {
                guard value.isObject else { continue }
                var children = value.children
                while let child = children.read() {
                    if leadsToFile(child.value), child.value.string.isMappedReference { return true }
                }
            } else if leadsToFile(value) {
                return true
            }
        }
        return false
    }

    private static func leadsToFile(_ reference: TapeNode) -> Bool {
        reference.kind == .text && reference.rawText.first != UInt8(ascii: "#")
    }
}
