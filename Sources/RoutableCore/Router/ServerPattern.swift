// Finds the path below a server in a URL, for descriptions with several servers or with variables.

/// The URL of a server, for matching.  The byte 0 is the placeholder of a variable, which matches one or more bytes except slashes.
struct ServerPattern: Sendable {
    /// The host in lower case, with the port unless it is the default one; empty for a server that is only a path.
    private let host: Bytes
    private let isSecure: Bool
    /// The path without a trailing slash.
    private let path: Bytes
    private let slashCount: Int
    private let hasVariable: Bool

    static let variable: UInt8 = 0
    /// Maximum length of a pattern with a variable, and of the part of a URL that is compared with it, because the time is the product of
    /// both.
    static let mostBytes = 512

    /// nil if the text is not a URL that a base can have.
    init?(_ text: Bytes) {
        // With the server "/", the URL of an operation is its path, on any host.
        if text.isEmpty {
            (host, isSecure, path, slashCount, hasVariable) = (Bytes(), false, Bytes(), 0, false)
            return
        }
        let sample = Bytes(text.storage.map { $0 == Self.variable ? UInt8(ascii: "1") : $0 })
        guard let base = try? Base(sample) else { return nil }
        hasVariable = text.storage.contains(Self.variable)
        if hasVariable && text.count > Self.mostBytes { return nil }
        var isSecure = false
        var host = Bytes()
        if base.hasHost {
            let authority = text.storage.withUnsafeBytes { URLAuthority(of: $0, allowsVariables: true) }
            guard let authority else { return nil }
            isSecure = authority.isSecure
            host = Bytes(text.storage[authority.host]).lowercased
        }
        self.isSecure = isSecure
        self.host = host
        // The prefix of the sample has the same length as that of the text.
        path = Bytes(text.storage.prefix(base.prefix.count).dropFirst(base.pathStart))
        slashCount = path.storage.count { $0 == UInt8(ascii: "/") }
    }

    /// The offset of the path after the server in a URL; nil if the URL does not begin with the server.
    func end(in url: UnsafeRawBufferPointer) -> Int? {
        guard let authority = URLAuthority(of: url, allowsVariables: false) else { return nil }
        if !host.isEmpty {
            guard authority.isSecure == isSecure, fits(url, authority.host, host, foldsCase: true) else { return nil }
        }
        return pathEnd(in: url, from: authority.end)
    }

    /// The offset of the path after the server in a path.
    func pathEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var end = start
        var slashes = 0
        while end < text.count, text[end] != UInt8(ascii: "?"), text[end] != UInt8(ascii: "#") {
            if text[end] == UInt8(ascii: "/") {
                if slashes == slashCount { break }
                slashes &+= 1
            }
            end &+= 1
        }
        return slashes == slashCount && fits(text, start..<end, path, foldsCase: false) ? end : nil
    }

    /// Whether a range of the URL matches the pattern.
    private func fits(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ pattern: Bytes, foldsCase: Bool
    ) -> Bool {
        if range.count < pattern.count || (hasVariable ? range.count > Self.mostBytes : range.count > pattern.count) {
            return false
        }
        let pattern = pattern.storage
        var position = range.lowerBound
        var index = 0
        // The last variable and the end of its value, which grows by one byte whenever the rest does not match.
        var retry: (index: Int, end: Int)?
        while position < range.upperBound || index < pattern.count {
            if index < pattern.count, position < range.upperBound {
                if pattern[index] == Self.variable, text[position] != UInt8(ascii: "/") {
                    index &+= 1
                    position &+= 1
                    retry = (index, position)
                    continue
                }
                let byte = foldsCase ? ASCII.lowercased(text[position]) : text[position]
                if pattern[index] == byte {
                    index &+= 1
                    position &+= 1
                    continue
                }
            }
            guard let last = retry, last.end < range.upperBound, text[last.end] != UInt8(ascii: "/") else { return false }
            retry = (last.index, last.end &+ 1)
            index = last.index
            position = last.end &+ 1
        }
        return true
    }
}

/// The scheme and the host of an http or https URL.
struct URLAuthority {
    let isSecure: Bool
    /// The host with the port, unless the port is the default one.
    let host: Range<Int>
    /// The offset after the port.
    let end: Int

    /// nil for any other text, and for a URL with credentials, which are never a part of a base.
    init?(of text: UnsafeRawBufferPointer, allowsVariables: Bool) {
        guard Self.starts(text, "http") else { return nil }
        isSecure = text.count > 4 && ASCII.lowercased(text[4]) == UInt8(ascii: "s")
        let scheme = UnsafeRawBufferPointer(rebasing: text.dropFirst(isSecure ? 5 : 4))
        guard Self.starts(scheme, "://") else { return nil }
        let start = isSecure ? 8 : 7
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "?"), text[end] != UInt8(ascii: "#") {
            if text[end] == UInt8(ascii: "@") || text[end] == ServerPattern.variable && !allowsVariables { return nil }
            end &+= 1
        }
        let port: StaticString = isSecure ? ":443" : ":80"
        var hostEnd = end
        if end &- start > port.utf8CodeUnitCount, Self.starts(text.part(end &- port.utf8CodeUnitCount, end), port) {
            hostEnd = end &- port.utf8CodeUnitCount
        }
        guard hostEnd > start else { return nil }
        host = start..<hostEnd
        self.end = end
    }

    /// Whether the text begins with a prefix in lower case; the case of the text is ignored.
    private static func starts(_ text: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        guard text.count >= prefix.utf8CodeUnitCount else { return false }
        for (byte, wanted) in zip(text, prefix.rawBytes) where ASCII.lowercased(byte) != wanted { return false }
        return true
    }
}
