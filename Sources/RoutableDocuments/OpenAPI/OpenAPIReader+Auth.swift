// Reads security schemes, and the requirements of operations.

internal import RoutableCore
internal import RoutableJSON

extension OpenAPIReader {
    mutating func readAuthSchemes(_ schemes: TapeNode?) throws(Failure) {
        guard let schemes = try followed(schemes) else { return }
        var children = schemes.children
        while let child = children.read() {
            guard let found = try? resolve(child.value), var scheme = authScheme(child.name, found) else {
                warn(
                    child.value,
                    "the security scheme \"\(child.name.printable)\" is not supported: set a credential that signs requests"
                )
                description.authSchemes.append(AuthScheme(name: child.name, kind: .custom))
                continue
            }
            try readRefresh(&scheme, found)
            description.authSchemes.append(scheme)
        }
    }

    private func authScheme(_ name: Bytes, _ node: TapeNode) -> AuthScheme? {
        guard let type = node.member("type") else { return nil }
        if type.equals("apiKey") { return key(name, node) }
        if type.equals("openIdConnect") {
            var scheme = AuthScheme(name: name, kind: .bearer)
            if let url = node.member("openIdConnectUrl"), url.kind == .text { scheme.issuer = absolute(url.string) ?? Bytes() }
            return scheme
        }
        if type.equals("mutualTLS") { return AuthScheme(name: name, kind: .certificate) }
        if type.equals("oauth2") { return oauth2(name, node) }
        if isSwagger { return type.equals("basic") ? AuthScheme(name: name, kind: .basic) : nil }
        guard type.equals("http"), let word = node.member("scheme")?.string, !word.isEmpty,
            word.storage.allSatisfy(ASCII.isToken)
        else { return nil }
        let lower = word.lowercased
        if lower == "basic" { return AuthScheme(name: name, kind: .basic) }
        // These schemes respond to a challenge, so that there is no token to send in advance.
        if lower == "digest" { return AuthScheme(name: name, kind: .digest) }
        if lower == "negotiate" { return AuthScheme(name: name, kind: .custom) }
        var scheme = AuthScheme(name: name, kind: .bearer)
        if lower != "bearer" { scheme.word = word }
        return scheme
    }

    private func key(_ name: Bytes, _ node: TapeNode) -> AuthScheme? {
        guard let parameter = node.member("name")?.string, !parameter.isEmpty, let place = node.member("in") else { return nil }
        var scheme = AuthScheme(name: name, kind: .key)
        scheme.parameter = parameter
        if place.equals("query") {
            scheme.location = .query
        } else if place.equals("cookie") {
            scheme.location = .cookie
        } else if !place.equals("header") {
            return nil
        }
        return scheme.location == .query || HeaderField.isValidName(parameter) ? scheme : nil
    }

    /// Reads the token URLs of the flows that a program can perform by itself.
    private func oauth2(_ name: Bytes, _ node: TapeNode) -> AuthScheme {
        var scheme = AuthScheme(name: name, kind: .oauth2)
        if isSwagger, let url = node.member("tokenUrl"), url.kind == .text { scheme.tokenURL = absolute(url.string) ?? Bytes() }
        if isSwagger, node.member("flow")?.equals("password") == true { scheme.passwordURL = tokenPlace(node) }
        func url(_ node: TapeNode?) -> Bytes {
            guard let node, node.kind == .text else { return Bytes() }
            return absolute(node.string) ?? Bytes()
        }
        if isSwagger { scheme.authorizationURL = url(node.member("authorizationUrl")) }
        scheme.issuer = url(node.member("oauth2MetadataUrl"))
        guard let flows = node.member("flows") else { return scheme }
        if let flow = flows.member("authorizationCode") { scheme.authorizationURL = url(flow.member("authorizationUrl")) }
        if let flow = flows.member("deviceAuthorization") { scheme.deviceURL = url(flow.member("deviceAuthorizationUrl")) }
        if let flow = flows.member("password") { scheme.passwordURL = tokenPlace(flow) }
        for key in ["clientCredentials", "authorizationCode", "deviceAuthorization", "password", "implicit"] as [StaticString] {
            guard let flow = flows.member(key) else { continue }
            if let url = flow.member("tokenUrl"), url.kind == .text { scheme.tokenURL = absolute(url.string) ?? Bytes() }
            break
        }
        return scheme
    }

    /// The URL to display, even if it is relative and the document has no server.
    private func tokenPlace(_ flow: TapeNode) -> Bytes {
        guard let url = flow.member("tokenUrl"), url.kind == .text else { return Bytes() }
        if let url = absolute(url.string) { return url }
        guard let base = description.base, URIReference(base).scheme != nil else { return url.string }
        return URIReference(url.string).resolved(against: base.storage.last == UInt8(ascii: "/") ? base : "\(base)/")
    }

    /// Alternatives with unknown schemes are omitted, with a warning, because they cannot be satisfied.
    mutating func requirement(_ security: TapeNode?) -> AuthRequirement? {
        guard let security, security.kind == .array else { return nil }
        var alternatives: [[Int]] = []
        var children = security.children
        while let requirement = children.read() {
            if alternatives.count >= 64 {
                warn(security, "only the first 64 alternatives of \"security\" are used")
                break
            }
            var set: [Int]? = []
            var names = requirement.value.children
            while let each = names.read() {
                if let index = description.authSchemes.firstIndex(where: { $0.name == each.name }) {
                    set?.append(index)
                } else {
                    warn(requirement.value, "there is no security scheme \"\(each.name.printable)\"")
                    set = nil
                }
            }
            if let set { alternatives.append(set) }
        }
        // A client then sends no credential, but a service must not accept every request.
        if alternatives.isEmpty && !security.isEmpty { return AuthRequirement([], isUnknown: true) }
        return requirements(alternatives)
    }

    /// Documents repeat the same requirements for hundreds of operations, which share one object.
    private mutating func requirements(_ alternatives: [[Int]]) -> AuthRequirement {
        if let known = knownRequirements.first(where: { $0.alternatives == alternatives }) { return known }
        let made = AuthRequirement(alternatives)
        if knownRequirements.count < 64 { knownRequirements.append(made) }
        return made
    }
}
