// Makes a request of a URL in a response: a request of the operation whose route matches, with credentials only for the same origin.

package import RoutableCore

/// The target of a reference.
struct LinkedPlace {
    let url: Bytes
    /// The scheme, the host and the port, without a default port.
    let origin: Bytes

    /// Failures: `response`, with `name` for the reference in the message.
    init(_ target: Bytes, from: Bytes, _ name: Bytes) throws(Failure) {
        url = URIReference(target).resolved(against: from)
        for byte in url.storage where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") {
            throw Failure(
                .response, "the \(name) is not a URL: it contains a space or another character that URLs do not allow")
        }
        do { origin = try Self.origin(of: url) } catch {
            throw Failure(.response, "the \(name) is not an http or https URL: \(error.message)")
        }
    }

    static func origin(of url: Bytes) throws(Failure) -> Bytes {
        let parts = URIReference(url)
        let prefix = try Base("\(parts.scheme ?? Bytes())://\(parts.authority ?? Bytes())", isLink: true).prefix
        let port: Bytes = prefix.hasPrefix("https:") ? ":443" : ":80"
        return prefix.hasSuffix(port) ? Bytes(prefix.storage.dropLast(port.count)) : prefix
    }
}

/// A link to follow.
package struct Link {
    /// The location of the URL.
    package enum Place {
        case url(Bytes)
        case location
        case relation(Bytes)
        case pointer(Bytes)
    }

    package var place: Place
    package var response: Response?
    package var method: Bytes = "GET"
    /// Overrides the base of the router.
    package var base: Bytes?
    /// The values for a URI template; nil for a URL.
    package var values: [Value.Member]?
    /// The URL to which the reference is relative; empty for the URL of the response.
    package var from = Bytes()

    package init(_ place: Place, of response: Response? = nil) {
        self.place = place
        self.response = response
    }

    /// - Throws: `response` if the response has no such link.
    private func text() throws(Failure) -> Bytes {
        if case .url(let url) = place { return url }
        guard let response else { throw Failure(.argument, "link: neither a response nor a URL is given") }
        var found: Bytes?
        let name: Bytes
        switch place {
        case .relation(let relation):
            found = LinkHeader.target(relation, response.headers)
            name = "no Link header with the relation \"\(relation.printable)\""
        case .pointer(let pointer):
            found = try PageContent(response.body, items: Bytes()).text(at: pointer)
            name = "no URL at \(pointer.printable)"
        default:
            found = response.headers.value(of: "Location")
            name = "no Location header"
        }
        guard let found else { throw Failure(.response, "the response has \(name)").with { $0.response = response } }
        return found
    }

    /// The request for the link, which can be performed like any other.
    ///
    /// - Throws: `response`; `url` without a base; the failures of expanding a template.
    package func request(_ router: Router) throws(Failure) -> Request {
        var target = try text()
        if let values { target = try URITemplate(target).expand(values) }
        let source = base ?? router.base?.source ?? Bytes()
        let home = try Base(source)
        if !home.hasHost {
            throw Failure(.url, "a link requires a base with a host; pass the base of the client")
        }
        let start = from.isEmpty ? response?.url.bytes ?? Bytes() : from
        let name: Bytes = if case .url = place { "URL" } else { "link" }
        let there: LinkedPlace
        do throws(Failure) { there = try LinkedPlace(target, from: start.isEmpty ? home.prefix : start, name) } catch {
            if case .url = place { throw Failure(.url, error.message) }
            throw error
        }
        let isElsewhere = try LinkedPlace.origin(of: home.prefix) != there.origin
        let path = isElsewhere ? nil : Self.path(there.url, below: home.prefix)
        return try router.request(following: there.url, path: path, method, isElsewhere: isElsewhere)
    }

    /// The path after the base; nil for a URL that is not below the base.
    private static func path(_ url: Bytes, below base: Bytes) -> Bytes? {
        let path = URIReference(url).path
        let prefix = URIReference(base).path
        guard path.hasPrefix(prefix) else { return nil }
        let rest = Bytes(path.storage[prefix.count...])
        return rest.isEmpty || rest.storage.first == UInt8(ascii: "/") ? rest : nil
    }
}
