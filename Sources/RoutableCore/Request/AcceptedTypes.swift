// The header Accept of an operation's requests: the media types that its successes declare (docs/calls.md, "The header Accept").
//
// By RFC 9110, 12.5.1, Accept is a preference: a service may ignore it, and a response of another media type is still a response.
// Therefore only the declared media types of successes are used: a service may send an error in any media type.

extension Plan {
    /// The header Accept of an operation's requests; nil if no success declares a body, and if the description declares the header itself: as
    /// a header of all requests, or as a header parameter.
    static func accept(_ router: Router, _ operation: OperationEntry) -> HeaderField? {
        let description = operation.description
        if description.isBare || router.headers.contains(where: { $0.name.isName("accept") }) { return nil }
        if description.results.isEmpty && !description.hasModel
            || description.headers.contains(where: { $0.name.isName("accept") })
        {
            return nil
        }
        return description.accept.map { HeaderField("Accept", $0) }
    }
}

extension OperationDescription {
    /// The media types of its successes as the value of the header Accept; nil if none declares a body.
    package var accept: Bytes? {
        let results = results
        var types = AcceptedTypes()
        for result in results where 200...299 ~= result.lowest { types.add(result) }
        // A redirect that is declared as a result, or a result for all statuses.
        if types.isEmpty {
            for result in results where !(200...299 ~= result.lowest) && result.lowest < 400 && result.highest >= 200 {
                types.add(result)
            }
        }
        if hasModel && results.isEmpty { return "application/json" }
        return types.text
    }
}

/// Media types in the order of the document, each once: those that are JSON, then the others, then ranges.
struct AcceptedTypes {
    private var json: [Bytes] = []
    private var others: [Bytes] = []
    private var ranges: [Bytes] = []

    /// Maximum number of media types in the header, so that its size has a limit.
    private static let maximumCount = 16
    /// A type and a subtype have at most 127 characters each (RFC 6838, 4.2).
    private static let maximumBytes = 255

    var isEmpty: Bool { json.isEmpty && others.isEmpty && ranges.isEmpty }

    /// Adds the media types of a success with a body.
    mutating func add(_ result: borrowing ResultDescription) {
        if result.isError || result.isEmpty { return }
        // These statuses have no body, even if one is declared.
        if result.lowest == result.highest && [204, 205, 304].contains(result.lowest) { return }
        for index in result.contents.indices { add(result.contents[index].mediaType) }
        if !result.contents.isEmpty { return }
        for mediaType in result.produced { add(mediaType) }
        // A value without a media type is JSON.
        if result.produced.isEmpty && result.type != nil { add("application/json") }
    }

    /// Adds a media type without its weight, its character set and the boundary of a body.
    private mutating func add(_ text: Bytes) {
        // Nearly all media types are this one.
        if text.equals("application/json") { return Self.add(text, to: &json) }
        guard var media = MediaType(text), media.type != "*" || media.subtype == "*" else { return }
        media.remove("q")
        media.remove("charset")
        media.remove("boundary")
        let written = media.text
        guard written.count <= Self.maximumBytes, written.storage.allSatisfy({ $0 < 0x80 }) else { return }
        if media.isJSON {
            Self.add(written, to: &json)
        } else if media.subtype == "*" {
            Self.add(written, to: &ranges)
        } else {
            Self.add(written, to: &others)
        }
    }

    private static func add(_ text: Bytes, to list: inout [Bytes]) {
        if list.count < maximumCount && !list.contains(text) { list.append(text) }
    }

    /// The value of the header, with weights by which earlier media types are preferred; nil without a media type.
    var text: Bytes? {
        if others.isEmpty && ranges.isEmpty && json.count == 1 { return json.first }
        let all = (json + others + ranges).prefix(Self.maximumCount)
        guard var result = all.first else { return nil }
        var weight = 10
        for mediaType in all.dropFirst() {
            weight = max(1, weight &- 1)
            result.append(", \(mediaType);q=0.\(weight)")
        }
        return result
    }
}
