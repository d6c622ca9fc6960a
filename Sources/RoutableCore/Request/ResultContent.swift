// Selects the schema of a response by its Content-Type, the most specific declaration first.

extension ResultContent {
    package var isJSON: Bool { BodyWriter.isJSON(essence) }
    package var isRange: Bool { BodyWriter.isRange(essence) }

    /// The quality of the match between a response of this media type and the declaration; 0 if it does not match.
    fileprivate func rank(_ given: MediaType) -> Int {
        let wanted = given.essence
        if essence == wanted {
            var isMet = true
            let parameters = hasParameters ? MediaType(mediaType)?.parameters ?? [] : []
            for parameter in parameters {
                guard let value = given.parameter(parameter.name) else {
                    isMet = false
                    continue
                }
                // Character sets are case-insensitive.
                let isEqual =
                    parameter.name == "charset" ? value.equalsIgnoringCase(parameter.value) : value == parameter.value
                if !isEqual && parameter.name != "charset" { return 0 }
                isMet = isMet && isEqual
            }
            return isMet ? 100 &+ min(parameters.count, 64) : 50
        }
        if essence == "*/*" { return 5 }
        if essence.hasSuffix("/*") { return wanted.hasPrefix(Bytes(essence.storage.dropLast())) ? 10 : 0 }
        // RFC 6839: `application/json` matches `application/vnd.x+json`, and vice versa.
        guard isJSON, essence.hasSuffix("+\(given.subtype)") || given.subtype.hasSuffix("+json") && essence.hasSuffix("/json")
        else { return 0 }
        return 1
    }

    /// Whether a Content-Type without its parameters is equal to the essence.
    fileprivate func isEssence(of given: UnsafeRawBufferPointer) -> Bool {
        let count = essence.count
        guard given.count >= count, count > 0 else { return false }
        if given.count > count {
            let next = given[count]
            if next != UInt8(ascii: ";") && next != 0x20 && next != 0x09 { return false }
        }
        return essence.storage.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: given[..<count]).isName($0) }
    }
}

extension ResultDescription {
    /// The index of the declared media type that matches a Content-Type best, the first one of several; nil if none does.
    package func content(for given: UnsafeRawBufferPointer) -> Int? {
        // Nearly all Content-Types have no parameters.
        if !contents.contains(where: { $0.hasParameters }),
            let index = contents.firstIndex(where: { $0.isEssence(of: given) })
        {
            return index
        }
        guard let media = MediaType(Bytes(given)) else { return nil }
        var best: (rank: Int, index: Int)?
        for (index, content) in contents.enumerated() {
            let rank = content.rank(media)
            if rank > best?.rank ?? 0 { best = (rank, index) }
        }
        return best?.index
    }

    /// The reason that a body has a media type that is not declared.
    package func undeclared(_ given: Bytes, _ status: Int32) -> Failure {
        let allowed = contents.map { $0.mediaType }.ordered()
        return Failure(
            .body, "the media type \(given.printable) is not declared for the status \(status); declared: \(allowed)"
        ) {
            $0.allowed = allowed
        }
    }
}
