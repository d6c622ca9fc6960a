// The request to an OAuth 2 token endpoint: its grant, and the authentication of the client (RFC 6749 section 2.3.1).

package import RoutableCore

package enum TokenRequest {
    /// A grant with its parameters, in the order in which they are sent.
    package struct Grant {
        package var form: [(Bytes, Bytes)]

        package init(_ type: Bytes, _ form: [(Bytes, Bytes)] = []) { self.form = [("grant_type", type)] + form }
    }

    /// The request with a refresh token, if there is one (RFC 6749 section 6), or else with a user and a password (4.3), or else with the
    /// client's credentials (4.4).
    package static func exchange(_ scheme: AuthScheme, _ values: Credential) -> Exchange {
        var grant: Grant
        if !values.refreshTokenBytes.isEmpty {
            grant = Grant("refresh_token", [("refresh_token", values.refreshTokenBytes)])
        } else if !values.userBytes.isEmpty {
            grant = Grant("password", [("username", values.userBytes), ("password", values.passwordBytes)])
        } else {
            grant = Grant("client_credentials")
        }
        let scope = values.scopeBytes.isEmpty ? scheme.scope : values.scopeBytes
        if !scope.isEmpty { grant.form.append(("scope", scope)) }
        grant.form += targets(scheme, values)
        return exchange(values.tokenURL(scheme), grant, values)
    }

    /// The audience and the resource of the token.
    package static func targets(_ scheme: AuthScheme, _ values: Credential) -> [(Bytes, Bytes)] {
        let audience = values.audienceBytes.isEmpty ? scheme.audience : values.audienceBytes
        let resource = values.resourceBytes.isEmpty ? scheme.resource : values.resourceBytes
        return [("audience", audience), ("resource", resource)].filter { !$0.1.isEmpty }
    }

    /// A request with a form to an endpoint of the service, with the authentication of the client.
    package static func exchange(_ url: Bytes, _ grant: Grant, _ values: Credential) -> Exchange {
        exchange(url, form: grant.form, values)
    }

    package static func exchange(_ url: Bytes, form: [(Bytes, Bytes)], _ values: Credential) -> Exchange {
        var form = form
        var headers = [
            HeaderField("Content-Type", "application/x-www-form-urlencoded"), HeaderField("Accept", "application/json"),
        ]
        if !values.clientIdBytes.isEmpty {
            if values.clientSecretBytes.isEmpty || values.sendsSecretInBody {
                form.append(("client_id", values.clientIdBytes))
                if !values.clientSecretBytes.isEmpty { form.append(("client_secret", values.clientSecretBytes)) }
            } else {
                var pair = encoded(values.clientIdBytes)
                pair.append(UInt8(ascii: ":"))
                pair.append(encoded(values.clientSecretBytes))
                headers.append(HeaderField("Authorization", "Basic \(pair.storage.withUnsafeBytes { Base64.encode($0) })"))
            }
        }
        return Exchange(method: "POST", url: url, headers: headers, body: encoded(form))
    }

    /// The fields in the encoding of forms and queries.
    package static func encoded(_ form: [(Bytes, Bytes)]) -> Bytes {
        form.map { "\(encoded($0.0))=\(encoded($0.1))" as Bytes }.joined(by: "&")
    }

    private static func encoded(_ text: Bytes) -> Bytes { PercentCoding.encode(text, .unreserved) }
}
