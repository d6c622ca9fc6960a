// The metadata of an OAuth 2 service: RFC 8414, and OpenID Connect Discovery 1.0.

internal import RoutableCore
internal import RoutableJSON
internal import RoutablePerform

/// The endpoints of a service; an endpoint that it does not have is empty.
struct AuthorizationMetadata {
    var issuer = Bytes()
    var authorizationURL = Bytes()
    var tokenURL = Bytes()
    var deviceURL = Bytes()
    /// Whether each redirect contains the issuer (RFC 9207).
    var namesIssuer = false
}

extension ClientCore {
    private static var connect: Bytes { "/.well-known/openid-configuration" }
    private static var oauth: Bytes { "/.well-known/oauth-authorization-server" }

    /// - Parameter place: The issuer, or the URL of its metadata document.
    /// - Throws: `url`, `argument`; `credential` for a document of another issuer; the failures of performing.
    func metadata(of place: Bytes, _ scheme: AuthScheme) throws(Failure) -> AuthorizationMetadata {
        if place.isEmpty { throw Login.failure(scheme, "the description names no issuer: set it", .argument) }
        guard let isSecure = EndpointURL.isSecure(place), !place.storage.contains(where: { $0 == 0x3F || $0 == 0x23 }) else {
            throw Login.failure(scheme, "the issuer must be an http or https URL without a query", .url)
        }
        let parts = URIReference(place)
        let root: Bytes = "\(parts.scheme ?? Bytes())://\(parts.authority ?? Bytes())"
        let path = parts.path.hasSuffix("/") ? Bytes(parts.path.storage.dropLast()) : parts.path
        var issuer: Bytes = "\(root)\(path)"
        var urls: [Bytes] = ["\(issuer)\(Self.connect)", "\(root)\(Self.oauth)\(path)"]
        if path.hasSuffix(Self.connect) {
            urls = [issuer]
            issuer = Bytes(issuer.storage.dropLast(Self.connect.count))
        } else if path.hasPrefix(Self.oauth) {
            urls = [issuer]
            issuer = "\(root)\(Bytes(path.storage.dropFirst(Self.oauth.count)))"
        }
        var refusal: Failure?
        for url in urls {
            let answer = try answer(
                Exchange(method: "GET", url: url, headers: [HeaderField("Accept", "application/json")], body: nil), scheme)
            if answer.status == 200 { return try read(answer, issuer, isSecure, scheme) }
            refusal = Login.failure(
                scheme, "\(Base.shown(url).printable) responded with \(Int(answer.status)) instead of metadata"
            ).with {
                $0.httpStatus = answer.status
                $0.response = TokenDocument.shown(answer, [])
            }
        }
        throw refusal ?? Login.failure(scheme, "there is no metadata")
    }

    private func read(
        _ answer: Answer, _ issuer: Bytes, _ isSecure: Bool, _ scheme: AuthScheme
    ) throws(Failure) -> AuthorizationMetadata {
        guard let document = try? JSONDocument.read(answer.body.buffer) else {
            throw Login.failure(scheme, "the metadata is not JSON")
        }
        defer { withExtendedLifetime(document) {} }
        func text(_ pointer: Bytes) -> Bytes {
            guard let found = document.view.find(pointer)?.value, found.kind == .text else { return Bytes() }
            return found.content
        }
        /// An endpoint; a document that was received over https must not contain an endpoint without it.
        func endpoint(_ pointer: Bytes) throws(Failure) -> Bytes {
            let url = text(pointer)
            if url.isEmpty { return url }
            guard let isOther = EndpointURL.isSecure(url), isOther || !isSecure else {
                throw Login.failure(scheme, "the metadata has an endpoint at \(pointer) that is not an https URL")
            }
            return url
        }
        var metadata = AuthorizationMetadata()
        metadata.issuer = text("/issuer")
        if metadata.issuer != issuer && metadata.issuer != "\(issuer)/" {
            throw Login.failure(
                scheme,
                "the metadata is that of \(Base.shown(metadata.issuer).printable), not of \(Base.shown(issuer).printable)")
        }
        metadata.authorizationURL = try endpoint("/authorization_endpoint")
        metadata.tokenURL = try endpoint("/token_endpoint")
        metadata.deviceURL = try endpoint("/device_authorization_endpoint")
        if let found = document.view.find("/authorization_response_iss_parameter_supported")?.value, found.kind == .boolean {
            metadata.namesIssuer = found.boolean
        }
        return metadata
    }
}
