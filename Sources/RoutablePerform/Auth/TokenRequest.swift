// The request to an OAuth 2 token endpoint (RFC 6749 sections 2.3.1, 4.4 and 6).

import RoutableCore

enum TokenRequest {
    /// With a refresh token where there is one, else with the client's own credentials.
    static func exchange(_ scheme: AuthScheme, _ values: Credential) -> Exchange {
        var form: [(Bytes, Bytes)] = []
        if values.refreshToken.isEmpty {
            form.append(("grant_type", "client_credentials"))
        } else {
            form.append(("grant_type", "refresh_token"))
            form.append(("refresh_token", values.refreshToken))
        }
        let scope = values.scope.isEmpty ? scheme.scope : values.scope
        if !scope.isEmpty { form.append(("scope", scope)) }
        var headers = [
            HeaderField("Content-Type", "application/x-www-form-urlencoded"), HeaderField("Accept", "application/json"),
        ]
        if !values.clientId.isEmpty {
            if values.clientSecret.isEmpty || values.sendsSecretInBody {
                form.append(("client_id", values.clientId))
                if !values.clientSecret.isEmpty { form.append(("client_secret", values.clientSecret)) }
            } else {
                var pair = encoded(values.clientId)
                pair.append(UInt8(ascii: ":"))
                pair.append(encoded(values.clientSecret))
                headers.append(HeaderField("Authorization", "Basic \(pair.storage.withUnsafeBytes { Base64.encode($0) })"))
            }
        }
        let body = form.map { "\(encoded($0.0))=\(encoded($0.1))" as Bytes }.joined(by: "&")
        return Exchange(
            method: "POST", url: values.tokenURL.isEmpty ? scheme.tokenURL : values.tokenURL, headers: headers, body: body)
    }

    private static func encoded(_ text: Bytes) -> Bytes { PercentCoding.encode(text, .unreserved) }
}
