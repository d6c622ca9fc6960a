// The base of a router, to which every path is appended with exactly one slash (statements R5, R6).

internal import CSystem

/// A validated http or https URL, or a path, split into the part before the path, the path and the query.
package struct Base: Sendable {
    /// `https://host:port/v1`, or `/v1`, without a trailing slash.
    package let prefix: Bytes
    /// The query of the base without its `?`; it precedes the query of a request (statement U4).
    package let query: Bytes
    /// The source text.
    package let source: Bytes
    /// The offset of the path in the prefix; 0 if the base is only a path.
    let pathStart: Int

    /// The path without a trailing slash.
    package var path: Bytes { Bytes(prefix.storage[pathStart...]) }

    /// Whether the base has a host, so that requests can be sent.  A base that is only a path is used for matching and for links.
    package var hasHost: Bool { pathStart > 0 }

    /// Checks a base.  Failures have the status `url`, with the part that is refused.
    package init(_ source: Bytes, isLink: Bool = false) throws(Failure) {
        let name: StaticString = isLink ? "URL" : "base"
        func refused(_ reason: Bytes) -> Failure {
            Failure(.url, "the \(Bytes(static: name)) \"\(Self.shown(source).printable)\" is not valid: \(reason)")
        }
        if source.count > Limits.valueBytes {
            throw Failure(.limit, "the \(Bytes(static: name)) is over \(Limits.valueBytes) bytes")
        }
        for byte in source.storage where byte <= 0x20 || byte == 0x7F {
            throw refused("it has white space or a control character")
        }
        if source.storage.first == UInt8(ascii: "/") {
            if source.storage.dropFirst().first == UInt8(ascii: "/") {
                throw refused("it begins with two slashes, so a scheme is expected before them")
            }
            let rest = try Self.rest(source.storage[...], refused)
            self.source = source
            pathStart = 0
            prefix = rest.path
            query = rest.query
            return
        }
        guard let colon = source.storage.firstIndex(of: UInt8(ascii: ":")) else {
            throw refused("it is not a URL; https://host/path, or /path alone, is expected")
        }
        let scheme = Bytes(source.storage[..<colon]).lowercased
        if !isLink && (scheme == "unix" || scheme == "http+unix") {
            throw Failure(
                .unsupported,
                "a base cannot be a Unix socket; set unix_socket on the client, and a base such as http://localhost")
        }
        guard scheme == "http" || scheme == "https" else {
            // Text before a password without a scheme may be a secret, too: the message does not contain it.
            if source.storage.contains(UInt8(ascii: "@")) { throw refused("http or https is expected") }
            throw refused("the scheme is \"\(scheme.printable)\"; http or https is expected")
        }
        var rest = source.storage[(colon &+ 1)...]
        guard rest.starts(with: [0x2F, 0x2F]) else { throw refused("\"//\" is expected after the scheme") }
        rest = rest.dropFirst(2)
        let authorityEnd = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        let authority = Bytes(rest[..<authorityEnd])
        if let reason = Self.refusal(ofAuthority: authority) { throw refused(reason) }
        let end = try Self.rest(rest[authorityEnd...], refused)
        self.source = source
        // Host and scheme are case-insensitive; lower case is their canonical form (RFC 3986 section 6.2.2.1).
        let origin: Bytes = "\(scheme)://\(authority.lowercased)"
        pathStart = origin.count
        prefix = "\(origin)\(end.path)"
        query = end.query
    }

    /// The path and the query after the host.
    private static func rest(
        _ rest: ArraySlice<UInt8>, _ refused: (Bytes) -> Failure
    ) throws(Failure) -> (path: Bytes, query: Bytes) {
        if rest.contains(UInt8(ascii: "#")) { throw refused("it has a fragment, which is never sent") }
        let question = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        var path = Bytes(rest[..<question])
        let rawQuery = question < rest.endIndex ? Bytes(rest[(question &+ 1)...]) : Bytes()
        while path.storage.last == UInt8(ascii: "/") { path.storage.removeLast() }
        if let reason = refusal(ofPath: path) { throw refused(reason) }
        return (path, escapedQuery(rawQuery))
    }

    /// Joins parts that are already written (Plan+write.swift writes all other URLs): for another base of a request, or for undeclared
    /// parameters after its query.  `prefix/path?query&query`, with a slash and separators only if a part follows.
    package func url(path: Bytes, query pathQuery: Bytes) -> Bytes {
        var url = prefix
        if path.storage.first != UInt8(ascii: "/") && !path.isEmpty { url.append(UInt8(ascii: "/")) }
        url.append(path)
        if !query.isEmpty || !pathQuery.isEmpty { url.append(UInt8(ascii: "?")) }
        url.append(query)
        if !query.isEmpty && !pathQuery.isEmpty { url.append(UInt8(ascii: "&")) }
        url.append(pathQuery)
        return url
    }

    /// A URL that is refused, for messages, without parts that may be credentials: any text before the last `@` may
    /// be one, and the query, too.
    package static func shown(_ url: Bytes) -> Bytes {
        var rest = url.storage[...]
        var start = rest.startIndex
        for index in rest.indices where rest[index...].starts(with: [0x2F, 0x2F]) {
            start = index &+ 2
            break
        }
        var result = Bytes(rest[..<start])
        rest = rest[start...]
        if let sign = rest.lastIndex(of: UInt8(ascii: "@")) {
            if start == 0 { result = Bytes() }
            result.append("***")
            rest = rest[sign...]
        }
        guard let question = rest.firstIndex(of: UInt8(ascii: "?")) else {
            result.append(Bytes(rest))
            return result
        }
        result.append(Bytes(rest[...question]))
        if question &+ 1 < rest.endIndex { result.append("***") }
        return result
    }

    private static func refusal(ofAuthority authority: Bytes) -> Bytes? {
        if authority.storage.contains(UInt8(ascii: "@")) {
            return "credentials in a URL appear in logs; set them on the client"
        }
        var host = authority.storage[...]
        if host.first == UInt8(ascii: "[") {
            guard let close = host.firstIndex(of: UInt8(ascii: "]")) else {
                return "the IPv6 address is not closed by \"]\""
            }
            let isAddress = host[(host.startIndex &+ 1)..<close].withUnsafeBufferPointer { address in
                address.baseAddress.map { csystem_is_ipv6($0, address.count) == 1 } ?? false
            }
            if !isAddress { return "the text in brackets is not an IPv6 address" }
            host = host[(close &+ 1)...]
            return host.isEmpty ? nil : refusal(ofPort: host)
        }
        if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
            if let reason = refusal(ofPort: host[colon...]) { return reason }
            host = host[..<colon]
        }
        if host.isEmpty { return "it has no host" }
        for byte in host {
            if byte >= 0x80 { return "the host is internationalised; write it in its xn-- form" }
            if !ASCII.isLetter(byte) && !ASCII.isDigit(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
                && byte != UInt8(ascii: "_")
            {
                return "the host has a byte that host names do not allow"
            }
        }
        return nil
    }

    /// `port` begins with the colon.
    private static func refusal(ofPort port: ArraySlice<UInt8>) -> Bytes? {
        guard port.first == UInt8(ascii: ":"), let number = Decimal.parse(Bytes(port.dropFirst())), number >= 1,
            number <= 65535
        else { return "the port is not a number from 1 to 65535" }
        return nil
    }

    private static func refusal(ofPath path: Bytes) -> Bytes? {
        for segment in path.split(on: UInt8(ascii: "/")) {
            let decoded = segment.storage.withUnsafeBytes { PercentCoding.decode($0) }
            if decoded == "." || decoded == ".." { return "its path has a \"\(segment)\" segment" }
        }
        for (index, byte) in path.storage.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < path.count, ASCII.hexValue(path.storage[index &+ 1]) != nil,
                    ASCII.hexValue(path.storage[index &+ 2]) != nil
                else { return "its path has a \"%\" without two hexadecimal digits" }
            } else if !isPathByte(byte) {
                return "its path has a byte that must be percent-encoded"
            }
        }
        return nil
    }

    /// The bytes of a path (RFC 3986 section 3.3): pchar and the slash.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        return Bytes("-._~!$&'()*+,;=:@/").storage.contains(byte)
    }

    /// The query, with the bytes escaped that RFC 3986 does not allow (statement U18); existing escapes are kept.
    private static func escapedQuery(_ query: Bytes) -> Bytes {
        var result = Bytes()
        for (index, byte) in query.storage.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index &+ 2 < query.count
                && ASCII.hexValue(query.storage[index &+ 1]) != nil
                && ASCII.hexValue(query.storage[index &+ 2]) != nil
            if isEscape || isPathByte(byte) || byte == UInt8(ascii: "?") {
                result.append(byte)
            } else {
                PercentCoding.append(Bytes([byte]), .unreserved, to: &result)
            }
        }
        return result
    }
}
