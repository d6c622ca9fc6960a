// Follows redirects as HTTP specifies, without sending a secret to another origin.

import RoutableCore

extension Exchange {
    /// The statuses that ask for the request elsewhere; 300 and 304 do not.
    static func isRedirect(_ status: Int32) -> Bool {
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308
    }

    /// The request that a redirect asks for (RFC 9110 section 15.4): 303 becomes GET, as POST does after 301 and 302;
    /// everything else is repeated as it was.  nil for a place that is not http or https.
    func redirected(_ status: Int32, to location: Text) -> Exchange? {
        guard let here = Origin(of: url), let there = Origin(of: location) else { return nil }
        var next = self
        next.url = location
        next.shownURL = nil
        if status == 303 ? !method.equals("HEAD") : method.equals("POST") && status < 303 {
            next.method = "GET"
            next.body = nil
            next.upload = nil
            for name in Self.bodyHeaders { next.headers.remove(name) }
        }
        if here != there {
            next.isAuthorized = false
            if next.digest != nil { next.digest = nil }
            next.headers.removeSecrets(secretHeaders)
        }
        return next
    }

    /// Whether what went out encrypted would go out in the clear.
    func isDowngraded(to next: Exchange) -> Bool {
        guard let here = Origin(of: url), let there = Origin(of: next.url) else { return false }
        return here.isSecure && !there.isSecure
    }

    private func isSecret(_ name: UnsafeRawBufferPointer) -> Bool {
        let name = Bytes(name)
        return HeaderField.isSecret(name) || secretHeaders.contains { name.equalsIgnoringCase($0) }
    }

    /// Whether credentials do not go where a redirect of this request leads.
    func losesCredentials(to next: Exchange) -> Bool {
        if isAuthorized && !next.isAuthorized { return true }
        let headers = headers
        defer { withExtendedLifetime(headers) {} }
        return (0..<headers.count).contains { isSecret(headers.name($0)) && next.headers.index(of: headers.name($0)) == nil }
    }

    private static var bodyHeaders: [Bytes] {
        ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Expect"]
    }
}
