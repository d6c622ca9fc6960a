// Exports credentials to OpenAPI, and the rules of performing as x-routable keys.

import RoutableCore
import RoutableDocuments

extension OpenAPIExport {
    // MARK: Auth

    /// - Parameter exported: The operations of the document.
    mutating func securitySchemes(_ exported: Set<Bytes>) throws(Failure) -> Value? {
        var result = Members()
        for scheme in router.description.authSchemes {
            let place: Bytes = "/auth/\(scheme.name.pointerEscaped)"
            var made = Members()
            switch scheme.kind {
            case .bearer:
                made.set("type", .text("http"))
                made.set("scheme", .text(scheme.word == "Bearer" ? "bearer" : scheme.word))
            case .basic:
                made.set("type", .text("http"))
                made.set("scheme", .text("basic"))
            case .digest:
                made.set("type", .text("http"))
                made.set("scheme", .text("digest"))
            case .key:
                made.set("type", .text("apiKey"))
                made.set("in", .text(scheme.location == .query ? "query" : scheme.location == .cookie ? "cookie" : "header"))
                made.set("name", .text(scheme.parameter))
            case .oauth2: made = oauth2(scheme, place)
            case .custom, .certificate:
                remarks.add(place, "a custom scheme: OpenAPI cannot describe the function that adds the credential")
                continue
            }
            if exported.contains(scheme.refresh) {
                made.set("x-routable-refresh", .text(scheme.refresh))
            } else if !scheme.refresh.isEmpty {
                remarks.add(place, "its refresh: the document does not contain the operation \(scheme.refresh.printable)")
            }
            let pointers: [(Bytes, Bytes, Bytes)] = [
                ("x-routable-token", scheme.tokenPointer, "/access_token"),
                ("x-routable-expires-in", scheme.lifetimePointer, "/expires_in"),
                ("x-routable-refresh-token", scheme.refreshTokenPointer, "/refresh_token"),
            ]
            for (key, pointer, usual) in pointers where pointer != usual { made.set(key, .text(pointer)) }
            if scheme.kind == .key && !scheme.word.isEmpty { made.set("x-routable-word", .text(scheme.word)) }
            if !scheme.issuer.isEmpty { made.set("x-routable-issuer", .text(scheme.issuer)) }
            if !scheme.refreshOn.isDefault { made.set("x-routable-refresh-on", Self.rejections(scheme.refreshOn)) }
            for (what, text) in [
                ("audience", scheme.audience), ("resource", scheme.resource), ("device URL", scheme.deviceURL),
            ] as [(Bytes, Bytes)] where !text.isEmpty {
                remarks.add(place, "the \(what) \"\(text.printable)\": OpenAPI 3.1 cannot describe it")
            }
            result.set(scheme.name, made.value)
        }
        return result.isEmpty ? nil : result.value
    }

    private mutating func oauth2(_ scheme: AuthScheme, _ place: Bytes) -> Members {
        var flow = Members()
        flow.set("tokenUrl", text: scheme.tokenURL)
        flow.set(
            "scopes",
            .object(scheme.scope.split(on: UInt8(ascii: " ")).filter { !$0.isEmpty }.map { .init(name: $0, value: .text("")) }))
        if !scheme.scope.isEmpty {
            remarks.add(place, "the scope \"\(scheme.scope.printable)\" of token requests: OpenAPI only documents scopes")
        }
        var made = Members()
        made.set("type", .text("oauth2"))
        var flows: [Value.Member] = []
        if !scheme.tokenURL.isEmpty { flows.append(.init(name: "clientCredentials", value: flow.value)) }
        if !scheme.tokenURL.isEmpty && !scheme.authorizationURL.isEmpty {
            flow.set("authorizationUrl", text: scheme.authorizationURL)
            flows.append(.init(name: "authorizationCode", value: flow.value))
        } else if !scheme.authorizationURL.isEmpty {
            remarks.add(place, "the authorization URL: OpenAPI describes it only together with a token URL")
        }
        made.set("flows", .object(flows))
        return made
    }

    private static func rejections(_ rejections: Rejections) -> Value {
        .array(
            rejections.rules.map { rule in
                guard let code = rule.code else { return .integer(Int64(rule.status)) }
                var members: [Value.Member] = []
                if rule.status != 0 { members.append(.init(name: "status", value: .integer(Int64(rule.status)))) }
                members.append(.init(name: "at", value: .text(code.pointer)))
                members.append(.init(name: "is", value: .text(code.value)))
                return .object(members)
            })
    }

    mutating func security(_ requirement: AuthRequirement, _ place: Bytes) -> Value {
        let schemes = router.description.authSchemes
        var result: [Value] = []
        for set in requirement.alternatives {
            let found = set.compactMap { schemes.indices.contains($0) ? schemes[$0] : nil }
            if found.contains(where: { $0.kind == .custom || $0.kind == .certificate }) {
                remarks.add(place, "the requirement of \(found.map { $0.name }.joined(by: " and "))")
                continue
            }
            result.append(.object(found.map { .init(name: $0.name, value: .array([])) }))
        }
        return .array(result)
    }

    // MARK: Rules

    /// The rules in an OpenAPI document: the keys of a route document, prefixed with x-routable.
    static func rules(_ rules: OperationRules?) throws(Failure) -> [Value.Member] {
        guard let rules else { return [] }
        var bare = RouterDescription()
        bare.rules = rules
        return try Value.read(RouteDocument.write(bare)).members.filter { $0.name != "routable" }
            .map { .init(name: "x-routable-\($0.name)", value: $0.value) }
    }

    // MARK: Tags

    mutating func addUserData(_ data: [UserData], to made: inout Members, _ place: Bytes) {
        for item in data {
            if item.key.hasPrefix("x-routable") {
                remarks.add(place, "\(item.key): in OpenAPI documents the prefix x-routable is reserved")
            } else if let value = try? Value.read(item.json) {
                made.set(item.key, value)
            }
        }
    }

    /// The properties of resources, as tags of their operations.
    mutating func tags() -> Value? {
        var result: [Value] = []
        for resource in router.resources {
            var made = Members()
            made.set("name", .text(resource.name.bytes))
            made.set("description", text: resource.summary.bytes)
            addUserData(resource.description.userData, to: &made, "/resources/\(resource.name.bytes.pointerEscaped)")
            if made.list.count > 1 { result.append(made.value) }
        }
        return result.isEmpty ? nil : .array(result)
    }
}
