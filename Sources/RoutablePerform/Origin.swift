// The origin of a URL: messages may contain it, and it determines whether a redirect keeps credentials.

package import RoutableCore

/// Scheme, host and port of an http or https URL (RFC 6454).
struct Origin: Equatable, Sendable {
    let isSecure: Bool
    let host: Bytes
    let port: Int64

    /// nil for another scheme, for credentials in the URL, and for an invalid URL.
    init?(of url: Text) {
        // An initialiser owns its parameters, and the compiler may release them after their last visible use.
        defer { withExtendedLifetime(url) {} }
        let buffer = url.buffer
        guard let place = Place(in: buffer) else { return nil }
        isSecure = place.isSecure
        host = Bytes(UnsafeRawBufferPointer(rebasing: buffer[place.host])).lowercased
        port = place.port
    }

    /// Whether the URL has an origin; copies nothing.
    static func isValid(_ url: Text) -> Bool { withExtendedLifetime(url) { Place(in: url.buffer) != nil } }

    /// The bytes of a valid URL up to its path, unchanged: the common prefix of the URLs of an origin.
    static func prefix(of url: Text) -> UnsafeRawBufferPointer {
        let end = Place(in: url.buffer)?.end ?? 0
        return UnsafeRawBufferPointer(rebasing: url.buffer[..<end])
    }

    /// `host:port`, for messages.
    var text: Bytes { "\(host.printable):\(Int(truncatingIfNeeded: port))" }
}

/// Checks of the URL of an endpoint for the layers above.
package enum EndpointURL {
    /// Whether the URL is an https URL; nil if it is neither http nor https, has credentials, or is not valid.
    package static func isSecure(_ url: Bytes) -> Bool? { Origin(of: Text(url))?.isSecure }
}

/// The range of the origin in a URL.
private struct Place {
    var isSecure: Bool
    var host: Range<Int>
    var port: Int64
    /// The offset of the path.
    var end: Int

    init?(in url: UnsafeRawBufferPointer) {
        for byte in url where byte <= 0x20 || byte == 0x7F { return nil }
        func begins(_ lower: StaticString) -> Bool {
            UnsafeRawBufferPointer(rebasing: url.prefix(lower.bytes.count)).isName(lower)
        }
        isSecure = begins("https://")
        guard isSecure || begins("http://") else { return nil }
        let start = isSecure ? 8 : 7
        var end = start
        var colon: Int?
        scan: while end < url.count {
            switch url[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "@"), UInt8(ascii: "\\"): return nil
            case UInt8(ascii: ":"): colon = end
            case UInt8(ascii: "]"): colon = nil  // the colons of an IPv6 address precede its bracket
            default: break
            }
            end &+= 1
        }
        host = start..<(colon ?? end)
        if host.isEmpty { return nil }
        self.end = end
        port = isSecure ? 443 : 80
        if let colon, colon &+ 1 < end {
            let text = UnsafeRawBufferPointer(rebasing: url[(colon &+ 1)..<end])
            guard text[0] != UInt8(ascii: "-"), let number = Decimal.parse(text), number <= 65535 else { return nil }
            port = number
        }
    }
}
