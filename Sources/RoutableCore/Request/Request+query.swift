// The request of another page: with one changed item of the query, or with another URL.

extension Request {
    /// The decoded value of the first item with this name in the query of the call, or of the URL of a followed request; nil if
    /// there is none.
    public func queryValue(_ name: Bytes) -> Bytes? {
        for item in query.split(on: UInt8(ascii: "&")) where Self.name(of: item) == name {
            let start = item.storage.firstIndex(of: UInt8(ascii: "=")).map { $0 &+ 1 } ?? item.count
            return item.storage[start...].withUnsafeBytes { PercentCoding.decode($0) }
        }
        return nil
    }

    /// A copy of the request with one query item of this name, which replaces the items with the name or is added at the end.
    public func with(_ name: Bytes, _ value: Bytes) -> Request {
        let own: Bytes = "\(PercentCoding.encode(name, .unreserved))=\(PercentCoding.encode(value, .unreserved))"
        let kept = max(0, self.url.count &- queryCount)  // proof: the query is a part of the URL, at its end.
        var url = Bytes(UnsafeRawBufferPointer(rebasing: self.url.buffer[..<kept]))
        if queryCount == 0 { url.append(url.storage.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")) }
        let start = url.count
        var items = query.split(on: UInt8(ascii: "&"))
        items.append(own)
        var isThere = false
        for item in items where !item.isEmpty {
            let isOwn = Self.name(of: item) == name
            if isOwn && isThere { continue }
            if isOwn { isThere = true }
            if url.count > start { url.append(UInt8(ascii: "&")) }
            url.append(isOwn ? own : item)
        }
        return Request(self, Text(url), queryCount: url.count &- start, isFollowed: isFollowed, isElsewhere: isElsewhere)
    }

    /// A copy of the request with a URL from a response, which must be valid and must not have a fragment.
    public func following(_ url: Bytes, isElsewhere: Bool) -> Request {
        let question = url.storage.firstIndex(of: UInt8(ascii: "?")) ?? url.count &- 1
        return Request(
            self, Text(url), queryCount: max(0, url.count &- question &- 1), isFollowed: true, isElsewhere: isElsewhere)
    }

    /// A copy of the request, which can be edited.  Both share their sources, targets and progress functions.
    public func copy() -> Request {
        Request(self, url, queryCount: queryCount, isFollowed: isFollowed, isElsewhere: isElsewhere)
    }

    private static func name(of item: Bytes) -> Bytes {
        let end = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
        return item.storage[..<end].withUnsafeBytes { PercentCoding.decode($0) }
    }
}
