// The target of a request: the path and the query.

internal import RoutableCore

/// The ranges of a target.
struct Target {
    /// The range of the path in the target.
    let path: Range<Int>
    let query: Range<Int>

    /// Reads the origin form (`/users?page=2`) and the absolute form (`https://host/users?page=2`) of RFC 9112 section 3.2.
    ///
    /// - Throws: `url`.
    init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        if bytes.count > Limits.urlBytes { throw Failure(.limit, "the target of the request is over \(Limits.urlBytes) bytes") }
        var mark = bytes.count
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#") {
                throw Failure(.url, "the target of the request has a space, a control character or a \"#\"")
            }
            if byte == UInt8(ascii: "?") && index < mark { mark = index }
        }
        var start = 0
        if bytes.first != UInt8(ascii: "/") {
            let isPlain = bytes.part(0, min(7, bytes.count)).isName("http://")
            let length = isPlain ? 7 : bytes.part(0, min(8, bytes.count)).isName("https://") ? 8 : 0
            if length == 0 {
                let shown = Base.shown(Bytes(bytes)).printable
                throw Failure(.url, "the target of the request is neither a path nor a URL: \"\(shown)\"")
            }
            start = length
            while start < mark, bytes[start] != UInt8(ascii: "/") { start &+= 1 }
        }
        // proof: a scheme contains no question mark, and the host ends at one.
        path = start..<max(mark, start)
        query = min(mark &+ 1, bytes.count)..<bytes.count
    }

    /// The range to match: the path after a base path, or the whole path below the servers of the description; nil for a path that is
    /// not below the base path.
    func path(below base: Bytes?, in bytes: UnsafeRawBufferPointer) -> (range: Range<Int>, options: MatchOptions)? {
        guard let base else { return (path, .wholePath) }
        let end = path.lowerBound &+ base.count
        guard end <= path.upperBound, bytes.part(path.lowerBound, end).elementsEqual(base.storage) else { return nil }
        if end < path.upperBound, bytes[end] != UInt8(ascii: "/") { return nil }
        return (end..<path.upperBound, [])
    }
}
