// Conditional requests: the version of a response, as a header that requires this version or another one (RFC 9110
// sections 8.8 and 13.1).

extension Request {
    /// Makes the request conditional on the resource being unchanged: `If-Match` with the ETag, or `If-Unmodified-Since` with the
    /// Last-Modified date if there is no ETag.
    ///
    /// Failures: `value` if there is neither, and for a weak ETag, which `If-Match` never matches.
    package func ifMatch(_ tag: Bytes, _ modified: Bytes) throws(Failure) {
        if tag.isEntityTag && tag.hasPrefix("W/") {
            throw Failure(
                .value,
                "the ETag \(tag.printable) is weak, and If-Match compares strongly (RFC 9110 section 13.1.1): it would never match"
            )
        }
        try setCondition("If-Match", tag, "If-Unmodified-Since", modified)
    }

    /// Makes the request conditional on the resource being changed: `If-None-Match` with the ETag, weak or strong, or
    /// `If-Modified-Since`. If the resource is unchanged, the service responds with 304.
    ///
    /// Failures: `value` if there is neither.
    package func ifNoneMatch(_ tag: Bytes, _ modified: Bytes) throws(Failure) {
        try setCondition("If-None-Match", tag, "If-Modified-Since", modified)
    }

    private func setCondition(_ byTag: Bytes, _ tag: Bytes, _ byDate: Bytes, _ modified: Bytes) throws(Failure) {
        let isTagged = tag.isEntityTag
        if !isTagged && modified.isEmpty {
            throw Failure(.value, "there is neither an ETag nor a Last-Modified date to identify the version")
        }
        try setHeader(isTagged ? byTag : byDate, isTagged ? tag : modified)
        // Remove the condition from an earlier response.
        removeHeader(isTagged ? byDate : byTag)
    }
}

extension Bytes {
    /// Whether the value is an ETag: an opaque text in quotes, optionally after `W/`.
    package var isEntityTag: Bool {
        let opaque = storage.dropFirst(hasPrefix("W/") ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        return opaque.count >= 2 && opaque.first == quote && opaque.last == quote
            && opaque.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != quote && $0 != 0x7F }
    }
}

extension HeaderBlock {
    /// Whether a 304 is an expected response.
    package var asksForNews: Bool { index(of: "if-none-match") != nil || index(of: "if-modified-since") != nil }
}
