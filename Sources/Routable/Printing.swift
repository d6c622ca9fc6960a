// The printed forms of values: a request as its method and URL, an endpoint as its call, an error as its message.  Secrets are masked.

internal import RoutableClient
public import RoutableCore
internal import RoutableDocuments

extension Text: CustomStringConvertible {
    public var description: String { bytes.string }
}

extension Value: CustomStringConvertible {
    /// The value as JSON.
    public var description: String {
        do throws(RoutableCore.Failure) { return try ValueDocument.write(self).string } catch { return kindName.string }
    }
}

extension HeaderField: CustomStringConvertible {
    /// The header as `name: value`, with `***` for the value if the name is one of the usual names for secrets.
    ///
    /// A header has no reference to its API: a key in a header with another name is not masked.
    public var description: String { "\(name): \(HeaderField.isSecret(name) || isLikelySecret ? "***" : value)" }

    private var isLikelySecret: Bool {
        let words = name.string.lowercased().split(separator: "-")
        return words.contains { ["key", "token", "secret", "password", "session"].contains($0) }
    }
}

extension HeaderBlock: CustomStringConvertible {
    /// One line for each header, with `***` for secrets.
    public var description: String { fields.map { $0.description }.joined(separator: "\n") }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method and the URL, `GET https://api.example.com/users/a`, with `***` for keys in the query.
    public var description: String { "\(method) \(CurlLine.masked(url.bytes, plan.router.description.authSchemes))" }

    /// The request as a curl command, with `***` for secrets.
    public var debugDescription: String { curlLine(showsSecrets: false).string }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible {
    /// The status and the size of the body, `200, 17 bytes`.
    public var description: String { "\(status), \(body.count == 1 ? "1 byte" : "\(body.count) bytes")" }

    /// The status, the headers, with `***` for secrets, and the body.
    public var debugDescription: String {
        var lines = ["\(status)"]
        if !headers.fields.isEmpty { lines.append(headers.description) }
        lines += ["", body.bytes.string]
        return lines.joined(separator: "\n")
    }
}

extension Endpoint: CustomStringConvertible {
    /// The route, the operation and the ids: `user.status.read("a", 3)`.
    public var description: String {
        let ids: String
        if case .positional(let values) = call.ids {
            ids = values.map { $0.description }.joined(separator: ", ")
        } else {
            ids = ""
        }
        return "\(route.isEmpty ? "" : "\(route).")\(operationName)(\(ids))"
    }
}

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}

extension RoutePath: CustomStringConvertible {
    /// The path with the interpolated values: `users/a`.
    public var description: String {
        var text = template.string
        for (index, value) in values.enumerated() {
            text = text.replacing("{\(index + 1)}", with: value.scalarText?.string ?? value.description)
        }
        return text
    }
}

extension TransportRequest: CustomStringConvertible {
    /// The method and the URL, `GET https://api.example.com/users/a`, with `***` for the query, which may contain secrets.
    public var description: String {
        guard let query = url.firstIndex(of: "?") else { return "\(method) \(url)" }
        return "\(method) \(url[..<query])?***"
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// `Credential(***)`, without the secrets.
    public var description: String { "Credential(***)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Credential.NewToken: CustomStringConvertible, CustomReflectable {
    /// `NewToken(***)`, without the secrets.
    public var description: String { "NewToken(***)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Renewal: CustomStringConvertible, CustomReflectable {
    /// The scheme, the route and the operation, without the tokens.
    public var description: String { "Renewal(\(scheme), \(route.isEmpty ? "" : "\(route).")\(operation))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderCredential: CustomStringConvertible {
    public var description: String { "HeaderCredential(***)" }
}
