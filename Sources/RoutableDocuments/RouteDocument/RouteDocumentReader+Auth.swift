// Reads the schemes of a document, and the requirements of resources and operations.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    private static let schemeKeys = KeyTable(
        "an auth scheme",
        [
            "scheme", "in", "name", "word", "refresh", "token", "expires_in", "refresh_token", "token_url", "scope", "audience",
            "resource",
            "authorization_url", "device_url", "issuer", "refresh_on", "default", "description",
        ])

    /// `"auth": {"session": {"scheme": "bearer", "refresh": "renew"}}`
    mutating func readAuth(_ node: Node) throws(Failure) {
        var defaults: [[Int]] = []
        for (name, member) in try node.members("\"auth\"") {
            let scheme = try authScheme(name, member)
            if scheme.isDefault { defaults.append([description.authSchemes.count]) }
            description.authSchemes.append(scheme)
        }
        if !defaults.isEmpty { description.auth = AuthRequirement(defaults) }
    }

    private func authScheme(_ name: Bytes, _ node: Node) throws(Failure) -> AuthScheme {
        _ = try node.object(Self.schemeKeys)
        if name.isEmpty || name.storage.contains(where: ASCII.isControl) {
            throw node.keyFailure(name, "the name of the auth scheme is empty or contains a control character")
        }
        guard let kind = node.member("scheme") else { throw node.failure("the auth scheme has no \"scheme\"") }
        var scheme = AuthScheme(
            name: name,
            kind: try kind.word(
                "\"scheme\"",
                [
                    ("bearer", .bearer), ("basic", .basic), ("digest", .digest), ("key", .key), ("oauth2", .oauth2),
                    ("custom", .custom),
                ]))
        scheme.pointer = node.pointer
        // A key that does not belong to this kind of scheme is an error and is not ignored.
        let isPassword = scheme.kind == .basic || scheme.kind == .digest
        let others: [(StaticString, Bool)] = [
            ("in", scheme.kind == .key), ("name", scheme.kind == .key), ("word", scheme.kind == .bearer || scheme.kind == .key),
            ("refresh", scheme.kind != .oauth2 && !isPassword), ("token", !isPassword),
            ("expires_in", !isPassword), ("refresh_token", !isPassword),
            ("refresh_on", !isPassword), ("token_url", scheme.kind == .oauth2), ("scope", scheme.kind == .oauth2),
            ("audience", scheme.kind == .oauth2), ("resource", scheme.kind == .oauth2),
            ("authorization_url", scheme.kind == .oauth2), ("device_url", scheme.kind == .oauth2),
            ("issuer", scheme.kind == .oauth2),
        ]
        for (key, isAllowed) in others where !isAllowed {
            if let member = node.member(key) {
                throw member.keyFailure(Bytes(staticText: key), "a scheme of this kind cannot have \"\(key)\"")
            }
        }
        if scheme.kind == .key { try readPlace(&scheme, node) }
        if let member = node.member("word") {
            if scheme.kind == .key && scheme.location != .header {
                throw member.failure("only a key in a header has a \"word\"")
            }
            scheme.word = try member.name("\"word\"")
            if !scheme.word.storage.allSatisfy(ASCII.isToken) { throw member.failure("\"word\" is not a valid HTTP token") }
        }
        if let member = node.member("refresh") { scheme.refresh = try member.name("\"refresh\"") }
        if let member = node.member("token") { scheme.tokenPointer = try Self.pointer(member) }
        if let member = node.member("expires_in") { scheme.lifetimePointer = try Self.pointer(member) }
        if let member = node.member("refresh_token") { scheme.refreshTokenPointer = try Self.pointer(member) }
        if let member = node.member("token_url") { scheme.tokenURL = try member.name("\"token_url\"") }
        if let member = node.member("scope") { scheme.scope = try member.text("\"scope\"") }
        if let member = node.member("audience") { scheme.audience = try member.name("\"audience\"") }
        if let member = node.member("resource") { scheme.resource = try member.name("\"resource\"") }
        if let member = node.member("authorization_url") {
            scheme.authorizationURL = try member.name("\"authorization_url\"")
        }
        if let member = node.member("device_url") { scheme.deviceURL = try member.name("\"device_url\"") }
        if let member = node.member("issuer") { scheme.issuer = try member.name("\"issuer\"") }
        if let member = node.member("refresh_on") { scheme.refreshOn = try Self.rejections(member) }
        if let member = node.member("default") { scheme.isDefault = try member.boolean("\"default\"") }
        return scheme
    }

    private static let rejectionKeys = KeyTable("a rule of \"refresh_on\"", ["status", "at", "is"])

    /// `[401, 403]`, `[{"at": "/error/code", "is": "token_expired"}]`
    static func rejections(_ node: Node) throws(Failure) -> Rejections {
        var result = Rejections()
        result.rules = []
        for element in try node.elements("\"refresh_on\"") {
            if result.rules.count >= 32 { throw element.failure("\"refresh_on\" has more than 32 rules") }
            result.rules.append(try rejection(element))
        }
        return result
    }

    private static func rejection(_ node: Node) throws(Failure) -> Rejections.Rule {
        func status(_ node: Node) throws(Failure) -> Int32 { Int32(try node.integer("a status", 100...599)) }
        if node.view.kind != .object { return Rejections.Rule(status: try status(node)) }
        _ = try node.object(rejectionKeys)
        var rule = Rejections.Rule()
        if let member = node.member("status") { rule.status = try status(member) }
        let (place, value) = (node.member("at"), node.member("is"))
        guard let place, let value else {
            if let lonely = place ?? value { throw lonely.failure("\"at\" and \"is\" belong together") }
            if rule.status == 0 { throw node.failure("the rule has neither \"status\" nor \"at\" and \"is\"") }
            return rule
        }
        switch value.view.kind {
        case .text: rule.code = Rejections.Code(try pointer(place), value.view.content)
        case .integer: rule.code = Rejections.Code(try pointer(place), Bytes(value.view.source))
        default: throw value.wrongKind("\"is\"", "a string or an integer")
        }
        return rule
    }

    private func readPlace(_ scheme: inout AuthScheme, _ node: Node) throws(Failure) {
        if let member = node.member("in") {
            scheme.location = try member.word("\"in\"", [("header", .header), ("query", .query), ("cookie", .cookie)])
        }
        guard let name = node.member("name") else { throw node.failure("the key has no \"name\"") }
        scheme.parameter = try name.name("\"name\"")
        if scheme.location != .query && !HeaderField.isValidName(scheme.parameter) {
            throw name.failure("the name of the key is not a valid HTTP token")
        }
    }

    static func pointer(_ node: Node) throws(Failure) -> Bytes {
        let text = try node.text("a JSON pointer")
        if !text.isEmpty && text.storage.first != UInt8(ascii: "/") {
            throw node.failure("a JSON pointer must begin with a slash: \"/a/b\"")
        }
        return text
    }

    /// `"session"`; `["session", ["key", "user"]]` for alternatives; `false` for none.
    mutating func requirement(_ node: Node) throws(Failure) -> AuthRequirement {
        switch node.view.kind {
        case .boolean where !node.view.boolean: return AuthRequirement([])
        case .text: return AuthRequirement([[try scheme(node)]])
        case .array:
            var alternatives: [[Int]] = []
            for element in try node.elements("\"auth\"") {
                guard element.view.kind == .array else {
                    alternatives.append([try scheme(element)])
                    continue
                }
                var set: [Int] = []
                for member in try element.elements("a set of schemes") { set.append(try scheme(member)) }
                alternatives.append(set)
            }
            return AuthRequirement(alternatives)
        default:
            throw node.wrongKind("\"auth\"", "the name of a scheme, an array of them, or false")
        }
    }

    private mutating func scheme(_ node: Node) throws(Failure) -> Int {
        let name = try node.name("an auth scheme")
        guard let index = description.authSchemes.firstIndex(where: { $0.name == name }) else {
            throw node.unknown("there is no auth scheme", name, among: description.authSchemes.map { $0.name })
        }
        description.authSchemes[index].isRequired = true
        return index
    }

    /// Warns about schemes that no operation requires: their credentials would never be sent, without an error.
    mutating func warnOfUnusedSchemes() {
        for scheme in description.authSchemes where !scheme.isRequired && !scheme.isDefault {
            description.warnings.append(
                "#\(scheme.pointer): no operation requires this scheme, so its credential is never sent")
        }
    }

    /// Checks that the refresh operation of each scheme is a standalone operation that can be called without ids.
    func checkRefreshes() throws(Failure) {
        for scheme in description.authSchemes where !scheme.refresh.isEmpty {
            guard description.operations.contains(where: { $0.name == scheme.refresh }) else {
                throw Failure.unknownName(
                    .document, "there is no standalone operation", scheme.refresh, among: description.operations.map { $0.name }
                ).at("\(scheme.pointer)/refresh")
            }
        }
    }
}

extension RouteDocumentWriter {
    mutating func auth() {
        if description.authSchemes.isEmpty { return }
        writer.key("auth")
        writer.open("{")
        for scheme in description.authSchemes {
            writer.key(of: scheme.name)
            writer.open("{")
            switch scheme.kind {
            case .bearer: writer.member("scheme", "bearer")
            case .basic: writer.member("scheme", "basic")
            case .digest: writer.member("scheme", "digest")
            case .key: writer.member("scheme", "key")
            case .oauth2: writer.member("scheme", "oauth2")
            case .custom, .certificate: writer.member("scheme", "custom")
            }
            if scheme.kind == .key {
                writer.member("in", scheme.location == .query ? "query" : scheme.location == .cookie ? "cookie" : "header")
                writer.member("name", scheme.parameter)
            }
            if scheme.kind == .bearer ? scheme.word != "Bearer" : scheme.kind == .key && !scheme.word.isEmpty {
                writer.member("word", scheme.word)
            }
            writer.optionalMember("refresh", scheme.refresh)
            if scheme.tokenPointer != "/access_token" { writer.member("token", scheme.tokenPointer) }
            if scheme.lifetimePointer != "/expires_in" { writer.member("expires_in", scheme.lifetimePointer) }
            if scheme.refreshTokenPointer != "/refresh_token" { writer.member("refresh_token", scheme.refreshTokenPointer) }
            writer.optionalMember("token_url", scheme.tokenURL)
            writer.optionalMember("scope", scheme.scope)
            writer.optionalMember("audience", scheme.audience)
            writer.optionalMember("resource", scheme.resource)
            writer.optionalMember("authorization_url", scheme.authorizationURL)
            writer.optionalMember("device_url", scheme.deviceURL)
            writer.optionalMember("issuer", scheme.issuer)
            rejections(scheme.refreshOn)
            if scheme.isDefault {
                writer.key("default")
                writer.boolean(true)
            }
            writer.close("}")
        }
        writer.close("}")
    }

    private mutating func rejections(_ rejections: Rejections) {
        if rejections.isDefault { return }
        writer.key("refresh_on")
        writer.open("[")
        for rule in rejections.rules {
            guard let code = rule.code else {
                writer.integer(Int64(rule.status))
                continue
            }
            writer.open("{")
            if rule.status != 0 {
                writer.key("status")
                writer.integer(Int64(rule.status))
            }
            writer.member("at", code.pointer)
            writer.member("is", code.value)
            writer.close("}")
        }
        writer.close("]")
    }

    mutating func requirement(_ requirement: AuthRequirement?) {
        guard let requirement, !requirement.isUnknown else { return }
        writer.key("auth")
        if requirement.alternatives.isEmpty {
            writer.boolean(false)
            return
        }
        func name(_ index: Int) -> Bytes {
            description.authSchemes.indices.contains(index) ? description.authSchemes[index].name : Bytes()
        }
        if requirement.alternatives.count == 1, let only = requirement.alternatives.first, only.count == 1,
            let index = only.first
        {
            writer.string(name(index))
            return
        }
        writer.open("[")
        for set in requirement.alternatives {
            if set.count == 1, let index = set.first {
                writer.string(name(index))
                continue
            }
            writer.open("[")
            for index in set { writer.string(name(index)) }
            writer.close("]")
        }
        writer.close("]")
    }
}
