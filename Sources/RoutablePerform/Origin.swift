// Where a URL leads: what messages may name, and what decides whether a redirect keeps its credentials.

import RoutableCore

/// Scheme, host and port of an http or https URL (RFC 6454).
struct Origin: Equatable, Sendable {
    let isSecure: Bool
    let host: Bytes
    let port: Int64

    /// nil for another scheme, for credentials in the URL, and for what is no URL.
    init?(of url: Bytes) {
        for byte in url.storage where byte <= 0x20 || byte == 0x7F { return nil }
        guard let colon = url.storage.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = Bytes(url.storage[..<colon]).lowercased
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = url.storage.dropFirst(colon &+ 1)
        guard rest.starts(with: [0x2F, 0x2F]) else { return nil }
        rest = rest.dropFirst(2)
        var authority = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        if authority.contains(UInt8(ascii: "@")) || authority.contains(UInt8(ascii: "\\")) { return nil }
        var port: Int64?
        // The colons of an IPv6 address stand before its bracket.
        if let last = authority.lastIndex(of: UInt8(ascii: ":")), !authority[last...].contains(UInt8(ascii: "]")) {
            let text = Bytes(authority[last...].dropFirst())
            if !text.isEmpty {
                guard ASCII.isDigit(text.storage.first ?? 0), let number = Decimal.parse(text), number <= 65535 else {
                    return nil
                }
                port = number
            }
            authority = authority[..<last]
        }
        if authority.isEmpty { return nil }
        isSecure = scheme == "https"
        host = Bytes(authority).lowercased
        self.port = port ?? (isSecure ? 443 : 80)
    }

    /// `host:port`, for messages.
    var text: Bytes { "\(host.printable):\(Int(port))" }
}
