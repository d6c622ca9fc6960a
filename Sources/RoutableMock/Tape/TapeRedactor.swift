// Removes the secrets of an exchange: the credentials of the description, parts that its schemas declare as secret, the tokens of
// OAuth 2, cookies, and the secrets that the user names.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

/// The properties of an exchange that redaction depends on.
final class TapeContext {
    /// The operation; nil for a request that matches no operation of the description.
    var plan: Plan?
    let basePath: Bytes?
    /// Whether the request is a token request: then only members that are known not to be secret are kept.
    var isTokenRequest: Bool
    /// The names of the headers that the client added as secrets.
    var secretHeaders: [Bytes] = []
    /// Strings that are secret if they are a whole segment of the path, a whole field of a form or a whole part.
    var values = Set<Bytes>()
    /// The parameters of the operation that are declared as secret.
    var secretParameters = Set<Bytes>()

    init(basePath: Bytes? = nil, isTokenRequest: Bool = false) {
        self.basePath = basePath
        self.isTokenRequest = isTokenRequest
    }
}

/// Replaces secrets by masks, and collects them.  With `isKey`, it replaces each secret by the same word, and is immutable and thread-safe.
final class TapeRedactor: @unchecked Sendable {
    let router: PlannedRouter
    private let names: Set<Bytes>
    private let isKey: Bool
    /// The secrets that the user names.
    private var named = TapeSecrets(word: TapeRedactor.hidden)
    /// The secrets that were found.  Only the thread that saves the tape uses them; empty for keys.
    private var found = TapeSecrets()

    static var hidden: Bytes { "***" }

    init(_ router: PlannedRouter, _ options: TapeOptions, isKey: Bool) {
        self.router = router
        self.isKey = isKey
        let usual: [Bytes] = [
            "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "csrftoken", "token", "password", "passwd",
            "secret", "clientsecret", "apikey", "privatekey", "assertion", "clientassertion", "codeverifier", "devicecode",
            "usercode",
        ]
        names = Set(usual + options.names.map { Self.normal($0) })
        for secret in options.secrets { named.add(secret) }
        named.finish()
    }

    /// After this call, the secrets that were found are masked wherever they occur.
    func finish() { found.finish() }

    /// The text, with the known secrets masked.
    func masked(_ text: Bytes) -> Bytes { found.masked(named.masked(text)) }

    private static func normal(_ name: Bytes) -> Bytes {
        Bytes(name.lowercased.storage.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") })
    }

    private func isSecret(_ name: Bytes) -> Bool { names.contains(Self.normal(name)) }

    private var schemes: [AuthScheme] { router.router.description.authSchemes }

    // MARK: - Values

    /// The replacement of a secret string.
    func hide(_ secret: Bytes) -> Bytes {
        if isKey { return Self.hidden }
        found.add(secret)
        return TapeSecrets.mask(secret)
    }

    /// The replacement of a secret value; everything in it is secret.
    func hide(_ value: Value) -> Value {
        // proof: the recursion is limited by the nesting that the reader allows.
        if isKey { return .text(Self.hidden) }
        switch value {
        case .null: return .null
        case .boolean: return .boolean(false)
        case .integer, .number: return .integer(0)
        case .real: return .real(0)
        case .text(let text): return .text(hide(text))
        case .array(let elements): return .array(elements.map { hide($0) })
        case .object(let members): return .object(members.map { Value.Member(name: $0.name, value: hide($0.value)) })
        }
    }

    /// The value without the members whose names are secret; in a token request, also without all members that may be secret.
    func redacted(_ value: Value, _ context: TapeContext) -> Value {
        // proof: the recursion is limited by the nesting that the reader allows.
        switch value {
        case .text(let text): return .text(masked(text))
        case .array(let elements): return .array(elements.map { redacted($0, context) })
        case .object(let members):
            return .object(
                members.map { member in
                    let isHidden = isSecret(member.name) || context.isTokenRequest && Self.mayBeSecret(member)
                    return Value.Member(
                        name: member.name, value: isHidden ? hide(member.value) : redacted(member.value, context))
                })
        default: return value
        }
    }

    /// Whether a member of a token request or of its response may be secret: all strings except those known not to be.
    private static func mayBeSecret(_ member: Value.Member) -> Bool {
        guard case .text = member.value else { return false }
        let known: [StaticString] = [
            "granttype", "responsetype", "tokentype", "scope", "clientid", "audience", "resource", "error", "errordescription",
            "erroruri", "expiresin", "expiresat", "interval", "verificationuri", "redirecturi",
        ]
        let name = normal(member.name)
        return !known.contains { name.equals($0) }
    }

    /// Whether a body requests a token.
    static func asksForToken(_ body: Bytes, _ type: Bytes) -> Bool {
        let essence = BodyWriter.essence(type)
        return (essence == "application/x-www-form-urlencoded" || BodyWriter.isJSON(type))
            && (body.contains("grant_type") || body.contains("client_secret") || body.contains("device_code"))
    }

    /// The parameters of an operation that are declared as secret.
    func secretParameters(_ plan: Plan?) -> Set<Bytes> {
        Set((plan?.operation.parameters ?? []).filter { $0.description.scalar.isSecret }.map { $0.description.name })
    }

    /// The members of a part of a call.
    func redacted(_ members: [Value.Member], _ secret: Set<Bytes>) -> [Value.Member] {
        members.map { member in
            let isHidden = isSecret(member.name) || secret.contains(member.name)
            return Value.Member(name: member.name, value: isHidden ? hide(member.value) : redacted(member.value, TapeContext()))
        }
    }

    // MARK: - Bodies

    /// The body without its secrets; the same bytes if it has none.
    func body(_ body: Bytes, _ type: Bytes, _ checker: (any ValueChecker)?, _ context: TapeContext) throws(Failure) -> Bytes {
        if body.isEmpty { return body }
        let essence = BodyWriter.essence(type)
        if essence == "application/x-www-form-urlencoded" { return form(body, context) }
        if essence == "multipart/form-data", let media = MediaType(type) {
            do throws(Failure) { return try multipart(body, media, context) } catch { try Memory.check() }
        }
        if essence == "text/event-stream" || essence.hasSuffix("jsonl") || essence.hasSuffix("ndjson")
            || essence.hasSuffix("jsonlines")
        {
            var lines: [Bytes] = []
            for line in body.split(on: 0x0A) {
                let start = line.hasPrefix("data:") ? 5 : 0
                let text = Bytes(line.storage[start...])
                lines.append("\(Bytes(line.storage[..<start]))\(try json(text, nil, context) ?? masked(text))")
            }
            return lines.joined(by: "\n")
        }
        if BodyWriter.isJSON(type) || type.isEmpty, let json = try json(body, checker, context) { return json }
        return masked(body)
    }

    /// The redacted JSON; nil if the text is not JSON.
    private func json(_ text: Bytes, _ checker: (any ValueChecker)?, _ context: TapeContext) throws(Failure) -> Bytes? {
        guard let codec = router.router.codec, let value = try? codec.value(of: text) else {
            try Memory.check()
            return nil
        }
        var shown = value
        if let checker { shown = checker.masked(value) { self.hide($0) } }
        shown = redacted(shown, context)
        let before = try codec.text(of: value)
        var after = try codec.text(of: shown)
        if before == after { return text }
        // If the mask does not satisfy the schema, a value that does is generated.
        if let checker, before.storage.withUnsafeBytes({ checker.accepts(json: $0) }),
            !after.storage.withUnsafeBytes({ checker.accepts(json: $0) }), let valid = try checker.fit(shown, seed: 0)
        {
            after = try codec.text(of: valid)
        }
        return after
    }

    private func form(_ body: Bytes, _ context: TapeContext) -> Bytes {
        body.split(on: UInt8(ascii: "&")).map { item -> Bytes in
            guard let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) else { return masked(item) }
            let name = item.storage[..<equals].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
            let value = item.storage[(equals &+ 1)...].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
            return isField(name, value, context)
                ? "\(Bytes(item.storage[...equals]))\(PercentCoding.encode(hide(value), .unreserved))" : masked(item)
        }.joined(by: "&")
    }

    /// Whether a field of a form is secret, by its name, by the last name in brackets, or by its value.
    private func isField(_ name: Bytes, _ value: Bytes, _ context: TapeContext) -> Bool {
        let last = name.split(on: UInt8(ascii: "[")).last { $0 != "]" } ?? name
        return isSecret(Bytes(last.storage.filter { $0 != UInt8(ascii: "]") })) || context.values.contains(value)
            || context.isTokenRequest && Self.mayBeSecret(Value.Member(name: name, value: .text(value)))
    }

    private func multipart(_ body: Bytes, _ type: MediaType, _ context: TapeContext) throws(Failure) -> Bytes {
        let parts = try body.withBuffer { (buffer) throws(Failure) in try MultipartReader.parts(buffer, type) }
        var result = Bytes()
        var place = 0
        for part in parts {
            result.append(masked(Bytes(body.storage[place..<part.content.lowerBound])))
            let content = Bytes(body.storage[part.content])
            result.append(
                isField(part.name, content, context)
                    ? hide(content)
                    : try self.body(content, part.contentType.isEmpty ? "text/plain" : part.contentType, nil, context))
            place = part.content.upperBound
        }
        result.append(Bytes(body.storage[place...]))
        return result
    }

    // MARK: - Headers

    func headers(_ fields: [HeaderField], _ context: TapeContext) -> [HeaderField] {
        fields.map { HeaderField($0.name, header($0.name.lowercased, $0.value, context)) }
    }

    private func header(_ name: Bytes, _ value: Bytes, _ context: TapeContext) -> Bytes {
        switch name {
        case "cookie":
            return value.split(on: UInt8(ascii: ";")).map { pair -> Bytes in
                guard let equals = pair.storage.firstIndex(of: UInt8(ascii: "=")) else { return hide(pair) }
                return "\(Bytes(pair.storage[...equals]))\(hide(Bytes(pair.storage[(equals &+ 1)...])))"
            }.joined(by: ";")
        case "set-cookie":
            let end = value.storage.firstIndex(of: UInt8(ascii: ";")) ?? value.count
            let start = value.storage[..<end].firstIndex(of: UInt8(ascii: "=")).map { $0 &+ 1 } ?? 0
            _ = hide(Bytes(value.storage[start..<end]))
            return "\(Bytes(value.storage[..<start]))\(Self.hidden)\(Bytes(value.storage[end...]))"
        case "location", "content-location", "referer", "origin": return url(value, context)
        case "link":
            return value.split(on: UInt8(ascii: "<")).map { piece -> Bytes in
                guard let end = piece.storage.firstIndex(of: UInt8(ascii: ">")) else { return masked(piece) }
                return "\(url(Bytes(piece.storage[..<end]), context))\(masked(Bytes(piece.storage[end...])))"
            }.joined(by: "<")
        case "www-authenticate", "proxy-authenticate": return masked(value)
        default: break
        }
        if HeaderField.isSecret(name) || context.secretHeaders.contains(where: { $0.equalsIgnoringCase(name) })
            || schemes.contains(where: { $0.kind == .key && $0.location == .header && $0.parameter.equalsIgnoringCase(name) })
        {
            var secrets: [Bytes] = []
            SentContent.addParts(of: value, to: &secrets)
            for secret in secrets { _ = hide(secret) }
            guard let space = value.storage.firstIndex(of: 0x20), name.contains("authorization") else { return Self.hidden }
            return "\(Bytes(value.storage[...space]))\(Self.hidden)"
        }
        let words: [Bytes] = ["token", "secret", "password", "apikey", "session", "signature", "credential", "authentication"]
        let plain = Self.normal(name)
        // A random idempotency key is not a secret, but would make every recording different.
        let isRandom =
            plain == "idempotencykey" || context.plan?.operation.rules?.keyHeader?.bytes.equalsIgnoringCase(name) == true
        if isRandom { return TapeSecrets.mask(value) }
        if isSecret(name) || words.contains(where: { plain.contains($0) }) || context.secretParameters.contains(name) {
            return hide(value)
        }
        return masked(value)
    }

    // MARK: - URLs

    /// The URL without secrets: without the keys and the secret parameters of an operation.  If no operation matches the path, all values of
    /// the query are removed, such as the signature of a link to a file.
    func url(_ url: Bytes, _ context: TapeContext) -> Bytes {
        let mark = url.storage.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count
        var front = Bytes(url.storage[..<mark])
        var authority = Bytes()
        if let colon = front.storage.firstIndex(of: UInt8(ascii: ":")), front.count > colon &+ 2,
            front.storage[colon &+ 1] == UInt8(ascii: "/")
        {
            let end = front.storage[min(colon &+ 3, front.count)...].firstIndex(of: UInt8(ascii: "/")) ?? front.count
            authority = Bytes(front.storage[..<end])
            front = Bytes(front.storage[end...])
            if let at = authority.storage.lastIndex(of: UInt8(ascii: "@")) {
                _ = hide(Bytes(authority.storage[min(colon &+ 3, at)..<at]))
                authority =
                    "\(Bytes(authority.storage[..<min(colon &+ 3, at)]))\(Self.hidden)\(Bytes(authority.storage[at...]))"
            }
        }
        let place = try? router.place(front.isEmpty ? "/" : front, method: "GET", basePath: context.basePath)
        let isCall = !(place?.methods.isEmpty ?? true)
        let values = context.values.union(pathSecrets(front, place?.plan, context.basePath))
        let path = front.split(on: UInt8(ascii: "/")).map { segment -> Bytes in
            let text = segment.storage.withUnsafeBytes { PercentCoding.decode($0) }
            return values.contains(text) ? PercentCoding.encode(hide(text), .unreserved) : masked(segment)
        }.joined(by: "/")
        let rest = Bytes(url.storage[mark...])
        let hash = rest.storage.firstIndex(of: UInt8(ascii: "#")) ?? rest.count
        var result = "\(authority)\(path)" as Bytes
        if rest.storage.first == UInt8(ascii: "?") {
            let declared = context.secretParameters.union(secretParameters(place?.plan))
            let items = Bytes(rest.storage[1..<hash]).split(on: UInt8(ascii: "&")).map { queryItem($0, isCall, declared) }
            result.append("?\(items.joined(by: "&"))")
        }
        if hash < rest.count { result.append("#\(Self.hidden)") }
        return result
    }

    /// The values of the path parameters that are declared as secret.
    private func pathSecrets(_ path: Bytes, _ plan: Plan?, _ basePath: Bytes?) -> Set<Bytes> {
        let secret = secretParameters(plan)
        if secret.isEmpty { return secret }
        let received = Received(router)
        var options = ReceiveOptions()
        options.basePath = basePath
        let incoming = Incoming(method: "GET", target: path, headers: [], body: Bytes())
        guard (try? received.read(incoming, options)) != nil, let call = try? received.call() else { return [] }
        return Set(call.pathValues.filter { secret.contains($0.name) }.compactMap { $0.value.scalarText })
    }

    private func queryItem(_ item: Bytes, _ isCall: Bool, _ declared: Set<Bytes>) -> Bytes {
        guard let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) else {
            return isCall || item.isEmpty ? masked(item) : Self.hidden
        }
        let name = item.storage[..<equals].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
        let value = item.storage[(equals &+ 1)...].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
        let start = Bytes(item.storage[...equals])
        if schemes.contains(where: { $0.kind == .key && $0.location == .query && $0.parameter == name }) {
            _ = hide(value)
            return "\(start)\(Self.hidden)"
        }
        if isSecret(name) || declared.contains(name) { return "\(start)\(PercentCoding.encode(hide(value), .unreserved))" }
        return isCall ? masked(item) : "\(start)\(Self.hidden)"
    }
}
