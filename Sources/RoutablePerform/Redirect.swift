// Follows redirects as HTTP specifies, without sending a secret to another origin.

import RoutableCore

extension Exchange {
    /// Whether the status asks for the same request at another URL; 300 and 304 do not.
    static func isRedirect(_ status: Int32) -> Bool {
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308
    }

    /// The request for a redirect (RFC 9110 section 15.4): 303 changes the method to GET, as do 301 and 302 after POST;
    /// everything else is repeated without changes.  nil for a target that is not http or https.
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

    /// Whether the redirect leads from https to http.
    func isDowngraded(to next: Exchange) -> Bool {
        guard let here = Origin(of: url), let there = Origin(of: next.url) else { return false }
        return here.isSecure && !there.isSecure
    }

    private func isSecret(_ name: UnsafeRawBufferPointer) -> Bool {
        let name = Bytes(name)
        return HeaderField.isSecret(name) || secretHeaders.contains { name.equalsIgnoringCase($0) }
    }

    /// Whether the redirected request has fewer credentials than this request.
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
