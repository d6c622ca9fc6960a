// Chooses a media type by the header Accept (RFC 9110 section 12.5.1), in one pass over the header.

internal import RoutableCore

/// A media type that a response can have, for the choice by Accept.
struct MediaOffer {
    /// The media type as it is sent.
    let text: Bytes
    let media: MediaType?
    /// The type that the body must be valid against, as an index into the types of the router.
    let type: Int?

    init(_ text: Bytes, _ type: Int?) {
        self.text = text
        self.type = type
        media = MediaType(text)
    }
}

enum Accept {
    /// The index of the preferred media type: the first one with the highest quality; nil if none is acceptable.  The
    /// most specific range decides the quality of a media type.  Ranges and qualities that are not valid are ignored.
    static func choose(_ header: Bytes, _ offers: [MediaOffer]) -> Int? {
        var found = [(rank: Int, quality: Int)](repeating: (-1, 0), count: offers.count)
        var hasRange = false
        ListElements.each(header, escapes: true) { element in
            guard let range = MediaType(element), let quality = quality(range) else { return }
            hasRange = true
            for index in offers.indices {
                guard let media = offers[index].media else { continue }
                let rank = rank(range, media)
                if rank > found[index].rank { found[index] = (rank, quality) }
            }
        }
        if !hasRange { return offers.isEmpty ? nil : 0 }
        var best: Int?
        for index in found.indices where found[index].quality > best.map({ found[$0].quality }) ?? 0 { best = index }
        return best
    }

    /// The specificity of a range that contains the media type; -1 if the range does not contain it.
    private static func rank(_ range: MediaType, _ media: MediaType) -> Int {
        if range.type == "*" { return range.subtype == "*" ? 0 : -1 }
        if range.type != media.type { return -1 }
        if range.subtype == "*" { return 1 }
        if range.subtype != media.subtype { return -1 }
        var count = 0
        for parameter in range.parameters {
            if parameter.name == "q" { break }
            // All strings of a service are UTF-8, so a charset that a client lists is ignored.
            if parameter.name == "charset" { continue }
            if media.parameter(parameter.name) != parameter.value { return -1 }
            count &+= 1
        }
        return 2 &+ count
    }

    /// The quality in thousandths; nil for a quality that is not valid.
    private static func quality(_ range: MediaType) -> Int? {
        guard let text = range.parameter("q")?.storage else { return 1000 }
        guard let first = text.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), text.count <= 5 else {
            return nil
        }
        var quality = Int(first &- 0x30) &* 1000
        var scale = 100
        if text.count > 1 && text[1] != UInt8(ascii: ".") { return nil }
        for digit in text.dropFirst(2) {
            guard ASCII.isDigit(digit) else { return nil }
            quality &+= Int(digit &- 0x30) &* scale
            scale /= 10
        }
        return quality <= 1000 ? quality : nil
    }
}
