// Conditional requests of a service: If-Match and If-None-Match (RFC 9110 section 13).

package import RoutableCore

/// The properties of the request that its response depends on.
struct ReplyConditions {
    var method = Bytes()
    var accept = Bytes()
    var ifMatch: Bytes?
    var ifNoneMatch: Bytes?
    /// The path in front of the paths of the API; nil for the path of the description's base.
    var basePath: Bytes?

    var isHead: Bool { method == "HEAD" }
    var isSafe: Bool { method == "GET" || isHead }

    /// 0, 304 or 412, evaluated in the order of RFC 9110 section 13.2.2.
    func status(_ etag: Bytes?) -> Int32 {
        if let ifMatch, !Self.has(ifMatch, etag, isStrong: true) { return 412 }
        if let ifNoneMatch, Self.has(ifNoneMatch, etag, isStrong: false) { return isSafe ? 304 : 412 }
        return 0
    }

    /// Whether a list of ETags, or `*`, matches an ETag (RFC 9110 section 8.8.3.2).
    private static func has(_ header: Bytes, _ etag: Bytes?, isStrong: Bool) -> Bool {
        guard let etag else { return false }
        let isWeak = etag.hasPrefix("W/")
        let opaque = isWeak ? Bytes(etag.storage.dropFirst(2)) : etag
        var isFound = false
        ListElements.each(header, escapes: false) { element in
            if element == "*" {
                isFound = true
            } else if element.hasPrefix("W/") {
                if !isStrong && element.storage.dropFirst(2).elementsEqual(opaque.storage) { isFound = true }
            } else if element == opaque && !(isStrong && isWeak) {
                isFound = true
            }
        }
        return isFound
    }
}

extension Received {
    /// Evaluates the preconditions of the request before the program changes the resource.
    ///
    /// - Parameter etag: The current ETag; nil if the resource does not exist or has none.
    /// - Returns: 0 to continue, or the HTTP status of the response: 304 or 412.
    /// - Throws: `value` for a string that is not an ETag; `argument` if no request was read.
    package func conditionStatus(etag: Bytes?) throws(Failure) -> Int32 {
        if plan == nil { throw .noRequest }
        if let etag { try Self.check(etag) }
        return conditions.status(etag)
    }

    static func check(_ etag: Bytes) throws(Failure) {
        if etag.isEntityTag { return }
        throw Failure(.value, "the ETag \(etag.printable) is not valid: text in quotes is expected, such as \"7\" or W/\"7\"")
    }
}

extension Failure {
    static var noRequest: Failure { Failure(.argument, "received is empty: it has read no request") }
}
