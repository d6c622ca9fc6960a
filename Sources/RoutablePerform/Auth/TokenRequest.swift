// The request to an OAuth 2 token endpoint (RFC 6749 sections 2.3.1, 4.4 and 6).

import RoutableCore

enum TokenRequest {
    /// With a refresh token where there is one, else with the client's own credentials.
    static func exchange(_ scheme: AuthScheme, _ values: Credential) -> Exchange {
        var form: [(Bytes, Bytes)] = []
        if values.refreshTokenBytes.isEmpty {
            form.append(("grant_type", "client_credentials"))
        } else {
            form.append(("grant_type", "refresh_token"))
            form.append(("refresh_token", values.refreshTokenBytes))
        }
        let scope = values.scopeBytes.isEmpty ? scheme.scope : values.scopeBytes
        if !scope.isEmpty { form.append(("scope", scope)) }
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
        let body = form.map { "\(encoded($0.0))=\(encoded($0.1))" as Bytes }.joined(by: "&")
        return Exchange(
            method: "POST", url: values.tokenURLBytes.isEmpty ? scheme.tokenURL : values.tokenURLBytes, headers: headers,
            body: body)
    }

    private static func encoded(_ text: Bytes) -> Bytes { PercentCoding.encode(text, .unreserved) }
}
