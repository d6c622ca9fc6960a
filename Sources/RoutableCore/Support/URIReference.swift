// Resolves URI references (RFC 3986 section 5.2).

/// The five parts of a URI or of a relative reference; nil for an absent part.
package struct URIReference {
    package var scheme: Bytes?
    package var authority: Bytes?
    package var path = Bytes()
    package var query: Bytes?
    package var fragment: Bytes?

    package init(_ text: Bytes) {
        var rest = text.storage[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Bytes(rest[(hash &+ 1)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Bytes(rest[(mark &+ 1)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), let first = rest.first, ASCII.isLetter(first),
            rest[..<colon].allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
        {
            scheme = Bytes(rest[..<colon])
            rest = rest[(colon &+ 1)...]
        }
        if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Bytes(rest[..<end])
            rest = rest[end...]
        }
        path = Bytes(rest)
    }

    /// This reference, resolved against `base`, without its fragment.
    package func resolved(against base: Bytes) -> Bytes {
        let base = URIReference(base)
        var result = self
        result.fragment = nil
        if scheme == nil {
            result.scheme = base.scheme
            if authority == nil {
                result.authority = base.authority
                if path.isEmpty {
                    result.path = base.path
                    if query == nil { result.query = base.query }
                } else if path.storage.first != UInt8(ascii: "/") {
                    result.path = merged(base)
                }
            }
        }
        if result.authority != nil || result.path.storage.first == UInt8(ascii: "/") {
            result.path = Self.withoutDots(result.path)
        }
        return result.text
    }

    private func merged(_ base: URIReference) -> Bytes {
        if base.authority != nil && base.path.isEmpty { return "/\(path)" }
        guard let slash = base.path.storage.lastIndex(of: UInt8(ascii: "/")) else {
            // Both are relative: only a leading "./" is removed.
            return path.hasPrefix("./") ? Bytes(path.storage[2...]) : path
        }
        return Bytes(base.path.storage[...slash] + path.storage)
    }

    private static func withoutDots(_ path: Bytes) -> Bytes {
        var kept: [Bytes] = []
        let pieces = path.split(on: UInt8(ascii: "/"))
        for (index, piece) in pieces.enumerated() {
            let isLast = index &+ 1 == pieces.count
            if piece == ".." {
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append(Bytes()) }
            } else if piece == "." {
                if isLast { kept.append(Bytes()) }
            } else {
                kept.append(piece)
            }
        }
        return kept.joined(by: "/")
    }

    private var text: Bytes {
        var result = Bytes()
        if let scheme { result.append("\(scheme):") }
        if let authority { result.append("//\(authority)") }
        result.append(path)
        if let query { result.append("?\(query)") }
        return result
    }

    /// The decoded fragment, as a name or a pointer.
    package static func decoded(_ fragment: Bytes) -> Bytes {
        if !fragment.storage.contains(UInt8(ascii: "%")) { return fragment }
        var result = Bytes()
        var index = 0
        let bytes = fragment.storage
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index &+ 2 < bytes.count, let high = ASCII.hexValue(bytes[index &+ 1]),
                let low = ASCII.hexValue(bytes[index &+ 2])
            {
                result.append(high << 4 | low)
                index &+= 3
            } else {
                result.append(bytes[index])
                index &+= 1
            }
        }
        return result
    }
}
